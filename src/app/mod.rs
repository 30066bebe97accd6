//! What only the program has: the command line, reports, pages, and measuring.

pub mod bench;
pub mod cli;
pub mod distinct;
pub mod page;
pub mod report;
pub mod tune;
