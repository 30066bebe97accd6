//! The messages between ranks.

use std::env;
use std::time::Duration;

/// The interval at which ranks poll for messages. A blocking call of MPI would occupy a core.
pub(super) const POLL: Duration = Duration::from_micros(200);

/// The messages between the processes that search together. Only one thread of a process makes
/// calls at a time. During the search it is the thread of the supply, at rank 0 that of the dealer;
/// before and after the search it is the thread that runs the search.
pub(super) trait Messages: Send + Sync {
    /// Returns the number of this process, from 0.
    fn rank(&self) -> usize;

    /// Returns the number of processes.
    fn size(&self) -> usize;

    /// Returns the number of this process among the processes on its machine, and their count.
    fn local(&self) -> (usize, usize);

    /// Returns the name of the machine.
    fn host(&self) -> String;

    /// Waits until all processes make this call.
    fn wait_for_all(&self);

    /// Sends the bytes of rank 0 to all processes, whose buffers have the same length.
    fn broadcast(&self, bytes: &mut [u8]);

    /// Adds the arrays of all processes, which have equal lengths, element by element. Rank 0 gets
    /// the sums; the arrays of the others do not change.
    fn sum(&self, values: &mut [f64]);

    /// Sends a message to a rank. Messages between two ranks arrive in order.
    fn send(&self, to: usize, bytes: &[u8]);

    /// Returns a message that has arrived, and its sender; `None` if there is none yet.
    fn receive(&self) -> Option<(usize, Vec<u8>)>;

    /// Ends MPI, once all processes make this call. A process that drops this object without this
    /// call counts as failed.
    fn end(&self);
}

/// Returns the number of this process among those that were started together, and their count, from
/// the environment variables of Open MPI, MPICH and Slurm.
pub fn rank_and_size() -> Option<(usize, usize)> {
    let number = |prefix, name| env::var(format!("{prefix}_{name}")).ok()?.parse().ok();
    let mut prefixes = ["OMPI_COMM_WORLD", "PMI"].into_iter();
    prefixes.find_map(|prefix| Some((number(prefix, "RANK")?, number(prefix, "SIZE")?)))
}
