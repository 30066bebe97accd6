//! What a strategy is: the trait, what is told of one, and the engine that it makes.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize, Serializer};

use super::frontier::LengthType;
use crate::device::buffers::DeviceBuffer;
use crate::device::{DeviceError, DeviceInfo, DeviceOptions, Queue, Session, Source};
use crate::engine::{Engine, Root};
use crate::prepare::Prepared;

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

    /// Whether the strategy has this number.
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
    /// Which of the numbers of [`DeviceOptions`] it has. (All have a work-group.)
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
    pub(super) const WITH_TWINS: Takes = Takes {
        twins: true,
        ..Takes::USUAL
    };

    /// What a search that needs `needed` asks for and a strategy that takes this lacks, each with
    /// what to say of it.
    pub(super) fn lacking(self, needed: Takes) -> [(bool, &'static str); 5] {
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
}

/// A strategy: one of those of the library, or one of your own.
#[derive(Clone, Copy)]
pub struct Strategy(&'static dyn DeviceStrategy);

impl Strategy {
    /// A strategy, which need not be in the list.
    pub const fn new(strategy: &'static dyn DeviceStrategy) -> Self {
        Strategy(strategy)
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
        let lacking = self.takes().lacking(needed);
        if let Some((_, reason)) = lacking.into_iter().find(|(lacking, _)| *lacking) {
            return refuse(&format!("{reason}; use another --strategy"));
        }
        if prepared.count_edges && !session.options.count_edges && !self.takes().contracted {
            return refuse(
                "cannot give scores of edges on a device whose kernels were built without sums \
                 for them",
            );
        }
        check_steps(session, prepared)?;
        self.0.engine(session, prepared)
    }
}

impl Deref for Strategy {
    type Target = dyn DeviceStrategy;

    fn deref(&self) -> &Self::Target {
        self.0
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

impl Serialize for Strategy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// What an engine was made for, for the report.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
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

/// Checks that kernels can step an unsigned integer of 32 bits through all vertices and arcs, as in
/// `for (uint arc = first; arc < end; arc += step)`: the last step must not wrap around. No step is
/// longer than a work-group or than there are vertices.
///
/// # Errors
/// If the graph is too large.
pub(super) fn check_steps(session: &Session, prepared: &Prepared) -> Result<(), DeviceError> {
    let (n, arcs) = (prepared.graph.vertices(), prepared.graph.arcs());
    if are_countable(n, arcs, session.info.max_work_group) {
        return Ok(());
    }
    Err(DeviceError::Refused(format!(
        "kernels count to {}, which is not enough for {n} vertices and {arcs} arcs; use --device \
         none",
        1u64 << 32
    )))
}

/// Whether [`check_steps`] accepts this. Strategy `lanes` has an arc for a vertex without any.
fn are_countable(vertices: usize, arcs: usize, work_group: usize) -> bool {
    (arcs + vertices + vertices.max(work_group)) as u64 <= 1 << 32
}

/// Adds the path ends that a device counted: the score of each root grows by its count in
/// `reached`, times the sources that it stands for. Clears `reached`.
pub(super) fn take_reached(
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
pub(super) const CLAIM: &str = include_str!("../../cl/claim.cl");
/// Sums over rows of arcs, for the strategies that have a work-item per arc.
pub(super) const TILES: &str = include_str!("../../cl/tiles.cl");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_past_the_end_of_the_arcs_must_not_wrap() {
        let all = 1 << 32;
        assert!(are_countable(1000, all - 2000, 256));
        assert!(!are_countable(1000, all - 1999, 256));
        assert!(are_countable(10, all - 266, 256) && !are_countable(10, all - 265, 256));
    }
}
