//! Roots for the runs of ranks: rank 0 deals them to itself and, by messages, to the others.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::dealer::Dealer;
use super::world::World;
use crate::prepare::Prepared;
use crate::runner::{Stock, Supplied, Supply};

impl World {
    /// Roots of a prepared graph for this process, but for those searched before, which rank 0
    /// knows. All processes call this; rank 0 deals from now on.
    pub(crate) fn supply(
        self: &Arc<Self>,
        prepared: &Prepared,
        before: &[Range<usize>],
    ) -> Arc<dyn Supply> {
        let world = Arc::clone(self);
        if self.rank() > 0 {
            return Arc::new(Asks(world));
        }
        let (roots, group) = (prepared.roots.len(), prepared.root_group);
        let dealer = Dealer::new(roots, before, group, self.size());
        let dealer = Arc::new(Deals(Mutex::new(dealer)));
        let own = Arc::clone(&dealer);
        let thread = thread::spawn(move || own.serve(&world));
        *self.dealer.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
        dealer
    }
}

/// The supply of rank 0, which deals.
struct Deals(Mutex<Dealer>);

impl Supply for Deals {
    fn next(&self, stock: &Stock, _: &dyn Fn() -> bool) -> Option<Supplied> {
        self.dealer().deal(0, stock)
    }

    fn done(&self, own: usize) -> usize {
        self.dealer().done(0, own)
    }
}

impl Deals {
    fn dealer(&self) -> MutexGuard<'_, Dealer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers the others until each of them has been told that it gets no more roots.
    fn serve(&self, world: &World) {
        let mut asking = world.size() - 1;
        while asking > 0
            && let Some((rank, question)) = world.receive(&|| false)
        {
            let dealt = stock(&question).and_then(|stock| self.dealer().deal(rank, &stock));
            asking -= usize::from(dealt.is_none());
            let answer = dealt.map_or([0; 3], |Supplied { roots, more }| {
                [roots.start, roots.end, more].map(|number| number as u64)
            });
            world.send(rank, &answer);
        }
    }
}

/// What a question says of who asks.
fn stock(question: &[u8]) -> Option<Stock> {
    let numbers = bytemuck::try_pod_read_unaligned::<[u64; 4]>(question).ok()?;
    let [searched, open, together, nanos] = numbers;
    Some(Stock {
        searched: searched as usize,
        open: open as usize,
        together: together as usize,
        seconds: Duration::from_nanos(nanos).as_secs_f64(),
    })
}

/// The supply of the others.
struct Asks(Arc<World>);

impl Supply for Asks {
    fn next(&self, stock: &Stock, ends: &dyn Fn() -> bool) -> Option<Supplied> {
        let nanos = Duration::from_secs_f64(stock.seconds).as_nanos() as u64;
        let numbers = [stock.searched, stock.open, stock.together];
        let [searched, open, together] = numbers.map(|number| number as u64);
        self.0.send(0, &[searched, open, together, nanos]);
        let (_, answer) = self.0.receive(ends)?;
        let numbers = bytemuck::try_pod_read_unaligned::<[u64; 3]>(&answer).ok()?;
        let [start, end, more] = numbers;
        let roots = start as usize..end as usize;
        let more = more as usize;
        (!roots.is_empty()).then_some(Supplied { roots, more })
    }

    fn done(&self, own: usize) -> usize {
        own
    }
}
