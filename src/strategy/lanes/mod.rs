//! Strategy `lanes`: batches of roots in one search, a lane each.
//!
//! Sariyuce, Saule, Kaya and Catalyurek searched from several sources at once ("Regularizing graph
//! centrality computations", 2015); here a batch is thousands of roots wide, which makes every
//! access to sigma and coef a coalesced one. `cl/lanes*.cl` say what each kernel does; [`slot`]
//! takes one batch through its levels; this file deals roots to slots.
//!
//! Two batches are under way at a time, each on a queue of its own. The host enqueues as many
//! levels as earlier batches needed and goes on with the other batch while the device tells how
//! far this one got. A batch that turns out deeper than there are level masks has added nothing to
//! the scores; its roots, and all later ones, are searched by the strategy `virtual`.

mod arcs;
mod kernels;
mod path_ends;
mod sizes;
mod slot;

use std::collections::VecDeque;

use super::{DeviceEngine, EnginePlan, Strategy, virtual_vertex};
use crate::device::buffers::{BufferPlan, DeviceBuffer};
use crate::device::wait::finish;
use crate::device::{DeviceError, Session};
use crate::engine::{Engine, EngineError, Root, Sums};
use crate::graph::Csr;
use crate::prepare::Prepared;
use crate::prepare::chunks::Chunks;
use sizes::{Needs, Sizes};
use slot::{Progress, Slot};

/// Lanes of a tile where the user asks for none: a work-group is a quarter of it. 128 was the best
/// of 64 to 512 on an H200.
pub const TILE_WIDTH: usize = 256;
/// Lanes of a work-item, one vector load of f64.
pub const ITEM_LANES: usize = 4;

/// Lanes of a tile: the widest tile that divides the lanes asked for.
pub fn tile_width(lanes: Option<u32>) -> usize {
    match lanes {
        Some(lanes) if !lanes.is_multiple_of(64) => 32,
        Some(lanes) if !lanes.is_multiple_of(128) => 64,
        Some(lanes) if !lanes.is_multiple_of(TILE_WIDTH as u32) => 128,
        _ => TILE_WIDTH,
    }
}

/// D where none is given, as measured on eight graphs on an H200: sparse graphs gain from small
/// chunks, large dense ones from large chunks; each is worth a few percent.
fn degree(graph: &Csr) -> u32 {
    const FEW_VERTICES: usize = 16_384;
    match graph.arcs() / graph.vertices().max(1) {
        ..8 => 128,
        16.. if graph.vertices() >= FEW_VERTICES => 512,
        _ => 256,
    }
}

/// One direction's chunks on the device.
struct DeviceChunks {
    first: DeviceBuffer,
    piece: DeviceBuffer,
    owners: DeviceBuffer,
    targets: DeviceBuffer,
    split_vertex: DeviceBuffer,
    split_first: DeviceBuffer,
    chunks: usize,
    splits: usize,
    pieces: usize,
}

impl DeviceChunks {
    fn upload(session: &Session, chunks: &Chunks) -> Result<Self, DeviceError> {
        Ok(DeviceChunks {
            first: DeviceBuffer::filled(session, &chunks.first)?,
            piece: DeviceBuffer::filled(session, &chunks.piece)?,
            owners: DeviceBuffer::filled(session, &chunks.owners)?,
            targets: DeviceBuffer::filled(session, &chunks.targets)?,
            split_vertex: DeviceBuffer::filled(session, &chunks.split_vertex)?,
            split_first: DeviceBuffer::filled(session, &chunks.split_first)?,
            chunks: chunks.len(),
            splits: chunks.split_vertex.len(),
            pieces: chunks.pieces(),
        })
    }
}

/// The graph on the device, shared by all slots.
struct DeviceGraph {
    vertices: usize,
    arcs: usize,
    /// CSR of the out-arcs, for the first level.
    offsets: DeviceBuffer,
    targets: DeviceBuffer,
    /// Tail of each arc, if edges are counted.
    tails: Option<DeviceBuffer>,
    weight: DeviceBuffer,
    out_arcs: DeviceChunks,
    /// None if they are the same (undirected graphs).
    in_arcs: Option<DeviceChunks>,
}

impl DeviceGraph {
    fn in_arcs(&self) -> &DeviceChunks {
        self.in_arcs.as_ref().unwrap_or(&self.out_arcs)
    }
}

struct LanesSearch<'s> {
    session: &'s Session,
    prepared: &'s Prepared,
    slots: Vec<Slot>,
    /// Slots with a batch that is not enqueued to its end yet, oldest first.
    in_flight: VecDeque<usize>,
    /// The slot whose turn it is.
    next: usize,
    /// Deepest level seen so far, here or in the sample.
    deepest: usize,
    lanes: usize,
    /// Takes over when a search is deeper than there are masks.
    deeper: Option<Box<dyn Engine + 's>>,
    // Dropped last: the slots' launchers point into it.
    graph: DeviceGraph,
}

/// Makes the engine; see [`super::Strategy::engine`].
pub fn engine<'s>(
    session: &'s Session,
    prepared: &'s Prepared,
) -> Result<DeviceEngine<'s>, DeviceError> {
    let graph = &prepared.graph;
    let degree = session.options.degree.unwrap_or_else(|| degree(graph));
    let split = |csr| {
        Chunks::new(csr, degree).ok_or(DeviceError::TooManyVertices {
            strategy: "lanes",
            limit: 1 << 31,
        })
    };
    let out_chunks = split(graph)?;
    let in_chunks = prepared.reverse.as_ref().map(split).transpose()?;
    let larger =
        |count: fn(&Chunks) -> usize| count(&out_chunks).max(in_chunks.as_ref().map_or(0, count));

    let depth = prepared.depths().last().copied().unwrap_or(0);
    let words = |count: usize| 4 * count as u64;
    let chunk_bytes =
        |c: &Chunks| words(2 * c.len() + 2 * c.owners.len() + 2 * c.split_first.len());
    let counted_arcs = if session.options.count_edges {
        graph.arcs()
    } else {
        0
    };
    let graph_bytes = words(graph.vertices() + 1 + graph.arcs() + counted_arcs)
        + 8 * graph.vertices() as u64
        + chunk_bytes(&out_chunks)
        + in_chunks.as_ref().map_or(0, chunk_bytes);
    let needs = Needs {
        vertices: graph.vertices(),
        roots: prepared.roots.len(),
        pieces: larger(Chunks::pieces),
        chunks: larger(Chunks::len),
        counted_arcs,
        graph: graph_bytes,
        depth,
    };
    let sizes = Sizes::choose(&needs, &session.info, &session.options);
    let mut plan = BufferPlan(vec![(
        "the graph's largest array",
        words(out_chunks.owners.len()),
    )]);
    for _ in 0..sizes.slots {
        plan.0
            .extend(sizes.buffers(&needs, session.options.precision.bytes()));
    }
    plan.check(&session.info)?;

    let device_graph = DeviceGraph {
        vertices: graph.vertices(),
        arcs: graph.arcs(),
        tails: session
            .options
            .count_edges
            .then(|| DeviceBuffer::filled(session, &graph.tails()))
            .transpose()?,
        offsets: DeviceBuffer::filled(session, graph.offsets())?,
        targets: DeviceBuffer::filled(session, graph.targets())?,
        weight: DeviceBuffer::reals(session, &prepared.weight)?,
        out_arcs: DeviceChunks::upload(session, &out_chunks)?,
        in_arcs: in_chunks
            .as_ref()
            .map(|chunks| DeviceChunks::upload(session, chunks))
            .transpose()?,
    };
    let slots = (0..sizes.slots)
        .map(|_| {
            Slot::new(
                session,
                &device_graph,
                &needs,
                sizes,
                prepared.count_endpoints,
            )
        })
        .collect::<Result<Vec<_>, _>>()?;
    let why = format!(
        "{} lanes as {} tiles of {}, {} in flight and masks for {} levels, for a sampled depth of {depth}",
        sizes.lanes(),
        sizes.tiles,
        sizes.width,
        if sizes.slots == 1 {
            "one batch"
        } else {
            "two batches"
        },
        sizes.planes,
    );
    Ok(DeviceEngine {
        plan: EnginePlan {
            why,
            degree: Some(degree),
            virtual_vertices: Some(needs.chunks),
            lanes: sizes.lanes(),
            batches_in_flight: sizes.slots,
            levels: Some(sizes.planes - 1),
            ..EnginePlan::new(
                Strategy::Lanes,
                session,
                plan.total() - words(out_chunks.owners.len()) + graph_bytes,
            )
        },
        engine: Box::new(LanesSearch {
            session,
            prepared,
            slots,
            in_flight: VecDeque::new(),
            next: 0,
            deepest: depth as usize,
            lanes: sizes.lanes(),
            deeper: None,
            graph: device_graph,
        }),
    })
}

impl LanesSearch<'_> {
    /// Takes the oldest batch under way to where all of it is enqueued.
    fn finish_oldest(&mut self) -> Result<(), EngineError> {
        let Some(slot) = self.in_flight.pop_front() else {
            return Ok(());
        };
        loop {
            match self.slots[slot].advance(&self.graph)? {
                Progress::Deeper => {}
                Progress::Enqueued { depth } => {
                    self.deepest = self.deepest.max(depth);
                    return Ok(());
                }
                Progress::TooDeep => {
                    let roots = self.slots[slot].roots().to_vec();
                    return self.search_deeper(&roots);
                }
            }
        }
    }

    /// Searches that have more levels than there are masks for.
    fn search_deeper(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let engine = match &mut self.deeper {
            Some(engine) => engine,
            none => none.insert(virtual_vertex::engine(self.session, self.prepared)?.engine),
        };
        engine.search(roots)
    }
}

impl Engine for LanesSearch<'_> {
    fn roots_wanted(&self) -> usize {
        self.lanes
    }

    fn roots_in_flight(&self) -> usize {
        let batches = self.in_flight.iter();
        let deeper = self
            .deeper
            .as_ref()
            .map_or(0, |engine| engine.roots_in_flight());
        deeper
            + batches
                .map(|&slot| self.slots[slot].roots().len())
                .sum::<usize>()
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        for batch in roots.chunks(self.lanes) {
            if self.in_flight.len() == self.slots.len() {
                self.finish_oldest()?;
            }
            if self.deeper.is_some() {
                self.search_deeper(batch)?;
                continue;
            }
            // Slots take turns.
            let slot = self.next;
            self.next = (slot + 1) % self.slots.len();
            self.slots[slot].begin(&self.graph, batch, self.deepest)?;
            self.in_flight.push_back(slot);
        }
        Ok(())
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        while !self.in_flight.is_empty() {
            self.finish_oldest()?;
        }
        let mut own = self.prepared.zero_sums();
        for slot in &mut self.slots {
            finish(slot.queue())?;
            if slot.overflowed()? {
                return Err(EngineError::PathCount {
                    root: None,
                    precision: self.session.options.precision,
                });
            }
            slot.take_sums(&mut own)?;
        }
        if let Some(engine) = &mut self.deeper {
            engine.collect(&mut own.lend())?;
        }
        own.move_to(sums);
        Ok(())
    }
}
