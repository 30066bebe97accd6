//! The options of CPU workers, and their engines.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lanes::Simd;
use crate::query::Feature;

/// An engine of CPU workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CpuEngine {
    /// The fastest engine in a trial of the engines with small estimated times.
    #[default]
    Auto,
    /// Searches from one root at a time, in graphs with lengths by Dijkstra's algorithm.
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

impl CpuEngine {
    /// Returns the engine, unless it is to be chosen.
    pub fn named(self) -> Option<CpuEngine> {
        (self != CpuEngine::Auto).then_some(self)
    }

    /// Returns the kinds of graphs and searches that the engine does not support.
    pub fn lacks(self) -> &'static [Feature] {
        use Feature::{Chains, Demand, Lengths, Squares, Twins};
        match self {
            CpuEngine::Auto => &[],
            CpuEngine::Plain => &[Chains],
            CpuEngine::Lanes => &[Lengths, Chains, Demand],
            CpuEngine::Clustered => &[Chains, Demand],
            // Sweeps over a hierarchy add up the roots before they unpack overlay arcs.
            CpuEngine::Hierarchy => &[Twins, Squares],
        }
    }
}

/// Writes the name in options and reports.
impl fmt::Display for CpuEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}
