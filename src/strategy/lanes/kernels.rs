//! The memory of a batch on the device, and its kernels with their arguments.

use std::ops::{Index, IndexMut};

use Array::*;

use super::graph::{DeviceChunks, DeviceGraph};
use super::sizes::{Array, Needs, Sizes};
use crate::device::buffers::{BufferId, BufferSet, Buffers, DeviceBuffer};
use crate::device::launch::{Arg, KernelSet, Launcher};
use crate::device::wait::finish;
use crate::device::{DeviceError, Queue, Session};

/// The buffers of a batch.
pub struct Memory {
    /// In the order of [`Array`].
    ids: Vec<BufferId>,
    buffers: Buffers,
}

impl Memory {
    /// Allocates all buffers, and migrates them to the device.
    pub fn new(
        session: &Session,
        queue: &Queue,
        needs: &Needs,
        sizes: &Sizes,
    ) -> Result<Memory, DeviceError> {
        let mut set = BufferSet::new(session);
        let (mut ids, mut unset) = (Vec::new(), Vec::new());
        for (array, what, bytes, zeroed) in sizes.buffers(needs) {
            debug_assert_eq!(array as usize, ids.len());
            if zeroed {
                ids.push(set.zeroed(what, bytes));
            } else {
                ids.push(set.unset(what, bytes));
                unset.extend(ids.last());
            }
        }
        let buffers = set.make()?;
        finish(&session.queue)?;
        buffers.settle(queue, unset.into_iter())?;
        finish(queue)?;
        Ok(Memory { ids, buffers })
    }

    fn args(&self, which: &[Array]) -> Vec<Arg<'_>> {
        let ids = which.iter().map(|&array| self.ids[array as usize]);
        self.buffers.args(ids)
    }
}

impl Index<Array> for Memory {
    type Output = DeviceBuffer;

    fn index(&self, array: Array) -> &DeviceBuffer {
        &self.buffers[self.ids[array as usize]]
    }
}

impl IndexMut<Array> for Memory {
    fn index_mut(&mut self, array: Array) -> &mut DeviceBuffer {
        &mut self.buffers[self.ids[array as usize]]
    }
}

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
    pub fn new(
        set: &KernelSet,
        graph: &DeviceGraph,
        memory: &Memory,
        sizes: &Sizes,
    ) -> Result<Kernels, DeviceError> {
        let needs = &graph.needs;
        let uint = |number: usize| Arg::Uint(number as u32);
        let (zero, n, tiles) = (uint(0), uint(needs.vertices), uint(sizes.tiles));
        let components = uint(needs.components);
        let of_graph = |ids: &[BufferId]| graph.buffers.args(ids.iter().copied());
        let of_batch = |which: &[Array]| memory.args(which);
        let kernel = |name, args: &[&[Arg]]| set.launcher(name, &args.concat());
        let query = graph.query.as_ref();
        let of_query = query.map_or_else(Vec::new, |query| query.args(&graph.buffers));
        let pass = vec![zero; usize::from(query.is_some())];
        let by = |arcs: &DeviceChunks, ids: &[BufferId], is_backward: bool| {
            let pass = if is_backward { &pass[..] } else { &[] };
            let sizes = [n, tiles, uint(arcs.pieces)];
            [&[zero], pass, &of_graph(ids)[..], &sizes].concat()
        };
        let (inward, outward) = (graph.in_arcs(), &graph.out_arcs);
        let component_of = of_graph(&[graph.component_of]);
        // The arrays that both kernels of a direction have, in the order of their parameters.
        let forward = of_batch(&[Todo, Levels, Sigma, Partial, PartialMask, Alive, Status]);
        let rows = of_batch(&[Levels, Sigma, Coefficient]);
        let factors = of_batch(&[FirstFactor, Factors]);
        let sums = of_batch(&[Partial, PartialMask, TileScores, Alive]);
        let backward = [&rows[..], &of_graph(&[graph.weight]), &factors, &sums].concat();
        let multiplicity = of_graph(&[graph.multiplicity]);
        let twins = [&[uint(graph.twins.into())], &multiplicity[..]].concat();
        let levels = of_batch(&[ChunkLevels]);
        let of_chunks = [&levels[..], &[components], &of_batch(&[UsedLanes])].concat();
        // The forward phase records the levels of chunks of in-arcs; undirected graphs have the
        // same chunks in both directions.
        let same_chunks = uint(graph.in_arcs.is_none().into());
        let path_ends = || -> Result<_, DeviceError> {
            let met = of_batch(&[UsedLanes, Todo, Levels, Factors, TileScores]);
            let reached = of_batch(&[UsedLanes, Roots, Todo, Reached]);
            Ok([
                kernel("met", &[&[n, tiles], &met])?,
                kernel("reached", &[&[n, tiles], &reached])?,
            ])
        };
        let arcs = |tails| {
            let ends = of_graph(&[tails, graph.targets]);
            let counts = [&[zero, zero][..], &pass, &[uint(graph.arcs)]].concat();
            let lanes = [&[n, tiles], &rows[..], &[components], &component_of].concat();
            let sums = of_batch(&[ArcSums]);
            kernel("arcs", &[&counts, &ends, &lanes, &factors, &sums])
        };
        let clear = [zero, n, tiles, uint(needs.chunks), components];
        let cleared = of_batch(&[UsedLanes, Todo, Levels, Alive, ChunkLevels]);
        let first_arcs = of_graph(&[graph.offsets, graph.targets]);
        let started = of_batch(&[Roots, RootLanes, Todo, Levels, Sigma, Alive]);
        let in_chunks = by(inward, &inward.of_chunks, false);
        let in_splits = by(inward, &inward.of_splits, false);
        let out_chunks = by(outward, &outward.of_chunks, true);
        let out_splits = by(outward, &outward.of_splits, true);
        let distances = || {
            let counts = [zero, n, tiles, uint(graph.is_unweighted.into()), components];
            let levels = of_batch(&[Levels]);
            let sums = of_batch(&[TileScores]);
            let args = [
                &counts,
                &component_of[..],
                &levels,
                &factors,
                &sums,
                &of_query,
            ];
            kernel("distances", &args)
        };
        let has_distances = needs.columns > graph.limits.len();
        Ok(Kernels {
            clear: kernel("clear", &[&clear, &component_of, &cleared])?,
            start: kernel("start", &[&first_arcs, &[n, tiles], &started, &twins])?,
            forward: [
                kernel("forward", &[&in_chunks, &forward, &of_chunks, &twins])?,
                kernel("forward_reduce", &[&in_splits, &forward, &twins])?,
            ],
            backward: [
                kernel(
                    "backward",
                    &[
                        &out_chunks,
                        &backward,
                        &of_chunks,
                        &[same_chunks],
                        &twins,
                        &of_query,
                    ],
                )?,
                kernel(
                    "backward_reduce",
                    &[
                        &out_splits,
                        &backward,
                        &[components],
                        &component_of,
                        &twins,
                        &of_query,
                    ],
                )?,
            ],
            path_ends: needs.path_ends.then(path_ends).transpose()?,
            arcs: graph.tails.map(arcs).transpose()?,
            distances: has_distances.then(distances).transpose()?,
            add_scores: kernel("scores", &[&[n, tiles], &of_batch(&[TileScores, Scores])])?,
        })
    }
}
