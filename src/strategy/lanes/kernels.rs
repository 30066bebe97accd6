//! What a batch is searched with: its memory on the device, and its kernels with their arguments.

use super::sizes::{Needs, Sizes};
use super::{DeviceChunks, DeviceGraph};
use crate::device::buffers::DeviceBuffer;
use crate::device::launch::{Arg, Launcher};
use crate::device::profile::Queue;
use crate::device::wait::finish;
use crate::device::{DeviceError, Session};

/// Buffers of one batch at a time; `cl/lanes.cl` says what is in them.
pub struct Memory {
    pub in_use: DeviceBuffer,
    pub roots: DeviceBuffer,
    pub factors: DeviceBuffer,
    pub levels: DeviceBuffer,
    pub alive: DeviceBuffer,
    pub status: DeviceBuffer,
    pub scores: DeviceBuffer,
    pub sigma: DeviceBuffer,
    pub coef: DeviceBuffer,
    pub todo: DeviceBuffer,
    pub tile_scores: DeviceBuffer,
    partial: DeviceBuffer,
    partial_mask: DeviceBuffer,
    chunk_levels: DeviceBuffer,
}

impl Memory {
    /// Allocates everything, on the device.
    pub fn new(
        session: &Session,
        queue: &Queue,
        vertices: usize,
        needs: &Needs,
        sizes: &Sizes,
    ) -> Result<Memory, DeviceError> {
        let real = session.options.precision.bytes();
        let score = session.options.score_precision(&session.info).bytes();
        let rows = sizes.rows(vertices);
        let lanes = sizes.lanes();
        let unset = |bytes: usize| DeviceBuffer::unset(session, bytes);
        let zeroed = |bytes: usize| DeviceBuffer::zeroed(session, queue, bytes);
        let memory = Memory {
            sigma: unset(rows * sizes.width * real)?,
            coef: unset(rows * sizes.width * real)?,
            levels: unset(rows * sizes.words() * 4 * sizes.planes)?,
            todo: unset(rows * sizes.words() * 4)?,
            partial: unset(sizes.tiles * needs.pieces * sizes.width * real)?,
            partial_mask: unset(sizes.tiles * needs.pieces * sizes.words() * 4)?,
            tile_scores: zeroed(rows * real)?,
            chunk_levels: unset(sizes.tiles * needs.chunks * 4)?,
            alive: unset(sizes.tiles * sizes.planes * 4)?,
            status: zeroed(4)?,
            scores: zeroed(vertices * score)?,
            in_use: unset(lanes / 8)?,
            roots: unset(lanes * 4)?,
            factors: unset(lanes * real)?,
        };
        let unset_ones = [
            &memory.sigma,
            &memory.coef,
            &memory.levels,
            &memory.todo,
            &memory.partial,
            &memory.partial_mask,
            &memory.chunk_levels,
            &memory.alive,
        ];
        DeviceBuffer::place(queue, &unset_ones)?;
        finish(queue)?;
        Ok(memory)
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
    pub add_scores: Launcher,
}

impl Kernels {
    /// All of them, to work on this memory.
    pub fn new(
        session: &Session,
        graph: &DeviceGraph,
        memory: &Memory,
        needs: &Needs,
        sizes: &Sizes,
    ) -> Result<Kernels, DeviceError> {
        let at = Arg::Buffer;
        let zero = Arg::Uint(0);
        let n = Arg::Uint(graph.vertices as u32);
        let tiles = Arg::Uint(sizes.tiles as u32);
        let kernel = |name, args: &[Arg]| Launcher::new(session, name, args);
        let (inward, outward) = (graph.in_arcs(), &graph.out_arcs);
        // What both kernels of a direction work on, in this order.
        let forward = [
            at(&memory.todo),
            at(&memory.levels),
            at(&memory.sigma),
            at(&memory.partial),
            at(&memory.partial_mask),
            at(&memory.alive),
            at(&memory.status),
        ];
        let backward = [
            at(&memory.levels),
            at(&memory.sigma),
            at(&memory.coef),
            at(&graph.weight),
            at(&memory.factors),
            at(&memory.partial),
            at(&memory.partial_mask),
            at(&memory.tile_scores),
            at(&memory.alive),
        ];
        let chunk_levels = at(&memory.chunk_levels);
        // The forward pass notes levels for its own chunks.
        let same_chunks = Arg::Uint(u32::from(graph.in_arcs.is_none()));
        Ok(Kernels {
            clear: kernel(
                "lanes_clear",
                &[
                    zero,
                    n,
                    tiles,
                    Arg::Uint(needs.chunks as u32),
                    at(&memory.in_use),
                    at(&memory.todo),
                    at(&memory.levels),
                    at(&memory.alive),
                    chunk_levels,
                ],
            )?,
            start: kernel(
                "lanes_start",
                &[
                    at(&graph.offsets),
                    at(&graph.targets),
                    n,
                    tiles,
                    at(&memory.roots),
                    at(&memory.todo),
                    at(&memory.levels),
                    at(&memory.sigma),
                    at(&memory.alive),
                ],
            )?,
            forward: kernel(
                "lanes_forward",
                &[&by_chunks(inward, n, tiles)[..], &forward, &[chunk_levels]].concat(),
            )?,
            forward_reduce: kernel(
                "lanes_forward_reduce",
                &[&by_splits(inward, n, tiles)[..], &forward].concat(),
            )?,
            backward: kernel(
                "lanes_backward",
                &[
                    &by_chunks(outward, n, tiles)[..],
                    &backward,
                    &[chunk_levels, same_chunks],
                ]
                .concat(),
            )?,
            backward_reduce: kernel(
                "lanes_backward_reduce",
                &[&by_splits(outward, n, tiles)[..], &backward].concat(),
            )?,
            add_scores: kernel(
                "lanes_scores",
                &[n, tiles, at(&memory.tile_scores), at(&memory.scores)],
            )?,
        })
    }
}

/// The first arguments of a kernel that goes through the chunks of a direction, the level foremost.
fn by_chunks<'b>(arcs: &'b DeviceChunks, n: Arg<'b>, tiles: Arg<'b>) -> [Arg<'b>; 8] {
    [
        Arg::Uint(0),
        Arg::Buffer(&arcs.first),
        Arg::Buffer(&arcs.piece),
        Arg::Buffer(&arcs.owners),
        Arg::Buffer(&arcs.targets),
        n,
        tiles,
        Arg::Uint(arcs.pieces as u32),
    ]
}

/// The same of one that adds up the pieces of split vertices.
fn by_splits<'b>(arcs: &'b DeviceChunks, n: Arg<'b>, tiles: Arg<'b>) -> [Arg<'b>; 6] {
    [
        Arg::Uint(0),
        Arg::Buffer(&arcs.split_vertex),
        Arg::Buffer(&arcs.split_first),
        n,
        tiles,
        Arg::Uint(arcs.pieces as u32),
    ]
}
