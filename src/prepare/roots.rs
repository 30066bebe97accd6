//! The choice of sources among the input vertices.

use std::fmt;
use std::str::FromStr;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;

use crate::error::{Error, refuse_if};

/// The chosen sources, by position of the vertex in the input (the order of the scores file).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RootSelection {
    /// Every vertex: the scores are complete.
    #[default]
    All,
    /// Positions `first..last`, `last` not included. The scores of ranges that together have each
    /// vertex once add up to the complete ones.
    Range {
        /// First position.
        first: u64,
        /// One past the last position.
        last: u64,
    },
    /// This many vertices, spread evenly over the input.
    Sample(u64),
    /// This many vertices, drawn at random. Scores are multiplied by n / `count`, so that they
    /// estimate the complete ones, without a guarantee.
    Random {
        /// The number of vertices.
        count: u64,
        /// The seed of the random number generator.
        seed: u64,
    },
}

/// Writes the selection in the syntax of the option.
impl fmt::Display for RootSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RootSelection::All => f.write_str("all"),
            RootSelection::Range { first, last } => write!(f, "{first}..{last}"),
            RootSelection::Sample(count) | RootSelection::Random { count, .. } => count.fmt(f),
        }
    }
}

impl FromStr for RootSelection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is none of all, K, FIRST..LAST (LAST not included)");
        let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
        if text == "all" {
            return Ok(RootSelection::All);
        }
        let Some((first, last)) = text.split_once("..") else {
            return match number(text)? {
                0 => Err("at least one root is needed".into()),
                count => Ok(RootSelection::Sample(count)),
            };
        };
        let (first, last) = (number(first)?, number(last)?);
        let range = (first < last).then_some(RootSelection::Range { first, last });
        range.ok_or_else(|| format!("the range {text} is empty: FIRST must be below LAST"))
    }
}

impl RootSelection {
    /// Marks the sources among `n` vertices.
    pub fn mark(self, n: usize) -> Result<Vec<bool>, Error> {
        let asked = match self {
            RootSelection::All => 0,
            RootSelection::Range { last, .. } => last,
            RootSelection::Sample(count) | RootSelection::Random { count, .. } => count,
        };
        let text = format!(
            "`roots` needs at least {asked} vertices, but the graph has {n}; leave it out, or give \
             a smaller number"
        );
        refuse_if(asked > n as u64, text)?;
        let mut chosen = vec![false; n];
        match self {
            RootSelection::All => chosen.fill(true),
            RootSelection::Range { first, last } => {
                chosen[first.min(last) as usize..last as usize].fill(true);
            }
            RootSelection::Sample(k) => {
                for i in 0..k {
                    chosen[(u128::from(i) * n as u128 / u128::from(k)) as usize] = true;
                }
            }
            RootSelection::Random { count, seed } => {
                let mut order: Vec<usize> = (0..n).collect();
                let mut random = Pcg64::seed_from_u64(seed);
                let (drawn, _) = order.partial_shuffle(&mut random, count as usize);
                drawn.iter().for_each(|&v| chosen[v] = true);
            }
        }
        Ok(chosen)
    }

    /// Returns the factor of the scores of a graph with `n` vertices.
    pub(super) fn factor(self, n: usize) -> f64 {
        match self {
            RootSelection::Random { count, .. } => n as f64 / count as f64,
            _ => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections_parse() {
        let range = RootSelection::Range { first: 3, last: 9 };
        for (text, selection) in [
            ("all", RootSelection::All),
            ("7", RootSelection::Sample(7)),
            ("3..9", range),
        ] {
            assert_eq!(text.parse(), Ok(selection));
            assert_eq!(selection.to_string(), text);
        }
        for bad in ["", "x", "0", "9..3", "3..3", "-1", "1..", "..4", "1.5"] {
            assert!(bad.parse::<RootSelection>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_sample_has_exactly_k_vertices() {
        for count in 1..=10 {
            let [sample, drawn, again] = [
                RootSelection::Sample(count),
                RootSelection::Random { count, seed: 3 },
                RootSelection::Random { count, seed: 3 },
            ]
            .map(|selection| selection.mark(10).unwrap());
            for chosen in [&sample, &drawn] {
                assert_eq!(chosen.iter().filter(|&&c| c).count(), count as usize);
            }
            assert_eq!(drawn, again);
        }
        let spread = RootSelection::Sample(4).mark(10).unwrap();
        let places: Vec<usize> = (0..10).filter(|&v| spread[v]).collect();
        assert_eq!(places, [0, 2, 5, 7]);
        assert!(RootSelection::Sample(11).mark(10).is_err());
        let range = RootSelection::Range { first: 2, last: 11 };
        assert!(range.mark(10).is_err());
    }
}
