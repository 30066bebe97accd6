//! Distances from all roots of a batch, and an order of the vertices that suits all roots.
//!
//! Vertices are taken by ascending distance from the nearest root (with lengths, bucket by bucket),
//! and the arcs of each are relaxed for all roots at once. If this brings a vertex that was taken
//! before nearer to some root, that vertex is taken again before the next one, so that corrections
//! stay local.
//!
//! With a limit, the arcs of vertices at least that far from every root are not relaxed. Distances
//! beyond the limit may then be too large: they are those of paths whose inner vertices are all
//! nearer than the limit to some root.

use std::collections::VecDeque;

use super::arrays::{Arrays, Numbers, SPARE, VertexRows, VertexRowsMut, state};
use super::net::Net;
use crate::cpu::vectors::Vectors;
use crate::cpu::weighted::arcs::Arc;
use crate::cpu::weighted::buckets::{BLOCK, Buckets, Entry};
use crate::graph::{Csr, Vertex};

/// A batch is aborted when the vertices taken again have more arcs than `MOST_REPAIRS` times the
/// mean degree per vertex taken so far, plus [`SPARE`].
const MOST_REPAIRS: usize = 2;

/// The parts of [`Arrays`] that the sweep uses, and the amount of repeated work.
struct Relaxing<'a> {
    rows: VertexRowsMut<'a>,
    repairs: &'a mut VecDeque<Vertex>,
    mean_degree: usize,
    /// The number of arcs of vertices taken again.
    repaired: usize,
}

impl<'a> Relaxing<'a> {
    #[inline(always)]
    fn new(
        rows: &'a mut VertexRows,
        repairs: &'a mut VecDeque<Vertex>,
        mean_degree: usize,
    ) -> Self {
        Relaxing {
            rows: rows.lend(),
            repairs,
            mean_degree,
            repaired: 0,
        }
    }

    /// Relaxes the arcs of `v`, and calls `each` with every arc and the previous distances of its
    /// head. Returns the number of arcs.
    #[inline(always)]
    fn relax<V: Vectors>(
        &mut self,
        net: &impl Net,
        v: Vertex,
        mut each: impl FnMut(Arc<u32>, V::Distances),
    ) -> usize {
        self.rows.state[v as usize] |= state::RELAXED;
        let from = V::distances(&self.rows.distances[v as usize].0);
        let arcs = net.arcs(v);
        let count = arcs.len();
        for arc in arcs {
            let to = &mut self.rows.distances[arc.target as usize].0;
            let known = V::distances(to);
            let nearer = V::nearer(known, V::plus(from, arc.length));
            V::put_distances(nearer, to);
            each(arc, known);
            let state = &mut self.rows.state[arc.target as usize];
            // One test of both conditions, which are rarely true together; each alone is hard to
            // predict.
            let relaxed = *state & state::RELAXED != 0;
            if V::differ_if(relaxed, nearer, known) {
                *state &= !state::RELAXED;
                self.repairs.push_back(arc.target);
            }
        }
        count
    }

    /// Takes all vertices in `repairs` again. Returns `false` if the batch must be aborted.
    #[inline(always)]
    fn repair<V: Vectors>(&mut self, net: &impl Net, taken: usize) -> bool {
        let most = MOST_REPAIRS * self.mean_degree * taken + SPARE;
        while let Some(v) = self.repairs.pop_front() {
            self.repaired += self.relax::<V>(net, v, |_, _| ());
            if self.repaired > most {
                return false;
            }
        }
        true
    }
}

impl Arrays {
    /// Finds distances and order without lengths, up to `limit`. Returns `false` if the batch must
    /// be aborted.
    #[inline(always)]
    pub(super) fn sweep_levels<V: Vectors>(&mut self, net: &Csr, limit: u32) -> bool {
        let mut reached = self.reached;
        let order = &mut self.order[..];
        let mut relaxing = Relaxing::new(&mut self.rows, &mut self.repairs, self.mean_degree);
        let (mut taken, mut nearest_distance, mut level_end) = (0, 0, reached);
        while taken < reached {
            if taken == level_end {
                (nearest_distance, level_end) = (nearest_distance + 1, reached);
            }
            let v = order[taken];
            taken += 1;
            relaxing.rows.numbers[v as usize] = Numbers::UNKNOWN;
            // The arcs lead beyond the limit from every root.
            if nearest_distance >= limit {
                continue;
            }
            relaxing.relax::<V>(net, v, |arc, known| {
                order[reached] = arc.target;
                reached += usize::from(V::all_far(known));
            });
            if !relaxing.repairs.is_empty() && !relaxing.repair::<V>(net, taken) {
                return false;
            }
        }
        self.reached = reached;
        true
    }

    /// Finds distances and order with lengths, up to `limit`. Returns `false` if the batch must be
    /// aborted. The queue is empty before and after.
    #[inline(always)]
    pub(super) fn sweep_lengths<V: Vectors>(
        &mut self,
        net: &impl Net,
        queue: &mut Buckets<u32>,
        limit: u32,
    ) -> bool {
        let mut reached = self.reached;
        let (order, found) = (&mut self.order[..], &mut self.found[..]);
        let mut relaxing = Relaxing::new(&mut self.rows, &mut self.repairs, self.mean_degree);
        let nearest = &mut self.nearest[..relaxing.rows.state.len()];
        let mut taken = 0;
        loop {
            let mut len = 0;
            while taken < reached {
                let v = order[taken];
                taken += 1;
                relaxing.rows.numbers[v as usize] = Numbers::UNKNOWN;
                if nearest[v as usize] >= limit {
                    continue;
                }
                let nearest_distance = nearest[v as usize];
                relaxing.relax::<V>(net, v, |arc, _| {
                    let through = nearest_distance + arc.length;
                    found[len] = (arc.target, through);
                    len += usize::from(through < nearest[arc.target as usize]);
                });
                if !relaxing.repairs.is_empty() && !relaxing.repair::<V>(net, taken) {
                    while queue.take(|_| ()) {}
                    return false;
                }
                if len >= BLOCK {
                    push(queue, nearest, &found[..len]);
                    len = 0;
                }
            }
            push(queue, nearest, &found[..len]);
            let more = queue.take(|entry| {
                order[reached] = entry.v;
                reached += usize::from(nearest[entry.v as usize] == entry.dist);
            });
            if !more {
                break;
            }
        }
        self.reached = reached;
        true
    }
}

/// Pushes the vertices found to the queue, unless they have come nearer since, and updates their
/// distances from the nearest root.
#[inline(always)]
fn push(queue: &mut Buckets<u32>, nearest: &mut [u32], found: &[(Vertex, u32)]) {
    queue.reserve(found.len());
    for &(v, dist) in found {
        let known = &mut nearest[v as usize];
        let is_nearer = dist < *known;
        *known = dist.min(*known);
        let entry = Entry {
            v,
            dist,
            ..Entry::default()
        };
        queue.push_if(is_nearer, entry);
    }
}
