//! Strategy `auto`: a look at the graph, and a choice with its reasons.
//!
//! Lanes read each arc once for many roots, but all that is near the searches' fronts on every
//! level; one work-group per root touches every arc once, however many levels there are. So the depth
//! of searches decides, as McLaughlin and Bader found for their two strategies.

use super::{DeviceEngine, Strategy, chains};
use crate::opencl::{DeviceError, Session};
use crate::prepare::{Prepared, depth};

/// Searches made to see how deep they are.
const SAMPLE: usize = 9;

/// A graph whose median search is deeper than this many times log2 of its vertices is left to one
/// work-group per root. Measured on an H200: up to 0.7 lanes were faster by 1.6 or more, from 2.7 on
/// slower by 2.7 or more.
const DEEP: f64 = 1.5;

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
    let deep = f64::from(median) > limit;
    let mut why = format!(
        "the median depth of {} searches is {median}, {} {DEEP} * log2({n}) = {limit:.0}",
        depths.len(),
        if deep { "above" } else { "at most" },
    );
    let preferred = if deep {
        [Strategy::Local, Strategy::WorkEfficient, Strategy::Virtual]
    } else {
        [Strategy::Lanes, Strategy::Local, Strategy::Virtual]
    };
    let mut refused = None;
    for strategy in preferred {
        match strategy.engine(session, prepared) {
            Ok(mut made) => {
                let own = std::mem::take(&mut made.plan.why);
                let own = if own.is_empty() {
                    own
                } else {
                    format!("; {own}")
                };
                made.plan.why = format!("{}: {why}{own}", strategy.name());
                return Ok(made);
            }
            Err(error) if is_about_size(&error) => {
                why = format!("{why}, but for {}, {error}", strategy.name());
                refused = Some(error);
            }
            Err(error) => return Err(error),
        }
    }
    Err(refused.expect("at least one strategy was tried"))
}

/// Whether another strategy may still do.
fn is_about_size(error: &DeviceError) -> bool {
    matches!(
        error,
        DeviceError::BufferLimit { .. }
            | DeviceError::MemoryLimit { .. }
            | DeviceError::TooManyVertices { .. }
            | DeviceError::Directed { .. }
    )
}
