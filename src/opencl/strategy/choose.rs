//! Strategy `auto`: a look at the graph, and a choice with its reasons.

use super::{DeviceEngine, chains, lanes, virtual_vertex};
use crate::opencl::{DeviceError, Session};
use crate::prepare::{Prepared, depth};

/// Searches made to see how deep they are.
const SAMPLE: usize = 9;

/// McLaughlin and Bader's threshold: a graph whose median search is deeper than this many times
/// log2 of its vertices is no small world.
const DEEP: f64 = 4.0;

/// Makes the engine of the strategy that suits the graph; see [`super::Strategy::engine`].
pub fn engine<'s>(
    session: &'s Session,
    prepared: &'s Prepared,
) -> Result<DeviceEngine<'s>, DeviceError> {
    if prepared.chains.is_some() {
        let mut made = chains::engine(session, prepared)?;
        made.plan.why = format!(
            "chains: the graph is contracted, which makes less work; {}",
            made.plan.why
        );
        return Ok(made);
    }
    let depths = depth::sample(prepared, SAMPLE);
    let median = depths.get(depths.len() / 2).copied().unwrap_or(0);
    let n = prepared.graph.vertices();
    let limit = DEEP * (n.max(2) as f64).log2();
    if f64::from(median) > limit {
        let mut made = virtual_vertex::engine(session, prepared)?;
        made.plan.why = format!(
            "virtual: the median depth of {} searches is {median}, above {DEEP} * log2({n}) = {limit:.0}; \
             with many nearly empty levels, sweeping whole levels for batches of roots does not pay",
            depths.len()
        );
        return Ok(made);
    }
    let small = format!(
        "the median depth of {} searches is {median}, at most {DEEP} * log2({n}) = {limit:.0}",
        depths.len()
    );
    match lanes::engine(session, prepared) {
        Ok(mut made) => {
            made.plan.why = format!("lanes: {small}; {}", made.plan.why);
            Ok(made)
        }
        Err(error @ (DeviceError::BufferLimit { .. } | DeviceError::MemoryLimit { .. })) => {
            let mut made = virtual_vertex::engine(session, prepared)?;
            made.plan.why = format!("virtual: {small}, but for lanes, {error}");
            Ok(made)
        }
        Err(error) => Err(error),
    }
}
