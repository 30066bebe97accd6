//! The processes that search together.

use std::mem::discriminant;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bytemuck::Pod;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::messages::{Messages, POLL, rank_and_size};
use super::record::{RankDevice, RankRecord};
use crate::engine::OwnSums;
use crate::error::Error;
use crate::graph::{Csr, Graph, Lengths, Vertex};
use crate::os;
use crate::query::Query;
use crate::runner::{CpuWorkers, Outcome, lock};

/// The largest number of values in a message. MPI counts values in 31 bits, and large messages
/// would need large copies.
const PIECE: usize = 1 << 24;

/// The processes that search together, as seen by one of them. Only rank 0 gets the scores.
pub struct World {
    messages: Box<dyn Messages>,
    /// The time that this process has waited for messages.
    waited_nanos: AtomicU64,
    /// The thread of the dealer, at rank 0.
    pub(super) dealer: Mutex<Option<JoinHandle<()>>>,
}

impl World {
    /// Returns the processes that were started together with this one; `None` if it was started
    /// alone.
    ///
    /// # Errors
    /// [`Error::Settings`] if other processes were started and MPI cannot be used. Without MPI each
    /// of them would search from all roots and write the same files.
    pub fn join() -> Result<Option<World>, Error> {
        match rank_and_size() {
            Some((_, size)) if size > 1 => start(size).map(World::new).map(Some),
            _ => Ok(None),
        }
    }

    pub(super) fn new(messages: Box<dyn Messages>) -> World {
        World {
            messages,
            waited_nanos: AtomicU64::new(0),
            dealer: Mutex::default(),
        }
    }

    /// Returns the number of this process, from 0.
    pub fn rank(&self) -> usize {
        self.messages.rank()
    }

    /// Returns the number of processes.
    pub(super) fn size(&self) -> usize {
        self.messages.size()
    }

    /// Sends the graph of rank 0 to all processes, and returns it. The other ranks get no labels.
    pub fn share(&self, graph: Option<Graph>) -> Graph {
        let csr = graph.as_ref().map(Graph::csr);
        let own = graph.as_ref().and_then(Graph::lengths);
        let directed = self.broadcast_number(graph.as_ref().is_some_and(Graph::directed).into());
        let empty = [
            Lengths::U32(Vec::new()),
            Lengths::U64(Vec::new()),
            Lengths::F64(Vec::new()),
        ];
        let is_own = |empty: &Lengths| own.map(discriminant) == Some(discriminant(empty));
        let kind = empty.iter().position(is_own).unwrap_or(empty.len());
        let kind = self.broadcast_number(kind as u64) as usize;
        let offsets = self.broadcast(csr.map_or(&[], Csr::offsets));
        let targets = self.broadcast(csr.map_or(&[], Csr::targets));
        let lengths = own.or(empty.get(kind)).map(|own| match own {
            Lengths::U32(own) => Lengths::U32(self.broadcast(own)),
            Lengths::U64(own) => Lengths::U64(self.broadcast(own)),
            Lengths::F64(own) => Lengths::F64(self.broadcast(own)),
        });
        graph.unwrap_or_else(|| {
            Graph::unlabelled(Csr::new(offsets, targets), lengths, directed == 1)
        })
    }

    /// Sends the query of rank 0 to all processes, and returns it, for graphs from [`Self::share`].
    /// The other ranks pass a query with the same options, and get radii and decay in units of the
    /// lengths of the shared graph.
    pub fn share_query(&self, graph: &Graph, query: Query) -> Query {
        let unit = graph.weights().and_then(|info| info.unit).unwrap_or(1.0);
        let radii: Vec<f64> = query.radii.iter().map(|radius| radius / unit).collect();
        let decay = query.decay.map(|decay| decay * unit);
        let trips = query.demand.as_deref().unwrap_or_default().iter();
        let (pairs, trips): (Vec<[Vertex; 2]>, Vec<f64>) =
            trips.map(|&(s, t, trips)| ([s, t], trips)).unzip();
        let radii = self.broadcast(&radii);
        let decay = self.broadcast(decay.as_slice());
        let sources = self.broadcast(query.sources.as_deref().unwrap_or_default());
        let targets = self.broadcast(query.targets.as_deref().unwrap_or_default());
        let (pairs, trips) = (self.broadcast(&pairs), self.broadcast(&trips));
        if self.rank() == 0 {
            return query;
        }
        let demand = pairs.into_iter().zip(trips);
        let demand = || demand.map(|([s, t], trips)| (s, t, trips)).collect();
        Query {
            radii,
            decay: decay.first().copied(),
            sources: query.sources.map(|_| sources.into()),
            targets: query.targets.map(|_| targets.into()),
            demand: query.demand.map(|_| demand()),
            ..query
        }
    }

    /// Returns the number of CPU workers of this process. Processes of a machine divide its cores,
    /// unless this process may use only some of them.
    pub(crate) fn workers(&self, asked: CpuWorkers) -> CpuWorkers {
        let (_, processes) = self.messages.local();
        let (own, all) = (num_cpus::get(), os::all_cores());
        match asked {
            CpuWorkers::Auto if processes > 1 && own >= all => {
                CpuWorkers::Count((all / processes).max(1))
            }
            asked => asked,
        }
    }

    /// Returns the number of this process among those of its machine, and their count, if there are
    /// others.
    pub(crate) fn local(&self) -> Option<(usize, usize)> {
        Some(self.messages.local()).filter(|&(_, processes)| processes > 1)
    }

    /// Sends a number of rank 0 to all processes, and returns it.
    pub(crate) fn broadcast_number(&self, mut number: u64) -> u64 {
        self.wait_for_all();
        self.messages.broadcast(bytemuck::bytes_of_mut(&mut number));
        number
    }

    /// Sends an array of rank 0 to the others. Returns it on the other ranks, and an empty array on
    /// rank 0.
    fn broadcast<T: Pod>(&self, own: &[T]) -> Vec<T> {
        let count = self.broadcast_number(own.len() as u64) as usize;
        let (mut all, mut piece) = (Vec::new(), Vec::new());
        if self.rank() > 0 {
            all = vec![T::zeroed(); count];
        }
        for start in (0..count).step_by(PIECE) {
            let range = start..count.min(start + PIECE);
            let part = match all.get_mut(range.clone()) {
                Some(part) => part,
                None => {
                    piece.clear();
                    piece.extend_from_slice(&own[range]);
                    &mut piece[..]
                }
            };
            self.messages.broadcast(bytemuck::cast_slice_mut(part));
        }
        all
    }

    /// Returns whether all processes have the same number.
    pub(crate) fn agree(&self, number: u64) -> bool {
        let others = self.collect(&number);
        let same = others.iter().all(|&other| other == Some(number));
        self.broadcast_number(same.into()) == 1
    }

    /// Sends the values of the other processes to rank 0. Returns them there, by rank, with `None`
    /// for a value that could not be parsed, and an empty array on the other ranks.
    fn collect<T: Serialize + DeserializeOwned + Clone>(&self, own: &T) -> Vec<Option<T>> {
        if self.rank() > 0 {
            self.send(0, own);
            return Vec::new();
        }
        let mut others = vec![None; self.size() - 1];
        for _ in 1..self.size() {
            if let Some((rank, text)) = self.receive(&|| false) {
                others[rank - 1] = serde_json::from_slice(&text).ok();
            }
        }
        others
    }

    pub(super) fn send(&self, to: usize, message: &impl Serialize) {
        let text = serde_json::to_vec(message);
        self.messages.send(to, &text.unwrap_or_default());
    }

    /// Waits for a message, and returns it with its sender; `None` once `ends` returns true.
    pub(super) fn receive(&self, ends: &dyn Fn() -> bool) -> Option<(usize, Vec<u8>)> {
        self.timed(|| {
            loop {
                let message = self.messages.receive();
                if message.is_some() || ends() {
                    return message;
                }
                thread::sleep(POLL);
            }
        })
    }

    /// Adds the sums of all processes on rank 0, and returns their records there. `began` is the
    /// time when all processes were ready.
    pub(crate) fn gather(&self, outcome: &mut Outcome, began: Instant) -> Vec<RankRecord> {
        let dealer = lock(&self.dealer).take();
        if let Some(dealer) = dealer {
            self.timed(|| drop(dealer.join()));
        }
        self.wait_for_all();
        self.timed(|| {
            let OwnSums { vertices, arcs } = &mut outcome.sums;
            let arrays = arcs.iter_mut().chain([vertices]);
            let pieces = arrays.flat_map(|array| array.chunks_mut(PIECE));
            pieces.for_each(|piece| self.messages.sum(piece));
        });
        let own = self.record(outcome, began);
        let others = self.collect(&own);
        [Some(own)].into_iter().chain(others).flatten().collect()
    }

    /// Returns the record of this process.
    fn record(&self, outcome: &Outcome, began: Instant) -> RankRecord {
        let since = |instant: Instant| instant.saturating_duration_since(began).as_secs_f64();
        let worker_roots = outcome.workers.iter().map(|worker| worker.roots).sum();
        let devices = outcome.drivers.iter().map(|driver| RankDevice {
            name: driver.info.name.clone(),
            roots: driver.roots,
        });
        let devices: Vec<_> = devices.collect();
        RankRecord {
            rank: self.rank(),
            host: self.messages.host(),
            roots: worker_roots + devices.iter().map(|device| device.roots).sum::<usize>(),
            workers: outcome.workers.len(),
            worker_roots,
            devices,
            began: since(outcome.search.0),
            ended: since(outcome.search.1),
            messages: Duration::from_nanos(self.waited_nanos.load(Ordering::Relaxed)).as_secs_f64(),
        }
    }

    fn wait_for_all(&self) {
        self.timed(|| self.messages.wait_for_all());
    }

    /// Adds the time of `wait` to the time that this process has waited for others.
    fn timed<T>(&self, wait: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = wait();
        let nanos = start.elapsed().as_nanos() as u64;
        self.waited_nanos.fetch_add(nanos, Ordering::Relaxed);
        result
    }

    /// Waits until all processes call this. Rank 0 calls it when the scores are written; the others
    /// may then remove their checkpoints.
    pub fn finish(&self) {
        self.wait_for_all();
    }

    /// Ends MPI, once all processes call this. Call it last.
    pub fn leave(&self) {
        self.messages.end();
    }
}

#[cfg(feature = "mpi")]
fn start(_: usize) -> Result<Box<dyn Messages>, Error> {
    super::mpi::start()
}

#[cfg(not(feature = "mpi"))]
fn start(size: usize) -> Result<Box<dyn Messages>, Error> {
    Err(Error::Settings(format!(
        "{size} processes were started together, but this program was built without MPI (build it \
         with --features mpi, or split the search with `part`)"
    )))
}
