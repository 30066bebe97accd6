//! The report that `brandes run --report` writes, and parts that other reports share.
//!
//! A chain is a path of degree-2 vertices. A search serves a source inside a chain if it also
//! counts the paths from that source, which then needs no search of its own.

mod estimate;
mod host;
mod participants;
mod query;
mod results;
mod run;
mod schema;
mod timeline;
mod weights;
pub mod words;

pub use estimate::EstimatePart;
pub use host::{cpu_model, peak_rss};
pub use participants::{DevicePart, KernelPart, ProfilePart, TransferPart, WorkerKind, WorkerPart};
pub use query::QueryPart;
pub use results::{Bin, DegreeBin, Distributions, Results, TopVertex, top};
pub use run::{device_warnings, engine_numbers};
pub use schema::{
    About, Checks, Host, Initialisation, Input, Phases, Plan, PreparedPart, Program, Report,
    SCHEMA_VERSION, TimelineSpan, Totals,
};
pub use timeline::Timeline;
pub use weights::{Ties, WeightsPart};
