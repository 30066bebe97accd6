//! The engine of a plan.

use super::{ChainSweeps, CpuPlan, EngineName, clustered, hierarchy, lanes, plain, weighted};
use crate::engine::Engine;
use crate::prepare::Prepared;

/// The engine of the plan itself, which counts paths in f64. Where the graph is not for it, another
/// one takes its place.
pub(super) fn fast_engine<'g>(prepared: &'g Prepared, plan: &CpuPlan) -> Box<dyn Engine + 'g> {
    let simd = plan.simd.unwrap_or_else(lanes::Simd::best);
    let batches = match (&prepared.chains, plan.engine) {
        // Where every vertex is a source, sources and weights are the same numbers.
        (Some(chains), _) if chains.uniform => Some(ChainSweeps::<1>::boxed(chains)),
        (Some(chains), _) => Some(ChainSweeps::<2>::boxed(chains)),
        (None, EngineName::Clustered) => clustered::engine(prepared, simd),
        (None, EngineName::Hierarchy) => {
            let hierarchy = prepared.hierarchy().ok();
            hierarchy.map(|of| hierarchy::engine(prepared, of, simd))
        }
        (None, EngineName::Lanes) if prepared.lengths.is_none() => {
            Some(lanes::engine(prepared, (plan.lanes, plan.mixed), simd))
        }
        (None, _) => None,
    };
    let weighted = || weighted::engine(prepared);
    let engine = batches.or_else(weighted);
    engine.unwrap_or_else(|| plain::engine(prepared))
}
