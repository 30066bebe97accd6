//! What can be set, and which numbers are worth a try.

use crate::app::bench::Subject;
use brandes::cpu::EngineName;
use brandes::cpu::lanes::LANES;
use brandes::device::{DeviceInfo, DeviceKind, DeviceOptions};
use brandes::strategy::{Number as StrategyNumber, Strategy, WARP_SIZES};

/// A number that strategies have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// D: most arcs of a virtual vertex, or of a chunk.
    Degree,
    /// Roots searched together.
    Lanes,
    /// Work-items that share a vertex.
    WarpSize,
    /// Work-items of a work-group.
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

    /// The option of `brandes run` for it, and that of `brandes tune` for values to try.
    pub fn options(self) -> (&'static str, &'static str) {
        match self {
            Number::Degree => ("--degree", "--degrees"),
            Number::Lanes => ("--lanes", "--lanes"),
            Number::WarpSize => ("--warp-size", "--warp-sizes"),
            Number::WorkGroup => ("--work-group", "--work-groups"),
        }
    }

    /// Whether it means anything to a strategy.
    pub fn is_of(self, strategy: Strategy) -> bool {
        match self {
            Number::Degree => strategy.has(StrategyNumber::Degree),
            Number::Lanes => strategy.has(StrategyNumber::Lanes),
            Number::WarpSize => strategy.has(StrategyNumber::WarpSize),
            Number::WorkGroup => true,
        }
    }
}

/// A way to search: a strategy and its numbers, each `None` for the strategy's own choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// The strategy, or CPU workers.
    pub subject: Subject,
    /// In the order of [`Number::ALL`].
    numbers: [Option<u32>; 4],
}

impl Setting {
    /// What `brandes run` does with a device when it is asked for nothing.
    pub const DEFAULT: Setting = Setting::plain(Subject::Device(Strategy::Auto));
    /// The same without a device.
    pub const CPU: Setting = Setting::plain(Subject::Cpu);

    /// A strategy with numbers of its own choice.
    pub const fn plain(subject: Subject) -> Setting {
        Setting {
            subject,
            numbers: [None; 4],
        }
    }

    /// The engine of CPU workers, where it is one for which a run has to be asked.
    pub fn engine(&self) -> Option<EngineName> {
        match self.subject {
            Subject::Engine(engine) => Some(engine),
            _ => None,
        }
    }

    /// One of its numbers.
    pub fn get(&self, number: Number) -> Option<u32> {
        self.numbers[number as usize]
    }

    /// The same with another number.
    pub fn with(mut self, number: Number, value: Option<u32>) -> Setting {
        self.numbers[number as usize] = value;
        self
    }

    /// As options of a device.
    pub fn options(&self, base: &DeviceOptions) -> DeviceOptions {
        DeviceOptions {
            degree: self.get(Number::Degree),
            lanes: self.get(Number::Lanes),
            warp_size: self.get(Number::WarpSize),
            work_group: self.get(Number::WorkGroup).map(|items| items as usize),
            ..*base
        }
    }

    /// As options of `brandes run`; empty for [`Setting::DEFAULT`].
    pub fn arguments(self) -> String {
        let mut words = match self.subject {
            Subject::Device(strategy) if strategy == Strategy::Auto => Vec::new(),
            Subject::Engine(engine) => {
                vec![format!("--strategy cpu --cpu-engine {}", engine.name())]
            }
            other => vec![format!("--strategy {}", other.name())],
        };
        for number in Number::ALL {
            let option = match self.engine() {
                Some(_) => "--cpu-lanes",
                None => number.options().0,
            };
            let value = self.get(number);
            words.extend(value.map(|value| format!("{option} {value}")));
        }
        words.join(" ")
    }

    /// As in "lanes, D 128, 512 lanes".
    pub fn words(&self) -> String {
        let [degree, lanes, warp_size, work_group] = self.numbers;
        let mut words = vec![self.subject.name().to_string()];
        words.extend(degree.map(|degree| format!("D {degree}")));
        words.extend(lanes.map(|lanes| format!("{lanes} lanes")));
        words.extend(warp_size.map(|size| format!("warps of {size}")));
        words.extend(work_group.map(|size| format!("work-groups of {size}")));
        words.join(", ")
    }

    /// Whether a run takes it: virtual warps have to fill a work-group.
    fn is_whole(&self) -> bool {
        let sizes = self.get(Number::WarpSize).zip(self.get(Number::WorkGroup));
        sizes.is_none_or(|(warp, group)| group.is_multiple_of(warp))
    }
}

/// The numbers to try, in the order of [`Number::ALL`]; an empty list where none were asked for.
#[derive(Debug, Clone, Default)]
pub struct Lists(pub [Vec<u32>; 4]);

impl Lists {
    /// What was asked for.
    pub fn given(&self, number: Number) -> &[u32] {
        &self.0[number as usize]
    }

    /// What to try for a number of a strategy: what was asked for, or what may be of use on this
    /// device for a graph of so many roots.
    fn values(&self, strategy: Strategy, number: Number, place: &Place) -> Vec<u32> {
        let given = self.given(number);
        let own: &[u32] = match (number, strategy.has(StrategyNumber::Lanes)) {
            _ if !number.is_of(strategy) => return Vec::new(),
            _ if !given.is_empty() => return given.to_vec(),
            (Number::Degree, true) => &[64, 128, 256, 512, 1024],
            (Number::Degree, _) => &[4, 8, 16, 32, 64, 128],
            (Number::Lanes, _) if place.cpu => &[64, 128, 256, 512, 1024],
            (Number::Lanes, _) => &[512, 1024, 2048, 4096, 8192],
            (Number::WarpSize, _) => &WARP_SIZES,
            // Its large kernels choose their own, and each number is another program to build.
            (Number::WorkGroup, true) => &[],
            (Number::WorkGroup, _) => &[64, 128, 256, 384, 512, 1024],
        };
        let useful = |&value: &u32| match number {
            // Batches of more lanes than there are roots are all the same.
            Number::Lanes => (value as usize) < 2 * place.roots,
            Number::WorkGroup => value as usize <= place.max_work_group,
            Number::Degree | Number::WarpSize => true,
        };
        own.iter().copied().filter(useful).collect()
    }

    /// Every setting that differs from `from` in one number.
    pub fn neighbours(&self, from: &Setting, place: &Place) -> Vec<Setting> {
        let mut all = Vec::new();
        for number in Number::ALL {
            let values: Vec<Option<u32>> = match (from.subject, number) {
                (Subject::Engine(EngineName::Lanes), Number::Lanes) => {
                    LANES.map(|lanes| Some(lanes as u32)).to_vec()
                }
                (Subject::Device(strategy), _) if strategy != Strategy::Auto => {
                    let values = self.values(strategy, number, place).into_iter();
                    values.map(Some).chain([None]).collect()
                }
                _ => continue,
            };
            let near = values.into_iter().map(|value| from.with(number, value));
            all.extend(near.filter(|near| near != from && near.is_whole()));
        }
        all
    }

    /// Every combination of what was asked for that means anything to the subject.
    pub fn product(&self, subject: Subject) -> Vec<Setting> {
        let mut all = vec![Setting::plain(subject)];
        for number in Number::ALL {
            let means = |strategy| strategy != Strategy::Auto && number.is_of(strategy);
            if !self.given(number).is_empty()
                && matches!(subject, Subject::Device(strategy) if means(strategy))
            {
                let each = |setting: Setting| {
                    let values = self.given(number).iter();
                    values.map(move |&value| setting.with(number, Some(value)))
                };
                all = all.into_iter().flat_map(each).collect();
            }
        }
        all.retain(Setting::is_whole);
        all
    }
}

/// What decides which numbers may be of use.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Whether the device is a CPU.
    pub cpu: bool,
    /// Most work-items of a work-group.
    pub max_work_group: usize,
    /// Roots of the graph.
    pub roots: usize,
}

impl Place {
    /// This device, or CPU workers, for a graph of so many roots.
    pub fn new(info: Option<&DeviceInfo>, roots: usize) -> Place {
        Place {
            cpu: info.is_none_or(|info| info.kind == DeviceKind::Cpu),
            max_work_group: info.map_or(0, |info| info.max_work_group),
            roots,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place = Place {
        cpu: false,
        max_work_group: 256,
        roots: 1000,
    };

    fn plain(strategy: Strategy) -> Setting {
        Setting::plain(Subject::Device(strategy))
    }

    #[test]
    fn neighbours_differ_in_one_number_that_the_strategy_has() {
        let lists = Lists::default();
        let words = |from: &Setting| -> Vec<String> {
            let near = lists.neighbours(from, &PLACE);
            near.iter().map(Setting::words).collect()
        };
        assert_eq!(
            words(&plain(Strategy::Vertex)),
            ["64", "128", "256"].map(|n| format!("vertex, work-groups of {n}"))
        );
        let near = words(&plain(Strategy::Lanes).with(Number::Degree, Some(64)));
        assert!(near.contains(&"lanes".to_string()), "{near:?}");
        assert!(near.contains(&"lanes, D 64, 1024 lanes".to_string()));
        assert!(!near.iter().any(|words| words.contains("2048")));
        assert!(words(&Setting::DEFAULT).is_empty());
        assert!(words(&Setting::CPU).is_empty());
        let engine = |engine| Setting::plain(Subject::Engine(engine));
        assert_eq!(
            words(&engine(EngineName::Lanes)),
            ["8", "16", "32", "64"].map(|n| format!("cpu-lanes, {n} lanes"))
        );
        assert!(words(&engine(EngineName::Clustered)).is_empty());
        assert!(words(&Setting::plain(Subject::Cpu)).is_empty());
    }

    #[test]
    fn products_are_of_what_was_asked_for() {
        let lists = Lists([vec![8, 16], vec![], vec![8, 32], vec![16, 64]]);
        assert_eq!(lists.product(Subject::Cpu).len(), 1);
        let of = |strategy| lists.product(Subject::Device(strategy)).len();
        assert_eq!(of(Strategy::Auto), 1);
        assert_eq!(of(Strategy::Virtual), 4);
        assert_eq!(of(Strategy::Local), 2);
        assert_eq!(of(Strategy::Warp), 3, "32 does not divide 16");
    }

    #[test]
    fn arguments_are_those_of_run() {
        assert!(Setting::DEFAULT.arguments().is_empty());
        let setting = plain(Strategy::Lanes)
            .with(Number::Degree, Some(128))
            .with(Number::Lanes, Some(512));
        assert_eq!(
            setting.arguments(),
            "--strategy lanes --degree 128 --lanes 512"
        );
        assert_eq!(Setting::plain(Subject::Cpu).arguments(), "--strategy cpu");
        let engine = |engine| Setting::plain(Subject::Engine(engine));
        let lanes = engine(EngineName::Lanes).with(Number::Lanes, Some(32));
        assert_eq!(
            lanes.arguments(),
            "--strategy cpu --cpu-engine lanes --cpu-lanes 32"
        );
    }
}
