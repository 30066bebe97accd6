//! What a batch of roots is written from.

use super::layout::Layout;
use super::sizes::{ITEM_LANES, NONE};
use crate::engine::Root;
use crate::prepare::Chains;
use crate::prepare::chains::{GROUP, Served};
use crate::prepare::hierarchy::Hierarchy;

/// Numbers of a served chain on the device: both lanes, the chain, its length, its only threshold.
pub(super) const CHAIN_NUMBERS: usize = 4;

/// What a batch is written from; it stays until the device has read it.
#[derive(Default)]
pub(super) struct Batch {
    /// Per lane: the rank of its root, its position, and its sources.
    pub(super) roots: Vec<u32>,
    pub(super) root_vertex: Vec<u32>,
    pub(super) sources: Vec<f64>,
    pub(super) sources_f32: Vec<f32>,
    /// Ranks of all roots, ascending, and their lanes.
    pub(super) sorted: Vec<u32>,
    pub(super) lane_of: Vec<u32>,
    /// Chains served by group g of lanes are `group_offsets[g]..group_offsets[g + 1]`: their
    /// numbers, and the sources inside.
    pub(super) group_offsets: Vec<u32>,
    pub(super) served: Vec<u32>,
    pub(super) inside: Vec<f64>,
    pub(super) inside_f32: Vec<f32>,
    /// Ends of chains in lane l: `end_offsets[l]..end_offsets[l + 1]`.
    pub(super) end_offsets: Vec<u32>,
    pub(super) ends: Vec<u32>,
}

impl Batch {
    /// Takes these roots, so many lanes, and the chains whose sources they serve.
    pub(super) fn fill(
        &mut self,
        (hierarchy, layout, chains): (&Hierarchy, &Layout, Option<&Chains>),
        roots: &[Root],
        lanes: usize,
    ) {
        let rank = |root: &Root| hierarchy.rank[root.vertex as usize];
        // Roots of a group stay together; neighbours in the elimination tree are near each other.
        let group = if chains.is_some() { GROUP } else { 1 };
        let (whole, rest) = roots.split_at(roots.len() - roots.len() % group);
        let mut groups: Vec<&[Root]> = whole.chunks(group).collect();
        groups.sort_by_cached_key(|group| group.iter().map(rank).min());
        groups.extend((!rest.is_empty()).then_some(rest));
        self.roots.clear();
        self.root_vertex.clear();
        self.sources.clear();
        self.group_offsets.clear();
        self.served.clear();
        self.inside.clear();
        let mut ends = Vec::new();
        for roots in groups {
            let first = self.roots.len() as u32;
            for root in roots {
                self.roots.push(rank(root));
                self.root_vertex.push(layout.positions[rank(root) as usize]);
                self.sources.push(root.sources.into());
            }
            let Some(chains) = chains else {
                continue;
            };
            self.group_offsets.push(self.inside.len() as u32);
            for &Served { chain, lanes } in chains.served_by(roots) {
                let place = self.inside.len() as u32;
                let [one, other] = lanes.map(u32::from);
                ends.push((first + one, 2 * place));
                ends.push((first + other, 2 * place + 1));
                let splits = chains.splits();
                let split = splits.chains[chain as usize];
                let only = split.last == split.first + 1;
                let threshold = if only {
                    splits.thresholds[split.first as usize]
                } else {
                    NONE
                };
                let lanes = (first + one) * GROUP as u32 + other;
                self.served.extend([lanes, chain, split.length, threshold]);
                self.inside.push(splits.before[split.last as usize]);
            }
        }
        let served = self.inside.len() as u32;
        self.group_offsets.resize(lanes / GROUP + 1, served);
        // Buffers are never empty.
        self.served.resize(self.served.len().max(CHAIN_NUMBERS), 0);
        self.inside.resize(self.inside.len().max(1), 0.0);
        self.inside_f32.clear();
        self.inside_f32
            .extend(self.inside.iter().map(|&sources| sources as f32));
        self.take_ends(ends, lanes);
        self.roots.resize(lanes, NONE);
        self.root_vertex.resize(lanes, NONE);
        self.sources.resize(lanes, 0.0);
        self.sources_f32.clear();
        self.sources_f32
            .extend(self.sources.iter().map(|&sources| sources as f32));
        self.lane_of.clear();
        self.lane_of.extend(0..lanes as u32);
        let roots = &self.roots;
        self.lane_of.sort_by_key(|&lane| roots[lane as usize]);
        self.sorted.clear();
        self.sorted
            .extend(self.lane_of.iter().map(|&lane| roots[lane as usize]));
    }

    fn take_ends(&mut self, mut ends: Vec<(u32, u32)>, lanes: usize) {
        ends.sort_unstable();
        self.ends.clear();
        self.ends.extend(ends.iter().map(|&(_, end)| end));
        self.ends.resize(self.ends.len().max(1), 0);
        self.end_offsets.clear();
        let before = |lane: u32| ends.partition_point(|&(of, _)| of < lane) as u32;
        self.end_offsets.extend((0..=lanes as u32).map(before));
    }
}

/// Work-items of a group; a work-group of a multiple of them cuts no group.
pub(super) const GROUP_ITEMS: usize = GROUP / ITEM_LANES;
