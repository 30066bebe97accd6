//! One work-group per root: the engine of the strategies `vertex`, `edge`, `work-efficient`,
//! `hybrid` and `warp`, whose kernels have the same parameters (`cl/root_per_group.cl`).
//!
//! As many work-groups as suit the device stay on it, each with a slot: the arrays of one search.
//! The host hands over a claim of several roots per slot, from which work-groups take their next
//! root by a counter on the device, and waits for the end of the launch.

mod form;
pub mod slots;
mod sums;

use std::time::{Duration, Instant};

use super::{DeviceEngine, EnginePlan};
use crate::device::buffers::{BufferPlan, DeviceBuffer, PendingRead};
use crate::device::launch::{Arg, Grid, Launcher};
use crate::device::wait::flush;
use crate::device::{DeviceError, Session};
use crate::engine::{Engine, EngineError, OwnSums, Precision, Root, Sums};
use crate::graph::Vertex;
use crate::prepare::Prepared;
pub use form::Knob;
use form::NEVER;
pub use form::{Form, WARP_SIZES};
use slots::STATUS_WORDS;
pub use slots::{ClaimBuffers, Slots};
pub use sums::SlotSums;

/// Aim of one claim of roots, from when on it grows and shrinks. While the last roots of a claim
/// are searched slots stand idle, so claims are longer than those of `virtual`.
const CLAIM_TIME: (Duration, Duration) = (Duration::from_millis(40), Duration::from_millis(200));
/// Roots of the first claim, per slot.
const CLAIM_FIRST: usize = 16;
/// In f32, how many roots a slot may sum up before the sums move to f64 on the host: this many on
/// average.
const F32_ROOTS: usize = 256;
/// In the second word of the status, beside the place of a root: see `STATUS_LENGTH_LOST` in
/// `cl/weighted.cl`.
const LENGTH_LOST: u32 = 1 << 31;

/// What an engine consists of that has a root on each work-group.
pub struct Parts {
    /// Searches; its first arguments are the number of roots and the knob.
    pub search: Launcher,
    /// Work-items of its work-groups.
    pub work_group: usize,
    /// Room for a claim.
    pub claims: ClaimBuffers,
    /// Sums over the slots, of vertices.
    pub vertex_sums: SlotSums,
    /// The same of arcs, if the session counts edges.
    pub arc_sums: Option<SlotSums>,
    /// Everything else the launchers point to.
    pub _buffers: Vec<DeviceBuffer>,
    /// Vertices.
    pub n: usize,
    /// Work-groups that search at a time.
    pub slots: usize,
    /// The strategy's own number.
    pub knob: Knob,
    /// What the kernels call each vertex, if not by its number.
    pub names: Option<Vec<u32>>,
}

struct GroupSearch<'s> {
    session: &'s Session,
    parts: Parts,
    wanted: usize,
    /// Roots since the device's sums were last moved to `sums`.
    unmoved: usize,
    /// Sums moved to the host since the last collect.
    sums: OwnSums,
}

/// Makes the engine of a form; see [`super::Strategy::engine`].
pub fn engine<'s>(
    session: &'s Session,
    prepared: &Prepared,
    form: Form,
) -> Result<DeviceEngine<'s>, DeviceError> {
    let options = &session.options;
    let graph = &prepared.graph;
    let reverse = prepared.reverse.as_ref();
    let n = graph.vertices();
    let work_group = session.work_group(form.strategy());
    let (knob, why) = form.knob(prepared, options, work_group)?;
    let score = options.score_precision(&session.info);
    let tails = if form.by_arcs() { graph.arcs() } else { 0 };

    let words = |count: usize| 4 * count as u64;
    let mut plan = BufferPlan(vec![
        ("CSR offsets", words(n + 1)),
        ("CSR targets", words(graph.arcs())),
        ("CSR tails", words(tails)),
        ("weights", (options.precision.bytes() * n) as u64),
        ("scores", (score.bytes() * n) as u64),
    ]);
    let mut needs = form.slot_buffers(n, options.precision).to_vec();
    if options.count_edges {
        plan.0.push(SlotSums::of_arcs(session, graph.arcs()));
        needs.push(SlotSums::of_arcs_in_slot(session, graph.arcs()));
    }
    if reverse.is_some() {
        plan.0.extend([
            ("reverse CSR offsets", words(n + 1)),
            ("reverse CSR targets", words(graph.arcs())),
            ("reverse CSR tails", words(tails)),
        ]);
    }
    let slots = Slots::plan(session, work_group, prepared, &mut plan, needs)?;

    let words = |numbers: &[u32]| DeviceBuffer::filled(session, numbers);
    let mut buffers = Vec::new();
    for csr in [Some(graph), reverse].into_iter().flatten() {
        buffers.push(words(csr.offsets())?);
        buffers.push(words(csr.targets())?);
        buffers.push(words(&if form.by_arcs() {
            csr.tails()
        } else {
            Vec::new()
        })?);
    }
    let arrays = buffers.len();
    buffers.push(DeviceBuffer::reals(session, &prepared.weight)?);
    buffers.extend(slots.make(session)?);
    let claims = slots.make_claims(session)?;

    let buffer = Arg::Buffer;
    let mut args = vec![
        Arg::Uint(0),
        Arg::Uint(NEVER),
        buffer(&claims.roots),
        buffer(&claims.status),
        Arg::Uint(n as u32),
        Arg::Uint(graph.arcs() as u32),
        Arg::Uint(u32::from(reverse.is_some())),
        Arg::Uint(u32::from(prepared.count_endpoints)),
    ];
    args.extend(buffers[..3].iter().map(buffer));
    args.extend(buffers[arrays - 3..].iter().map(buffer));
    let search = Launcher::new(session, form.kernel(), &args)?;
    let add = (form.strategy(), form.add_kernel());
    let (vertex_sums, arc_sums) = SlotSums::in_order(session, add, graph, (slots.count, &buffers))?;
    let mut engine_plan = EnginePlan::new(form.strategy(), session, plan.total());
    engine_plan.why = why;
    engine_plan.slots = Some(slots.count);
    engine_plan.warp_size = knob.warp_size(form);
    let parts = Parts {
        search,
        work_group,
        claims,
        vertex_sums,
        arc_sums,
        _buffers: buffers,
        n,
        slots: slots.count,
        knob,
        names: None,
    };
    Ok(DeviceEngine {
        plan: engine_plan,
        engine: parts.engine(session),
    })
}

impl Parts {
    /// The engine.
    pub fn engine(self, session: &Session) -> Box<dyn Engine + '_> {
        Box::new(GroupSearch {
            session,
            wanted: (CLAIM_FIRST * self.slots).min(self.claims.capacity),
            unmoved: 0,
            sums: OwnSums {
                vertices: self.vertex_sums.zeros(),
                arcs: self.arc_sums.as_ref().map(SlotSums::zeros),
            },
            parts: self,
        })
    }
}

impl GroupSearch<'_> {
    /// Searches from as many roots as there is room for, to their end.
    fn launch(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let queue = &self.session.queue;
        let name = |v: Vertex| {
            self.parts
                .names
                .as_ref()
                .map_or(v, |names| names[v as usize])
        };
        let pairs: Vec<[u32; 2]> = roots.iter().map(|r| [name(r.vertex), r.sources]).collect();
        let claims = &mut self.parts.claims;
        claims.roots.fill(queue, &pairs)?;
        let words = STATUS_WORDS + roots.len();
        claims.status.clear_bytes(queue, 0..4 * words)?;
        self.parts.search.set(0, Arg::Uint(roots.len() as u32))?;
        self.parts
            .search
            .set(1, Arg::Uint(self.parts.knob.value()))?;
        let groups = self.parts.slots.min(roots.len());
        let grid = Grid::groups(groups, 1, self.parts.work_group);
        self.parts.search.enqueue(queue, grid)?;
        let status = PendingRead::enqueue(queue, &self.parts.claims.status, words)?;
        flush(queue)?;
        let status = status.wait()?;
        // The first word counts roots taken.
        if let Some(place) = (status[1] & !LENGTH_LOST).checked_sub(1) {
            let root = roots.get(place as usize).map(|root| root.vertex);
            return Err(match root {
                Some(root) if status[1] & LENGTH_LOST != 0 => EngineError::LengthLost { root },
                root => EngineError::PathCount {
                    root,
                    precision: self.session.options.precision,
                },
            });
        }
        self.parts
            .knob
            .searched(&status[STATUS_WORDS..], self.parts.n);
        self.unmoved += roots.len();
        Ok(())
    }

    /// Moves the device's sums to `self.sums`.
    fn move_sums(&mut self) -> Result<(), DeviceError> {
        let Parts {
            vertex_sums,
            arc_sums,
            ..
        } = &self.parts;
        vertex_sums.move_to(self.session, &mut self.sums.vertices)?;
        if let Some((arcs, sums)) = arc_sums.as_ref().zip(self.sums.arcs.as_mut()) {
            arcs.move_to(self.session, sums)?;
        }
        self.unmoved = 0;
        Ok(())
    }
}

impl Engine for GroupSearch<'_> {
    fn roots_wanted(&self) -> usize {
        self.wanted
    }

    fn roots_together(&self) -> usize {
        self.parts.slots
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let start = Instant::now();
        let mut rest = roots;
        while !rest.is_empty() {
            let take = rest
                .len()
                .min(self.parts.claims.capacity)
                .min(self.parts.knob.room());
            let (now, later) = rest.split_at(take);
            self.launch(now)?;
            rest = later;
        }
        if self.session.options.precision == Precision::F32
            && self.unmoved >= F32_ROOTS * self.parts.slots
        {
            self.move_sums()?;
        }
        let elapsed = start.elapsed();
        if elapsed < CLAIM_TIME.0 {
            self.wanted = (self.wanted * 4).min(self.parts.claims.capacity);
        } else if elapsed > CLAIM_TIME.1 {
            self.wanted = (self.wanted / 2).max(self.parts.slots.min(self.parts.claims.capacity));
        }
        Ok(())
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        self.move_sums()?;
        self.sums.move_to(sums);
        Ok(())
    }
}
