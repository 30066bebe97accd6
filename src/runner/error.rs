//! Why a run can end without scores.

use crate::device::DeviceError;
use crate::engine::EngineError;

/// Why a run ended without scores.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The graph cannot be computed: [`EngineError::PathCount`] or [`EngineError::LengthLost`].
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A device was named that does not exist, or only devices may work and there is none.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The system gives no more threads.
    #[error(
        "thread {number} of {wanted} for CPU workers could not be started: {reason} (ask for fewer \
         with --cpu-workers, or raise the limits, ulimit -u and -v)"
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
    /// The search was cancelled.
    #[error("the search was cancelled")]
    Cancelled,
}
