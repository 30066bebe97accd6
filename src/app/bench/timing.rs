//! Statistics of times, samples of roots, predictions from samples, and differences of scores.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use brandes::engine::Root;
use brandes::prepare::ROOT_GROUP;

/// The number of roots of a block of a sample. A block has neighbouring roots, since engines that
/// search from many roots together are faster on neighbours.
pub const BLOCK: usize = 64;

/// Median and range of some times, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spread {
    /// Median; the mean of the two middle times of an even number.
    pub median: f64,
    /// Shortest time.
    pub min: f64,
    /// Longest time.
    pub max: f64,
}

impl Spread {
    /// Returns median and range; `None` without times.
    pub fn from_times(times: &[f64]) -> Option<Spread> {
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let (low, high) = ((sorted.len() - 1) / 2, sorted.len() / 2);
        let median = sorted[low].midpoint(sorted[high]);
        Some(Spread { median, min, max })
    }

    /// Returns whether the ranges overlap: a repetition may then have the opposite order.
    pub fn overlaps(&self, other: &Spread) -> bool {
        self.min <= other.max && other.min <= self.max
    }
}

/// The time of a search, by the number of roots.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rate {
    /// Seconds that do not depend on the number of roots.
    pub fixed: f64,
    /// Seconds per root.
    pub root: f64,
}

impl Rate {
    /// Returns the rate of searches from up to `all` roots, by two samples (roots, seconds). It is
    /// that of the line through them if both kept an engine of `batch` roots busy, otherwise that
    /// of the larger one.
    pub fn from_samples(
        [(fewer, shorter), (most, longer)]: [(usize, f64); 2],
        batch: usize,
        all: usize,
    ) -> Rate {
        let root = (longer - shorter) / (most - fewer) as f64;
        let fixed = longer - root * most as f64;
        if fewer >= batch && most < all && root > 0.0 && fixed > 0.0 {
            return Rate { fixed, root };
        }
        let mut whole = longer * all as f64 / most as f64;
        if most < batch {
            // A full batch takes at most twice as long, by experience.
            whole = whole.min(2.0 * longer * all.div_ceil(batch) as f64);
        }
        let (fixed, root) = (0.0, whole / all as f64);
        Rate { fixed, root }
    }

    /// Returns the seconds of a search from this many roots.
    pub fn seconds(self, roots: usize) -> f64 {
        self.fixed + self.root * roots as f64
    }
}

/// Returns a sample of at most `size` roots, but at least one root if there are any: blocks of
/// neighbours, spread evenly over all roots.
pub fn sample(roots: &[Root], size: usize) -> Vec<Root> {
    if size >= roots.len() {
        return roots.to_vec();
    }
    let block = BLOCK.min(size.max(1));
    let blocks = (size / block).max(1);
    let stretch = roots.len() / blocks;
    let block_of_stretch = |i| {
        // Blocks fit into their stretches, since blocks * block <= size < roots.len().
        let start = i * roots.len() / blocks + (stretch - block) / 2;
        // A block begins with a group of neighbours, if there is room.
        let start = match stretch >= block + ROOT_GROUP {
            true => start - start % ROOT_GROUP,
            false => start,
        };
        &roots[start..start + block]
    };
    let sample = (0..blocks).flat_map(block_of_stretch);
    sample.copied().collect()
}

/// Returns the largest difference of two score vectors, relative to the larger score of each pair.
/// Scores below 1 count as 1, since they may be differences of much larger sums, and have the
/// rounding errors of these. Returns infinity if a score is NaN, or if the lengths differ.
pub fn difference(a: &[f64], b: &[f64]) -> f64 {
    if a.len() != b.len() {
        return f64::INFINITY;
    }
    a.iter().zip(b).fold(0.0, |most, (x, y)| {
        let relative = (x - y).abs() / x.abs().max(y.abs()).max(1.0);
        match relative.is_nan() {
            true => f64::INFINITY,
            false => relative.max(most),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_spreads() {
        assert_eq!(Spread::from_times(&[]), None);
        let spread = |times| Spread::from_times(times).map(|all| [all.median, all.min, all.max]);
        assert_eq!(spread(&[3.0, 1.0, 2.0]), Some([2.0, 1.0, 3.0]));
        assert_eq!(spread(&[4.0, 1.0, 2.0, 3.0]), Some([2.5, 1.0, 4.0]));
    }

    #[test]
    fn samples_are_scaled_to_all_roots() {
        let scaled = |samples, batch, all| {
            let Rate { fixed, root } = Rate::from_samples(samples, batch, all);
            (fixed, root)
        };
        // A line goes through the two samples.
        assert_eq!(scaled([(8, 2.5), (64, 16.5)], 8, 1000), (0.5, 0.25));
        // If the engine was not busy, or the times decrease, the larger sample counts.
        assert_eq!(scaled([(1, 1.0), (8, 1.0)], 9, 8000), (0.0, 0.125));
        assert_eq!(scaled([(8, 2.0), (16, 1.0)], 1, 1600), (0.0, 0.0625));
        assert_eq!(scaled([(8, 2.0), (20, 3.0)], 64, 20), (0.0, 0.15));
        // A full batch takes at most twice as long as a part of it.
        assert_eq!(scaled([(1, 1.0), (8, 1.0)], 64, 1024), (0.0, 0.03125));
    }

    #[test]
    fn samples_are_spread_blocks_of_distinct_roots() {
        for total in [1usize, 5, 63, 64, 65, 100, 128, 129, 1000, 4097] {
            let root = |vertex| Root { vertex, sources: 1 };
            let roots: Vec<Root> = (0..total as u32).map(root).collect();
            for size in [1, 10, 64, 65, 128, 512, 4096, 5000] {
                let sample = sample(&roots, size);
                assert!(!sample.is_empty() && sample.len() <= size.max(1));
                assert!(2 * sample.len() > size.min(total), "{size} of {total}");
                let rising = sample.windows(2).all(|w| w[0].vertex < w[1].vertex);
                assert!(rising, "{size} of {total}");
            }
        }
    }

    #[test]
    fn differences_are_relative_and_infinite_for_nan() {
        assert_eq!(difference(&[100.0, 0.0], &[101.0, 0.0]), 1.0 / 101.0);
        assert_eq!(difference(&[1e-3], &[2e-3]), 1e-3);
        assert_eq!(difference(&[1.0, f64::NAN], &[1.0, 1.0]), f64::INFINITY);
        assert_eq!(difference(&[1.0], &[1.0, 1.0]), f64::INFINITY);
    }
}
