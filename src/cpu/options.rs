//! The options of CPU workers, and the names of their engines.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lanes::Simd;
use crate::query::Feature;

/// The engine that the user asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CpuEngine {
    /// The fastest engine in a trial of the engines with small estimated times.
    #[default]
    Auto,
    /// Searches from one root at a time.
    Plain,
    /// Batches of roots that are searched together, each in a lane of vector registers; for graphs
    /// without lengths.
    Lanes,
    /// Batches of eight neighbouring roots, for deep graphs.
    Clustered,
    /// Sweeps over a contraction hierarchy, for road networks and other graphs of small separators.
    Hierarchy,
}

/// Options of CPU workers besides their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CpuOptions {
    /// The engine. With the reduction of chains, it is always `Hierarchy`.
    pub engine: CpuEngine,
    /// The number of lanes, one of [`super::lanes::LANES`]; `None` for the most up to 64 that fit
    /// in memory.
    pub lanes: Option<usize>,
    /// The vector instructions; `None` for [`Simd::best`].
    pub simd: Option<Simd>,
    /// Whether sums have the same bits in every run: the plan then depends neither on the number of
    /// workers, nor on times, nor on free memory.
    pub reproducible: bool,
    /// Whether lanes store coefficients in 32 bits: [`crate::engine::Precision::Mixed`].
    pub mixed: bool,
}

/// The engine of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EngineName {
    /// Searches from one root at a time.
    #[default]
    Plain,
    /// Batches of roots.
    Lanes,
    /// Batches of neighbouring roots.
    Clustered,
    /// Sweeps over a contraction hierarchy.
    Hierarchy,
    /// Searches from one root at a time in a graph with lengths.
    Dijkstra,
}

impl CpuEngine {
    /// Returns the engine with this name; `None` for auto.
    pub fn named(self) -> Option<EngineName> {
        match self {
            CpuEngine::Auto => None,
            CpuEngine::Plain => Some(EngineName::Plain),
            CpuEngine::Lanes => Some(EngineName::Lanes),
            CpuEngine::Clustered => Some(EngineName::Clustered),
            CpuEngine::Hierarchy => Some(EngineName::Hierarchy),
        }
    }
}

impl EngineName {
    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            EngineName::Plain => "plain",
            EngineName::Lanes => "lanes",
            EngineName::Clustered => "clustered",
            EngineName::Hierarchy => "hierarchy",
            EngineName::Dijkstra => "dijkstra",
        }
    }

    /// Returns the kinds of graphs and searches that the engine does not support.
    pub fn lacks(self) -> &'static [Feature] {
        use Feature::{Chains, Demand, Lengths, Squares, Twins};
        match self {
            EngineName::Plain | EngineName::Dijkstra => &[Chains],
            EngineName::Lanes => &[Lengths, Chains, Demand],
            EngineName::Clustered => &[Chains, Demand],
            // Sweeps over a hierarchy add up the roots before they unpack overlay arcs.
            EngineName::Hierarchy => &[Twins, Squares],
        }
    }
}
