//! Exact betweenness centrality on all the processors of a machine: CPU cores and OpenCL devices.
//!
//! [`Betweenness`] is the way in: it takes a [`graph::Graph`], which is read from a file, built
//! from edges or generated, and gives [`Scores`].
//!
//! ```no_run
//! use brandes::Betweenness;
//! use brandes::graph::{ReadOptions, read};
//!
//! let (graph, _) = read("graph.txt".as_ref(), &ReadOptions::default())?;
//! let scores = Betweenness::new().normalized(true).run(&graph)?;
//! for (vertex, score) in scores.vertices().iter().enumerate() {
//!     println!("{}\t{score}", graph.labels().display(vertex as u32));
//! }
//! # Ok::<(), brandes::Error>(())
//! ```
//!
//! The rooms below are those that [`Betweenness`] goes through; `ARCHITECTURE.md` says which owns
//! what.

#![warn(clippy::expect_used, clippy::unwrap_used)]

mod betweenness;
mod cancel;
mod error;
mod scores;

pub use betweenness::{Betweenness, Progress, Search};
pub use cancel::CancelToken;
pub use error::Error;
pub use scores::{Record, Scores};

pub mod cpu;
mod cpu_time;
pub mod device;
pub mod engine;
pub mod graph;
pub mod memory;
pub mod output;
mod pages;
pub mod plan;
pub mod prepare;
pub mod runner;
pub mod span;
pub mod stop;
pub mod strategy;
