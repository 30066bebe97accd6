//! Strategy `chains`: sweeps from junctions over a contracted graph, a work-group each.
//! [`crate::prepare::chains`] has the mathematics, `cl/chains/` says how it is done.
//!
//! A sweep needs the distances and path counts from its junction and from the junctions at the
//! other ends of its chains. So a claim of roots takes two launches: one makes the rows of all
//! these, one sweeps. Roots come in clusters of neighbours, which share most of their rows.

mod claim;
mod sums;

use std::time::{Duration, Instant};

use super::frontier::workspaces;
use super::{About, CLAIM, DeviceEngine, DeviceStrategy, EnginePlan, LengthType, Strategy, Takes};
use crate::device::buffers::{BufferSet, Buffers, PendingRead, Place};
use crate::device::launch::{Arg, Grid, Launcher};
use crate::device::wait::{finish, flush};
use crate::device::{DeviceError, DeviceInfo, DeviceOptions, Session, Source};
use crate::engine::{Engine, EngineError, Precision, Root, Sums};
use crate::prepare::{Chains, Prepared};
use claim::{Claim, Room, inner_ends};
use sums::Layout;

/// Work-items of a work-group. Frontiers of road networks are about as wide.
const WORK_GROUP: usize = 128;

/// Aim of one claim of roots, from when on it grows and shrinks. While the last roots of a claim
/// are searched workspaces stand idle, and the rows around its clusters are made for it alone.
const CLAIM_TIME: (Duration, Duration) = (Duration::from_millis(60), Duration::from_millis(200));
/// Roots of the first claim, per workspace.
const FIRST_CLAIM: usize = 4;
/// Most work-groups per compute unit; [`workspaces`] says how many there are otherwise.
const GROUPS_PER_UNIT: usize = 12;
/// Part of the device's memory for rows.
const ROWS_PART: f64 = 0.4;
/// If sums are f32, how many roots a workspace may sum up before they move to f64 on the host: this
/// many on average.
const F32_ROOTS: usize = 256;
/// Words of `status` for a launch: see `cl/claim.cl`.
const STATUS_WORDS: usize = 2;

struct ChainSweeps<'s> {
    session: &'s Session,
    chains: &'s Chains,
    work_group: usize,
    make_rows: Launcher,
    sweep: Launcher,
    add_up: Launcher,
    arrays: Arrays,
    /// Everything that the launchers point to.
    buffers: Buffers,
    layout: Layout,
    claim: Claim,
    wanted: usize,
    /// Roots since the device's sums were last moved to `sums`.
    unmoved: usize,
    /// Sums moved to the host since the last collect.
    sums: Vec<f64>,
}

/// Bytes of the arrays of a row, of one number per junction each.
fn row_bytes(junctions: usize, real: usize) -> [(&'static str, u64); 5] {
    let bytes = |each: usize| (each * junctions) as u64;
    [
        ("distances of all rows", bytes(4)),
        ("path counts of all rows", bytes(real)),
        ("junctions by distance of all rows", bytes(8)),
        ("rounds of all rows", bytes(4) + 4),
        ("numbers of rounds of all rows", 4),
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

/// See the module.
pub struct ChainsStrategy;

impl ChainsStrategy {
    fn source(options: &DeviceOptions, info: &DeviceInfo) -> Source {
        Source {
            name: "chains".into(),
            texts: &[
                CLAIM,
                include_str!("../../../cl/chains/rows.cl"),
                include_str!("../../../cl/chains/sweep.cl"),
            ],
            work_group: options.work_group_of(WORK_GROUP, info),
            macros: Vec::new(),
            optimise_for_cpu: false,
        }
    }
}

impl DeviceStrategy for ChainsStrategy {
    fn about(&self) -> &About {
        static ABOUT: About = About {
            name: "chains",
            line: "On devices: sweeps from junctions only, chains of degree-2 vertices contracted; \
                   undirected graphs",
            paper: "",
            takes: Takes {
                directed: false,
                lengths: false,
                contracted: true,
                whole: false,
                twins: false,
                edges: false,
            },
            numbers: &[],
        };
        &ABOUT
    }

    fn kernels(&self, options: &DeviceOptions, info: &DeviceInfo, _: LengthType) -> Vec<Source> {
        vec![Self::source(options, info)]
    }

    fn engine<'s>(
        &'static self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError> {
        match &prepared.chains {
            Some(chains) => engine(session, chains, prepared.roots.len()),
            None => Err(DeviceError::Refused("strategy chains has no chains".into())),
        }
    }
}

/// What an engine has on the device.
struct Arrays {
    /// Written for a claim: junction of each row, roots, and chain-ends of the roots.
    rows: Place,
    sweeps: Place,
    beyond_ends: Place,
    /// Progress of the two launches of a claim.
    status: [Place; 2],
    /// Sums of type SCORE, of all workspaces and over them.
    of_sums: [Place; 2],
    room: Room,
    /// Work-groups that sweep at a time.
    spaces: usize,
    /// Arrays of the kernel that makes rows, and of the one that sweeps, in the order of their
    /// parameters.
    of_rows: Vec<Place>,
    of_sweeps: Vec<Place>,
}

impl Arrays {
    fn plan<'p>(
        set: &mut BufferSet<'p>,
        chains: &'p Chains,
        layout: &Layout,
        all_roots: usize,
        work_group: usize,
    ) -> Arrays {
        let info = set.info();
        let (real, score) = (set.real_bytes(), set.score_bytes());
        let (junctions, inner) = (chains.len(), layout.inner.len());
        let bytes = |each: usize, count: usize| (each * count) as u64;
        let offsets = set.filled("chain-ends of junctions", &chains.end_offsets);
        let ends = set.filled("chain-ends", layout.ends(chains));
        let shortest = set.filled("shortest chains", layout.shortest(chains));
        let of_chains = [
            set.filled("chains of chain-ends", layout.end_chain(chains)),
            set.reals("rounds of chain-ends", &chains.end_round),
            set.filled("chains", layout.chains(chains)),
            set.filled("ends of chains", layout.chain_ends(chains)),
            set.reals("junctions", layout.masses(chains)),
            set.filled("prefix sums", layout.prefix(chains)),
        ];
        let row = row_bytes(junctions, real);
        let count = row_count(info, chains, &row);
        let rows_kept = row.map(|(what, bytes)| set.unset(what, bytes * count as u64));
        let room = Room {
            rows: count,
            roots: all_roots.clamp(1, count),
            ends: 2 * inner,
        };
        let rows = set.unset("junctions of rows", bytes(4, count));
        let sweeps = set.unset("roots", bytes(16, room.roots));
        let beyond_ends = set.unset("chain-ends of roots", bytes(16, room.ends));
        let status = ["progress of rows", "progress of sweeps"]
            .map(|what| set.unset(what, bytes(4, STATUS_WORDS)));
        let sums = set.unset("sums", bytes(score, layout.len()));
        let workspace = [
            ("open junctions of all workspaces", 4 * 2 * junctions),
            ("targets of all workspaces", 2 * real * junctions),
            ("coefficients of all workspaces", real * junctions),
            ("chains of all workspaces", 4 * inner),
            ("insides of all workspaces", real * chains.end_target.len()),
            ("sums of all workspaces", score * layout.len()),
        ];
        // Half of the memory is for rows and workspaces together, unless there is little else.
        let taken = set.total().min(info.memory / 4);
        let spaces = workspaces::count(info, work_group, room.roots, taken, &workspace)
            .min(GROUPS_PER_UNIT * info.compute_units.max(1) as usize);
        // Only sums are added to, and only chains with an interior write what is inside of them.
        let all = |(what, each)| (what, bytes(each, spaces));
        let [open, beyond, coefficients, lists, inside, all_sums] = workspace.map(all);
        let [open, beyond, coefficients, lists] =
            [open, beyond, coefficients, lists].map(|(what, bytes)| set.unset(what, bytes));
        let [inside, all_sums] = [inside, all_sums].map(|(what, bytes)| set.zeroed(what, bytes));
        let own = [rows, status[0], offsets, ends, shortest, open];
        let of_claim = [sweeps, beyond_ends, status[1], offsets, ends];
        let of_spaces = [beyond, inside, coefficients, lists, all_sums];
        Arrays {
            of_rows: [&own[..], &rows_kept].concat(),
            of_sweeps: [&of_claim[..], &of_chains, &rows_kept, &of_spaces].concat(),
            rows,
            sweeps,
            beyond_ends,
            status,
            of_sums: [all_sums, sums],
            room,
            spaces,
        }
    }
}

fn engine<'s>(
    session: &'s Session,
    chains: &'s Chains,
    all_roots: usize,
) -> Result<DeviceEngine<'s>, DeviceError> {
    let source = ChainsStrategy::source(&session.options, &session.info);
    let layout = Layout::new(chains);
    let (junctions, interiors) = (chains.len(), chains.interior.len());
    let inner = layout.inner.len();
    let mut set = BufferSet::new(session);
    let arrays = Arrays::plan(&mut set, chains, &layout, all_roots, source.work_group);
    let (room, spaces) = (arrays.room, arrays.spaces);
    let bytes = set.total();
    let kernels = session.build(&source)?;
    let buffers = set.make()?;
    let kernel = |name, numbers: &[usize], places: &[Place]| {
        let mut args: Vec<Arg> = numbers.iter().map(|&x| Arg::Uint(x as u32)).collect();
        args.extend(buffers.args(places.iter().copied()));
        kernels.launcher(name, &args)
    };
    let of_sweep = [0, junctions, inner, interiors, chains.uniform.into()];
    let engine = ChainSweeps {
        session,
        chains,
        work_group: source.work_group,
        make_rows: kernel("rows", &[0, 0, junctions], &arrays.of_rows)?,
        sweep: kernel("sweep", &of_sweep, &arrays.of_sweeps)?,
        add_up: kernel("add_slots", &[layout.len(), spaces], &arrays.of_sums)?,
        arrays,
        buffers,
        claim: Claim::new(chains),
        wanted: (FIRST_CLAIM * spaces).min(room.roots),
        unmoved: 0,
        sums: vec![0.0; layout.len()],
        layout,
    };
    let why = format!(
        "{junctions} junctions, {inner} chains with {interiors} vertices inside; room for {} rows, \
         {spaces} sweeps at a time",
        room.rows
    );
    Ok(DeviceEngine {
        plan: EnginePlan {
            why,
            slots: Some(spaces),
            ..EnginePlan::new(Strategy::Chains, source.work_group, bytes)
        },
        engine: Box::new(engine),
    })
}

impl ChainSweeps<'_> {
    /// Sweeps from as many roots as there is room for, to their end; says how many.
    fn launch(&mut self, roots: &[Root]) -> Result<usize, EngineError> {
        let queue = &self.session.queue;
        let (inner, room) = (&self.layout.number, self.arrays.room);
        let taken = self.claim.take(self.chains, inner, room, roots);
        let count = self.claim.sweeps.len();
        if count == 0 {
            return Ok(taken);
        }
        let (buffers, arrays) = (&mut self.buffers, &self.arrays);
        buffers[arrays.rows].fill(queue, &self.claim.rows)?;
        buffers[arrays.sweeps].fill(queue, &self.claim.sweeps)?;
        buffers[arrays.beyond_ends].fill(queue, &self.claim.ends)?;
        for status in arrays.status {
            buffers[status].clear_bytes(queue, 0..4 * STATUS_WORDS)?;
        }
        let rows = self.claim.rows.len();
        let grid = |count: usize| Grid::groups(arrays.spaces.min(count), 1, self.work_group);
        self.make_rows.set(0, Arg::Uint(rows as u32))?;
        self.make_rows.set(1, Arg::Uint(count as u32))?;
        self.make_rows.enqueue(queue, grid(rows))?;
        let status = PendingRead::enqueue(queue, &buffers[arrays.status[0]], STATUS_WORDS)?;
        self.sweep.set(0, Arg::Uint(count as u32))?;
        self.sweep.enqueue(queue, grid(count))?;
        flush(queue)?;
        finish(queue)?;
        let status = status.wait()?;
        // The first word counts rows taken.
        if let Some(row) = (status[1] as usize).checked_sub(1) {
            let root = self.chains.junctions[self.claim.rows[row] as usize];
            return Err(EngineError::too_many_paths(Some(root), self.session));
        }
        self.unmoved += count;
        Ok(taken)
    }

    /// Moves the device's sums to `self.sums`.
    fn move_sums(&mut self) -> Result<(), DeviceError> {
        let queue = &self.session.queue;
        let precision = self.session.score_precision();
        self.add_up
            .enqueue(queue, Grid::items(self.sums.len(), self.work_group))?;
        finish(queue)?;
        self.buffers[self.arrays.of_sums[1]].add_to(queue, precision, &mut self.sums)?;
        self.unmoved = 0;
        Ok(())
    }
}

impl Engine for ChainSweeps<'_> {
    fn roots_wanted(&self) -> usize {
        self.wanted
    }

    fn roots_together(&self) -> usize {
        self.arrays.spaces
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let start = Instant::now();
        let mut rest = roots;
        while !rest.is_empty() {
            let taken = self.launch(rest)?;
            rest = &rest[taken..];
        }
        let single = self.session.score_precision() == Precision::F32;
        if single && self.unmoved >= F32_ROOTS * self.arrays.spaces {
            self.move_sums()?;
        }
        let Arrays { room, spaces, .. } = self.arrays;
        let elapsed = start.elapsed();
        if elapsed < CLAIM_TIME.0 {
            self.wanted = (self.wanted * 2).min(room.roots);
        } else if elapsed > CLAIM_TIME.1 {
            self.wanted = (self.wanted / 2).max(spaces.min(room.roots));
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
