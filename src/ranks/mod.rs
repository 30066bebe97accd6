//! Several processes that search one graph together, by MPI (feature `mpi`).
//!
//! Every process, called a rank, has the whole graph, and searches on the processors that it has by
//! the same runner as ever. Rank 0 deals roots ([`dealer`]): each rank's source counter is filled
//! whenever half of what came last is claimed, by a question and an answer. Sums come together at
//! the end.

pub mod dealer;
mod graph;
#[cfg(feature = "mpi")]
#[path = "mpi.rs"]
mod messages;
#[cfg(not(feature = "mpi"))]
#[path = "without_mpi.rs"]
mod messages;
#[cfg(test)]
mod simulation_tests;

use std::env;
use std::ops::Range;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

pub use messages::World;
use serde::{Deserialize, Serialize};

use crate::engine::OwnSums;
use crate::error::Error;
use crate::plan::Wishes;
use crate::prepare::Prepared;
use crate::runner::{CpuWorkers, Outcome, Supply};

/// What a rank did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "app", derive(schemars::JsonSchema))]
pub struct RankRecord {
    /// Its number, from 0.
    pub rank: usize,
    /// The machine.
    pub host: String,
    /// Roots whose searches count.
    pub roots: usize,
    /// CPU workers that searched.
    pub workers: usize,
    /// Roots that they searched.
    pub worker_roots: usize,
    /// The devices that it drove.
    pub devices: Vec<RankDevice>,
    /// Seconds between the moment when all ranks were ready and the beginning of its search.
    pub began: f64,
    /// The same until its search ended.
    pub ended: f64,
    /// Seconds in which it waited for others: for roots, for sums, and at the end.
    pub messages: f64,
}

/// A device of a rank.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "app", derive(schemars::JsonSchema))]
pub struct RankDevice {
    /// Its name.
    pub name: String,
    /// Roots that it searched.
    pub roots: usize,
}

impl RankRecord {
    fn of(world: &World, outcome: &Outcome, ready: Instant) -> RankRecord {
        let since = |instant: Instant| instant.saturating_duration_since(ready).as_secs_f64();
        let worker_roots = outcome.workers.iter().map(|worker| worker.roots).sum();
        let drivers = outcome.drivers.iter();
        let devices: Vec<RankDevice> = drivers
            .map(|driver| RankDevice {
                name: driver.info.name.clone(),
                roots: driver.roots,
            })
            .collect();
        RankRecord {
            rank: world.rank(),
            host: world.host(),
            roots: worker_roots + devices.iter().map(|device| device.roots).sum::<usize>(),
            workers: outcome.workers.len(),
            worker_roots,
            devices,
            began: since(outcome.search.0),
            ended: since(outcome.search.1),
            messages: world.waited().as_secs_f64(),
        }
    }
}

impl World {
    /// Roots of a prepared graph for this process, but for those searched before.
    pub(crate) fn supply_of(
        self: &Arc<Self>,
        prepared: &Prepared,
        before: &[Range<usize>],
    ) -> Arc<dyn Supply> {
        self.supply(prepared.roots.len(), before, prepared.root_group)
    }

    /// Leaves the processors of this process: its turn of the devices, and of the cores, unless it
    /// was given cores of its own.
    pub(crate) fn narrow(&self, wishes: &mut Wishes) {
        let (_, processes) = self.local();
        if processes < 2 {
            return;
        }
        wishes.local = Some(self.local());
        let (own, all) = (num_cpus::get(), cores());
        if wishes.cpu.workers == CpuWorkers::Auto && own >= all {
            wishes.cpu.workers = CpuWorkers::Count((all / processes).max(1));
        }
    }

    /// Brings the sums of all together at rank 0, and what each did. `began` is when this process
    /// did.
    pub(crate) fn gather_all(&self, outcome: &mut Outcome, began: Instant) -> Vec<RankRecord> {
        self.dealt();
        self.wait_for_all();
        let mut sums = OwnSums {
            vertices: std::mem::take(&mut outcome.sums),
            arcs: outcome.arc_sums.take(),
        };
        self.sum(&mut sums);
        (outcome.sums, outcome.arc_sums) = (sums.vertices, sums.arcs);
        self.gather(&RankRecord::of(self, outcome, began))
    }

    /// Ends MPI in this process, when all that search together do so.
    pub fn leave(self: Arc<Self>) {
        let mut world = self;
        // The thread that asks for roots may be about to end.
        loop {
            match Arc::try_unwrap(world) {
                Ok(world) => return world.end(),
                Err(held) => world = held,
            }
            thread::sleep(LOOK);
        }
    }

    /// Waits until all processes say this: rank 0, when its scores are safe, so that the others may
    /// remove what they keep.
    pub fn finish(&self) {
        self.wait_for_all();
    }
}

/// The number of this process among those that were started together, and how many they are, as the
/// starter of MPI programs says it in the environment: Open MPI, MPICH and its kin, Slurm.
pub fn started() -> Option<(usize, usize)> {
    let number = |name: &str| env::var(name).ok()?.parse().ok();
    [
        ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
        ("PMI_RANK", "PMI_SIZE"),
    ]
    .into_iter()
    .find_map(|(rank, size)| Some((number(rank)?, number(size)?)))
}

/// Cores that the machine has, whichever of them this process may use.
fn cores() -> usize {
    // SAFETY: the call has no pointers.
    let cores = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) };
    usize::try_from(cores).unwrap_or(1).max(1)
}

fn settings<T>(text: impl Into<String>) -> Result<T, Error> {
    Err(Error::Settings(text.into()))
}

/// The time between two looks for a message: messages are waited for on a core that others use.
const LOOK: Duration = Duration::from_micros(200);
