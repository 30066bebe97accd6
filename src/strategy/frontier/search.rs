//! The engine of strategies that have a root on each work-group.
//!
//! As many work-groups as suit the device stay on it, each with a workspace: the arrays of one
//! search. The host hands over a claim of several roots per workspace, from which work-groups take
//! their next root by a counter on the device, and waits for the end of the launch.

use std::time::{Duration, Instant};

use super::width::{self, SAMPLE};
use super::workspaces::{STATUS_WORDS, Workspaces};
use crate::device::buffers::{BufferId, BufferSet, Buffers, PendingRead};
use crate::device::launch::{Arg, Grid, Launcher};
use crate::device::wait::{finish, flush};
use crate::device::{DeviceError, Session};
use crate::engine::{Engine, EngineError, OwnSums, Precision, Root, Sums};
use crate::graph::Vertex;
use crate::prepare::Prepared;

/// Aim of one claim of roots, from when on it grows and shrinks. While the last roots of a claim
/// are searched workspaces stand idle, so claims are longer than those of `virtual`.
const CLAIM_TIME: (Duration, Duration) = (Duration::from_millis(40), Duration::from_millis(200));
/// Roots of the first claim, per workspace.
const CLAIM_FIRST: usize = 16;
/// In f32, how many roots a workspace may sum up before the sums move to f64 on the host: this many
/// on average.
const F32_ROOTS: usize = 256;
/// In the second word of the status, beside the place of a root: see `STATUS_LENGTH_LOST` in
/// `cl/frontier/weighted.cl`.
const LENGTH_LOST: u32 = 1 << 31;

/// Sums of vertices and, where they are wanted, of arcs, over all workspaces: where each kind is
/// left, of type SCORE, and how many there are.
pub struct Scores(Vec<(BufferId, usize)>);

/// The same with the kernels that add up, and clear, what the workspaces have.
pub struct AddedScores(Vec<(Launcher, BufferId, usize)>);

impl Scores {
    /// Adds their buffers to a set.
    pub fn plan(set: &mut BufferSet, vertices: usize, arcs: Option<usize>) -> Scores {
        let bytes = set.score_bytes();
        let mut add = |what, len: usize| (set.unset(what, (bytes * len) as u64), len);
        let mut sums = vec![add("scores", vertices)];
        sums.extend(arcs.map(|arcs| add("sums of arcs", arcs)));
        Scores(sums)
    }

    /// `add` makes the kernel for the kind of an index, 0 for vertices and 1 for arcs, which leaves
    /// so many sums in a buffer; a work-item for each.
    pub fn add_up(
        self,
        add: impl Fn(usize, BufferId, usize) -> Result<Launcher, DeviceError>,
    ) -> Result<AddedScores, DeviceError> {
        let kinds = self.0.into_iter().enumerate();
        kinds
            .map(|(index, (place, len))| Ok((add(index, place, len)?, place, len)))
            .collect::<Result<_, _>>()
            .map(AddedScores)
    }
}

/// What an engine consists of that has a root on each work-group.
pub struct Parts {
    /// Searches; its first arguments are the number of roots and the strategy's own number.
    pub search: Launcher,
    /// Work-items of its work-groups.
    pub work_group: usize,
    /// One for each work-group that searches.
    pub spaces: Workspaces,
    /// What they have found.
    pub scores: AddedScores,
    /// Everything that the launchers point to.
    pub buffers: Buffers,
    /// Where the strategy's own number depends on the depths of the first searches: those, and the
    /// number of vertices.
    pub sampling: Option<(Vec<u32>, usize)>,
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

impl Parts {
    /// The engine.
    pub fn engine(self, session: &Session, prepared: &Prepared) -> impl Engine {
        GroupSearch {
            session,
            wanted: (CLAIM_FIRST * self.spaces.count).min(self.spaces.capacity),
            unmoved: 0,
            sums: prepared.zero_sums(),
            parts: self,
        }
    }
}

impl GroupSearch<'_> {
    /// Searches from as many roots as there is room for, to their end.
    fn launch(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let queue = &self.session.queue;
        let parts = &mut self.parts;
        let (buffers, spaces) = (&mut parts.buffers, &parts.spaces);
        let names = parts.names.as_ref();
        let name = |v: Vertex| names.map_or(v, |names| names[v as usize]);
        let pairs: Vec<[u32; 2]> = roots.iter().map(|r| [name(r.vertex), r.sources]).collect();
        buffers[spaces.roots].fill(queue, &pairs)?;
        let words = STATUS_WORDS + roots.len();
        buffers[spaces.status].clear_bytes(queue, 0..4 * words)?;
        parts.search.set(0, Arg::Uint(roots.len() as u32))?;
        let grid = Grid::groups(spaces.count.min(roots.len()), 1, parts.work_group);
        parts.search.enqueue(queue, grid)?;
        let status = PendingRead::enqueue(queue, &buffers[spaces.status], words)?;
        flush(queue)?;
        let status = status.wait()?;
        // The first word counts roots taken.
        if let Some(place) = (status[1] & !LENGTH_LOST).checked_sub(1) {
            let root = roots.get(place as usize).map(|root| root.vertex);
            return Err(match root {
                Some(root) if status[1] & LENGTH_LOST != 0 => EngineError::LengthLost { root },
                root => EngineError::too_many_paths(root, self.session),
            });
        }
        if let Some((depths, n)) = &mut parts.sampling {
            depths.extend(&status[STATUS_WORDS..]);
            if depths.len() >= SAMPLE {
                let width = width::after(std::mem::take(depths), *n);
                parts.search.set(1, Arg::Uint(width))?;
                parts.sampling = None;
            }
        }
        self.unmoved += roots.len();
        Ok(())
    }

    /// Moves the device's sums to `self.sums`.
    fn move_sums(&mut self) -> Result<(), DeviceError> {
        let queue = &self.session.queue;
        let parts = &self.parts;
        let precision = self.session.score_precision();
        let sums = [Some(&mut self.sums.vertices), self.sums.arcs.as_mut()];
        for ((add, place, len), sums) in parts.scores.0.iter().zip(sums.into_iter().flatten()) {
            add.enqueue(queue, Grid::items(*len, parts.work_group))?;
            finish(queue)?;
            parts.buffers[*place].add_to(queue, precision, sums)?;
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
        self.parts.spaces.count
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let start = Instant::now();
        let mut rest = roots;
        let (count, capacity) = (self.parts.spaces.count, self.parts.spaces.capacity);
        while !rest.is_empty() {
            let sampled = self.parts.sampling.as_ref();
            let room = sampled.map_or(usize::MAX, |(depths, _)| SAMPLE - depths.len());
            let take = rest.len().min(capacity).min(room);
            let (now, later) = rest.split_at(take);
            self.launch(now)?;
            rest = later;
        }
        if self.session.options.precision == Precision::F32 && self.unmoved >= F32_ROOTS * count {
            self.move_sums()?;
        }
        let elapsed = start.elapsed();
        if elapsed < CLAIM_TIME.0 {
            self.wanted = (self.wanted * 4).min(capacity);
        } else if elapsed > CLAIM_TIME.1 {
            self.wanted = (self.wanted / 2).max(count.min(capacity));
        }
        Ok(())
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        self.move_sums()?;
        self.sums.move_to(sums);
        Ok(())
    }
}
