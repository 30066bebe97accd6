//! The trait of strategies, their descriptions, and the engines that they make.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize, Serializer};

use crate::device::buffers::DeviceBuffer;
use crate::device::{DeviceError, DeviceInfo, DeviceOptions, Numbers, Queue, Session, Source};
use crate::engine::{Engine, Root};
use crate::prepare::Prepared;
use crate::query::{Feature, Query};

/// A way of searching on a device.
pub trait DeviceStrategy: Sync {
    /// Returns the description of the strategy.
    fn about(&self) -> About;

    /// Returns the unique name on the command line.
    fn name(&self) -> &'static str {
        self.about().name
    }

    /// Returns the first of these features, in the order of [`Feature`], that the strategy does not
    /// support.
    fn lacking(&self, needed: &[Feature]) -> Option<Feature> {
        let takes = self.about().takes;
        let lacking = needed.iter().filter(|needed| !takes.contains(needed));
        lacking.min().copied()
    }

    /// Returns whether the strategy supports all of these features.
    fn covers(&self, needed: &[Feature]) -> bool {
        self.lacking(needed).is_none()
    }

    /// Returns whether the strategy uses this option.
    fn has(&self, option: NumericOption) -> bool {
        option == NumericOption::WorkGroup || self.about().numbers.contains(&option)
    }

    /// Lists the programs of the strategy on a device, to be built before the graph is read. If
    /// [`DeviceOptions::weighted`] is set, they are for lengths of 32 bits, which most weighted
    /// graphs have.
    fn kernels(&self, options: &DeviceOptions, info: &DeviceInfo) -> Vec<Source>;

    /// Checks that the device can hold the graph, which the strategy supports, uploads it and makes
    /// the engine.
    fn engine<'s>(
        &'static self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError>;
}

/// The description of a strategy.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// The name on the command line.
    pub name: &'static str,
    /// A line for the help of the command line.
    pub line: &'static str,
    /// The kinds of graphs and searches that it supports.
    pub takes: &'static [Feature],
    /// The numeric options that it uses, beside the work-group, which all use.
    pub numbers: &'static [NumericOption],
}

/// Returns the features that searches with the programs of these options need.
pub(super) fn features_of_programs(options: &DeviceOptions) -> Vec<Feature> {
    let others = [
        (Feature::Lengths, options.weighted),
        (Feature::Edges, options.count_edges),
        (Feature::Query, options.query),
    ];
    Feature::needed(&Query::default(), others)
}

/// Returns the features that the search of a graph needs.
pub(super) fn features_of_search(prepared: &Prepared) -> Vec<Feature> {
    let others = [
        (Feature::Directed, prepared.reverse.is_some()),
        (Feature::Lengths, prepared.lengths.is_some()),
        (Feature::Chains, prepared.chains.is_some()),
        (Feature::Twins, prepared.multiplicity.is_some()),
        (Feature::Edges, prepared.count_edges),
        (Feature::Squares, prepared.sums_squares()),
    ];
    let query = prepared.query.as_ref().map(|query| &query.original);
    Feature::needed(query.unwrap_or(&Query::default()), others)
}

/// An option of strategies whose value is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumericOption {
    /// D: the most arcs of a virtual vertex, or of a chunk.
    Degree,
    /// The number of roots searched together by strategies with lanes.
    Lanes,
    /// The number of roots searched together by strategies with a launch for each level.
    Searches,
    /// The number of work-items that share a vertex.
    WarpSize,
    /// The number of work-items of a work-group, for every strategy.
    WorkGroup,
}

impl NumericOption {
    /// All numeric options.
    pub const ALL: [NumericOption; 5] = [
        NumericOption::Degree,
        NumericOption::Lanes,
        NumericOption::Searches,
        NumericOption::WarpSize,
        NumericOption::WorkGroup,
    ];

    /// Returns the name in options of the command line.
    pub fn name(self) -> &'static str {
        match self {
            NumericOption::Degree => "degree",
            NumericOption::Lanes => "device-lanes",
            NumericOption::Searches => "device-searches",
            NumericOption::WarpSize => "warp-size",
            NumericOption::WorkGroup => "work-group",
        }
    }
}

impl Numbers {
    /// Returns the value of an option by reference, so that it can be changed.
    pub fn get_mut(&mut self, option: NumericOption) -> &mut Option<u32> {
        match option {
            NumericOption::Degree => &mut self.degree,
            NumericOption::Lanes => &mut self.lanes,
            NumericOption::Searches => &mut self.searches,
            NumericOption::WarpSize => &mut self.warp_size,
            NumericOption::WorkGroup => &mut self.work_group,
        }
    }

    /// Returns the value of an option.
    pub fn get(mut self, option: NumericOption) -> Option<u32> {
        *self.get_mut(option)
    }

    /// Returns the options that have a value.
    pub fn given(self) -> impl Iterator<Item = NumericOption> {
        let all = NumericOption::ALL.into_iter();
        all.filter(move |&option| self.get(option).is_some())
    }

    /// Returns the values with the names of their options in tables.
    pub fn values(self) -> impl Iterator<Item = (&'static str, Option<u32>)> {
        let names = ["D", "lanes", "searches", "warp", "work-group"];
        let values = NumericOption::ALL.map(|option| self.get(option));
        names.into_iter().zip(values)
    }

    /// Replaces the values that are not set by those of `others`.
    pub fn or(mut self, others: Numbers) -> Numbers {
        for option in NumericOption::ALL {
            let value = self.get_mut(option);
            *value = value.or(others.get(option));
        }
        self
    }
}

/// A strategy, of the library or of your own.
#[derive(Clone, Copy)]
pub struct Strategy(&'static dyn DeviceStrategy);

impl Strategy {
    /// Wraps a strategy, which need not be in the list.
    pub const fn new(strategy: &'static dyn DeviceStrategy) -> Self {
        Strategy(strategy)
    }

    /// Makes the engine for a graph, if the strategy accepts it and the device can hold it.
    pub fn engine<'s>(
        self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError> {
        let refuse = |what: &str| {
            let name = self.name();
            Err(DeviceError::Refused(format!("strategy {name} {what}")))
        };
        if let Some(feature) = self.lacking(&features_of_search(prepared)) {
            return refuse(&format!("{}; use another --strategy", feature.refusal()));
        }
        let options = &session.options;
        let lacks_edges = prepared.count_edges && !options.count_edges;
        if lacks_edges && !self.covers(&[Feature::Chains])
            || prepared.query.is_some() && !options.query
        {
            return refuse("cannot compute these scores with the kernels that were built");
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

/// The sizes and numbers of an engine, for the report.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EnginePlan {
    /// The strategy; never [`Strategy::Auto`].
    pub strategy: Strategy,
    /// The reason for the strategy, if `auto` chose it, and for its numbers.
    pub why: String,
    /// D: the most arcs of a virtual vertex (for lanes, of a chunk), if there are any.
    pub degree: Option<u32>,
    /// The number of roots of a batch; 1 for strategies without batches.
    pub lanes: usize,
    /// The number of batches under way at a time.
    pub batches_in_flight: usize,
    /// The number of roots searched at a time in memory of their own, each by a work-group or by
    /// the whole device; None for strategies with lanes.
    pub slots: Option<usize>,
    /// The number of work-items that share a vertex of the frontier; None without virtual warps.
    pub warp_size: Option<u32>,
    /// Work-items of a work-group, for kernels that do not choose their own.
    pub work_group: usize,
    /// Bytes of all buffers.
    pub bytes: u64,
}

impl EnginePlan {
    /// Returns the plan of a strategy without optional numbers.
    pub fn new(strategy: Strategy, work_group: usize, bytes: u64) -> Self {
        EnginePlan {
            strategy,
            lanes: 1,
            batches_in_flight: 1,
            work_group,
            bytes,
            ..EnginePlan::default()
        }
    }

    /// Returns the number of roots that keep the engine busy.
    pub fn roots_to_saturate(&self) -> usize {
        self.slots.unwrap_or(self.lanes * self.batches_in_flight)
    }
}

/// An engine on a device.
pub struct DeviceEngine<'s> {
    /// The engine, with the graph on the device.
    pub engine: Box<dyn Engine + 's>,
    /// The sizes and numbers of the engine.
    pub plan: EnginePlan,
}

/// Checks that kernels can step an unsigned integer of 32 bits through all vertices and arcs, as in
/// `for (uint arc = first; arc < end; arc += step)`: the last step must not wrap around. No step is
/// longer than the larger of a work-group and the number of vertices.
///
/// # Errors
/// If the graph is too large.
pub(super) fn check_steps(session: &Session, prepared: &Prepared) -> Result<(), DeviceError> {
    // The kernels that add up sums have a work-item for each sum.
    let [columns, passes] = prepared.sum_columns();
    let (n, arcs) = (
        prepared.graph.vertices() * columns,
        prepared.graph.arcs() * passes.max(1),
    );
    if are_countable(n, arcs, session.info.max_work_group) {
        return Ok(());
    }
    Err(DeviceError::Refused(format!(
        "kernels count to {}, which is not enough for {n} sums of vertices and {arcs} of arcs; \
         use --device none",
        1u64 << 32
    )))
}

/// Returns whether [`check_steps`] accepts these sizes. Strategy `lanes` stores up to `arcs +
/// vertices` arcs, because it stores one for each vertex without arcs too.
fn are_countable(vertices: usize, arcs: usize, work_group: usize) -> bool {
    (arcs + vertices + vertices.max(work_group)) as u64 <= 1 << 32
}

/// Adds the path ends that a device counted, and clears `reached`: the score of each root grows by
/// its count in `reached`, times the sources that the root stands for.
pub(super) fn take_reached(
    reached: &DeviceBuffer,
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

/// The kernel text shared by the strategies with one work-group per root.
pub(super) const CLAIM: &str = include_str!("../../cl/claim.cl");
/// The kernel text of sums over rows of arcs, for the strategies with a work-item per arc.
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
