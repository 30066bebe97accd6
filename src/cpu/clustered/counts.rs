//! Path counts from all roots of a batch.
//!
//! A count that is not known yet is NaN, and so is every sum that it is part of. A vertex with such
//! a sum is pending in that lane, and is counted again when a neighbour becomes known in more
//! lanes.

use super::arrays::{Arrays, LANES, Numbers, SPARE, VertexRowsMut, Visit, own_lanes, state};
use super::net::Net;
use crate::cpu::vectors::Vectors;
use crate::engine::{Root, SIGMA_LIMIT_F64};
use crate::graph::Vertex;

/// The number of vertices ahead whose rows are prefetched.
pub(super) const AHEAD: usize = 12;

/// The number of vertices ahead whose neighbours' rows are prefetched.
pub(super) const NEIGHBOURS_AHEAD: usize = 6;

/// A batch is aborted when it has looked at more arcs again than `MOST_LOOKS` times the mean degree
/// per vertex counted so far, plus [`SPARE`].
const MOST_LOOKS: usize = 3;

/// All lanes, a bit for each.
const ALL: u32 = (1 << LANES) - 1;

/// The parts of [`Arrays`] and the data of the graph that path counting uses.
struct Counting<'a, N> {
    into: &'a N,
    /// The multiplicity of each vertex.
    multiplicities: &'a [f64],
    roots: &'a [Root],
    rows: VertexRowsMut<'a>,
    news: &'a mut Vec<Vertex>,
    visits: &'a mut Vec<Visit>,
}

impl Arrays {
    /// Counts paths. Returns `false` if that takes too long or if a count is out of range.
    #[inline(always)]
    pub(super) fn count_paths<V: Vectors, const TWINS: bool>(
        &mut self,
        (out, into): (&impl Net, &impl Net),
        multiplicities: &[f64],
    ) -> bool {
        let order = &self.order[..self.reached];
        let mut counting = Counting {
            into,
            multiplicities,
            roots: &self.roots,
            rows: self.rows.lend(),
            news: &mut self.news,
            visits: &mut self.visits,
        };
        let mut most = V::numbers(&[0.0; LANES]);
        let mut repeated_arcs = 0;
        for (at, &v) in order.iter().enumerate() {
            if let Some(&later) = order.get(at + AHEAD) {
                into.prefetch(later);
                counting.rows.prefetch(later);
            }
            if self.exceeds_cache
                && let Some(&later) = order.get(at + NEIGHBOURS_AHEAD)
            {
                for arc in into.arcs(later) {
                    counting.rows.prefetch(arc.target);
                }
            }
            most = counting.count::<V, TWINS>(v, most);
            while let Some(known) = counting.news.pop() {
                counting.rows.state[known as usize] &= !state::AWAITED;
                for arc in out.arcs(known) {
                    if counting.rows.state[arc.target as usize] & state::PENDING != 0 {
                        most = counting.count::<V, TWINS>(arc.target, most);
                        repeated_arcs += into.arcs(arc.target).len();
                    }
                }
                if repeated_arcs > MOST_LOOKS * self.mean_degree * at + SPARE {
                    return false;
                }
            }
        }
        let mut counts = [0.0; LANES];
        V::put_numbers(most, &mut counts);
        counts.iter().all(|&paths| paths <= SIGMA_LIMIT_F64)
    }
}

impl<N: Net> Counting<'_, N> {
    /// Counts paths to `v`. Returns, lane by lane, the larger of the counts and `most`.
    #[inline(always)]
    fn count<V: Vectors, const TWINS: bool>(&mut self, v: Vertex, most: V::Numbers) -> V::Numbers {
        let at = V::distances(&self.rows.distances[v as usize].0);
        let mut sum = V::numbers(&[0.0; LANES]);
        for arc in self.into.arcs(v) {
            let from = arc.target as usize;
            let before = V::plus(at, arc.length.wrapping_neg());
            let distances = V::distances(&self.rows.distances[from].0);
            let more = V::where_equal(before, distances, &self.rows.numbers[from].0);
            sum = V::add(sum, more);
        }
        if TWINS {
            let multiplicity = self.multiplicities[v as usize];
            sum = V::multiply(sum, V::numbers(&[multiplicity; LANES]));
        }
        let unknown = V::unknown(sum);
        if unknown == 0 && self.rows.state[v as usize] & state::SPECIAL == 0 {
            V::put_numbers(sum, &mut self.rows.numbers[v as usize].0);
            let lanes = Visit::WHOLE;
            self.visits.push(Visit { v, lanes });
        } else {
            sum = self.count_some::<V>(v, sum);
        }
        V::larger(sum, most)
    }

    /// Stores the sum `paths` of a vertex that is a root or awaited, or whose sum is or was unknown
    /// in some lanes. Returns the counts.
    #[inline(always)]
    fn count_some<V: Vectors>(&mut self, v: Vertex, mut paths: V::Numbers) -> V::Numbers {
        let mut state = self.rows.state[v as usize];
        let is_root = state & state::ROOT != 0;
        if is_root {
            let one = V::numbers(&[1.0; LANES]);
            paths = V::add(paths, V::only(one, own_lanes(self.roots, v)));
        }
        let Numbers(known) = &mut self.rows.numbers[v as usize];
        let unknown = V::unknown(paths);
        let lanes = V::unknown(V::numbers(known)) & !unknown;
        V::put_numbers(paths, known);
        if lanes != 0 {
            let is_whole = !is_root && lanes == ALL;
            let lanes = if is_whole { Visit::WHOLE } else { lanes };
            self.visits.push(Visit { v, lanes });
            if state & state::AWAITED != 0 {
                self.news.push(v);
            }
        }
        if unknown != 0 {
            state |= state::PENDING;
            for arc in self.into.arcs(v) {
                self.rows.state[arc.target as usize] |= state::AWAITED;
            }
        } else {
            state &= !state::PENDING;
        }
        self.rows.state[v as usize] = state;
        paths
    }
}
