//! Tests of the library and of the program, in one binary: it links once.

mod common;

mod ablation;
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
mod cpu_lanes;
mod estimates;
mod files;
mod group_strategies;
mod inputs;
mod kernel_times;
mod lanes_strategy;
mod matrix;
mod out_of_memory;
#[cfg(unix)]
mod outputs;
mod parts;
mod path_counts;
mod profiles;
mod queries;
mod query_limits;

mod random_graphs;
mod readme;
mod reductions;
mod reproducible;
mod schema;
mod scores_as_graphs;
mod scores_formats;
mod sharing;
mod tutorial;
mod weighted;
