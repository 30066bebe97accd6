//! Strategy `auto`: a look at the graph, and a choice with its reasons.
//!
//! Lanes read each arc once for many roots, but all that is near the searches' fronts on every
//! level; one work-group per root touches every arc once, however many levels there are. So the
//! depth of searches decides, as McLaughlin and Bader found for their two strategies.

use super::{DeviceEngine, Strategy};
use crate::device::{DeviceError, Session};
use crate::prepare::Prepared;
use crate::prepare::depth::{self, DEEP};

/// Seconds that lanes take for a level however small the graph, that `local` takes for a root and
/// an arc, and that it takes at least: the same graphs. What `local` ends before lanes have
/// launched their kernels is left to it.
const LANES_LEVEL: f64 = 1e-4;
const LOCAL_ARC: f64 = 2e-11;
const LOCAL_START: f64 = 3e-4;

/// The strategies to try, best first, and why.
struct Preference {
    first: Strategy,
    /// If the device has too little memory for it.
    others: &'static [Strategy],
    why: String,
}

fn preferred(prepared: &Prepared) -> Preference {
    if prepared.chains.is_some() {
        return Preference {
            first: Strategy::Chains,
            others: &[],
            why: "the graph is contracted, which makes less work".into(),
        };
    }
    if prepared.lengths.is_some() {
        // Measured on an H200 on roads, a grid and small worlds (docs/measured.md): the best, or
        // within 7% of it, but for a graph of 3,000 vertices.
        return Preference {
            first: Strategy::Warp,
            others: &[Strategy::WorkEfficient],
            why: "the graph is weighted".into(),
        };
    }
    let depths = prepared.depths();
    let median = depth::median(depths);
    let n = prepared.graph.vertices();
    let limit = depth::shallow_limit(n);
    // Deep graphs are left to one work-group per root. Measured on an H200: up to 0.7 times log2 n,
    // lanes were faster by 1.6 or more; from 2.7 on, slower by 2.7 or more.
    let deep = prepared.is_deep();
    let work = prepared.roots.len() as f64 * prepared.graph.arcs() as f64;
    let small = LOCAL_START + LOCAL_ARC * work < LANES_LEVEL * f64::from(median + 1);
    let why = format!(
        "the median depth of {} searches is {median}, {} {DEEP} * log2({n}) = {limit:.0}{}",
        depths.len(),
        if deep { "above" } else { "at most" },
        if small && !deep {
            ", but the graph is small"
        } else {
            ""
        },
    );
    if deep || small {
        Preference {
            first: Strategy::Local,
            others: &[Strategy::Warp, Strategy::WorkEfficient],
            why,
        }
    } else {
        Preference {
            first: Strategy::Lanes,
            others: &[Strategy::Local, Strategy::Virtual],
            why,
        }
    }
}

/// What it will be, unless the device has too little memory for it.
pub fn likely(prepared: &Prepared) -> Strategy {
    preferred(prepared).first
}

/// Makes the engine of the strategy that suits the graph; see [`super::Strategy::engine`].
pub fn engine<'s>(
    session: &'s Session,
    prepared: &'s Prepared,
) -> Result<DeviceEngine<'s>, DeviceError> {
    let Preference {
        first,
        others,
        mut why,
    } = preferred(prepared);
    let mut tried = first;
    let mut made = first.engine(session, prepared);
    for &next in others {
        match &made {
            Err(error) if is_about_size(error) => {
                why = format!("{why}, but for {}, {error}", tried.name());
                tried = next;
                made = next.engine(session, prepared);
            }
            _ => break,
        }
    }
    let mut made = made?;
    if !made.plan.why.is_empty() {
        why = format!("{why}; {}", made.plan.why);
    }
    made.plan.why = format!("{}: {why}", tried.name());
    Ok(made)
}

/// Whether another strategy may still do.
fn is_about_size(error: &DeviceError) -> bool {
    matches!(
        error,
        DeviceError::BufferLimit { .. }
            | DeviceError::MemoryLimit { .. }
            | DeviceError::TooManyVertices { .. }
            | DeviceError::LocalMemory { .. }
            | DeviceError::Directed { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::generate;

    #[test]
    fn depth_decides_and_small_graphs_are_not_worth_lanes() {
        let first = |graph: crate::graph::Graph| {
            let made = preferred(&Prepared::bare(graph.csr().clone()));
            (made.first, made.why.contains("small"))
        };
        let world = |scale| generate::rmat(scale, 16, 0.57, 0.19, 0.19, 7).unwrap();
        assert_eq!(first(world(11)), (Strategy::Lanes, false));
        assert_eq!(first(world(7)), (Strategy::Local, true));
        let road = generate::grid(4, 150, 0.0, 1).unwrap();
        assert_eq!(first(road), (Strategy::Local, false));
    }
}
