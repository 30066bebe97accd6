//! The supply of roots to ranks: rank 0 deals them to itself and, by messages, to the others.

use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::thread;

use super::dealer::Dealer;
use super::world::World;
use crate::prepare::Prepared;
use crate::runner::{Stock, Supplied, Supply, lock};

impl World {
    /// Returns the supply of this process, without the roots searched `before`, which rank 0 knows.
    /// All processes call this. Rank 0 starts to deal.
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
        *lock(&self.dealer) = Some(thread);
        dealer
    }
}

/// The supply of rank 0.
struct Deals(Mutex<Dealer>);

impl Supply for Deals {
    fn next(&self, stock: &Stock, _: &dyn Fn() -> bool) -> Option<Supplied> {
        lock(&self.0).deal(0, stock)
    }

    fn done(&self, own: usize) -> usize {
        lock(&self.0).done(own)
    }
}

impl Deals {
    /// Answers the requests of the others until no more roots are left for any of them.
    fn serve(&self, world: &World) {
        let mut asking = world.size() - 1;
        while asking > 0
            && let Some((rank, question)) = world.receive(&|| false)
        {
            let stock = serde_json::from_slice(&question).ok();
            let dealt = stock.and_then(|stock| lock(&self.0).deal(rank, &stock));
            asking -= usize::from(dealt.is_none());
            world.send(rank, &dealt);
        }
    }
}

/// The supply of the other ranks.
struct Asks(Arc<World>);

impl Supply for Asks {
    fn next(&self, stock: &Stock, ends: &dyn Fn() -> bool) -> Option<Supplied> {
        self.0.send(0, stock);
        let (_, answer) = self.0.receive(ends)?;
        serde_json::from_slice::<Option<Supplied>>(&answer).ok()?
    }

    fn done(&self, own: usize) -> usize {
        own
    }
}
