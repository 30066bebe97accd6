//! What is asked for, and what of it makes no sense together.

use xxhash_rust::xxh3::Xxh3;

use crate::cpu::{CpuEngine, CpuOptions};
use crate::device::{DeviceOptions, DeviceSelection};
use crate::engine::Precision;
use crate::error::Error;
use crate::prepare::{Order, PrepareOptions, Reductions, When};
use crate::runner::{CpuRequest, CpuWorkers, DeviceRequest, Rehearse};
use crate::strategy::{Number, Strategy};

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
    /// How to try drivers of devices that are the CPU itself in another process first: they may
    /// crash.
    pub rehearse: Option<Rehearse>,
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
            rehearse: None,
        }
    }
}

fn refuse<T>(text: impl Into<String>) -> Result<T, Error> {
    Err(Error::Settings(text.into()))
}

impl Wishes {
    /// Refuses what contradicts itself for graphs of this kind.
    ///
    /// # Errors
    /// [`Error::Settings`].
    pub fn check(&self, directed: bool, weighted: bool) -> Result<(), Error> {
        self.numbers()?;
        if weighted {
            self.weighted()?;
        }
        self.edges()?;
        if self.devices == DeviceSelection::None {
            self.without_devices()?;
        }
        self.cpu()?;
        self.same_bits()?;
        self.reductions(directed)?;
        self.twins()?;
        self.contraction().map(drop)
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
            rehearse: self.rehearse,
        }
    }

    /// What is asked of CPU workers.
    pub(crate) fn cpu_request(&self) -> CpuRequest {
        let mut request = self.cpu;
        request.options.reproducible = self.reproducible;
        request.options.mixed = self.device.precision == Precision::Mixed;
        request
    }

    /// Returns a hash of what the bits of sums depend on besides the graph. It is of values only,
    /// so that names of types and fields do not matter, and its patterns are complete: a new option
    /// has to be put into the hash or on the list of those without influence.
    pub(crate) fn fingerprint(&self) -> u64 {
        let DeviceOptions {
            precision,
            work_group,
            degree,
            lanes,
            warp_size,
            exact_access,
            wide,
            // These are as the graph and this search are.
            weighted: _,
            count_edges: _,
            reproducible: _,
            // These have no influence.
            cache: _,
            timeout: _,
            verify: _,
            profile: _,
            faults: _,
        } = self.device;
        let CpuOptions {
            engine,
            lanes: cpu_lanes,
            simd,
            // As `precision` and this search are.
            mixed: _,
            reproducible: _,
            fails_at: _,
        } = self.cpu.options;
        let named = match &self.devices {
            DeviceSelection::Named(names) => &names[..],
            DeviceSelection::Auto | DeviceSelection::All | DeviceSelection::None => &[],
        };
        let selection = match self.devices {
            DeviceSelection::Auto => 0,
            DeviceSelection::All => 1,
            DeviceSelection::None => 2,
            DeviceSelection::Named(_) => 3,
        };
        let some = |number: Option<u64>| [u64::from(number.is_some()), number.unwrap_or(0)];
        let narrow = |number: Option<u32>| some(number.map(u64::from));
        let wide_number = |number: Option<usize>| some(number.map(|number| number as u64));
        let optional = [
            wide_number(work_group),
            narrow(degree),
            narrow(lanes),
            narrow(warp_size),
            narrow(wide),
            wide_number(cpu_lanes),
            some(simd.map(|simd| simd as u64)),
        ];
        let others = [
            precision as u64,
            exact_access.into(),
            engine as u64,
            selection,
        ];
        let mut hash = Xxh3::new();
        for number in optional.into_iter().flatten().chain(others) {
            hash.update(&number.to_le_bytes());
        }
        for text in std::iter::once(self.strategy.name()).chain(named.iter().map(|name| &name[..]))
        {
            hash.update(&(text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        }
        hash.digest()
    }

    /// Whether a device is asked for, so that having none is worth a warning.
    pub fn insists(&self) -> bool {
        let named = !matches!(self.devices, DeviceSelection::Auto | DeviceSelection::None);
        named || self.strategy != Strategy::Auto || self.device.profile
    }

    /// Refuses numbers that the strategy would ignore.
    fn numbers(&self) -> Result<(), Error> {
        let (strategy, device) = (self.strategy, &self.device);
        if self.devices != DeviceSelection::None {
            for number in Number::ALL {
                let given = match number {
                    Number::Degree => device.degree,
                    Number::Lanes => device.lanes,
                    Number::WarpSize => device.warp_size,
                };
                if given.is_some() && !strategy.has(number) {
                    return refuse(format!(
                        "`{}` means nothing to `strategy {}`; it is for {}",
                        number.option().trim_start_matches('-'),
                        strategy.name(),
                        number.strategies()
                    ));
                }
            }
        }
        if let (Some(size), Some(group)) = (device.warp_size, device.work_group)
            && !group.is_multiple_of(size as usize)
        {
            return refuse(format!(
                "`warp-size {size}` does not divide `work-group {group}`"
            ));
        }
        Ok(())
    }

    /// Refuses what needs a device, where none may be driven.
    fn without_devices(&self) -> Result<(), Error> {
        let device = &self.device;
        let engine = self.cpu.options.engine;
        let precise = match device.precision {
            Precision::F64 => false,
            // Lanes of cores take it too.
            Precision::Mixed => !matches!(engine, CpuEngine::Auto | CpuEngine::Lanes),
            Precision::F32 => true,
        };
        if self.strategy != Strategy::Auto {
            return refuse("this `strategy` needs a device; leave `device none` out");
        }
        if self.cpu.workers == CpuWorkers::Count(0) {
            return refuse("`cpu-workers 0` without a device leaves no worker to search");
        }
        if precise && device.precision == Precision::Mixed {
            return refuse(
                "`precision mixed` is for lanes on cores; leave it, or this `cpu-engine`, out",
            );
        }
        for (name, given) in [
            ("degree", device.degree.is_some()),
            ("lanes", device.lanes.is_some()),
            ("warp-size", device.warp_size.is_some()),
            ("work-group", device.work_group.is_some()),
            ("precision", precise),
            ("profile-kernels", device.profile),
            ("verify", device.verify > 0),
            ("device-timeout", device.timeout.is_some()),
        ] {
            if given {
                return refuse(format!(
                    "`{name}` is for devices; leave it, or `device none` and `strategy cpu`, out"
                ));
            }
        }
        Ok(())
    }

    /// Refuses participants that differ where scores are to be reproducible: they round otherwise,
    /// and which of them searches what depends on their speed.
    fn same_bits(&self) -> Result<(), Error> {
        let cores = self.devices == DeviceSelection::None;
        let devices = self.cpu.workers == CpuWorkers::Count(0);
        match self.reproducible && !cores && !devices {
            false => Ok(()),
            true => refuse(
                "`reproducible` is for cores alone or equal devices alone; add `device none`, or \
                 name a `device` and add `cpu-workers 0`",
            ),
        }
    }

    /// Refuses contradictions of what is asked of CPU workers.
    fn cpu(&self) -> Result<(), Error> {
        let CpuRequest { workers, options } = self.cpu;
        let laneless = !matches!(options.engine, CpuEngine::Auto | CpuEngine::Lanes);
        if laneless && options.lanes.is_some() {
            return refuse(
                "`cpu-lanes` is for `cpu-engine auto` and lanes; leave one of the two options out",
            );
        }
        let how = options.engine != CpuEngine::Auto || options.lanes.is_some();
        if how && workers == CpuWorkers::Count(0) {
            return refuse(
                "`cpu-engine` and `cpu-lanes` are for CPU workers; leave them, or `cpu-workers 0`, \
                 out",
            );
        }
        if options.simd.is_some_and(|simd| !simd.is_available()) {
            return refuse("this machine does not have the instructions of `cpu-simd`");
        }
        Ok(())
    }

    /// Refuses what cannot search weighted graphs.
    fn weighted(&self) -> Result<(), Error> {
        self.without("weighted")?;
        if !self.strategy.takes().lengths {
            return refuse(format!(
                "`strategy {}` is for graphs without weights; use {}, or leave `weighted` out",
                self.strategy.name(),
                Strategy::with_lengths()
            ));
        }
        Ok(())
    }

    /// Refuses what gives no scores of edges.
    fn edges(&self) -> Result<(), Error> {
        if !self.prepare.edges {
            return Ok(());
        }
        self.without("edges")?;
        if !self.strategy.takes().edges {
            return refuse(format!(
                "`strategy {}` gives no scores of edges; choose another one, or leave `edges` out",
                self.strategy.name()
            ));
        }
        Ok(())
    }

    /// Refuses reductions that do not go with this.
    fn without(&self, what: &str) -> Result<(), Error> {
        match self.prepare.reduce.twins {
            When::Always => refuse(format!(
                "`{what}` does not go with `reduce twins`; leave one of them out"
            )),
            When::Auto | When::Never => Ok(()),
        }
    }

    /// Refuses reductions that cannot be made.
    fn reductions(&self, directed: bool) -> Result<(), Error> {
        let PrepareOptions { reduce, order, .. } = self.prepare;
        for (name, when) in reduce.named() {
            if when == When::Always && directed {
                return refuse(format!(
                    "`reduce {name}` is for undirected graphs; leave `directed` or it out"
                ));
            }
        }
        if reduce.blocks == When::Always && order == Order::None {
            return refuse(
                "`reduce blocks` numbers vertices block by block; leave it, or `order none`, out",
            );
        }
        Ok(())
    }

    /// Whether sweeps over a hierarchy are asked for.
    pub fn searches_hierarchy(&self) -> bool {
        self.strategy == Strategy::Hierarchy || self.cpu.options.engine == CpuEngine::Hierarchy
    }

    /// Whether twins may be merged: only if devices can search them.
    ///
    /// # Errors
    /// [`Error::Settings`] if they were named and cannot.
    pub fn twins(&self) -> Result<When, Error> {
        let Reductions { twins, chains, .. } = self.prepare.reduce;
        if twins == When::Always && chains == When::Always {
            return refuse("`reduce` merges twins or serves chains; leave one of them out");
        }
        let sweeps = self.cpu.options.engine == CpuEngine::Hierarchy;
        let able = self.devices == DeviceSelection::None || self.strategy.takes().twins;
        match twins {
            when if able && !sweeps => Ok(when),
            When::Always if sweeps => refuse(
                "`cpu-engine hierarchy` cannot search merged twins; leave `reduce twins` or it out",
            ),
            When::Always => refuse(format!(
                "`strategy {}` cannot search merged twins; leave `reduce twins` or it out",
                self.strategy.name()
            )),
            When::Auto | When::Never => Ok(When::Never),
        }
    }

    /// Whether sources inside chains may be served: only if all that may take roots can do so,
    /// which is decided before it is known whether there is a device.
    ///
    /// # Errors
    /// [`Error::Settings`] if this was asked for and some cannot.
    pub fn contraction(&self) -> Result<When, Error> {
        let by_workers = matches!(
            self.cpu.options.engine,
            CpuEngine::Auto | CpuEngine::Hierarchy
        );
        let by_devices = self.devices == DeviceSelection::None || self.strategy.takes().contracted;
        // Scores at the ends of chains are differences, which narrow numbers leave too few digits.
        let has_digits =
            self.devices == DeviceSelection::None || self.device.precision == Precision::F64;
        match self.prepare.reduce.chains {
            When::Auto if !has_digits => Ok(When::Never),
            // Where a hierarchy is asked for, its searches serve what they can.
            When::Auto if by_workers && by_devices && self.searches_hierarchy() => Ok(When::Always),
            asked if by_workers && by_devices => Ok(asked),
            When::Always if by_workers => refuse(format!(
                "`reduce chains` needs `strategy hierarchy` or auto: {} does not serve sources \
                 inside chains",
                self.strategy.name()
            )),
            When::Always => refuse(
                "`reduce chains` needs `cpu-engine hierarchy` or auto: others do not serve sources \
                 inside chains",
            ),
            When::Auto | When::Never => Ok(When::Never),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::lanes::Simd;
    use crate::device::{Faults, Step};

    #[test]
    fn narrow_numbers_serve_chains_only_where_that_is_asked_for() {
        let contraction = |precision, chains| {
            let mut wishes = Wishes::default();
            wishes.device.precision = precision;
            wishes.prepare.reduce.chains = chains;
            wishes.contraction().unwrap()
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
        // Checkpoints of this version have it, whatever types and fields are called.
        assert_eq!(default, 0x94c7_c894_9016_b583);
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
