//! What a run tells: the JSON report, the trace, the summary, the progress bar.

pub mod bench_schema;
mod bench_table;
mod host;
pub mod info;
mod progress;
pub mod schema;
pub mod summary;
mod timeline;
mod trace;
mod tune_live;
pub mod tune_schema;
pub mod tune_table;

pub use bench_table::TableStyle;
pub use host::{cpu_model, peak_rss};
pub use progress::Progress;
pub use schema::Report;
pub use timeline::Timeline;
pub use trace::Trace;
pub use tune_live::TuneLive;
