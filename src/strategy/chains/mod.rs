//! Strategy `chains`: sweeps from junctions over a contracted graph, a work-group each.
//! [`crate::prepare::chains`] has the mathematics, `cl/chains_rows.cl` and `cl/chains_sweep.cl` say
//! how it is done.
//!
//! A sweep needs the distances and path counts from its junction and from the junctions at the
//! other ends of its chains. So a claim of roots takes two launches: one makes the rows of all
//! these, one sweeps. Roots come in clusters of neighbours, which share most of their rows.

mod claim;
mod sums;

use std::time::{Duration, Instant};

use super::root_per_group::slots;
use super::{DeviceEngine, EnginePlan, Strategy};
use crate::device::buffers::{BufferPlan, DeviceBuffer, PendingRead};
use crate::device::launch::{Arg, Grid, Launcher};
use crate::device::wait::{finish, flush};
use crate::device::{DeviceError, DeviceInfo, Session};
use crate::engine::{Engine, EngineError, Precision, Root, Sums};
use crate::prepare::{Chains, Prepared};
use claim::{Claim, Room, inner_ends};
use sums::Layout;

/// Work-items of a work-group. Frontiers of road networks are about as wide.
pub const WORK_GROUP: usize = 128;

/// Aim of one claim of roots, from when on it grows and shrinks. While the last roots of a claim
/// are searched slots stand idle, and the rows around its clusters are made for it alone.
const CLAIM_TIME: (Duration, Duration) = (Duration::from_millis(60), Duration::from_millis(200));
/// Roots of the first claim, per slot.
const FIRST_CLAIM: usize = 4;
/// Most work-groups per compute unit; [`slots`] says how many there are otherwise.
const GROUPS_PER_UNIT: usize = 12;
/// Part of the device's memory for rows.
const ROWS_PART: f64 = 0.4;
/// If sums are f32, how many roots a slot may sum up before they move to f64 on the host: this many
/// on average.
const F32_ROOTS: usize = 256;
/// Words of `status` for a launch: see `cl/claim.cl`.
const STATUS_WORDS: usize = 2;

struct ChainSweeps<'s> {
    session: &'s Session,
    chains: &'s Chains,
    work_group: usize,
    make_rows: Launcher,
    sweep: Launcher,
    add_slots: Launcher,
    /// Junction of each row of the claim.
    rows: DeviceBuffer,
    sweeps: DeviceBuffer,
    beyond_ends: DeviceBuffer,
    /// Progress of the two launches of a claim.
    status: [DeviceBuffer; 2],
    /// Sums over the slots, of type SCORE.
    slot_sums: DeviceBuffer,
    /// Everything else the launchers point to.
    _buffers: Vec<DeviceBuffer>,
    /// Number of each chain among those with an interior.
    inner: Vec<u32>,
    layout: Layout,
    slots: usize,
    room: Room,
    claim: Claim,
    wanted: usize,
    /// Roots since the device's sums were last moved to `sums`.
    unmoved: usize,
    /// Sums moved to the host since the last collect.
    sums: Vec<f64>,
}

/// Bytes of the arrays of a row, of one number per junction each.
fn row_bytes(junctions: usize, real: usize) -> [(&'static str, u64); 4] {
    let bytes = |each: usize| (each * junctions) as u64;
    [
        ("distances of all rows", bytes(4)),
        ("path counts of all rows", bytes(real)),
        ("junctions by distance of all rows", bytes(8)),
        ("rounds of all rows", bytes(4) + 4),
    ]
}

/// Rows for a device: those of all junctions, or what fits its memory and its largest buffer; at
/// least those that one root needs, whether or not they fit: the check of the buffers says what
/// does not.
fn row_count(info: &DeviceInfo, chains: &Chains, needs: &[(&'static str, u64)]) -> usize {
    let bytes: u64 = needs.iter().map(|(_, bytes)| bytes).sum();
    let largest = needs.iter().map(|&(_, bytes)| bytes).max().unwrap_or(0);
    let by_memory = (info.memory as f64 * ROWS_PART) as u64 / bytes.max(1);
    let fit = by_memory.min(info.max_buffer / largest.max(1));
    let least = (0..chains.len() as u32).map(|j| inner_ends(chains, j).count() + 1);
    let least = least.max().unwrap_or(1);
    usize::try_from(fit)
        .unwrap_or(usize::MAX)
        .max(least)
        .min(chains.len().max(1))
}

/// Makes the engine; see [`Strategy::engine`].
pub fn engine<'s>(
    session: &'s Session,
    prepared: &'s Prepared,
) -> Result<DeviceEngine<'s>, DeviceError> {
    let strategy = Strategy::Chains.name();
    if prepared.reverse.is_some() {
        return Err(DeviceError::Directed { strategy });
    }
    let Some(chains) = &prepared.chains else {
        return Err(DeviceError::NotContracted { strategy });
    };
    let Session { info, options, .. } = session;
    let (real, score) = (
        options.precision.bytes(),
        options.score_precision(info).bytes(),
    );
    let work_group = session.work_group(Strategy::Chains);
    let junctions = chains.len();
    let interiors = chains.interior.len();
    let all_ends = chains.end_target.len();
    let layout = Layout::new(chains);
    let inner = layout.inner.len();
    let inner_end_count = 2 * inner;
    let bytes = |count: usize, each: usize| (count * each) as u64;

    let row_buffers = row_bytes(junctions, real);
    let rows = row_count(info, chains, &row_buffers);
    let roots = prepared.roots.len().clamp(1, rows);
    let mut plan = BufferPlan(vec![
        ("chain-ends", bytes(all_ends, 8 + 4 + real)),
        ("junctions", bytes(junctions, 4 + 4 + 2 * real)),
        ("chains", bytes(inner, 16 + 8)),
        ("prefix sums", bytes(interiors + 1, 8)),
        ("sums", bytes(layout.len(), score)),
        ("junctions of rows", bytes(rows, 4)),
        ("roots", bytes(roots, 16)),
        ("chain-ends of roots", bytes(inner_end_count, 16)),
    ]);
    plan.0
        .extend(row_buffers.map(|(what, bytes)| (what, bytes * rows as u64)));
    let slot_buffers = [
        ("open junctions of all slots", bytes(2 * junctions, 4)),
        ("targets of all slots", bytes(2 * junctions, real)),
        ("insides of all slots", bytes(all_ends, real)),
        ("coef of all slots", bytes(junctions, real)),
        ("chains of all slots", bytes(inner, 4)),
        ("sums of all slots", bytes(layout.len(), score)),
    ];
    // Half of the memory is for rows and slots together, unless there is little else.
    let taken = plan.total().min(info.memory / 4);
    let slots = slots::count(info, work_group, roots, taken, &slot_buffers)
        .min(GROUPS_PER_UNIT * info.compute_units.max(1) as usize);
    plan.0
        .extend(slot_buffers.map(|(what, bytes)| (what, bytes * slots as u64)));
    plan.check(info)?;

    let words = |numbers: &[u32]| DeviceBuffer::filled(session, numbers);
    let unset = |bytes: u64| DeviceBuffer::unset(session, bytes as usize);
    let zeroed = |bytes: u64| DeviceBuffer::zeroed(session, &session.queue, bytes as usize);
    let offsets = words(&chains.end_offsets)?;
    let ends = DeviceBuffer::filled(session, &layout.ends(chains))?;
    let shortest = words(&layout.shortest(chains))?;
    let end_chain = words(&layout.end_chain(chains))?;
    let round = DeviceBuffer::reals(session, &chains.end_round)?;
    let chain_words = DeviceBuffer::filled(session, &layout.chains(chains))?;
    let chain_ends = DeviceBuffer::filled(session, &layout.chain_ends(chains))?;
    let masses = DeviceBuffer::reals(session, &layout.masses(chains))?;
    let prefix = DeviceBuffer::filled(session, &layout.prefix(chains))?;
    let [distances, path_counts, orders, round_ends] =
        row_buffers.map(|(_, bytes)| unset(bytes * rows as u64));
    let (distances, path_counts, orders, round_ends) =
        (distances?, path_counts?, orders?, round_ends?);
    let round_counts = unset(bytes(rows, 4))?;
    // Only sums are added to, and only chains with an interior write what is inside of them.
    let of_slots = slot_buffers.map(|(_, bytes)| bytes * slots as u64);
    let [open, beyond, inside, coef, lists, all_sums] = of_slots;
    let (open, beyond, coef, lists) = (unset(open)?, unset(beyond)?, unset(coef)?, unset(lists)?);
    let (inside, all_sums) = (zeroed(inside)?, zeroed(all_sums)?);
    let row_junctions = unset(bytes(rows, 4))?;
    let sweeps = unset(bytes(roots, 16))?;
    let beyond_ends = unset(bytes(inner_end_count, 16))?;
    let status = [
        unset(4 * STATUS_WORDS as u64)?,
        unset(4 * STATUS_WORDS as u64)?,
    ];
    let slot_sums = unset(bytes(layout.len(), score))?;

    let (uint, buffer) = (|x: usize| Arg::Uint(x as u32), Arg::Buffer);
    let make_rows = Launcher::new(
        session,
        "chains_rows",
        &[
            Arg::Uint(0),
            Arg::Uint(0),
            uint(junctions),
            buffer(&row_junctions),
            buffer(&status[0]),
            buffer(&offsets),
            buffer(&ends),
            buffer(&shortest),
            buffer(&open),
            buffer(&distances),
            buffer(&path_counts),
            buffer(&orders),
            buffer(&round_ends),
            buffer(&round_counts),
        ],
    )?;
    let sweep = Launcher::new(
        session,
        "chains_sweep",
        &[
            Arg::Uint(0),
            uint(junctions),
            uint(inner),
            uint(interiors),
            Arg::Uint(u32::from(chains.uniform)),
            buffer(&sweeps),
            buffer(&beyond_ends),
            buffer(&status[1]),
            buffer(&offsets),
            buffer(&ends),
            buffer(&end_chain),
            buffer(&round),
            buffer(&chain_words),
            buffer(&chain_ends),
            buffer(&masses),
            buffer(&prefix),
            buffer(&distances),
            buffer(&path_counts),
            buffer(&orders),
            buffer(&round_ends),
            buffer(&round_counts),
            buffer(&beyond),
            buffer(&inside),
            buffer(&coef),
            buffer(&lists),
            buffer(&all_sums),
        ],
    )?;
    let add_slots = Launcher::new(
        session,
        "chains_add_slots",
        &[
            uint(layout.len()),
            uint(slots),
            buffer(&all_sums),
            buffer(&slot_sums),
        ],
    )?;
    let mut engine_plan = EnginePlan::new(Strategy::Chains, session, plan.total());
    engine_plan.why = format!(
        "{junctions} junctions, {inner} chains with {interiors} vertices inside; room for {rows} rows, \
         {slots} sweeps at a time"
    );
    engine_plan.slots = Some(slots);
    let engine = ChainSweeps {
        session,
        chains,
        work_group,
        make_rows,
        sweep,
        add_slots,
        rows: row_junctions,
        sweeps,
        beyond_ends,
        status,
        slot_sums,
        _buffers: vec![
            offsets,
            ends,
            shortest,
            end_chain,
            round,
            chain_words,
            chain_ends,
            masses,
            prefix,
            distances,
            path_counts,
            orders,
            round_ends,
            round_counts,
            open,
            beyond,
            inside,
            coef,
            lists,
            all_sums,
        ],
        inner: layout.number.clone(),
        room: Room {
            rows,
            roots,
            ends: inner_end_count,
        },
        claim: Claim::new(chains),
        wanted: (FIRST_CLAIM * slots).min(roots),
        slots,
        unmoved: 0,
        sums: vec![0.0; layout.len()],
        layout,
    };
    Ok(DeviceEngine {
        plan: engine_plan,
        engine: Box::new(engine),
    })
}

impl ChainSweeps<'_> {
    /// Sweeps from as many roots as there is room for, to their end; says how many.
    fn launch(&mut self, roots: &[Root]) -> Result<usize, EngineError> {
        let queue = &self.session.queue;
        let taken = self.claim.take(self.chains, &self.inner, self.room, roots);
        let count = self.claim.sweeps.len();
        if count == 0 {
            return Ok(taken);
        }
        self.rows.fill(queue, &self.claim.rows)?;
        self.sweeps.fill(queue, &self.claim.sweeps)?;
        if !self.claim.ends.is_empty() {
            self.beyond_ends.fill(queue, &self.claim.ends)?;
        }
        for status in &mut self.status {
            status.clear_bytes(queue, 0..4 * STATUS_WORDS)?;
        }
        let rows = self.claim.rows.len();
        let grid = |count: usize| Grid::groups(self.slots.min(count), 1, self.work_group);
        self.make_rows.set(0, Arg::Uint(rows as u32))?;
        self.make_rows.set(1, Arg::Uint(count as u32))?;
        self.make_rows.enqueue(queue, grid(rows))?;
        let status = PendingRead::enqueue(queue, &self.status[0], STATUS_WORDS)?;
        self.sweep.set(0, Arg::Uint(count as u32))?;
        self.sweep.enqueue(queue, grid(count))?;
        flush(queue)?;
        finish(queue)?;
        let status = status.wait()?;
        // The first word counts rows taken.
        if let Some(row) = (status[1] as usize).checked_sub(1) {
            let junction = self.claim.rows[row] as usize;
            return Err(EngineError::PathCount {
                root: Some(self.chains.junctions[junction]),
                precision: self.session.options.precision,
            });
        }
        self.unmoved += count;
        Ok(taken)
    }

    /// Moves the device's sums to `self.sums`.
    fn move_sums(&mut self) -> Result<(), DeviceError> {
        let Session {
            queue,
            options,
            info,
            ..
        } = self.session;
        self.add_slots
            .enqueue(queue, Grid::items(self.sums.len(), self.work_group))?;
        finish(queue)?;
        self.slot_sums
            .add_to(queue, options.score_precision(info), &mut self.sums)?;
        self.unmoved = 0;
        Ok(())
    }
}

impl Engine for ChainSweeps<'_> {
    fn roots_wanted(&self) -> usize {
        self.wanted
    }

    fn roots_together(&self) -> usize {
        self.slots
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let start = Instant::now();
        let mut rest = roots;
        while !rest.is_empty() {
            let taken = self.launch(rest)?;
            rest = &rest[taken..];
        }
        let Session { options, info, .. } = self.session;
        if options.score_precision(info) == Precision::F32 && self.unmoved >= F32_ROOTS * self.slots
        {
            self.move_sums()?;
        }
        let elapsed = start.elapsed();
        if elapsed < CLAIM_TIME.0 {
            self.wanted = (self.wanted * 2).min(self.room.roots);
        } else if elapsed > CLAIM_TIME.1 {
            self.wanted = (self.wanted / 2).max(self.slots.min(self.room.roots));
        }
        Ok(())
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        self.move_sums()?;
        self.layout.expand(self.chains, &self.sums, sums.vertices);
        self.sums.fill(0.0);
        Ok(())
    }
}
