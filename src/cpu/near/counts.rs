//! Path counts of all roots of a batch.
//!
//! A count that is not known yet is no number, and so is every sum that it is part of. A vertex with such a sum is
//! pending in that lane, and is looked at again when a neighbour becomes known in more lanes.

use super::arrays::{Arrays, Numbers, Visit, state};
use super::net::Net;
use super::vectors::{LANES, Vectors};
use crate::cpu::prefetch::prefetch_slice;
use crate::graph::Vertex;

/// Rows are asked for so many vertices ahead.
pub(super) const AHEAD: usize = 12;

/// Rows of their neighbours so many.
pub(super) const NEIGHBOURS_AHEAD: usize = 6;

/// Vertices are looked at at most this many times as often as there are vertices.
const MOST_LOOKS: usize = 3;

/// So many times more in small graphs.
const SPARE: usize = 1000;

impl Arrays {
    /// Counts paths. Returns the most of each lane, or nothing if that takes too long.
    #[inline(always)]
    pub(super) fn count_paths<V: Vectors>(
        &mut self,
        (out, into): (&impl Net, &impl Net),
        far: bool,
    ) -> Option<[f64; LANES]> {
        let mut most = V::numbers(&[0.0; LANES]);
        let mut extra = 0;
        for at in 0..self.reached {
            if let Some(&later) = self.order[..self.reached].get(at + AHEAD) {
                self.prefetch(into, later);
            }
            if far && let Some(&later) = self.order[..self.reached].get(at + NEIGHBOURS_AHEAD) {
                self.prefetch_neighbours(into, later);
            }
            let v = self.order[at];
            most = self.count::<V>(into, v, most);
            while let Some(known) = self.news.pop() {
                self.state[known as usize] &= !state::AWAITED;
                for arc in out.arcs(known) {
                    if self.state[arc.target as usize] & state::PENDING != 0 {
                        most = self.count::<V>(into, arc.target, most);
                        extra += 1;
                    }
                }
                if extra > MOST_LOOKS * at + SPARE {
                    return None;
                }
            }
        }
        let pending = |&state: &u8| state & state::PENDING != 0;
        debug_assert!(!self.state.iter().any(pending), "paths are left out");
        let mut counts = [0.0; LANES];
        V::put_numbers(most, &mut counts);
        Some(counts)
    }

    /// Counts paths to `v`; returns the larger of them and `most`.
    #[inline(always)]
    fn count<V: Vectors>(&mut self, into: &impl Net, v: Vertex, most: V::Numbers) -> V::Numbers {
        let at = V::distances(&self.distances[v as usize].0);
        let mut sum = V::numbers(&[0.0; LANES]);
        for arc in into.arcs(v) {
            let from = arc.target as usize;
            let before = V::plus(at, arc.length.wrapping_neg());
            let distances = V::distances(&self.distances[from].0);
            let more = V::where_equal(before, distances, &self.numbers[from].0);
            sum = V::add(sum, more);
        }
        if !V::any_nan(sum) && self.state[v as usize] & state::SPECIAL == 0 {
            V::put_numbers(sum, &mut self.numbers[v as usize].0);
            let lanes = Visit::WHOLE;
            self.visits.push(Visit { v, lanes });
        } else {
            let mut paths = [0.0; LANES];
            V::put_numbers(sum, &mut paths);
            self.count_some(into, v, paths);
            sum = V::numbers(&paths);
        }
        V::larger(sum, most)
    }

    /// The same where `v` is a root, or `paths`, the sum, is not known in all lanes, or was not.
    #[inline(never)]
    fn count_some(&mut self, into: &impl Net, v: Vertex, mut paths: [f64; LANES]) {
        let mut state = self.state[v as usize];
        if state & state::ROOT != 0 {
            let own = self.own_lanes(v);
            for (lane, paths) in paths.iter_mut().enumerate() {
                *paths += f64::from(own >> lane & 1);
            }
        }
        let Numbers(known) = std::mem::replace(&mut self.numbers[v as usize], Numbers(paths));
        let news = |&lane: &usize| known[lane].is_nan() && !paths[lane].is_nan();
        let lanes: u32 = (0..LANES).filter(news).map(|lane| 1 << lane).sum();
        if lanes != 0 {
            self.visits.push(Visit { v, lanes });
            if state & state::AWAITED != 0 {
                self.news.push(v);
            }
        }
        if paths.into_iter().any(f64::is_nan) {
            state |= state::PENDING;
            for arc in into.arcs(v) {
                self.state[arc.target as usize] |= state::AWAITED;
            }
        } else {
            state &= !state::PENDING;
        }
        self.state[v as usize] = state;
    }

    /// Asks for what is known of `v` ahead of its use.
    #[inline(always)]
    pub(super) fn prefetch(&self, net: &impl Net, v: Vertex) {
        net.prefetch(v);
        self.prefetch_rows(v);
    }

    /// Asks for what is known of its neighbours.
    #[inline(always)]
    pub(super) fn prefetch_neighbours(&self, net: &impl Net, v: Vertex) {
        for arc in net.arcs(v) {
            self.prefetch_rows(arc.target);
        }
    }

    #[inline(always)]
    fn prefetch_rows(&self, v: Vertex) {
        let v = v as usize;
        prefetch_slice(&self.distances[v..=v], 1);
        prefetch_slice(&self.numbers[v..=v], 1);
    }
}
