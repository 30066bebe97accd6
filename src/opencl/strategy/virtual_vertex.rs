//! Strategy `virtual`: the whole device on one root at a time.
//!
//! Level-synchronous search over virtual vertices whose partial sums a second kernel adds up, as
//! in the report this program follows (`cl/virtual.cl` says what each kernel does). The host never
//! stops to ask whether a level was the last: it enqueues as many levels as recent searches
//! needed, kernels beyond the end of a search return at once, and what was found on which level
//! is read back for a whole chunk of roots while the next chunk runs. A root that turns out
//! deeper than planned has added nothing, and is searched again with more levels.

use std::time::{Duration, Instant};

use super::{DeviceEngine, EnginePlan, Strategy};
use crate::engine::{Engine, EngineError, Precision, Root};
use crate::graph::Csr;
use crate::opencl::buffers::{BufferPlan, DeviceBuffer, PendingRead};
use crate::opencl::launch::{Arg, Grid, Launcher};
use crate::opencl::wait::flush;
use crate::opencl::{DeviceError, Session};
use crate::prepare::{Prepared, VirtualVertices};

/// Words of one half of the `found` buffer: rows of planned levels + 2 for a chunk of roots.
const FOUND_WORDS: usize = 1 << 18;
/// D where none is given; measured on social graphs.
const DEGREE: u32 = 16;
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

/// What a search of planned levels came to.
enum Searched {
    /// Deepest level with a vertex.
    Depth(u32),
    /// There may be more levels than planned.
    TooDeep,
}

struct VirtualSearch<'s> {
    session: &'s Session,
    reset: Launcher,
    forward: Launcher,
    forward_reduce: Launcher,
    backward: Launcher,
    backward_reduce: Launcher,
    /// Only where path ends have to be counted by the searches.
    endpoints: Option<Launcher>,
    found: [DeviceBuffer; 2],
    scores: DeviceBuffer,
    /// Vertices reached from each root vertex, for `endpoints`.
    reached: DeviceBuffer,
    /// Everything else the launchers point to.
    _graph: Vec<DeviceBuffer>,
    n: usize,
    /// Work-items per vertex, per virtual vertex of in-arcs and of out-arcs.
    per_vertex: Grid,
    per_in_piece: Grid,
    per_out_piece: Grid,
    in_flight: Option<Chunk>,
    planned: u32,
    wanted: usize,
    /// Roots since the device's sums were last moved to `sums`.
    unmoved: usize,
    /// Sums moved to the host since the last collect.
    sums: Vec<f64>,
    /// Whether a search has shown how deep searches are.
    depth_known: bool,
}

/// Makes the engine; see [`super::Strategy::engine`].
pub fn engine<'s>(
    session: &'s Session,
    prepared: &Prepared,
) -> Result<DeviceEngine<'s>, DeviceError> {
    let Prepared { graph, reverse, .. } = prepared;
    let n = graph.vertices();
    let degree = session.options.degree.unwrap_or(DEGREE);
    let out_split = VirtualVertices::new(graph, degree);
    let in_split = reverse.as_ref().map(|r| VirtualVertices::new(r, degree));
    let pieces = in_split
        .as_ref()
        .map_or(0, |s| s.len())
        .max(out_split.len());

    let words = |count: usize| 4 * count as u64;
    let reals = |count: usize| (session.options.precision.bytes() * count) as u64;
    let found_words = FOUND_WORDS.max(n + 2);
    let mut plan = BufferPlan(vec![
        ("CSR offsets", words(n + 1)),
        ("CSR targets", words(graph.arcs())),
        ("virtual vertices", words(n + 1)),
        ("virtual vertex owners", words(out_split.len())),
        ("levels", words(n)),
        ("path counts", reals(n)),
        ("coefficients", reals(n)),
        ("weights", reals(n)),
        ("partial sums", reals(pieces)),
        ("scores", reals(n)),
        ("found levels", words(found_words)),
        ("found levels, second half", words(found_words)),
        ("reached", words(n)),
    ]);
    if let (Some(reverse), Some(split)) = (reverse, &in_split) {
        plan.0.extend([
            ("reverse CSR offsets", words(n + 1)),
            ("reverse CSR targets", words(reverse.arcs())),
            ("reverse virtual vertices", words(n + 1)),
            ("reverse virtual vertex owners", words(split.len())),
        ]);
    }
    plan.check(&session.info)?;

    let upload = |csr: &Csr, split: &VirtualVertices| -> Result<[DeviceBuffer; 4], DeviceError> {
        Ok([
            DeviceBuffer::filled(session, &split.first)?,
            DeviceBuffer::filled(session, &split.owner)?,
            DeviceBuffer::filled(session, csr.offsets())?,
            DeviceBuffer::filled(session, csr.targets())?,
        ])
    };
    let out_arcs = upload(graph, &out_split)?;
    let in_arcs = match (reverse, &in_split) {
        (Some(reverse), Some(split)) => Some(upload(reverse, split)?),
        _ => None,
    };
    let weight = DeviceBuffer::reals(session, &prepared.weight)?;
    let level = DeviceBuffer::unset(session, words(n) as usize)?;
    let sigma = DeviceBuffer::unset(session, reals(n) as usize)?;
    let coef = DeviceBuffer::unset(session, reals(n) as usize)?;
    let partial = DeviceBuffer::unset(session, reals(pieces) as usize)?;
    let scores = DeviceBuffer::zeroed(session, &session.queue, reals(n) as usize)?;
    let reached = DeviceBuffer::zeroed(session, &session.queue, words(n) as usize)?;
    let found = [
        DeviceBuffer::unset(session, words(found_words) as usize)?,
        DeviceBuffer::unset(session, words(found_words) as usize)?,
    ];

    let [out_first, out_owner, out_offsets, out_targets] = &out_arcs;
    let [in_first, in_owner, in_offsets, in_targets] = in_arcs.as_ref().unwrap_or(&out_arcs);
    let in_pieces = in_split.as_ref().unwrap_or(&out_split).len();
    let group = session.options.work_group;
    let count = Arg::Uint(n as u32);
    // The arguments that change from launch to launch (level or root, row, found, planned,
    // sources) come first and are set again before each.
    let (zero, rows) = (Arg::Uint(0), Arg::Buffer(&found[0]));
    let buffer = Arg::Buffer;
    let mut engine = VirtualSearch {
        reset: Launcher::new(
            session,
            "virtual_reset",
            &[zero, zero, rows, count, buffer(&level), buffer(&sigma)],
        )?,
        forward: Launcher::new(
            session,
            "virtual_forward",
            &[
                zero,
                zero,
                rows,
                Arg::Uint(in_pieces as u32),
                buffer(in_first),
                buffer(in_owner),
                buffer(in_offsets),
                buffer(in_targets),
                buffer(&level),
                buffer(&sigma),
                buffer(&partial),
            ],
        )?,
        forward_reduce: Launcher::new(
            session,
            "virtual_forward_reduce",
            &[
                zero,
                zero,
                rows,
                count,
                buffer(in_first),
                buffer(&partial),
                buffer(&weight),
                buffer(&level),
                buffer(&sigma),
                buffer(&coef),
            ],
        )?,
        backward: Launcher::new(
            session,
            "virtual_backward",
            &[
                zero,
                zero,
                rows,
                zero,
                Arg::Uint(out_split.len() as u32),
                buffer(out_first),
                buffer(out_owner),
                buffer(out_offsets),
                buffer(out_targets),
                buffer(&level),
                buffer(&coef),
                buffer(&partial),
            ],
        )?,
        backward_reduce: Launcher::new(
            session,
            "virtual_backward_reduce",
            &[
                zero,
                zero,
                rows,
                zero,
                Arg::Real(0.0),
                count,
                buffer(out_first),
                buffer(&partial),
                buffer(&level),
                buffer(&sigma),
                buffer(&coef),
                buffer(&scores),
            ],
        )?,
        endpoints: if prepared.count_endpoints {
            Some(Launcher::new(
                session,
                "virtual_endpoints",
                &[
                    zero,
                    zero,
                    rows,
                    zero,
                    Arg::Real(0.0),
                    count,
                    buffer(&level),
                    buffer(&reached),
                    buffer(&scores),
                ],
            )?)
        } else {
            None
        },
        session,
        found,
        scores,
        reached,
        _graph: Vec::new(),
        n,
        per_vertex: Grid::items(n, group),
        per_in_piece: Grid::items(in_pieces, group),
        per_out_piece: Grid::items(out_split.len(), group),
        in_flight: None,
        planned: FIRST_PLAN,
        wanted: 8,
        unmoved: 0,
        sums: vec![0.0; n],
        depth_known: false,
    };
    engine._graph.extend(out_arcs);
    engine._graph.extend(in_arcs.into_iter().flatten());
    engine._graph.extend([weight, level, sigma, coef, partial]);
    Ok(DeviceEngine {
        engine: Box::new(engine),
        plan: EnginePlan {
            strategy: Strategy::Virtual,
            why: String::new(),
            degree,
            virtual_vertices: pieces,
            lanes: 1,
            batches_in_flight: 1,
            levels: None,
            bytes: plan.total(),
        },
    })
}

impl VirtualSearch<'_> {
    /// Enqueues the searches of `roots`, `self.planned` levels each, and the read of their rows.
    fn enqueue(&mut self, roots: &[Root], half: usize) -> Result<Chunk, DeviceError> {
        let session = self.session;
        let planned = self.planned;
        let per_vertex = self.per_vertex;
        let row_words = planned as usize + 2;
        let found = &mut self.found[half];
        let queue = &session.queue;
        found.clear(queue)?;
        let rows = Arg::Buffer(found);
        for launcher in [
            Some(&self.reset),
            Some(&self.forward),
            Some(&self.forward_reduce),
            Some(&self.backward),
            Some(&self.backward_reduce),
            self.endpoints.as_ref(),
        ]
        .into_iter()
        .flatten()
        {
            launcher.set(2, rows)?;
        }
        self.backward.set(3, Arg::Uint(planned))?;
        self.backward_reduce.set(3, Arg::Uint(planned))?;

        for (slot, root) in roots.iter().enumerate() {
            let row = Arg::Uint((slot * row_words) as u32);
            let sources = Arg::Real(f64::from(root.sources));
            for launcher in [
                &self.forward,
                &self.forward_reduce,
                &self.backward,
                &self.backward_reduce,
            ] {
                launcher.set(1, row)?;
            }
            self.backward_reduce.set(4, sources)?;

            self.reset.set(0, Arg::Uint(root.vertex))?;
            self.reset.set(1, row)?;
            self.reset.enqueue(queue, per_vertex)?;
            for depth in 0..planned {
                for (launcher, grid) in [
                    (&self.forward, self.per_in_piece),
                    (&self.forward_reduce, per_vertex),
                ] {
                    launcher.set(0, Arg::Uint(depth))?;
                    launcher.enqueue(queue, grid)?;
                }
            }
            // The root takes no score, and the deepest level has nothing to pull.
            for depth in (1..planned.saturating_sub(1)).rev() {
                for (launcher, grid) in [
                    (&self.backward, self.per_out_piece),
                    (&self.backward_reduce, per_vertex),
                ] {
                    launcher.set(0, Arg::Uint(depth))?;
                    launcher.enqueue(queue, grid)?;
                }
            }
            if let Some(endpoints) = &self.endpoints {
                endpoints.set(0, Arg::Uint(root.vertex))?;
                endpoints.set(1, row)?;
                endpoints.set(3, Arg::Uint(planned))?;
                endpoints.set(4, sources)?;
                endpoints.enqueue(queue, per_vertex)?;
            }
        }
        let found = PendingRead::enqueue(queue, &self.found[half], roots.len() * row_words)?;
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
            self.planned = self.planned.saturating_mul(4).min(self.n as u32 + 1);
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
        for (root, row) in chunk
            .roots
            .iter()
            .zip(words.chunks(chunk.planned as usize + 2))
        {
            match self.judge(root, row)? {
                Searched::Depth(depth) => *deepest = depth.max(*deepest),
                Searched::TooDeep => too_deep.push(*root),
            }
        }
        Ok(too_deep)
    }

    fn judge(&self, root: &Root, row: &[u32]) -> Result<Searched, EngineError> {
        let (&overflow, levels) = row.split_first().unwrap_or((&0, &[]));
        if overflow != 0 {
            return Err(EngineError::PathCount {
                root: Some(root.vertex),
                precision: self.session.options.precision,
            });
        }
        match levels.iter().position(|&seen| seen == 0) {
            Some(empty) => Ok(Searched::Depth(empty.saturating_sub(1) as u32)),
            None => Ok(Searched::TooDeep),
        }
    }

    /// How many roots of the planned levels a half of `found` has rows for.
    fn capacity(&self) -> usize {
        (FOUND_WORDS / (self.planned as usize + 2)).max(1)
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
        self.scores.add_to(queue, precision, &mut self.sums)?;
        if self.endpoints.is_some() {
            self.reached.add_numbers::<u32>(queue, &mut self.sums)?;
            self.reached.clear(queue)?;
        }
        self.scores.clear(queue)?;
        self.unmoved = 0;
        Ok(())
    }
}

impl Engine for VirtualSearch<'_> {
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

    fn collect(&mut self, scores: &mut [f64]) -> Result<(), EngineError> {
        self.move_sums()?;
        for (score, sum) in scores.iter_mut().zip(&mut self.sums) {
            *score += std::mem::take(sum);
        }
        Ok(())
    }
}
