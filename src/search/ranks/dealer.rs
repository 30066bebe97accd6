//! The distribution of roots among processes (ranks) that share a search.
//!
//! A rank gets a part of the remaining roots in proportion to its rate, by guided self-scheduling
//! (Polychronopoulos and Kuck, IEEE Transactions on Computers, 1987): many roots early, so that it
//! seldom asks, and fewer towards the end, so that all ranks end together. A rank's first claim is
//! small, since its rate is unknown.

use std::ops::Range;

use crate::runner::{Supplied, SupplyRequest, gaps, total};

/// The size of a claim is the rank's share of the remaining roots, divided by this.
const SHARE_DIVISOR: usize = 2;
/// A rank gets a last batch if the batch takes at most this multiple of the time that the other
/// ranks need for all remaining roots. The value is above 1 because rates are not known exactly.
const LAST_BATCH_FACTOR: f64 = 1.5;
/// The first claim of a rank, whose rate is unknown, is an equal share of all roots divided by
/// this.
const FIRST_CLAIM_DIVISOR: usize = 64;

/// The remaining roots, and the state of all ranks.
#[derive(Debug)]
pub struct Dealer {
    /// The remaining roots, in falling order.
    ranges: Vec<Range<usize>>,
    /// The number of remaining roots.
    left: usize,
    /// The size of the first claim of a rank.
    first_claim: usize,
    /// The size of a claim is a multiple of this number, except at the end of a range.
    group: usize,
    ranks: Vec<Rank>,
    /// The number of roots that an earlier run searched.
    searched_before: usize,
}

/// The state of a rank.
#[derive(Debug, Clone, Copy, Default)]
struct Rank {
    searched: usize,
    /// The rate in roots a second.
    rate: Option<f64>,
    /// The number of roots that it searches at a time.
    batch: usize,
    /// Whether it gets no more roots.
    ended: bool,
}

impl Dealer {
    /// Makes a dealer for `ranks` ranks. It deals all of `roots` roots except the `searched` ones
    /// (ranges in rising order), in multiples of `group`.
    pub fn new(roots: usize, searched: &[Range<usize>], group: usize, ranks: usize) -> Dealer {
        let mut ranges = gaps(searched, roots);
        ranges.reverse();
        let left = total(&ranges);
        Dealer {
            ranges,
            left,
            first_claim: (left / ranks / FIRST_CLAIM_DIVISOR).max(1),
            group: group.max(1),
            ranks: vec![Rank::default(); ranks],
            searched_before: roots - left,
        }
    }

    /// Returns the next roots for a rank; `None` if it gets no more.
    pub fn deal(&mut self, rank: usize, request: &SupplyRequest) -> Option<Supplied> {
        let state = &mut self.ranks[rank];
        (state.searched, state.batch) = (request.searched, request.batch.max(1));
        if request.searched > 0 && request.seconds > 0.0 {
            state.rate = Some(request.searched as f64 / request.seconds);
        }
        let batch = state.batch;
        let share = self.share(rank);
        let fair = ((self.left as f64 * share).ceil() as usize).max(1);
        let size = match self.ranks[rank].rate {
            None => self.first_claim.max(batch.min(fair)),
            // The rank gets whole batches.
            Some(_) if fair > batch => (fair / SHARE_DIVISOR / batch).max(1) * batch,
            // A part of a batch takes as long as a whole one.
            Some(rate) if self.ends_in_time(rank, rate) => batch,
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
            to_follow: (self.left as f64 * share) as usize,
        })
    }

    /// Returns whether a rank finishes a batch not much later than the other ranks can finish all
    /// remaining roots ([`LAST_BATCH_FACTOR`]).
    fn ends_in_time(&self, rank: usize, rate: f64) -> bool {
        let seconds = |rank: &Rank| Some(rank.batch as f64 / rank.rate?);
        let all = self.ranks.iter().enumerate();
        let others = all.filter(|&(other, state)| other != rank && !state.ended);
        let others: Vec<&Rank> = others.map(|(_, state)| state).collect();
        let rates: f64 = others.iter().filter_map(|rank| rank.rate).sum();
        let shortest = others.iter().filter_map(|rank| seconds(rank));
        let shortest = shortest.fold(f64::INFINITY, f64::min);
        let needed = self.ranks[rank].batch as f64 / rate;
        rates == 0.0 || needed <= LAST_BATCH_FACTOR * shortest.max(self.left as f64 / rates)
    }

    /// Returns the share of a rank in the summed rate of all ranks. Ranks whose rate is unknown
    /// count with the mean of the known rates.
    fn share(&self, rank: usize) -> f64 {
        let rates = self.ranks.iter().filter_map(|rank| rank.rate);
        let (sum, count) = rates.fold((0.0, 0.0), |(sum, count), rate| (sum + rate, count + 1.0));
        let ranks = self.ranks.len() as f64;
        match self.ranks[rank].rate {
            Some(rate) if sum > 0.0 => rate / (sum * ranks / count),
            _ => 1.0 / ranks,
        }
    }

    /// Returns the number of searched roots, as far as it is known; rank 0 has searched `searched`.
    pub fn done(&self, searched: usize) -> usize {
        let others = self.ranks[1..].iter().map(|other| other.searched);
        self.searched_before + searched + others.sum::<usize>()
    }
}
