//! Measurements, as tables and the JSON report have them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::setting::{Setting, Subject};
use super::timing::{Rate, Spread};
use brandes::device::{DeviceKind, Numbers};
use brandes::report::words::{counted, named};
use brandes::strategy::{EnginePlan, Switch};
use brandes::{CpuWorkers, Precision, Reductions};

/// A strategy and the values given, each null for the program's own choice. Two results are for the
/// same work if these are equal.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SettingPart {
    /// The strategy; `cpu` for CPU workers.
    #[schemars(extend("enum" = Subject::names()))]
    pub strategy: String,
    /// Number type on the device, or `mixed` for CPU workers; null for CPU workers in f64.
    pub precision: Option<Precision>,
    /// The numbers of the strategy.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// CPU workers beside the device, where null stands for none; for a strategy of CPU workers,
    /// null stands for one per core.
    pub workers: Option<usize>,
    /// Reductions before the search, as for `--reduce`.
    pub reduce: Option<String>,
    /// The idea of strategy `virtual` that is switched off, in rows of `ablation`.
    pub switch: Option<Switch>,
}

impl SettingPart {
    /// Returns the strategy and values of a setting that searches in this precision, on a `device`
    /// of this kind or on cores.
    pub fn new(
        setting: &Setting,
        precision: Option<Precision>,
        device: Option<DeviceKind>,
    ) -> SettingPart {
        let (subject, reduce) = (setting.subject, setting.reduce);
        SettingPart {
            strategy: subject.name().into(),
            precision,
            numbers: setting.numbers,
            workers: match setting.workers {
                CpuWorkers::Auto if subject.is_cpu() => None,
                requested => workers_beside(device, requested, num_cpus::get()),
            },
            reduce: (reduce != Reductions::default()).then(|| reduce.to_string()),
            switch: match subject {
                Subject::Ablation(switch) => switch,
                _ => None,
            },
        }
    }

    /// Returns the values with their names in tables, except the precision.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, Option<String>)> {
        let numbers = self.numbers.values();
        let numbers = numbers.map(|(name, value)| (name, value.map(|number| number.to_string())));
        let workers = self.workers.map(|count| count.to_string());
        numbers.chain([("workers", workers), ("reduce", self.reduce.clone())])
    }

    /// Returns strategy and values, as in "lanes mixed, D 8", or the idea that is switched off.
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

    /// Returns whether the strategy is `auto`, which searches by one of the others.
    pub fn is_auto(&self) -> bool {
        self.strategy == "auto"
    }
}

/// Returns the number of CPU workers that a run with these `asked` workers has beside a device;
/// `None` stands for none.
fn workers_beside(device: Option<DeviceKind>, asked: CpuWorkers, cores: usize) -> Option<usize> {
    // A core drives the device, unless that is the cores themselves.
    let free = cores.saturating_sub(usize::from(device != Some(DeviceKind::Cpu)));
    Some(asked.count(free)).filter(|&count| count > 0)
}

/// The measurement of one strategy with its values on one graph.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Measured {
    /// The strategy and the values given.
    #[serde(flatten)]
    pub setting: SettingPart,
    /// Seconds of every repeat, in order; scaled to all roots if estimated.
    pub seconds: Vec<f64>,
    /// Median and range of `seconds`; null if it could not search.
    pub spread: Option<Spread>,
    /// Whether its median is the smallest of the graph, `auto` aside.
    pub best: bool,
    /// Whether only a sample of the roots was searched and the times were scaled.
    pub estimated: bool,
    /// Roots searched in every repeat.
    pub roots_searched: usize,
    /// Roots of the graph.
    pub roots: usize,
    /// Roots that the device searched in the last repeat.
    pub device_roots: usize,
    /// CPU workers that searched.
    pub cpu_workers: usize,
    /// The engine of the CPU workers, as in "lanes, 64".
    pub cpu_engine: Option<String>,
    /// The plan of the engine on the device.
    pub plan: Option<EnginePlan>,
    /// Comparison of the scores with those of the reference; null for the reference itself.
    pub check: Option<Check>,
    /// Why it could not search.
    pub failure: Option<String>,
    /// The time by the number of roots.
    #[serde(skip)]
    pub rate: Rate,
    /// Whether the sample was too small to keep the engine busy, so that the times are upper
    /// bounds.
    #[serde(skip)]
    pub is_rough: bool,
}

impl Measured {
    /// Returns the median seconds, if it could search.
    pub fn median(&self) -> Option<f64> {
        self.spread.map(|spread| spread.median)
    }

    /// Returns what is wrong, if the scores differ too much from those of the reference.
    pub fn mismatch(&self) -> Option<String> {
        let check = self.check.as_ref().filter(|check| !check.passed)?;
        Some(format!(
            "over {}, the scores of '{}' differ from those of '{}' by up to {:.1e} of their size, \
             but {:e} is allowed; one of the two is wrong",
            counted(check.roots, "root"),
            self.setting.words(),
            check.reference,
            check.largest_difference.unwrap_or(f64::INFINITY),
            check.allowed
        ))
    }
}

/// Marks the measurement with the smallest median, except `auto`.
pub fn mark_best(all: &mut [Measured]) {
    let others = all.iter().enumerate().filter(|(_, m)| !m.setting.is_auto());
    let medians = others.filter_map(|(place, m)| Some((place, m.median()?)));
    if let Some((place, _)) = medians.min_by(|(_, a), (_, b)| a.total_cmp(b)) {
        all[place].best = true;
    }
}

/// A comparison of scores with those of a reference.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// The reference: a strategy with its values.
    pub reference: String,
    /// Roots compared: all, or the first sample if one of the two was estimated.
    pub roots: usize,
    /// Largest relative difference; scores below 1 count as 1. Null if it is infinite.
    pub largest_difference: Option<f64>,
    /// Largest difference allowed.
    pub allowed: f64,
    /// Whether the difference is allowed.
    pub passed: bool,
}

impl Check {
    /// Returns the comparison with the scores of `reference` over a number of roots.
    pub fn new(reference: String, roots: usize, largest_difference: f64, allowed: f64) -> Check {
        Check {
            reference,
            roots,
            largest_difference: Some(largest_difference).filter(|one| one.is_finite()),
            allowed,
            passed: largest_difference <= allowed,
        }
    }
}

/// Strategy `virtual` with all of its ideas, and with each of them switched off.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Ablation {
    /// With all ideas on.
    #[serde(flatten)]
    pub all_on: Measured,
    /// One entry per idea.
    pub rows: Vec<AblationRow>,
}

/// Strategy `virtual` with one idea switched off.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct AblationRow {
    /// The measurement without the idea.
    #[serde(flatten)]
    pub off: Measured,
    /// Change of the search time by the idea: with -0.38 it takes 38% less.
    #[schemars(extend("minimum" = -1))]
    pub change: Option<f64>,
    /// Change of the total time in the original report: mean and standard deviation over graphs.
    pub original: Option<(f64, f64)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_takes_a_core_from_automatic_workers() {
        let workers = |device, requested| workers_beside(Some(device), requested, 8);
        for (device, all) in [(DeviceKind::Gpu, 7), (DeviceKind::Cpu, 8)] {
            assert_eq!(workers(device, CpuWorkers::Auto), Some(all));
            assert_eq!(workers(device, CpuWorkers::Count(8)), Some(8));
            assert_eq!(workers(device, CpuWorkers::Count(0)), None);
        }
        let single = workers_beside(Some(DeviceKind::Gpu), CpuWorkers::Auto, 1);
        assert_eq!(single, None);
    }
}
