//! The way there: distances and path counts of all lanes.

use super::WeightedState;
use crate::cpu::halt::{self, Stopped};
use crate::cpu::lanes::rows::{LaneRow, prefetch};
use crate::cpu::lanes::vectors::LaneVectors;
use crate::cpu::weighted::arcs::Arcs;
use crate::engine::Root;
use crate::graph::Vertex;

impl<const G: usize> WeightedState<G> {
    /// `into`: the arcs turned round, of a directed graph.
    #[inline(always)]
    pub(super) fn forward<V: LaneVectors>(
        &mut self,
        arcs: &Arcs<u32>,
        into: Option<&Arcs<u32>>,
        roots: &[Root],
    ) -> Result<(), Stopped> {
        self.levels.clear();
        self.predecessors.clear();
        self.first_predecessor.clear();
        let mut waiting = 0;
        for (lane, root) in roots.iter().enumerate() {
            *self.numbers[root.vertex as usize].lane_mut(lane) = 1.0;
            *self.window.at_mut(root.vertex, 0) = 1 << lane;
            self.ahead[0].push(root.vertex);
            waiting += 1;
        }
        let slots = self.window.slots;
        let mut dist = 0;
        while waiting > 0 {
            halt::check()?;
            let slot = self.window.slot(dist);
            // The distance that leaves the window gives its slot to the one that enters.
            if dist > slots / 2 {
                self.leave(dist - slots / 2 - 1);
            }
            let mut found = std::mem::take(&mut self.ahead[slot]);
            waiting -= found.len();
            for &u in &found {
                let here = self.window.at(u, slot);
                let settled = &mut self.settled[u as usize];
                let new = here & !*settled;
                if *settled == 0 {
                    self.touched.push(u);
                }
                *settled |= new;
                *self.window.at_mut(u, slot) = new;
                if new != 0 {
                    self.levels.push(u, new);
                    if dist > 0 {
                        self.first_predecessor.push(self.predecessors.len());
                    }
                    waiting += self.settle::<V>(arcs, into, u, new, slot);
                }
            }
            found.clear();
            self.ahead[slot] = found;
            self.levels.end_level();
            dist += 1;
        }
        // The next batch begins with an empty window.
        for dist in dist.saturating_sub(slots / 2 + 1)..dist {
            self.leave(dist);
        }
        Ok(())
    }

    /// Adds up the path counts of `u` in the lanes `new`, which are at it in this slot, and marks
    /// its neighbours. Returns how many entries that adds to the lists ahead.
    #[inline(always)]
    fn settle<V: LaneVectors>(
        &mut self,
        arcs: &Arcs<u32>,
        into: Option<&Arcs<u32>>,
        u: Vertex,
        new: u64,
        slot: usize,
    ) -> usize {
        let mut marked = 0;
        let WeightedState {
            numbers,
            window,
            ahead,
            settled,
            predecessors,
            hits,
            ..
        } = self;
        let mut mark = |window: &mut super::Window, v: Vertex, length: u32| {
            let lanes = new & !settled[v as usize];
            if lanes != 0 {
                let after = window.after(slot, length);
                let mask = window.at_mut(v, after);
                if *mask == 0 {
                    ahead[after].push(v);
                    marked += 1;
                }
                *mask |= lanes;
            }
        };
        let hits = match into {
            None => hits.find(arcs.of(u), |arc| {
                mark(window, arc.target, arc.length);
                // Most lanes are either before here or behind it, and few arcs need both.
                if new & settled[arc.target as usize] == 0 {
                    return (arc.target, 0);
                }
                let before = window.before(slot, arc.length);
                (arc.target, new & window.at(arc.target, before))
            }),
            Some(into) => {
                for arc in arcs.of(u) {
                    mark(window, arc.target, arc.length);
                }
                hits.find(into.of(u), |arc| {
                    let before = window.before(slot, arc.length);
                    (arc.target, new & window.at(arc.target, before))
                })
            }
        };
        let mut sum = LaneRow::ZERO;
        for (i, &(v, lanes)) in hits.iter().enumerate() {
            prefetch(numbers, hits, i);
            sum.add::<V>(&numbers[v as usize], lanes);
        }
        numbers[u as usize].add_all(&sum);
        predecessors.extend_from_slice(hits);
        marked
    }

    /// Takes a distance out of the window.
    #[inline(always)]
    fn leave(&mut self, dist: usize) {
        let slot = self.window.slot(dist);
        for &(v, _) in self.levels.level(dist) {
            *self.window.at_mut(v, slot) = 0;
        }
    }
}
