//! What commands tell: JSON reports, the trace, summary and tables, and what they are doing.

mod baseline_table;
pub mod bench_schema;
mod bench_table;
pub mod columns;
mod forecast;
mod host;
pub mod info;
pub mod predictions;
mod progress;
mod reading;
pub mod results;
pub mod schema;
pub mod summary;
#[cfg(test)]
mod tests;
mod timeline;
mod trace;
pub mod tune_schema;
pub mod tune_table;
pub mod weights;
pub mod words;

pub use bench_table::TableStyle;
pub use forecast::{Forecast, Outlook};
pub use host::{cpu_model, peak_rss};
pub use progress::{Progress, Status};
pub use reading::Reading;
pub use timeline::Timeline;
pub use trace::{trace, tracks};
