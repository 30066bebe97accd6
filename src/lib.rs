//! Exact betweenness centrality on all the processors of a machine.
//!
//! The way through: a [`graph::Graph`] is read, [`prepare::prepare`] folds and orders it,
//! [`runner::run`] searches from every root on CPU workers and OpenCL devices, and
//! [`prepare::Prepared::scores`] turns the sums into scores of the input's vertices.
//! `ARCHITECTURE.md` says which module owns what.
//!
//! ```
//! use std::sync::Arc;
//! use brandes::graph::generate;
//! use brandes::device::DeviceSelection;
//! use brandes::prepare::{PrepareOptions, Scale, prepare};
//! use brandes::runner::{CpuWorkers, DeviceRequest, Devices, run};
//!
//! let graph = generate::star(5)?;
//! let devices = Devices::start(DeviceRequest {
//!     selection: DeviceSelection::None,
//!     ..DeviceRequest::default()
//! });
//! let prepared = Arc::new(prepare(&graph, &PrepareOptions::default())?);
//! let outcome = run(&prepared, &devices, CpuWorkers::Auto, &mut |_| {})?;
//! devices.join(); // before the process may end
//! let scores = prepared.scores(&outcome.sums, Scale::Pairs);
//! assert_eq!(scores, [6.0, 0.0, 0.0, 0.0, 0.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cpu;
pub mod device;
pub mod engine;
pub mod graph;
pub mod memory;
pub mod output;
mod pages;
pub mod prepare;
pub mod runner;
pub mod span;
pub mod stop;
pub mod strategy;
