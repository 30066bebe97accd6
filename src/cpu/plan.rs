//! The choice of an engine for CPU workers, by estimates of their times.

use super::lanes::{self, LANES, Simd};
use super::{CpuEngine, CpuOptions, clustered, hierarchy, root_by_root};
use crate::memory;
use crate::prepare::hierarchy::Hierarchy;
use crate::prepare::{Chains, Prepared, depth};
use crate::query::Feature;

/// How CPU workers search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CpuPlan {
    /// The engine of every worker.
    pub engine: CpuEngine,
    /// The number of roots that are searched together.
    pub lanes: usize,
    /// The vector instructions of engines that search batches.
    pub simd: Option<Simd>,
    /// Whether lanes store coefficients in 32 bits.
    pub mixed: bool,
    /// The approximate number of bytes that a worker holds, if it is known.
    pub bytes: Option<usize>,
    /// The approximate number of picoseconds that a worker takes per arc and root.
    pub picoseconds: u32,
}

impl CpuPlan {
    /// Describes the plan in a few words, as in "lanes, 32".
    pub fn words(&self) -> String {
        match self.engine {
            CpuEngine::Lanes if self.mixed => format!("lanes, {}, mixed", self.lanes),
            CpuEngine::Lanes => format!("lanes, {}", self.lanes),
            engine => engine.to_string(),
        }
    }

    /// Estimates the seconds that a worker takes for this many roots. The true time may differ by a
    /// factor of three, depending on machine and graph.
    pub fn seconds(&self, prepared: &Prepared, roots: usize) -> f64 {
        roots as f64 * prepared.arcs_per_root * f64::from(self.picoseconds) * 1e-12
    }

    /// Plans an engine that takes this many nanoseconds per arc and root.
    fn new(engine: CpuEngine, nanoseconds: f64) -> CpuPlan {
        CpuPlan {
            engine,
            lanes: 1,
            picoseconds: (1e3 * nanoseconds) as u32,
            ..CpuPlan::default()
        }
    }
}

/// Returns whether there is memory for this many bytes for each of at most this many workers.
fn has_room(workers: usize, bytes: usize, options: &CpuOptions) -> bool {
    if options.reproducible {
        return bytes <= REPRODUCIBLE_ROOM;
    }
    let needed = bytes.saturating_mul(workers.max(1));
    let machine = memory::physical().map(|bytes| bytes / MEMORY_SHARE);
    machine.is_none_or(|memory| needed <= memory)
        && !memory::exceeded_by(needed.saturating_mul(FREE_SHARE))
}

/// The number of lanes unless the user asks for another.
const DEFAULT_LANES: usize = 64;

/// The workers together use at most one part in `MEMORY_SHARE` of the memory of the machine for
/// batches, and one part in `FREE_SHARE` of the free memory, which a container may limit.
const MEMORY_SHARE: usize = 4;
const FREE_SHARE: usize = 2;

/// The bytes that a worker is assumed to have if the plan must be the same on every machine.
const REPRODUCIBLE_ROOM: usize = 1 << 30;

/// Engine `auto` plans `lanes` and `hierarchy` only if there are at least this many roots for each
/// worker.
const FEWEST_ROOTS: usize = 16;

/// Rows of at most this many bytes in total stay in a cache.
const CACHED_BYTES: usize = 8 << 20;

/// The number of different distances of a vertex from all roots, as a fraction of the median depth
/// of searches, in undirected and directed graphs: few vertices of a directed graph are on its
/// deepest levels.
const SPREAD: [f64; 2] = [0.75, 0.3];

/// An engine is tried if its estimated time is at most this many times the smallest one, since
/// estimates may be wrong by this factor.
const CLOSE: f64 = 3.0;

/// The number of claims of an engine in a trial, and the largest fraction of the time of the search
/// that they may take.
const TRIAL_CLAIMS: usize = 2;
const TRIAL_SHARE: f64 = 0.05;

/// Returns the plan with the smallest estimated time for searches from all roots of a graph by at
/// most this many workers.
pub fn plan(prepared: &Prepared, options: &CpuOptions, workers: usize) -> CpuPlan {
    candidates(prepared, options, workers, prepared.roots.len())[0]
}

/// Returns the plans that may be the fastest for searches from some of the roots of a graph, by
/// ascending estimated time. There is more than one only if there are enough roots for a
/// [`super::Trial`] of them.
pub fn candidates(
    prepared: &Prepared,
    options: &CpuOptions,
    workers: usize,
    roots: usize,
) -> Vec<CpuPlan> {
    if prepared.chains.is_some() {
        return Vec::from_iter(CpuPlan::hierarchy(prepared, options, workers));
    }
    let (workers, roots) = match options.reproducible {
        true => (1, prepared.roots.len()),
        false => (workers, roots),
    };
    let has_enough_roots = roots >= FEWEST_ROOTS * workers.max(1);
    let lanes_unset = options.lanes.is_none();
    let mostly_grouped = 2 * prepared.grouped_roots >= prepared.roots.len().max(1);
    let auto = options.engine == CpuEngine::Auto;
    let is_likely = || prepared.likely_hierarchy(workers).is_some();
    let sweeps = || has_enough_roots && lanes_unset && is_likely();
    let mut plans = Vec::new();
    if options.engine == CpuEngine::Lanes || auto && has_enough_roots {
        plans.extend(CpuPlan::lanes(prepared, options, workers));
    }
    if options.engine == CpuEngine::Clustered || auto && mostly_grouped && lanes_unset {
        plans.extend(CpuPlan::clustered(prepared, options, workers));
    }
    if options.engine == CpuEngine::Hierarchy || auto && sweeps() {
        plans.extend(CpuPlan::hierarchy(prepared, options, workers));
    }
    let squares = (Feature::Squares, prepared.sums_squares());
    let needed = Feature::needed(&prepared.any_query().original, [squares]);
    plans.retain(|plan| !needed.iter().any(|one| plan.engine.lacks().contains(one)));
    if auto || plans.is_empty() {
        plans.push(CpuPlan::root_by_root(prepared));
    }
    let seconds = |plan: &CpuPlan| plan.seconds(prepared, roots);
    plans.sort_by(|a, b| seconds(a).total_cmp(&seconds(b)));
    if options.reproducible {
        plans.truncate(1);
    }
    let best = seconds(&plans[0]);
    plans.retain(|plan| {
        let claims = (TRIAL_CLAIMS * plan.lanes) as f64 / roots.max(1) as f64;
        let seconds = seconds(plan);
        seconds == best || (seconds <= CLOSE * best && claims * seconds <= TRIAL_SHARE * best)
    });
    plans
}

impl CpuPlan {
    /// Plans searches from one root at a time.
    pub fn root_by_root(prepared: &Prepared) -> CpuPlan {
        let has_lengths = prepared.lengths.is_some();
        CpuPlan {
            bytes: has_lengths.then(|| root_by_root::bytes(prepared)),
            ..CpuPlan::new(CpuEngine::Plain, if has_lengths { 30.0 } else { 5.0 })
        }
    }

    /// Plans engine `clustered`, if it can search this graph and all workers have the memory.
    fn clustered(prepared: &Prepared, options: &CpuOptions, workers: usize) -> Option<CpuPlan> {
        let bytes = clustered::bytes(prepared);
        let alone = 1.0 - prepared.grouped_roots as f64 / prepared.roots.len().max(1) as f64;
        let grouped_nanoseconds = if prepared.lengths.is_some() { 8.0 } else { 2.5 };
        let fits = clustered::fits(prepared) && has_room(workers, bytes, options);
        fits.then(|| CpuPlan {
            lanes: clustered::LANES,
            simd: Some(options.simd.unwrap_or_else(Simd::best)),
            bytes: Some(bytes),
            ..CpuPlan::new(CpuEngine::Clustered, grouped_nanoseconds * (1.0 + alone))
        })
    }

    /// Estimates the seconds that a worker takes for all searches that serve these chains.
    pub fn served_seconds(hierarchy: &Hierarchy, chains: &Chains) -> f64 {
        /// The nanoseconds to divide the sources of a chain between its ends, for one target.
        const SPLIT: f64 = 2.5;
        let splits = SPLIT * (chains.count() * hierarchy.vertices()) as f64;
        1e-9 * (chains.roots.len() as f64 * sweep_nanoseconds(hierarchy) + splits)
    }

    /// Plans sweeps over a hierarchy, if the graph has one and all workers have the memory. Only
    /// this engine serves chains, so the memory does not matter then.
    fn hierarchy(prepared: &Prepared, options: &CpuOptions, workers: usize) -> Option<CpuPlan> {
        let overlay = prepared.hierarchy().ok()?;
        let bytes = hierarchy::bytes(prepared, &overlay);
        let fits = prepared.chains.is_some() || has_room(workers, bytes, options);
        // The way down takes about as long as each backward phase, which is a way up.
        let ways = (1 + prepared.passes().len()) as f64;
        let nanoseconds = match &prepared.chains {
            None => sweep_nanoseconds(&overlay) * ways / 2.0,
            Some(chains) => {
                1e9 * CpuPlan::served_seconds(&overlay, chains) / chains.roots.len() as f64
            }
        };
        // A sweep visits all vertices even if the radius is small, but `seconds` multiplies by the
        // arcs within the radius only.
        let arcs = prepared.graph.arcs().max(1) as f64 * prepared.any_query().arc_share;
        fits.then(|| CpuPlan {
            lanes: hierarchy::LANES,
            simd: Some(options.simd.unwrap_or_else(Simd::best)),
            bytes: Some(bytes),
            ..CpuPlan::new(CpuEngine::Hierarchy, nanoseconds / arcs)
        })
    }

    /// Plans engine `lanes` with as many of the wanted lanes as fit in memory; `None` for a graph
    /// with lengths.
    fn lanes(prepared: &Prepared, options: &CpuOptions, workers: usize) -> Option<CpuPlan> {
        if prepared.lengths.is_some() {
            return None;
        }
        let deepest = prepared.depths().last().map_or(1, |&d| d as usize + 1);
        let simd = options.simd.unwrap_or_else(Simd::best);
        // Without wide vectors, 32 bits are slower.
        let mixed = options.mixed && simd != Simd::Portable;
        let mixed = mixed && prepared.fits_floats();
        let bytes = |lanes| lanes::bytes(prepared, (lanes, mixed), deepest);
        let wanted = options.lanes.unwrap_or(DEFAULT_LANES);
        let lanes = fitting(wanted, |lanes| has_room(workers, bytes(lanes), options));
        Some(CpuPlan {
            lanes,
            simd: Some(simd),
            mixed,
            bytes: Some(bytes(lanes)),
            ..CpuPlan::new(CpuEngine::Lanes, lanes_nanoseconds(prepared, lanes))
        })
    }
}

/// Estimates the nanoseconds of a sweep for a root, down and up.
fn sweep_nanoseconds(hierarchy: &Hierarchy) -> f64 {
    1.5 * hierarchy.vertices() as f64 + 0.3 * hierarchy.arcs() as f64
}

/// Estimates the nanoseconds of engine `lanes` per arc and root. A batch looks at an arc once for
/// each distance at which some lane reaches it, and deeper searches have more different distances.
/// Within a radius, or in a directed graph, few lanes may reach an arc.
fn lanes_nanoseconds(prepared: &Prepared, lanes: usize) -> f64 {
    let median_depth = f64::from(depth::median(prepared.depths()));
    let limit = prepared.search_limit();
    let reached = prepared.arcs_per_root / prepared.component_arcs_per_root().max(1.0);
    let share = reached.min(1.0) * prepared.any_query().arc_share;
    let spread = SPREAD[usize::from(prepared.reverse.is_some())];
    let distances = (spread * median_depth.min(limit)).max(1.0);
    let visits = distances * (1.0 - (1.0 - share / distances).powf(lanes as f64));
    let row_bytes = lanes * size_of::<f64>();
    // Large rows are fetched from memory, and the first batch also causes page faults.
    let exceeds_cache = prepared.graph.vertices() * row_bytes > CACHED_BYTES;
    let visit_nanoseconds = if exceeds_cache { 45.0 } else { 15.0 };
    visit_nanoseconds * visits / (lanes as f64 * share)
}

/// Returns the largest number of lanes up to `wanted` that fits, or the smallest of all if none
/// fits.
fn fitting(wanted: usize, fits: impl Fn(usize) -> bool) -> usize {
    let mut all = LANES.into_iter().rev();
    all.find(|&lanes| lanes <= wanted && fits(lanes))
        .unwrap_or(LANES[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::graph::{Graph, generate};
    use crate::prepare::{PrepareOptions, prepare, prepare_query};
    use crate::query::Query;

    fn shapes() -> [Graph; 2] {
        let random = generate::erdos_renyi(500, 4000, 1).unwrap();
        [random, generate::grid(60, 60, 0.0, 1).unwrap()]
    }

    #[test]
    fn depth_decides() {
        let [random, grid] = shapes().map(|graph| {
            let prepared = prepare(&graph, &PrepareOptions::default());
            prepared.unwrap()
        });
        use CpuEngine::{Auto, Clustered, Lanes, Plain};
        for (prepared, engine, lanes, workers, words) in [
            (&random, Auto, None, 2, "lanes, 64"),
            (&random, Auto, None, 1000, "plain"),
            (&grid, Auto, None, 2, "clustered"),
            // Batches would need too much memory.
            (&grid, Auto, None, 1 << 40, "plain"),
            (&grid, Lanes, Some(16), 2, "lanes, 16"),
            (&random, Plain, None, 2, "plain"),
            (&random, Clustered, None, 2, "clustered"),
        ] {
            let options = CpuOptions {
                engine,
                lanes,
                ..CpuOptions::default()
            };
            let plan = plan(prepared, &options, workers);
            assert_eq!(plan.words(), words);
            let engine = crate::cpu::engine(prepared, &plan);
            assert_eq!(engine.roots_together(), plan.lanes);
        }
        let few = candidates(&random, &CpuOptions::default(), 2, 31);
        assert_eq!(few[0].words(), "plain");
        for (lanes, most, fit) in [(64, 64, 64), (32, 64, 32), (64, 20, 16), (64, 0, 8)] {
            assert_eq!(fitting(lanes, |lanes| lanes <= most), fit);
        }
    }

    #[test]
    fn batches_compute_queries_without_demand() {
        let [_, grid] = shapes();
        let engines = |query| {
            let prepared = prepare_query(&grid, &PrepareOptions::default(), &query).unwrap();
            let plans = candidates(&prepared, &CpuOptions::default(), 1, 3600);
            plans.iter().map(|plan| plan.engine).collect::<Vec<_>>()
        };
        let (mut near, mut far, mut demand) =
            (Query::default(), Query::default(), Query::default());
        near.radii = vec![4.0];
        assert!(engines(near).contains(&CpuEngine::Clustered));
        far.decay = Some(0.1);
        assert_eq!(engines(far)[0], CpuEngine::Clustered);
        demand.demand = Some((0..3600).map(|v| (v, (v + 9) % 3600, 1.0)).collect());
        let batches = [CpuEngine::Lanes, CpuEngine::Clustered];
        assert!(!engines(demand).iter().any(|one| batches.contains(one)));
    }

    #[test]
    fn sweeps_for_many_radii_need_memory_and_time() {
        let [_, grid] = shapes();
        let options = CpuOptions {
            engine: CpuEngine::Hierarchy,
            ..CpuOptions::default()
        };
        let plan = |radii: u32, workers| {
            let query = Query {
                radii: (1..=radii).map(f64::from).collect(),
                ..Query::default()
            };
            let prepared = prepare_query(&grid, &PrepareOptions::default(), &query).unwrap();
            let plan = plan(&prepared, &options, workers);
            let seconds = plan.seconds(&prepared, 3600);
            (plan.engine, plan.bytes.unwrap_or(0), seconds)
        };
        let (one, many) = (plan(1, 1), plan(32, 1));
        assert!(one.0 == CpuEngine::Hierarchy && many.0 == CpuEngine::Hierarchy);
        assert!(many.1 > 10 * one.1 && many.2 > 10.0 * one.2);
        assert_eq!(plan(32, 1 << 40).0, CpuEngine::Plain);
    }
}
