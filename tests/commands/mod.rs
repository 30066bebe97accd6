//! Tests of the program: its commands, the files that it reads and writes, exit codes and messages.

mod bench;
pub(crate) mod checkpoint;
mod compare;
mod conventions;
mod estimates;
mod files;
mod info;
mod inputs;
mod man;
mod merge;
#[cfg(unix)]
mod outputs;
mod parts;
mod profiles;
mod query;
mod removals;
mod report;
mod run;
mod run_device;
mod scores_as_graphs;
mod scores_formats;
mod tune;
mod weighted;
