//! The rising search of a batch: it visits the vertices that the roots reach by rising arcs (to
//! higher ranks) alone, before the sweep and again after it.
#![expect(
    clippy::needless_range_loop,
    reason = "several rows are indexed by lane"
)]

use super::rows::{Distances, LANES, Numbers, ZERO, add, dot, move_back, relax, without};
use super::totals::Totals;
use crate::cpu::vectors::Vectors;
use crate::engine::Root;
use crate::prepare::hierarchy::{FAR, Hierarchy};

/// The slot of a vertex that the search has not reached.
const NONE: u32 = u32::MAX;
/// A value that equals neither a distance nor the sum of a distance and the length of an arc that
/// exists.
const NEVER: u32 = u32::MAX;

/// The state of the rising search.
#[derive(Default)]
pub(super) struct Climb {
    /// Per rank, the place of the vertex in `ranks` and `entries`, or [`NONE`].
    slot: Vec<u32>,
    /// The ranks of the vertices reached, ascending.
    ranks: Vec<u32>,
    entries: Vec<Entry>,
    /// Per entry and backward phase, the coefficients of paths that only fall after the vertex.
    falling: Vec<Numbers>,
    /// The number of backward phases.
    passes: usize,
    /// The ranks of the topmost vertices of the elimination trees that contain roots of the batch.
    pub(super) tops: Vec<u32>,
}

/// The rows of a vertex that the search has reached.
#[derive(Clone, Copy)]
struct Entry {
    /// Distances by rising arcs alone; [`NEVER`] where the sweep has found a shorter path or no
    /// path.
    distances: Distances,
    paths: Numbers,
    /// Coefficients of paths that rise to the vertex and continue in either direction.
    onward: Numbers,
    /// The lanes whose root is the vertex, a bit for each.
    root_lanes: u32,
}

impl Climb {
    pub(super) fn new(vertices: usize, passes: usize) -> Self {
        Climb {
            slot: vec![NONE; vertices],
            passes,
            ..Climb::default()
        }
    }

    /// Searches from the roots along rising arcs.
    #[inline(always)]
    pub(super) fn up<V: Vectors>(&mut self, hierarchy: &Hierarchy, top: &[u32], roots: &[Root]) {
        let ranks = roots
            .iter()
            .map(|root| hierarchy.rank[root.vertex as usize]);
        for v in ranks.clone() {
            self.reach(v);
        }
        self.tops.extend(ranks.clone().map(|v| top[v as usize]));
        self.tops.sort_unstable();
        self.tops.dedup();
        let mut next = 0;
        while let Some(&v) = self.ranks.get(next) {
            for arc in hierarchy.arcs_of(v) {
                self.reach(hierarchy.heads[arc]);
            }
            next += 1;
        }
        self.ranks.sort_unstable();
        let nothing = Entry {
            distances: [FAR; LANES],
            paths: ZERO,
            onward: ZERO,
            root_lanes: 0,
        };
        self.entries.resize(self.ranks.len(), nothing);
        self.falling.resize(self.ranks.len() * self.passes, ZERO);
        for (slot, &v) in (0..).zip(&self.ranks) {
            self.slot[v as usize] = slot;
        }
        for (lane, v) in ranks.enumerate() {
            let entry = &mut self.entries[self.slot[v as usize] as usize];
            (entry.distances[lane], entry.paths[lane]) = (0, 1.0);
            entry.root_lanes |= 1 << lane;
        }
        for at in 0..self.ranks.len() {
            let from = self.entries[at];
            for arc in hierarchy.arcs_of(self.ranks[at]) {
                let to = &mut self.entries[self.slot[hierarchy.heads[arc] as usize] as usize];
                relax::<V>(
                    (&mut to.distances, &mut to.paths),
                    (&from.distances, &from.paths),
                    (hierarchy.up.lengths[arc], hierarchy.up.paths[arc]),
                );
            }
        }
    }

    fn reach(&mut self, v: u32) {
        if self.slot[v as usize] == NONE {
            self.slot[v as usize] = 0;
            self.ranks.push(v);
        }
    }

    /// Returns the distances and path counts by rising arcs alone, with which the sweep begins at a
    /// vertex.
    #[inline(always)]
    pub(super) fn start(&self, v: u32) -> (Distances, Numbers) {
        match self.slot[v as usize] {
            NONE => ([FAR; LANES], ZERO),
            slot => {
                let entry = &self.entries[slot as usize];
                (entry.distances, entry.paths)
            }
        }
    }

    /// Stores the results of a backward phase at a vertex, if the rising search has reached it.
    /// Returns the lanes whose root is the vertex, a bit for each.
    #[inline(always)]
    pub(super) fn store(
        &mut self,
        v: u32,
        pass: usize,
        distances: &Distances,
        coefficients: &Numbers,
    ) -> u32 {
        let slot = self.slot[v as usize];
        if slot == NONE {
            return 0;
        }
        let entry = &mut self.entries[slot as usize];
        self.falling[slot as usize * self.passes + pass] = *coefficients;
        for lane in 0..LANES {
            if entry.distances[lane] != distances[lane] || distances[lane] == FAR {
                entry.distances[lane] = NEVER;
                entry.paths[lane] = 0.0;
            }
        }
        entry.root_lanes
    }

    /// Goes back along the rising arcs in a backward phase. Adds the flows over these arcs, and the
    /// dependencies of their tails.
    #[inline(always)]
    pub(super) fn back<V: Vectors>(
        &mut self,
        hierarchy: &Hierarchy,
        pass: usize,
        totals: &mut Totals,
    ) {
        for at in (0..self.ranks.len()).rev() {
            let v = self.ranks[at];
            let mut entry = self.entries[at];
            let falling = &self.falling[at * self.passes + pass];
            // Where another path is shorter than the rising one, no dependencies go back along
            // rising arcs.
            for lane in 0..LANES {
                let is_least = entry.distances[lane] != NEVER;
                entry.onward[lane] = if is_least { falling[lane] } else { 0.0 };
                // The sum of FAR and the length of an arc that exists never equals NEVER.
                entry.distances[lane] = if is_least { entry.distances[lane] } else { FAR };
            }
            let mut rising = ZERO;
            for arc in hierarchy.arcs_of(v) {
                let above = &self.entries[self.slot[hierarchy.heads[arc] as usize] as usize];
                let over = (hierarchy.up.lengths[arc], hierarchy.up.paths[arc]);
                let from = (&entry.distances, &entry.paths);
                totals.flows[pass].up[arc] +=
                    move_back::<V>(from, &above.distances, over, &above.onward, &mut rising);
            }
            add(&mut entry.onward, &rising);
            let paths_through = without(&entry.paths, entry.root_lanes);
            totals.sums_of(v)[pass] += dot::<V>(&paths_through, &rising);
            self.entries[at].onward = entry.onward;
        }
    }

    /// Resets the state after a batch.
    pub(super) fn clear(&mut self) {
        for &v in &self.ranks {
            self.slot[v as usize] = NONE;
        }
        self.ranks.clear();
        self.entries.clear();
        self.falling.clear();
        self.tops.clear();
    }
}
