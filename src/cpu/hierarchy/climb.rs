//! The vertices that the roots of a batch reach by rising arcs alone: searched first, and last.
#![expect(
    clippy::needless_range_loop,
    reason = "several rows are indexed by lane"
)]

use super::rows::{Distances, LANES, Numbers, ZERO, add, dot, over_arc, relax, without};
use super::totals::Totals;

use crate::engine::Root;
use crate::prepare::hierarchy::{FAR, Hierarchy};

const NONE: u32 = u32::MAX;
/// A distance that no path has.
const NEVER: u32 = u32::MAX;

/// The rising search of a batch.
#[derive(Default)]
pub(super) struct Climb {
    /// Per rank, the place in the lists below.
    slot: Vec<u32>,
    /// Ranks, ascending.
    ranks: Vec<u32>,
    steps: Vec<Step>,
    /// Roots of the trees of the elimination forest that the roots of the batch are in.
    pub(super) tops: Vec<u32>,
}

/// What is known of a vertex.
#[derive(Clone, Copy)]
struct Step {
    /// By rising arcs alone; [`NEVER`] once it is known that there is a shorter way.
    distances: Distances,
    paths: Numbers,
    /// Of paths that go on downwards.
    falling: Numbers,
    /// Of paths that rise to the vertex and go on in either direction.
    any: Numbers,
    /// Lanes whose root it is, a bit for each.
    is_root: u32,
}

impl Climb {
    pub(super) fn new(vertices: usize) -> Self {
        Climb {
            slot: vec![NONE; vertices],
            ..Climb::default()
        }
    }

    /// Searches from the roots along rising arcs.
    #[inline(always)]
    pub(super) fn up(&mut self, hierarchy: &Hierarchy, top: &[u32], roots: &[Root]) {
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
        let nothing = Step {
            distances: [FAR; LANES],
            paths: ZERO,
            falling: ZERO,
            any: ZERO,
            is_root: 0,
        };
        self.steps.resize(self.ranks.len(), nothing);
        for (slot, &v) in (0..).zip(&self.ranks) {
            self.slot[v as usize] = slot;
        }
        for (lane, v) in ranks.enumerate() {
            let step = &mut self.steps[self.slot[v as usize] as usize];
            (step.distances[lane], step.paths[lane]) = (0, 1.0);
            step.is_root |= 1 << lane;
        }
        for at in 0..self.ranks.len() {
            let from = self.steps[at];
            for arc in hierarchy.arcs_of(self.ranks[at]) {
                let to = &mut self.steps[self.slot[hierarchy.heads[arc] as usize] as usize];
                relax(
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

    /// What is known of a vertex before the way down.
    #[inline(always)]
    pub(super) fn start(&self, v: u32) -> (Distances, Numbers) {
        match self.slot[v as usize] {
            NONE => ([FAR; LANES], ZERO),
            slot => {
                let step = &self.steps[slot as usize];
                (step.distances, step.paths)
            }
        }
    }

    /// Keeps what both ways have found at a vertex, if the rising search was there. Returns the
    /// lanes whose root it is, a bit for each.
    #[inline(always)]
    pub(super) fn note(&mut self, v: u32, distances: &Distances, dependencies: &Numbers) -> u32 {
        let slot = self.slot[v as usize];
        if slot == NONE {
            return 0;
        }
        let step = &mut self.steps[slot as usize];
        step.falling = *dependencies;
        for lane in 0..LANES {
            if step.distances[lane] != distances[lane] || distances[lane] == FAR {
                step.distances[lane] = NEVER;
                step.paths[lane] = 0.0;
            }
        }
        step.is_root
    }

    /// Goes back along the rising arcs, and adds dependencies of the vertices on them.
    #[inline(always)]
    pub(super) fn back(&mut self, hierarchy: &Hierarchy, totals: &mut Totals) {
        for at in (0..self.ranks.len()).rev() {
            let v = self.ranks[at];
            let mut step = self.steps[at];
            // Where the rising search did not find the distance, nothing comes back this way.
            for lane in 0..LANES {
                let there = step.distances[lane] != NEVER;
                step.any[lane] = if there { step.falling[lane] } else { 0.0 };
                // No sum with a length reaches NEVER again.
                step.distances[lane] = if there { step.distances[lane] } else { FAR };
            }
            let mut rising = ZERO;
            for arc in hierarchy.arcs_of(v) {
                let above = &self.steps[self.slot[hierarchy.heads[arc] as usize] as usize];
                let over = (hierarchy.up.lengths[arc], hierarchy.up.paths[arc]);
                let part = over_arc(&step.distances, &above.distances, over, &above.any);
                add(&mut rising, &part);
                totals.flows.up[arc] += dot(&step.paths, &part);
            }
            add(&mut step.any, &rising);
            let passed = without(&step.paths, step.is_root);
            totals.vertices[v as usize] += dot(&passed, &rising);
            // Rising arcs from lower vertices lead to it at its distance only where that is known.
            let known = &mut self.steps[at];
            known.any = step.any;
            for lane in 0..LANES {
                if step.distances[lane] == FAR {
                    known.distances[lane] = NEVER;
                }
            }
        }
    }

    /// Forgets the batch.
    pub(super) fn clear(&mut self) {
        for &v in &self.ranks {
            self.slot[v as usize] = NONE;
        }
        self.ranks.clear();
        self.steps.clear();
        self.tops.clear();
    }
}
