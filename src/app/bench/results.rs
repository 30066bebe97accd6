//! What was measured, as it goes into tables and into the JSON file.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::search::Subject;
use super::timing::Spread;
use brandes::engine::Precision;
use brandes::strategy::ablation::Switch;
use brandes::strategy::{EnginePlan, Strategy};

/// One strategy on one graph.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Measured {
    /// Its name; `cpu` for CPU workers. A precision other than f64 stands behind it.
    #[schemars(extend("enum" = Subject::names()))]
    pub strategy: String,
    /// Numbers on the device; null for CPU workers. Early reports do not say it.
    #[serde(default)]
    pub precision: Option<Precision>,
    /// Seconds of every repeat, in order; if estimated, as scaled to all roots.
    pub seconds: Vec<f64>,
    /// Of `seconds`; null if it could not search.
    pub spread: Option<Spread>,
    /// Whether only a sample of the roots was searched and the times were scaled.
    pub estimated: bool,
    /// Roots searched in every repeat.
    pub roots_searched: usize,
    /// Roots of the graph.
    pub roots: usize,
    /// Of those searched in the last repeat, how many the device did.
    pub device_roots: usize,
    /// CPU workers that searched.
    pub cpu_workers: usize,
    /// Their engine, as in "lanes, 64".
    pub cpu_engine: Option<String>,
    /// The engine on the device.
    pub plan: Option<EnginePlan>,
    /// Scores against those of the reference; null for the reference itself.
    pub check: Option<Check>,
    /// Why it could not search.
    pub failure: Option<String>,
}

impl Measured {
    /// Whether it is what a run would choose, which is one of the others.
    pub fn is_auto(&self) -> bool {
        self.strategy == "auto" || self.strategy.starts_with("auto ")
    }

    /// Median seconds, if it could search.
    pub fn median(&self) -> Option<f64> {
        self.spread.map(|spread| spread.median)
    }
}

/// Scores against those of a reference.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// Whose scores they were compared with.
    pub reference: String,
    /// Over how many roots: all, or the first sample where one of the two was estimated.
    pub roots: usize,
    /// Largest relative difference; scores below 1 count as 1. Null if it is infinite.
    #[serde(deserialize_with = "infinite_if_null")]
    #[schemars(with = "Option<f64>")]
    pub largest_difference: f64,
    /// How large it may be. Early reports do not say it.
    #[serde(default)]
    pub allowed: f64,
    /// Whether it is not larger.
    pub passed: bool,
}

/// JSON has no infinity: it is written as null.
fn infinite_if_null<'de, D: Deserializer<'de>>(value: D) -> Result<f64, D::Error> {
    let number = Option::<f64>::deserialize(value)?;
    Ok(number.unwrap_or(f64::INFINITY))
}

/// What `auto` chose.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct AutoChoice {
    /// The strategy.
    #[schemars(with = "Strategy")]
    pub chose: String,
    /// Why.
    pub why: String,
    /// The fastest of the strategies measured by name, CPU workers alone aside.
    #[schemars(with = "Strategy")]
    pub best: String,
    /// Time of `auto` as a multiple of the best one's.
    pub times_best: f64,
}

impl AutoChoice {
    /// What was chosen and whether that was right, as the times of all strategies show it.
    pub fn words(&self, strategies: &[Measured]) -> String {
        let AutoChoice { chose, best, .. } = self;
        if chose == best {
            return format!("auto chose {chose}, the best");
        }
        let spread = |name: &str| strategies.iter().find(|m| m.strategy == name)?.spread;
        // Where ranges overlap, another repeat may have said the opposite.
        let ranges = spread("auto").zip(spread(best));
        let apart = ranges.is_none_or(|(auto, best)| auto.min > best.max);
        let times = self.times_best;
        if apart && times >= 1.005 {
            format!("auto chose {chose}, which took {times:.2} times the time of the best ({best})")
        } else {
            format!("auto chose {chose}, as fast as the best ({best}) within noise")
        }
    }
}

/// Strategy `virtual` and its ideas on one graph.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Ablation {
    /// Seconds with everything on.
    pub all_on: Vec<f64>,
    /// Their median and ends.
    pub spread: Option<Spread>,
    /// Why it could not search.
    pub failure: Option<String>,
    /// Sources searched from, in input vertices.
    pub sources: usize,
    /// Whether these are a sample of the sources asked for.
    pub sampled: bool,
    /// One entry per idea.
    pub rows: Vec<AblationRow>,
}

/// One idea switched off.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct AblationRow {
    /// The idea.
    pub switch: Switch,
    /// Seconds without it.
    pub seconds: Vec<f64>,
    /// Their median and ends; null if it could not search.
    pub spread: Option<Spread>,
    /// What the idea does to the search time: -0.38 takes 38% off the time without it.
    #[schemars(extend("minimum" = -1))]
    pub change: Option<f64>,
    /// The original report's figure for the total time: mean and standard deviation over graphs.
    pub original: Option<(f64, f64)>,
    /// Scores against those with everything on.
    pub check: Option<Check>,
    /// Why it could not search.
    pub failure: Option<String>,
}

/// What `auto` chose, if it was measured beside others.
pub fn auto_choice(measured: &[Measured]) -> Option<AutoChoice> {
    let auto = measured.iter().find(|m| m.is_auto())?;
    let plan = auto.plan.as_ref()?;
    let others = measured.iter().filter(|m| !m.is_auto() && m.plan.is_some());
    let alike = others.filter(|m| m.precision == auto.precision);
    let times = alike.filter_map(|m| Some((m, m.median()?)));
    let (best, seconds) = times.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    Some(AutoChoice {
        chose: plan.strategy.name().into(),
        why: plan.why.clone(),
        best: best.strategy.clone(),
        times_best: auto.median()? / seconds,
    })
}
