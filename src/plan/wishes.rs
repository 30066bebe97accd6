//! What is asked for, and what of it makes no sense together.

use xxhash_rust::xxh3::xxh3_64;

use crate::cpu::{CpuEngine, CpuOptions};
use crate::device::{DeviceOptions, DeviceSelection, Faults};
use crate::engine::Precision;
use crate::error::Error;
use crate::prepare::{Order, PrepareOptions, Reductions, When};
use crate::runner::{CpuRequest, CpuWorkers, DeviceRequest, Probe};
use crate::strategy::{Number, Strategy, Takes};

/// What is asked for. What is left to `auto` is decided when the graph is known.
///
/// Messages of contradictions name settings in backticks, as on the command line but without the
/// dashes in front.
#[derive(Debug, Clone)]
pub struct Wishes {
    /// The devices to drive.
    pub devices: DeviceSelection,
    /// How devices search.
    pub strategy: Strategy,
    /// How kernels are built and launched. Whether there are weights and scores of edges, and
    /// whether they are reproducible, is filled in when the search is started.
    pub device: DeviceOptions,
    /// How many CPU workers there are, and how they search. Whether that is reproducible is filled
    /// in.
    pub cpu: CpuRequest,
    /// What becomes of the graph before it is searched, and which scores are wanted. Whether
    /// devices take part is filled in.
    pub prepare: PrepareOptions,
    /// Whether scores have the same bits in every run with these wishes.
    pub reproducible: bool,
    /// The out-of-process probe of devices that are the host CPU, whose drivers may crash.
    pub probe: Option<Probe>,
}

impl Default for Wishes {
    fn default() -> Self {
        Wishes {
            devices: DeviceSelection::Auto,
            strategy: Strategy::Auto,
            device: DeviceOptions {
                cache: true,
                ..DeviceOptions::default()
            },
            cpu: CpuRequest::default(),
            prepare: PrepareOptions {
                reduce: Reductions::default(),
                ..PrepareOptions::default()
            },
            reproducible: false,
            probe: None,
        }
    }
}

/// A setting that shapes the engines of devices, and of no others.
pub struct EngineSetting {
    /// Its name.
    pub name: &'static str,
    /// Whether it is given.
    pub given: bool,
    /// The number of a strategy that it sets; `None` if every strategy uses it.
    number: Option<Number>,
}

impl EngineSetting {
    /// Whether a strategy uses it.
    pub fn is_for(&self, strategy: Strategy) -> bool {
        self.number.is_none_or(|number| strategy.has(number))
    }
}

/// A rule about options: if it is `broken`, they contradict each other, and `text` says how.
struct Rule {
    broken: bool,
    text: String,
}

fn rule(broken: bool, text: impl Into<String>) -> Rule {
    let text = text.into();
    Rule { broken, text }
}

impl Wishes {
    /// Refuses what contradicts itself for graphs of this kind.
    ///
    /// # Errors
    /// [`Error::Settings`].
    pub fn check(&self, directed: bool, weighted: bool) -> Result<(), Error> {
        // Strategies come late: what their messages advise must not break a rule before.
        let mut rules = match self.devices {
            DeviceSelection::None => self.rules_without_devices(),
            _ => Vec::new(),
        };
        rules.extend(self.reduction_rules(directed, weighted));
        rules.extend(self.strategy_rules(weighted));
        rules.extend(self.cpu_rules());
        match rules.into_iter().find(|rule| rule.broken) {
            Some(rule) => Err(Error::Settings(rule.text)),
            None => Ok(()),
        }
    }

    /// What drivers are asked for.
    pub(crate) fn request(&self, weighted: bool) -> DeviceRequest {
        DeviceRequest {
            selection: self.devices.clone(),
            options: DeviceOptions {
                weighted,
                count_edges: self.prepare.edges,
                reproducible: self.reproducible,
                ..self.device
            },
            strategy: self.strategy,
            asked: self.insists(),
            workers: self.cpu.workers,
            local: None,
            probe: self.probe,
        }
    }

    /// What is asked of CPU workers.
    pub(crate) fn cpu_request(&self) -> CpuRequest {
        let mut request = self.cpu;
        request.options.reproducible = self.reproducible;
        request.options.mixed = self.device.precision == Precision::Mixed;
        request
    }

    /// Returns a hash of what the bits of sums depend on besides the graph. A new option is part of
    /// it unless it is named here as one without influence.
    pub(crate) fn fingerprint(&self) -> u64 {
        let device = DeviceOptions {
            cache: false,
            timeout: None,
            verify: 0,
            profile: false,
            faults: Faults::default(),
            ..self.device
        };
        let cpu = CpuOptions {
            fails_at: None,
            ..self.cpu.options
        };
        let all = (&self.devices, self.strategy, device, cpu);
        xxh3_64(format!("{all:?}").as_bytes())
    }

    /// Whether a device is asked for, so that having none is worth a warning.
    pub fn insists(&self) -> bool {
        let named = !matches!(self.devices, DeviceSelection::Auto | DeviceSelection::None);
        named || self.strategy != Strategy::Auto || self.device.profile
    }

    /// Whether sweeps over a hierarchy are asked for.
    pub fn searches_hierarchy(&self) -> bool {
        self.strategy == Strategy::Hierarchy || self.cpu.options.engine == CpuEngine::Hierarchy
    }

    /// Whether twins may be merged: only if all that may take roots can search them.
    pub fn twins(&self) -> When {
        let sweeps = self.cpu.options.engine == CpuEngine::Hierarchy;
        match self.strategy.takes().twins && !sweeps {
            true => self.prepare.reduce.twins,
            false => When::Never,
        }
    }

    /// Whether sources inside chains may be served: only if all that may take roots can do so,
    /// which is decided before it is known whether there is a device.
    pub fn contraction(&self) -> When {
        // Scores at the ends of chains are differences, which narrow numbers leave too few digits.
        let has_digits =
            self.devices == DeviceSelection::None || self.device.precision == Precision::F64;
        match self.prepare.reduce.chains {
            _ if !self.cores_serve_chains() || !self.strategy.takes().contracted => When::Never,
            When::Auto if !has_digits => When::Never,
            // Where a hierarchy is asked for, its searches serve what they can.
            When::Auto if self.searches_hierarchy() => When::Always,
            asked => asked,
        }
    }

    fn cores_serve_chains(&self) -> bool {
        matches!(
            self.cpu.options.engine,
            CpuEngine::Auto | CpuEngine::Hierarchy
        )
    }

    /// Settings that shape the engines of devices.
    pub fn engine_settings(&self) -> [EngineSetting; 5] {
        let device = &self.device;
        let narrow = device.precision == Precision::F32;
        [
            ("degree", device.degree.is_some(), Some(Number::Degree)),
            ("device-lanes", device.lanes.is_some(), Some(Number::Lanes)),
            (
                "warp-size",
                device.warp_size.is_some(),
                Some(Number::WarpSize),
            ),
            ("work-group", device.work_group.is_some(), None),
            ("precision", narrow, None),
        ]
        .map(|(name, given, number)| EngineSetting {
            name,
            given,
            number,
        })
    }

    /// Rules about what the strategy can search, and which numbers it has.
    fn strategy_rules(&self, weighted: bool) -> Vec<Rule> {
        let (strategy, reduce) = (self.strategy, self.prepare.reduce);
        let name = strategy.name();
        let mut rules = Vec::new();
        for setting in self.engine_settings() {
            let Some(number) = setting.number else {
                continue;
            };
            let ignored = self.devices != DeviceSelection::None && !setting.is_for(strategy);
            let text = format!(
                "`strategy {name}` does not use `{}`; it is for {}",
                setting.name,
                number.strategies()
            );
            rules.push(rule(setting.given && ignored, text));
        }
        let (size, group) = (self.device.warp_size, self.device.work_group);
        let (size, group) = (size.unwrap_or(1), group.unwrap_or(0));
        let text = format!("`warp-size {size}` does not divide `work-group {group}`");
        rules.push(rule(!group.is_multiple_of(size as usize), text));
        // Devices leave a directed graph that they cannot search to CPU workers.
        let lacking = strategy.takes().lacks(Takes {
            lengths: weighted,
            edges: self.prepare.edges,
            contracted: reduce.chains == When::Always,
            twins: reduce.twins == When::Always,
            ..Takes::default()
        });
        rules.extend(lacking.map(|what| rule(true, format!("`strategy {name}` {what}"))));
        rules
    }

    /// Rules about what needs a device, where none may be driven.
    fn rules_without_devices(&self) -> Vec<Rule> {
        let device = &self.device;
        let lanes = matches!(self.cpu.options.engine, CpuEngine::Auto | CpuEngine::Lanes);
        let mixed = device.precision == Precision::Mixed;
        let mut rules = vec![
            rule(
                self.strategy != Strategy::Auto,
                "this `strategy` needs a device; remove `device none`",
            ),
            rule(
                self.cpu.workers == CpuWorkers::Count(0),
                "`cpu-workers 0` without a device leaves no worker to search",
            ),
            rule(
                mixed && !lanes,
                "on cores `precision mixed` needs `cpu-engine lanes`; leave one of the two out",
            ),
        ];
        let settings = self.engine_settings();
        let settings = settings.map(|setting| (setting.name, setting.given));
        let others = [
            ("kernel-times", device.profile),
            ("verify", device.verify > 0),
            ("device-timeout", device.timeout.is_some()),
        ];
        rules.extend(settings.into_iter().chain(others).map(|(name, given)| {
            let text = "is for devices, and no device may search; leave it out";
            rule(given, format!("`{name}` {text}"))
        }));
        rules
    }

    /// Rules about CPU workers.
    fn cpu_rules(&self) -> [Rule; 4] {
        let CpuRequest { workers, options } = self.cpu;
        let (engine, lanes) = (options.engine, options.lanes.is_some());
        let none = workers == CpuWorkers::Count(0);
        let cores = self.devices == DeviceSelection::None;
        [
            rule(
                lanes && !matches!(engine, CpuEngine::Auto | CpuEngine::Lanes),
                "`cpu-lanes` is for `cpu-engine auto` and lanes; leave one of the two options out",
            ),
            rule(
                none && (lanes || engine != CpuEngine::Auto),
                "`cpu-engine` and `cpu-lanes` are for CPU workers, and `cpu-workers 0` leaves \
                 none; leave one of the two out",
            ),
            rule(
                options.simd.is_some_and(|simd| !simd.is_available()),
                "this machine does not have the instructions of `cpu-simd`",
            ),
            // Cores and devices round otherwise, and which of them searches what depends on their
            // speed.
            rule(
                self.reproducible && !cores && !none,
                "`reproducible` is for cores alone or equal devices alone; add `device none`, or \
                 name a `device` and add `cpu-workers 0`",
            ),
        ]
    }

    /// Rules about reductions of the graph.
    fn reduction_rules(&self, directed: bool, weighted: bool) -> Vec<Rule> {
        let PrepareOptions { reduce, order, .. } = self.prepare;
        let twins = reduce.twins == When::Always;
        let chains = reduce.chains == When::Always;
        let named = reduce.named().into_iter();
        let mut rules = Vec::from_iter(named.map(|(name, when)| {
            let text = "is for undirected graphs; leave `directed` or it out";
            let broken = directed && when == When::Always;
            rule(broken, format!("`reduce {name}` {text}"))
        }));
        for (what, given) in [("weighted", weighted), ("edges", self.prepare.edges)] {
            let text = "does not go with `reduce twins`; leave one of them out";
            rules.push(rule(twins && given, format!("`{what}` {text}")));
        }
        rules.extend([
            rule(
                reduce.blocks == When::Always && order == Order::None,
                "`reduce blocks` numbers vertices block by block, and `order none` keeps their \
                 numbers; leave one of the two out",
            ),
            rule(
                twins && chains,
                "`reduce twins` and `reduce chains` cannot be combined; leave one of them out",
            ),
            rule(
                twins && self.cpu.options.engine == CpuEngine::Hierarchy,
                "`cpu-engine hierarchy` cannot search merged twins; leave `reduce twins` or it out",
            ),
            rule(
                chains && !self.cores_serve_chains(),
                "`reduce chains` needs `cpu-engine hierarchy` or auto: others do not serve sources \
                 inside chains",
            ),
        ]);
        rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::lanes::Simd;
    use crate::device::Step;

    #[test]
    fn narrow_numbers_serve_chains_only_where_that_is_asked_for() {
        let contraction = |precision, chains| {
            let mut wishes = Wishes::default();
            wishes.device.precision = precision;
            wishes.prepare.reduce.chains = chains;
            wishes.contraction()
        };
        assert_eq!(contraction(Precision::F64, When::Auto), When::Auto);
        for narrow in [Precision::Mixed, Precision::F32] {
            assert_eq!(contraction(narrow, When::Auto), When::Never);
            assert_eq!(contraction(narrow, When::Always), When::Always);
        }
    }

    #[test]
    fn fingerprints_are_of_values_that_matter() {
        let print = |change: &dyn Fn(&mut Wishes)| {
            let mut wishes = Wishes::default();
            change(&mut wishes);
            wishes.fingerprint()
        };
        let default = print(&|_| {});
        // Checkpoints of reproducible runs store this hash; a change of it invalidates them.
        assert_eq!(default, 0xa7a9_d06b_68c4_b1b2);
        let names = |names: &[&str]| {
            DeviceSelection::Named(names.iter().map(|name| name.to_string()).collect())
        };
        let changes: &[&dyn Fn(&mut Wishes)] = &[
            &|wishes| wishes.devices = DeviceSelection::All,
            &|wishes| wishes.devices = DeviceSelection::None,
            &|wishes| wishes.devices = names(&[]),
            &|wishes| wishes.devices = names(&["a", "b"]),
            &|wishes| wishes.devices = names(&["a\", \"b"]),
            &|wishes| wishes.strategy = Strategy::Warp,
            &|wishes| wishes.device.precision = Precision::Mixed,
            &|wishes| wishes.device.work_group = Some(64),
            &|wishes| wishes.device.degree = Some(64),
            &|wishes| wishes.device.lanes = Some(64),
            &|wishes| wishes.device.warp_size = Some(64),
            &|wishes| wishes.device.wide = Some(0),
            &|wishes| wishes.device.wide = Some(64),
            &|wishes| wishes.device.exact_access = true,
            &|wishes| wishes.cpu.options.engine = CpuEngine::Plain,
            &|wishes| wishes.cpu.options.lanes = Some(64),
            &|wishes| wishes.cpu.options.simd = Some(Simd::Portable),
        ];
        let mut all: Vec<u64> = changes.iter().map(|change| print(change)).collect();
        all.push(default);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), changes.len() + 1);

        let without_influence: &[&dyn Fn(&mut Wishes)] = &[
            &|wishes| wishes.device.cache = false,
            &|wishes| wishes.device.timeout = Some(3),
            &|wishes| wishes.device.verify = 3,
            &|wishes| wishes.device.profile = true,
            &|wishes| wishes.device.faults = Faults(Some(Step::Build)),
            &|wishes| wishes.cpu.options.fails_at = Some(3),
            &|wishes| wishes.cpu.workers = CpuWorkers::Count(3),
        ];
        for (number, change) in without_influence.iter().enumerate() {
            assert_eq!(print(change), default, "{number}");
        }
    }
}
