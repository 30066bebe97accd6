//! Whether some times are longer than others: the exact Mann-Whitney test (Mann and Whitney 1947).
//!
//! It looks at the order of the times only, so that it need not know how times are distributed;
//! those of searches have long tails. With five times against five it can be as sure as 1 in 252.

/// Up to this many pairs the distribution is computed; beyond, the normal one is near enough.
const EXACT_PAIRS: usize = 2500;

/// The probability that `longer` comes out as long against `shorter` as it did, or longer, if all
/// orders of the times are equally likely. Equal times count as if `longer` were the shorter one,
/// which makes the probability too large, if anything. 1 if one of the two is empty.
pub fn probability(longer: &[f64], shorter: &[f64]) -> f64 {
    let wins = |a: &f64| shorter.iter().filter(|&b| a > b).count();
    let wins = longer.iter().map(wins).sum();
    if longer.len() * shorter.len() <= EXACT_PAIRS {
        exact(longer.len(), shorter.len(), wins)
    } else {
        normal(longer.len(), shorter.len(), wins)
    }
}

/// The smallest probability that so many times against so many others can have.
pub fn smallest(n: usize, m: usize) -> f64 {
    // 1 / (n + m choose n)
    (1..=n).fold(1.0, |p, i| p * i as f64 / (m + i) as f64)
}

/// P(wins >= `wins`) of `n` times against `m`. The last of all times is one of the `n` with
/// probability n / (n + m), and then longer than all `m`; else one of the `m`, which wins nothing.
fn exact(n: usize, m: usize, wins: usize) -> f64 {
    let pairs = n * m;
    // of[j]: the distribution of wins of i times against j; with i = 0 there are none.
    let nothing = |size| {
        let mut of = vec![0.0; size];
        of[0] = 1.0;
        of
    };
    let mut of: Vec<Vec<f64>> = vec![nothing(pairs + 1); m + 1];
    for i in 1..=n {
        for j in 1..=m {
            let ours = i as f64 / (i + j) as f64;
            let mut next = vec![0.0; pairs + 1];
            for (u, p) in next.iter_mut().enumerate().take(i * j + 1) {
                let last_is_ours = if u >= j { of[j][u - j] } else { 0.0 };
                *p = ours * last_is_ours + (1.0 - ours) * of[j - 1][u];
            }
            of[j] = next;
        }
    }
    of[m][wins..].iter().sum::<f64>().min(1.0)
}

/// The same by the normal distribution.
fn normal(n: usize, m: usize, wins: usize) -> f64 {
    let (n, m) = (n as f64, m as f64);
    let deviation = (n * m * (n + m + 1.0) / 12.0).sqrt();
    let z = (wins as f64 - 0.5 - n * m / 2.0) / deviation;
    upper_tail(z)
}

/// P(Z > z) of the standard normal distribution, to within 1e-7 (Abramowitz and Stegun 1964,
/// 26.2.17).
fn upper_tail(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let polynomial = [
        1.330_274_429,
        -1.821_255_978,
        1.781_477_937,
        -0.356_563_782,
        0.319_381_530,
    ]
    .iter()
    .fold(0.0, |sum, b| (sum + b) * t);
    let tail = polynomial * (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z < 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to choose who of n + m times in order is ours.
    fn counted(n: usize, m: usize, wins: usize) -> f64 {
        let (mut all, mut at_least) = (0, 0);
        for chosen in 0u32..1 << (n + m) {
            if chosen.count_ones() as usize != n {
                continue;
            }
            let mut theirs = 0;
            let mut won = 0;
            for place in 0..n + m {
                if chosen >> place & 1 == 1 {
                    won += theirs;
                } else {
                    theirs += 1;
                }
            }
            all += 1;
            at_least += usize::from(won >= wins);
        }
        at_least as f64 / all as f64
    }

    #[test]
    fn probabilities_are_those_of_all_orders_counted() {
        for (n, m) in [(1, 1), (1, 4), (3, 2), (4, 4), (5, 5), (3, 7)] {
            for wins in 0..=n * m {
                let (ours, expected) = (exact(n, m, wins), counted(n, m, wins));
                assert!((ours - expected).abs() < 1e-12, "{n} {m} {wins}");
            }
            assert!((exact(n, m, n * m) - smallest(n, m)).abs() < 1e-12);
        }
    }

    #[test]
    fn only_the_order_counts_and_ties_count_against() {
        assert_eq!(probability(&[], &[1.0]), 1.0);
        assert_eq!(probability(&[1.0], &[]), 1.0);
        assert_eq!(probability(&[2.0, 2.0], &[2.0, 2.0]), 1.0);
        let (long, short) = ([10.0, 11.0, 12.0], [1.0, 2.0, 3.0]);
        assert!((probability(&long, &short) - 0.05).abs() < 1e-12);
        assert!((probability(&short, &long) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn many_times_are_judged_by_the_normal_distribution() {
        assert!((upper_tail(1.959_964) - 0.025).abs() < 1e-6);
        assert!((upper_tail(-1.0) + upper_tail(1.0) - 1.0).abs() < 1e-7);
        for wins in [1250, 1400, 1620] {
            let (exact, near) = (exact(50, 50, wins), normal(50, 50, wins));
            assert!((exact - near).abs() < 1e-3, "{wins}: {exact} {near}");
        }
    }
}
