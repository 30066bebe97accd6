//! Engines on CPU cores.

mod back_off;
mod batches;
mod claim_size;
pub mod clustered;
pub mod halt;
pub mod hierarchy;
pub mod lanes;
mod limit;
mod options;
mod path_sampler;
mod plain;
mod plan;
mod prefetch;
mod root_by_root;
mod search;
mod simd;
#[cfg(test)]
pub(crate) mod tests;
mod trial;
mod vectors;
mod weighted;
mod wide;

pub use options::{CpuEngine, CpuOptions};
pub use path_sampler::PathSampler;
pub use plan::{CpuPlan, candidates, plan};
pub use root_by_root::bytes as root_by_root_bytes;
pub use search::CpuSearch;
pub use trial::Trial;

use std::sync::Arc;

use crate::prepare::Prepared;

/// Makes the engine of a CPU worker for this graph by a plan, with its memory allocated.
pub fn engine<'g>(prepared: &'g Prepared, plan: &CpuPlan) -> CpuSearch<'g> {
    CpuSearch::new(prepared, &Arc::new(Trial::new(vec![*plan], 0, 0.0)))
}
