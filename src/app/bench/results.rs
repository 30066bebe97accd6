//! What was measured, as it goes into tables and into the JSON file.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::setting::{Numbers, Setting, Subject};
use super::timing::Spread;
use brandes::engine::Precision;
use brandes::prepare::Reductions;
use brandes::report::words::{counted, named};
use brandes::runner::CpuWorkers;
use brandes::strategy::ablation::Switch;
use brandes::strategy::{EnginePlan, Strategy};

/// A strategy and the values asked for, each null where it was left to the program. Two results are
/// of the same work if these are equal.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Asked {
    /// The strategy; `cpu` for CPU workers.
    #[serde(deserialize_with = "without_precision")]
    #[schemars(extend("enum" = Subject::names()))]
    pub strategy: String,
    /// Numbers on the device, or `mixed` on cores; null for CPU workers in f64.
    pub precision: Option<Precision>,
    /// The numbers of the strategy.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// CPU workers beside the device, where null stands for none; or of a strategy of CPU workers,
    /// where null stands for one per core.
    pub workers: Option<usize>,
    /// What is done to the graph first, as behind `--reduce`.
    pub reduce: Option<String>,
    /// The idea of strategy `virtual` that is switched off, in rows of `ablation`.
    pub switch: Option<Switch>,
}

/// Early reports have the precision behind the name of the strategy.
fn without_precision<'de, D: Deserializer<'de>>(value: D) -> Result<String, D::Error> {
    let name = String::deserialize(value)?;
    Ok(name.split(' ').next().unwrap_or_default().into())
}

impl Asked {
    /// What a setting asks for that is measured in these numbers.
    pub fn new(setting: &Setting, precision: Option<Precision>) -> Asked {
        let (subject, reduce) = (setting.subject, setting.reduce);
        Asked {
            strategy: subject.name().into(),
            precision,
            numbers: setting.numbers,
            workers: match setting.workers {
                CpuWorkers::Count(0) => None,
                CpuWorkers::Count(count) => Some(count),
                CpuWorkers::Auto => (!subject.is_cpu()).then(num_cpus::get),
            },
            reduce: (reduce != Reductions::default()).then(|| reduce.to_string()),
            switch: match subject {
                Subject::Ablation(switch) => switch,
                _ => None,
            },
        }
    }

    /// Returns the values by what tables call them, all but the precision.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, Option<String>)> {
        let numbers = self.numbers.values().into_iter();
        let numbers = numbers.map(|(name, value)| (name, value.map(|number| number.to_string())));
        let workers = self.workers.map(|count| count.to_string());
        numbers.chain([("workers", workers), ("reduce", self.reduce.clone())])
    }

    /// As in "lanes mixed, D 8", or the idea that is switched off.
    pub fn words(&self) -> String {
        if let Some(switch) = self.switch {
            return switch.name().into();
        }
        let values = self.values();
        let values = values.filter_map(|(name, value)| Some(format!(", {name} {}", value?)));
        let precision = self.precision.filter(|&p| p != Precision::F64);
        let precision = precision.map(|precision| format!(" {}", named(precision)));
        self.strategy.clone() + &precision.unwrap_or_default() + &values.collect::<String>()
    }

    /// Whether it is `auto`, which searches by one of the other strategies.
    pub fn is_auto(&self) -> bool {
        self.strategy == "auto"
    }
}

/// One strategy with its values on one graph.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Measured {
    /// What was asked for.
    #[serde(flatten)]
    pub asked: Asked,
    /// Seconds of every repeat, in order; if estimated, as scaled to all roots.
    pub seconds: Vec<f64>,
    /// Of `seconds`; null if it could not search.
    pub spread: Option<Spread>,
    /// Whether its median is the smallest of the graph, `auto` aside.
    #[serde(default)]
    pub best: bool,
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
    /// Median seconds, if it could search.
    pub fn median(&self) -> Option<f64> {
        self.spread.map(|spread| spread.median)
    }
}

/// Marks the one of the smallest median, `auto` aside.
pub fn mark_best(all: &mut [Measured]) {
    let others = all.iter().enumerate().filter(|(_, m)| !m.asked.is_auto());
    let medians = others.filter_map(|(place, m)| Some((place, m.median()?)));
    if let Some((place, _)) = medians.min_by(|(_, a), (_, b)| a.total_cmp(b)) {
        all[place].best = true;
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

impl Check {
    /// A difference from the scores of `reference` over so many roots.
    pub fn new(reference: &str, roots: usize, largest_difference: f64, allowed: f64) -> Check {
        Check {
            reference: reference.into(),
            roots,
            largest_difference,
            allowed,
            passed: largest_difference <= allowed,
        }
    }

    /// What is wrong with the scores of `whose`, if something is.
    pub fn failure(&self, whose: &str) -> Option<String> {
        (!self.passed).then(|| {
            format!(
                "the scores of '{whose}' differ from those of '{}' by {:.1e} relative over {}; \
                 one of the two is wrong ({:e} is allowed)",
                self.reference,
                self.largest_difference,
                counted(self.roots, "root"),
                self.allowed
            )
        })
    }
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
    /// The fastest of the strategies measured by name, CPU workers alone aside, with its values.
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
        let auto = strategies.iter().find(|m| m.asked.is_auto());
        let other = strategies.iter().find(|m| m.asked.words() == *best);
        let spreads = auto.zip(other).and_then(|(a, b)| a.spread.zip(b.spread));
        // Where ranges overlap, another repeat may have said the opposite.
        let overlap = |(a, b): (Spread, Spread)| a.min <= b.max && b.min <= a.max;
        match spreads.is_some_and(overlap) {
            true => format!("auto chose {chose}, as fast as {best} within noise"),
            false => format!(
                "auto chose {chose}, which took {:.2} times the time of {best}",
                self.times_best
            ),
        }
    }
}

/// Strategy `virtual` with all of its ideas, and each of them switched off.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Ablation {
    /// With all on.
    #[serde(flatten)]
    pub all_on: Measured,
    /// One entry per idea.
    pub rows: Vec<AblationRow>,
}

/// One idea switched off.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct AblationRow {
    /// Without it.
    #[serde(flatten)]
    pub off: Measured,
    /// What the idea does to the search time: -0.38 takes 38% off the time without it.
    #[schemars(extend("minimum" = -1))]
    pub change: Option<f64>,
    /// The original report's figure for the total time: mean and standard deviation over graphs.
    pub original: Option<(f64, f64)>,
}

impl Ablation {
    /// The table of some measurements, the one with all ideas on first. `None` if there are none.
    pub fn new(all: Vec<Measured>) -> Option<Ablation> {
        // The best of a graph is one of its strategies.
        let mut all = all.into_iter().map(|one| Measured { best: false, ..one });
        let all_on = all.next()?;
        let row = |off: Measured| AblationRow {
            change: all_on
                .median()
                .zip(off.median())
                .map(|(on, off)| on / off - 1.0),
            original: off.asked.switch.and_then(Switch::original),
            off,
        };
        let rows = all.map(row).collect();
        Some(Ablation { all_on, rows })
    }
}

/// What `auto` chose, if it was measured beside others.
pub fn auto_choice(measured: &[Measured]) -> Option<AutoChoice> {
    let auto = measured.iter().find(|m| m.asked.is_auto())?;
    let plan = auto.plan.as_ref()?;
    let others = measured
        .iter()
        .filter(|m| !m.asked.is_auto() && m.plan.is_some());
    let alike = others.filter(|m| m.asked.precision == auto.asked.precision);
    let times = alike.filter_map(|m| Some((m, m.median()?)));
    let (best, seconds) = times.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    Some(AutoChoice {
        chose: plan.strategy.name().into(),
        why: plan.why.clone(),
        best: best.asked.words(),
        times_best: auto.median()? / seconds,
    })
}
