//! Whether contraction makes less work.

use rayon::prelude::*;

use super::super::ComponentRanges;
use crate::graph::{Csr, Vertex};

/// Below so many arcs in all searches together a device is done before it matters.
const DEVICE_LEAST: f64 = 3e8;
/// Above so many vertices their state does not fit into the local memory of usual devices, and the
/// fastest way to search deep graphs without contraction is out of reach.
const LOCAL_VERTICES: usize = 1 << 17;
/// Nanoseconds of a core for a vertex or chain-end that a sweep visits; for a junction as seen by
/// an end of a long chain at the root; and for a vertex of such a chain as seen by such an end.
const VISIT: f64 = 10.0;
const SEEN_BY_END: f64 = 3.0;
const OWN_CHAIN: f64 = 18.0;
/// Between this factor and its inverse, estimates do not decide.
const OPEN: f64 = 6.0;
/// Seconds of search that are worth a trial.
const WORTH_A_TRIAL: f64 = 0.05;

/// What becomes of chains, as far as estimates tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Contraction makes the search faster.
    Contract,
    /// It does not.
    Keep,
    /// Estimates are too near each other. The guess is whether to contract without a trial.
    Open(bool),
}

/// The work of sweeps from junctions, counted before anything is contracted.
///
/// A sweep visits every chain-end and interior vertex once. Beside that it looks at every junction
/// once for each long chain at its root, and at the vertices of each such chain once for each
/// other: that is quadratic in the long chains of a junction, which autonomous systems and K(2, n)
/// have thousands of. A sweep stays in the component of its junction.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepWork {
    /// Per component: junctions, and chain-ends and interior vertices.
    components: Vec<(f64, f64)>,
    /// Mean number of interior vertices of a long chain.
    length: f64,
    /// About how many seconds a core takes for all sweeps.
    pub seconds: f64,
}

impl SweepWork {
    /// Of an undirected graph of these components.
    pub fn of(graph: &Csr, ranges: &ComponentRanges) -> SweepWork {
        let all = || (0..ranges.count()).into_par_iter();
        let of_component = |component| {
            let vertices = ranges.vertices(component);
            let is_interior = |&v: &usize| graph.degree(v as Vertex) == 2;
            let interiors = vertices.clone().filter(is_interior).count();
            let visits = ranges.arcs(graph, component) - interiors;
            ((vertices.len() - interiors) as f64, visits as f64)
        };
        // But for those of components that are cycles.
        let junctions = || {
            all().flat_map(|component| {
                let vertices = ranges.vertices(component).into_par_iter();
                let vertices = vertices.map(move |v| (component, v as Vertex));
                vertices.filter(|&(_, v)| graph.degree(v) != 2)
            })
        };
        let (count, long_ends) = junctions()
            .map(|(_, v)| (1, long_chains(graph, v)))
            .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        let interiors = graph.vertices() - count;
        let mut work = SweepWork {
            components: all().map(of_component).collect(),
            length: 2.0 * interiors as f64 / long_ends.max(1) as f64,
            seconds: 0.0,
        };
        let sweeps = junctions().map(|(component, v)| work.of_junction(graph, component, v));
        work.seconds = sweeps.sum();
        work
    }

    /// About how many seconds a core takes for the sweep from a junction of a component.
    pub fn of_junction(&self, graph: &Csr, component: usize, v: Vertex) -> f64 {
        let (junctions, visits) = self.components[component];
        let here = long_chains(graph, v) as f64;
        let ends = SEEN_BY_END * junctions + OWN_CHAIN * self.length * here;
        1e-9 * (VISIT * visits + here * ends)
    }

    /// The same where no sweep from a neighbour came before: paths from the other ends of all long
    /// chains have to be found too.
    pub fn of_junction_alone(&self, graph: &Csr, component: usize, v: Vertex) -> f64 {
        let (_, visits) = self.components[component];
        let neighbours = 1e-9 * VISIT * visits * long_chains(graph, v) as f64;
        self.of_junction(graph, component, v) + neighbours
    }

    /// Where CPU workers search alone, who otherwise look at so many arcs and take so many seconds
    /// of a core. No engine takes longer for an arc than a sweep for a visit.
    pub fn on_cores(&self, arcs: f64, otherwise: f64) -> Verdict {
        let own = self.seconds;
        let visits: f64 = self.components.iter().map(|&(j, visits)| j * visits).sum();
        if visits >= arcs {
            Verdict::Keep
        } else if otherwise > WORTH_A_TRIAL && own < OPEN * otherwise && otherwise < OPEN * own {
            Verdict::Open(own < otherwise)
        } else if own < otherwise {
            Verdict::Contract
        } else {
            Verdict::Keep
        }
    }

    /// Where devices search too, which otherwise look at so many arcs in all.
    ///
    /// Work is counted in visits. On an H200 a visit takes 3 times as long as an arc in the
    /// strategy `local`, and 25 times as long as in `lanes`, but few shallow graphs have chains:
    /// luxembourg_osm gained 8 times, a grid without a fifth of its edges lost 5. Where `local`
    /// does not fit, chains gain where they make up to 1.4 times the work: USA-road-d.NY, 1.27
    /// times the work, gained 1.1. Since levels cost too, ladders gained 6 times where they
    /// had more than 0.3 times the work, so that these figures only say what is worth a trial.
    pub fn on_devices(&self, graph: &Csr, plain: f64, deep: bool) -> Verdict {
        let share = 2.0 * self.seconds / (VISIT * 1e-9) / plain;
        let (least, most) = match (deep, graph.vertices() > LOCAL_VERTICES) {
            (false, _) => (0.04, 0.04),
            (true, false) => (0.15, 1.0),
            (true, true) => (1.4, 1.4),
        };
        if plain < DEVICE_LEAST || share > most {
            Verdict::Keep
        } else if share <= least {
            Verdict::Contract
        } else {
            Verdict::Open(share <= 0.3)
        }
    }
}

/// How many chains with interior vertices begin at a junction.
fn long_chains(graph: &Csr, junction: Vertex) -> usize {
    let neighbours = graph.neighbours(junction).iter();
    neighbours.filter(|&&u| graph.degree(u) == 2).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Graph, generate};

    fn work(graph: &Graph) -> SweepWork {
        SweepWork::of(graph.csr(), &ComponentRanges::one(graph.vertices()))
    }

    fn plain(graph: &Graph) -> f64 {
        2e-9 * (graph.vertices() * graph.csr().arcs()) as f64
    }

    #[test]
    fn long_chains_are_contracted_and_short_ones_are_not() {
        let on_cores = |graph: Graph| work(&graph).on_cores(0.5e9 * plain(&graph), plain(&graph));
        assert_eq!(on_cores(generate::cycle(1000).unwrap()), Verdict::Contract);
        let streets = generate::grid(100, 100, 0.2, 1).unwrap();
        assert_eq!(on_cores(streets), Verdict::Open(false));
        let mesh = generate::barabasi_albert(1000, 3, 1).unwrap();
        assert_eq!(on_cores(mesh), Verdict::Keep);
        let on_devices =
            |graph: Graph| work(&graph).on_devices(graph.csr(), 0.5e9 * plain(&graph), true);
        assert_eq!(on_devices(generate::cycle(1000).unwrap()), Verdict::Keep);
        let ring = generate::cycle(100_000).unwrap();
        assert_eq!(on_devices(ring), Verdict::Contract);
        let streets = generate::grid(200, 200, 0.2, 1).unwrap();
        assert_eq!(on_devices(streets), Verdict::Keep);
    }

    #[test]
    fn many_chains_at_a_junction_are_quadratic_work() {
        let graph = generate::complete_bipartite(2, 20_000).unwrap();
        let seconds = work(&graph).seconds;
        assert!((14.0..16.0).contains(&seconds), "{seconds}");
        assert!(work(&graph).seconds > plain(&graph));
    }
}
