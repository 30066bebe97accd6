//! [`Messages`] by MPI, at the thread level `MPI_THREAD_SERIALIZED`.

use std::mem::forget;
use std::sync::Mutex;
use std::thread;

use mpi::Threading;
use mpi::collective::{Root, SystemOperation};
use mpi::datatype::Equivalence;
use mpi::environment::{Universe, processor_name};
use mpi::point_to_point::{Destination, Source};
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::CommunicatorCollectives;

use super::messages::{Messages, POLL};
use crate::error::Error;
use crate::runner::lock;

/// The processes that were started together.
struct Mpi {
    world: SimpleCommunicator,
    local: (usize, usize),
    /// Ends MPI when it is dropped.
    universe: Mutex<Option<Universe>>,
}

/// Leaves MPI running: a process that drops this value without [`Messages::end`] has failed, and
/// `MPI_Finalize` would wait for the others. MPI ends them when this process ends.
impl Drop for Mpi {
    fn drop(&mut self) {
        forget(lock(&self.universe).take());
    }
}

// SAFETY: its fields are handles of MPI. One thread makes calls at a time ([`Messages`]), as
// `MPI_THREAD_SERIALIZED` requires.
unsafe impl Send for Mpi {}
// SAFETY: as above.
unsafe impl Sync for Mpi {}

/// Starts MPI.
///
/// # Errors
/// [`Error::Settings`] if MPI cannot be used.
pub(super) fn start() -> Result<Box<dyn Messages>, Error> {
    let settings = |text: &str| Error::Settings(text.into());
    let (universe, threading) = mpi::initialize_with_threading(Threading::Serialized)
        .ok_or_else(|| settings("MPI was started already"))?;
    if threading < Threading::Serialized {
        return Err(settings(
            "this MPI library does not allow calls from several threads; use another one",
        ));
    }
    let world = universe.world();
    let shared = world.split_shared(world.rank());
    Ok(Box::new(Mpi {
        local: (shared.rank() as usize, shared.size() as usize),
        world,
        universe: Mutex::new(Some(universe)),
    }))
}

impl Messages for Mpi {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn size(&self) -> usize {
        self.world.size() as usize
    }

    fn local(&self) -> (usize, usize) {
        self.local
    }

    fn host(&self) -> String {
        processor_name().unwrap_or_default()
    }

    /// Polls, because a blocking barrier of MPI would occupy the core.
    fn wait_for_all(&self) {
        let mut request = self.world.immediate_barrier();
        while let Err(waiting) = request.test() {
            request = waiting;
            thread::sleep(POLL);
        }
    }

    fn broadcast(&self, bytes: &mut [u8]) {
        self.world.process_at_rank(0).broadcast_into(bytes);
    }

    fn sum(&self, values: &mut [f64]) {
        let root = self.world.process_at_rank(0);
        if self.rank() > 0 {
            return root.reduce_into(values, SystemOperation::sum());
        }
        let mut total = vec![0.0; values.len()];
        root.reduce_into_root(values, &mut total[..], SystemOperation::sum());
        values.copy_from_slice(&total);
    }

    fn send(&self, to: usize, bytes: &[u8]) {
        self.world.process_at_rank(to as i32).send(bytes);
    }

    fn receive(&self) -> Option<(usize, Vec<u8>)> {
        let (message, status) = self.world.any_process().immediate_matched_probe()?;
        let mut bytes = vec![0; status.count(u8::equivalent_datatype()) as usize];
        message.matched_receive_into(&mut bytes[..]);
        Some((status.source_rank() as usize, bytes))
    }

    fn end(&self) {
        drop(lock(&self.universe).take());
    }
}
