//! Tests of scores by engines on cores, and the matrix of all engines and strategies.

mod closed_forms;
mod cpu;
mod estimates;
mod matrix;
mod memory;
mod path_counts;
mod query_limits;
mod reductions;
mod reproducible;
mod shapes;
mod weighted;
