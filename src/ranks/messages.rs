//! What ranks need to talk to each other.

use std::env;
use std::time::Duration;

/// The time between two looks for a message: messages are waited for on a core that others use.
pub(super) const LOOK: Duration = Duration::from_micros(200);

/// The messages between the processes that search together. One thread of a process at a time makes
/// calls: while roots are searched that of the supply, or that of the dealer at rank 0; before and
/// after it the one that runs the search.
pub(super) trait Messages: Send + Sync {
    /// The number of this process, from 0.
    fn rank(&self) -> usize;

    /// How many processes there are.
    fn size(&self) -> usize;

    /// The number of this process among those of its machine, and how many these are.
    fn local(&self) -> (usize, usize);

    /// The name of the machine.
    fn host(&self) -> String;

    /// Waits until all processes are here.
    fn wait_for_all(&self);

    /// Gives all processes the bytes of rank 0; they have room for as many.
    fn broadcast(&self, bytes: &mut [u8]);

    /// Adds numbers up at rank 0; all have as many. Those of the others stay as they are.
    fn sum(&self, values: &mut [f64]);

    /// Sends a message to a rank. The order of messages between two ranks is kept.
    fn send(&self, to: usize, bytes: &[u8]);

    /// A message that has come, and from which rank; `None` if there is none yet.
    fn receive(&self) -> Option<(usize, Vec<u8>)>;

    /// Ends the exchange, when all processes do so. One that is dropped without has failed.
    fn end(&self);
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
