//! Exact betweenness centrality on all the processors of a machine.
//!
//! The way through: a [`graph::Graph`] is read, [`prepare::prepare`] folds and orders it,
//! [`runner::run`] searches from every root on CPU workers and OpenCL devices, and
//! [`prepare::Prepared::scores`] turns the sums into scores of the input's vertices.
//! `ARCHITECTURE.md` says which module owns what.

pub mod cli;
pub mod cpu;
pub mod engine;
pub mod graph;
pub mod opencl;
pub mod prepare;
pub mod report;
pub mod runner;
pub mod span;
