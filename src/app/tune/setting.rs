//! What can be set, and which numbers are worth a try.

use crate::app::bench::Subject;
use brandes::cpu::EngineName;
use brandes::cpu::lanes::LANES;
use brandes::device::{DeviceInfo, DeviceKind, DeviceOptions};
use brandes::strategy::{Number, Strategy, WARP_SIZES};

/// A number that a strategy has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Knob {
    /// D: most arcs of a virtual vertex, or of a chunk.
    Degree,
    /// Roots searched together.
    Lanes,
    /// Work-items that share a vertex.
    WarpSize,
    /// Work-items of a work-group.
    WorkGroup,
}

impl Knob {
    /// All of them.
    pub const ALL: [Knob; 4] = [Knob::Degree, Knob::Lanes, Knob::WarpSize, Knob::WorkGroup];

    /// The option of `brandes run` for it.
    pub fn option(self) -> &'static str {
        match self {
            Knob::Degree => "--degree",
            Knob::Lanes => "--lanes",
            Knob::WarpSize => "--warp-size",
            Knob::WorkGroup => "--work-group",
        }
    }

    /// The option of `brandes tune` for values to try.
    pub fn list_option(self) -> &'static str {
        match self {
            Knob::Degree => "--degrees",
            Knob::Lanes => "--lanes",
            Knob::WarpSize => "--warp-sizes",
            Knob::WorkGroup => "--work-groups",
        }
    }

    /// Whether it means anything to a strategy.
    pub fn is_of(self, strategy: Strategy) -> bool {
        match self {
            Knob::Degree => strategy.has(Number::Degree),
            Knob::Lanes => strategy.has(Number::Lanes),
            Knob::WarpSize => strategy.has(Number::WarpSize),
            Knob::WorkGroup => true,
        }
    }
}

/// A way to search: a strategy and its numbers, each `None` for the strategy's own choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// The strategy, or CPU workers.
    pub subject: Subject,
    /// `--degree`.
    pub degree: Option<u32>,
    /// `--lanes`.
    pub lanes: Option<u32>,
    /// `--warp-size`.
    pub warp_size: Option<u32>,
    /// `--work-group`.
    pub work_group: Option<u32>,
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
            degree: None,
            lanes: None,
            warp_size: None,
            work_group: None,
        }
    }

    /// The strategy on the device.
    pub fn strategy(&self) -> Option<Strategy> {
        match self.subject {
            Subject::Device(strategy) => Some(strategy),
            Subject::Cpu | Subject::Engine(_) | Subject::Ablation(_) => None,
        }
    }

    /// The engine of CPU workers, where it is one for which a run has to be asked.
    pub fn engine(&self) -> Option<EngineName> {
        match self.subject {
            Subject::Engine(engine) => Some(engine),
            Subject::Cpu | Subject::Device(_) | Subject::Ablation(_) => None,
        }
    }

    /// One of its numbers.
    pub fn get(&self, knob: Knob) -> Option<u32> {
        match knob {
            Knob::Degree => self.degree,
            Knob::Lanes => self.lanes,
            Knob::WarpSize => self.warp_size,
            Knob::WorkGroup => self.work_group,
        }
    }

    /// The same with another number.
    pub fn with(mut self, knob: Knob, value: Option<u32>) -> Setting {
        match knob {
            Knob::Degree => self.degree = value,
            Knob::Lanes => self.lanes = value,
            Knob::WarpSize => self.warp_size = value,
            Knob::WorkGroup => self.work_group = value,
        }
        self
    }

    /// As options of a device.
    pub fn options(&self, base: &DeviceOptions) -> DeviceOptions {
        DeviceOptions {
            degree: self.degree,
            lanes: self.lanes,
            warp_size: self.warp_size,
            work_group: self.work_group.map(|items| items as usize),
            ..*base
        }
    }

    /// As options of `brandes run`; none for [`Setting::DEFAULT`].
    pub fn arguments(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        if let Some(engine) = self.engine() {
            arguments.extend(["--strategy", "cpu"].map(String::from));
            match engine {
                EngineName::Chains => arguments.extend(["--chains", "always"].map(String::from)),
                _ => arguments.extend(["--cpu-engine".to_string(), engine.name().to_string()]),
            }
            let lanes = self
                .lanes
                .map(|lanes| ["--cpu-lanes".into(), lanes.to_string()]);
            arguments.extend(lanes.into_iter().flatten());
            return arguments;
        }
        if self.subject != Setting::DEFAULT.subject {
            arguments.extend(["--strategy".to_string(), self.subject.name().to_string()]);
        }
        for knob in Knob::ALL {
            if let Some(value) = self.get(knob) {
                arguments.extend([knob.option().to_string(), value.to_string()]);
            }
        }
        arguments
    }

    /// As in "lanes, D 128, 512 lanes".
    pub fn words(&self) -> String {
        let mut words = vec![self.subject.name().to_string()];
        words.extend(self.degree.map(|degree| format!("D {degree}")));
        words.extend(self.lanes.map(|lanes| format!("{lanes} lanes")));
        words.extend(self.warp_size.map(|size| format!("warps of {size}")));
        words.extend(self.work_group.map(|size| format!("work-groups of {size}")));
        words.join(", ")
    }

    /// Whether a run takes it: virtual warps have to fill a work-group.
    fn is_whole(&self) -> bool {
        match (self.warp_size, self.work_group) {
            (Some(size), Some(group)) => group.is_multiple_of(size),
            _ => true,
        }
    }
}

/// The numbers to try; an empty list where nobody asked for any.
#[derive(Debug, Clone, Default)]
pub struct Lists {
    /// `--degrees`.
    pub degrees: Vec<u32>,
    /// `--lanes`.
    pub lanes: Vec<u32>,
    /// `--warp-sizes`.
    pub warp_sizes: Vec<u32>,
    /// `--work-groups`.
    pub work_groups: Vec<u32>,
}

impl Lists {
    /// What was asked for.
    pub fn given(&self, knob: Knob) -> &[u32] {
        match knob {
            Knob::Degree => &self.degrees,
            Knob::Lanes => &self.lanes,
            Knob::WarpSize => &self.warp_sizes,
            Knob::WorkGroup => &self.work_groups,
        }
    }

    /// What to try for a knob of a strategy: what was asked for, or what may be of use on this
    /// device for a graph of so many roots.
    fn values(&self, strategy: Strategy, knob: Knob, place: &Place) -> Vec<u32> {
        if !knob.is_of(strategy) {
            return Vec::new();
        }
        let given = self.given(knob);
        if !given.is_empty() {
            return given.to_vec();
        }
        let own: &[u32] = match (knob, strategy.has(Number::Lanes)) {
            (Knob::Degree, true) => &[64, 128, 256, 512, 1024],
            (Knob::Degree, _) => &[4, 8, 16, 32, 64, 128],
            (Knob::Lanes, _) if place.cpu => &[64, 128, 256, 512, 1024],
            (Knob::Lanes, _) => &[512, 1024, 2048, 4096, 8192],
            (Knob::WarpSize, _) => &WARP_SIZES,
            // Its large kernels choose their own, and each number is another program to build.
            (Knob::WorkGroup, true) => &[],
            (Knob::WorkGroup, _) => &[64, 128, 256, 384, 512, 1024],
        };
        let useful = |&value: &u32| match knob {
            // Batches of more lanes than there are roots are all the same.
            Knob::Lanes => (value as usize) < 2 * place.roots,
            Knob::WorkGroup => value as usize <= place.max_work_group,
            Knob::Degree | Knob::WarpSize => true,
        };
        own.iter().copied().filter(useful).collect()
    }

    /// Every setting that differs from `from` in one number.
    pub fn neighbours(&self, from: &Setting, place: &Place) -> Vec<Setting> {
        if from.engine() == Some(EngineName::Lanes) {
            let lanes = LANES.map(|lanes| from.with(Knob::Lanes, Some(lanes as u32)));
            return lanes.into_iter().filter(|near| near != from).collect();
        }
        let Some(strategy) = from.strategy().filter(|&s| s != Strategy::Auto) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for knob in Knob::ALL {
            let values = self.values(strategy, knob, place);
            for value in values.into_iter().map(Some).chain([None]) {
                let near = from.with(knob, value);
                if near != *from && near.is_whole() && !all.contains(&near) {
                    all.push(near);
                }
            }
        }
        all
    }

    /// Every combination of what was asked for that means anything to the subject.
    pub fn product(&self, subject: Subject) -> Vec<Setting> {
        let mut all = vec![Setting::plain(subject)];
        let strategy = all[0].strategy().filter(|&s| s != Strategy::Auto);
        for knob in Knob::ALL {
            let values = self.given(knob);
            if values.is_empty() || !strategy.is_some_and(|strategy| knob.is_of(strategy)) {
                continue;
            }
            let mut more = Vec::new();
            for setting in &all {
                more.extend(values.iter().map(|&value| setting.with(knob, Some(value))));
            }
            all = more;
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
        let near = words(&plain(Strategy::Lanes).with(Knob::Degree, Some(64)));
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
        let lists = Lists {
            degrees: vec![8, 16],
            warp_sizes: vec![8, 32],
            work_groups: vec![16, 64],
            ..Lists::default()
        };
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
            .with(Knob::Degree, Some(128))
            .with(Knob::Lanes, Some(512));
        assert_eq!(
            setting.arguments().join(" "),
            "--strategy lanes --degree 128 --lanes 512"
        );
        assert_eq!(
            Setting::plain(Subject::Cpu).arguments().join(" "),
            "--strategy cpu"
        );
        let engine = |engine| Setting::plain(Subject::Engine(engine));
        let lanes = engine(EngineName::Lanes).with(Knob::Lanes, Some(32));
        assert_eq!(
            lanes.arguments().join(" "),
            "--strategy cpu --cpu-engine lanes --cpu-lanes 32"
        );
        assert_eq!(
            engine(EngineName::Chains).arguments().join(" "),
            "--strategy cpu --chains always"
        );
    }
}
