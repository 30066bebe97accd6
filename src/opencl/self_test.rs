//! Warm-up: a search whose scores are known, run once before the real ones.
//!
//! Drivers load and compile the last of their code at the first launch; this gets that out of the
//! way while the graph is still being read, and finds drivers that compute nonsense.

use super::strategy::Strategy;
use super::{DeviceError, Session};
use crate::engine::EngineError;
use crate::graph::Csr;
use crate::prepare::Prepared;

const VERTICES: usize = 64;

/// Tests what a strategy will launch: for [`Strategy::Auto`], all that it usually chooses from.
pub fn run(session: &Session, strategy: Strategy) -> Result<(), DeviceError> {
    session.options.faults.check(super::Step::WarmUp)?;
    strategy
        .candidates()
        .iter()
        .try_for_each(|&candidate| test(session, candidate))
}

/// Scores of a path, all roots: the vertex at position i lies between i and n - 1 - i others.
fn test(session: &Session, strategy: Strategy) -> Result<(), DeviceError> {
    let prepared = Prepared::bare(path());
    let mut made = strategy.engine(session, &prepared)?;
    let mut scores = vec![0.0; VERTICES];
    let wrong = || DeviceError::SelfTest {
        device: session.info.name.clone(),
    };
    made.engine
        .search(&prepared.roots)
        .and_then(|()| made.engine.collect(&mut scores))
        .map_err(|error| match error {
            EngineError::Device(error) => error,
            EngineError::PathCount { .. } => wrong(),
        })?;
    for (i, score) in scores.iter().enumerate() {
        let expected = (2 * i * (VERTICES - 1 - i)) as f64;
        if (score - expected).abs() > 1e-4 * expected {
            return Err(wrong());
        }
    }
    Ok(())
}

fn path() -> Csr {
    let n = VERTICES as u32;
    let mut offsets = vec![0];
    let mut targets = Vec::new();
    for v in 0..n {
        targets.extend(v.checked_sub(1));
        targets.extend((v + 1 < n).then_some(v + 1));
        offsets.push(targets.len() as u32);
    }
    Csr::new(offsets, targets)
}
