//! The buffers of a search, and its kernels with their arguments.

use super::batch::CHAIN_NUMBERS;
use super::layout::Layout;
use super::sizes::{SLOTS, Sizes};
use crate::device::buffers::{BufferId, BufferSet, Buffers};
use crate::device::launch::{Arg, Launcher};
use crate::device::{DeviceError, Session, Source};
use crate::prepare::chains::{GROUP, Split, Splits};
use crate::prepare::hierarchy::{Direction, FAR};
use crate::prepare::{Amount, Prepared};

/// The buffers that launches use.
pub(super) struct Arrays {
    /// The arrays of [`super::batch::Batch`], written for each batch: the rank, position and factor
    /// of the root of each lane.
    pub(super) roots: BufferId,
    pub(super) root_vertex: BufferId,
    pub(super) sources: BufferId,
    /// Ranks of the roots, ascending, and their lanes.
    pub(super) sorted: BufferId,
    pub(super) lane_of: BufferId,
    /// The chains that each group of lanes serves, and the ends of chains in each lane.
    pub(super) group_offsets: BufferId,
    pub(super) served: BufferId,
    pub(super) inside: BufferId,
    pub(super) end_offsets: BufferId,
    pub(super) ends: BufferId,
    /// A word, not zero if a path count has left the range of `real`.
    pub(super) status: BufferId,
    /// Flows of falling arcs, `[tile][pass][arc to a lower vertex]`.
    pub(super) flows: BufferId,
    /// Flows of rising arcs, `[arc to a higher vertex][pass]`.
    pub(super) rising: BufferId,
    /// Scores of the way up, `[tile][pass][position]`.
    pub(super) scores: BufferId,
    /// Scores of split vertices, `[part of a tile][pass][split vertex]`.
    pub(super) split_scores: BufferId,
    /// Scores of rising paths and path ends, `[position][pass]`.
    pub(super) climb_scores: BufferId,
    /// Sums of distances, `[sum][position]`.
    pub(super) distance_sums: BufferId,
}

/// The kernels of a search.
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
    /// Sums of distances, if there are any.
    pub(super) add_distances: Option<Launcher>,
    pub(super) add_flows: Launcher,
    pub(super) add_scores: Launcher,
    pub(super) add_split_scores: Launcher,
}

/// The buffers and kernels of a search.
pub(super) struct OnDevice {
    pub(super) arrays: Arrays,
    pub(super) kernels: Kernels,
    pub(super) buffers: Buffers,
    /// The number of sums of distances.
    pub(super) distances: usize,
    /// Bytes of all buffers.
    pub(super) bytes: u64,
}

/// Plans the tables of chains, in the order of the kernels' parameters: `first`, `last`, `bucket`
/// and `shift` of each chain, thresholds, buckets, and sources inside before each threshold.
fn tables(set: &mut BufferSet<'_>, splits: Splits) -> [BufferId; 4] {
    let numbers = |split: &Split| [split.first, split.last, split.bucket, split.shift];
    let chains: Vec<u32> = splits.chains.iter().flat_map(numbers).collect();
    [
        set.filled("chains", chains),
        set.filled("thresholds of chains", splits.thresholds),
        set.filled("buckets of chains", splits.buckets),
        set.reals("sources inside chains", splits.before),
    ]
}

/// Returns the number of a kind of amount in kernel `add_distances`.
fn kind(amount: Amount) -> u32 {
    match amount {
        Amount::One => 0,
        Amount::Decayed(_) => 1,
        Amount::Distance => 2,
        Amount::Inverse => 3,
    }
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
            passes,
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
        let direction = |set: &mut BufferSet<'_>, arcs: &Direction| {
            let lengths = set.filled("overlay lengths", arcs.lengths.clone());
            [lengths, set.reals("overlay paths", arcs.paths.clone())]
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
        let chains = prepared.chains.as_ref();
        let tables = tables(
            &mut set,
            chains.map_or_else(Splits::default, |c| c.splits.clone()),
        );
        let chains = chains.map_or(0, |chains| chains.splits.chains.len());
        let limit = |limit: f64| limit.min(f64::from(FAR - 1)) as u32;
        let passes_of_query = prepared.passes().iter();
        let kinds = passes_of_query.flat_map(|pass| [limit(pass.limit), pass.stress.into()]);
        let pass_kinds = set.filled("kinds of passes", kinds.collect::<Vec<u32>>());
        let sums = prepared.distance_sums();
        let kinds = sums
            .iter()
            .flat_map(|sum| [kind(sum.amount), limit(sum.limit)]);
        let distance_kinds = set.filled("sums of distances", kinds.collect::<Vec<u32>>());
        let distances = sums.len();
        let decay = prepared.query.as_ref().map_or(0.0, |query| query.decay());
        let decay = set.reals("decay", vec![decay]);
        let arrays = Arrays {
            roots: set.unset("ranks of roots", bytes(lanes, 4)),
            root_vertex: set.unset("roots", bytes(lanes, 4)),
            sources: set.unset("sources of lanes", bytes(lanes, real)),
            sorted: set.unset("ranks of roots, ascending", bytes(lanes, 4)),
            lane_of: set.unset("lanes of roots", bytes(lanes, 4)),
            end_offsets: set.unset("offsets of ends of chains", bytes(lanes + 1, 4)),
            ends: set.unset("ends of chains", bytes(2 * chains, 4)),
            group_offsets: set.unset("offsets of served chains", bytes(lanes / GROUP + 1, 4)),
            served: set.unset("served chains", bytes(chains, 4 * CHAIN_NUMBERS)),
            inside: set.unset("sources of served chains", bytes(chains, real)),
            status: set.zeroed("overflow of path counts", 4),
            flows: set.zeroed("flows of falling arcs", bytes(tiles * passes * arcs, score)),
            rising: set.zeroed("flows of rising arcs", bytes(passes * arcs, score)),
            scores: set.zeroed("scores of tiles", bytes(tiles * passes * n, score)),
            split_scores: set.zeroed(
                "scores of split vertices",
                bytes(tiles * SLOTS * passes * splits, score),
            ),
            climb_scores: set.zeroed("scores", bytes(passes * n, score)),
            distance_sums: set.zeroed("distances", bytes(distances * n, score)),
        };
        let mut of_ancestors = |what, each| set.unset(what, bytes(deepest * lanes, each));
        let path = of_ancestors("ancestors of roots", 4);
        let climbed = [
            of_ancestors("distances of ancestors", 4),
            of_ancestors("path counts of ancestors", real),
        ];
        let climb_sums = [
            of_ancestors("dependencies of ancestors", real),
            of_ancestors("scores of ancestors", real),
        ];
        let mut of_vertices = |what, each| set.unset(what, bytes(n * lanes, each));
        let distance = of_vertices("distances of all lanes", 4);
        let count = of_vertices("path counts of all lanes", row);
        let coefficient = of_vertices("coefficients of all lanes", passes * row);
        let partial = bytes(passes * layout.most_pieces * lanes, real);
        let partial = set.unset("partial sums", partial);
        let total = set.total();
        let kernels = session.build(source)?;
        let buffers = set.make()?;

        let kernel = |name, numbers: &[usize], ids: &[&[BufferId]]| {
            let mut args: Vec<Arg> = numbers.iter().map(|&number| Arg::count(number)).collect();
            args.extend(buffers.args(ids.concat()));
            kernels.launcher(name, &args)
        };
        let &Arrays {
            roots,
            root_vertex,
            sources,
            group_offsets,
            served,
            inside,
            end_offsets,
            ends,
            ..
        } = &arrays;
        let rising_arcs = [&[offsets, heads][..], &up].concat();
        let falling_arcs = [&[offsets, heads][..], &down].concat();
        let tree = [parents, depths, root_vertex];
        let rows = [distance, count];
        let serving = [
            &[chain_of][..],
            &tables,
            &[group_offsets, served, inside, end_offsets, ends],
        ]
        .concat();
        let down = [
            &[subtrees, depths, roots][..],
            &climbed,
            &rows,
            &[arrays.status],
        ]
        .concat();
        let back = [
            &[subtrees, weights, roots, sources][..],
            &serving,
            &rows,
            &[coefficient, partial],
        ]
        .concat();
        let lower_arcs = [&[chunks, pieces, lower_offsets, lower][..], &falling].concat();
        let (leaves, if_served) = match prepared.chains {
            None => ("leaves", &[][..]),
            Some(_) => ("leaves_serving", &serving[..]),
        };
        let of_leaves = [weights, sources, coefficient];
        let levels = [0, 1, lanes, deepest];
        // Arguments that only programs for queries have.
        let (phases, phase, of_passes) = match session.options.query {
            false => (&[][..], &[][..], &[][..]),
            true => (&[passes][..], &[passes, 0][..], &[pass_kinds, decay][..]),
        };
        let add_distances = || {
            let ids = [
                distance_kinds,
                decay,
                sources,
                distance,
                arrays.distance_sums,
            ];
            kernel("add_distances", &[lanes, n, distances], &[&ids])
        };
        let path_ends = || -> Result<_, DeviceError> {
            let ids = [root_vertex, sources, distance, arrays.climb_scores];
            Ok([
                kernel("met", &[lanes], &[&ids])?,
                kernel("reached", &[lanes, n], &[&ids])?,
            ])
        };
        let kernels = Kernels {
            climb: kernel("climb", &[deepest], &[&rising_arcs, &tree, &climbed])?,
            forward: kernel("forward", &levels, &[&falling_arcs, &down])?,
            leaves: kernel(
                leaves,
                &[&levels, phases].concat(),
                &[&falling_arcs, &down, &of_leaves, if_served, of_passes],
            )?,
            backward: kernel(
                "backward",
                &[&[0, lanes, arcs, n], phases].concat(),
                &[
                    &lower_arcs,
                    &back,
                    &[arrays.flows, arrays.scores],
                    of_passes,
                ],
            )?,
            backward_reduce: kernel(
                "backward_reduce",
                &[&[0, 1, lanes, splits], phases].concat(),
                &[
                    &[split_vertex, split_pieces],
                    &back,
                    &[arrays.split_scores],
                    of_passes,
                ],
            )?,
            descend: kernel(
                "descend",
                &[&[lanes, deepest], phase].concat(),
                &[
                    &rising_arcs,
                    &tree,
                    &[path, distance, coefficient],
                    &climbed,
                    &climb_sums,
                ],
            )?,
            climb_sums: kernel(
                "climb_sums",
                &[&[lanes, deepest], phase].concat(),
                &[
                    &rising_arcs,
                    &[subtrees, depths, arrays.sorted, arrays.lane_of],
                    &climbed,
                    &climb_sums,
                    &[arrays.rising, arrays.climb_scores],
                ],
            )?,
            path_ends: prepared.count_endpoints.then(path_ends).transpose()?,
            add_distances: (distances > 0).then(add_distances).transpose()?,
            add_flows: kernel("add_tiles", &[passes * arcs, tiles], &[&[arrays.flows]])?,
            add_scores: kernel("add_tiles", &[passes * n, tiles], &[&[arrays.scores]])?,
            add_split_scores: kernel(
                "add_tiles",
                &[passes * splits, tiles * SLOTS],
                &[&[arrays.split_scores]],
            )?,
        };
        Ok(OnDevice {
            arrays,
            kernels,
            buffers,
            distances,
            bytes: total,
        })
    }
}
