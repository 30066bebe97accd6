//! Exact betweenness centrality on all the processors of a machine: CPU cores and OpenCL devices.
//!
//! [`Betweenness`] is the entry point: it takes a [`graph::Graph`], which is read from a file,
//! built from edges or generated, and returns [`Scores`].
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
//! [`graph`] reads, generates and writes graphs. With [`strategy`], [`device`], [`engine`] and
//! [`prepare`] you can write your own strategies; `ARCHITECTURE.md` describes the modules.

#![warn(clippy::expect_used, clippy::unwrap_used)]

mod cancel;
mod error;
mod estimate;
mod query;
mod removals;
mod scores;
mod search;

pub use cancel::CancelToken;
pub use error::Error;
pub use estimate::Estimated;
pub use query::{ClosenessScaling, Drawn, Estimate, Measure, Query, Trip, column_name};
pub use removals::{Removal, RemovalOptions, Removals, RemoveBy};
pub use scores::{Record, Scores};
pub use search::ranks::World;
pub use search::{Betweenness, Merged, PartSums, Progress, Search};

pub use cpu::CpuEngine;
pub use device::DeviceSelection;
pub use engine::Precision;
pub use prepare::{Column, Order, Part, Reductions, RootSelection, Scale, When};
pub use runner::CpuWorkers;
pub use strategy::Strategy;

pub use brandes_graph as graph;

pub mod device;
pub mod engine;
pub mod prepare;
pub mod strategy;

// Modules that the program and the tests use. They change without notice.
#[doc(hidden)]
pub mod cpu;
#[doc(hidden)]
pub use graph::{memory, output};
#[doc(hidden)]
pub mod os;
#[doc(hidden)]
pub mod plan;
#[doc(hidden)]
pub use search::ranks;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod runner;
#[doc(hidden)]
pub mod span;
#[doc(hidden)]
pub mod stop;

use graph::pages;
