//! Who gets how many roots, where several processes share a search.
//!
//! A process gets a part of what is left by its share of the speed of all, as in guided
//! self-scheduling (Polychronopoulos and Kuck, IEEE Transactions on Computers, 1987): many roots at
//! first, so that it seldom asks, and fewer and fewer towards the end, so that all end together. Of
//! its speed nothing is known at first, so it begins with few.

use std::ops::Range;

use crate::runner::{Stock, Supplied, gaps, total};

/// A process gets its share of what is left divided by this.
const CAUTION: usize = 2;
/// A process gets its last roots if it ends them in so many times the time that others need:
/// speeds are not known exactly.
const PATIENCE: f64 = 1.5;
/// Of all roots, divided among processes, this part is dealt before anything is known of a process.
const UNKNOWN: usize = 64;

/// The roots that are left, and what is known of the processes.
#[derive(Debug)]
pub struct Dealer {
    /// Those left, in falling order.
    ranges: Vec<Range<usize>>,
    left: usize,
    /// Roots dealt at first.
    first: usize,
    /// Claims end where groups of so many roots end.
    group: usize,
    ranks: Vec<Rank>,
    /// Roots that were searched before.
    before: usize,
}

/// A process.
#[derive(Debug, Clone, Copy, Default)]
struct Rank {
    searched: usize,
    /// Roots a second.
    rate: Option<f64>,
    /// Roots that it searches at a time.
    together: usize,
    /// Whether it gets no more.
    ended: bool,
}

impl Dealer {
    /// Deals `roots`, but for those `searched` before (ranges in rising order), in groups of so
    /// many, to so many processes.
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

    /// The next roots for a process that is so far; `None` if it gets no more.
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
            // A few take as long as all that it searches at a time.
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

    /// Whether this process ends its next roots about when the others can end all that is left.
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

    /// The part of the speed of all that a process has. Of whom nothing is known has the mean.
    fn share(&self, rank: usize) -> f64 {
        let rates = self.ranks.iter().filter_map(|rank| rank.rate);
        let (sum, count) = rates.fold((0.0, 0.0), |(sum, count), rate| (sum + rate, count + 1.0));
        let ranks = self.ranks.len() as f64;
        match self.ranks[rank].rate {
            Some(rate) if sum > 0.0 => rate / (sum * ranks / count),
            _ => 1.0 / ranks,
        }
    }

    /// How many roots are searched, as far as is known, if rank 0 has searched so many.
    pub fn done(&self, searched: usize) -> usize {
        let others = self.ranks[1..].iter().map(|other| other.searched);
        self.before + searched + others.sum::<usize>()
    }
}
