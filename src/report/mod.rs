//! What a run tells: the JSON report, the trace, the summary, the progress bar.

mod baseline_table;
pub mod bench_schema;
mod bench_table;
pub mod distributions;
mod forecast;
mod host;
pub mod info;
pub mod predictions;
mod progress;
pub mod schema;
pub mod summary;
mod timeline;
mod trace;
mod tune_live;
pub mod tune_schema;
pub mod tune_table;
pub mod weights;
mod words;

pub use bench_table::TableStyle;
pub use forecast::{Forecast, Outlook};
pub use host::{cpu_model, peak_rss};
pub use progress::Progress;
pub use schema::Report;
pub use timeline::Timeline;
pub use trace::{Trace, tracks};
pub use tune_live::TuneLive;
pub use words::duration;
