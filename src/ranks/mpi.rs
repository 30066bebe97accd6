//! The messages between ranks.
//!
//! MPI is asked for `MPI_THREAD_SERIALIZED`: a process has one thread at a time that makes calls.
//! While roots are searched this is the thread of the supply, or that of the dealer at rank 0;
//! before and after it is the one that runs the search.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use mpi::Threading;
use mpi::collective::{Root, SystemOperation};
use mpi::datatype::Equivalence;
use mpi::environment::{Universe, processor_name};
use mpi::point_to_point::{Destination, Source};
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::CommunicatorCollectives;

use super::dealer::Dealer;
use super::{LOOK, RankRecord, settings, started};
use crate::engine::OwnSums;
use crate::error::Error;
use crate::runner::{Stock, Supplied, Supply};

/// Numbers of a message: MPI counts them in 31 bits, and implementations copy what they send.
const PIECE: usize = 1 << 24;

/// Tags of questions for roots, and of answers.
const ASK: i32 = 1;
const ANSWER: i32 = 2;

/// The processes that search together.
pub struct World {
    world: SimpleCommunicator,
    local: (usize, usize),
    /// Nanoseconds.
    waited: AtomicU64,
    /// The thread that deals, at rank 0.
    dealer: Mutex<Option<JoinHandle<()>>>,
    /// Ends MPI when it is dropped.
    universe: Option<Universe>,
}

/// A process that ends without [`World::end`] has failed: MPI then ends the others, while to end it
/// here would wait for them.
impl Drop for World {
    fn drop(&mut self) {
        std::mem::forget(self.universe.take());
    }
}

// SAFETY: its parts are handles of MPI, whose calls one thread makes at a time (see above), as
// `MPI_THREAD_SERIALIZED` asks.
unsafe impl Send for World {}
// SAFETY: as above.
unsafe impl Sync for World {}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl World {
    /// The processes that were started together with this one; `None` if it was started alone.
    ///
    /// # Errors
    /// [`Error::Settings`] if MPI cannot be used.
    pub fn join() -> Result<Option<World>, Error> {
        if started().is_none_or(|(_, size)| size < 2) {
            return Ok(None);
        }
        let Some((universe, threading)) = mpi::initialize_with_threading(Threading::Serialized)
        else {
            return settings("MPI was started already");
        };
        let world = universe.world();
        if threading < Threading::Serialized {
            return settings("this MPI library allows no threads; use another one");
        }
        let shared = world.split_shared(world.rank());
        let local = (shared.rank() as usize, shared.size() as usize);
        Ok(Some(World {
            world,
            local,
            waited: AtomicU64::new(0),
            dealer: Mutex::default(),
            universe: Some(universe),
        }))
    }

    /// Ends MPI here, when all do so.
    pub(super) fn end(mut self) {
        drop(self.universe.take());
    }

    /// The number of this process, from 0.
    pub fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    /// How many processes there are.
    pub fn size(&self) -> usize {
        self.world.size() as usize
    }

    /// The number of this process among those of its machine, and how many these are.
    pub fn local(&self) -> (usize, usize) {
        self.local
    }

    /// The name of the machine.
    pub fn host(&self) -> String {
        processor_name().unwrap_or_default()
    }

    /// How long messages have been waited for.
    pub fn waited(&self) -> Duration {
        Duration::from_nanos(self.waited.load(Ordering::Relaxed))
    }

    /// Does something that waits for messages.
    fn timed<T>(&self, wait: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = wait();
        let nanos = start.elapsed().as_nanos() as u64;
        self.waited.fetch_add(nanos, Ordering::Relaxed);
        done
    }

    /// Waits until all are here. Cores are left to others meanwhile, as MPI does not.
    pub(crate) fn wait_for_all(&self) {
        self.timed(|| {
            let mut request = self.world.immediate_barrier();
            while let Err(waiting) = request.test() {
                request = waiting;
                thread::sleep(LOOK);
            }
        });
    }

    /// Gives all what rank 0 has.
    pub(super) fn broadcast<T: Equivalence + Clone + Default>(&self, values: &mut Vec<T>) {
        let mut count = values.len() as u64;
        self.tell(&mut count);
        values.resize(count as usize, T::default());
        let root = self.world.process_at_rank(0);
        for piece in values.chunks_mut(PIECE) {
            root.broadcast_into(piece);
        }
    }

    /// Gives all the number of rank 0.
    pub(crate) fn tell(&self, number: &mut u64) {
        self.wait_for_all();
        self.world.process_at_rank(0).broadcast_into(number);
    }

    /// Whether all have the same number.
    pub(crate) fn agree(&self, number: u64) -> bool {
        self.wait_for_all();
        let own = [number, !number];
        let mut least = own;
        self.world
            .all_reduce_into(&own[..], &mut least[..], SystemOperation::min());
        least[0] == number && least[1] == !number
    }

    /// Adds the sums of all up at rank 0; those of others are lost.
    pub(crate) fn sum(&self, sums: &mut OwnSums) {
        self.wait_for_all();
        self.timed(|| {
            self.sum_array(&mut sums.vertices);
            if let Some(arcs) = &mut sums.arcs {
                self.sum_array(arcs);
            }
        });
    }

    fn sum_array(&self, values: &mut [f64]) {
        let root = self.world.process_at_rank(0);
        let mut total = vec![0.0; values.len().min(PIECE)];
        for piece in values.chunks_mut(PIECE) {
            let total = &mut total[..piece.len()];
            if self.rank() == 0 {
                root.reduce_into_root(&*piece, total, SystemOperation::sum());
                piece.copy_from_slice(total);
            } else {
                root.reduce_into(&*piece, SystemOperation::sum());
            }
        }
    }

    /// What all did, at rank 0.
    pub(crate) fn gather(&self, own: &RankRecord) -> Vec<RankRecord> {
        let text = serde_json::to_vec(own).unwrap_or_default();
        let root = self.world.process_at_rank(0);
        if self.rank() > 0 {
            root.send_with_tag(&text[..], ANSWER);
            return Vec::new();
        }
        let others = (1..self.world.size()).filter_map(|rank| {
            let from = self.world.process_at_rank(rank);
            let (text, _) = from.receive_vec_with_tag::<u8>(ANSWER);
            serde_json::from_slice(&text).ok()
        });
        std::iter::once(own.clone()).chain(others).collect()
    }

    /// Roots for this process, out of so many but for those searched before, which rank 0 knows, in
    /// groups of so many. All processes call this; rank 0 deals from now on.
    pub(crate) fn supply(
        self: &Arc<Self>,
        roots: usize,
        before: &[Range<usize>],
        group: usize,
    ) -> Arc<dyn Supply> {
        let world = Arc::clone(self);
        if self.rank() > 0 {
            return Arc::new(Asks { world });
        }
        let dealer = Arc::new(Deals {
            dealer: Mutex::new(Dealer::new(roots, before, group, self.size())),
        });
        let own = Arc::clone(&dealer);
        *lock(&self.dealer) = Some(thread::spawn(move || own.serve(&world)));
        dealer
    }

    /// Waits until rank 0 has dealt all roots, so that this thread may make calls.
    pub(crate) fn dealt(&self) {
        let dealer = lock(&self.dealer).take();
        if let Some(dealer) = dealer {
            self.timed(|| drop(dealer.join()));
        }
    }
}

/// The supply of rank 0, which deals.
struct Deals {
    dealer: Mutex<Dealer>,
}

impl Supply for Deals {
    fn next(&self, stock: &Stock, _: &dyn Fn() -> bool) -> Option<Supplied> {
        lock(&self.dealer).deal(0, stock)
    }

    fn done(&self, own: usize) -> usize {
        lock(&self.dealer).done(0, own)
    }
}

impl Deals {
    /// Answers the others until each of them has been told that there are no more roots.
    fn serve(&self, world: &World) {
        let mut asking: VecDeque<i32> = (1..world.world.size()).collect();
        while !asking.is_empty() {
            let any = world.world.any_process();
            let Some((message, status)) = any.immediate_matched_probe_with_tag(ASK) else {
                thread::sleep(LOOK);
                continue;
            };
            let mut ask = [0u64; 4];
            message.matched_receive_into(&mut ask[..]);
            let rank = status.source_rank();
            let [searched, open, together, nanos] = ask;
            let stock = Stock {
                searched: searched as usize,
                open: open as usize,
                together: together as usize,
                seconds: Duration::from_nanos(nanos).as_secs_f64(),
            };
            let dealt = lock(&self.dealer).deal(rank as usize, &stock);
            if dealt.is_none() {
                asking.retain(|&other| other != rank);
            }
            let answer = dealt.map_or([0; 3], |Supplied { roots, more }| {
                [roots.start, roots.end, more].map(|number| number as u64)
            });
            let to = world.world.process_at_rank(rank);
            to.send_with_tag(&answer[..], ANSWER);
        }
    }
}

/// The supply of other ranks.
struct Asks {
    world: Arc<World>,
}

impl Supply for Asks {
    fn next(&self, stock: &Stock, ends: &dyn Fn() -> bool) -> Option<Supplied> {
        let root = self.world.world.process_at_rank(0);
        let nanos = Duration::from_secs_f64(stock.seconds).as_nanos() as u64;
        let numbers = [stock.searched, stock.open, stock.together];
        let [searched, open, together] = numbers.map(|number| number as u64);
        root.send_with_tag(&[searched, open, together, nanos][..], ASK);
        self.world.timed(|| {
            loop {
                if let Some((message, _)) = root.immediate_matched_probe_with_tag(ANSWER) {
                    let mut answer = [0u64; 3];
                    message.matched_receive_into(&mut answer[..]);
                    let [start, end, more] = answer.map(|number| number as usize);
                    let roots = start..end;
                    return (!roots.is_empty()).then_some(Supplied { roots, more });
                }
                if ends() {
                    return None;
                }
                thread::sleep(LOOK);
            }
        })
    }

    fn done(&self, own: usize) -> usize {
        own
    }
}
