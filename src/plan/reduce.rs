//! Whether chains of degree-2 vertices are contracted or twins merged: by counted work and, where
//! that leaves it open, by a trial.

use std::sync::Arc;

use crate::cpu::{self, CpuOptions, EngineName, Staff, Trial};
use crate::cpu_time::thread_seconds;
use crate::engine::{Engine, Root};
use crate::prepare::{Prepared, SweepWork, Verdict, When};
use crate::runner::AT_ONCE;
use crate::strategy::{self, trial::Compared};

/// A trial may take this part of the search, for each of both forms.
const TRIAL: f64 = 0.01;
/// A trial is not made if a batch alone takes this part of the search.
const TOO_LONG: f64 = 0.05;
/// Between this factor and its inverse, the estimate for the search decides nothing.
const CLOSE: f64 = 3.0;
/// On an H100 sweeps from junctions are about as fast as on so many cores (USA-road-d.NY and
/// luxembourg_osm).
const DEVICE_CORES: f64 = 60.0;
/// Between this factor and its inverse, estimates for a device do not decide.
const OPEN: f64 = 6.0;
/// Sweeps are tried from so many junctions.
const JUNCTIONS: usize = 16;

/// The graph as it stands, and contracted.
pub type Forms<'a> = dyn Fn() -> [Arc<Prepared>; 2] + 'a;

/// Tells whether there is a device, and lets it search two forms of a graph for a moment each, if
/// they are given.
pub type Compare<'a> = dyn Fn(Option<&Forms>) -> Compared + 'a;

/// A [`Compare`] where devices are only thought of.
pub fn unasked(_: Option<&Forms>) -> Compared {
    Compared::Unknown
}

/// Whether to contract a graph that devices, or CPU workers alone, will search.
pub fn contraction(prepared: &Prepared, workers: usize, devices: bool) -> Verdict {
    match Counted::of(prepared, CpuOptions::default(), workers, 1.0) {
        None => Verdict::Keep,
        Some(counted) if devices => counted.on_devices(prepared),
        Some(counted) => counted.on_cores(),
    }
}

/// The work with and without contraction.
struct Counted {
    sweeps: SweepWork,
    /// Arcs that all searches look at without it.
    arcs: f64,
    /// Seconds of a core that they take.
    seconds: f64,
    /// Whether cores would sweep over a hierarchy. Estimates for that are within a factor of two,
    /// but a few batches tell little: how long they take depends on where their roots are.
    by_hierarchy: bool,
}

impl Counted {
    /// `None` for what cannot be contracted. Without contraction this share of the work is left.
    fn of(prepared: &Prepared, options: CpuOptions, workers: usize, share: f64) -> Option<Counted> {
        if !prepared.may_contract() || prepared.roots.is_empty() {
            return None;
        }
        let roots = prepared.roots.len();
        let plan = cpu::plan(prepared, &options, Staff::of(prepared, workers.max(1)));
        Some(Counted {
            sweeps: SweepWork::of(&prepared.graph, &prepared.ranges),
            arcs: share * roots as f64 * prepared.arcs_per_root,
            seconds: share * plan.seconds(prepared, roots),
            by_hierarchy: plan.engine == EngineName::Hierarchy,
        })
    }

    fn on_cores(&self) -> Verdict {
        if self.by_hierarchy {
            return match self.sweeps.seconds < self.seconds {
                true => Verdict::Contract,
                false => Verdict::Keep,
            };
        }
        self.sweeps.on_cores(self.arcs, self.seconds)
    }

    fn on_devices(&self, prepared: &Prepared) -> Verdict {
        if let Some(kept) = strategy::hierarchy_seconds(prepared) {
            let swept = self.sweeps.seconds / DEVICE_CORES;
            return match (swept < kept, swept.max(kept) > OPEN * swept.min(kept)) {
                (true, true) => Verdict::Contract,
                (false, true) => Verdict::Keep,
                (guess, false) => Verdict::Open(guess),
            };
        }
        self.sweeps
            .on_devices(&prepared.graph, self.arcs, prepared.is_deep())
    }
}

/// Contracts a graph whose chains may be contracted, or else merges its twins, if they may be, as
/// far as that makes the search faster. So many CPU workers will search it, and devices, if there
/// is a way to compare on those. Where estimates do not tell, both forms are tried, on a device or
/// on the calling thread, unless `options` ask for what is reproducible.
pub fn reduce(
    prepared: &mut Prepared,
    twins: When,
    options: CpuOptions,
    workers: usize,
    devices: Option<&Compare>,
) {
    let find = || prepared.twins(false);
    let twins = (twins == When::Auto).then(find).flatten();
    let share = twins.as_ref().map_or(1.0, |twins| twins.share);
    if let Some(counted) = Counted::of(prepared, options, workers, share) {
        let verdict = match devices {
            None => counted.on_cores(),
            Some(_) if options.reproducible => counted.on_devices(prepared),
            Some(compare) => with_devices(prepared, &counted, (workers, share), compare),
        };
        match verdict {
            Verdict::Contract => drop(prepared.contract()),
            Verdict::Open(true) if options.reproducible => drop(prepared.contract()),
            Verdict::Open(false) if options.reproducible => {}
            Verdict::Open(guess) => try_chains(prepared, &counted, (workers, share), guess),
            Verdict::Keep => {}
        }
    }
    if let Some(twins) = twins.filter(|_| prepared.chains.is_none()) {
        prepared.merge(twins);
    }
}

/// The verdict where devices may search too: by a comparison on one, unless those who will search
/// do not matter. It is open only where CPU workers are left to themselves.
fn with_devices(
    prepared: &Prepared,
    counted: &Counted,
    (workers, share): (usize, f64),
    compare: &Compare,
) -> Verdict {
    let on_cores = counted.on_cores();
    // Workers begin before devices are ready, so that how these would search does not matter.
    if workers > 0 && counted.seconds / workers as f64 <= AT_ONCE {
        return on_cores;
    }
    let on_devices = counted.on_devices(prepared);
    if on_devices == on_cores && !matches!(on_cores, Verdict::Open(_)) {
        return on_cores;
    }
    let forms = || {
        let mut contracted = prepared.clone();
        contracted.contract();
        [Arc::new(prepared.clone()), Arc::new(contracted)]
    };
    let open = matches!(on_devices, Verdict::Open(_));
    let contracts = match (compare(open.then_some(&forms as &Forms)), on_devices) {
        (Compared::NoDevice, _) => return on_cores,
        (Compared::Seconds([kept, swept]), _) => {
            // Where they may be either way, their means are compared.
            let mean = |[least, most]: [f64; 2]| (least * most).sqrt();
            mean(swept) < share * mean(kept)
        }
        (_, Verdict::Open(guess)) => guess,
        (_, verdict) => return verdict,
    };
    match contracts {
        true => Verdict::Contract,
        false => Verdict::Keep,
    }
}

/// Contracts the chains if a few sweeps say so, or else, where these take about as long as the
/// search is expected to take, a few batches of that; if both cannot be tried, by this guess.
/// `share` of the work is left without contraction.
fn try_chains(
    prepared: &mut Prepared,
    counted: &Counted,
    (workers, share): (usize, f64),
    guess: bool,
) {
    let expected = counted.seconds;
    let as_it_stood = prepared.contract();
    let swept = swept_seconds(prepared, &counted.sweeps, expected / workers.max(1) as f64);
    let contracts = match swept {
        None => guess,
        Some(swept) if swept > CLOSE * expected => false,
        Some(swept) if expected > CLOSE * swept => true,
        Some(swept) => {
            prepared.restore(as_it_stood);
            if kept_seconds(prepared, workers).map_or(guess, |kept| swept < share * kept) {
                prepared.contract();
            }
            return;
        }
    };
    if !contracts {
        prepared.restore(as_it_stood);
    }
}

/// Seconds of a core for all roots of a graph as it stands, by a few batches of each engine that
/// may be the best; `None` if that would take too long.
fn kept_seconds(prepared: &Prepared, workers: usize) -> Option<f64> {
    let roots = &prepared.roots;
    let staff = Staff::of(prepared, workers.max(1));
    let plans = cpu::candidates(prepared, &CpuOptions::default(), staff);
    let (likeliest, count) = (plans[0], plans.len());
    let batch = likeliest.lanes.clamp(1, roots.len());
    let share = likeliest.seconds(prepared, roots.len()) / workers.max(1) as f64;
    if likeliest.seconds(prepared, batch) > TOO_LONG * share {
        return None;
    }
    let batches = roots.len() / batch;
    let tried = batches.min(4 * count);
    let trial = Arc::new(Trial::new(plans, 0, prepared.arcs_per_root));
    let mut engine = cpu::tried_engine(prepared, &trial);
    let (start, mut searched) = (thread_seconds(), 0.0);
    for i in 0..tried {
        let first = i * batches / tried * batch;
        let chosen = &roots[first..first + batch];
        engine.search(chosen).ok()?;
        searched += prepared.work(chosen);
        if thread_seconds() - start > TRIAL * share {
            break;
        }
    }
    let mean = (thread_seconds() - start) / searched;
    let work = prepared.arcs_per_root * roots.len() as f64;
    Some(trial.seconds_for_arc().unwrap_or(mean) * work)
}

/// Seconds of a core for the sweeps from all junctions, by a few of them, beside a search of so
/// many seconds; infinite where there are too many paths, `None` if a few take too long.
fn swept_seconds(prepared: &Prepared, work: &SweepWork, share: f64) -> Option<f64> {
    let roots = &prepared.roots;
    let tried = roots.len().min(JUNCTIONS);
    let (graph, component) = (&prepared.graph, |v| prepared.ranges.component(v));
    // A sweep from a hub may take as long as thousands of others.
    let is_short = |root: &Root| {
        let seconds = work.of_junction_alone(graph, component(root.vertex), root.vertex);
        seconds <= TRIAL * share
    };
    let tried = (0..tried).map(|i| roots[i * roots.len() / tried]);
    let tried: Vec<Root> = tried.filter(is_short).collect();
    if tried.len() < 2 {
        return None;
    }
    let plan = cpu::plan(prepared, &CpuOptions::default(), Staff::of(prepared, 1));
    let mut engine = cpu::engine(prepared, &plan);
    let begin = thread_seconds();
    let (mut start, mut expected) = (begin, 0.0);
    for (i, &root) in tried.iter().enumerate() {
        if engine.search(&[root]).is_err() {
            return Some(f64::INFINITY);
        }
        let now = thread_seconds();
        if i == 0 {
            // Its memory was new.
            start = now;
            continue;
        }
        expected += work.of_junction(graph, component(root.vertex), root.vertex);
        if now - begin > TRIAL * share {
            break;
        }
    }
    // Sweeps cost by the long chains of their junctions, so that a few are scaled by expected work.
    Some((thread_seconds() - start) * work.seconds / expected)
}
