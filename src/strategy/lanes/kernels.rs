//! What a batch is searched with: its memory on the device, and its kernels with their arguments.

use super::sizes::{Needs, Sizes};
use super::{DeviceChunks, DeviceGraph};
use crate::device::buffers::{BufferSet, Buffers, Place};
use crate::device::launch::{Arg, KernelSet, Launcher};
use crate::device::wait::finish;
use crate::device::{DeviceError, Queue, Session};

/// Buffers of one batch at a time; `cl/lanes/lanes.cl` says what is in them.
pub struct Memory {
    pub in_use: Place,
    pub roots: Place,
    pub factors: Place,
    pub levels: Place,
    pub alive: Place,
    pub status: Place,
    pub scores: Place,
    /// Sums of the arcs over the batches, if edges are counted.
    pub arc_sums: Place,
    /// How many vertices each root vertex has reached, if path ends are counted.
    pub reached: Place,
    sigma: Place,
    coefficient: Place,
    todo: Place,
    tile_scores: Place,
    partial: Place,
    partial_mask: Place,
    chunk_levels: Place,
    pub buffers: Buffers,
}

impl Memory {
    /// Allocates everything, on the device.
    pub fn new(
        session: &Session,
        queue: &Queue,
        needs: &Needs,
        sizes: &Sizes,
    ) -> Result<Memory, DeviceError> {
        let mut set = BufferSet::new(session);
        let planned = sizes.buffers(needs, set.real_bytes());
        let places = planned.map(|(what, bytes, zeroed)| match zeroed {
            true => set.zeroed(what, bytes),
            false => set.unset(what, bytes),
        });
        let buffers = set.make()?;
        finish(&session.queue)?;
        let unset = places
            .into_iter()
            .zip(planned)
            .filter(|(_, (.., zeroed))| !zeroed);
        buffers.settle(queue, unset.map(|(place, _)| place))?;
        finish(queue)?;
        let [
            sigma,
            coefficient,
            levels,
            todo,
            partial,
            partial_mask,
            chunk_levels,
            alive,
            tile_scores,
            scores,
            arc_sums,
            reached,
            status,
            in_use,
            roots,
            factors,
        ] = places;
        Ok(Memory {
            in_use,
            roots,
            factors,
            levels,
            alive,
            status,
            scores,
            arc_sums,
            reached,
            sigma,
            coefficient,
            todo,
            tile_scores,
            partial,
            partial_mask,
            chunk_levels,
            buffers,
        })
    }
}

/// The kernels of a batch. The first argument of those of a level is the level.
pub struct Kernels {
    pub clear: Launcher,
    pub start: Launcher,
    pub forward: Launcher,
    pub forward_reduce: Launcher,
    pub backward: Launcher,
    pub backward_reduce: Launcher,
    /// Path ends of directed graphs, if they are counted: those of the vertices that roots have
    /// met, with a work-item for each row, and those of the roots, with one for each lane.
    pub path_ends: Option<[Launcher; 2]>,
    /// Dependencies of arcs (`cl/lanes/arcs.cl`), if edges are counted. The first arguments are the
    /// deepest level and the tiles that have a root.
    pub arcs: Option<Launcher>,
    pub add_scores: Launcher,
}

impl Kernels {
    /// All of them, to work on this memory.
    pub fn new(
        set: &KernelSet,
        graph: &DeviceGraph,
        memory: &Memory,
        needs: &Needs,
        sizes: &Sizes,
        count_endpoints: bool,
    ) -> Result<Kernels, DeviceError> {
        let uint = |number: usize| Arg::Uint(number as u32);
        let (zero, n, tiles) = (uint(0), uint(graph.vertices), uint(sizes.tiles));
        let of_graph = |places: &[Place]| graph.buffers.args(places.iter().copied());
        let of_batch = |places: &[Place]| memory.buffers.args(places.iter().copied());
        let kernel = |name, args: &[&[Arg]]| set.launcher(name, &args.concat());
        let by_chunks = |arcs: &DeviceChunks| {
            let places = [arcs.first, arcs.piece, arcs.owners, arcs.targets];
            [
                &[zero],
                &of_graph(&places)[..],
                &[n, tiles, uint(arcs.pieces)],
            ]
            .concat()
        };
        let by_splits = |arcs: &DeviceChunks| {
            let places = [arcs.split_vertex, arcs.split_first];
            [
                &[zero],
                &of_graph(&places)[..],
                &[n, tiles, uint(arcs.pieces)],
            ]
            .concat()
        };
        let (inward, outward) = (graph.in_arcs(), &graph.out_arcs);
        let &Memory {
            in_use,
            roots,
            factors,
            levels,
            alive,
            status,
            sigma,
            coefficient,
            todo,
            tile_scores,
            partial,
            partial_mask,
            chunk_levels,
            ..
        } = memory;
        let sums = [partial, partial_mask];
        // What both kernels of a direction work on, in this order.
        let forward = of_batch(&[&[todo, levels, sigma], &sums[..], &[alive, status]].concat());
        let backward = [
            of_batch(&[levels, sigma, coefficient]),
            of_graph(&[graph.weight]),
            of_batch(&[factors, partial, partial_mask, tile_scores, alive]),
        ]
        .concat();
        let of_chunks = of_batch(&[chunk_levels]);
        // The forward pass notes levels for its own chunks.
        let same_chunks = Arg::Uint(u32::from(graph.in_arcs.is_none()));
        let path_ends = || -> Result<_, DeviceError> {
            let met = of_batch(&[in_use, todo, levels, factors, tile_scores]);
            let reached = of_batch(&[roots, todo, memory.reached]);
            Ok([
                kernel("met", &[&[n, tiles], &met])?,
                kernel("reached", &[&[n, tiles], &reached])?,
            ])
        };
        let arcs = |tails| {
            let ends = of_graph(&[tails, graph.targets]);
            let batch = of_batch(&[levels, sigma, coefficient, factors, memory.arc_sums]);
            kernel(
                "arcs",
                &[&[zero, zero, uint(graph.arcs)], &ends, &[n, tiles], &batch],
            )
        };
        Ok(Kernels {
            clear: kernel(
                "clear",
                &[
                    &[zero, n, tiles, uint(needs.chunks)],
                    &of_batch(&[in_use, todo, levels, alive, chunk_levels]),
                ],
            )?,
            start: kernel(
                "start",
                &[
                    &of_graph(&[graph.offsets, graph.targets]),
                    &[n, tiles],
                    &of_batch(&[roots, todo, levels, sigma, alive]),
                ],
            )?,
            forward: kernel("forward", &[&by_chunks(inward), &forward, &of_chunks])?,
            forward_reduce: kernel("forward_reduce", &[&by_splits(inward), &forward])?,
            backward: kernel(
                "backward",
                &[&by_chunks(outward), &backward, &of_chunks, &[same_chunks]],
            )?,
            backward_reduce: kernel("backward_reduce", &[&by_splits(outward), &backward])?,
            path_ends: count_endpoints.then(path_ends).transpose()?,
            arcs: graph.tails.map(arcs).transpose()?,
            add_scores: kernel(
                "scores",
                &[&[n, tiles], &of_batch(&[tile_scores, memory.scores])],
            )?,
        })
    }
}
