//! Checks the steps of the proof in docs/estimates.md, but for the theorem of step 2, on random
//! numbers.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::{Estimate, Estimator, Interval, VertexState, psi};

/// Populations of numbers in [0, 1]: few large ones, two kinds, uniform, and many small ones.
const POPULATIONS: [fn(usize) -> f64; 4] = [
    |i| f64::from(u8::from(i % 50 == 0)),
    |i| 0.3 + 0.4 * f64::from(u8::from(i % 2 == 0)),
    |i| (i % 400) as f64 / 400.0,
    |i| if i < 5 { 1.0 } else { 0.02 },
];

/// The size of a population.
const N: usize = 400;

/// Returns all populations, each drawn without and with replacement.
fn populations() -> impl Iterator<Item = (usize, fn(usize) -> f64, bool)> {
    let all = POPULATIONS.into_iter();
    all.flat_map(|value| [false, true].map(|replaced| (N, value, replaced)))
}

/// Returns the logarithms of the upper and the lower process of a vertex whose mean is `mean`.
fn logarithms(VertexState { upper, lower, .. }: &VertexState, mean: f64) -> [f64; 2] {
    [
        upper.w * mean - upper.u - upper.v,
        lower.u - lower.w * mean - lower.v,
    ]
}

fn options(confidence: f64) -> Estimate {
    Estimate {
        confidence,
        epsilon: 1e-6,
        ..Estimate::default()
    }
}

/// Draws a population in batches, except the last batch, or, `replaced`, as often with replacement.
/// Calls `look` with the estimator and the mean of the population after each batch.
fn draw(
    (n, value, replaced): (usize, fn(usize) -> f64, bool),
    options: Estimate,
    seed: u64,
    mut look: impl FnMut(&Estimator, f64),
) {
    let mut population: Vec<f64> = (0..n).map(value).collect();
    let mean = population.iter().sum::<f64>() / n as f64;
    let mut random = Pcg64::seed_from_u64(seed);
    let mut sources = n as f64;
    match replaced {
        true => {
            let drawn = |_| population[random.random_range(0..n)];
            (population, sources) = ((0..n).map(drawn).collect(), f64::INFINITY);
        }
        false => population.shuffle(&mut random),
    }
    let mut estimator = Estimator::new(options, 1, sources);
    let size = n / 25;
    for batch in population[..n - size].chunks(size) {
        let squares = batch.iter().map(|x| x * x).sum();
        estimator.add(batch.len(), |_| [batch.iter().sum(), squares]);
        estimator.plan(f64::INFINITY);
        look(&estimator, mean);
    }
}

#[test]
fn step_1_one_draw() {
    let mut random = Pcg64::seed_from_u64(1);
    for _ in 0..100_000 {
        let c = 10f64.powf(random.random_range(-6.0..0.0));
        let bet = random.random_range(0.0..0.99) / c;
        let x = random.random_range(-c..1.0);
        let left = (bet * x - psi(c, bet) * x * x).exp();
        assert!(
            left <= (1.0 + bet * x) * (1.0 + 1e-12) + 1e-15,
            "{c} {bet} {x}"
        );
    }
}

#[test]
fn steps_3_and_4_processes_have_a_mean_of_at_most_1_and_are_seldom_large() {
    const RUNS: u64 = 4_000;
    for (number, population) in populations().enumerate() {
        let mut sums = vec![[[0.0; 2]; 2]; 24];
        let mut all_largest = Vec::new();
        for seed in 0..RUNS {
            let (mut look, mut largest) = (0, [f64::NEG_INFINITY; 2]);
            draw(population, options(0.9), seed, |estimator, mean| {
                let values = logarithms(&estimator.vertices[0], mean);
                for (side, logarithm) in values.into_iter().enumerate() {
                    let value = logarithm.exp();
                    sums[look][side][0] += value;
                    sums[look][side][1] += value * value;
                    largest[side] = logarithm.max(largest[side]);
                }
                look += 1;
            });
            all_largest.push(largest);
        }
        for [sum, squares] in sums.into_iter().flatten() {
            let mean = sum / RUNS as f64;
            let error = ((squares / RUNS as f64 - mean * mean) / RUNS as f64).sqrt();
            assert!(mean <= 1.0 + 4.0 * error + 1e-9, "{number}: {mean} {error}");
        }
        for (part, side) in [0.5, 0.1, 0.02].map(|part| [(part, 0), (part, 1)]).concat() {
            let above = |one: &&[f64; 2]| one[side] >= -f64::ln(part);
            let count = all_largest.iter().filter(above).count() as f64;
            let most = part * RUNS as f64 + 4.0 * (part * RUNS as f64).sqrt();
            assert!(count <= most, "{number} {part} {count}");
        }
    }
}

/// Counts the runs in which, after some batch, an interval multiplied by the factor `narrower` did
/// not contain the mean.
fn misses(
    population: (usize, fn(usize) -> f64, bool),
    confidence: f64,
    runs: u64,
    narrower: f64,
) -> usize {
    let missed = |&seed: &u64| {
        let mut missed = false;
        draw(population, options(confidence), seed, |estimator, mean| {
            let Interval { low, high, .. } = estimator.interval(0);
            let (middle, half) = ((low + high) / 2.0, narrower * (high - low) / 2.0);
            missed |= (mean - middle).abs() > half + 1e-12;
        });
        missed
    };
    (0..runs).filter(missed).count()
}

#[test]
fn step_5_intervals_cover_the_mean_at_every_look() {
    for confidence in [0.8, 0.95] {
        let all = populations().map(|population| misses(population, confidence, 2_000, 1.0));
        let all: Vec<usize> = all.collect();
        let most = ((1.0 - confidence) * 2_000.0) as usize;
        assert!(all.iter().all(|&count| count <= most), "{all:?} {most}");
    }
}

#[test]
fn intervals_that_are_a_fifth_too_narrow_are_noticed() {
    for replaced in [false, true] {
        let all = POPULATIONS.map(|value| misses((N, value, replaced), 0.98, 2_000, 0.8));
        assert!(all.iter().any(|&count| count > 40), "{replaced} {all:?}");
    }
}

#[test]
fn ends_that_cross_give_an_interval() {
    let mut estimator = Estimator::new(options(0.9), 1, 10.0);
    estimator.add(5, |_| [2.0, 1.0]);
    let side = |u: f64| super::Side { u, w: 1.0, v: 0.0 };
    let state = &mut estimator.vertices[0];
    (state.log, state.upper, state.lower) = (0.0, side(0.3), side(0.5));
    let Interval {
        score, low, high, ..
    } = estimator.interval(0);
    assert_eq!((low, high), (0.3, 0.5));
    assert!((low..=high).contains(&score));
}
