//! The report that `brandes run --report` writes, and parts that other reports share.

mod estimate;
mod participants;
mod query;
mod results;
mod run;
mod schema;
mod timeline;
mod weights;
pub mod words;

pub use crate::os::cpu_model;
pub use estimate::EstimatePart;
pub use participants::{DevicePart, WorkerKind, WorkerPart};
pub use query::QueryPart;
pub use results::{Bin, DegreeBin, Distributions, Results, TopVertex, top};
pub use run::engine_numbers;
pub use schema::{
    About, Checks, Host, Input, Phases, Plan, PreparedPart, Program, Report, SCHEMA_VERSION,
    TimelineSpan, Totals,
};
pub use timeline::Timeline;
pub use weights::{Ties, WeightsPart};
