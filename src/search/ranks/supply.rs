//! The supply of roots to ranks. Rank 0 deals roots to itself and, by messages, to the others.

use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::thread;

use super::dealer::Dealer;
use super::world::World;
use crate::prepare::Prepared;
use crate::runner::{Supplied, Supply, SupplyRequest, lock};

impl World {
    /// Returns the supply of this rank. All ranks call this; rank 0 also starts to deal, without
    /// the roots `before`, which an earlier run searched. The other ranks ignore `before`.
    pub(crate) fn supply(
        self: &Arc<Self>,
        prepared: &Prepared,
        before: &[Range<usize>],
    ) -> Arc<dyn Supply> {
        let world = Arc::clone(self);
        if self.rank() > 0 {
            return Arc::new(OtherRanks(world));
        }
        let (roots, group) = (prepared.roots.len(), prepared.root_group);
        let dealer = Dealer::new(roots, before, group, self.size());
        let dealer = Arc::new(RankZero(Mutex::new(dealer)));
        let own = Arc::clone(&dealer);
        let thread = thread::spawn(move || own.answer_all(&world));
        *lock(&self.dealer) = Some(thread);
        dealer
    }
}

/// The supply of rank 0.
struct RankZero(Mutex<Dealer>);

impl Supply for RankZero {
    fn next(&self, request: &SupplyRequest, _: &dyn Fn() -> bool) -> Option<Supplied> {
        lock(&self.0).deal(0, request)
    }

    fn done(&self, own: usize) -> usize {
        lock(&self.0).done(own)
    }
}

impl RankZero {
    /// Answers the requests of the other ranks until none of them gets more roots.
    fn answer_all(&self, world: &World) {
        let mut asking = world.size() - 1;
        while asking > 0
            && let Some((rank, request)) = world.receive(&|| false)
        {
            let request = serde_json::from_slice(&request).ok();
            let dealt = request.and_then(|request| lock(&self.0).deal(rank, &request));
            asking -= usize::from(dealt.is_none());
            world.send(rank, &dealt);
        }
    }
}

/// The supply of the other ranks.
struct OtherRanks(Arc<World>);

impl Supply for OtherRanks {
    fn next(&self, request: &SupplyRequest, ends: &dyn Fn() -> bool) -> Option<Supplied> {
        self.0.send(0, request);
        let (_, answer) = self.0.receive(ends)?;
        serde_json::from_slice::<Option<Supplied>>(&answer).ok()?
    }

    fn done(&self, own: usize) -> usize {
        own
    }
}
