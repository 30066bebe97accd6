//! The e-processes of vertices, from which intervals follow that hold after every batch. An
//! e-process is a non-negative process whose mean, at any stopping time, is at most 1.
//!
//! Each vertex has two e-processes, one for the upper and one for the lower end of the interval of
//! its mean of x. The bets on a batch depend on earlier batches alone.
//!
//! The inequalities are those of Fan, Grama and Liu 2015 (one draw), Hoeffding 1963, theorem 4 (a
//! batch without replacement) and Ville 1939 (all batches); the form is close to Waudby-Smith and
//! Ramdas 2024.

use rayon::prelude::*;

use crate::query::Estimate;

/// The largest bet l for c = 1: psi(l) is finite for l below 1.
const LARGEST_BET: f64 = 0.7;
/// The part of the probability of a failure that all vertices share evenly, whatever the variances
/// in the first batch. A first batch of sources is small, so it shows less than one of paths.
const EVEN_FOR_SOURCES: f64 = 0.5;
const EVEN_FOR_PATHS: f64 = 0.1;
/// The number of vertices whose shares are added by one task, so that the sum does not depend on
/// the number of threads.
const PER_TASK: usize = 4096;

/// One side of the interval of a vertex: the sums U, W and V of docs/estimates.md.
#[derive(Debug, Clone, Copy, Default)]
struct Side {
    u: f64,
    w: f64,
    v: f64,
}

impl Side {
    /// Adds a batch with the bet l, for deviations of at least -c: `sum` is s1 + g S, `share` is
    /// g n and `squares` is Q, all as in docs/estimates.md.
    fn add(&mut self, bet: f64, c: f64, [sum, share, squares]: [f64; 3]) {
        self.u += bet * sum;
        self.w += bet * share;
        self.v += psi(c, bet) * squares;
    }
}

/// Returns psi_c(l) = (-ln(1 - c l) - c l) / c^2 for the bet l: the factor of x^2 for deviations x
/// of at least -c.
pub(super) fn psi(c: f64, bet: f64) -> f64 {
    let product = c * bet;
    match product < 1e-4 {
        // The difference below would lose its digits. This series is slightly larger.
        true => bet * bet * (0.5 + product / 3.0 + product * product / 3.0),
        false => (-(-product).ln_1p() - product) / (c * c),
    }
}

/// The sums of the draws so far of a vertex, and its e-processes.
#[derive(Debug, Clone, Copy, Default)]
struct Vertex {
    /// The sums of x and of x^2.
    sum: f64,
    squares: f64,
    upper: Side,
    lower: Side,
    /// The logarithms Lu and Ll of the bounds that the upper and the lower process exceed with a
    /// small probability only.
    logs: [f64; 2],
}

/// An interval of a score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    /// The estimate.
    pub(super) score: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// The e-processes of all vertices.
pub(super) struct Estimator {
    options: Estimate,
    /// The number of sources, n; infinite for draws with replacement.
    pub(super) sources: f64,
    /// The number of draws so far, K.
    pub(super) drawn: f64,
    /// The number of draws that is planned, K*.
    planned: f64,
    /// The numbers of vertices whose upper and lower intervals may fail.
    counts: [f64; 2],
    vertices: Vec<Vertex>,
}

impl Estimator {
    /// Makes the state before the first draw from `sources` sources. The sum of the means of all
    /// vertices is at most `sum_bound`.
    pub(super) fn new(options: Estimate, vertices: usize, sources: f64, sum_bound: f64) -> Self {
        let all = vertices.max(1) as f64;
        // At most this many vertices have means of at least epsilon.
        let central = sum_bound / options.epsilon.max(f64::MIN_POSITIVE);
        Estimator {
            options,
            sources,
            drawn: 0.0,
            planned: sources,
            counts: [central.clamp(1.0, all), all],
            vertices: vec![Vertex::default(); vertices],
        }
    }

    /// Adds a batch of `count` draws, with the sums of x and of x^2 of each vertex. The first batch
    /// only shows how much x varies.
    pub(super) fn add(&mut self, count: usize, sums: impl Fn(usize) -> [f64; 2] + Sync) {
        let (k, drawn) = (count as f64, self.drawn);
        let share = k / (self.sources - drawn);
        let planned = self.planned;
        let add = |(v, state): (usize, &mut Vertex)| {
            let [s1, s2] = sums(v);
            if drawn > 0.0 {
                let mean = state.sum / drawn;
                let variance = state.variance(drawn);
                let deviations = (s2 - 2.0 * mean * s1 + k * mean * mean).max(0.0);
                let batch = [s1 + share * state.sum, k + share * drawn, deviations];
                let bet = |log: f64, c: f64| {
                    let bet = (2.0 * log / (variance * planned)).sqrt();
                    bet.min(LARGEST_BET / c)
                };
                let [upper, lower] = state.logs;
                let lower_c = mean.max(1e-12);
                state.upper.add(bet(upper, 1.0), 1.0, batch);
                state.lower.add(bet(lower, lower_c), lower_c, batch);
            }
            state.sum += s1;
            state.squares += s2;
        };
        self.vertices.par_iter_mut().enumerate().for_each(add);
        self.drawn += k;
        if drawn == 0.0 {
            self.share_failures();
        }
    }

    /// Divides the probability of a failure among the vertices, by their variances in the first
    /// batch: the larger the variance, the larger the share. With A the effective number of draws
    /// after which all intervals are about narrow enough, a vertex needs the share exp(-A / cost).
    fn share_failures(&mut self) {
        /// Shares for a smaller epsilon are those for this one, so that the effective number of
        /// draws is in the range that is searched below.
        const LEAST_EPSILON: f64 = 1e-6;
        let (k, epsilon) = (self.drawn, self.options.epsilon);
        let failures = 1.0 - self.options.confidence;
        let cost = |state: &Vertex| {
            let (variance, size) = (state.variance(k), state.squares / state.sum.max(1e-300));
            // The first batch may have missed some of the few large numbers.
            let variance = variance + size * (2.0 * variance / k).sqrt() + size * size / k;
            let epsilon = epsilon.max(LEAST_EPSILON);
            2.0 * (variance + epsilon / 3.0) / (epsilon * epsilon)
        };
        let share = |state: &Vertex, draws: f64| match epsilon > 0.0 {
            true => (-draws / cost(state)).exp(),
            false => 0.0,
        };
        let all = |draws: f64| -> f64 {
            let tasks = self.vertices.par_chunks(PER_TASK);
            let sum = |states: &[Vertex]| states.iter().map(|state| share(state, draws)).sum();
            tasks.map(sum).collect::<Vec<f64>>().into_iter().sum()
        };
        // Without an epsilon, all vertices have the same share.
        let even = match self.sources.is_finite() {
            _ if epsilon == 0.0 => failures,
            true => failures * EVEN_FOR_SOURCES,
            false => failures * EVEN_FOR_PATHS,
        };
        let (mut few, mut many) = (1f64, 1e15f64);
        while many > 1.001 * few {
            let draws = (few * many).sqrt();
            match 2.0 * all(draws) > failures - even {
                true => few = draws,
                false => many = draws,
            }
        }
        let counts = self.counts;
        self.vertices.par_iter_mut().for_each(|state| {
            let share = share(state, many);
            state.logs = counts.map(|count| -(share + even / (2.0 * count)).ln());
        });
    }

    /// Returns the number of draws with replacement that give intervals as narrow as `count` draws:
    /// the fewer sources are left, the more each draw counts.
    fn effective(&self, count: f64) -> f64 {
        match self.sources.is_finite() {
            true => self.sources * (self.sources / (self.sources - count)).ln(),
            false => count,
        }
    }

    /// Plans the number of draws, at most `most`, after which all intervals are narrow enough.
    /// Returns this number.
    pub(super) fn plan(&mut self, most: f64) -> f64 {
        let most = most.clamp(self.drawn.max(1.0), self.sources.max(1.0));
        let epsilon = self.options.epsilon;
        // Half of an interval is (root sqrt(count) + rest) / effective(count) after `count` draws.
        let parts = |state: &Vertex| {
            let root = state
                .logs
                .map(|log| (2.0 * log * state.variance(self.drawn)).sqrt());
            [root, state.logs].map(|both| (both[0] + both[1]) / 2.0)
        };
        // The square root of the number of draws with replacement that the vertex needs.
        let need = |[root, rest]: [f64; 2]| root + (root * root + 4.0 * epsilon * rest).sqrt();
        let larger = |a, b| if need(a) < need(b) { b } else { a };
        let [root, rest] = self
            .vertices
            .par_iter()
            .map(parts)
            .reduce(|| [0.0; 2], larger);
        let mut count = self.drawn.max(1.0);
        while count < most && root * count.sqrt() + rest > epsilon * self.effective(count) {
            count *= 1.02;
        }
        self.planned = count.min(most);
        self.planned
    }

    /// Returns the interval of the mean of a vertex.
    pub(super) fn interval(&self, v: usize) -> Interval {
        let state = &self.vertices[v];
        let mut low = state.sum / self.sources;
        let highest = match self.sources.is_finite() {
            true => low + (self.sources - self.drawn) / self.sources,
            false => 1.0,
        };
        let mut high = highest;
        let Vertex { upper, lower, .. } = *state;
        let is_complete = self.drawn >= self.sources;
        if !is_complete && upper.w > 0.0 {
            high = high.min((upper.u + state.logs[0] + upper.v) / upper.w);
            low = low.max((lower.u - state.logs[1] - lower.v) / lower.w);
        }
        // The upper end above holds only for means of at least epsilon.
        if !is_complete {
            high = high.max(self.options.epsilon.min(highest)).max(low);
        }
        // The score is the number nearest to the mean of the draws that is in the interval and at
        // most `half` away from both ends.
        let half = self.options.epsilon.max((high - low) / 2.0);
        let mean = state.sum / self.drawn.max(1.0);
        let score = mean.max(high - half).min(low + half).clamp(low, high);
        Interval { score, low, high }
    }

    /// Returns the logarithms of the upper and the lower process of a vertex whose mean is `mean`.
    #[cfg(test)]
    pub(super) fn logarithms(&self, v: usize, mean: f64) -> [f64; 2] {
        let Vertex { upper, lower, .. } = self.vertices[v];
        [
            upper.w * mean - upper.u - upper.v,
            lower.u - lower.w * mean - lower.v,
        ]
    }

    /// Returns half of the widest interval.
    pub(super) fn half_width(&self) -> f64 {
        self.largest(|interval| (interval.high - interval.low) / 2.0)
    }

    /// Returns the largest distance from a score to an end of its interval.
    pub(super) fn largest_distance(&self) -> f64 {
        self.largest(|Interval { score, low, high }| (high - score).max(score - low))
    }

    /// Returns the largest `size` of an interval.
    fn largest(&self, size: impl Fn(Interval) -> f64 + Sync) -> f64 {
        let vertices = (0..self.vertices.len()).into_par_iter();
        let sizes = vertices.map(|v| size(self.interval(v)));
        sizes.reduce(|| 0.0, f64::max)
    }

    /// Returns whether all intervals are narrow enough, given half of the widest one, or all
    /// sources were drawn.
    pub(super) fn is_done(&self, half_width: f64) -> bool {
        self.drawn >= self.sources || half_width <= self.options.epsilon
    }
}

impl Vertex {
    /// Returns the variance of the `count` draws, plus 1 / `count`^2 for the sources not drawn yet.
    fn variance(&self, count: f64) -> f64 {
        let mean = self.sum / count;
        (self.squares / count - mean * mean).max(0.0) + 1.0 / (count * count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_draws_make_intervals_of_one_point() {
        let values: Vec<f64> = (0..1000).map(|i| f64::from(i % 7) / 10.0).collect();
        let mut estimator = Estimator::new(Estimate::default(), 1, 1000.0, 1.0);
        let mut begin = 0;
        for end in [256, 512, 768, 1000] {
            let batch = &values[begin..end];
            let squares = batch.iter().map(|x| x * x).sum();
            estimator.add(end - begin, |_| [batch.iter().sum(), squares]);
            begin = end;
        }
        let mean = values.iter().sum::<f64>() / 1000.0;
        let Interval { score, low, high } = estimator.interval(0);
        for end in [score, low, high] {
            assert!((end - mean).abs() < 1e-12);
        }
        assert!(estimator.is_done(estimator.half_width()));
    }

    #[test]
    fn shares_add_up_to_the_probability_of_a_failure_at_most() {
        for epsilon in [1e-300, 1e-8, 1e-6, 1e-3, 0.5] {
            let options = Estimate {
                epsilon,
                ..Estimate::default()
            };
            for sources in [1e6, f64::INFINITY] {
                let mut estimator = Estimator::new(options, 20_000, sources, f64::INFINITY);
                estimator.add(128, |v| [40.0, 20.0 + f64::from(v as u32 % 20)]);
                let states = estimator.vertices.iter();
                let sum: f64 = states
                    .flat_map(|state| state.logs)
                    .map(|log| (-log).exp())
                    .sum();
                assert!(sum <= 1.0 - options.confidence + 1e-9, "{epsilon}: {sum}");
            }
        }
    }

    #[test]
    fn psi_is_smooth() {
        for c in [1.0, 0.01] {
            let (near, far) = (0.99e-4 / c, 1.01e-4 / c);
            let ratio = psi(c, far) / psi(c, near);
            assert!((ratio - (1.01f64 / 0.99).powi(2)).abs() < 1e-4, "{ratio}");
        }
    }
}
