//! What the runs of ranks remember of their work, for the report.

use serde::{Deserialize, Serialize};

/// What a rank did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct RankRecord {
    /// Its number, from 0.
    pub rank: usize,
    /// The machine.
    pub host: String,
    /// Roots whose searches count.
    pub roots: usize,
    /// CPU workers that searched.
    pub workers: usize,
    /// Roots that they searched.
    pub worker_roots: usize,
    /// The devices that it drove.
    pub devices: Vec<RankDevice>,
    /// Seconds between the moment when all ranks were ready and the beginning of its search.
    pub began: f64,
    /// The same until its search ended.
    pub ended: f64,
    /// Seconds in which it waited for others: for roots, for sums, and at the end.
    pub messages: f64,
}

/// A device of a rank.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct RankDevice {
    /// Its name.
    pub name: String,
    /// Roots that it searched.
    pub roots: usize,
}
