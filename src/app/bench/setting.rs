//! Settings: a strategy or CPU engine with its options, which `bench` measures, `tune` compares and
//! a profile stores.

use std::str::FromStr;

use brandes::cpu::EngineName;
use brandes::cpu::lanes::LANES;
use brandes::device::{DeviceOptions, Numbers};
use brandes::engine::Precision;
use brandes::prepare::Reductions;
use brandes::report::words::named;
use brandes::runner::CpuWorkers;
use brandes::strategy::{NumericOption, Strategy, Switch};

/// A strategy or an engine to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// CPU workers alone, with the engine that a run chooses.
    Cpu,
    /// CPU workers alone, with this engine; `Plain` stands for Dijkstra's algorithm on weighted
    /// graphs.
    Engine(EngineName),
    /// A strategy on the device.
    Device(Strategy),
    /// Strategy `virtual`, complete (`None`) or with one of its ideas switched off.
    Ablation(Option<Switch>),
}

impl Subject {
    /// Returns all subjects that `--strategy` can name: CPU workers, their engines, and the
    /// strategies.
    pub fn all() -> impl Iterator<Item = Subject> {
        use EngineName::{Clustered, Hierarchy, Lanes, Plain};
        let engines = [Plain, Lanes, Clustered, Hierarchy].map(Subject::Engine);
        let cpu = std::iter::once(Subject::Cpu).chain(engines);
        cpu.chain(Strategy::all().map(Subject::Device))
    }

    /// Returns the names of all subjects, for schemas.
    pub fn names() -> Vec<&'static str> {
        Subject::all().map(Subject::name).collect()
    }

    /// Returns whether CPU workers search alone.
    pub fn is_cpu(self) -> bool {
        matches!(self, Subject::Cpu | Subject::Engine(_))
    }

    /// Returns whether the subject searches over a contraction hierarchy, and so can serve sources
    /// inside chains.
    pub fn serves_chains(self) -> bool {
        self == Subject::Device(Strategy::Hierarchy)
            || self == Subject::Engine(EngineName::Hierarchy)
    }

    /// Returns whether the subject can be measured with this value of the option; `None` stands for
    /// its own choice.
    pub fn takes(self, option: NumericOption, value: Option<u32>) -> bool {
        let is_lanes = option == NumericOption::Lanes;
        let is_lanes_of_cores = |lanes: u32| LANES.contains(&(lanes as usize));
        let fits_device = value.is_none_or(|value| !is_lanes || value.is_multiple_of(32));
        match self {
            Subject::Engine(EngineName::Lanes) => is_lanes && value.is_none_or(is_lanes_of_cores),
            Subject::Device(strategy) => strategy.has(option) && fits_device,
            Subject::Ablation(_) => Strategy::Virtual.has(option),
            Subject::Cpu | Subject::Engine(_) => false,
        }
    }

    /// Returns the name as on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Subject::Cpu => "cpu",
            Subject::Engine(EngineName::Plain | EngineName::Dijkstra) => "cpu-plain",
            Subject::Engine(EngineName::Lanes) => "cpu-lanes",
            Subject::Engine(EngineName::Clustered) => "cpu-clustered",
            Subject::Engine(EngineName::Hierarchy) => "cpu-hierarchy",
            Subject::Device(strategy) => strategy.name(),
            Subject::Ablation(_) => "virtual",
        }
    }
}

impl FromStr for Subject {
    type Err = String;

    fn from_str(name: &str) -> Result<Subject, String> {
        let found = Subject::all().find(|subject| subject.name() == name);
        found.ok_or_else(|| {
            let names = Subject::names().join(", ");
            format!("there is no such strategy; there are {names}")
        })
    }
}

/// A subject with the values of its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// The strategy, or CPU workers.
    pub subject: Subject,
    /// The precision on the device, and of CPU engines that have several.
    pub precision: Precision,
    /// The values of the numeric options of the strategy.
    pub numbers: Numbers,
    /// CPU workers beside the device.
    pub workers: CpuWorkers,
    /// Reductions before the search.
    pub reduce: Reductions,
}

impl Setting {
    /// Returns a subject with the default values.
    pub fn plain(subject: Subject) -> Setting {
        Setting {
            subject,
            precision: Precision::F64,
            numbers: Numbers::default(),
            workers: CpuWorkers::Count(0),
            reduce: Reductions::default(),
        }
    }

    /// Replaces each setting by one for each of `values`, which `set` puts into it. Without values,
    /// the settings stay the same.
    pub fn expand<T: Copy>(all: &mut Vec<Setting>, values: &[T], set: impl Fn(&mut Setting, T)) {
        let with = |(mut one, value): (Setting, T)| {
            set(&mut one, value);
            one
        };
        if !values.is_empty() {
            let each = |&one: &Setting| values.iter().map(move |&value| (one, value));
            *all = all.iter().flat_map(each).map(with).collect();
        }
    }

    /// Replaces each setting by every combination of the values that its subject, the same of all,
    /// takes. `lists` has the values of each option, in the order of [`NumericOption::ALL`].
    pub fn expand_numbers(all: &mut Vec<Setting>, lists: &[Vec<Option<u32>>; 5]) {
        for (option, values) in NumericOption::ALL.into_iter().zip(lists) {
            let takes = |value: &Option<u32>| all[0].subject.takes(option, *value);
            let taken: Vec<_> = values.iter().copied().filter(takes).collect();
            Setting::expand(all, &taken, |one, value| {
                *one.numbers.get_mut(option) = value;
            });
        }
        // Work-groups consist of whole virtual warps, as a run requires.
        all.retain(|Setting { numbers, .. }| {
            let sizes = numbers.warp_size.zip(numbers.work_group);
            sizes.is_none_or(|(warp, group)| group.is_multiple_of(warp))
        });
    }

    /// Returns the precision in which a run with this setting searches: on cores, only engine
    /// `lanes` stores fewer than 64 bits.
    pub fn search_precision(&self) -> Precision {
        match self.subject {
            Subject::Device(_) | Subject::Ablation(_) => self.precision,
            Subject::Cpu | Subject::Engine(EngineName::Lanes)
                if self.precision == Precision::Mixed =>
            {
                Precision::Mixed
            }
            Subject::Cpu | Subject::Engine(_) => Precision::F64,
        }
    }

    /// Returns the options of a device: those of this setting, and all others from `base`.
    pub fn device_options(&self, base: DeviceOptions) -> DeviceOptions {
        DeviceOptions {
            precision: self.precision,
            no_fallback: true,
            numbers: self.numbers,
            ..base
        }
    }

    /// Returns the setting as options of `brandes run`, without those that are the default there.
    pub fn arguments(&self) -> Vec<String> {
        let mut words = match self.subject {
            Subject::Device(strategy) if strategy == Strategy::Auto => Vec::new(),
            Subject::Engine(engine) => {
                vec![format!("--strategy cpu --cpu-engine {}", engine.name())]
            }
            other => vec![format!("--strategy {}", other.name())],
        };
        words.extend(NumericOption::ALL.into_iter().filter_map(|number| {
            let option = match (number, self.subject) {
                (NumericOption::Lanes, Subject::Engine(_)) => "cpu-lanes",
                _ => number.name(),
            };
            Some(format!("--{option} {}", self.numbers.get(number)?))
        }));
        if let CpuWorkers::Count(count) = self.workers
            && !self.subject.is_cpu()
        {
            words.push(format!("--cpu-workers {count}"));
        }
        let precision = self.search_precision();
        if precision != Precision::F64 {
            words.push(format!("--precision {}", named(precision)));
        }
        if self.reduce != Reductions::default() {
            words.push(format!("--reduce {}", self.reduce));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lanes_of_cores_are_mixed() {
        use Precision::{F32, F64, Mixed};
        for (subject, precision, searched) in [
            (Subject::Cpu, Mixed, Mixed),
            (Subject::Engine(EngineName::Lanes), Mixed, Mixed),
            (Subject::Engine(EngineName::Lanes), F32, F64),
            (Subject::Engine(EngineName::Plain), Mixed, F64),
            (Subject::Device(Strategy::Auto), Mixed, Mixed),
            (Subject::Device(Strategy::Auto), F32, F32),
        ] {
            let plain = Setting::plain(subject);
            let setting = Setting { precision, ..plain };
            assert_eq!(setting.search_precision(), searched, "{setting:?}");
        }
    }

    #[test]
    fn arguments_are_those_of_run() {
        use NumericOption::{Degree, Lanes, WarpSize};
        const LANES: &str = "--strategy lanes --degree 128 --device-lanes 512 --cpu-workers 0";
        const WARP: &str = "--strategy warp --warp-size 8 --cpu-workers 0";
        const CORES: &str = "--strategy cpu --cpu-engine lanes --cpu-lanes 32";
        let (device, cores) = (Subject::Device, Subject::Engine(EngineName::Lanes));
        for (subject, numbers, words) in [
            (device(Strategy::Auto), &[][..], "--cpu-workers 0"),
            (
                device(Strategy::Lanes),
                &[(Degree, 128), (Lanes, 512)],
                LANES,
            ),
            (device(Strategy::Warp), &[(WarpSize, 8)], WARP),
            (Subject::Cpu, &[], "--strategy cpu"),
            (cores, &[(Lanes, 32)], CORES),
        ] {
            let mut setting = Setting::plain(subject);
            for &(number, value) in numbers {
                *setting.numbers.get_mut(number) = Some(value);
            }
            assert_eq!(setting.arguments().join(" "), words);
        }
        let other = Setting {
            workers: CpuWorkers::Auto,
            precision: Precision::F32,
            reduce: Reductions::NONE,
            ..Setting::plain(device(Strategy::Auto))
        };
        assert_eq!(other.arguments().join(" "), "--precision f32 --reduce none");
    }
}
