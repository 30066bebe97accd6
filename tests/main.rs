//! Tests of the library and of the program, in one binary: it links once.

mod common;

mod checkpoint;
mod closed_forms;
mod command_bench;
mod command_bench_values;
mod command_estimates;
mod command_info;
mod command_man;
mod command_merge;
mod command_query;
mod command_report;
mod command_run;
mod command_run_device;
mod command_run_notes;
mod command_tune;
mod command_weighted;
mod commands;
mod devices;
mod engines;
mod files;
mod inputs;
#[cfg(unix)]
mod outputs;
mod parts;
mod path_counts;
mod profiles;
mod queries;
mod query_limits;

mod random_graphs;
mod readme;
mod schema;
mod scores_as_graphs;
mod scores_formats;
mod tutorial;
