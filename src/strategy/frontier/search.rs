//! The engine of strategies with one work-group per root.
//!
//! A launch has a fixed number of work-groups, each with a workspace: the arrays of one search. The
//! host writes a list of roots (a claim), several times as many as there are workspaces; each
//! work-group takes its next root from the list by a counter on the device. The host waits for the
//! end of the launch.

use std::time::{Duration, Instant};

use super::width::{self, SAMPLE};
use super::workspaces::{STATUS_WORDS, Workspaces};
use crate::device::launch::{Arg, Grid, Launcher};
use crate::device::wait::{finish, flush};
use crate::device::{DeviceError, Session};
use crate::engine::{Engine, EngineError, OwnSums, Precision, Root, Sums};
use crate::graph::Vertex;
use crate::prepare::Prepared;
use crate::strategy::{DeviceEngine, EnginePlan};

/// After a claim that took less than the first time, the next one has more roots; after one that
/// took more than the second, fewer. Workspaces are idle while the last roots of a claim are
/// searched, so claims are longer than those of `virtual`.
const CLAIM_TIME: (Duration, Duration) = (Duration::from_millis(40), Duration::from_millis(200));
/// Roots of the first claim, per workspace.
const CLAIM_FIRST: usize = 16;
/// In f32, a workspace sums this many roots on average before the sums move to f64 on the host.
const F32_ROOTS: usize = 256;
/// The second word of the status is 0, or 1 + the position of a root that failed, with this bit if
/// a length was too small to count: `STATUS_LENGTH_LOST` of `cl/frontier/weighted.cl`.
const LENGTH_LOST: u32 = 1 << 31;

/// The parts of an engine with one work-group per root.
pub struct Parts {
    /// The kernel that searches. Its first argument is the number of roots; with `sampling`, its
    /// second one is `width`.
    pub search: Launcher,
    /// The kernels that add up [`Workspaces::sums`].
    pub adders: Vec<Launcher>,
    /// The workspaces, one for each work-group.
    pub spaces: Workspaces,
    /// If `width` depends on the depths of the first searches: these depths, and the number of
    /// vertices.
    pub sampling: Option<(Vec<u32>, usize)>,
    /// The number of each vertex in the kernels, if it differs.
    pub kernel_numbers: Option<Vec<u32>>,
}

struct GroupSearch<'s> {
    session: &'s Session,
    parts: Parts,
    work_group: usize,
    wanted: usize,
    /// Roots searched since the device's sums were last moved to `sums`.
    unmoved: usize,
    /// Sums moved to the host since the last collect.
    sums: OwnSums,
}

impl Parts {
    /// Makes the engine.
    pub fn engine<'s>(
        self,
        session: &'s Session,
        prepared: &Prepared,
        plan: EnginePlan,
    ) -> DeviceEngine<'s> {
        DeviceEngine {
            plan: EnginePlan {
                slots: Some(self.spaces.count),
                ..plan
            },
            engine: Box::new(GroupSearch {
                session,
                work_group: plan.work_group,
                wanted: (CLAIM_FIRST * self.spaces.count).min(self.spaces.capacity),
                unmoved: 0,
                sums: prepared.zero_sums(),
                parts: self,
            }),
        }
    }
}

impl GroupSearch<'_> {
    /// Searches from roots, at most [`Workspaces::capacity`], and waits for the end.
    fn launch(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let queue = &self.session.queue;
        let parts = &mut self.parts;
        let spaces = &parts.spaces;
        let numbers = parts.kernel_numbers.as_ref();
        let number = |v: Vertex| numbers.map_or(v, |numbers| numbers[v as usize]);
        let pairs = roots.iter().map(|r| [number(r.vertex), r.sources]);
        let pairs: Vec<[u32; 2]> = pairs.collect();
        spaces.roots.fill(queue, &pairs)?;
        let words = STATUS_WORDS + roots.len();
        spaces.status.clear_bytes(queue, 0..4 * words)?;
        let grid = Grid::groups(spaces.count.min(roots.len()), 1, self.work_group);
        (parts.search).enqueue_with(queue, &[(0, roots.len())], grid)?;
        let status = spaces.status.read_later(queue, words)?;
        flush(queue)?;
        let status = status.wait()?;
        if let Some(position) = (status[1] & !LENGTH_LOST).checked_sub(1) {
            let root = roots.get(position as usize).map(|root| root.vertex);
            return Err(match root {
                Some(root) if status[1] & LENGTH_LOST != 0 => EngineError::LengthLost(root),
                root => EngineError::too_many_paths(root, self.session),
            });
        }
        if let Some((depths, n)) = &mut parts.sampling {
            depths.extend(&status[STATUS_WORDS..]);
            if depths.len() >= SAMPLE {
                let width = width::after_sample(std::mem::take(depths), *n);
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
        let added = parts.adders.iter().zip(&parts.spaces.sums);
        for ((adder, (buffer, len)), sums) in added.zip(sums.into_iter().flatten()) {
            adder.enqueue(queue, Grid::items(*len, self.work_group))?;
            finish(queue)?;
            buffer.add_to(queue, precision, sums)?;
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
