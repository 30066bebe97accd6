//! The whole device on one root at a time, level by level.
//!
//! `cl/whole_device/root_per_device.cl` says what each kernel does. The host never
//! stops to ask whether a level was the last: it enqueues as many levels as recent searches
//! needed, kernels beyond the end of a search return at once, and what was found on which level
//! is read back for a whole chunk of roots while the next chunk runs. A root that turns out
//! deeper than planned has added nothing, and is searched again with more levels.

use std::time::{Duration, Instant};

use super::kernels::{Arcs, Kernels, Layout, Memory, More, Shares, Step};
use crate::device::buffers::{BufferSet, Buffers, PendingRead};
use crate::device::launch::Arg;
use crate::device::wait::flush;
use crate::device::{DeviceError, Session};
use crate::engine::{Engine, EngineError, OwnSums, Precision, Root, Sums};
use crate::graph::Csr;
use crate::prepare::Prepared;
use crate::strategy::take_reached;

/// Most words of one half of the `found` buffer: rows of planned levels + 2 for a chunk of roots.
const FOUND_WORDS: usize = 1 << 18;
/// Levels planned for the very first root.
const FIRST_PLAN: u32 = 16;
/// Aim of one claim of roots.
const CLAIM_TIME: Duration = Duration::from_millis(40);
const CLAIM_MAX: usize = 512;
/// In f32, how many roots are summed on the device before the sums move to f64 on the host.
const F32_ROOTS: usize = 256;

/// Roots whose `found` rows are still to be read.
struct Chunk {
    roots: Vec<Root>,
    planned: u32,
    /// Which half of `found` it uses.
    half: usize,
    found: PendingRead,
}

struct DeviceSearch<'s> {
    session: &'s Session,
    // Before the buffers that they point to.
    kernels: Kernels,
    memory: Memory,
    prepared: &'s Prepared,
    /// Words of one half of `found`.
    found_words: usize,
    in_flight: Option<Chunk>,
    planned: u32,
    wanted: usize,
    /// Roots since the device's sums were last moved to `sums`.
    unmoved: usize,
    /// Sums moved to the host since the last collect.
    sums: OwnSums,
    /// Whether a search has shown how deep searches are.
    depth_known: bool,
}

/// Makes an engine; also says how many bytes its buffers have, and how many items the shares of
/// arcs, in the direction that has more. `split` shares the arcs of a direction out; `kernels`
/// makes the kernels.
pub fn engine<'s>(
    session: &'s Session,
    prepared: &'s Prepared,
    work_group: usize,
    layout: Layout,
    split: impl Fn(&'s Csr) -> Shares<'s>,
    kernels: impl FnOnce(&Memory) -> Result<Kernels, DeviceError>,
) -> Result<(Box<dyn Engine + 's>, u64, usize), DeviceError> {
    let (n, arcs) = (prepared.graph.vertices(), prepared.graph.arcs());
    let out = split(&prepared.graph);
    let reverse = prepared.reverse.as_ref().map(split);
    let larger = |count: fn(&Shares) -> usize| count(&out).max(reverse.as_ref().map_or(0, count));
    let pieces = larger(|shares| shares.pieces());
    let items = larger(|shares| shares.owner.len());
    // Of the most levels that a root is ever planned: n + 1 (see finish), or what the first one
    // gets.
    let longest_row = (n + 1).max(FIRST_PLAN as usize) + 2;
    let found_words =
        (prepared.roots.len() * longest_row).clamp(longest_row, FOUND_WORDS.max(longest_row));
    let count_edges = session.options.count_edges;

    let mut set = BufferSet::new(session);
    let real = set.real_bytes();
    let words = |count: usize| 4 * count as u64;
    let reals = |count: usize| (real * count) as u64;
    let [level, sigma, coefficient, weight] = layout.plan(&mut set, &prepared.weight);
    let memory = Memory {
        n,
        work_group,
        level,
        sigma,
        coefficient,
        weight,
        twins: prepared.multiplicity.is_some(),
        multiplicity: set.reals("multiplicities", prepared.multiplicities()),
        partial: set.unset("partial sums", reals(pieces)),
        scores: set.zeroed("scores", reals(n)),
        found: ["found levels", "found levels, second half"]
            .map(|what| set.unset(what, words(found_words))),
        reached: set.zeroed("reached", words(n)),
        out_arcs: Arcs::plan(&mut set, out),
        reverse_arcs: reverse.map(|shares| Arcs::plan(&mut set, shares)),
        arc_scores: count_edges.then(|| set.zeroed("sums of arcs", reals(arcs))),
        buffers: Buffers::default(),
    };
    let bytes = set.total();
    let memory = Memory {
        buffers: set.make()?,
        ..memory
    };
    let engine = DeviceSearch {
        session,
        kernels: kernels(&memory)?,
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
    Ok((Box::new(engine), bytes, items))
}

impl DeviceSearch<'_> {
    /// Enqueues the searches of `roots`, `self.planned` levels each, and the read of their rows.
    fn enqueue(&mut self, roots: &[Root], half: usize) -> Result<Chunk, DeviceError> {
        let planned = self.planned;
        let row_words = planned as usize + 2;
        let found = &mut self.memory.buffers[self.memory.found[half]];
        let queue = &self.session.queue;
        found.clear_bytes(queue, 0..4 * roots.len() * row_words)?;
        for step in self.kernels.all() {
            step.launcher.set(2, Arg::Buffer(found))?;
            if step.more != More::Nothing {
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
                let row = (index * row_words) as u32;
                step.launcher.set(1, Arg::Uint(row))?;
                if step.more == More::Sources {
                    let sources = f64::from(root.sources);
                    step.launcher.set(4, Arg::Real(sources))?;
                }
            }
            launch(std::slice::from_ref(&self.kernels.reset), root.vertex)?;
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
        let found = PendingRead::enqueue(queue, found, roots.len() * row_words)?;
        flush(queue)?;
        Ok(Chunk {
            roots: roots.to_vec(),
            planned,
            half,
            found,
        })
    }

    /// Waits for a chunk, searches its too deep roots again, and plans the next chunks.
    fn finish(&mut self, chunk: Chunk) -> Result<(), EngineError> {
        let half = chunk.half;
        let mut deepest = 0;
        let mut too_deep = self.finish_once(chunk, &mut deepest)?;
        while !too_deep.is_empty() {
            // A search from n vertices has fewer than n levels below the root.
            self.planned = self.planned.saturating_mul(4).min(self.memory.n as u32 + 1);
            let mut still = Vec::new();
            for roots in too_deep.chunks(self.capacity()) {
                let chunk = self.enqueue(roots, half)?;
                still.extend(self.finish_once(chunk, &mut deepest)?);
            }
            too_deep = still;
        }
        // One more forward level than the depth proves the end. Plans shrink slowly.
        let needed = deepest + 1;
        self.planned = if needed >= self.planned {
            needed
        } else {
            self.planned - (self.planned - needed).div_ceil(2)
        };
        Ok(())
    }

    /// Waits for a chunk; returns its roots that were too deep for the plan.
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

    /// How many roots of the planned levels a half of `found` has rows for.
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
        let Memory {
            scores,
            arc_scores,
            reached,
            buffers,
            ..
        } = &mut self.memory;
        let kinds = [Some((*scores, vertices)), arc_scores.zip(arcs.as_mut())];
        for (place, sums) in kinds.into_iter().flatten() {
            buffers[place].add_to(queue, precision, sums)?;
            buffers[place].clear(queue)?;
        }
        if self.prepared.count_endpoints {
            let (reached, roots) = (&mut buffers[*reached], &self.prepared.roots);
            take_reached(reached, queue, roots, &mut self.sums.vertices)?;
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
