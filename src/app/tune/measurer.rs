//! The measurer that runs real searches. It also compares the scores of all settings.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;

use super::race::{Measurer, Sample};
use crate::app::bench::results::Check;
use crate::app::bench::timing::BLOCK;
use crate::app::bench::{Bench, Preparations, Setting, Subject, timing};
use brandes::cpu::lanes::LANES;
use brandes::device::Session;
use brandes::engine::Root;
use brandes::prepare::{Prepared, Scale};

/// A graph and the device that searches it. Without a device, CPU workers search alone.
pub struct SearchMeasurer<'g> {
    session: Option<Session>,
    graph: &'g Preparations,
    start: Instant,
    /// The name of the first setting that searched from each sample, and its sums; for all roots,
    /// its scores.
    references: HashMap<SampleKey, (String, Vec<f64>)>,
    /// A message about the first scores that differ too much.
    pub mismatch: Option<String>,
}

/// The identity of a sample: the prepared graph, whether the sample was held back from the race,
/// and the number of roots. `None` stands for all roots, whose scores are the same on all prepared
/// graphs.
type SampleKey = Option<(*const Prepared, bool, usize)>;

impl<'g> SearchMeasurer<'g> {
    /// Starts the clock. Settings are measured in sessions derived from `session`; without it, only
    /// CPU workers can search.
    pub fn new(session: Option<Session>, graph: &'g Preparations) -> Self {
        SearchMeasurer {
            session,
            graph,
            start: Instant::now(),
            references: HashMap::new(),
            mismatch: None,
        }
    }

    /// Returns a sample of at most `size` roots. Every second block of neighbours is held back for
    /// samples with `held_back`. If that leaves too few roots, the sample is from all blocks.
    fn roots(prepared: &Prepared, size: usize, held_back: bool) -> Vec<Root> {
        let all = &prepared.roots;
        let blocks = all.chunks(BLOCK).skip(held_back.into()).step_by(2);
        let half: Vec<Root> = blocks.flatten().copied().collect();
        if size > half.len() {
            return timing::sample(all, size);
        }
        timing::sample(&half, size)
    }
}

impl Measurer for SearchMeasurer<'_> {
    fn now(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    fn search(&mut self, setting: &Setting, size: usize, held_back: bool) -> Result<Sample> {
        let prepared: Arc<Prepared> = Arc::clone(self.graph.for_subject(setting.subject));
        let roots = SearchMeasurer::roots(&prepared, size, held_back);
        let bench = Bench::new(*setting, self.session.as_ref());
        let warm_up_roots = &roots[..roots.len().min(1)];
        let search = bench.search(&prepared, warm_up_roots, &roots)?;
        let batch = match setting.subject {
            // CPU workers may choose engine lanes on larger samples.
            Subject::Cpu => search.workers * LANES.iter().max().copied().unwrap_or(1),
            _ => search.roots_to_saturate(),
        };
        let (key, values) = match roots.len() == prepared.roots.len() {
            true => (None, prepared.scores(&search.sums, Scale::Pairs)),
            false => {
                let key = (Arc::as_ptr(&prepared), held_back, roots.len());
                (Some(key), search.sums)
            }
        };
        // The sums over a sample, or the scores, are compared with those of the first setting.
        let first = || (setting.words(), values.clone());
        let (whose, reference) = self.references.entry(key).or_insert_with(first);
        let difference = timing::difference(&values, reference);
        let allowed = setting.precision.tolerance();
        let check = Check::new(whose, roots.len(), difference, allowed);
        self.mismatch = self.mismatch.take().or(check.failure(&setting.words()));
        Ok(Sample {
            seconds: search.seconds,
            roots: roots.len(),
            total: prepared.roots.len(),
            batch: batch.max(1),
        })
    }
}
