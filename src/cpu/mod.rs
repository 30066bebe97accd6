//! Engines on CPU cores.

mod back_off;
mod claim_size;
pub mod clustered;
mod counting;
mod fast;
pub mod halt;
pub mod hierarchy;
pub mod lanes;
mod limit;
mod plain;
mod plan;
mod prefetch;
mod root_by_root;
mod simd;
mod steps;
mod trial;
mod vectors;
mod weighted;
mod wide;

pub use counting::CpuSearch;
pub use plain::bytes as plain_bytes;
pub use plan::{CpuEngine, CpuOptions, CpuPlan, EngineName, Staff, candidates, plan};
pub use trial::Trial;
pub use weighted::bytes as dijkstra_bytes;

use std::sync::Arc;

use crate::prepare::Prepared;

/// The engine that a CPU worker uses for this graph by a [`plan`] for it, with its memory
/// allocated.
pub fn engine<'g>(prepared: &'g Prepared, plan: &CpuPlan) -> CpuSearch<'g> {
    tried_engine(prepared, &Arc::new(Trial::new(vec![*plan], 0, 0.0)))
}

/// The engine that a CPU worker uses for this graph as long as a trial says so, with its memory
/// allocated.
pub fn tried_engine<'g>(prepared: &'g Prepared, trial: &Arc<Trial>) -> CpuSearch<'g> {
    CpuSearch::new(prepared, trial)
}
