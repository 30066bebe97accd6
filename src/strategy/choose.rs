//! Strategy `auto`: chooses a strategy for the graph and the device, with a reason.
//!
//! `lanes` reads an arc once for many roots, but on every level it scans the arcs of all vertices
//! that some root has not reached. Strategies with one work-group per root read every arc once in
//! each phase, however many levels there are. The choice therefore depends on the depth of
//! searches, as between the two strategies of McLaughlin and Bader, and in directed graphs on what
//! searches reach too.

use super::device_strategy::{
    About, DeviceEngine, DeviceStrategy, NumericOption, Strategy, features_of_programs,
    features_of_search,
};
use crate::device::{DeviceError, DeviceInfo, DeviceOptions, Session, Source};
use crate::prepare::depth::{self, DEEP};
use crate::prepare::hierarchy::Hierarchy;
use crate::prepare::{Chains, Prepared, WORKERS_OF_DEVICE};
use crate::query::Feature;

/// The least number of seconds that `lanes` takes per level and batch of [`LANES_BATCH`] roots. Two
/// batches are in flight, so the first one takes twice as long.
const LANES_LEVEL: f64 = 5e-5;
const LANES_BATCH: usize = 4096;
/// Seconds that `lanes` takes per root for an arc of the graph on each level, and for an arc within
/// the radius.
const LANES_ARC: [f64; 2] = [1.7e-13, 1.1e-11];

/// Seconds that `local` takes at least; per root; per root and level; and per root and arc within
/// the radius.
const LOCAL_START: f64 = 3e-4;
const LOCAL_ROOT: f64 = 3e-7;
const LOCAL_LEVEL: f64 = 3e-9;
const LOCAL_ARC: f64 = 1.4e-11;

/// Seconds that `lanes` takes per root and arc that the root reaches in a directed graph, and the
/// part that is added for each level of searches, since roots of a batch reach an arc on different
/// levels.
const LANES_REACHED: [f64; 2] = [1.5e-12, 0.4];

/// Seconds that `warp` takes at least; per root; per root and vertex that it reaches; and per root
/// and arc, if the graph is shallow.
const WARP_START: f64 = 3e-4;
const WARP_ROOT: f64 = 2e-7;
const WARP_VERTEX: f64 = 3.6e-10;
const WARP_ARC: f64 = 6.5e-11;
/// Searches with more levels than this many times log2 of the vertices have small frontiers, so
/// that `warp` finds most arcs in a cache.
const WARP_SHALLOW: f64 = 2.4;

/// Seconds that weighted searches with one work-group per root take per root and arc: 1.5e-10 to
/// 5e-10 on road networks, grids, meshes and trees with cycles.
const WEIGHTED_ARC: f64 = 3e-10;

/// Seconds that both sweeps over a hierarchy take per overlay arc and lane.
const SWEEP_ARC: f64 = 1.1e-11;

/// Seconds that sweeps take per target and chain whose sources are served.
const SPLIT: f64 = 5e-12;

/// The approximate number of vertices that fit into the local memory of a device.
const LOCAL_MOST: usize = 1 << 17;

/// The strategies to try, best first, and the reason.
type Choice = (&'static [Strategy], String);

/// Estimates the seconds that a device takes for sweeps over a hierarchy from `roots` roots, which
/// serve these chains. All lanes sweep over all components.
pub fn hierarchy_seconds(hierarchy: &Hierarchy, chains: Option<&Chains>, roots: usize) -> f64 {
    /// Seconds that a level of a batch takes, however few vertices it has.
    const LEVEL: f64 = 1e-4;
    /// Roots of a batch.
    const BATCH: usize = 8192;
    let splits = chains.map_or(0, Chains::count) * hierarchy.vertices();
    let deepest = hierarchy.depths().into_iter().max().unwrap_or(0);
    let levels = f64::from(deepest) * roots.div_ceil(BATCH) as f64;
    SWEEP_ARC * (roots * hierarchy.arcs()) as f64 + SPLIT * splits as f64 + LEVEL * levels
}

/// Estimates the seconds that a device takes for a deep graph without a hierarchy; infinite if
/// a hierarchy is known to be faster.
pub fn seconds_without_hierarchy(prepared: &Prepared) -> f64 {
    let arcs = prepared.roots.len() as f64 * prepared.arcs_per_root;
    if prepared.lengths.is_some() {
        WEIGHTED_ARC * arcs
    } else if prepared.reverse.is_some() {
        lanes_seconds(prepared).min(warp_seconds(prepared))
    } else if prepared.graph.vertices() <= LOCAL_MOST {
        local_seconds(prepared)
    } else if prepared.query.is_some() {
        WEIGHTED_ARC * arcs
    } else {
        f64::INFINITY
    }
}

/// Returns the median depth of searches of a graph without lengths, within the radius of the query.
fn median_depth(prepared: &Prepared) -> u32 {
    depth::median(prepared.depths()).min(prepared.search_limit() as u32)
}

/// Estimates the seconds that `local` takes for a graph without lengths.
fn local_seconds(prepared: &Prepared) -> f64 {
    let roots = prepared.roots.len() as f64;
    let levels = f64::from(median_depth(prepared) + 1);
    let arcs = prepared.arcs_per_root;
    LOCAL_START + roots * (LOCAL_ROOT + LOCAL_LEVEL * levels + LOCAL_ARC * arcs)
}

/// Estimates the seconds that `lanes` takes for a graph without lengths. For an undirected graph,
/// counts only the time for each level, unless a radius ends the searches.
fn lanes_seconds(prepared: &Prepared) -> f64 {
    let roots = prepared.roots.len();
    let mut levels = f64::from(median_depth(prepared) + 1);
    let arcs = if prepared.reverse.is_some() {
        let [arc, per_level] = LANES_REACHED;
        let reached = arc * (1.0 + per_level * levels) * prepared.arcs_per_root;
        let deepest = prepared.depths().last().copied().unwrap_or(0);
        levels = f64::from(deepest).min(prepared.search_limit()) + 1.0;
        reached
    } else if prepared.any_query().arc_share < 1.0 {
        let [all, reached] = LANES_ARC;
        levels * all * prepared.graph.arcs() as f64 + reached * prepared.arcs_per_root
    } else {
        0.0
    };
    let batches = roots.div_ceil(LANES_BATCH) + 1;
    LANES_LEVEL * levels * batches as f64 + roots as f64 * arcs
}

/// Estimates the seconds that `warp` takes for a directed graph without lengths.
fn warp_seconds(prepared: &Prepared) -> f64 {
    let n = prepared.graph.vertices().max(2) as f64;
    let degree = prepared.graph.arcs().max(1) as f64 / n;
    let relative_depth = f64::from(median_depth(prepared) + 1) / n.log2();
    let arc = WARP_VERTEX / degree + WARP_ARC * (WARP_SHALLOW / relative_depth).powi(2).min(1.0);
    let roots = prepared.roots.len() as f64;
    WARP_START + roots * (WARP_ROOT + arc * prepared.arcs_per_root)
}

/// Chooses strategies for a graph on any device, which may be too small for them.
fn choose(prepared: &Prepared) -> Choice {
    if prepared.chains.is_some() {
        let why = "sources inside chains are served from the ends of their chains";
        return (&[Strategy::Hierarchy], why.into());
    }
    let may_sweep = Strategy::Hierarchy.covers(&features_of_search(prepared));
    let hierarchy = may_sweep.then(|| prepared.likely_hierarchy(WORKERS_OF_DEVICE));
    let hierarchy = hierarchy.flatten();
    let hierarchy = hierarchy.filter(|hierarchy| {
        let seconds = hierarchy_seconds(hierarchy, None, prepared.roots.len());
        seconds < seconds_without_hierarchy(prepared)
    });
    if prepared.lengths.is_some() {
        // On an H200, `warp` was the fastest strategy on roads, a grid and small worlds, or within
        // 7% of it, except on a graph of 3,000 vertices.
        const ALL: &[Strategy] = &[Strategy::Hierarchy, Strategy::Warp, Strategy::WorkEfficient];
        return match hierarchy {
            Some(_) => (ALL, "the graph is weighted, sparse and deep".into()),
            None => (&ALL[1..], "the graph is weighted".into()),
        };
    }
    if hierarchy.is_some() {
        let strategies = &[Strategy::Hierarchy, Strategy::Local, Strategy::Warp];
        return (strategies, "the graph is sparse and deep".into());
    }
    if prepared.reverse.is_some() {
        // Searches of a directed graph reach very different parts of it, so that a limit of their
        // depth decides nothing.
        let [lanes, warp] = [lanes_seconds(prepared), warp_seconds(prepared)];
        let why = format!(
            "a search reaches about {:.0}% of the arcs in {} levels",
            100.0 * prepared.arcs_per_root / prepared.graph.arcs().max(1) as f64,
            median_depth(prepared),
        );
        return match lanes <= warp {
            true => (&[Strategy::Lanes, Strategy::Warp, Strategy::Virtual], why),
            false => (&[Strategy::Warp, Strategy::WorkEfficient], why),
        };
    }
    let (n, depths) = (prepared.graph.vertices(), prepared.depths());
    let median = median_depth(prepared);
    let limit = depth::shallow_limit(n);
    // Deep graphs are searched with one work-group per root. On an H200, `lanes` was at least 1.6
    // times faster up to a depth of 0.7 log2 n, and at least 2.7 times slower from 2.7 log2 n on.
    let deep = f64::from(median) > limit;
    let local = deep || local_seconds(prepared) < lanes_seconds(prepared);
    let (side, but) = match (deep, local) {
        (true, _) => ("above", ""),
        (false, true) if prepared.any_query().arc_share < 1.0 => {
            ("at most", ", but the radius reaches little of the graph")
        }
        (false, true) => ("at most", ", but the graph is small"),
        (false, false) => ("at most", ""),
    };
    let why = format!(
        "the median depth of {} searches is {median}, {side} {DEEP} * log2({n}) = {limit:.0}{but}",
        depths.len(),
    );
    let strategies: &[_] = match local {
        true => &[Strategy::Local, Strategy::Warp, Strategy::WorkEfficient],
        false if prepared.query.is_some() => &[Strategy::Lanes, Strategy::Local, Strategy::Warp],
        false => &[Strategy::Lanes, Strategy::Local, Strategy::Virtual],
    };
    (strategies, why)
}

/// The strategies to try if no strategy of a choice supports the search.
const OTHERS: &[Strategy] = &[Strategy::Hierarchy, Strategy::Warp, Strategy::Lanes];

/// Returns those of `strategies` that support the search. If none does, returns those of [`OTHERS`]
/// that do. If none of these does either, returns `virtual`, whose error names the missing feature.
fn able(strategies: &[Strategy], prepared: &Prepared) -> Vec<Strategy> {
    let needed = features_of_search(prepared);
    let able = [strategies, OTHERS].map(|strategies| -> Vec<Strategy> {
        let all = strategies.iter().copied();
        all.filter(|one| one.covers(&needed)).collect()
    });
    let some = able.into_iter().find(|able| !able.is_empty());
    some.unwrap_or_else(|| vec![Strategy::Virtual])
}

/// Returns the strategies that `auto` chooses most often. Their programs are built before the graph
/// is known, those of other strategies when they are chosen.
pub fn usual(weighted: bool) -> &'static [Strategy] {
    if weighted {
        &[Strategy::Warp, Strategy::Hierarchy]
    } else {
        &[Strategy::Lanes, Strategy::Local, Strategy::Hierarchy]
    }
}

/// Returns the strategy that `auto` chooses, unless the device has too little memory for it.
pub fn likely(prepared: &Prepared) -> Strategy {
    able(choose(prepared).0, prepared)[0]
}

/// Strategy `auto`.
pub struct Auto;

impl DeviceStrategy for Auto {
    fn about(&self) -> About {
        About {
            name: "auto",
            line: "The best for the graph and the device",
            takes: &[],
            numbers: &[NumericOption::Degree, NumericOption::Lanes],
        }
    }

    /// Returns `None`, because the features depend on the strategy that `auto` chooses.
    fn lacking(&self, _: &[Feature]) -> Option<Feature> {
        None
    }

    fn kernels(&self, options: &DeviceOptions, info: &DeviceInfo) -> Vec<Source> {
        let needed = features_of_programs(options);
        let able = usual(options.weighted).iter();
        let able = able.filter(|strategy| strategy.covers(&needed));
        able.flat_map(|strategy| strategy.kernels(options, info))
            .collect()
    }

    /// Makes the engine of the first strategy of the choice that the device can hold.
    fn engine<'s>(
        &'static self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError> {
        let (strategies, mut why) = choose(prepared);
        let strategies = able(strategies, prepared);
        for strategy in &strategies {
            let name = strategy.name();
            match strategy.engine(session, prepared) {
                Err(error) if error.is_refusal() && Some(strategy) != strategies.last() => {
                    why = format!("{why}; strategy {name} was skipped: {error}");
                }
                Err(error) => return Err(error),
                Ok(mut engine) => {
                    if !engine.plan.why.is_empty() {
                        why = format!("{why}; {}", engine.plan.why);
                    }
                    engine.plan.why = format!("{name}: {why}");
                    return Ok(engine);
                }
            }
        }
        Err(DeviceError::Refused(why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Csr, Graph, generate};
    use crate::prepare::{PrepareOptions, prepare_query};
    use crate::query::{Measure, Query};

    #[test]
    fn reach_and_depth_decide_and_small_graphs_are_not_worth_lanes() {
        let world = |scale| generate::rmat(scale, 16, 0.57, 0.19, 0.19, 7).unwrap();
        let directed = |csr| Graph::unlabelled(csr, None, true);
        // A cycle of 200 dense layers is deep, but a search reaches all of it.
        let layers = Csr::of_rows(4000, |v, target| {
            let layer = 20 * ((v / 20 + 1) % 200) as u32;
            let heads = (0..20u32).filter(|i| (i + v as u32).is_multiple_of(2));
            heads.for_each(|i| target(layer + i));
        });
        // A search in one of many narrow strips reaches little.
        let strips = Csr::of_rows(20_000, |v, target| {
            if v % 40 < 38 {
                (1..3).for_each(|step| target(v as u32 + step));
            }
        });
        let mesh = generate::grid(30, 30, 0.0, 1).unwrap();
        let query = Query {
            measures: vec![Measure::Betweenness, Measure::Closeness],
            ..Query::default()
        };
        let plain = Query::default();
        for (graph, query, strategy) in [
            (world(11), &plain, Strategy::Lanes),
            (world(7), &plain, Strategy::Local),
            (
                generate::grid(4, 33_000, 0.0, 1).unwrap(),
                &plain,
                Strategy::Hierarchy,
            ),
            (mesh.clone(), &plain, Strategy::Local),
            (directed(world(11).csr().clone()), &plain, Strategy::Lanes),
            (directed(layers), &plain, Strategy::Warp),
            (directed(strips), &plain, Strategy::Warp),
            (mesh, &query, Strategy::Local),
            (world(11), &query, Strategy::Lanes),
        ] {
            let prepared = prepare_query(&graph, &PrepareOptions::default(), query).unwrap();
            let (strategies, why) = choose(&prepared);
            assert_eq!(able(strategies, &prepared)[0], strategy, "{why}");
            assert_eq!(why.contains("small"), graph.vertices() == 128, "{why}");
        }
    }

    #[test]
    fn only_what_can_be_launched_is_built() {
        let info = DeviceInfo::for_tests(crate::device::DeviceKind::Gpu);
        let usual = DeviceOptions::default();
        let edges = DeviceOptions {
            count_edges: true,
            ..usual
        };
        let weighted = DeviceOptions {
            weighted: true,
            ..usual
        };
        for (strategy, options, programs) in [
            ("auto", &usual, "lanes local hierarchy"),
            ("auto", &edges, "lanes local hierarchy"),
            ("edge-device", &usual, "edge_device"),
            ("warp", &weighted, "weighted_u32_warp"),
            ("auto", &weighted, "weighted_u32_warp hierarchy"),
        ] {
            let strategy: Strategy = strategy.parse().unwrap();
            let sources = strategy.kernels(options, &info).into_iter();
            let names: Vec<String> = sources.map(|source| source.name).collect();
            assert_eq!(names.join(" "), programs);
        }
    }
}
