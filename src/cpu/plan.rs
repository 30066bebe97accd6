//! Which engine CPU workers use, and why.

use super::lanes::{self, LANES, Simd};
use super::{clustered, weighted};
use crate::memory;
use crate::prepare::Prepared;

/// Engines asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "app", derive(clap::ValueEnum))]
pub enum CpuEngine {
    /// Chains where they are contracted; else clustered on deep graphs; else lanes; plain if roots
    /// are too few for either
    #[default]
    Auto,
    /// A root at a time
    Plain,
    /// Batches of roots searched together, a lane of vector registers each
    Lanes,
    /// Batches of eight neighbouring roots, for deep graphs
    #[cfg_attr(feature = "app", value(alias = "near"))]
    Clustered,
}

/// What is asked of CPU workers besides their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CpuOptions {
    /// The engine. Contracted graphs are searched by [`super::ChainSweeps`] all the same.
    pub engine: CpuEngine,
    /// Lanes, one of [`LANES`]; `None` for a good number.
    pub lanes: Option<usize>,
    /// Vector instructions of lanes; `None` for [`Simd::best`].
    pub simd: Option<Simd>,
}

/// The engine of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "app", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum EngineName {
    /// A root at a time.
    #[default]
    Plain,
    /// Batches of roots.
    Lanes,
    /// Batches of neighbouring roots.
    #[serde(alias = "near")]
    Clustered,
    /// Sweeps from junctions.
    Chains,
    /// Of weighted graphs: a root at a time.
    Dijkstra,
}

/// What CPU workers do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CpuPlan {
    /// The engine of every worker.
    pub engine: EngineName,
    /// Roots that are searched together; 1 but for lanes and clustered.
    pub lanes: usize,
    /// Vector instructions that lanes use.
    pub simd: Option<Simd>,
    /// About as many bytes as lanes, or searches of weighted graphs, hold for each worker.
    pub bytes: Option<usize>,
}

impl EngineName {
    /// As in reports.
    pub fn name(self) -> &'static str {
        match self {
            EngineName::Plain => "plain",
            EngineName::Lanes => "lanes",
            EngineName::Clustered => "clustered",
            EngineName::Chains => "chains",
            EngineName::Dijkstra => "dijkstra",
        }
    }
}

impl CpuPlan {
    /// In words, as in "2 CPU workers (lanes, 32)".
    pub fn words(&self) -> String {
        match self.engine {
            EngineName::Lanes => format!("lanes, {}", self.lanes),
            engine => engine.name().into(),
        }
    }

    /// About how long a worker takes for so many roots. Other machines and graphs differ by a
    /// factor of three.
    pub fn seconds(&self, prepared: &Prepared, roots: usize) -> f64 {
        let row = self.lanes * size_of::<f64>();
        let far = prepared.graph.vertices() * row > NEARBY;
        let nanoseconds = match self.engine {
            // Where each row is fetched from memory, and pages of memory for the first batch.
            EngineName::Lanes if far => 3.0,
            EngineName::Lanes => 1.0,
            EngineName::Clustered => 2.5,
            EngineName::Plain => 5.0,
            EngineName::Chains => 20.0,
            EngineName::Dijkstra => 30.0,
        };
        roots as f64 * prepared.graph.arcs() as f64 * nanoseconds * 1e-9
    }

    fn of(engine: EngineName) -> CpuPlan {
        CpuPlan {
            engine,
            lanes: 1,
            simd: None,
            bytes: None,
        }
    }
}

/// Who is to search, as far as it matters to a [`plan`].
#[derive(Debug, Clone, Copy)]
pub struct Staff {
    /// The most CPU workers there may be.
    pub workers: usize,
    /// Roots that are left to search.
    pub roots: usize,
}

impl Staff {
    /// So many workers for all roots.
    pub fn of(prepared: &Prepared, workers: usize) -> Self {
        Staff {
            workers,
            roots: prepared.roots.len(),
        }
    }
}

/// Lanes unless asked for otherwise.
const DEFAULT_LANES: usize = 64;

/// All workers together get this part of the memory for lanes and clustered.
const MEMORY_SHARE: usize = 4;

/// Without this many roots for each worker, batches would be too small.
const FEWEST_ROOTS: usize = 16;

/// Rows of so many bytes stay in a cache.
const NEARBY: usize = 8 << 20;

/// The plan for a graph.
pub fn plan(prepared: &Prepared, options: &CpuOptions, staff: Staff) -> CpuPlan {
    let workers = staff.workers.max(1);
    if prepared.chains.is_some() {
        return CpuPlan::of(EngineName::Chains);
    }
    let memory = memory::physical().map_or(usize::MAX, |bytes| bytes / MEMORY_SHARE);
    let for_all = |bytes: usize| bytes.saturating_mul(workers) <= memory;
    let clustered = match options.engine {
        CpuEngine::Clustered => true,
        CpuEngine::Auto => options.lanes.is_none() && clusters_pay(prepared),
        CpuEngine::Plain | CpuEngine::Lanes => false,
    };
    if clustered && clustered::fits(prepared) && for_all(clustered::bytes(prepared)) {
        return CpuPlan {
            lanes: clustered::ROOTS,
            simd: Some(options.simd.unwrap_or_else(Simd::best)),
            bytes: Some(clustered::bytes(prepared)),
            ..CpuPlan::of(EngineName::Clustered)
        };
    }
    // Of weighted graphs only those with short lengths have lanes.
    let longest = lanes::weighted::longest(prepared);
    let lanes = match options.engine {
        _ if prepared.lengths.is_some() && longest.is_none() => false,
        CpuEngine::Plain | CpuEngine::Clustered => false,
        CpuEngine::Lanes => true,
        CpuEngine::Auto => staff.roots >= FEWEST_ROOTS * workers && !prepared.is_deep(),
    };
    if !lanes && prepared.lengths.is_some() {
        return CpuPlan {
            bytes: Some(weighted::bytes(prepared)),
            ..CpuPlan::of(EngineName::Dijkstra)
        };
    }
    if !lanes {
        return CpuPlan::of(EngineName::Plain);
    }
    let n = prepared.graph.vertices();
    let deepest = prepared.depths().last().map_or(1, |&d| d as usize + 1);
    let bytes = |lanes| match longest {
        // Nearly every lane can have a vertex at a distance of its own.
        Some(longest) => lanes::weighted::bytes(lanes, prepared, longest, lanes),
        None => lanes::bytes(lanes, n, deepest),
    };
    let lanes = fitting(options.lanes.unwrap_or(DEFAULT_LANES), |lanes| {
        for_all(bytes(lanes))
    });
    CpuPlan {
        engine: EngineName::Lanes,
        lanes,
        simd: Some(options.simd.unwrap_or_else(Simd::best)),
        bytes: Some(bytes(lanes)),
    }
}

/// Levels of a deep graph are small, and few lanes are at a vertex on the same one; but roots near
/// one another can be searched together, if there are such roots.
fn clusters_pay(prepared: &Prepared) -> bool {
    prepared.is_deep() && 2 * prepared.grouped_roots >= prepared.roots.len().max(1)
}

/// The most lanes up to those wanted that fit; the fewest there are if none do.
fn fitting(wanted: usize, fits: impl Fn(usize) -> bool) -> usize {
    let mut all = LANES.into_iter().rev();
    all.find(|&lanes| lanes <= wanted && fits(lanes))
        .unwrap_or(LANES[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::graph::generate;
    use crate::prepare::{ChainsOption, PrepareOptions, prepare};

    #[test]
    fn depth_decides() {
        let rmat = generate::erdos_renyi(500, 4000, 1).unwrap();
        let grid = generate::grid(30, 30, 0.0, 1).unwrap();
        let name = |graph, options: &CpuOptions, workers| {
            let prepared = prepare(graph, &PrepareOptions::default()).unwrap();
            plan(&prepared, options, Staff::of(&prepared, workers)).words()
        };
        let auto = CpuOptions::default();
        assert_eq!(name(&rmat, &auto, 2), "lanes, 64");
        assert_eq!(name(&rmat, &auto, 1000), "plain");
        assert_eq!(name(&grid, &auto, 2), "clustered");
        // They would need too much memory.
        assert_eq!(name(&grid, &auto, 1 << 40), "plain");
        let asked = |engine, lanes| CpuOptions {
            engine,
            lanes,
            ..auto
        };
        assert_eq!(
            name(&grid, &asked(CpuEngine::Lanes, Some(16)), 2),
            "lanes, 16"
        );
        assert_eq!(name(&rmat, &asked(CpuEngine::Plain, None), 2), "plain");
        assert_eq!(
            name(&rmat, &asked(CpuEngine::Clustered, None), 2),
            "clustered"
        );
    }

    #[test]
    fn engines_search_as_many_together_as_planned() {
        let graph = generate::grid(30, 30, 0.0, 1).unwrap();
        let prepared = prepare(&graph, &PrepareOptions::default()).unwrap();
        let together = |engine| {
            let options = CpuOptions {
                engine,
                ..CpuOptions::default()
            };
            let plan = plan(&prepared, &options, Staff::of(&prepared, 2));
            let engine = crate::cpu::engine(&prepared, &plan);
            assert_eq!(engine.roots_together(), plan.lanes);
            plan.lanes
        };
        assert_eq!(together(CpuEngine::Plain), 1);
        assert_eq!(together(CpuEngine::Clustered), 8);
        assert_eq!(together(CpuEngine::Lanes), 64);
    }

    #[test]
    fn a_few_roots_are_no_batches() {
        let graph = generate::erdos_renyi(500, 4000, 1).unwrap();
        let prepared = prepare(&graph, &PrepareOptions::default()).unwrap();
        let staff = Staff {
            workers: 2,
            roots: 31,
        };
        assert_eq!(
            plan(&prepared, &CpuOptions::default(), staff).words(),
            "plain"
        );
    }

    #[test]
    fn contracted_graphs_are_swept() {
        let options = PrepareOptions {
            chains: ChainsOption::Always,
            ..PrepareOptions::default()
        };
        let prepared = prepare(&generate::cycle(50).unwrap(), &options).unwrap();
        let staff = Staff::of(&prepared, 1);
        assert_eq!(
            plan(&prepared, &CpuOptions::default(), staff).words(),
            "chains"
        );
    }

    #[test]
    fn lanes_shrink_to_fit() {
        assert_eq!(fitting(64, |_| true), 64);
        assert_eq!(fitting(32, |_| true), 32);
        assert_eq!(fitting(64, |lanes| lanes <= 20), 16);
        assert_eq!(fitting(64, |_| false), 8);
    }
}
