//! The program: the command line, reports, pages, and measurements.

pub mod bench;
pub mod cli;
pub mod distinct;
pub mod page;
pub mod report;
pub mod tune;
