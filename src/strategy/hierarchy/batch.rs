//! The arrays that a batch of roots hands to the device.

use super::layout::Layout;
use crate::device::buffers::{BufferSet, DeviceBuffer, reals};
use crate::engine::{Precision, Root};
use crate::prepare::Prepared;
use crate::prepare::chains::{GROUP, Served};
use crate::prepare::hierarchy::Hierarchy;

/// Lanes of a work-item: a vector load.
pub(super) const ITEM_LANES: usize = 4;
/// Numbers of a served chain on the device: both lanes (in one number), the chain, its length, its
/// only threshold.
const CHAIN_NUMBERS: usize = 4;
/// Work-items of a group of lanes. The size of a work-group is a multiple of this if chains are
/// served, so that it has whole groups.
pub(super) const GROUP_ITEMS: usize = GROUP / ITEM_LANES;
/// In arrays of lanes: the lane has no root. In numbers of chains: there are several thresholds.
const NONE: u32 = u32::MAX;

/// The arrays that the device reads for a batch, in the order of [`plan`]. They must stay unchanged
/// until the device has read them.
pub(super) type Batch = [Vec<u32>; 10];

/// Plans the buffers of a batch of `lanes` lanes, for a graph that has this number of chains.
pub(super) fn plan(set: &mut BufferSet, lanes: usize, chains: usize) -> [DeviceBuffer; 10] {
    let real = set.real_bytes();
    [
        // Per lane: the rank of its root, its position, and the factor of its dependencies
        // (`real`).
        set.unset("ranks of roots", 4 * lanes),
        set.unset("roots", 4 * lanes),
        set.unset("sources of lanes", real * lanes),
        // Ranks of all roots, ascending, and their lanes.
        set.unset("ranks of roots, ascending", 4 * lanes),
        set.unset("lanes of roots", 4 * lanes),
        // Group g of lanes serves chains `offsets[g]..offsets[g + 1]`: their numbers, and the
        // sources inside them (`real`).
        set.unset("offsets of served chains", 4 * (lanes / GROUP + 1)),
        set.unset("served chains", 4 * CHAIN_NUMBERS * chains),
        set.unset("sources of served chains", real * chains),
        // Lane l has the ends of chains `offsets[l]..offsets[l + 1]`.
        set.unset("offsets of ends of chains", 4 * (lanes + 1)),
        set.unset("ends of chains", 4 * 2 * chains),
    ]
}

/// Assigns the roots, at most `lanes`, to the first lanes, and lists the chains that they serve.
pub(super) fn assign(
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
    let (mut ranks, mut positions, mut sources) = (Vec::new(), Vec::new(), Vec::new());
    let (mut group_offsets, mut served) = (Vec::new(), Vec::new());
    let (mut inside, mut ends) = (Vec::new(), Vec::new());
    for roots in groups {
        let first = ranks.len() as u32;
        for &root in roots {
            ranks.push(rank(&root));
            positions.push(layout.positions[rank(&root) as usize]);
            sources.push(prepared.factor(root));
        }
        let Some(chains) = chains else {
            continue;
        };
        group_offsets.push(inside.len() as u32);
        for &Served { chain, lanes } in chains.served_by(roots) {
            let place = inside.len() as u32;
            let [one, other] = lanes.map(u32::from);
            ends.push((first + one, 2 * place));
            ends.push((first + other, 2 * place + 1));
            let splits = &chains.splits;
            let split = splits.chains[chain as usize];
            let has_one_threshold = split.last == split.first + 1;
            let threshold = if has_one_threshold {
                splits.thresholds[split.first as usize]
            } else {
                NONE
            };
            let lanes = (first + one) * GROUP as u32 + other;
            served.extend([lanes, chain, split.length, threshold]);
            inside.push(splits.before[split.last as usize]);
        }
    }
    group_offsets.resize(lanes / GROUP + 1, inside.len() as u32);
    ends.sort_unstable();
    let before = |lane: u32| ends.partition_point(|&(end_lane, _)| end_lane < lane) as u32;
    let end_offsets = (0..=lanes as u32).map(before).collect();
    ranks.resize(lanes, NONE);
    positions.resize(lanes, NONE);
    sources.resize(lanes, 0.0);
    let mut lane_of: Vec<u32> = (0..lanes as u32).collect();
    lane_of.sort_by_key(|&lane| ranks[lane as usize]);
    let sorted = lane_of.iter().map(|&lane| ranks[lane as usize]).collect();
    [
        ranks,
        positions,
        reals(&sources, precision),
        sorted,
        lane_of,
        group_offsets,
        served,
        reals(&inside, precision),
        end_offsets,
        ends.into_iter().map(|(_, end)| end).collect(),
    ]
}
