//! Strategies: how a device searches. A folder per family, with its kernels in the folder of the
//! same name in `cl/`. [`ALL`] is the one list: command line, refusals, schemas and the check of
//! kernels read it.

mod choose;
mod errors;
mod frontier;
mod hierarchy;
pub mod lanes;
mod local;
pub mod self_test;
mod steps;
mod whole_device;

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::device::buffers::DeviceBuffer;
use crate::device::{DeviceError, DeviceInfo, DeviceOptions, Programs, Queue, Session, Source};
use crate::engine::{Engine, Root};
use crate::prepare::Prepared;
pub use choose::{hierarchy_seconds, seconds_without_hierarchy};
pub use frontier::{LengthType, WARP_SIZES};
pub use whole_device::ablation;

/// A way of searching on a device.
pub trait DeviceStrategy: Sync {
    /// What it is.
    fn about(&self) -> &About;

    /// Name as on the command line, unlike that of any other strategy.
    fn name(&self) -> &'static str {
        self.about().name
    }

    /// What kinds of graphs and searches it is for.
    fn takes(&self) -> Takes {
        self.about().takes
    }

    /// Whether a number means anything to it.
    fn has(&self, number: Number) -> bool {
        number == Number::WorkGroup || self.about().numbers.contains(&number)
    }

    /// Its kernels on a device, for lengths of a type where [`DeviceOptions::weighted`] says that
    /// there are any.
    fn kernels(
        &self,
        options: &DeviceOptions,
        info: &DeviceInfo,
        lengths: LengthType,
    ) -> Vec<Source>;

    /// Checks that the device can hold the graph, which it takes, uploads it and makes the engine.
    fn engine<'s>(
        &'static self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError>;
}

/// What is told of a strategy.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// Name as on the command line.
    pub name: &'static str,
    /// What it does, in a line for the command line's help.
    pub line: &'static str,
    /// Where it comes from: authors, title, place and year. Empty if from nowhere else.
    pub paper: &'static str,
    /// What kinds of graphs and searches it is for.
    pub takes: Takes,
    /// Which of the numbers of [`DeviceOptions`] mean something to it. (All have a work-group.)
    pub numbers: &'static [Number],
}

/// What a strategy can search, beside undirected graphs without lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Takes {
    /// Directed graphs.
    pub directed: bool,
    /// Graphs with lengths.
    pub lengths: bool,
    /// Graphs whose sources inside chains are served by searches from their ends.
    pub contracted: bool,
    /// Graphs whose twins are merged, so that vertices have a
    /// [multiplicity](Prepared::multiplicity).
    pub twins: bool,
    /// Whether it can sum dependencies of arcs, for scores of edges.
    pub edges: bool,
}

impl Takes {
    /// What a simple strategy takes: all but lengths, served chains and merged twins.
    pub const USUAL: Takes = Takes {
        directed: true,
        lengths: false,
        contracted: false,
        twins: false,
        edges: true,
    };

    /// The same, and merged twins.
    const WITH_TWINS: Takes = Takes {
        twins: true,
        ..Takes::USUAL
    };

    /// Why a strategy that takes this cannot make a search that needs `needed`, if so, and which
    /// ones can.
    pub fn lacks(self, needed: Takes) -> Option<String> {
        let all = self.lacking(needed);
        let (_, reason) = all.into_iter().find(|(lacking, _)| *lacking)?;
        let able = |strategy: &Strategy| {
            let all = strategy.takes().lacking(needed);
            all.iter().all(|(lacking, _)| !lacking)
        };
        match listed(ALL.iter().copied().filter(able), "or") {
            none if none.is_empty() => Some(reason.into()),
            others => Some(format!("{reason}; use strategy {others}")),
        }
    }

    fn lacking(self, needed: Takes) -> [(bool, &'static str); 5] {
        [
            (
                needed.lengths && !self.lengths,
                "is for graphs without weights",
            ),
            (needed.edges && !self.edges, "gives no scores of edges"),
            (
                needed.contracted && !self.contracted,
                "does not serve sources inside chains",
            ),
            (needed.twins && !self.twins, "cannot search merged twins"),
            (
                needed.directed && !self.directed,
                "is for undirected graphs",
            ),
        ]
    }
}

/// A number that a user may choose for some strategies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// D: most arcs of a virtual vertex, or of a chunk.
    Degree,
    /// Roots searched together.
    Lanes,
    /// Work-items that share a vertex.
    WarpSize,
    /// Work-items of a work-group, which every strategy has.
    WorkGroup,
}

impl Number {
    /// All of them.
    pub const ALL: [Number; 4] = [
        Number::Degree,
        Number::Lanes,
        Number::WarpSize,
        Number::WorkGroup,
    ];

    /// Its name, as in options of the command line.
    pub fn name(self) -> &'static str {
        match self {
            Number::Degree => "degree",
            Number::Lanes => "lanes",
            Number::WarpSize => "warp-size",
            Number::WorkGroup => "work-group",
        }
    }

    /// The strategies that it means something to: "auto, virtual and lanes".
    pub fn strategies(self) -> String {
        listed(Strategy::all().filter(|s| s.has(self)), "and")
    }
}

/// Names of strategies in a sentence.
fn listed(strategies: impl Iterator<Item = Strategy>, last: &str) -> String {
    let names: Vec<&str> = strategies.map(|strategy| strategy.name()).collect();
    match names.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{} {last} {end}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// All strategies, in the order of the documents.
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

/// A strategy: one of [`ALL`], [`Strategy::Auto`], or one of your own.
#[derive(Clone, Copy)]
pub struct Strategy(&'static dyn DeviceStrategy);

#[expect(
    non_upper_case_globals,
    reason = "read and used as variants of an enum"
)]
impl Strategy {
    /// Chooses one for the graph and the device.
    pub const Auto: Strategy = Strategy(&choose::Auto);
    /// One root at a time over the whole device, virtual vertices.
    pub const Virtual: Strategy = Strategy(&whole_device::VIRTUAL);
    /// Batches of roots in one search.
    pub const Lanes: Strategy = Strategy(&lanes::Lanes);
    /// One work-group per root, a work-item per vertex.
    pub const Vertex: Strategy = Strategy(&frontier::VERTEX);
    /// One work-group per root, a work-item per arc.
    pub const Edge: Strategy = Strategy(&frontier::EDGE);
    /// One root at a time over the whole device, a work-item per arc.
    pub const EdgeDevice: Strategy = Strategy(&whole_device::EDGE_DEVICE);
    /// One work-group per root, an explicit frontier.
    pub const WorkEfficient: Strategy = Strategy(&frontier::WORK_EFFICIENT);
    /// An explicit frontier, searched by arcs where it is wide.
    pub const Hybrid: Strategy = Strategy(&frontier::HYBRID);
    /// An explicit frontier, several work-items per vertex.
    pub const Warp: Strategy = Strategy(&frontier::WARP);
    /// One work-group per root, its state in local memory.
    pub const Local: Strategy = Strategy(&local::Local);
    /// Sweeps over a contraction hierarchy.
    pub const Hierarchy: Strategy = Strategy(&hierarchy::HierarchyStrategy);

    /// A strategy that is not in [`ALL`].
    pub const fn new(strategy: &'static dyn DeviceStrategy) -> Self {
        Strategy(strategy)
    }

    /// [`Strategy::Auto`], then [`ALL`]: the values of `--strategy`.
    pub fn all() -> impl Iterator<Item = Strategy> {
        std::iter::once(Strategy::Auto).chain(ALL.iter().copied())
    }

    /// The strategies that may be meant by it: itself, or what `auto` usually chooses from.
    pub fn candidates(&self, weighted: bool) -> &[Strategy] {
        if *self == Strategy::Auto {
            choose::usual(weighted)
        } else {
            std::slice::from_ref(self)
        }
    }

    /// What will search this graph, unless the device has too little memory for it.
    pub fn likely(self, prepared: &Prepared) -> Strategy {
        self.likely_because(prepared).0
    }

    /// The same, and why, if it was chosen.
    pub(crate) fn likely_because(self, prepared: &Prepared) -> (Strategy, String) {
        if self == Strategy::Auto {
            choose::likely(prepared)
        } else {
            (self, String::new())
        }
    }

    /// Makes the engine for a graph, if the strategy accepts it and the device can hold it.
    pub fn engine<'s>(
        self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError> {
        let needed = Takes {
            directed: prepared.reverse.is_some(),
            lengths: prepared.lengths.is_some(),
            contracted: prepared.chains.is_some(),
            twins: prepared.multiplicity.is_some(),
            edges: prepared.count_edges,
        };
        let refuse = |what: &str| {
            let name = self.name();
            Err(DeviceError::Refused(format!("strategy {name} {what}")))
        };
        if let Some(reason) = self.takes().lacks(needed) {
            return refuse(&reason);
        }
        if prepared.count_edges && !session.options.count_edges && !self.takes().contracted {
            return refuse(
                "cannot give scores of edges on a device whose kernels were built without sums \
                 for them",
            );
        }
        steps::check_prepared(session, prepared)?;
        self.0.engine(session, prepared)
    }
}

impl Deref for Strategy {
    type Target = dyn DeviceStrategy;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl Default for Strategy {
    fn default() -> Self {
        Strategy::Auto
    }
}

impl PartialEq for Strategy {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Strategy {}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name == "chains" {
            return Err(
                "'chains' is part of strategy hierarchy now; use --strategy hierarchy".into(),
            );
        }
        Strategy::all()
            .find(|strategy| strategy.name() == name)
            .ok_or_else(|| format!("'{name}' is none of {}", listed(Strategy::all(), "and")))
    }
}

impl Serialize for Strategy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Strategy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "app")]
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

impl Programs for Strategy {
    /// Programs are built before the graph is there, so before `auto` has chosen. Of weighted
    /// graphs most have short integers as lengths; programs for others are built when the graph is
    /// known.
    fn programs(&self, options: &DeviceOptions, info: &DeviceInfo) -> Vec<Source> {
        self.kernels(options, info, LengthType::U32)
    }
}

/// What an engine was made for, for the report.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "app", derive(schemars::JsonSchema))]
pub struct EnginePlan {
    /// The strategy used; never [`Strategy::Auto`].
    pub strategy: Strategy,
    /// Why, if it was chosen for the user; how its numbers were found.
    pub why: String,
    /// D: most arcs of a virtual vertex (of a chunk, for lanes); None without such.
    pub degree: Option<u32>,
    /// Virtual vertices (chunks); None without such.
    pub virtual_vertices: Option<usize>,
    /// Roots searched together by the same work-items.
    pub lanes: usize,
    /// Batches of them under way at a time.
    pub batches_in_flight: usize,
    /// Deepest level that there is memory for, where that is limited.
    pub levels: Option<usize>,
    /// Work-groups that each search from a root of their own; None where a root has the device.
    pub slots: Option<usize>,
    /// Work-items that share a vertex of the frontier; None without virtual warps.
    pub warp_size: Option<u32>,
    /// Work-items of a work-group, of kernels that do not choose their own.
    pub work_group: usize,
    /// Bytes of all buffers.
    pub bytes: u64,
}

impl EnginePlan {
    /// The plan of a strategy that has none of the numbers that only some have.
    pub fn new(strategy: Strategy, work_group: usize, bytes: u64) -> Self {
        EnginePlan {
            strategy,
            why: String::new(),
            degree: None,
            virtual_vertices: None,
            lanes: 1,
            batches_in_flight: 1,
            levels: None,
            slots: None,
            warp_size: None,
            work_group,
            bytes,
        }
    }

    /// Roots that the engine needs to be busy.
    pub fn together(&self) -> usize {
        self.slots.unwrap_or(self.lanes * self.batches_in_flight)
    }
}

/// An engine on a device.
pub struct DeviceEngine<'s> {
    /// Takes roots.
    pub engine: Box<dyn Engine + 's>,
    /// What it was made for.
    pub plan: EnginePlan,
}

/// Path ends of roots, counted on a device: adds the vertices that each has `reached` to its score,
/// for each source that it stands for, and forgets them.
fn take_reached(
    reached: &mut DeviceBuffer,
    queue: &Queue,
    roots: &[Root],
    vertices: &mut [f64],
) -> Result<(), DeviceError> {
    let mut counts = vec![0u32; vertices.len()];
    reached.read(queue, &mut counts)?;
    reached.clear(queue)?;
    for root in roots {
        let v = root.vertex as usize;
        vertices[v] += f64::from(root.sources) * f64::from(counts[v]);
    }
    Ok(())
}

/// What the strategies that have a root on each work-group build on, beside their own texts.
const CLAIM: &str = include_str!("../../cl/claim.cl");
/// Sums over rows of arcs, for the strategies that have a work-item per arc.
const TILES: &str = include_str!("../../cl/tiles.cl");
