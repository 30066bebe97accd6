//! The kernels of a batch with their arguments.

use super::graph::{DeviceChunks, DeviceGraph};
use super::sizes::{Memory, Sizes};
use crate::device::DeviceError;
use crate::device::buffers::DeviceBuffer;
use crate::device::launch::{Arg, KernelSet, Launcher};

/// The kernels of a batch. The first argument of kernels of a level is the level. In programs for
/// a query, the next argument of kernels of a backward phase is the pass.
pub struct Kernels {
    pub clear: Launcher,
    pub start: Launcher,
    /// The kernel for chunks, and the kernel for vertices split into pieces.
    pub forward: [Launcher; 2],
    pub backward: [Launcher; 2],
    /// The kernels of path ends of directed graphs, if they are counted: at the targets, with a
    /// work-item for each row, and at the roots, with a work-item for each lane.
    pub path_ends: Option<[Launcher; 2]>,
    /// The kernel of dependencies of arcs (`cl/lanes/arcs.cl`), if edges are counted. Its first
    /// arguments are the deepest level and the number of tiles that have a root.
    pub arcs: Option<Launcher>,
    /// The kernel of sums of distances, if a query has any. Its first argument is the deepest
    /// level.
    pub distances: Option<Launcher>,
    pub add_scores: Launcher,
}

impl Kernels {
    /// Makes all kernels for this memory.
    pub(super) fn new<'b>(
        set: &KernelSet,
        graph: &'b DeviceGraph,
        memory: &'b Memory<DeviceBuffer>,
        sizes: &Sizes,
    ) -> Result<Kernels, DeviceError> {
        let (needs, prepared, m) = (&graph.needs, graph.prepared, memory);
        let (todo, levels, sigma, alive) = (&m.todo, &m.levels, &m.sigma, &m.alive);
        let (partial, masks, used_lanes) = (&m.partial, &m.partial_mask, &m.used_lanes);
        let numbers = [0, needs.vertices, sizes.tiles, needs.components];
        let [zero, n, tiles, components] = numbers.map(Arg::Count);
        let flag = |set: bool| Arg::Uint(set.into());
        let of = Arg::buffers;
        let kernel = |name, args: &[&[Arg]]| set.launcher(name, &args.concat());
        let query = graph.query.as_ref();
        let of_query = query.map_or_else(Vec::new, |query| query.args());
        let pass = vec![zero; usize::from(query.is_some())];
        let level = [&[zero], &pass[..]].concat();
        let component_of = of(&[&graph.component_of]);
        // The arrays that both kernels of a direction have, in the order of their parameters.
        let forward = of(&[todo, levels, sigma, partial, masks, alive, &m.status]);
        let rows = of(&[levels, sigma, &m.coefficient]);
        let factors = of(&[&m.first_factor, &m.factors]);
        let sums = of(&[partial, masks, &m.tile_scores, alive]);
        let backward = [&rows[..], &of(&[&graph.weight]), &factors, &sums].concat();
        let twins = flag(prepared.multiplicity.is_some());
        let twins = [twins, Arg::Buffer(&graph.multiplicity)];
        let (chunk_levels, of_components) = (of(&[&m.chunk_levels]), of(&[used_lanes]));
        let of_chunks = [&chunk_levels[..], &[components], &of_components].concat();
        // The forward phase records the levels of chunks of in-arcs; undirected graphs have the
        // same chunks in both directions.
        let same_chunks = flag(prepared.reverse.is_none());
        let path_ends = || -> Result<_, DeviceError> {
            let met = of(&[used_lanes, todo, levels, &m.factors, &m.tile_scores]);
            let reached = of(&[used_lanes, &m.roots, todo, &m.reached]);
            Ok([
                kernel("met", &[&[n, tiles], &met])?,
                kernel("reached", &[&[n, tiles], &reached])?,
            ])
        };
        let arcs = |tails| {
            let arcs = Arg::Count(prepared.graph.arcs());
            let counts = [&[zero, zero][..], &pass, &[arcs]].concat();
            let ends = of(&[tails, &graph.targets]);
            let lanes = [&[n, tiles], &rows[..], &[components], &component_of].concat();
            let sums = of(&[&m.arc_sums]);
            kernel("arcs", &[&counts, &ends, &lanes, &factors, &sums])
        };
        let clear = [zero, n, tiles, Arg::Count(needs.chunks), components];
        let of_clear = of(&[used_lanes, todo, levels, alive, &m.chunk_levels]);
        let first_arcs = of(&[&graph.offsets, &graph.targets]);
        let of_start = of(&[&m.roots, &m.root_lanes, todo, levels, sigma, alive]);
        let distances = || {
            let unit_factors = (prepared.roots.iter()).all(|&root| prepared.factor(root) == 1.0);
            let counts = [zero, n, tiles, flag(unit_factors), components];
            let (levels, sums) = (of(&[levels]), of(&[&m.tile_scores]));
            let args = [&component_of[..], &levels, &factors, &sums, &of_query].concat();
            kernel("distances", &[&counts, &args])
        };
        let has_distances = !prepared.any_query().distances.is_empty();
        // The arguments of a kernel of a level, before those that only one kernel has.
        let by =
            |level: &[Arg<'b>], own: &[&'b DeviceBuffer], arcs: &DeviceChunks, rest: &[Arg<'b>]| {
                let shape = [n, tiles, Arg::Count(arcs.pieces)];
                [level, &of(own), &shape, rest].concat()
            };
        let (inward, outward) = (graph.in_arcs(), &graph.out_arcs);
        let [in_chunks, out_chunks] = [inward, outward].map(|arcs| arcs.of_chunks.each_ref());
        let [in_splits, out_splits] = [inward, outward].map(|arcs| arcs.of_splits.each_ref());
        let in_chunks = by(&[zero], &in_chunks, inward, &forward);
        let in_splits = by(&[zero], &in_splits, inward, &forward);
        let out_chunks = by(&level, &out_chunks, outward, &backward);
        let out_splits = by(&level, &out_splits, outward, &backward);
        let by_chunk = [&of_chunks[..], &[same_chunks], &twins, &of_query].concat();
        let by_split = [&[components], &component_of[..], &twins, &of_query].concat();
        Ok(Kernels {
            clear: kernel("clear", &[&clear, &component_of, &of_clear])?,
            start: kernel("start", &[&first_arcs, &[n, tiles], &of_start, &twins])?,
            forward: [
                kernel("forward", &[&in_chunks, &of_chunks, &twins])?,
                kernel("forward_reduce", &[&in_splits, &twins])?,
            ],
            backward: [
                kernel("backward", &[&out_chunks, &by_chunk])?,
                kernel("backward_reduce", &[&out_splits, &by_split])?,
            ],
            path_ends: prepared.count_endpoints.then(path_ends).transpose()?,
            arcs: graph.tails.as_ref().map(arcs).transpose()?,
            distances: has_distances.then(distances).transpose()?,
            add_scores: kernel("scores", &[&[n, tiles], &of(&[&m.tile_scores, &m.scores])])?,
        })
    }
}
