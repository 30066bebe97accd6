//! Strategy `hierarchy`: sweeps over the overlay of a contraction hierarchy, for thousands of roots
//! at a time, with a lane for each. [`crate::prepare::hierarchy`] makes the overlay;
//! `cl/hierarchy/` describes each kernel.
//!
//! The launches of a batch depend on the overlay alone. So the host enqueues a whole batch at once,
//! and goes on with the next one.

mod batch;
mod kernels;
mod layout;
mod search;

use std::collections::VecDeque;
use std::time::Duration;

use super::{About, DeviceEngine, DeviceStrategy, EnginePlan, Feature, NumericOption, Strategy};
use crate::device::find::DeviceKind;
use crate::device::{DeviceError, DeviceInfo, DeviceOptions, Session, Source};
use crate::engine::{Precision, rounding_error};
use crate::prepare::Prepared;
use batch::{GROUP_ITEMS, ITEM_LANES};
use kernels::OnDevice;
use layout::Layout;
use search::HierarchySearch;

/// The default number of work-items of a work-group. If the user chose the lanes, it may be
/// smaller, so that the lanes are a multiple of those of a work-group.
const WORK_GROUP: usize = 64;
/// The default of D, the most arcs of a chunk.
const DEGREE: u32 = 16;
/// The default number of lanes.
const LANES: usize = 8192;
/// The default number of lanes on a CPU, whose caches are small.
const CPU_LANES: usize = 256;
/// The largest share of the device's memory to use.
const MEMORY: f64 = 0.8;

/// With precision `mixed`, graphs of more levels, and all queries, are searched in f64.
const MIXED_LEVELS: usize = 511;

/// Returns the largest relative error of sums of precision `mixed`. A path count is rounded to 24
/// bits once for each level that it passes, a coefficient once for its count and once for each
/// level on its way up; scores and flows are products of the two. All terms are positive, so sums
/// have no larger errors.
fn mixed_error(levels: usize) -> f64 {
    rounding_error(3 * (levels + 1))
}

/// Strategy `hierarchy`.
pub struct HierarchyStrategy;

impl HierarchyStrategy {
    fn source(options: &DeviceOptions, info: &DeviceInfo, mixed: bool) -> Source {
        let items = options.numbers.lanes.map_or(LANES, |lanes| lanes as usize) / ITEM_LANES;
        let groups = (1..=WORK_GROUP / GROUP_ITEMS).map(|groups| groups * GROUP_ITEMS);
        let group = groups.rev().find(|&group| items.is_multiple_of(group));
        Source {
            name: "hierarchy".into(),
            texts: vec![
                include_str!("../../../cl/hierarchy/hierarchy.cl"),
                include_str!("../../../cl/hierarchy/chains.cl"),
                include_str!("../../../cl/hierarchy/climb.cl"),
                include_str!("../../../cl/hierarchy/forward.cl"),
                include_str!("../../../cl/hierarchy/backward.cl"),
            ],
            work_group: options.work_group_of(group.unwrap_or(GROUP_ITEMS), info),
            macros: vec![
                (
                    "MOST_ARCS",
                    options.numbers.degree.unwrap_or(DEGREE) as usize,
                ),
                ("MIXED", usize::from(mixed)),
            ],
            ..Source::default()
        }
    }
}

impl DeviceStrategy for HierarchyStrategy {
    fn about(&self) -> About {
        use Feature::*;
        About {
            name: "hierarchy",
            line: "On devices: sweeps over a contraction hierarchy, a lane for each root; for road \
                   networks and other graphs of small separators, with lengths or without",
            takes: &[Lengths, Edges, Chains, Query, Directed],
            numbers: &[NumericOption::Degree, NumericOption::Lanes],
        }
    }

    fn kernels(&self, options: &DeviceOptions, info: &DeviceInfo) -> Vec<Source> {
        let mixed = options.precision == Precision::Mixed && !options.query;
        vec![Self::source(options, info, mixed)]
    }

    fn engine<'s>(
        &'static self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError> {
        let (options, info) = (&session.options, &session.info);
        let hierarchy = prepared.hierarchy().map_err(|why| {
            DeviceError::Refused(format!(
                "strategy hierarchy cannot search this graph: {why}"
            ))
        })?;
        let degree = options.numbers.degree.unwrap_or(DEGREE);
        let layout = Layout::new(prepared, &hierarchy, degree as usize);
        let levels = layout.levels.len();
        let passes = prepared.passes().len();
        // Coefficients with decay, and path counts of stress, may be beyond the range of f32.
        let may_mix = levels <= MIXED_LEVELS && !options.query;
        let mixed = options.precision == Precision::Mixed && may_mix;
        let source = HierarchyStrategy::source(options, info, mixed);
        if prepared.chains.is_some() && !source.work_group.is_multiple_of(GROUP_ITEMS) {
            return Err(DeviceError::Refused(format!(
                "strategy hierarchy serves sources inside chains only if the size of work-groups \
                 is a multiple of {GROUP_ITEMS}; choose another --work-group, or leave chains out \
                 of --reduce"
            )));
        }
        let tile = source.work_group * ITEM_LANES;
        let (n, arcs) = (hierarchy.vertices(), hierarchy.arcs());
        let most_ancestors = layout.most_ancestors();
        let real = options.precision.bytes();
        let number_bytes = if mixed { 4 } else { real };
        // A lane has rows of all vertices, pieces, and ancestors.
        let lane_bytes = n * (4 + (1 + passes) * number_bytes)
            + passes * layout.most_pieces * real
            + most_ancestors * (8 + 3 * real);
        let largest = (n * (passes * number_bytes).max(4)).max(1);
        let fit = ((info.memory as f64 * MEMORY) as usize / lane_bytes.max(1))
            .min(info.max_buffer as usize / largest);
        let wanted = match options.numbers.lanes {
            Some(lanes) => lanes as usize,
            None if info.kind == DeviceKind::Cpu => CPU_LANES,
            None => LANES,
        };
        // Batches are of equal size, and of whole tiles.
        let roots = prepared.roots.len().max(1);
        let most = wanted.min(fit.max(tile)) / tile * tile;
        let batches = roots.div_ceil(most.max(tile));
        let lanes = roots.div_ceil(batches).div_ceil(tile) * tile;

        let device = OnDevice::new(session, &source, (prepared, &layout), (lanes, number_bytes))?;
        let instead = match options.numbers.lanes {
            Some(asked) if !(asked as usize).is_multiple_of(tile) => {
                format!(" (whole work-groups of {tile} lanes, in place of the {asked} asked for)")
            }
            _ => String::new(),
        };
        let why = format!(
            "{arcs} overlay arcs on {levels} levels, elimination tree {most_ancestors} deep, \
             {lanes} lanes{instead}",
        );
        let plan = EnginePlan {
            why,
            degree: Some(degree),
            lanes,
            ..EnginePlan::new(Strategy::Hierarchy, source.work_group, device.bytes)
        };
        let search = HierarchySearch {
            session,
            prepared,
            lanes,
            tiles: lanes / tile,
            passes,
            work_group: source.work_group,
            error_bound: if mixed { mixed_error(levels) } else { 0.0 },
            collect_time: Duration::ZERO,
            under_way: VecDeque::new(),
            hierarchy,
            layout,
            device,
        };
        Ok(DeviceEngine {
            engine: Box::new(search),
            plan,
        })
    }
}
