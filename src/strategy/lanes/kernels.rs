//! What a batch is searched with: its memory on the device, and its kernels with their arguments.

use std::ops::{Index, IndexMut};

use Of::*;

use super::graph::{DeviceChunks, DeviceGraph};
use super::sizes::{Needs, Of, Sizes, Widths};
use crate::device::buffers::{BufferSet, Buffers, DeviceBuffer, Place};
use crate::device::launch::{Arg, KernelSet, Launcher};
use crate::device::wait::finish;
use crate::device::{DeviceError, Queue, Session};

/// The buffers on the device.
pub struct Memory {
    /// In the order of [`Of`].
    places: Vec<Place>,
    buffers: Buffers,
}

impl Memory {
    /// Allocates everything, on the device.
    pub fn new(
        session: &Session,
        queue: &Queue,
        needs: &Needs,
        (sizes, widths): (&Sizes, Widths),
    ) -> Result<Memory, DeviceError> {
        let mut set = BufferSet::new(session);
        let (mut places, mut unset) = (Vec::new(), Vec::new());
        for (of, what, bytes, zeroed) in sizes.buffers(needs, widths) {
            debug_assert_eq!(of as usize, places.len());
            if zeroed {
                places.push(set.zeroed(what, bytes));
            } else {
                places.push(set.unset(what, bytes));
                unset.extend(places.last());
            }
        }
        let buffers = set.make()?;
        finish(&session.queue)?;
        buffers.settle(queue, unset.into_iter())?;
        finish(queue)?;
        Ok(Memory { places, buffers })
    }

    fn args(&self, which: &[Of]) -> Vec<Arg<'_>> {
        let places = which.iter().map(|&of| self.places[of as usize]);
        self.buffers.args(places)
    }
}

impl Index<Of> for Memory {
    type Output = DeviceBuffer;

    fn index(&self, of: Of) -> &DeviceBuffer {
        &self.buffers[self.places[of as usize]]
    }
}

impl IndexMut<Of> for Memory {
    fn index_mut(&mut self, of: Of) -> &mut DeviceBuffer {
        &mut self.buffers[self.places[of as usize]]
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
    ) -> Result<Kernels, DeviceError> {
        let uint = |number: usize| Arg::Uint(number as u32);
        let (zero, n, tiles) = (uint(0), uint(graph.vertices), uint(sizes.tiles));
        let components = uint(needs.components);
        let of_graph = |places: &[Place]| graph.buffers.args(places.iter().copied());
        let kernel = |name, args: &[&[Arg]]| set.launcher(name, &args.concat());
        let by_chunks = |arcs: &DeviceChunks| {
            let places = [
                arcs.first,
                arcs.piece,
                arcs.component,
                arcs.owners,
                arcs.targets,
            ];
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
        let of_batch = |which: &[Of]| memory.args(which);
        // What both kernels of a direction work on, in this order.
        let forward = of_batch(&[Todo, Levels, Sigma, Partial, PartialMask, Alive, Status]);
        let backward = [
            of_batch(&[Levels, Sigma, Coefficient]),
            of_graph(&[graph.weight]),
            of_batch(&[
                FirstFactor,
                Factors,
                Partial,
                PartialMask,
                TileScores,
                Alive,
            ]),
        ]
        .concat();
        let of_chunks = of_batch(&[ChunkLevels]);
        let twins = [
            &[Arg::Uint(u32::from(graph.twins))],
            &of_graph(&[graph.multiplicity])[..],
        ]
        .concat();
        let of_components = [&[components], &of_batch(&[UsedLanes])[..]].concat();
        // The forward pass notes levels for its own chunks.
        let same_chunks = Arg::Uint(u32::from(graph.in_arcs.is_none()));
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
            let rows = of_batch(&[Levels, Sigma, Coefficient]);
            let component_of = of_graph(&[graph.component_of]);
            let sums = of_batch(&[FirstFactor, Factors, ArcSums]);
            let counts = [zero, zero, uint(graph.arcs)];
            let sizes = [n, tiles];
            let args = [
                &counts[..],
                &ends,
                &sizes,
                &rows,
                &[components],
                &component_of,
                &sums,
            ];
            kernel("arcs", &args)
        };
        Ok(Kernels {
            clear: kernel(
                "clear",
                &[
                    &[zero, n, tiles, uint(needs.chunks), components],
                    &of_graph(&[graph.component_of]),
                    &of_batch(&[UsedLanes, Todo, Levels, Alive, ChunkLevels]),
                ],
            )?,
            start: kernel(
                "start",
                &[
                    &of_graph(&[graph.offsets, graph.targets]),
                    &[n, tiles],
                    &of_batch(&[Roots, RootLanes, Todo, Levels, Sigma, Alive]),
                    &twins,
                ],
            )?,
            forward: kernel(
                "forward",
                &[
                    &by_chunks(inward),
                    &forward,
                    &of_chunks,
                    &of_components,
                    &twins,
                ],
            )?,
            forward_reduce: kernel("forward_reduce", &[&by_splits(inward), &forward, &twins])?,
            backward: kernel(
                "backward",
                &[
                    &by_chunks(outward),
                    &backward,
                    &of_chunks,
                    &of_components,
                    &[same_chunks],
                    &twins,
                ],
            )?,
            backward_reduce: kernel(
                "backward_reduce",
                &[
                    &by_splits(outward),
                    &backward,
                    &[components],
                    &of_graph(&[graph.component_of]),
                    &twins,
                ],
            )?,
            path_ends: needs.path_ends.then(path_ends).transpose()?,
            arcs: graph.tails.map(arcs).transpose()?,
            add_scores: kernel("scores", &[&[n, tiles], &of_batch(&[TileScores, Scores])])?,
        })
    }
}
