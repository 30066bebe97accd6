//! The engine that searches from several roots at a time, level by level, each in its own slot.
//!
//! `cl/whole_device/levels.cl` describes each kernel. The host does not wait for the end of each
//! level: it enqueues as many levels as recent searches needed, kernels beyond the end of a search
//! return at once, and the host reads which levels had vertices while the next batch of roots runs.
//! A root that is deeper than planned adds nothing, and is searched again with more levels. Roots
//! are written for a whole claim, since drivers wait for earlier commands when they copy.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::ablation::Switch;
use super::kernels::{Arcs, Kernels, Memory, SlotArrays, Step, slots};
use crate::device::buffers::{BufferSet, PendingRead, reals};
use crate::device::wait::flush;
use crate::device::{DeviceError, Session, Source};
use crate::engine::{Engine, EngineError, OwnSums, Root, Sums};
use crate::prepare::Prepared;
use crate::strategy::{DeviceEngine, EnginePlan, Strategy, take_reached};

/// Planned levels of the first roots.
const FIRST_PLAN: u32 = 16;
/// The most batches of a claim, and its intended duration.
const CLAIM_BATCHES: usize = 16;
const CLAIM_TIME: Duration = Duration::from_millis(40);

/// Roots of a claim under way, a slot each, whose rows of `found` the host has not read yet.
struct Batch {
    roots: Range<usize>,
    planned: u32,
    found: PendingRead,
}

struct DeviceSearch<'s> {
    session: &'s Session,
    kernels: Kernels,
    memory: Memory,
    prepared: &'s Prepared,
    slots: usize,
    /// Words of `found`.
    found_words: usize,
    /// The most roots of a write.
    most_roots: usize,
    /// The levels planned for the next claim, and the deepest one of this claim.
    planned: u32,
    deepest: u32,
    wanted: usize,
}

/// Makes the engine of a strategy from its program. A work-item has a virtual vertex of at most
/// `degree` arcs, or an arc if `degree` is `None`. The program has `off` switched off.
///
/// # Errors
/// If the device cannot hold the graph, or an OpenCL call fails.
pub fn engine<'s>(
    strategy: Strategy,
    session: &'s Session,
    prepared: &'s Prepared,
    source: &Source,
    degree: Option<u32>,
    off: Option<Switch>,
) -> Result<DeviceEngine<'s>, DeviceError> {
    let (n, work_group) = (prepared.graph.vertices(), source.work_group);
    let kernels = session.build(source)?;
    let mut set = BufferSet::new(session);
    let mut plan_arcs = |csr| Arcs::plan(&mut set, csr, degree, work_group);
    let out_arcs = plan_arcs(&prepared.graph);
    let in_arcs = (prepared.reverse.as_ref()).map_or_else(|| out_arcs.clone(), plan_arcs);
    let pieces = out_arcs.pieces.max(in_arcs.pieces);
    let weight = set.reals("weights", &prepared.weight);
    let multiplicity = set.reals("multiplicities", prepared.multiplicities());
    let reached = set.zeroed("reached", 4 * n);
    let records = off == Some(Switch::StructureOfArrays);
    let plan = |set: &mut _, slots| SlotArrays::plan(set, prepared, pieces, slots, records);
    let mut one = BufferSet::new(session);
    plan(&mut one, 1);
    let slots = slots(&one, set.total(), prepared);
    // A row has planned levels + 2 words; a root has at most n + 1 planned levels (see `search`).
    // Deep searches get fewer slots than they could have, which limits the time of a batch.
    let first_row = FIRST_PLAN as usize + 2;
    let longest_row = first_row.max(n + 3);
    let found_words = match session.options.numbers.searches {
        Some(_) => slots * longest_row,
        None => longest_row.max(slots * first_row),
    };
    let most_roots = CLAIM_BATCHES * slots.max(32);
    let memory = Memory {
        slots: plan(&mut set, slots),
        roots: set.unset("roots", 4 * most_roots),
        sources: set.unset("sources of roots", set.real_bytes() * most_roots),
        found: set.unset("found levels", 4 * found_words),
        out_arcs,
        in_arcs,
        weight,
        multiplicity,
        reached,
    };
    let bytes = set.total();
    set.make()?;
    let engine = DeviceSearch {
        session,
        kernels: memory.kernels(&kernels, prepared, slots, off == Some(Switch::Reduction))?,
        memory,
        prepared,
        slots,
        found_words,
        most_roots,
        planned: FIRST_PLAN,
        deepest: 0,
        wanted: 8,
    };
    Ok(DeviceEngine {
        engine: Box::new(engine),
        plan: EnginePlan {
            degree,
            slots: Some(slots),
            ..EnginePlan::new(strategy, work_group, bytes)
        },
    })
}

impl DeviceSearch<'_> {
    /// Enqueues the searches of a range of the written roots, `self.planned` levels each, and the
    /// read of their rows.
    fn enqueue(&self, roots: Range<usize>) -> Result<Batch, DeviceError> {
        let (planned, queue, memory) = (self.planned, &self.session.queue, &self.memory);
        let words = roots.len() * (planned as usize + 2);
        memory.found.clear_bytes(queue, 0..4 * words)?;
        let kernels = &self.kernels;
        let launch = |steps: &[Step], level| {
            let mut steps = steps.iter();
            steps.try_for_each(|step| step.launch(queue, level, planned, &roots))
        };
        launch(&kernels.reset, 0)?;
        (0..planned).try_for_each(|level| launch(&kernels.forward, level))?;
        launch(&kernels.turn, 0)?;
        // The root takes no score, and the deepest level has nothing to pull.
        let mut levels = (1..planned.saturating_sub(1)).rev();
        levels.try_for_each(|level| launch(&kernels.backward, level))?;
        if memory.slots.arc_scores.is_some() {
            launch(&kernels.backward[..1], 0)?;
        }
        launch(&kernels.last, 0)?;
        let found = memory.found.read_later(queue, words)?;
        flush(queue)?;
        Ok(Batch {
            roots,
            planned,
            found,
        })
    }

    /// Searches from `roots`. Returns those that are deeper than planned, which add nothing.
    fn search_once(&mut self, roots: &[Root]) -> Result<Vec<Root>, EngineError> {
        let (queue, precision) = (&self.session.queue, self.session.options.precision);
        let vertices: Vec<u32> = roots.iter().map(|root| root.vertex).collect();
        let sources: Vec<f64> = roots.iter().map(|root| f64::from(root.sources)).collect();
        self.memory.roots.fill(queue, &vertices)?;
        self.memory
            .sources
            .fill(queue, &reals(&sources, precision))?;
        let (mut begun, mut before, mut too_deep) = (0, None, Vec::new());
        while begun < roots.len() {
            let end = roots.len().min(begun + self.batch_roots());
            let batch = self.enqueue(begun..end)?;
            begun = end;
            if let Some(batch) = before.replace(batch) {
                self.finish(batch, roots, &mut too_deep)?;
            }
        }
        if let Some(batch) = before {
            self.finish(batch, roots, &mut too_deep)?;
        }
        Ok(too_deep)
    }

    /// Waits for a batch of `roots`, and lists those that are too deep.
    fn finish(
        &mut self,
        batch: Batch,
        roots: &[Root],
        too_deep: &mut Vec<Root>,
    ) -> Result<(), EngineError> {
        let words = batch.found.wait()?;
        let rows = words.chunks(batch.planned as usize + 2);
        for (root, row) in roots[batch.roots].iter().zip(rows) {
            let (&overflow, levels) = row.split_first().unwrap_or((&0, &[]));
            if overflow != 0 {
                return Err(EngineError::too_many_paths(Some(root.vertex), self.session));
            }
            match levels.iter().position(|&seen| seen == 0) {
                Some(empty) => self.deepest = (empty.saturating_sub(1) as u32).max(self.deepest),
                None => too_deep.push(*root),
            }
        }
        Ok(())
    }

    /// Returns the most roots of a batch: all slots, if their rows fit into `found`.
    fn batch_roots(&self) -> usize {
        let rows = self.found_words / (self.planned as usize + 2);
        rows.clamp(1, self.slots)
    }
}

impl Engine for DeviceSearch<'_> {
    fn roots_wanted(&self) -> usize {
        self.wanted
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let start = Instant::now();
        for roots in roots.chunks(self.most_roots) {
            let planned = self.planned;
            self.deepest = 0;
            let mut too_deep = self.search_once(roots)?;
            while !too_deep.is_empty() {
                // A search of n vertices has fewer than n levels below the root.
                let n = self.prepared.graph.vertices() as u32;
                self.planned = self.planned.saturating_mul(2).min(n + 1);
                too_deep = self.search_once(&too_deep)?;
            }
            // A search of depth d needs d + 1 forward levels, the last of which finds no vertices.
            // Plans shrink slowly.
            let excess = planned.saturating_sub(self.deepest + 1);
            self.planned = (self.deepest + 1).max(planned - excess / 2);
        }
        let elapsed = start.elapsed();
        if elapsed < CLAIM_TIME / 2 {
            self.wanted = (self.wanted * 16).min(self.most_roots);
        } else if elapsed > CLAIM_TIME {
            self.wanted = (self.wanted / 2).max(1);
        }
        Ok(())
    }

    fn forget(&mut self) {
        // The order of additions depends on which roots are searched again.
        self.planned = FIRST_PLAN;
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        let (session, memory) = (self.session, &self.memory);
        for (launcher, grid) in &self.kernels.add_slots {
            launcher.enqueue(&session.queue, *grid)?;
        }
        let mut moved = self.prepared.zero_sums();
        let OwnSums { vertices, arcs } = &mut moved;
        let (queue, precision) = (&session.queue, session.score_precision());
        memory.slots.scores.move_to(queue, precision, vertices)?;
        if let (Some(scores), Some(arcs)) = (&memory.slots.arc_scores, arcs) {
            scores.move_to(queue, precision, arcs)?;
        }
        if self.prepared.count_endpoints {
            take_reached(&memory.reached, queue, &self.prepared.roots, vertices)?;
        }
        moved.move_to(sums);
        Ok(())
    }
}
