//! The records of ranks, for the report.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The record of a rank.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankRecord {
    /// The number of the rank, from 0.
    pub rank: usize,
    /// The name of its machine.
    pub host: String,
    /// The number of roots that it searched and committed.
    pub roots: usize,
    /// The number of CPU workers that searched.
    pub workers: usize,
    /// The number of roots that CPU workers searched.
    pub worker_roots: usize,
    /// The devices that it drove.
    pub devices: Vec<RankDevice>,
    /// Seconds between the moment when all ranks were ready and the beginning of its search.
    pub began: f64,
    /// Seconds between the moment when all ranks were ready and the end of its search.
    pub ended: f64,
    /// Seconds in which it waited for other ranks: for roots, for sums, and at the end.
    pub messages: f64,
}

/// A device of a rank.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankDevice {
    /// The name of the device.
    pub name: String,
    /// The number of roots that it searched.
    pub roots: usize,
}
