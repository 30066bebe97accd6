//! Tests of whole tunings with a simulated machine. Each search advances its clock by the time that
//! a model predicts.

use std::iter;

use anyhow::{Result, anyhow};
use proptest::prelude::{prop, prop_assert, prop_assert_eq, proptest};

use super::*;
use crate::app::bench::compare::Options;
use crate::app::bench::results::{Measured, SettingPart};
use crate::app::bench::timing::Spread;
use crate::app::bench::{Setting, Subject};
use brandes::cpu::CpuEngine;
use brandes::device::{DeviceInfo, DeviceKind};
use brandes::strategy::{NumericOption, Strategy};

/// The seconds of a search: fixed, per batch of some roots, and per root; and the size of a batch.
type Model = (f64, f64, f64, usize);

struct Fake<F> {
    roots: usize,
    model: F,
    clock: f64,
    /// Seconds of the longest search.
    longest: f64,
}

impl<F: Fn(&Setting) -> Result<Model>> Fake<F> {
    fn new(roots: usize, model: F) -> Self {
        Fake {
            roots,
            model,
            clock: 0.0,
            longest: 0.0,
        }
    }

    fn search(&mut self, (fixed, batch, root, unit): Model, roots: usize) -> f64 {
        let seconds = fixed + roots.div_ceil(unit) as f64 * batch + roots as f64 * root;
        self.clock += seconds + 0.001;
        self.longest = self.longest.max(seconds + 0.001);
        seconds
    }

    /// Warms up and measures as [`crate::app::bench::compare::compare`] does.
    fn one(&mut self, model: Model, options: &Options) -> Measured {
        let unit = model.3;
        let mut roots = options.first.min(self.roots);
        let mut seconds = loop {
            let seconds = self.search(model, roots);
            let part = if roots < unit { 2.0 } else { 8.0 };
            if roots == self.roots || seconds > options.limit / part {
                break seconds;
            }
            let growth = if seconds > options.limit / 8.0 { 2 } else { 8 };
            roots = (growth * roots).min(self.roots);
        };
        for _ in 0..options.repeat {
            seconds = self.search(model, roots);
        }
        let mut scale = self.roots as f64 / roots as f64;
        if roots < unit {
            scale = scale.min(2.0 * self.roots.div_ceil(unit) as f64);
        }
        Measured {
            seconds: vec![scale * seconds],
            spread: Spread::from_times(&[scale * seconds]),
            roots_searched: roots,
            roots: self.roots,
            ..Measured::default()
        }
    }

    fn measure(&mut self, settings: &[Setting], options: &Options) -> (Vec<Measured>, f64) {
        let one = |setting| match (self.model)(setting) {
            Ok(model) => self.one(model, options),
            Err(error) => Measured {
                failure: Some(error.to_string()),
                ..Measured::default()
            },
        };
        (settings.iter().map(one).collect(), self.clock)
    }

    /// Tunes from a default that stands for the setting `chosen`, if given.
    fn tune(
        &mut self,
        (default, chosen): (Setting, Option<Strategy>),
        strategies: &[Strategy],
        budget: f64,
    ) -> Result<(Vec<Candidate>, TunePart)> {
        let roots = self.roots;
        let plain = |&strategy: &Strategy| Setting::plain(Subject::Device(strategy));
        let numeric_variants = |setting: Setting| {
            let chosen = chosen.filter(|_| setting == default);
            let one = chosen.map_or(setting, |strategy| plain(&strategy));
            let Subject::Device(strategy) = one.subject else {
                panic!("{one:?} is for no device");
            };
            let mut all = vec![one];
            Setting::expand_numbers(&mut all, &usual(one.subject, roots));
            all.retain(|_| strategies.contains(&strategy));
            all
        };
        let settings = iter::once(default).chain(strategies.iter().map(plain));
        let mut measure = |settings: &[Setting], options: &Options| self.measure(settings, options);
        tune(settings.collect(), numeric_variants, budget, &mut measure)
    }
}

/// Returns the usual values of a subject on a GPU, each list with `None` first.
fn usual(subject: Subject, roots: usize) -> [Vec<Option<u32>>; 5] {
    let gpu = DeviceInfo {
        kind: DeviceKind::Gpu,
        max_work_group: 1024,
        ..DeviceInfo::default()
    };
    NumericOption::ALL.map(|option| {
        let values = subject.usual_values(option, Some(&gpu), roots);
        iter::once(None).chain(values).collect()
    })
}

#[test]
fn usual_values_are_of_the_numbers_that_the_subject_has() {
    let words = |subject| -> Vec<String> {
        let mut all = vec![Setting::plain(subject)];
        Setting::expand_numbers(&mut all, &usual(subject, 1000));
        all.into_iter().map(words_of).collect()
    };
    let lanes = words(Subject::Device(Strategy::Lanes));
    assert_eq!(lanes[0], "lanes");
    assert!(lanes.contains(&"lanes, D 64, lanes 1024".to_string()));
    assert!(!lanes.iter().any(|words| words.contains("2048")));
    let of_cores = ["", ", lanes 8", ", lanes 16", ", lanes 32", ", lanes 64"];
    let of_cores = of_cores.map(|numbers| format!("cpu-lanes{numbers}"));
    assert_eq!(words(Subject::Cores(CpuEngine::Lanes)), of_cores);
    let counts = [Subject::Device(Strategy::Vertex), Subject::CPU].map(|one| words(one).len());
    assert_eq!(counts, [7, 1]);
}

fn words_of(setting: Setting) -> String {
    SettingPart::new(&setting, None, None).words()
}

/// The default of a graph for which `auto` chooses `lanes`.
fn auto_lanes() -> (Setting, Option<Strategy>) {
    let auto = Setting::plain(Subject::Device(Strategy::Auto));
    (auto, Some(Strategy::Lanes))
}

proptest! {
    #[test]
    fn the_budget_is_hardly_exceeded(
        models in prop::collection::vec((0.0..0.01, 0.0..0.1, 1e-6..1e-2, 1usize..5000), 1..12),
        roots in 1usize..20_000,
        budget in 0.01..20.0f64,
    ) {
        let any = |setting: &Setting| {
            let degree = setting.numbers.degree.unwrap_or(7) as usize;
            let number = degree + setting.subject.name().len();
            Ok(models[number % models.len()])
        };
        let mut fake = Fake::new(roots, any);
        let strategies = [Strategy::Virtual, Strategy::Lanes, Strategy::Local];
        let (all, tuned) = fake.tune(auto_lanes(), &strategies, budget).unwrap();
        // The default has to be measured, and the comparison needs some searches of both. Full
        // batches may take longer than samples promise.
        let most = 1.5 * budget + 16.0 * fake.longest;
        prop_assert!(fake.clock <= most, "{} of {budget}, {}", fake.clock, fake.longest);
        prop_assert!(all[0].measured.failure.is_none());
        prop_assert_eq!(all[tuned.default].setting, auto_lanes().0);
    }
}

/// A model of a shallow graph on an H200: lanes are by far the fastest.
fn shallow(setting: &Setting) -> Result<Model> {
    let numbers = setting.numbers;
    let (root, unit) = match setting.subject.name() {
        "lanes" | "auto" => (1.2e-6, 2 * numbers.lanes.unwrap_or(4096) as usize),
        "local" => (2e-6, 528),
        "hierarchy" => return Err(anyhow!("not for this graph")),
        "virtual" => (1.5e-4, 1),
        _ => (1e-4, 528),
    };
    let penalty = |value: Option<u32>, default: u32, best: u32| {
        let distance = f64::from(value.unwrap_or(default)).log2() - f64::from(best).log2();
        1.0 + 0.08 * distance.abs()
    };
    let root = root
        * penalty(numbers.degree, 256, 64)
        * penalty(numbers.lanes, 4096, 2048)
        * penalty(numbers.work_group, 256, 128);
    Ok((1e-4, root * unit as f64 * 0.9, root * 0.1, unit))
}

#[test]
fn the_best_numbers_are_found_and_slow_strategies_are_dropped_early() {
    const ROOTS: usize = 75_000;
    let mut fake = Fake::new(ROOTS, shallow);
    let (all, tuned) = fake
        .tune(auto_lanes(), brandes::strategy::ALL, 60.0)
        .unwrap();
    assert_eq!(words_of(all[0].setting), "lanes, D 64, lanes 2048");
    assert_eq!(tuned.adopted, 0, "{}", tuned.verdict);
    assert!(fake.clock < 60.0, "{}", fake.clock);
    let candidate = |strategy| {
        let plain = Setting::plain(Subject::Device(strategy));
        all.iter().find(|one| one.setting == plain).unwrap()
    };
    let slow = candidate(Strategy::Virtual);
    assert!(slow.measured.roots_searched < ROOTS / 4, "{slow:?}");
    let refused = candidate(Strategy::Hierarchy).measured.failure.as_deref();
    assert_eq!(refused, Some("not for this graph"));
}

#[test]
fn engines_that_take_batches_are_not_judged_by_a_single_root() {
    // A model of a large road network: all roots take 93 s with a work-group for each, but hours
    // one at a time.
    let deep = |setting: &Setting| {
        let (seconds, unit) = match setting.subject.name() {
            "local" => (1.0, 528),
            "lanes" => (3.0, 8192),
            _ => (0.2, 1),
        };
        Ok((0.0, seconds, 0.2 * seconds / unit as f64, unit))
    };
    let strategies = [Strategy::Lanes, Strategy::Local, Strategy::Edge];
    let default = Setting::plain(Subject::Device(Strategy::Hybrid));
    let mut fake = Fake::new(50_000, deep);
    let (all, _) = fake.tune((default, None), &strategies, 60.0).unwrap();
    let best = all[0].setting;
    let fast = [Strategy::Lanes, Strategy::Local].map(Subject::Device);
    assert!(fast.contains(&best.subject), "{}", words_of(best));
}

#[test]
fn a_default_that_is_best_stays_and_one_that_fails_is_an_error() {
    let mut fake = Fake::new(1000, shallow);
    let (_, tuned) = fake.tune(auto_lanes(), &[Strategy::Virtual], 10.0).unwrap();
    assert_eq!((tuned.default, tuned.adopted), (0, 0));
    assert_eq!(tuned.verdict, "nothing is faster than the default");
    let mut fake = Fake::new(10, |_: &Setting| Err(anyhow!("no memory")));
    let failed = fake.tune(auto_lanes(), &[], 1.0);
    let text = failed.unwrap_err().to_string();
    assert_eq!(text, "nothing could be measured: no memory");
}
