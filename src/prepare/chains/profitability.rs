//! Whether contraction makes less work.

use super::walk;
use crate::engine::Root;
use crate::graph::Csr;
use crate::prepare::depth;

/// Below so many arcs in all searches together a device is done before it matters.
const DEVICE_LEAST: f64 = 1e9;
/// Above so many vertices their state does not fit into the local memory of usual devices, and the
/// fastest way to search deep graphs without contraction is out of reach.
const LOCAL_VERTICES: usize = 1 << 17;
/// Searches made to see how deep they are.
const SAMPLE: usize = 9;

/// Whether to contract this undirected graph to be searched from `roots`, on CPU workers alone or
/// on `devices` too.
///
/// Work is counted in arcs that a plain search looks at. For a CPU worker these are 10 to 16 ns on
/// the machine where the factors were found; a chain-end costs 15 to 20 ns, and the row of a
/// neighbour must be made now and then; an interior vertex costs 10 ns in long chains and up to 30
/// ns in short ones. (Predicted and measured gain: luxembourg_osm 9 and 20 times, inf-power 1.3 and
/// 1.4, rome99 0.6 and 0.65, p2p-Gnutella31 0.7 and 0.7.)
///
/// On an H200 the same work takes 3 times as long in chains as in the strategy `local` (or 25 times
/// as long as in `lanes`, for shallow graphs, but few of those have chains): luxembourg_osm gained
/// 8 times, a grid without a fifth of its edges lost 5. Where `local` does not fit, chains gain
/// where they make up to 1.4 times the work: USA-road-d.NY, 1.27 times the work, gained 1.1.
pub fn is_profitable(graph: &Csr, roots: &[Root], devices: bool) -> bool {
    let (junctions, ends) = walk::sizes(graph);
    let n = graph.vertices();
    let plain = roots.len() as f64 * graph.arcs() as f64;
    let contracted = junctions as f64 * 2.0 * (ends + n - junctions) as f64;
    if plain == 0.0 {
        return false;
    }
    let share = contracted / plain;
    if !devices {
        return share <= 0.9;
    }
    if plain < DEVICE_LEAST {
        return false;
    }
    share <= 0.3 || (n > LOCAL_VERTICES && share <= 1.4 && deep(graph, roots))
}

fn deep(graph: &Csr, roots: &[Root]) -> bool {
    depth::is_deep(&depth::sample(graph, None, roots, SAMPLE), graph.vertices())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::generate;
    use crate::prepare::Prepared;

    #[test]
    fn long_chains_pay_and_short_ones_do_not() {
        let is_profitable = |graph: crate::graph::Graph, devices| {
            let prepared = Prepared::bare(graph.csr().clone());
            is_profitable(&prepared.graph, &prepared.roots, devices)
        };
        // A ring of two junctions and many others: all work is gone.
        assert!(is_profitable(generate::cycle(1000).unwrap(), false));
        assert!(
            !is_profitable(generate::cycle(1000).unwrap(), true),
            "too small"
        );
        assert!(is_profitable(generate::cycle(100_000).unwrap(), true));
        assert!(!is_profitable(
            generate::grid(30, 30, 0.0, 1).unwrap(),
            false
        ));
        assert!(!is_profitable(
            generate::grid(200, 200, 0.2, 1).unwrap(),
            true
        ));
        assert!(!is_profitable(generate::path(1).unwrap(), false));
    }
}
