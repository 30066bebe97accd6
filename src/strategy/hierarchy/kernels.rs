//! The buffers of a search, and its kernels with their arguments.

use super::batch::{self, ITEM_LANES};
use super::layout::Layout;
use crate::device::buffers::{BufferSet, DeviceBuffer};
use crate::device::launch::{Arg, Launcher};
use crate::device::{DeviceError, Session, Source};
use crate::prepare::chains::{Split, Splits};
use crate::prepare::hierarchy::{Direction, FAR};
use crate::prepare::{Amount, Prepared};

/// The most work-items that share the arcs of a vertex in the same lanes.
pub(super) const SLOTS: usize = 16;

/// The buffers and kernels that launches use.
pub(super) struct OnDevice {
    /// The arrays of a batch, written for each batch.
    pub(super) batch: [DeviceBuffer; 10],
    /// A word, not zero if a path count has exceeded `COUNT_LIMIT` of `cl/hierarchy/hierarchy.cl`.
    pub(super) status: DeviceBuffer,
    /// Flows of falling arcs, `[tile][pass][arc to a lower vertex]`.
    pub(super) falling_flows: DeviceBuffer,
    /// Flows of rising arcs, `[arc to a higher vertex][pass]`.
    pub(super) rising_flows: DeviceBuffer,
    /// Scores of the way up, `[tile][pass][position]`.
    pub(super) scores: DeviceBuffer,
    /// Scores of split vertices, `[part of a tile][pass][split vertex]`.
    pub(super) split_scores: DeviceBuffer,
    /// Scores of rising paths and path ends, `[position][pass]`.
    pub(super) climb_scores: DeviceBuffer,
    /// Sums of distances, `[sum][position]`.
    pub(super) distance_sums: DeviceBuffer,
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
    /// Bytes of all buffers.
    pub(super) bytes: u64,
}

/// Plans lengths and path counts of arcs.
fn direction<'l>(set: &mut BufferSet<'l>, arcs: &'l Direction) -> [DeviceBuffer; 2] {
    let lengths = set.filled("overlay lengths", &arcs.lengths);
    [lengths, set.reals("overlay paths", &arcs.paths)]
}

/// Plans the tables of chains, in the order of the kernels' parameters: `first`, `last`, `bucket`
/// and `shift` of each chain, thresholds, buckets, and sources inside before each threshold.
fn tables<'l>(set: &mut BufferSet<'l>, splits: &'l Splits) -> [DeviceBuffer; 4] {
    let numbers = |split: &Split| [split.first, split.last, split.bucket, split.shift];
    let chains: Vec<_> = splits.chains.iter().map(numbers).collect();
    [
        set.filled("chains", chains),
        set.filled("thresholds of chains", &splits.thresholds),
        set.filled("buckets of chains", &splits.buckets),
        set.reals("sources inside chains", &splits.before),
    ]
}

/// Returns the number of a kind of amount in kernel `add_distances`.
fn kind(amount: Amount) -> u32 {
    match amount {
        Amount::Decayed(0.0) => 0,
        Amount::Decayed(_) => 1,
        Amount::Distance => 2,
        Amount::Inverse => 3,
    }
}

impl OnDevice {
    /// Uploads the overlay, allocates the buffers of batches of `lanes` lanes, with numbers of
    /// `number_bytes` bytes in rows, and builds the kernels.
    pub(super) fn new(
        session: &Session,
        source: &Source,
        (prepared, layout): (&Prepared, &Layout),
        (lanes, number_bytes): (usize, usize),
    ) -> Result<OnDevice, DeviceError> {
        let (most_ancestors, passes) = (layout.most_ancestors(), prepared.passes().len());
        // A work-group has a tile of lanes.
        let tiles = lanes / (source.work_group * ITEM_LANES);
        let (n, arcs) = (layout.ranks.len(), layout.heads.len());
        let splits = layout.split_vertex.len();
        let limit = |limit: f64| limit.min(f64::from(FAR - 1)) as u32;
        let pass_kinds = prepared.passes().iter();
        let pass_kinds = pass_kinds.map(|pass| [limit(pass.limit), pass.stress.into()]);
        let pass_kinds = pass_kinds.chain([[prepared.zero_bits, 0]]);
        let sums = &prepared.any_query().distances;
        let distance_kinds = sums.iter().map(|sum| [kind(sum.amount), limit(sum.limit)]);
        let distance_kinds = distance_kinds.chain([[prepared.zero_bits, 0]]);
        let distances = sums.len();
        let decay = prepared.query.as_ref().map_or(0.0, |query| query.decay());
        let no_chains = Splits::default();
        let chains = prepared.chains.as_ref().map(|chains| &chains.splits);
        let chains = chains.unwrap_or(&no_chains);

        let mut set = BufferSet::new(session);
        let (score, real) = (set.score_bytes(), set.real_bytes());
        let offsets = &set.filled("overlay offsets", &layout.offsets);
        let heads = &set.filled("overlay heads", &layout.heads);
        let up = direction(&mut set, &layout.up);
        let down = layout.down.as_ref().map(|down| direction(&mut set, down));
        let [down_lengths, down_paths] = down.as_ref().unwrap_or(&up);
        let [lengths, paths] = &up;
        let falling = direction(&mut set, &layout.falling);
        let subtrees = &set.filled("subtrees", &layout.subtrees);
        let parents = &set.filled("parents", &layout.parents);
        let depths = &set.filled("depths", &layout.depths);
        let weights = &set.reals("weights", &layout.weights);
        let lower_offsets = &set.filled("lower offsets", &layout.lower_offsets);
        let lower_ends = &set.filled("lower ends", &layout.lower_ends);
        let chunks = &set.filled("chunks", &layout.chunks);
        let pieces = &set.filled("pieces of chunks", &layout.pieces);
        let split_vertex = &set.filled("split vertices", &layout.split_vertex);
        let split_pieces = &set.filled("pieces of split vertices", &layout.split_pieces);
        let chain_of = &set.filled("chains of vertices", &layout.chain_of);
        let tables = tables(&mut set, chains);
        let pass_kinds = &set.filled("kinds of passes", pass_kinds.collect::<Vec<_>>());
        let distance_kinds = distance_kinds.collect::<Vec<_>>();
        let distance_kinds = &set.filled("sums of distances", distance_kinds);
        let decay = &set.reals("decay", vec![decay]);
        let batch = batch::plan(&mut set, lanes, chains.chains.len());
        let status = set.zeroed("overflow of path counts", 4);
        let mut scores = |what, count| set.zeroed(what, count * score);
        let falling_flows = scores("flows of falling arcs", tiles * passes * arcs);
        let rising_flows = scores("flows of rising arcs", passes * arcs);
        let tile_scores = scores("scores of tiles", tiles * passes * n);
        let split_scores = scores("scores of split vertices", tiles * SLOTS * passes * splits);
        let climb_scores = scores("scores", passes * n);
        let distance_sums = scores("distances", distances * n);
        let mut of_ancestors = |what, each| set.unset(what, most_ancestors * lanes * each);
        let path = &of_ancestors("ancestors of roots", 4);
        let climb_distance = &of_ancestors("distances of ancestors", 4);
        let climb_count = &of_ancestors("path counts of ancestors", real);
        let ancestor_coefficients = &of_ancestors("coefficients of ancestors", real);
        let ancestor_scores = &of_ancestors("scores of ancestors", real);
        let mut of_vertices = |what, each| set.unset(what, n * lanes * each);
        let distance = &of_vertices("distances of all lanes", 4);
        let count = &of_vertices("path counts of all lanes", number_bytes);
        let coefficient = &of_vertices("coefficients of all lanes", passes * number_bytes);
        let partial = &set.unset("partial sums", passes * layout.most_pieces * lanes * real);
        let bytes = set.total();
        let kernels = session.build(source)?;
        set.make()?;

        let kernel = |name, numbers: &[&[usize]], buffers: &[&[&DeviceBuffer]]| {
            let numbers = numbers.concat().into_iter().map(Arg::Count);
            let buffers = buffers.concat().into_iter().map(Arg::Buffer);
            kernels.launcher(name, &numbers.chain(buffers).collect::<Vec<_>>())
        };
        let [roots, root_vertex, sources, sorted, lane_of, served @ ..] = batch.each_ref();
        let rising_arcs = [offsets, heads, lengths, paths];
        let falling_arcs = [offsets, heads, down_lengths, down_paths];
        let tree = [parents, depths, root_vertex];
        let climbed = [climb_distance, climb_count];
        let climb_sums = [ancestor_coefficients, ancestor_scores];
        // Arguments that only programs for queries have.
        let (phases, phase, of_passes) = match session.options.query {
            false => (&[][..], &[][..], &[][..]),
            true => (&[passes][..], &[passes, 0][..], &[pass_kinds, decay][..]),
        };
        let serving = [&[chain_of], &tables.each_ref()[..], &served].concat();
        let (leaves, if_served) = match prepared.chains {
            None => ("leaves", &[][..]),
            Some(_) => ("leaves_serving", &serving[..]),
        };
        let (levels, of_splits) = ([0, 1, lanes, most_ancestors], [0, 1, lanes, splits]);
        let (above, here) = ([subtrees, depths, roots], [distance, count, &status]);
        let down = [&above, &climbed[..], &here].concat();
        let ends = [weights, sources, coefficient];
        let of_leaves = [&falling_arcs, &down[..], &ends, if_served, of_passes];
        let targets = [subtrees, weights, roots, sources];
        let rows = [distance, count, coefficient, partial];
        let back = [&targets, &serving[..], &rows].concat();
        let lower_arcs = [chunks, pieces, lower_offsets, lower_ends];
        let lower_arcs = [&lower_arcs, &falling.each_ref()[..]].concat();
        let of_chunks = [
            &lower_arcs[..],
            &back,
            &[&falling_flows, &tile_scores],
            of_passes,
        ];
        let split = [split_vertex, split_pieces];
        let of_pieces = [&split, &back[..], &[&split_scores], of_passes];
        let rows = [path, distance, coefficient];
        let of_descent = [&rising_arcs[..], &tree, &rows, &climbed, &climb_sums];
        let ranks = [subtrees, depths, sorted, lane_of];
        let totals = [&rising_flows, &climb_scores];
        let of_sums = [&rising_arcs, &ranks[..], &climbed, &climb_sums, &totals];
        let add_distances = || {
            let buffers = [distance_kinds, decay, sources, distance, &distance_sums];
            kernel("add_distances", &[&[lanes, n, distances]], &[&buffers])
        };
        let path_ends = || -> Result<_, DeviceError> {
            let buffers = [root_vertex, sources, distance, &climb_scores];
            Ok([
                kernel("met", &[&[lanes]], &[&buffers])?,
                kernel("reached", &[&[lanes, n]], &[&buffers])?,
            ])
        };
        let add = |count, tiles, sums| kernel("add_tiles", &[&[count, tiles]], &[&[sums]]);
        Ok(OnDevice {
            climb: kernel(
                "climb",
                &[&[most_ancestors]],
                &[&rising_arcs, &tree, &climbed],
            )?,
            forward: kernel("forward", &[&levels], &[&falling_arcs, &down])?,
            leaves: kernel(leaves, &[&levels, phases], &of_leaves)?,
            backward: kernel("backward", &[&[0, lanes, arcs, n], phases], &of_chunks)?,
            backward_reduce: kernel("backward_reduce", &[&of_splits, phases], &of_pieces)?,
            descend: kernel("descend", &[&[lanes, most_ancestors], phase], &of_descent)?,
            climb_sums: kernel("climb_sums", &[&[lanes, most_ancestors], phase], &of_sums)?,
            path_ends: prepared.count_endpoints.then(path_ends).transpose()?,
            add_distances: (distances > 0).then(add_distances).transpose()?,
            add_flows: add(passes * arcs, tiles, &falling_flows)?,
            add_scores: add(passes * n, tiles, &tile_scores)?,
            add_split_scores: add(passes * splits, tiles * SLOTS, &split_scores)?,
            batch,
            status,
            falling_flows,
            rising_flows,
            scores: tile_scores,
            split_scores,
            climb_scores,
            distance_sums,
            bytes,
        })
    }
}
