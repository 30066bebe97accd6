//! The options of a search, and the validation of their combinations.

use xxhash_rust::xxh3::xxh3_64;

use crate::cpu::CpuEngine;
use crate::device::{DeviceOptions, DeviceSelection};
use crate::engine::Precision;
use crate::error::{Error, refuse_given, refuse_if};
use crate::prepare::{Order, PrepareOptions, Reductions, RootSelection, When};
use crate::query::{Drawn, Estimate, Feature, Measure, Query};
use crate::runner::{CpuRequest, CpuWorkers, DeviceRequest, Probe};
use crate::strategy::Strategy;

/// The options of a search. Options that are `auto` are decided when the graph is known.
///
/// Messages name options in backticks, as on the command line but without the dashes in front.
#[derive(Debug, Clone)]
pub struct SearchOptions {
    /// The devices to drive.
    pub devices: DeviceSelection,
    /// The strategy of devices.
    pub strategy: Strategy,
    /// How kernels are built and launched. The start of the search fills in whether there are
    /// weights, scores of edges and a query, and whether scores are reproducible.
    pub device: DeviceOptions,
    /// How many CPU workers there are, and how they search. The start of the search fills in
    /// whether scores are reproducible and whether the precision is mixed.
    pub cpu: CpuRequest,
    /// How the graph is reduced and ordered before it is searched, and which scores are computed.
    pub prepare: PrepareOptions,
    /// The measures, and the pairs that count.
    pub query: Query,
    /// The options of an estimate; `None` for exact scores.
    pub estimate: Option<Estimate>,
    /// Whether scores have the same bits in every run with these options.
    pub reproducible: bool,
    /// The out-of-process probe of devices that are the host CPU, whose drivers may crash.
    pub probe: Option<Probe>,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions {
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
            query: Query::default(),
            estimate: None,
            reproducible: false,
            probe: None,
        }
    }
}

impl SearchOptions {
    /// Checks that options do not contradict each other for graphs of this kind.
    ///
    /// # Errors
    /// [`Error::Settings`] if they do.
    pub fn check(&self, directed: bool, weighted: bool) -> Result<(), Error> {
        // Strategies are checked late, when the options that their messages suggest have passed.
        self.check_devices()?;
        self.check_query()?;
        self.check_estimate(weighted)?;
        self.check_reductions(directed, weighted)?;
        self.check_strategy(directed, weighted)?;
        self.check_cpu(weighted)
    }

    /// Returns the options of drivers.
    pub(crate) fn request(&self, weighted: bool) -> DeviceRequest {
        DeviceRequest {
            selection: match Strategy::some_covers(&self.features(false, weighted)) {
                true => self.devices.clone(),
                false => DeviceSelection::None,
            },
            options: DeviceOptions {
                weighted,
                count_edges: self.prepare.edges,
                query: !self.query.is_plain() || self.estimate.is_some(),
                reproducible: self.reproducible,
                // Intervals allow for no roundings to 32 bits.
                no_fallback: self.device.no_fallback || self.estimate.is_some(),
                ..self.device
            },
            strategy: self.strategy,
            is_explicit: self.asks_for_device(),
            workers: self.cpu.workers,
            local: None,
            probe: self.probe,
        }
    }

    /// Returns the features that searches of graphs of this kind need.
    fn features(&self, directed: bool, weighted: bool) -> Vec<Feature> {
        let reduce = self.prepare.reduce;
        let others = [
            (Feature::Directed, directed),
            (Feature::Lengths, weighted),
            (Feature::Edges, self.prepare.edges),
            (Feature::Chains, reduce.chains == When::Always),
            (Feature::Twins, reduce.twins == When::Always),
            (Feature::Squares, self.estimate.is_some()),
        ];
        Feature::needed(&self.query, others)
    }

    /// Returns the options of CPU workers.
    pub(crate) fn cpu_request(&self) -> CpuRequest {
        let mut request = self.cpu;
        request.options.reproducible = self.reproducible;
        request.options.mixed = self.device.precision == Precision::Mixed;
        request
    }

    /// Returns a hash of all options that the bits of sums depend on. It includes new fields of
    /// [`DeviceOptions`] unless they are set to constants here.
    pub(crate) fn fingerprint(&self) -> u64 {
        let device = DeviceOptions {
            cache: false,
            timeout: None,
            verify: 0,
            profile: false,
            no_fallback: false,
            ..self.device
        };
        let all = (&self.devices, self.strategy, device, self.cpu.options);
        xxh3_64(format!("{all:?}").as_bytes())
    }

    /// Returns whether the options ask for a device, so that its absence deserves a warning.
    pub fn asks_for_device(&self) -> bool {
        self.names_devices() || self.strategy != Strategy::Auto || self.device.profile
    }

    fn names_devices(&self) -> bool {
        !matches!(self.devices, DeviceSelection::Auto | DeviceSelection::None)
    }

    /// Returns whether the options ask for sweeps over a contraction hierarchy.
    pub fn searches_hierarchy(&self) -> bool {
        self.strategy == Strategy::Hierarchy || self.cpu.options.engine == CpuEngine::Hierarchy
    }

    /// Returns when twins are merged: only if every engine that may search supports them.
    pub fn twins(&self) -> When {
        let is_hierarchy = self.cpu.options.engine == CpuEngine::Hierarchy;
        match self.strategy.covers(&[Feature::Twins]) && !is_hierarchy {
            true => self.prepare.reduce.twins,
            false => When::Never,
        }
    }

    /// Returns when searches serve sources inside chains: only if every engine that may search
    /// supports that. Whether there is a device is not known yet.
    pub fn contraction(&self) -> When {
        // Scores at the ends of chains are differences, which lose digits in narrow numbers.
        let is_precise =
            self.devices == DeviceSelection::None || self.device.precision == Precision::F64;
        let engine = self.cpu.options.engine.named();
        let lacks = engine.is_some_and(|engine| engine.lacks().contains(&Feature::Chains));
        match self.prepare.reduce.chains {
            _ if lacks || !self.strategy.covers(&[Feature::Chains]) => When::Never,
            When::Auto if !is_precise => When::Never,
            // The hierarchy is built in any case, so serving chains costs no more.
            When::Auto if self.searches_hierarchy() => When::Always,
            when => when,
        }
    }

    /// Checks that no option needs a device if `devices` allows none.
    fn check_devices(&self) -> Result<(), Error> {
        if self.devices != DeviceSelection::None {
            return Ok(());
        }
        let device = &self.device;
        let text = "this `strategy` needs a device; remove `device none`";
        refuse_if(self.strategy != Strategy::Auto, text)?;
        let text = "`cpu-workers 0` without a device leaves no worker to search";
        refuse_if(self.cpu.workers == CpuWorkers::Count(0), text)?;
        let lanes = matches!(self.cpu.options.engine, CpuEngine::Auto | CpuEngine::Lanes);
        refuse_if(
            device.precision == Precision::Mixed && !lanes,
            "on cores `precision mixed` is for `cpu-engine auto` and lanes; leave `precision` or \
             `cpu-engine` out",
        )?;
        let numbers = device.numbers.given().map(|number| (number.name(), true));
        let others = [
            ("precision f32", device.precision == Precision::F32),
            ("kernel-times", device.profile),
            ("verify", device.verify > 0),
            ("device-timeout", device.timeout.is_some()),
        ];
        refuse_given(
            numbers.chain(others),
            "is for devices, and no device may search; leave it out",
        )
    }

    /// Checks the query and its combination with other options.
    fn check_query(&self) -> Result<(), Error> {
        let query = &self.query;
        query.check()?;
        if query.is_plain() {
            return Ok(());
        }
        let given = query.given().join("` and `");
        let text = format!("does not go with `{given}`; leave one of them out");
        let splits = query.is_reducible() && self.prepare.reduce.blocks == When::Always;
        let required = self.required_reductions();
        let refused = required.filter(|(name, _)| match &**name {
            // Blocks include trees.
            "reduce fold" => !splits,
            "reduce blocks" | "reduce reverse" => !query.is_reducible(),
            _ => true,
        });
        refuse_given(refused, &text)?;
        let is_partial = self.prepare.roots != RootSelection::All;
        refuse_if(
            is_partial && query.measures.contains(&Measure::Closeness),
            "`measures closeness` needs all sources, and `roots` selects a part of them; leave \
             `roots` out, or name the sources in a file with `sources`",
        )?;
        let random = matches!(self.prepare.roots, RootSelection::Random { .. });
        let given = [("endpoints", self.prepare.endpoints), ("rescale", random)];
        refuse_given(given, &text)?;
        refuse_if(
            self.prepare.edges && !query.measures.iter().any(|one| one.counts_paths()),
            "edges have betweenness and stress only; add one of them to `measures`",
        )?;
        let needed = Feature::needed(query, []);
        let no_workers = self.cpu.workers == CpuWorkers::Count(0);
        let measure = match query.demand {
            Some(_) => "`demand`",
            None => "`measures eccentricity`",
        };
        let out = "`device`, `strategy` and `cpu-workers 0`";
        let needs_device = self.names_devices() || no_workers || self.strategy != Strategy::Auto;
        refuse_if(
            needs_device && !Strategy::some_covers(&needed),
            format_args!("no strategy for devices computes {measure}; leave {out} out"),
        )
    }

    /// Checks the options of an estimate and their combination with others.
    fn check_estimate(&self, weighted: bool) -> Result<(), Error> {
        let Some(estimate) = &self.estimate else {
            return Ok(());
        };
        estimate.check()?;
        let query = self.query.given().into_iter().map(|name| (name, true));
        let others = query.chain([
            ("endpoints", self.prepare.endpoints),
            ("edges", self.prepare.edges),
            ("roots", self.prepare.roots != RootSelection::All),
            ("reproducible", self.reproducible),
            ("precision", self.device.precision != Precision::F64),
        ]);
        let text = "does not go with estimates; leave it out";
        refuse_given(others, text)?;
        let reduced = self.required_reductions();
        refuse_given(reduced.filter(|(name, _)| name != "reduce fold"), text)?;
        if estimate.draws != Some(Drawn::Paths) {
            return Ok(());
        }
        let text = "`draws paths` does not support lengths; leave it out";
        refuse_if(weighted, text)?;
        let others = [
            ("device", self.names_devices()),
            ("strategy", self.strategy != Strategy::Auto),
            ("cpu-engine", self.cpu.options.engine.named().is_some()),
            ("cpu-workers 0", self.cpu.workers == CpuWorkers::Count(0)),
        ];
        refuse_given(others, "does not go with `draws paths`; leave one out")
    }

    /// Returns the names of all reductions, and whether the user requires them.
    fn required_reductions(&self) -> impl Iterator<Item = (String, bool)> + use<> {
        let reductions = self.prepare.reduce.named().into_iter();
        reductions.map(|(name, when)| (format!("reduce {name}"), when == When::Always))
    }

    /// Checks that the strategy and the CPU engine support the search, and that the strategy uses
    /// the given numeric options.
    fn check_strategy(&self, directed: bool, weighted: bool) -> Result<(), Error> {
        let (strategy, name) = (self.strategy, self.strategy.name());
        let mut numbers = self.device.numbers.given();
        let unused = numbers.find(|&number| !strategy.has(number));
        if let Some(unused) = unused.filter(|_| self.devices != DeviceSelection::None) {
            let (option, users) = (unused.name(), unused.strategies());
            let text = format!("does not use `{option}`; it is for {users}");
            return refuse_given([(format!("strategy {name}"), true)], text);
        }
        let size = self.device.numbers.warp_size.unwrap_or(1);
        let group = self.device.numbers.work_group.unwrap_or(0);
        refuse_if(
            !group.is_multiple_of(size),
            format_args!("`warp-size {size}` does not divide `work-group {group}`"),
        )?;
        let needed = self.features(directed, weighted);
        if let Some(reason) = strategy.lacks(&needed) {
            return refuse_given([(format!("strategy {name}"), true)], reason);
        }
        let Some(engine) = self.cpu.options.engine.named() else {
            return Ok(());
        };
        let mut lacking = needed.iter().filter(|one| engine.lacks().contains(one));
        let engine = format!("cpu-engine {engine}");
        lacking.next().map_or(Ok(()), |feature| {
            let text = format!("{}; leave `cpu-engine` out", feature.refusal());
            refuse_given([(engine, true)], text)
        })
    }

    /// Checks the options of CPU workers.
    fn check_cpu(&self, weighted: bool) -> Result<(), Error> {
        let CpuRequest { workers, options } = self.cpu;
        let (engine, has_lanes) = (options.engine, options.lanes.is_some());
        let no_workers = workers == CpuWorkers::Count(0);
        refuse_if(
            has_lanes && !matches!(engine, CpuEngine::Auto | CpuEngine::Lanes),
            "`cpu-lanes` is for `cpu-engine auto` and lanes; leave one of the two options out",
        )?;
        let text = "`cpu-lanes` is for graphs without weights; leave it out";
        refuse_if(weighted && has_lanes, text)?;
        refuse_if(
            no_workers && (has_lanes || engine != CpuEngine::Auto),
            "`cpu-engine` and `cpu-lanes` have no effect with `cpu-workers 0`; leave them out, or \
             leave `cpu-workers 0` out",
        )?;
        let text = "this machine does not have the instructions of `cpu-simd`";
        refuse_if(options.simd.is_some_and(|simd| !simd.is_available()), text)?;
        // Cores and devices round differently, and speeds decide which of them searches a root.
        refuse_if(
            self.reproducible && self.devices != DeviceSelection::None && !no_workers,
            "`reproducible` is for cores alone or equal devices alone; add `device none`, or name \
             a `device` and add `cpu-workers 0`",
        )
    }

    /// Checks the reductions of the graph.
    fn check_reductions(&self, directed: bool, weighted: bool) -> Result<(), Error> {
        let PrepareOptions { reduce, order, .. } = self.prepare;
        let required = |(_, when)| when == When::Always;
        let [fold, blocks, reverse, twins, chains] = reduce.named().map(required);
        if directed {
            let text = "is for undirected graphs; leave `directed` out, or use `reduce blocks`, \
                        which removes trees too";
            let given = [("reduce fold", fold && !blocks), ("reduce chains", chains)];
            refuse_given(given, text)?;
        } else {
            let text = "`reduce reverse` is for directed graphs; leave it out";
            refuse_if(reverse, text)?;
        }
        let text = "does not go with `reduce twins`; leave one of them out";
        let edges = self.prepare.edges;
        let given = [("weighted", twins && weighted), ("edges", twins && edges)];
        refuse_given(given, text)?;
        let text = "`reduce blocks` and `order none` cannot be combined; leave one of them out";
        refuse_if(blocks && order == Order::None, text)?;
        let text = "`reduce twins` and `reduce chains` cannot be combined; leave one of them out";
        refuse_if(twins && chains, text)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::cpu::lanes::Simd;

    #[test]
    fn narrow_numbers_serve_chains_only_where_that_is_asked_for() {
        for (precision, chains, contraction) in [
            (Precision::F64, When::Auto, When::Auto),
            (Precision::Mixed, When::Auto, When::Never),
            (Precision::F32, When::Auto, When::Never),
            (Precision::Mixed, When::Always, When::Always),
        ] {
            let mut options = SearchOptions::default();
            options.device.precision = precision;
            options.prepare.reduce.chains = chains;
            assert_eq!(options.contraction(), contraction);
        }
    }

    #[test]
    fn options_that_fit_together_leave_a_strategy_for_devices() {
        let whens = [When::Auto, When::Always];
        let mut left = 0;
        for case in 0..1 << 7 {
            let bit = |place: u32| case >> place & 1 == 1;
            let mut options = SearchOptions::default();
            options.prepare.edges = bit(0);
            options.prepare.reduce.chains = whens[usize::from(bit(1))];
            options.prepare.reduce.twins = whens[usize::from(bit(2))];
            options.query.radii = if bit(3) { vec![2.0] } else { Vec::new() };
            options.estimate = bit(4).then(Estimate::default);
            let (directed, weighted) = (bit(5), bit(6));
            if options.check(directed, weighted).is_ok() {
                let needed = options.features(directed, weighted);
                assert!(Strategy::some_covers(&needed), "{needed:?}");
                left += 1;
            }
        }
        assert!((20..100).contains(&left), "{left}");
    }

    #[test]
    fn fingerprints_are_of_values_that_matter() {
        let fingerprint_with = |change: &&dyn Fn(&mut SearchOptions)| {
            let mut options = SearchOptions::default();
            change(&mut options);
            options.fingerprint()
        };
        // Checkpoints of reproducible runs store this hash; a change of it invalidates them.
        let default = 0x9c38_24d9_aaa5_5f9c;
        let names = |names: &[&str]| {
            DeviceSelection::Named(names.iter().map(|name| name.to_string()).collect())
        };
        let changes: &[&dyn Fn(&mut SearchOptions)] = &[
            &|_| {},
            &|options| options.devices = DeviceSelection::All,
            &|options| options.devices = DeviceSelection::None,
            &|options| options.devices = names(&[]),
            &|options| options.devices = names(&["a", "b"]),
            &|options| options.devices = names(&["a\", \"b"]),
            &|options| options.strategy = Strategy::Warp,
            &|options| options.device.precision = Precision::Mixed,
            &|options| options.device.numbers.work_group = Some(64),
            &|options| options.device.numbers.degree = Some(64),
            &|options| options.device.numbers.lanes = Some(64),
            &|options| options.device.numbers.warp_size = Some(64),
            &|options| options.device.wide = Some(0),
            &|options| options.device.wide = Some(64),
            &|options| options.device.exact_access = true,
            &|options| options.cpu.options.engine = CpuEngine::Plain,
            &|options| options.cpu.options.lanes = Some(64),
            &|options| options.cpu.options.simd = Some(Simd::Portable),
        ];
        let all: BTreeSet<u64> = changes.iter().map(fingerprint_with).collect();
        assert_eq!(all.len(), changes.len());
        assert_eq!(fingerprint_with(&changes[0]), default);
        let same: &dyn Fn(&mut SearchOptions) = &|options| {
            options.device.cache = false;
            options.device.timeout = Some(3);
            options.device.verify = 3;
            options.device.profile = true;
            options.device.no_fallback = true;
            options.cpu.workers = CpuWorkers::Count(3);
        };
        assert_eq!(fingerprint_with(&same), default);
    }
}
