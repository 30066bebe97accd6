//! Parts of a search, for processes that do not communicate.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// One of several parts of a search. Each root is in exactly one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    number: u32,
    count: u32,
}

/// The most roots of a run, unless groups of roots are larger. The roots of a run are neighbours,
/// whose searches have much in common.
pub(super) const LONGEST_RUN: usize = 64;
/// The number of runs of roots in each part of a small graph: several, so that parts take about
/// equally long.
const RUNS: usize = 8;

impl Part {
    /// Returns part `number` of `count`, counted from 1; `None` if there is no such part.
    pub fn new(number: u32, count: u32) -> Option<Part> {
        let exists = (1..=count).contains(&number);
        exists.then_some(Part { number, count })
    }

    /// Returns the number of this part, from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// Returns the number of all parts.
    pub fn count(self) -> u32 {
        self.count
    }

    /// Returns the runs of successive roots of this part, for this many roots in groups of `group`.
    /// The parts take the runs of all roots in turn.
    pub(super) fn runs(self, roots: usize, group: usize) -> impl Iterator<Item = Range<usize>> {
        let parts = self.count as usize;
        let run = (roots / parts / RUNS).clamp(1, LONGEST_RUN);
        let run = run.next_multiple_of(group.max(1));
        let starts = (0..roots).step_by(run);
        let own = starts.skip(self.number as usize - 1).step_by(parts);
        own.map(move |start| start..roots.min(start + run))
    }
}

/// Writes the part as `K/N`.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, count)| {
            let (number, count) = (number.parse().ok()?, count.parse().ok()?);
            Part::new(number, count)
        });
        numbers.ok_or_else(|| format!("'{text}' is not K/N, part K of N, such as 1/4 to 4/4"))
    }
}

/// Identifies a part and the search that it belongs to.
#[derive(Debug, Clone, Copy)]
pub struct PartOf {
    /// The number of this part, and the number of all parts.
    pub part: Part,
    /// The number of roots of the whole search.
    pub roots: usize,
    /// A hash of the whole search.
    pub fingerprint: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_parse() {
        for text in ["1/1", "3/7", "7/7"] {
            assert_eq!(text.parse::<Part>().unwrap().to_string(), text);
        }
        for bad in " 1 0/3 4/3 1/0 a/3 1/3/5 -1/3 1/5000000000".split(' ') {
            assert!(bad.parse::<Part>().is_err(), "{bad}");
        }
    }

    #[test]
    fn each_root_is_in_one_part_and_parts_are_alike() {
        for (roots, group, of) in [(0, 1, 3), (5, 1, 9), (100, 8, 3), (10_007, 64, 7)] {
            let (mut seen, mut sizes) = (vec![0; roots], Vec::new());
            for number in 1..=of {
                let part = Part::new(number, of).unwrap();
                let before = seen.iter().sum::<usize>();
                for run in part.runs(roots, group) {
                    assert_eq!(run.start % group, 0);
                    seen[run].iter_mut().for_each(|times| *times += 1);
                }
                sizes.push(seen.iter().sum::<usize>() - before);
            }
            assert!(seen.iter().all(|&times| times == 1));
            let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
            assert!(most - least <= group.max(LONGEST_RUN), "{sizes:?}");
        }
    }
}
