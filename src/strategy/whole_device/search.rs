//! The engine that searches from one root at a time on the whole device, level by level.
//!
//! `cl/whole_device/root_per_device.cl` describes each kernel. The host does not wait for the end
//! of each level: it enqueues as many levels as recent searches needed, kernels beyond the end of a
//! search return at once, and the host reads which levels had vertices for a whole chunk of roots
//! while the next chunk runs. A root that is deeper than planned adds nothing, and is searched
//! again with more levels.

use std::time::{Duration, Instant};

use super::kernels::{Arcs, Changing, Kernels, Memory, Step, plan_numbers};
use crate::device::buffers::{BufferSet, PendingRead};
use crate::device::launch::Arg;
use crate::device::wait::flush;
use crate::device::{DeviceError, Session, Source};
use crate::engine::{Engine, EngineError, OwnSums, Precision, Root, Sums};
use crate::prepare::Prepared;
use crate::strategy::{DeviceEngine, EnginePlan, Strategy, take_reached};

/// The most words of one half of the `found` buffer, which has a row of planned levels + 2 words
/// for each root of a chunk.
const FOUND_WORDS: usize = 1 << 18;
/// Planned levels of the first root.
const FIRST_PLAN: u32 = 16;
/// The intended duration of a claim of roots.
const CLAIM_TIME: Duration = Duration::from_millis(40);
const CLAIM_MAX: usize = 512;
/// In f32, the device sums this many roots before the sums move to f64 on the host.
const F32_ROOTS: usize = 256;

/// Roots under way, whose rows of `found` the host has not read yet.
struct Chunk {
    roots: Vec<Root>,
    planned: u32,
    /// The half of `found` that the chunk uses.
    half: usize,
    found: PendingRead,
}

struct DeviceSearch<'s> {
    session: &'s Session,
    kernels: Kernels,
    memory: Memory,
    prepared: &'s Prepared,
    /// Words of one half of `found`.
    found_words: usize,
    in_flight: Option<Chunk>,
    planned: u32,
    wanted: usize,
    /// Roots searched since the device's sums were last moved to `sums`.
    unmoved: usize,
    /// Sums moved to the host since the last collect.
    sums: OwnSums,
    /// Whether a search has shown how deep searches are.
    depth_known: bool,
}

/// A way of searching with the whole device.
pub struct Variant {
    /// The program with the kernels.
    pub source: Source,
    /// The most arcs of a virtual vertex; work-items have an arc each if `None`.
    pub degree: Option<u32>,
    /// Whether the numbers of a vertex are a record rather than in an array each.
    pub records: bool,
    /// Whether atomics add to the sums of vertices, in place of kernels that add up partial sums.
    pub atomics: bool,
}

/// Makes the engine of a strategy.
///
/// # Errors
/// If the device cannot hold the graph, or an OpenCL call fails.
pub fn engine<'s>(
    strategy: Strategy,
    session: &'s Session,
    prepared: &'s Prepared,
    variant: Variant,
) -> Result<DeviceEngine<'s>, DeviceError> {
    let work_group = variant.source.work_group;
    let kernels = session.build(&variant.source)?;
    let (n, arcs) = (prepared.graph.vertices(), prepared.graph.arcs());
    // A root has at most n + 1 planned levels (see `finish`), the first root FIRST_PLAN.
    let longest_row = (n + 1).max(FIRST_PLAN as usize) + 2;
    let found_words =
        (prepared.roots.len() * longest_row).clamp(longest_row, FOUND_WORDS.max(longest_row));

    let mut set = BufferSet::new(session);
    let mut plan_arcs = |csr| Arcs::plan(&mut set, csr, variant.degree, work_group);
    let out_arcs = plan_arcs(&prepared.graph);
    let in_arcs = (prepared.reverse.as_ref()).map_or_else(|| out_arcs.clone(), plan_arcs);
    let pieces = out_arcs.pieces.max(in_arcs.pieces);
    let items = out_arcs.items.max(in_arcs.items);
    let real = set.real_bytes();
    let memory = Memory {
        numbers: plan_numbers(&mut set, &prepared.weight, variant.records),
        multiplicity: set.reals("multiplicities", prepared.multiplicities()),
        partial: set.unset("partial sums", real * pieces),
        scores: set.zeroed("scores", real * n),
        found: ["found levels", "found levels, second half"]
            .map(|what| set.unset(what, 4 * found_words)),
        reached: set.zeroed("reached", 4 * n),
        out_arcs,
        in_arcs,
        arc_scores: (session.options.count_edges).then(|| set.zeroed("sums of arcs", real * arcs)),
    };
    let bytes = set.total();
    set.make()?;
    let engine = DeviceSearch {
        session,
        kernels: memory.kernels(&kernels, prepared, variant.atomics)?,
        memory,
        prepared,
        found_words,
        in_flight: None,
        planned: FIRST_PLAN,
        wanted: 8,
        unmoved: 0,
        sums: prepared.zero_sums(),
        depth_known: false,
    };
    Ok(DeviceEngine {
        engine: Box::new(engine),
        plan: EnginePlan {
            degree: variant.degree,
            virtual_vertices: variant.degree.map(|_| items),
            ..EnginePlan::new(strategy, work_group, bytes)
        },
    })
}

impl DeviceSearch<'_> {
    /// Enqueues the searches of `roots`, `self.planned` levels each, and the read of their rows.
    fn enqueue(&mut self, roots: &[Root], half: usize) -> Result<Chunk, DeviceError> {
        let planned = self.planned;
        let row_words = planned as usize + 2;
        let found = &self.memory.found[half];
        let queue = &self.session.queue;
        found.clear_bytes(queue, 0..4 * roots.len() * row_words)?;
        for step in self.kernels.all() {
            step.launcher.set(2, Arg::Buffer(found))?;
            if step.changing != Changing::Nothing {
                step.launcher.set(3, Arg::Uint(planned))?;
            }
        }
        let launch = |steps: &[Step], level_or_root: u32| {
            steps.iter().try_for_each(|step| {
                step.launcher.set(0, Arg::Uint(level_or_root))?;
                step.launcher.enqueue(queue, step.grid)
            })
        };
        for (index, root) in roots.iter().enumerate() {
            for step in self.kernels.all() {
                step.launcher.set(1, Arg::Count(index * row_words))?;
                if step.changing == Changing::Sources {
                    let sources = f64::from(root.sources);
                    step.launcher.set(4, Arg::Real(sources))?;
                }
            }
            launch(&self.kernels.reset, root.vertex)?;
            for depth in 0..planned {
                launch(&self.kernels.forward, depth)?;
            }
            launch(&self.kernels.turn, root.vertex)?;
            // The root takes no score, and the deepest level has nothing to pull.
            for depth in (1..planned.saturating_sub(1)).rev() {
                launch(&self.kernels.backward, depth)?;
            }
            if self.memory.arc_scores.is_some() {
                launch(&self.kernels.backward[..1], 0)?;
            }
            launch(&self.kernels.last, root.vertex)?;
        }
        let found = found.read_later(queue, roots.len() * row_words)?;
        flush(queue)?;
        Ok(Chunk {
            roots: roots.to_vec(),
            planned,
            half,
            found,
        })
    }

    /// Waits for a chunk, searches again from its roots that are deeper than planned, and plans the
    /// next chunks.
    fn finish(&mut self, chunk: Chunk) -> Result<(), EngineError> {
        let half = chunk.half;
        let mut deepest = 0;
        let mut too_deep = self.finish_once(chunk, &mut deepest)?;
        while !too_deep.is_empty() {
            // A search of n vertices has fewer than n levels below the root.
            let n = self.prepared.graph.vertices() as u32;
            self.planned = self.planned.saturating_mul(4).min(n + 1);
            let mut still_too_deep = Vec::new();
            for roots in too_deep.chunks(self.capacity()) {
                let chunk = self.enqueue(roots, half)?;
                still_too_deep.extend(self.finish_once(chunk, &mut deepest)?);
            }
            too_deep = still_too_deep;
        }
        // A search of depth d needs d + 1 forward levels, the last of which finds no vertices.
        // Plans shrink slowly.
        let needed = deepest + 1;
        self.planned = if needed >= self.planned {
            needed
        } else {
            self.planned - (self.planned - needed).div_ceil(2)
        };
        Ok(())
    }

    /// Waits for a chunk and returns its roots that are deeper than planned.
    fn finish_once(&self, chunk: Chunk, deepest: &mut u32) -> Result<Vec<Root>, EngineError> {
        let words = chunk.found.wait()?;
        let mut too_deep = Vec::new();
        let rows = words.chunks(chunk.planned as usize + 2);
        for (root, row) in chunk.roots.iter().zip(rows) {
            let (&overflow, levels) = row.split_first().unwrap_or((&0, &[]));
            if overflow != 0 {
                return Err(EngineError::too_many_paths(Some(root.vertex), self.session));
            }
            match levels.iter().position(|&seen| seen == 0) {
                Some(empty) => *deepest = (empty.saturating_sub(1) as u32).max(*deepest),
                None => too_deep.push(*root),
            }
        }
        Ok(too_deep)
    }

    /// Returns the number of roots whose rows fit into a half of `found`.
    fn capacity(&self) -> usize {
        (self.found_words / (self.planned as usize + 2)).max(1)
    }

    fn finish_in_flight(&mut self) -> Result<(), EngineError> {
        match self.in_flight.take() {
            Some(chunk) => self.finish(chunk),
            None => Ok(()),
        }
    }

    /// Moves the device's sums to `self.sums`.
    fn move_sums(&mut self) -> Result<(), EngineError> {
        self.finish_in_flight()?;
        let queue = &self.session.queue;
        let precision = self.session.options.precision;
        let OwnSums { vertices, arcs } = &mut self.sums;
        let memory = &self.memory;
        memory.scores.move_to(queue, precision, vertices)?;
        if let (Some(scores), Some(arcs)) = (&memory.arc_scores, arcs) {
            scores.move_to(queue, precision, arcs)?;
        }
        if self.prepared.count_endpoints {
            take_reached(&memory.reached, queue, &self.prepared.roots, vertices)?;
        }
        self.unmoved = 0;
        Ok(())
    }
}

impl Engine for DeviceSearch<'_> {
    fn roots_wanted(&self) -> usize {
        self.wanted
    }

    fn roots_in_flight(&self) -> usize {
        self.in_flight.as_ref().map_or(0, |chunk| chunk.roots.len())
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let start = Instant::now();
        let mut rest = roots;
        while !rest.is_empty() {
            let take = if self.depth_known {
                rest.len().min(self.capacity())
            } else {
                1
            };
            let (now, later) = rest.split_at(take);
            let half = self.in_flight.as_ref().map_or(0, |chunk| 1 - chunk.half);
            let chunk = self.enqueue(now, half)?;
            if let Some(before) = self.in_flight.replace(chunk) {
                self.finish(before)?;
            }
            if !self.depth_known {
                self.finish_in_flight()?;
                self.depth_known = true;
            }
            rest = later;
        }
        self.unmoved += roots.len();
        if self.session.options.precision == Precision::F32 && self.unmoved >= F32_ROOTS {
            self.move_sums()?;
        }
        let elapsed = start.elapsed();
        if elapsed < CLAIM_TIME / 2 {
            self.wanted = (self.wanted * 2).min(CLAIM_MAX);
        } else if elapsed > CLAIM_TIME {
            self.wanted = (self.wanted / 2).max(1);
        }
        Ok(())
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        self.move_sums()?;
        self.sums.move_to(sums);
        Ok(())
    }
}
