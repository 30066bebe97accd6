//! The engine of a plan.

use super::{CpuPlan, EngineName, clustered, hierarchy, lanes, plain, weighted};
use crate::engine::Engine;
use crate::prepare::Prepared;

/// The engine of the plan itself, which counts paths in f64. Where the graph is not for it, another
/// one takes its place.
pub(super) fn fast_engine<'g>(prepared: &'g Prepared, plan: &CpuPlan) -> Box<dyn Engine + 'g> {
    let simd = plan.simd.unwrap_or_else(lanes::Simd::best);
    let batches = match plan.engine {
        EngineName::Clustered => clustered::engine(prepared, simd),
        EngineName::Hierarchy => {
            let hierarchy = prepared.hierarchy().ok();
            hierarchy.map(|of| hierarchy::engine(prepared, of, simd))
        }
        EngineName::Lanes if prepared.lengths.is_none() => {
            Some(lanes::engine(prepared, (plan.lanes, plan.mixed), simd))
        }
        EngineName::Lanes | EngineName::Plain | EngineName::Dijkstra => None,
    };
    let weighted = || weighted::engine(prepared);
    let engine = batches.or_else(weighted);
    engine.unwrap_or_else(|| plain::engine(prepared))
}
