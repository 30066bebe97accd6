//! What can be set, and which values are worth a try.

use crate::app::bench::Subject;
use brandes::cpu::EngineName;
use brandes::cpu::lanes::LANES;
use brandes::device::DeviceOptions;
use brandes::strategy::{Number, Strategy, WARP_SIZES};

/// A way to search: a strategy and its numbers, each `None` for the strategy's own choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// The strategy, or CPU workers.
    pub subject: Subject,
    /// In the order of [`Number::ALL`].
    numbers: [Option<u32>; 4],
}

impl Setting {
    /// A strategy with numbers of its own choice.
    pub const fn plain(subject: Subject) -> Setting {
        Setting {
            subject,
            numbers: [None; 4],
        }
    }

    /// Whether it has numbers of the strategy's own choice only.
    pub fn is_plain(&self) -> bool {
        self.numbers == [None; 4]
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
        let [degree, lanes, warp_size, work_group] = self.numbers;
        DeviceOptions {
            degree,
            lanes,
            warp_size,
            work_group: work_group.map(|items| items as usize),
            ..*base
        }
    }

    /// As options of `brandes run`, which needs none for strategy `auto`.
    pub fn arguments(&self) -> Vec<String> {
        let mut words = match self.subject {
            Subject::Device(strategy) if strategy == Strategy::Auto => Vec::new(),
            Subject::Engine(engine) => {
                vec![format!("--strategy cpu --cpu-engine {}", engine.name())]
            }
            other => vec![format!("--strategy {}", other.name())],
        };
        words.extend(Number::ALL.into_iter().filter_map(|number| {
            let place = match (number, self.engine()) {
                (Number::Lanes, None) => "device-",
                (Number::Lanes, Some(_)) => "cpu-",
                _ => "",
            };
            Some(format!("--{place}{} {}", number.name(), self.get(number)?))
        }));
        words
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

    /// Whether a run accepts it: virtual warps have to fill a work-group.
    fn is_whole(&self) -> bool {
        let sizes = self.get(Number::WarpSize).zip(self.get(Number::WorkGroup));
        sizes.is_none_or(|(warp, group)| group.is_multiple_of(warp))
    }
}

/// The values to try for each number of each strategy.
#[derive(Debug, Clone, Default)]
pub struct Numbers {
    /// The values asked for, in the order of [`Number::ALL`]; an empty list leaves it to the table.
    pub given: [Vec<u32>; 4],
    /// Whether the device is a CPU.
    pub cpu: bool,
    /// Most work-items of a work-group.
    pub max_work_group: usize,
    /// Roots of the graph.
    pub roots: usize,
}

impl Numbers {
    /// The table: what to try for a number of a subject. Empty if the subject has no such number.
    pub fn values(&self, subject: Subject, number: Number) -> Vec<u32> {
        let given = &self.given[number as usize];
        let strategy = match subject {
            Subject::Engine(EngineName::Lanes) if number == Number::Lanes => {
                let asked = |lanes: &u32| given.is_empty() || given.contains(lanes);
                return LANES
                    .map(|lanes| lanes as u32)
                    .into_iter()
                    .filter(asked)
                    .collect();
            }
            Subject::Device(strategy) if strategy != Strategy::Auto && strategy.has(number) => {
                strategy
            }
            _ => return Vec::new(),
        };
        if !given.is_empty() {
            return given.clone();
        }
        let batches = strategy.has(Number::Lanes);
        let (usual, most): (&[u32], usize) = match number {
            Number::Degree if batches => (&[64, 128, 256, 512, 1024], usize::MAX),
            Number::Degree => (&[4, 8, 16, 32, 64, 128], usize::MAX),
            // All batches of at least as many lanes as there are roots are the same.
            Number::Lanes if self.cpu => (&[64, 128, 256, 512, 1024], 2 * self.roots),
            Number::Lanes => (&[512, 1024, 2048, 4096, 8192], 2 * self.roots),
            Number::WarpSize => (&WARP_SIZES, usize::MAX),
            // Its large kernels choose their own, and each value is another program to build.
            Number::WorkGroup if batches => (&[], 0),
            Number::WorkGroup => (&[64, 128, 256, 384, 512, 1024], self.max_work_group),
        };
        let useful = |value: &u32| *value as usize <= most;
        usual.iter().copied().filter(useful).collect()
    }

    /// Every setting that differs from `from` in one number.
    pub fn neighbours(&self, from: Setting) -> impl Iterator<Item = Setting> {
        let near = Number::ALL.into_iter().flat_map(move |number| {
            let values = self.values(from.subject, number).into_iter().map(Some);
            let own = from.get(number).map(|_| None);
            values.chain(own).map(move |value| from.with(number, value))
        });
        near.filter(move |near| *near != from && near.is_whole())
    }

    /// Every combination of the values asked for that the subject has numbers for.
    pub fn product(&self, subject: Subject) -> Vec<Setting> {
        let mut all = vec![Setting::plain(subject)];
        for number in Number::ALL {
            let values = self.values(subject, number);
            if !self.given[number as usize].is_empty() && !values.is_empty() {
                let each = |setting: &Setting| -> Vec<Setting> {
                    let values = values.iter();
                    values
                        .map(|&value| setting.with(number, Some(value)))
                        .collect()
                };
                all = all.iter().flat_map(each).collect();
            }
        }
        all.retain(Setting::is_whole);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(strategy: Strategy) -> Setting {
        Setting::plain(Subject::Device(strategy))
    }

    fn engine(engine: EngineName) -> Setting {
        Setting::plain(Subject::Engine(engine))
    }

    #[test]
    fn neighbours_differ_in_one_number_that_the_strategy_has() {
        let numbers = Numbers {
            max_work_group: 256,
            roots: 1000,
            ..Numbers::default()
        };
        let words = |from: Setting| -> Vec<String> {
            numbers.neighbours(from).map(|near| near.words()).collect()
        };
        assert_eq!(
            words(plain(Strategy::Vertex)),
            ["64", "128", "256"].map(|n| format!("vertex, work-groups of {n}"))
        );
        let near = words(plain(Strategy::Lanes).with(Number::Degree, Some(64)));
        assert!(near.contains(&"lanes".to_string()), "{near:?}");
        assert!(near.contains(&"lanes, D 64, 1024 lanes".to_string()));
        assert!(!near.iter().any(|words| words.contains("2048")));
        assert_eq!(
            words(engine(EngineName::Lanes)),
            ["8", "16", "32", "64"].map(|n| format!("cpu-lanes, {n} lanes"))
        );
        for none in [
            plain(Strategy::Auto),
            engine(EngineName::Clustered),
            Setting::plain(Subject::Cpu),
        ] {
            assert!(words(none).is_empty(), "{none:?}");
        }
    }

    #[test]
    fn products_are_of_what_was_asked_for() {
        let numbers = Numbers {
            given: [vec![8, 16], vec![], vec![8, 32], vec![16, 64]],
            ..Numbers::default()
        };
        let of = |subject| numbers.product(subject).len();
        assert_eq!(of(Subject::Cpu), 1);
        assert_eq!(of(Subject::Engine(EngineName::Lanes)), 1);
        assert_eq!(of(Subject::Device(Strategy::Auto)), 1);
        assert_eq!(of(Subject::Device(Strategy::Virtual)), 4);
        assert_eq!(of(Subject::Device(Strategy::Local)), 2);
        let warp = of(Subject::Device(Strategy::Warp));
        assert_eq!(warp, 3, "32 does not divide 16");
    }

    #[test]
    fn arguments_are_those_of_run() {
        let words = |setting: Setting| setting.arguments().join(" ");
        assert_eq!(words(plain(Strategy::Auto)), "");
        let lanes = plain(Strategy::Lanes).with(Number::Degree, Some(128));
        let lanes = lanes.with(Number::Lanes, Some(512));
        assert_eq!(
            words(lanes),
            "--strategy lanes --degree 128 --device-lanes 512"
        );
        let warp = plain(Strategy::Warp).with(Number::WarpSize, Some(8));
        assert_eq!(words(warp), "--strategy warp --warp-size 8");
        assert_eq!(words(Setting::plain(Subject::Cpu)), "--strategy cpu");
        let lanes = engine(EngineName::Lanes).with(Number::Lanes, Some(32));
        assert_eq!(
            words(lanes),
            "--strategy cpu --cpu-engine lanes --cpu-lanes 32"
        );
    }
}
