//! The output of commands: JSON reports, summaries, tables, and the display of progress.

mod bench_csv;
pub mod bench_schema;
mod bench_table;
pub mod columns;
mod forecast;
pub mod info;
mod progress;
mod reading;
pub mod summary;
#[cfg(test)]
mod tests;
mod top_table;

pub use bench_csv::bench_csv;
pub use bench_table::TableStyle;
pub use progress::{Progress, ProgressMode, Status};
pub use reading::show_bytes_read;
pub use top_table::top_table;
