//! Everything that can go wrong between a graph and its scores.

use crate::graph::ReadError;
use crate::output::OutputError;

/// Why there are no scores. Each is one line that says what is wrong and what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Settings that contradict each other or the graph. Names of settings stand in backticks.
    #[error("{0}")]
    Settings(String),
    /// The graph could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A device was asked for that does not exist, or only devices may search and there is none.
    #[error(transparent)]
    Device(Box<dyn std::error::Error + Send + Sync>),
    /// The system gives no more threads.
    #[error(
        "thread {number} of {wanted} for CPU workers could not be started: {reason} (ask for fewer \
         with `cpu-workers`, or raise the limits, ulimit -u and -v)"
    )]
    Thread {
        /// Which one, from 1.
        number: usize,
        /// How many there were to be.
        wanted: usize,
        /// What the system says.
        reason: String,
    },
    /// A CPU worker panicked.
    #[error("a CPU worker stopped unexpectedly; please report this defect")]
    Worker,
    /// Lengths differ too much in size.
    #[error(
        "some weight is so small beside the distances from vertex {vertex} that adding it changes \
         nothing in 64-bit floats; use weights that differ less in size"
    )]
    LengthLost {
        /// Label of the vertex.
        vertex: String,
    },
    /// More shortest paths than can be counted, by an engine that cannot leave roots to others.
    #[error("there are more shortest paths than 64-bit floats can count")]
    PathCount,
    /// A score that is infinite or no number.
    #[error("the score of vertex {vertex} is not a finite number; please report this defect")]
    NotFinite {
        /// Label of the vertex.
        vertex: String,
    },
    /// A checkpoint that cannot be gone on from.
    #[error("the checkpoint {path} {what}")]
    Checkpoint {
        /// The file.
        path: String,
        /// What is wrong with it, and what to do.
        what: String,
    },
    /// Nothing can be kept where a checkpoint was asked for.
    #[error("the checkpoint cannot be written: {0}")]
    NoCheckpoint(OutputError),
    /// A file that holds no part of a search, or none of this one.
    #[error("{path} {what}")]
    Part {
        /// The file.
        path: String,
        /// What is wrong with it, and what to do.
        what: String,
    },
    /// Parts of a search that do not make a whole.
    #[error("{0}")]
    Parts(String),
    /// What was searched cannot be written.
    #[error(transparent)]
    Unwritten(OutputError),
    /// The search was cancelled by its [`crate::CancelToken`], and what it had done is kept.
    #[error("{done} of {roots} roots were searched; the same command goes on from {path}")]
    Kept {
        /// Roots whose searches are in the checkpoint.
        done: usize,
        /// Roots to be searched.
        roots: usize,
        /// The checkpoint.
        path: String,
    },
    /// The search was cancelled, and what it had done could not be kept.
    #[error("the search was cancelled, and {0}")]
    NotKept(String),
    /// The search was cancelled by its [`crate::CancelToken`].
    #[error("the search was cancelled")]
    Cancelled,
}
