//! Warm-up: a search whose scores are known, run once before the real ones.
//!
//! Drivers load and compile the last of their code at the first launch; this gets that out of the
//! way while the graph is still being read, and finds drivers that compute nonsense.

use std::cmp::Ordering;

use super::strategy::Strategy;
use super::{DeviceError, Session};
use crate::engine::{EngineError, Root};
use crate::graph::Csr;
use crate::prepare::Prepared;

/// More than 32, so that levels do not fit into a word of bits, nor lanes if there is one per vertex.
const VERTICES: usize = 36;
/// Roots where they have no lanes: the first vertex, every fifth after it, and so the last. `virtual`
/// launches hundreds of kernels for each.
const ROOT_STEP: usize = 5;

/// Tests what a strategy will launch: for [`Strategy::Auto`], all that it usually chooses from.
pub fn run(session: &Session, strategy: Strategy) -> Result<(), DeviceError> {
    session.options.faults.check(super::Step::WarmUp)?;
    strategy
        .candidates()
        .iter()
        .try_for_each(|&candidate| test(session, candidate))
}

/// Scores of a path: the vertex at position i lies between each root before it and the n - 1 - i vertices
/// behind it, and between each root behind it and the i vertices before it.
fn test(session: &Session, strategy: Strategy) -> Result<(), DeviceError> {
    let prepared = Prepared::bare(path());
    let step = if strategy.has_lanes() { 1 } else { ROOT_STEP };
    let roots: Vec<Root> = prepared.roots.iter().copied().step_by(step).collect();
    let mut made = strategy.engine(session, &prepared)?;
    let mut scores = vec![0.0; VERTICES];
    let wrong = || DeviceError::SelfTest {
        device: session.info.name.clone(),
    };
    made.engine
        .search(&roots)
        .and_then(|()| made.engine.collect(&mut scores))
        .map_err(|error| match error {
            EngineError::Device(error) => error,
            EngineError::PathCount { .. } => wrong(),
        })?;
    for (i, score) in scores.iter().enumerate() {
        let paths = |root: &Root| match (root.vertex as usize).cmp(&i) {
            Ordering::Less => VERTICES - 1 - i,
            Ordering::Equal => 0,
            Ordering::Greater => i,
        };
        let expected = roots.iter().map(paths).sum::<usize>() as f64;
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
