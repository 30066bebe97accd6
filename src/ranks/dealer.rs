//! The distribution of roots among processes that share a search.
//!
//! A process gets a part of the remaining roots in proportion to its rate, by guided
//! self-scheduling (Polychronopoulos and Kuck, IEEE Transactions on Computers, 1987): many roots
//! early, so that it seldom asks, and fewer towards the end, so that all processes end together.
//! Its first claim is small, since its rate is unknown.

use std::ops::Range;

use crate::runner::{Stock, Supplied, gaps, total};

/// A process gets its share of the remaining roots divided by this.
const CAUTION: usize = 2;
/// A process gets a last batch if it needs at most this times the time that others need for all
/// remaining roots: rates are not known exactly.
const PATIENCE: f64 = 1.5;
/// The first claim of a process is its equal share of all roots divided by this.
const UNKNOWN: usize = 64;

/// The remaining roots, and the state of the processes.
#[derive(Debug)]
pub struct Dealer {
    /// The remaining roots, in falling order.
    ranges: Vec<Range<usize>>,
    left: usize,
    /// The size of the first claim of a process.
    first: usize,
    /// Claims end where groups of this many roots end.
    group: usize,
    ranks: Vec<Rank>,
    /// The number of roots that an earlier run searched.
    before: usize,
}

/// The state of a process.
#[derive(Debug, Clone, Copy, Default)]
struct Rank {
    searched: usize,
    /// The rate in roots a second.
    rate: Option<f64>,
    /// The number of roots that it searches at a time.
    together: usize,
    /// Whether it gets no more roots.
    ended: bool,
}

impl Dealer {
    /// A dealer of `roots` roots, without those `searched` before (ranges in rising order), in
    /// groups of `group`, to `ranks` processes.
    pub fn new(roots: usize, searched: &[Range<usize>], group: usize, ranks: usize) -> Dealer {
        let mut ranges = gaps(searched, roots);
        ranges.reverse();
        let left = total(&ranges);
        Dealer {
            ranges,
            left,
            first: (left / ranks / UNKNOWN).max(1),
            group: group.max(1),
            ranks: vec![Rank::default(); ranks],
            before: roots - left,
        }
    }

    /// Returns the next roots for a process; `None` if it gets no more.
    pub fn deal(&mut self, rank: usize, stock: &Stock) -> Option<Supplied> {
        let known = &mut self.ranks[rank];
        (known.searched, known.together) = (stock.searched, stock.together.max(1));
        if stock.searched > 0 && stock.seconds > 0.0 {
            known.rate = Some(stock.searched as f64 / stock.seconds);
        }
        let together = known.together;
        let share = self.share(rank);
        let fair = ((self.left as f64 * share).ceil() as usize).max(1);
        let size = match self.ranks[rank].rate {
            None => self.first.max(together.min(fair)),
            // In whole batches.
            Some(_) if fair > together => (fair / CAUTION / together).max(1) * together,
            // A part of a batch takes as long as a whole one.
            Some(rate) if self.is_worth(rank, rate) => together,
            Some(_) => 0,
        };
        let range = if size > 0 { self.ranges.pop() } else { None };
        let Some(range) = range else {
            self.ranks[rank].ended = true;
            return None;
        };
        let size = size.next_multiple_of(self.group).min(range.len());
        let end = range.start + size;
        if end < range.end {
            self.ranges.push(end..range.end);
        }
        self.left -= size;
        Some(Supplied {
            roots: range.start..end,
            more: (self.left as f64 * share) as usize,
        })
    }

    /// Returns whether this process ends a batch about when the others can end all remaining roots.
    fn is_worth(&self, rank: usize, rate: f64) -> bool {
        let seconds = |rank: &Rank| Some(rank.together as f64 / rank.rate?);
        let all = self.ranks.iter().enumerate();
        let others = all.filter(|&(other, known)| other != rank && !known.ended);
        let others: Vec<&Rank> = others.map(|(_, known)| known).collect();
        let rates: f64 = others.iter().filter_map(|rank| rank.rate).sum();
        let least = others.iter().filter_map(|rank| seconds(rank));
        let least = least.fold(f64::INFINITY, f64::min);
        let needed = self.ranks[rank].together as f64 / rate;
        rates == 0.0 || needed <= PATIENCE * least.max(self.left as f64 / rates)
    }

    /// Returns the share of a process in the summed rate of all. A process whose rate is unknown
    /// has an equal share.
    fn share(&self, rank: usize) -> f64 {
        let rates = self.ranks.iter().filter_map(|rank| rank.rate);
        let (sum, count) = rates.fold((0.0, 0.0), |(sum, count), rate| (sum + rate, count + 1.0));
        let ranks = self.ranks.len() as f64;
        match self.ranks[rank].rate {
            Some(rate) if sum > 0.0 => rate / (sum * ranks / count),
            _ => 1.0 / ranks,
        }
    }

    /// Returns how many roots are searched, as far as it is known, if rank 0 has searched
    /// `searched`.
    pub fn done(&self, searched: usize) -> usize {
        let others = self.ranks[1..].iter().map(|other| other.searched);
        self.before + searched + others.sum::<usize>()
    }
}
