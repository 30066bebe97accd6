//! The arrays that a batch of roots hands to the device.

use super::layout::Layout;
use super::sizes::ITEM_LANES;
use crate::device::buffers::reals;
use crate::engine::{Precision, Root};
use crate::prepare::Prepared;
use crate::prepare::chains::{GROUP, Served};
use crate::prepare::hierarchy::Hierarchy;

/// Numbers of a served chain on the device: both lanes, the chain, its length, its only threshold.
pub(super) const CHAIN_NUMBERS: usize = 4;
/// Work-items of a group of lanes. The size of a work-group is a multiple of this if chains are
/// served, so that it has whole groups.
pub(super) const GROUP_ITEMS: usize = GROUP / ITEM_LANES;
/// In arrays of lanes: the lane has no root. In numbers of chains: there are several thresholds.
const NONE: u32 = u32::MAX;

/// The arrays that the device reads for a batch. They must stay unchanged until it has read them.
#[derive(Default)]
pub(super) struct Batch {
    /// Per lane: the rank of its root, its position, and the factor of its dependencies (`real`).
    pub(super) roots: Vec<u32>,
    pub(super) root_vertex: Vec<u32>,
    pub(super) sources: Vec<u8>,
    /// Ranks of all roots, ascending, and their lanes.
    pub(super) sorted: Vec<u32>,
    pub(super) lane_of: Vec<u32>,
    /// Group g of lanes serves chains `group_offsets[g]..group_offsets[g + 1]`: their numbers, and
    /// the sources inside them (`real`).
    pub(super) group_offsets: Vec<u32>,
    pub(super) served: Vec<u32>,
    pub(super) inside: Vec<u8>,
    /// Lane l has the ends of chains `end_offsets[l]..end_offsets[l + 1]`.
    pub(super) end_offsets: Vec<u32>,
    pub(super) ends: Vec<u32>,
}

impl Batch {
    /// Assigns the roots, at most `lanes`, to the first lanes, and lists the chains that they
    /// serve.
    pub(super) fn new(
        (prepared, hierarchy, layout): (&Prepared, &Hierarchy, &Layout),
        roots: &[Root],
        lanes: usize,
        precision: Precision,
    ) -> Batch {
        let chains = prepared.chains.as_ref();
        let rank = |root: &Root| hierarchy.rank[root.vertex as usize];
        // Whole groups are sorted by rank, so that neighbours in the elimination tree get
        // neighbouring lanes.
        let group = if chains.is_some() { GROUP } else { 1 };
        let (whole, rest) = roots.split_at(roots.len() - roots.len() % group);
        let mut groups: Vec<&[Root]> = whole.chunks(group).collect();
        groups.sort_by_cached_key(|group| group.iter().map(rank).min());
        groups.extend((!rest.is_empty()).then_some(rest));
        let mut batch = Batch::default();
        let mut sources: Vec<f64> = Vec::with_capacity(lanes);
        let mut inside = Vec::new();
        let mut ends = Vec::new();
        for roots in groups {
            let first = batch.roots.len() as u32;
            for &root in roots {
                batch.roots.push(rank(&root));
                let position = layout.positions[rank(&root) as usize];
                batch.root_vertex.push(position);
                sources.push(prepared.factor(root));
            }
            let Some(chains) = chains else {
                continue;
            };
            batch.group_offsets.push(inside.len() as u32);
            for &Served { chain, lanes } in chains.served_by(roots) {
                let place = inside.len() as u32;
                let [one, other] = lanes.map(u32::from);
                ends.push((first + one, 2 * place));
                ends.push((first + other, 2 * place + 1));
                let splits = &chains.splits;
                let split = splits.chains[chain as usize];
                let only = split.last == split.first + 1;
                let threshold = if only {
                    splits.thresholds[split.first as usize]
                } else {
                    NONE
                };
                let lanes = (first + one) * GROUP as u32 + other;
                batch.served.extend([lanes, chain, split.length, threshold]);
                inside.push(splits.before[split.last as usize]);
            }
        }
        let served = inside.len() as u32;
        batch.group_offsets.resize(lanes / GROUP + 1, served);
        batch.inside = reals(&inside, precision);
        ends.sort_unstable();
        let before = |lane: u32| ends.partition_point(|&(end_lane, _)| end_lane < lane) as u32;
        batch.end_offsets = (0..=lanes as u32).map(before).collect();
        batch.ends = ends.iter().map(|&(_, end)| end).collect();
        batch.roots.resize(lanes, NONE);
        batch.root_vertex.resize(lanes, NONE);
        sources.resize(lanes, 0.0);
        batch.sources = reals(&sources, precision);
        batch.lane_of = (0..lanes as u32).collect();
        let roots = &batch.roots;
        batch.lane_of.sort_by_key(|&lane| roots[lane as usize]);
        let sorted = batch.lane_of.iter().map(|&lane| roots[lane as usize]);
        batch.sorted = sorted.collect();
        batch
    }
}
