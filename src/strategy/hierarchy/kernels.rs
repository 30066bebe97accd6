//! The memory of a search on the device, and its kernels with their arguments.

use super::batch::CHAIN_NUMBERS;
use super::layout::Layout;
use super::sizes::{SLOTS, Sizes};
use crate::device::buffers::{BufferSet, Buffers, Place};
use crate::device::launch::{Arg, Launcher};
use crate::device::{DeviceError, Session, Source};
use crate::prepare::Prepared;
use crate::prepare::chains::{GROUP, Split, Splits};
use crate::prepare::hierarchy::Direction;

/// The buffers that launches use.
pub(super) struct Arrays {
    /// Written for each batch: rank and position of the root of each lane, and its sources.
    pub(super) roots: Place,
    pub(super) root_vertex: Place,
    pub(super) sources: Place,
    /// The same roots by ascending rank, and their lanes.
    pub(super) sorted: Place,
    pub(super) lane_of: Place,
    /// The chains that are served by each group of lanes, and their ends in each lane.
    pub(super) group_offsets: Place,
    pub(super) served: Place,
    pub(super) inside: Place,
    pub(super) end_offsets: Place,
    pub(super) ends: Place,
    pub(super) status: Place,
    /// Sums: by tile and arc to a lower vertex, by arc to a higher one, by tile and position, by
    /// part of a tile and split vertex, and by position.
    pub(super) flows: Place,
    pub(super) rising: Place,
    pub(super) scores: Place,
    pub(super) split_scores: Place,
    pub(super) climb_scores: Place,
}

pub(super) struct Kernels {
    pub(super) climb: Launcher,
    pub(super) forward: Launcher,
    pub(super) leaves: Launcher,
    pub(super) backward: Launcher,
    pub(super) backward_reduce: Launcher,
    pub(super) descend: Launcher,
    pub(super) climb_sums: Launcher,
    /// Path ends of directed graphs, if they are counted.
    pub(super) path_ends: Option<[Launcher; 2]>,
    pub(super) add_flows: Launcher,
    pub(super) add_scores: Launcher,
    pub(super) add_split_scores: Launcher,
}

/// Where the tables of chains are.
struct Tables {
    chains: Place,
    thresholds: Place,
    buckets: Place,
    before: Place,
}

impl Tables {
    fn new(set: &mut BufferSet<'_>, splits: &Splits) -> Tables {
        let numbers = |split: &Split| {
            let Split {
                first,
                last,
                bucket,
                shift,
                ..
            } = *split;
            [first, last, bucket, shift]
        };
        // Buffers are never empty.
        let some = |mut numbers: Vec<u32>| {
            numbers.resize(numbers.len().max(1), 0);
            numbers
        };
        let mut before = splits.before.clone();
        before.resize(before.len().max(1), 0.0);
        Tables {
            chains: set.filled(
                "chains",
                some(splits.chains.iter().flat_map(numbers).collect()),
            ),
            thresholds: set.filled("thresholds of chains", some(splits.thresholds.clone())),
            buckets: set.filled("buckets of chains", some(splits.buckets.clone())),
            before: set.reals("sources inside chains", before),
        }
    }
}

/// Everything of a search that is on the device.
pub(super) struct OnDevice {
    pub(super) arrays: Arrays,
    pub(super) kernels: Kernels,
    pub(super) buffers: Buffers,
    /// Bytes of all buffers.
    pub(super) bytes: u64,
}

impl OnDevice {
    /// Uploads the overlay, allocates what searches of these sizes need, and builds the kernels.
    pub(super) fn new(
        session: &Session,
        source: &Source,
        (prepared, layout): (&Prepared, &Layout),
        sizes: &Sizes,
    ) -> Result<OnDevice, DeviceError> {
        let &Sizes {
            lanes,
            tiles,
            deepest,
            real,
            row,
        } = sizes;
        let (n, arcs) = (layout.ranks.len(), layout.heads.len());
        let mut set = BufferSet::new(session);
        let score = set.score_bytes();
        let splits = layout.split_vertex.len();
        let bytes = |count: usize, each: usize| (count * each) as u64;
        let offsets = set.filled("overlay offsets", &layout.offsets);
        let heads = set.filled("overlay heads", &layout.heads);
        let direction = |set: &mut BufferSet<'_>, of: &Direction| {
            let lengths = set.filled("overlay lengths", of.lengths.clone());
            [lengths, set.reals("overlay paths", of.paths.clone())]
        };
        let up = direction(&mut set, &layout.up);
        let down = layout.down.as_ref().map(|down| direction(&mut set, down));
        let down = down.unwrap_or(up);
        let falling = direction(&mut set, &layout.falling);
        let subtrees = set.filled("subtrees", bytemuck::cast_slice::<_, u32>(&layout.subtrees));
        let parents = set.filled("parents", &layout.parents);
        let depths = set.filled("depths", &layout.depths);
        let weights = set.reals("weights", &layout.weights);
        let lower_offsets = set.filled("lower offsets", &layout.lower_offsets);
        let lower = set.filled("lower ends", &layout.lower);
        let chunks = set.filled("chunks", bytemuck::cast_slice::<_, u32>(&layout.chunks));
        let pieces = set.filled("pieces of chunks", &layout.pieces);
        let split_vertex = set.filled("split vertices", &layout.split_vertex);
        let split_pieces = bytemuck::cast_slice::<_, u32>(&layout.split_pieces);
        let split_pieces = set.filled("pieces of split vertices", split_pieces);
        let chain_of = set.filled("chains of vertices", &layout.chain_of);
        let empty = Splits::default();
        let splits_of_chains = match &prepared.chains {
            Some(chains) => chains.splits(),
            None => &empty,
        };
        let chains = splits_of_chains.chains.len();
        let Tables {
            chains: chain_tables,
            thresholds,
            buckets,
            before,
        } = Tables::new(&mut set, splits_of_chains);
        let arrays = Arrays {
            roots: set.unset("ranks of roots", bytes(lanes, 4)),
            root_vertex: set.unset("roots", bytes(lanes, 4)),
            sources: set.unset("sources of lanes", bytes(lanes, real)),
            sorted: set.unset("ranks of roots, ascending", bytes(lanes, 4)),
            lane_of: set.unset("lanes of roots", bytes(lanes, 4)),
            end_offsets: set.unset("offsets of ends of chains", bytes(lanes + 1, 4)),
            ends: set.unset("ends of chains", bytes(2 * chains.max(1), 4)),
            group_offsets: set.unset("offsets of served chains", bytes(lanes / GROUP + 1, 4)),
            served: set.unset("served chains", bytes(chains.max(1), 4 * CHAIN_NUMBERS)),
            inside: set.unset("sources of served chains", bytes(chains.max(1), real)),
            status: set.zeroed("overflow of path counts", 4),
            flows: set.zeroed("flows of falling arcs", bytes(tiles * arcs, score)),
            rising: set.zeroed("flows of rising arcs", bytes(arcs, score)),
            scores: set.zeroed("scores of tiles", bytes(tiles * n, score)),
            split_scores: set.zeroed(
                "scores of split vertices",
                bytes(tiles * SLOTS * splits, score),
            ),
            climb_scores: set.zeroed("scores", bytes(n, score)),
        };
        let climb =
            |set: &mut BufferSet<'_>, what, each| set.unset(what, bytes(deepest * lanes, each));
        let path = climb(&mut set, "ancestors of roots", 4);
        let climb_distance = climb(&mut set, "distances of ancestors", 4);
        let climb_count = climb(&mut set, "path counts of ancestors", real);
        let climb_any = climb(&mut set, "dependencies of ancestors", real);
        let climb_score = climb(&mut set, "scores of ancestors", real);
        let distance = set.unset("distances of all lanes", bytes(n * lanes, 4));
        let count = set.unset("path counts of all lanes", bytes(n * lanes, row));
        let coefficient = set.unset("coefficients of all lanes", bytes(n * lanes, row));
        let partial = set.unset("partial sums", bytes(layout.most_pieces * lanes, real));
        let total = set.total();
        let kernels = session.build(source)?;
        let buffers = set.make()?;
        let uint = |number: usize| Arg::Uint(number as u32);
        let kernel = |name, numbers: &[usize], places: &[Place]| {
            let mut args: Vec<Arg> = numbers.iter().map(|&number| uint(number)).collect();
            args.extend(buffers.args(places.iter().copied()));
            kernels.launcher(name, &args)
        };
        let [up_lengths, up_paths] = up;
        let [down_lengths, down_paths] = down;
        let Arrays {
            roots: ranks,
            root_vertex,
            sources,
            sorted,
            lane_of,
            group_offsets,
            served,
            inside,
            end_offsets,
            ends,
            status,
            ..
        } = arrays;
        let on_way_down = [
            offsets,
            heads,
            down_lengths,
            down_paths,
            subtrees,
            depths,
            ranks,
            climb_distance,
            climb_count,
            distance,
            count,
            status,
        ];
        let of_leaves = [&on_way_down[..], &[weights, sources, coefficient]].concat();
        let serving = [
            chain_of,
            chain_tables,
            thresholds,
            buckets,
            before,
            group_offsets,
            served,
            inside,
            end_offsets,
            ends,
        ];
        let kernels = Kernels {
            climb: kernel(
                "climb",
                &[deepest],
                &[
                    offsets,
                    heads,
                    up_lengths,
                    up_paths,
                    parents,
                    depths,
                    root_vertex,
                    climb_distance,
                    climb_count,
                ],
            )?,
            forward: kernel("forward", &[0, 1, lanes, deepest], &on_way_down)?,
            leaves: match prepared.chains {
                None => kernel("leaves", &[0, 1, lanes, deepest], &of_leaves)?,
                Some(_) => {
                    let places = [&of_leaves[..], &serving].concat();
                    kernel("leaves_serving", &[0, 1, lanes, deepest], &places)?
                }
            },
            backward: kernel(
                "backward",
                &[0, lanes, arcs, n],
                &[
                    &[chunks, pieces, lower_offsets, lower, falling[0], falling[1]][..],
                    &[subtrees, weights, ranks, sources],
                    &serving,
                    &[distance, count, coefficient, partial],
                    &[arrays.flows, arrays.scores],
                ]
                .concat(),
            )?,
            backward_reduce: kernel(
                "backward_reduce",
                &[0, 1, lanes, splits],
                &[
                    &[split_vertex, split_pieces][..],
                    &[subtrees, weights, ranks, sources],
                    &serving,
                    &[distance, count, coefficient, partial],
                    &[arrays.split_scores],
                ]
                .concat(),
            )?,
            descend: kernel(
                "descend",
                &[lanes, deepest],
                &[
                    offsets,
                    heads,
                    up_lengths,
                    up_paths,
                    parents,
                    depths,
                    root_vertex,
                    path,
                    distance,
                    coefficient,
                    climb_distance,
                    climb_count,
                    climb_any,
                    climb_score,
                ],
            )?,
            climb_sums: kernel(
                "climb_sums",
                &[lanes, deepest],
                &[
                    offsets,
                    heads,
                    up_lengths,
                    up_paths,
                    subtrees,
                    depths,
                    sorted,
                    lane_of,
                    climb_distance,
                    climb_count,
                    climb_any,
                    climb_score,
                    arrays.rising,
                    arrays.climb_scores,
                ],
            )?,
            path_ends: match prepared.count_endpoints {
                false => None,
                true => Some([
                    kernel(
                        "met",
                        &[lanes],
                        &[root_vertex, sources, distance, arrays.climb_scores],
                    )?,
                    kernel(
                        "reached",
                        &[lanes, n],
                        &[root_vertex, sources, distance, arrays.climb_scores],
                    )?,
                ]),
            },
            add_flows: kernel("add_tiles", &[arcs, tiles], &[arrays.flows])?,
            add_scores: kernel("add_tiles", &[n, tiles], &[arrays.scores])?,
            add_split_scores: kernel(
                "add_tiles",
                &[splits, tiles * SLOTS],
                &[arrays.split_scores],
            )?,
        };
        Ok(OnDevice {
            arrays,
            kernels,
            buffers,
            bytes: total,
        })
    }
}
