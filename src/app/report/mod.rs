//! The output of commands: JSON reports, summaries and tables.

pub mod bench_schema;
pub mod bench_table;
pub mod columns;
pub mod info;
pub mod summary;
#[cfg(test)]
mod tests;
mod top_table;

pub use top_table::top_table;
