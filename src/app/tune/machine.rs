//! The measurer that really searches, and compares what comes out.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use super::race::{Measurer, Sample, Sighting, part};
use super::setting::Setting;
use crate::app::bench::compare::tolerance;
use crate::app::bench::{Bench, Preparations, Subject, timing};
use brandes::cpu::lanes::LANES;
use brandes::device::Session;
use brandes::engine::{Precision, Root};
use brandes::graph::Vertex;
use brandes::prepare::{Prepared, Scale};
use brandes::runner::CpuWorkers;
use brandes::strategy::Strategy;

/// Fewer roots that no sample had are too few for the check.
const FEWEST_HELD_BACK: usize = 64;

/// One device, or CPU workers alone, and one graph.
pub struct Machine<'g> {
    session: Option<Session>,
    cpu_workers: CpuWorkers,
    graph: &'g Preparations,
    precision: Precision,
    start: Instant,
    /// Sums to compare with: of whom, of which graph, from which sample.
    references: Vec<Reference>,
    /// Scores of all roots, by the first who searched from all.
    scores: Option<(String, Vec<f64>)>,
    /// Root vertices of samples, as the graph stands and as it is contracted.
    used: [HashSet<Vertex>; 2],
    /// The first scores that differed, in words.
    pub differs: Option<String>,
}

struct Reference {
    who: String,
    contracted: bool,
    sample: Sample,
    sums: Vec<f64>,
}

impl<'g> Machine<'g> {
    /// Settings are tried in sessions made of this one; without one, CPU workers only can search.
    /// The clock starts now.
    pub fn new(session: Option<Session>, cpu_workers: CpuWorkers, graph: &'g Preparations) -> Self {
        let precision = session.as_ref().map(|session| session.options.precision);
        Machine {
            precision: precision.unwrap_or_default(),
            session,
            cpu_workers,
            graph,
            start: Instant::now(),
            references: Vec::new(),
            scores: None,
            used: Default::default(),
            differs: None,
        }
    }

    /// Seconds that kernels were built.
    fn build_seconds(&self) -> f64 {
        self.session.as_ref().map_or(0.0, Session::build_seconds)
    }

    /// The roots of a sample.
    fn roots(&mut self, prepared: &Prepared, sample: Sample) -> Vec<Root> {
        let all = &prepared.roots;
        let of = self.graph.plain().roots.len();
        let used = &mut self.used[usize::from(prepared.chains.is_some())];
        match sample {
            Sample::Share(size) => {
                let roots = timing::sample(all, part(all.len(), size, of).max(1));
                used.extend(roots.iter().map(|root| root.vertex));
                roots
            }
            Sample::HeldBack(size) => {
                // Contracted or not, the check has the same part of the roots.
                let totals = [Subject::Ablation(None), Subject::Device(Strategy::Chains)];
                let totals = totals.map(|subject| self.graph.of(subject).roots.len());
                let fresh = |(used, total): (&HashSet<Vertex>, usize)| {
                    part(of, total.saturating_sub(used.len()), total)
                };
                let left = self.used.iter().zip(totals).map(fresh).min().unwrap_or(0);
                let used = &self.used[usize::from(prepared.chains.is_some())];
                let size = part(all.len(), size, of).max(1);
                if left < FEWEST_HELD_BACK {
                    return timing::sample(all, size);
                }
                let fresh: Vec<Root> = all
                    .iter()
                    .filter(|root| !used.contains(&root.vertex))
                    .copied()
                    .collect();
                timing::sample(&fresh, size.min(part(all.len(), left, of)))
            }
        }
    }

    /// Compares sums with those of whoever searched from the same roots first.
    fn compare(
        &mut self,
        who: &Setting,
        prepared: &Prepared,
        sample: Sample,
        roots: usize,
        sums: Vec<f64>,
    ) {
        let contracted = prepared.chains.is_some();
        let mut difference = None;
        // The same graph, contracted and not, has other roots, but the same scores.
        if roots == prepared.roots.len() {
            let scores = prepared.scores(&sums, Scale::Pairs);
            match &self.scores {
                None => self.scores = Some((who.words(), scores)),
                Some((whose, reference)) => {
                    difference = Some((whose.clone(), timing::difference(&scores, reference)));
                }
            }
        } else {
            let mut known = self.references.iter();
            match known.find(|r| r.sample == sample && r.contracted == contracted) {
                Some(r) => {
                    difference = Some((r.who.clone(), timing::difference(&sums, &r.sums)));
                }
                None => self.references.push(Reference {
                    who: who.words(),
                    contracted,
                    sample,
                    sums,
                }),
            }
        }
        let allowed = tolerance(self.precision);
        if let Some((whose, difference)) = difference.filter(|(_, d)| *d > allowed) {
            self.differs.get_or_insert_with(|| {
                format!(
                    "the scores of '{}' differ from those of '{whose}' by {difference:.1e} relative \
                     over {roots} roots; one of the two is wrong ({allowed:e} is allowed)",
                    who.words()
                )
            });
        }
    }
}

impl Measurer for Machine<'_> {
    fn now(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    fn search(&mut self, setting: &Setting, sample: Sample) -> Result<Sighting, String> {
        let prepared: Arc<Prepared> = Arc::clone(self.graph.of(setting.subject));
        let roots = self.roots(&prepared, sample);
        let built = self.build_seconds();
        let session = self.session.as_ref();
        let session =
            session.map(|session| session.with_options(setting.options(&session.options)));
        let bench = Bench {
            session: session.transpose().map_err(|error| error.to_string())?,
            cpu_workers: self.cpu_workers,
            cpu_lanes: setting
                .engine()
                .and(setting.lanes)
                .map(|lanes| lanes as usize),
        };
        let warm = &roots[..roots.len().min(1)];
        let done = bench.search(setting.subject, &prepared, warm, &roots)?;
        let unit = match &done.plan {
            Some(plan) => plan.slots.unwrap_or(plan.lanes * plan.batches_in_flight),
            // It may choose lanes as soon as roots are many.
            None if setting.subject == Subject::Cpu => {
                done.workers * LANES.iter().max().copied().unwrap_or(1)
            }
            None => done.together(),
        };
        self.compare(setting, &prepared, sample, roots.len(), done.sums);
        Ok(Sighting {
            seconds: done.seconds,
            roots: roots.len(),
            total: prepared.roots.len(),
            unit: unit.max(1),
            strategy: done.plan.map(|plan| plan.strategy),
            setup: self.build_seconds() - built,
        })
    }
}
