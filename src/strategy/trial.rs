//! How long a device will take for all roots of a graph, judged by searches from a few of them.

use super::Strategy;
use crate::device::{DeviceError, Session};
use crate::engine::{self, EngineError};
use crate::prepare::Prepared;

/// This part of all roots is tried at most. Sweeps take their time however few there are.
const PART: usize = 8;

/// Seconds for all roots: at least, and at most. These differ where too few were tried to keep the
/// device busy.
pub type Seconds = [f64; 2];

/// What a device says of two forms of a graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Compared {
    /// How long it would take for all roots of each, by a few.
    Seconds([Seconds; 2]),
    /// There is a device, but it has tried nothing: it is not asked, not ready, or has failed.
    Unknown,
    /// There is no device but the CPU.
    NoDevice,
}

/// What a device says of two forms of a graph: seconds for all roots of each, by as many of them as
/// keep it busy, or one in eight.
///
/// # Errors
/// [`EngineError`] if the device fails.
pub fn compare(
    session: &Session,
    strategy: Strategy,
    [kept, swept]: [&Prepared; 2],
) -> Result<Compared, EngineError> {
    let kept = search(session, strategy, kept)?;
    Ok(Compared::Seconds([kept, search(session, strategy, swept)?]))
}

/// Seconds for all roots, infinite for what the device cannot search.
fn search(
    session: &Session,
    strategy: Strategy,
    prepared: &Prepared,
) -> Result<Seconds, EngineError> {
    let searched = || -> Result<Seconds, EngineError> {
        let mut made = strategy.engine(session, prepared)?;
        let all = prepared.roots.len();
        let wave = made.plan.together().clamp(1, all.max(1));
        let tried = wave.min(all.div_ceil(PART));
        let mut sums = prepared.zero_sums();
        // Memory is new in the first search.
        engine::feed(&mut *made.engine, &prepared.roots[..all.min(1)], &mut sums)?;
        // The ends of the list may be unlike the rest.
        let first = (all - tried) / 2;
        let roots = &prepared.roots[first..first + tried];
        let seconds = engine::feed(&mut *made.engine, roots, &mut sums)?;
        Ok([wave, tried].map(|together| seconds * all as f64 / together.max(1) as f64))
    };
    match searched() {
        Err(EngineError::PathCount { .. }) => Ok([f64::INFINITY; 2]),
        Err(error) if error.device_error().is_some_and(DeviceError::is_refusal) => {
            Ok([f64::INFINITY; 2])
        }
        result => result,
    }
}
