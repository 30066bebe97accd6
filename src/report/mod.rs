//! The report that `brandes run --report` writes, and parts that other reports share.

mod host;
mod results;
mod run;
mod schema;
mod timeline;
mod weights;
pub mod words;

pub use host::{cpu_model, peak_rss};
pub use results::{Bin, DegreeBin, Distributions, Results, TopVertex, top};
pub use run::{device_warnings, engine_numbers};
pub use schema::{
    About, Checks, DevicePart, Host, Initialisation, Input, KernelPart, Phases, Plan, PreparedPart,
    ProfilePart, Program, Report, SCHEMA_VERSION, TimelineSpan, Totals, TransferPart, WorkerKind,
    WorkerPart,
};
pub use timeline::Timeline;
pub use weights::{Ties, WeightsPart};
