//! Estimates how long a search from all roots takes, from searches of samples.
//!
//! All commands estimate by [`Rate`]: `info` predicts runs, `bench` scales samples, and `tune`
//! ranks candidates. Engines that search from many roots at a time (lanes, work-groups, CPU
//! workers) are hardly slower on many roots than on few. If no sample was large enough to keep an
//! engine busy, the estimate is an upper bound, and marked as such.

use std::error::Error;
use std::time::{Duration, Instant};

use super::timing;
use brandes::cpu::{self, CpuPlan};
use brandes::device::{DeviceError, Session};
use brandes::engine::{EngineError, Root, feed};
use brandes::memory;
use brandes::prepare::Prepared;
use brandes::strategy::{EnginePlan, LengthType, Strategy, self_test};

/// The largest factor by which samples grow.
const GROWTH: f64 = 8.0;

/// An estimate for all roots of a graph from searches of samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Roots of the graph.
    pub roots: usize,
    /// Seconds that do not depend on the number of roots.
    pub fixed: f64,
    /// Seconds per root.
    pub per_root: f64,
    /// Whether the estimate is an upper bound: no sample kept the engine busy.
    pub at_most: bool,
    /// The number of roots of the largest sample.
    pub roots_measured: usize,
    /// Seconds that the largest sample took.
    pub seconds_measured: f64,
}

impl Rate {
    /// Returns the seconds for all roots.
    pub fn seconds(&self) -> f64 {
        self.fixed + self.per_root * self.roots as f64
    }

    /// Returns an estimate in proportion to a sample of `searched` of the `roots` that took
    /// `seconds`, by an engine that searches from `width` roots at a time.
    pub fn scaled(seconds: f64, searched: usize, roots: usize, width: usize) -> Rate {
        Rate {
            roots,
            fixed: 0.0,
            per_root: seconds / searched.max(1) as f64,
            at_most: searched < roots && searched < width,
            roots_measured: searched,
            seconds_measured: seconds,
        }
    }

    /// Returns the seconds for some of the roots, in batches of `width`: in proportion, but at most
    /// twice the measured seconds per batch, since a batch may not have been full.
    pub fn of_part(&self, roots: usize, width: usize) -> f64 {
        let batches = |roots: usize| roots.div_ceil(width.max(1)).max(1) as f64;
        let batch = self.seconds_measured / batches(self.roots_measured);
        let proportional = self.fixed + self.per_root * roots as f64;
        proportional.min(2.0 * batch * batches(roots))
    }

    /// Estimates from samples (roots, seconds), smallest first: by the line through the two largest
    /// samples if both kept the engine busy, otherwise in proportion to the largest. Returns `None`
    /// without a sample.
    pub fn from_samples(samples: &[(usize, f64)], roots: usize, width: usize) -> Option<Rate> {
        let &(most, seconds) = samples.last()?;
        let mut rate = Rate::scaled(seconds, most, roots, width);
        // The first sample is a single root that warms the engine up, and is not on the line.
        if let [_, .., (fewer, shorter), _] = *samples
            && fewer >= width
            && most < roots
        {
            let slope = (seconds - shorter) / (most - fewer) as f64;
            let start = seconds - slope * most as f64;
            if slope > 0.0 && start > 0.0 {
                (rate.per_root, rate.fixed) = (slope, start);
            }
        }
        Some(rate)
    }

    /// Combines several participants that claim roots from one counter. Returns `None` without any.
    pub fn together(rates: &[Rate]) -> Option<Rate> {
        let first = rates.first()?;
        let speed = |rate: &Rate| 1.0 / rate.per_root.max(1e-12);
        let all: f64 = rates.iter().map(speed).sum();
        let late: f64 = rates.iter().map(|rate| rate.fixed * speed(rate)).sum();
        let longest = |a: f64, rate: &Rate| a.max(rate.seconds_measured);
        Some(Rate {
            roots: first.roots,
            // A participant that starts later leaves more roots to the others.
            fixed: late / all,
            per_root: 1.0 / all,
            at_most: rates.iter().any(|rate| rate.at_most),
            roots_measured: rates.iter().map(|rate| rate.roots_measured).sum(),
            seconds_measured: rates.iter().fold(0.0, longest),
        })
    }
}

/// Searches from growing samples of the roots while `time` lasts, and from one root at least.
/// Returns (roots, seconds) of each sample.
fn sampled(
    all: &[Root],
    time: Duration,
    mut search: impl FnMut(&[Root]) -> Result<f64, EngineError>,
) -> Result<Vec<(usize, f64)>, EngineError> {
    let start = Instant::now();
    let mut samples = Vec::new();
    let mut size = 1;
    while !all.is_empty() {
        let roots = timing::sample(all, size);
        let seconds = search(&roots)?;
        samples.push((roots.len(), seconds));
        let growth = (time.as_secs_f64() - start.elapsed().as_secs_f64()) / seconds.max(1e-6);
        if roots.len() == all.len() || growth < 2.0 {
            break;
        }
        size = (roots.len() as f64 * growth.min(GROWTH)) as usize;
    }
    Ok(samples)
}

/// Estimates a search by CPU workers alone, from searches by as many workers.
pub fn cpu(
    prepared: &Prepared,
    plan: &CpuPlan,
    workers: usize,
    time: Duration,
) -> Result<Option<Rate>, EngineError> {
    let samples = sampled(&prepared.roots, time, |roots| {
        workers_search(prepared, plan, workers, roots)
    })?;
    let width = workers * plan.lanes;
    Ok(Rate::from_samples(&samples, prepared.roots.len(), width))
}

/// Divides the roots among CPU workers. Returns the mean of their search times in seconds, which
/// do not include the allocation of memory.
fn workers_search(
    prepared: &Prepared,
    plan: &CpuPlan,
    workers: usize,
    roots: &[Root],
) -> Result<f64, EngineError> {
    let parts: Vec<&[Root]> = roots.chunks(roots.len().div_ceil(workers.max(1))).collect();
    let work = |part: &[Root]| {
        let mut engine = cpu::engine(prepared, plan);
        feed(&mut engine, part, &mut prepared.zero_sums())
    };
    let failed = |error: &dyn Error| DeviceError::NoThread("a CPU worker", error.to_string());
    memory::room_for_threads(parts.len()).map_err(|error| failed(&error))?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(parts.len());
    let pool = pool.build().map_err(|error| failed(&error))?;
    let seconds = pool.broadcast(|worker| work(parts[worker.index()]));
    let sum = seconds.into_iter().sum::<Result<f64, EngineError>>()?;
    Ok(sum / parts.len() as f64)
}

/// Estimates a search by a strategy on a device alone, including the creation of its engine. Also
/// returns the plan of the engine. Returns `None` if there is nothing to search.
pub fn device(
    session: &Session,
    strategy: Strategy,
    prepared: &Prepared,
    time: Duration,
) -> Result<Option<(Rate, EnginePlan)>, EngineError> {
    // Kernels are built before the clock starts, because later runs take them from the cache.
    let lengths = LengthType::of_graph(Some(prepared));
    self_test::run(session, strategy.likely(prepared), lengths)?;
    let start = Instant::now();
    let made = strategy.engine(session, prepared)?;
    let making = start.elapsed().as_secs_f64();
    let plan = made.plan;
    let mut engine = made.engine;
    let mut sums = prepared.zero_sums();
    let samples = sampled(&prepared.roots, time, |roots| {
        feed(&mut *engine, roots, &mut sums)
    })?;
    let rate = Rate::from_samples(&samples, prepared.roots.len(), plan.together());
    Ok(rate.map(|mut rate| {
        rate.fixed += making;
        (rate, plan)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use brandes::cpu::{CpuOptions, WorkerBudget};
    use brandes::graph::generate;
    use brandes::prepare::{PrepareOptions, prepare};

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9 * b.abs().max(1.0)
    }

    #[test]
    fn a_line_through_the_two_largest_samples() {
        let samples = [(1, 9.0), (8, 0.5 + 8.0 * 0.25), (64, 0.5 + 64.0 * 0.25)];
        let rate = Rate::from_samples(&samples, 1000, 8).unwrap();
        assert!(near(rate.per_root, 0.25) && near(rate.fixed, 0.5) && !rate.at_most);
        assert!(near(rate.seconds(), 0.5 + 250.0));
        assert_eq!((rate.roots_measured, rate.seconds_measured), (64, 16.5));
    }

    #[test]
    fn few_roots_give_an_upper_bound_and_all_roots_the_measured_time() {
        let few = Rate::from_samples(&[(1, 1.0), (8, 1.0)], 1000, 64).unwrap();
        assert!(few.at_most && near(few.seconds(), 125.0));
        let all = Rate::from_samples(&[(1, 1.0), (8, 2.0), (20, 3.0)], 20, 64).unwrap();
        assert!(!all.at_most && near(all.seconds(), 3.0));
        // A line through decreasing times is not used.
        let odd = Rate::from_samples(&[(1, 1.0), (8, 2.0), (16, 1.0)], 1600, 1).unwrap();
        assert!(near(odd.seconds(), 100.0));
        assert_eq!(Rate::from_samples(&[], 0, 1), None);
    }

    #[test]
    fn speeds_add_up() {
        let rate = |fixed, per_root| Rate {
            roots: 120,
            fixed,
            per_root,
            at_most: false,
            roots_measured: 1,
            seconds_measured: per_root,
        };
        let both = Rate::together(&[rate(0.0, 3.0), rate(0.0, 6.0)]).unwrap();
        assert!(near(both.seconds(), 240.0));
        // One root a second each; one starts 10 s late, so the other has 10 roots by then.
        let late = Rate::together(&[rate(10.0, 1.0), rate(0.0, 1.0)]).unwrap();
        assert!(near(late.seconds(), 65.0));
        assert_eq!(Rate::together(&[]), None);
    }

    #[test]
    fn samples_grow_while_there_is_time_and_no_further() {
        let all: Vec<Root> = (0..1000)
            .map(|vertex| Root { vertex, sources: 1 })
            .collect();
        let sizes = |time, seconds: f64| -> Vec<usize> {
            let samples = sampled(&all, Duration::from_secs(time), |roots| {
                Ok(seconds * roots.len() as f64)
            });
            samples.unwrap().into_iter().map(|(size, _)| size).collect()
        };
        assert_eq!(sizes(0, 1.0), [1], "one root at least");
        assert_eq!(sizes(100, 1e-5), [1, 8, 64, 512, 1000]);
        assert_eq!(sizes(100, 20.0), [1, 4]);
        assert!(
            sampled(&[], Duration::ZERO, |_| Ok(1.0))
                .unwrap()
                .is_empty()
        );
    }

    #[test]
    fn workers_search_all_of_a_small_graph() {
        let graph = generate::erdos_renyi(200, 800, 1).unwrap();
        let prepared = prepare(&graph, &PrepareOptions::default()).unwrap();
        let plan = cpu::plan(
            &prepared,
            &CpuOptions::default(),
            WorkerBudget::for_all_roots(&prepared, 2),
        );
        let rate = cpu(&prepared, &plan, 2, Duration::from_secs(60))
            .unwrap()
            .unwrap();
        assert_eq!(rate.roots_measured, prepared.roots.len());
        assert!(near(rate.seconds(), rate.seconds_measured) && rate.seconds() > 0.0);
    }
}
