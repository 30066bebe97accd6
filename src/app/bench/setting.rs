//! Settings: a strategy or CPU engine with its options, which `bench` measures, `tune` compares and
//! a profile stores.

use std::str::FromStr;

use brandes::cpu::lanes::LANES;
use brandes::device::{DeviceInfo, DeviceKind, DeviceOptions, Numbers};
use brandes::report::words::named;
use brandes::strategy::{NumericOption, Switch, WARP_SIZES};
use brandes::{CpuEngine, CpuWorkers, Precision, Reductions, Strategy};

/// A strategy or an engine to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// CPU workers alone, with this engine.
    Cores(CpuEngine),
    /// A strategy on the device.
    Device(Strategy),
    /// Strategy `virtual`, complete (`None`) or with one of its ideas switched off.
    Ablation(Option<Switch>),
}

impl Subject {
    /// CPU workers alone, with the engine that a run chooses.
    pub const CPU: Subject = Subject::Cores(CpuEngine::Auto);
    /// The strategy `auto`, which chooses one of the others. Like a run, it takes one value of each
    /// option, not a list.
    pub const AUTO: Subject = Subject::Device(Strategy::Auto);

    /// Returns all subjects that `--strategy` can name: CPU workers, their engines, and the
    /// strategies.
    pub fn all() -> impl Iterator<Item = Subject> {
        use CpuEngine::{Auto, Clustered, Hierarchy, Lanes, Plain};
        let engines = [Auto, Plain, Lanes, Clustered, Hierarchy].map(Subject::Cores);
        let devices = Strategy::all().map(Subject::Device);
        engines.into_iter().chain(devices)
    }

    /// Returns the names of all subjects, for schemas.
    pub fn names() -> Vec<&'static str> {
        Subject::all().map(Subject::name).collect()
    }

    /// Returns whether CPU workers search alone.
    pub fn is_cpu(self) -> bool {
        matches!(self, Subject::Cores(_))
    }

    /// Returns the engine, if CPU workers search alone with one that is given.
    pub fn engine(self) -> Option<CpuEngine> {
        match self {
            Subject::Cores(engine) => engine.named(),
            _ => None,
        }
    }

    /// Returns whether the subject searches over a contraction hierarchy, and so can serve sources
    /// inside chains.
    pub fn serves_chains(self) -> bool {
        let cores = Subject::Cores(CpuEngine::Hierarchy);
        [Subject::Device(Strategy::Hierarchy), cores].contains(&self)
    }

    /// Returns whether the subject can be measured with this value of the option; `None` stands for
    /// its own choice.
    pub fn takes(self, option: NumericOption, value: Option<u32>) -> bool {
        let is_lanes = option == NumericOption::Lanes;
        let is_lanes_of_cores = |lanes: u32| LANES.contains(&(lanes as usize));
        let fits_device = value.is_none_or(|value| !is_lanes || value.is_multiple_of(32));
        match self {
            Subject::Cores(CpuEngine::Lanes) => is_lanes && value.is_none_or(is_lanes_of_cores),
            Subject::Cores(_) => false,
            Subject::Device(strategy) => strategy.has(option) && fits_device,
            Subject::Ablation(_) => Strategy::Virtual.has(option),
        }
    }

    /// Returns the usual values of an option that the subject takes, to be tried on a `device` or,
    /// without one, on cores. `roots` is the number of roots of the graph.
    pub fn usual_values(
        self,
        option: NumericOption,
        device: Option<&DeviceInfo>,
        roots: usize,
    ) -> Vec<Option<u32>> {
        let (Subject::Device(strategy), Some(device)) = (self, device) else {
            return LANES.map(|lanes| Some(lanes as u32)).to_vec();
        };
        let has_lanes = strategy.has(NumericOption::Lanes);
        let usual: &[u32] = match option {
            NumericOption::Degree if has_lanes => &[64, 128, 256, 512, 1024],
            NumericOption::Degree => &[4, 8, 16, 32, 64, 128],
            NumericOption::Lanes if device.kind == DeviceKind::Cpu => &[64, 128, 256, 512, 1024],
            NumericOption::Lanes => &[512, 1024, 2048, 4096, 8192],
            NumericOption::WarpSize => &WARP_SIZES,
            NumericOption::WorkGroup if !has_lanes => &[64, 128, 256, 384, 512, 1024],
            // The program's own choice of searches fills the device. Large kernels of strategies
            // with lanes choose the size of their work-groups, and each value needs another
            // program.
            NumericOption::Searches | NumericOption::WorkGroup => &[],
        };
        let most = match option {
            // Lanes beyond the number of roots stay empty, so much larger values are not tried.
            NumericOption::Lanes => 2 * roots,
            NumericOption::WorkGroup => device.max_work_group,
            _ => usize::MAX,
        };
        let is_useful = |value: &u32| *value as usize <= most;
        usual.iter().copied().filter(is_useful).map(Some).collect()
    }

    /// Returns the name as on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Subject::Cores(CpuEngine::Auto) => "cpu",
            Subject::Cores(CpuEngine::Plain) => "cpu-plain",
            Subject::Cores(CpuEngine::Lanes) => "cpu-lanes",
            Subject::Cores(CpuEngine::Clustered) => "cpu-clustered",
            Subject::Cores(CpuEngine::Hierarchy) => "cpu-hierarchy",
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

    /// Replaces each setting by one for each of `values` of a field. Without values, the settings
    /// stay the same.
    pub fn expand<T: Copy>(
        all: &mut Vec<Setting>,
        values: &[T],
        field: impl Fn(&mut Setting) -> &mut T,
    ) {
        let with = |(mut one, value): (Setting, T)| {
            *field(&mut one) = value;
            one
        };
        if !values.is_empty() {
            let each = |&one: &Setting| values.iter().map(move |&value| (one, value));
            *all = all.iter().flat_map(each).map(with).collect();
        }
    }

    /// Replaces each setting by every combination of the values that its subject, the same of all,
    /// takes. `lists` has the values of each option, in the order of [`NumericOption::ALL`].
    pub fn expand_numbers(all: &mut Vec<Setting>, lists: &[impl AsRef<[Option<u32>]>; 5]) {
        for (option, values) in NumericOption::ALL.into_iter().zip(lists) {
            let takes = |value: &Option<u32>| all[0].subject.takes(option, *value);
            let taken: Vec<_> = values.as_ref().iter().copied().filter(takes).collect();
            Setting::expand(all, &taken, |one| one.numbers.get_mut(option));
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
        use Precision::{F64, Mixed};
        match (self.subject, self.precision) {
            (Subject::Device(_) | Subject::Ablation(_), precision) => precision,
            (Subject::Cores(CpuEngine::Auto | CpuEngine::Lanes), Mixed) => Mixed,
            (Subject::Cores(_), _) => F64,
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
        let mut words = match self.subject.engine() {
            Some(engine) => vec![format!("--strategy cpu --cpu-engine {engine}")],
            None if self.subject == Subject::AUTO => Vec::new(),
            None => vec![format!("--strategy {}", self.subject.name())],
        };
        words.extend(NumericOption::ALL.into_iter().filter_map(|number| {
            let option = match (number, self.subject) {
                (NumericOption::Lanes, Subject::Cores(_)) => "cpu-lanes",
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
            (Subject::CPU, Mixed, Mixed),
            (Subject::Cores(CpuEngine::Lanes), Mixed, Mixed),
            (Subject::Cores(CpuEngine::Lanes), F32, F64),
            (Subject::Cores(CpuEngine::Plain), Mixed, F64),
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
        let (device, cores) = (Subject::Device, Subject::Cores(CpuEngine::Lanes));
        for (subject, numbers, words) in [
            (device(Strategy::Auto), &[][..], "--cpu-workers 0"),
            (
                device(Strategy::Lanes),
                &[(Degree, 128), (Lanes, 512)],
                LANES,
            ),
            (device(Strategy::Warp), &[(WarpSize, 8)], WARP),
            (Subject::CPU, &[], "--strategy cpu"),
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
