//! The list of strategies, which the command line, messages, schemas and the check of kernels use.

use std::str::FromStr;

use serde::{Deserialize, Deserializer};

use super::device_strategy::{NumericOption, Strategy};
use super::{choose, frontier, hierarchy, lanes, local, whole_device};
use crate::prepare::Prepared;
use crate::query::Feature;

/// All strategies except `auto`, in the order of the documents.
pub static ALL: &[Strategy] = &[
    Strategy::Virtual,
    Strategy::Lanes,
    Strategy::Vertex,
    Strategy::Edge,
    Strategy::EdgeDevice,
    Strategy::WorkEfficient,
    Strategy::Hybrid,
    Strategy::Warp,
    Strategy::Local,
    Strategy::Hierarchy,
];

#[expect(
    non_upper_case_globals,
    reason = "read and used as variants of an enum"
)]
impl Strategy {
    /// Chooses a strategy for the graph and the device.
    pub const Auto: Strategy = Strategy::new(&choose::Auto);
    /// One root at a time over the whole device, virtual vertices.
    pub const Virtual: Strategy = Strategy::new(&whole_device::VIRTUAL);
    /// Batches of roots in one search.
    pub const Lanes: Strategy = Strategy::new(&lanes::Lanes);
    /// One work-group per root, a work-item per vertex.
    pub const Vertex: Strategy = Strategy::new(&frontier::VERTEX);
    /// One work-group per root, a work-item per arc.
    pub const Edge: Strategy = Strategy::new(&frontier::EDGE);
    /// One root at a time over the whole device, a work-item per arc.
    pub const EdgeDevice: Strategy = Strategy::new(&whole_device::EDGE_DEVICE);
    /// One work-group per root, an explicit frontier.
    pub const WorkEfficient: Strategy = Strategy::new(&frontier::WORK_EFFICIENT);
    /// An explicit frontier, searched by arcs where it is wide.
    pub const Hybrid: Strategy = Strategy::new(&frontier::HYBRID);
    /// An explicit frontier, several work-items per vertex.
    pub const Warp: Strategy = Strategy::new(&frontier::WARP);
    /// One work-group per root, its state in local memory.
    pub const Local: Strategy = Strategy::new(&local::Local);
    /// Sweeps over a contraction hierarchy.
    pub const Hierarchy: Strategy = Strategy::new(&hierarchy::HierarchyStrategy);

    /// Iterates over the values of `--strategy`: [`Strategy::Auto`], then [`ALL`].
    pub fn all() -> impl Iterator<Item = Strategy> {
        std::iter::once(Strategy::Auto).chain(ALL.iter().copied())
    }

    /// Returns whether some strategy supports all of these features.
    pub fn some_covers(needed: &[Feature]) -> bool {
        ALL.iter().any(|strategy| strategy.covers(needed))
    }

    /// Returns the reason why the strategy does not support these features, followed by the
    /// strategies that do; `None` if it supports them.
    pub fn lacks(self, needed: &[Feature]) -> Option<String> {
        let reason = self.lacking(needed)?.refusal();
        let able = |strategy: &Strategy| {
            // Before the graph is read, it is not known whether it is directed, and whether its
            // lengths fit a hierarchy.
            let depends = needed.contains(&Feature::Lengths) && *strategy == Strategy::Hierarchy;
            !depends && strategy.covers(needed) && strategy.covers(&[Feature::Directed])
        };
        match listed(ALL.iter().copied().filter(able), "or") {
            none if none.is_empty() => Some(reason.into()),
            others => Some(format!("{reason}; use strategy {others}")),
        }
    }

    /// Returns the strategies that may search: this one or, for `auto`, those that it usually
    /// chooses from.
    pub fn candidates(&self, weighted: bool) -> &[Strategy] {
        if *self == Strategy::Auto {
            choose::usual(weighted)
        } else {
            std::slice::from_ref(self)
        }
    }

    /// Returns the strategy that will search this graph, unless the device has too little memory
    /// for it.
    pub fn likely(self, prepared: &Prepared) -> Strategy {
        if self == Strategy::Auto {
            return choose::likely(prepared);
        }
        self
    }
}

impl Default for Strategy {
    fn default() -> Self {
        Strategy::Auto
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let named = Strategy::all().find(|strategy| strategy.name() == name);
        named.ok_or_else(|| {
            let all = listed(Strategy::all(), "or");
            format!("'{name}' is not a strategy; use {all}")
        })
    }
}

impl<'de> Deserialize<'de> for Strategy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

impl schemars::JsonSchema for Strategy {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Strategy".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let names: Vec<&str> = Strategy::all().map(|strategy| strategy.name()).collect();
        schemars::json_schema!({
            "description": "A way of searching on a device.",
            "type": "string",
            "enum": names
        })
    }
}

impl NumericOption {
    /// Lists the strategies that use this option: "auto, virtual and lanes".
    pub fn strategies(self) -> String {
        listed(Strategy::all().filter(|s| s.has(self)), "and")
    }
}

/// Joins names of strategies by commas, with the word `last` before the last one.
fn listed(strategies: impl Iterator<Item = Strategy>, last: &str) -> String {
    let names: Vec<&str> = strategies.map(|strategy| strategy.name()).collect();
    match names.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{} {last} {end}", rest.join(", ")),
        _ => names.concat(),
    }
}
