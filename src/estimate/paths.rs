//! Draws of single shortest paths, for estimates of graphs without lengths.
//!
//! A draw is an ordered pair of vertices, with replacement, and one of its shortest paths. A pair
//! without a path is a draw without a path. The number x of a vertex is 1 if it is inside the path,
//! otherwise 0. Where trees are folded, an end of the pair is the searched vertex that stands for
//! it.

use std::iter;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::processes::Estimator;
use crate::cpu::PathSampler;
use crate::graph::Vertex;
use crate::prepare::Prepared;
use crate::query::Estimate;

/// The draws that share a stream of random numbers, whichever thread makes them.
const BLOCK: usize = 32;
/// The most draws between two checks of a limit of time, or two reports of progress.
const PORTION: usize = 64 * BLOCK;
/// The least number of draws of a batch. Later batches have a part of all draws before them.
const LEAST_DRAWS: usize = 512;
const BATCH_PART: f64 = 16.0;
/// The number of draws of the first batch is this divided by the square of epsilon, within limits:
/// for small worlds some 7% of all draws.
const FIRST: f64 = 0.06;
const MOST_FIRST: f64 = 6_000.0;

/// Returns the number of draws of the first batch.
pub(super) fn first_draws(epsilon: f64) -> usize {
    (FIRST / (epsilon * epsilon)).clamp(LEAST_DRAWS as f64, MOST_FIRST) as usize
}

/// The draws of paths of an estimate.
pub(crate) struct Paths {
    pub(crate) threads: ThreadPool,
    prepared: Arc<Prepared>,
    pub(super) estimator: Estimator,
    /// The searched vertex of each vertex of the input that has one.
    ends: Vec<Vertex>,
    /// The number of vertices of the input.
    vertices: usize,
    /// Gives the seed of each block of draws.
    seeds: Pcg64,
    /// The number of paths of the batch that pass each vertex.
    hits: Vec<AtomicU32>,
    /// The number of draws in the batch so far.
    in_batch: usize,
    /// The number of draws with which the batch ends.
    batch: usize,
    /// The number of draws of the first batch.
    pub(super) first: usize,
    samplers: Mutex<Vec<PathSampler>>,
}

impl Paths {
    /// Makes the state before the first draw from an input with this many vertices.
    pub(super) fn new(
        threads: ThreadPool,
        prepared: &Arc<Prepared>,
        options: Estimate,
        input: usize,
    ) -> Paths {
        let (vertices, first) = (prepared.graph.vertices(), first_draws(options.epsilon));
        let weights = (0..).zip(&prepared.weight);
        let ends = weights.flat_map(|(v, &weight)| iter::repeat_n(v, weight as usize));
        Paths {
            threads,
            prepared: Arc::clone(prepared),
            estimator: Estimator::new(options, vertices, f64::INFINITY),
            ends: ends.collect(),
            vertices: input,
            seeds: Pcg64::seed_from_u64(options.seed),
            hits: (0..vertices).map(|_| AtomicU32::new(0)).collect(),
            in_batch: 0,
            batch: first,
            first,
            samplers: Mutex::default(),
        }
    }

    /// Returns the number of draws so far.
    pub(crate) fn drawn(&self) -> usize {
        self.estimator.drawn as usize + self.in_batch
    }

    /// Draws the next paths of the batch. Returns whether the batch is complete; then the processes
    /// have it.
    pub(crate) fn draw(&mut self) -> bool {
        let count = (self.batch - self.in_batch).min(PORTION);
        let firsts = (0..count).step_by(BLOCK);
        let blocks = firsts.map(|first| (self.seeds.next_u64(), BLOCK.min(count - first)));
        let blocks: Vec<(u64, usize)> = blocks.collect();
        let this = &*self;
        let draw = || blocks.par_iter().for_each(|&block| this.draw_block(block));
        this.threads.install(draw);
        self.in_batch += count;
        let is_complete = self.in_batch == self.batch;
        if is_complete {
            self.learn();
        }
        is_complete
    }

    /// Returns the widths of intervals, as [`Estimator::widths`], and the planned number of draws.
    pub(super) fn widths_and_plan(&mut self, most: f64) -> ([f64; 2], f64) {
        let estimator = &mut self.estimator;
        (self.threads).install(|| (estimator.widths(), estimator.plan(most)))
    }

    fn draw_block(&self, (seed, count): (u64, usize)) {
        let samplers = || self.samplers.lock().unwrap_or_else(PoisonError::into_inner);
        let sampler = samplers().pop();
        let graphs = self.prepared.ways();
        let mut sampler = sampler.unwrap_or_else(|| PathSampler::new(graphs[0].vertices()));
        let mut random = Pcg64::seed_from_u64(seed);
        for _ in 0..count {
            let [from, to] = [(); 2].map(|()| self.ends.get(random.random_range(0..self.vertices)));
            if let (Some(&from), Some(&to)) = (from, to)
                && from != to
            {
                sampler.draw(graphs, [from, to], &mut random, |v| {
                    self.hits[v as usize].fetch_add(1, Ordering::Relaxed);
                });
            }
        }
        samplers().push(sampler);
    }

    /// Adds the complete batch to the processes.
    fn learn(&mut self) {
        let (hits, estimator, batch) = (&self.hits, &mut self.estimator, self.batch);
        self.threads.install(|| {
            estimator.add(batch, |v| {
                let count = f64::from(hits[v].load(Ordering::Relaxed));
                [count, count]
            });
            let hits = hits.par_iter();
            hits.for_each(|hits| hits.store(0, Ordering::Relaxed));
        });
        self.in_batch = 0;
    }

    /// Begins the next batch, of which the planned number of draws is the end if it is near.
    pub(super) fn begin(&mut self, planned: f64) -> usize {
        let drawn = self.estimator.drawn;
        let usual = (drawn / BATCH_PART).max(LEAST_DRAWS as f64);
        let left = planned - drawn;
        let near = left > usual / 4.0 && left < usual;
        self.batch = if near { left.ceil() } else { usual } as usize;
        self.batch
    }
}
