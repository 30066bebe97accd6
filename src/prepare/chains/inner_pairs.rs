//! Pairs with both ends inside the same chain.
//!
//! From position p to position q > p it is q - p *direct* and p + R + l - q *round* by the ends of
//! the chain, whose distance without the chain is R. So direct wins if 2(q - p) < R + l, and if
//! both are equal, direct is one path beside the sigma_R that go round. A pair adds
//! src(p) w(q) + src(q) w(p), for both of its directions: direct to the positions between p and q,
//! round to those before p and after q (and to junctions, which is for the sweeps).
//!
//! Whether direct, round or both depends on q - p only, so the pairs of each kind are those with
//! q - p in some range, and prefix sums give what all of one p or one q add. Everything is summed
//! in integers, since a running sum also takes away what it added.

use super::bypass::Bypass;
use super::{Chains, range};

/// Fills [`Chains::closed`] and [`Chains::end_round`].
pub(super) fn count(chains: &mut Chains, bypasses: &[Option<Bypass>]) {
    let mut round = vec![0.0; chains.chains()];
    let mut closed = vec![0.0; chains.interior.len()];
    for (c, &bypass) in bypasses.iter().enumerate() {
        let interior = range(&chains.chain_first, c);
        let pairs = Pairs {
            sources: &chains.prefix_sources[interior.start..=interior.end],
            weight: &chains.prefix_weight[interior.start..=interior.end],
        };
        round[c] = pairs.count(chains.chain_length[c], bypass, &mut closed[interior]);
    }
    for (&vertex, sum) in chains.interior.iter().zip(closed) {
        chains.closed[vertex as usize] = sum;
    }
    for (mass, &chain) in chains.end_round.iter_mut().zip(&chains.end_chain) {
        *mass = round[chain as usize];
    }
}

/// The interior of a chain as prefix sums, one entry more than vertices.
struct Pairs<'c> {
    sources: &'c [u32],
    weight: &'c [u32],
}

/// What pairs add to positions.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Between,
    Outside,
}

impl Pairs<'_> {
    /// Adds what all pairs add to `closed`, one entry per position; returns E, half of the mass
    /// that goes round.
    fn count(&self, length: u32, bypass: Option<Bypass>, closed: &mut [f64]) -> f64 {
        let vertices = closed.len();
        let Some(bypass) = bypass else {
            self.spread(1, vertices, Place::Between, 1.0, closed);
            return 0.0;
        };
        let circle = (length + bypass.distance) as usize;
        let tie = circle / 2;
        self.spread(1, circle.div_ceil(2) - 1, Place::Between, 1.0, closed);
        let mut mass = self.spread(tie + 1, vertices, Place::Outside, 1.0, closed);
        if circle.is_multiple_of(2) {
            // So that it is right even for path counts beyond all numbers.
            let direct = 1.0 / (1.0 + bypass.paths);
            let round = 1.0 / (1.0 + 1.0 / bypass.paths);
            self.spread(tie, tie, Place::Between, direct, closed);
            mass += self.spread(tie, tie, Place::Outside, round, closed);
        }
        mass / 2.0
    }

    /// Adds `share` of the pairs with `least <= q - p <= most` to the positions at `place`;
    /// returns that share of their mass.
    fn spread(
        &self,
        least: usize,
        most: usize,
        place: Place,
        share: f64,
        closed: &mut [f64],
    ) -> f64 {
        let vertices = closed.len();
        if least >= vertices || least > most {
            return 0.0;
        }
        // Of the pairs of which a position is the lower, and the upper.
        let lower = |p: usize| self.mass(p, p + least, p.saturating_add(most + 1).min(vertices));
        let upper = |q: usize| self.mass(q, q.saturating_sub(most), (q + 1).saturating_sub(least));
        let total: u128 = (0..vertices).map(lower).sum();
        let mut here = match place {
            Place::Between => 0,
            // Before the lower position.
            Place::Outside => total,
        };
        for (i, sum) in closed.iter_mut().enumerate() {
            let (end, begin) = match place {
                Place::Between => (upper(i), lower(i)),
                Place::Outside => (lower(i), upper(i)),
            };
            here -= end;
            *sum += share * here as f64;
            here += begin;
        }
        share * total as f64
    }

    /// Mass of the pairs of `i` with the vertices `from..to`.
    fn mass(&self, i: usize, from: usize, to: usize) -> u128 {
        if from >= to {
            return 0;
        }
        let sum = |prefix: &[u32], from: usize, to: usize| u128::from(prefix[to] - prefix[from]);
        sum(self.sources, i, i + 1) * sum(self.weight, from, to)
            + sum(self.weight, i, i + 1) * sum(self.sources, from, to)
    }
}
