//! The error type of the crate.

use std::fmt::Display;

use crate::engine::EngineError;
use crate::graph::ReadError;
use crate::memory::MORE_THREADS;
use crate::output::OutputError;

/// A reason why there are no scores. Each message is one line: the problem and, where there is a
/// remedy, what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Settings contradict each other or the graph. The message has their names in backticks.
    #[error("{0}")]
    Settings(String),
    /// The graph could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The requested device does not exist, or only devices may search and there is none.
    #[error(transparent)]
    Device(Box<dyn std::error::Error + Send + Sync>),
    /// An engine failed. [`Search::run`](crate::Search::run) converts this to one of the other
    /// variants.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The system refused to start another thread.
    #[error("{0} (ask for fewer CPU workers with `cpu-workers`, or {more})", more = MORE_THREADS)]
    Thread(String),
    /// A CPU worker panicked, and no participant was left to finish its roots.
    #[error("a CPU worker stopped unexpectedly; please report this defect")]
    Worker,
    /// A length is so small beside the distances from this vertex that adding it changes nothing.
    #[error(
        "some weight is so small beside the distances from vertex {0} that adding it changes \
         nothing in 64-bit floats; use weights that differ less in size"
    )]
    LengthLost(String),
    /// There are more shortest paths than 64-bit floats can count, and no engine with wider numbers
    /// could search instead; or the stress of a vertex is beyond the range of 64-bit floats.
    #[error("there are more shortest paths than 64-bit floats can count")]
    PathCount,
    /// The score of this vertex is infinite or not a number.
    #[error("the score of vertex {0} is not a finite number; please report this defect")]
    NotFinite(String),
    /// A search cannot resume from this checkpoint.
    #[error("the checkpoint {0}")]
    Checkpoint(String),
    /// The requested checkpoint cannot be written.
    #[error("the checkpoint cannot be written: {0}")]
    NoCheckpoint(OutputError),
    /// A file of part sums cannot be read, is incomplete, or belongs to another search; or a part
    /// is missing or given twice.
    #[error("{0}")]
    Parts(String),
    /// The sums of a part cannot be written.
    #[error(transparent)]
    Unwritten(OutputError),
    /// The search was cancelled by its [`crate::CancelToken`], and its progress is saved.
    #[error(
        "{done} of {roots} roots were searched; run the same command again to resume from {path}"
    )]
    CancelledSaved {
        /// The number of roots whose searches are in the checkpoint.
        done: usize,
        /// The number of roots of the whole search.
        roots: usize,
        /// The checkpoint.
        path: String,
    },
    /// The search was cancelled, and its progress could not be saved.
    #[error("the search was cancelled, and {0}")]
    CancelledUnsaved(String),
    /// The search was cancelled by its [`crate::CancelToken`], and no progress is saved.
    #[error("the search was cancelled")]
    Cancelled,
}

impl Error {
    /// Returns [`Error::Thread`]: thread `number` of `wanted` could not be started.
    pub(crate) fn of_thread(number: usize, wanted: usize, reason: impl Display) -> Error {
        let which = format!("thread {number} of {wanted} for CPU workers");
        Error::Thread(format!("{which} could not be started: {reason}"))
    }
}

/// Returns an error with this text if options contradict each other, as `contradicts` says.
pub(crate) fn refuse_if(contradicts: bool, text: impl Display) -> Result<(), Error> {
    match contradicts {
        true => Err(Error::Settings(text.to_string())),
        false => Ok(()),
    }
}

/// Returns an error if any of these options is given. Its message is the name of the first given
/// option, followed by the text.
pub(crate) fn refuse_given<N: Display>(
    options: impl IntoIterator<Item = (N, bool)>,
    text: impl Display,
) -> Result<(), Error> {
    match options.into_iter().find(|(_, given)| *given) {
        Some((name, _)) => refuse_if(true, format_args!("`{name}` {text}")),
        None => Ok(()),
    }
}
