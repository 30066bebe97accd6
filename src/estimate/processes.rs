//! The e-processes of vertices, from which intervals follow that hold after every batch. An
//! e-process is a non-negative process whose mean, at any stopping time, is at most 1.
//!
//! Each vertex has two e-processes, one for the upper and one for the lower end of the interval of
//! its mean of x. The bets on a batch depend on earlier batches alone.
//!
//! The inequalities are those of Fan, Grama and Liu 2015 (one draw), Hoeffding 1963, theorem 4 (a
//! batch without replacement) and Ville 1939 (all batches); the form is close to Waudby-Smith and
//! Ramdas 2024.

use std::mem::swap;

use rayon::prelude::*;

use crate::query::Estimate;

/// The largest bet l for c = 1: psi(l) is finite for l below 1.
const LARGEST_BET: f64 = 0.7;
/// The part of the probability of a failure that vertices share by the ranks of their variances in
/// the first batch, not by the variances themselves, of which a small batch shows little.
const BY_RANK: f64 = 0.5;
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
fn psi(c: f64, bet: f64) -> f64 {
    let product = c * bet;
    match product < 1e-4 {
        // The difference below would lose its digits. This series is slightly larger.
        true => bet * bet * (0.5 + product / 3.0 + product * product / 3.0),
        false => (-(-product).ln_1p() - product) / (c * c),
    }
}

/// The sums of the draws so far of a vertex, and its e-processes.
#[derive(Debug, Clone, Copy, Default)]
struct VertexState {
    /// The sums of x and of x^2.
    sum: f64,
    squares: f64,
    upper: Side,
    lower: Side,
    /// The logarithm L of the bound that each process exceeds with a small probability only.
    log: f64,
}

/// An interval of a score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    /// The mean of the draws.
    pub(super) mean: f64,
    /// The estimate.
    pub(super) score: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// The e-processes of all vertices.
pub(super) struct Estimator {
    options: Estimate,
    /// The half-width that intervals should reach: epsilon, or what separates the highest scores; 0
    /// if only the time is limited.
    wanted_width: f64,
    /// The number of batches so far.
    batches: usize,
    /// The number of sources, n; infinite for draws with replacement.
    pub(super) sources: f64,
    /// The number of draws so far, K.
    pub(super) drawn: f64,
    /// The number of draws that is planned, K*.
    planned: f64,
    vertices: Vec<VertexState>,
}

impl Estimator {
    /// Makes the state before the first draw from `sources` sources.
    pub(super) fn new(options: Estimate, vertices: usize, sources: f64) -> Self {
        Estimator {
            options,
            wanted_width: options.epsilon,
            batches: 0,
            sources,
            drawn: 0.0,
            planned: sources,
            vertices: vec![VertexState::default(); vertices],
        }
    }

    /// Adds a batch of `count` draws, with the sums of x and of x^2 of each vertex. The first batch
    /// only shows how much x varies.
    pub(super) fn add(&mut self, count: usize, sums: impl Fn(usize) -> [f64; 2] + Sync) {
        let (k, drawn) = (count as f64, self.drawn);
        let share = k / (self.sources - drawn);
        let planned = self.planned;
        let add = |(v, state): (usize, &mut VertexState)| {
            let [s1, s2] = sums(v);
            if drawn > 0.0 {
                let mean = state.sum / drawn;
                let variance = state.variance(drawn);
                let deviations = (s2 - 2.0 * mean * s1 + k * mean * mean).max(0.0);
                let batch = [s1 + share * state.sum, k + share * drawn, deviations];
                let best = (2.0 * state.log / (variance * planned)).sqrt();
                let bet = |c: f64| best.min(LARGEST_BET / c);
                let lower_c = mean.max(1e-12);
                state.upper.add(bet(1.0), 1.0, batch);
                state.lower.add(bet(lower_c), lower_c, batch);
            }
            state.sum += s1;
            state.squares += s2;
        };
        self.vertices.par_iter_mut().enumerate().for_each(add);
        self.drawn += k;
        self.batches += 1;
        self.want_width(self.wanted_width);
    }

    /// Sets the half-width that intervals should reach. After the first batch, whose draws no
    /// process uses, this also distributes the probability of a failure over the vertices.
    pub(super) fn want_width(&mut self, half_width: f64) {
        self.wanted_width = half_width;
        if self.batches == 1 {
            self.share_failures();
        }
    }

    /// Divides the probability of a failure among the vertices: one part in proportion to 1 / rank,
    /// by the variances in the first batch, and the other by the variances themselves. With A the
    /// effective number of draws after which all intervals are about narrow enough, a vertex needs
    /// the share exp(-A / cost).
    fn share_failures(&mut self) {
        /// Shares for a smaller width are those for this one, so that the effective number of draws
        /// is in the range that is searched below.
        const LEAST_WIDTH: f64 = 1e-6;
        let (k, wanted) = (self.drawn, self.wanted_width);
        let width = wanted.max(LEAST_WIDTH);
        // Each vertex has two processes.
        let failures = (1.0 - self.options.confidence) / 2.0;
        let cost = |state: &VertexState| 2.0 * (state.variance(k) + width / 3.0) / (width * width);
        let costs: Vec<f64> = self.vertices.par_iter().map(cost).collect();
        let all = |draws: f64| -> f64 {
            let tasks = costs.par_chunks(PER_TASK);
            let sum = |costs: &[f64]| costs.iter().map(|cost| (-draws / cost).exp()).sum();
            tasks.map(sum).collect::<Vec<f64>>().into_iter().sum()
        };
        // Without a wanted width, ranks alone decide.
        let by_rank = failures * if wanted > 0.0 { BY_RANK } else { 1.0 };
        let (mut few, mut many) = (1f64, 1e15f64);
        while many > 1.001 * few {
            let draws = (few * many).sqrt();
            match all(draws) > failures - by_rank {
                true => few = draws,
                false => many = draws,
            }
        }
        let mut order: Vec<usize> = (0..costs.len()).collect();
        order.par_sort_by(|&a, &b| costs[b].total_cmp(&costs[a]));
        let ranks = || 1..=costs.len();
        let harmonic: f64 = ranks().map(|rank| 1.0 / rank as f64).sum();
        for (v, rank) in order.into_iter().zip(ranks()) {
            let share = (-many / costs[v]).exp() + by_rank / (harmonic * rank as f64);
            self.vertices[v].log = -share.ln();
        }
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
        let width = self.wanted_width;
        // Half of an interval is (root sqrt(count) + rest) / effective(count) after `count` draws.
        let parts = |state: &VertexState| {
            let root = (2.0 * state.log * state.variance(self.drawn)).sqrt();
            [root, state.log]
        };
        // The square root of the number of draws with replacement that the vertex needs.
        let need = |[root, rest]: [f64; 2]| root + (root * root + 4.0 * width * rest).sqrt();
        let larger = |a, b| if need(a) < need(b) { b } else { a };
        let vertices = self.vertices.par_iter().map(parts);
        let [root, rest] = vertices.reduce(|| [0.0; 2], larger);
        let mut count = self.drawn.max(1.0);
        while count < most && root * count.sqrt() + rest > width * self.effective(count) {
            count *= 1.02;
        }
        self.planned = count.min(most);
        self.planned
    }

    /// Returns the interval of the mean of a vertex.
    pub(super) fn interval(&self, v: usize) -> Interval {
        let state = &self.vertices[v];
        let mut low = state.sum / self.sources;
        let mut high = match self.sources.is_finite() {
            true => low + (self.sources - self.drawn) / self.sources,
            false => 1.0,
        };
        let VertexState { upper, lower, .. } = *state;
        if self.drawn < self.sources && upper.w > 0.0 {
            high = high.min((upper.u + state.log + upper.v) / upper.w);
            low = low.max((lower.u - state.log - lower.v) / lower.w);
        }
        // If one of the bounds does not hold, or by rounding, the ends may cross.
        if low > high {
            swap(&mut low, &mut high);
        }
        // The score is the number nearest to the mean of the draws that is in the interval and at
        // most `half` away from both ends.
        let half = self.options.epsilon.max((high - low) / 2.0);
        let mean = state.sum / self.drawn.max(1.0);
        let score = mean.max(high - half).min(low + half).clamp(low, high);
        Interval {
            mean,
            score,
            low,
            high,
        }
    }

    /// Returns half of the widest interval, and the largest distance from a score to an end of its
    /// interval.
    pub(super) fn widths(&self) -> [f64; 2] {
        let widths = |v| {
            let one = self.interval(v);
            let distance = (one.high - one.score).max(one.score - one.low);
            [(one.high - one.low) / 2.0, distance]
        };
        let vertices = (0..self.vertices.len()).into_par_iter();
        let larger = |a: [f64; 2], b: [f64; 2]| [a[0].max(b[0]), a[1].max(b[1])];
        vertices.map(widths).reduce(|| [0.0; 2], larger)
    }

    /// Returns whether all intervals are narrow enough, given half of the widest one, or all
    /// sources were drawn.
    pub(super) fn is_done(&self, half_width: f64) -> bool {
        self.drawn >= self.sources || half_width <= self.options.epsilon
    }
}

impl VertexState {
    /// Returns the variance of the `count` draws, plus 1 / `count`^2 for the sources not drawn yet.
    fn variance(&self, count: f64) -> f64 {
        let mean = self.sum / count;
        (self.squares / count - mean * mean).max(0.0) + 1.0 / (count * count)
    }
}

#[cfg(test)]
mod proof_tests;
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_the_probability_of_a_failure_at_most() {
        for epsilon in [1e-300, 1e-8, 1e-6, 1e-3, 0.5] {
            let options = Estimate {
                epsilon,
                ..Estimate::default()
            };
            for sources in [1e6, f64::INFINITY] {
                let mut estimator = Estimator::new(options, 20_000, sources);
                estimator.add(128, |v| [40.0, 20.0 + f64::from(v as u32 % 20)]);
                let states = estimator.vertices.iter();
                let sum: f64 = states.map(|state| 2.0 * (-state.log).exp()).sum();
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
