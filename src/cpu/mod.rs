//! Engines on CPU cores.

mod back_off;
mod chains;
mod claim_size;
pub mod clustered;
mod counting;
mod instructions;
pub mod lanes;
mod limit;
mod plain;
mod plan;
mod prefetch;
mod root_by_root;
mod simd;
mod steps;
mod weighted;
mod wide;

pub use chains::ChainSweeps;
pub use counting::CpuSearch;
pub use plain::bytes as plain_bytes;
pub use plan::{CpuEngine, CpuOptions, CpuPlan, EngineName, Staff, plan};
pub use weighted::bytes as dijkstra_bytes;

use crate::engine::Engine;
use crate::prepare::Prepared;

/// The engine that a CPU worker uses for this graph by a [`plan`] for it, with its memory
/// allocated. Only on contracted graphs does it meet path counts that are too large for it.
pub fn engine<'g>(prepared: &'g Prepared, plan: &CpuPlan) -> CpuSearch<'g> {
    CpuSearch::new(prepared, fast_engine(prepared, plan))
}

/// The engine of the plan itself, which counts paths in f64. Where the graph is not for it, another
/// one takes its place.
fn fast_engine<'g>(prepared: &'g Prepared, plan: &CpuPlan) -> Box<dyn Engine + 'g> {
    let simd = plan.simd.unwrap_or_else(lanes::Simd::best);
    let batches = match (&prepared.chains, plan.engine) {
        // Where every vertex is a source, sources and weights are the same numbers.
        (Some(chains), _) if chains.uniform => Some(ChainSweeps::<1>::boxed(chains)),
        (Some(chains), _) => Some(ChainSweeps::<2>::boxed(chains)),
        (None, EngineName::Clustered) => clustered::engine(prepared, simd),
        (None, EngineName::Lanes) if prepared.lengths.is_some() => {
            lanes::weighted::engine(prepared, plan.lanes, simd)
        }
        (None, EngineName::Lanes) => Some(lanes::engine(prepared, plan.lanes, simd)),
        (None, _) => None,
    };
    let weighted = || weighted::engine(prepared);
    let engine = batches.or_else(weighted);
    engine.unwrap_or_else(|| plain::engine(prepared))
}
