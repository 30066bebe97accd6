//! The program: the command line, reports, pages, progress, and measurements.

pub mod bench;
pub mod cli;
pub mod distinct;
pub mod page;
pub mod progress;
pub mod report;
pub mod tune;
