//! Simulated runs of many ranks: the cost of the dealer, and the waiting times at the end.
//!
//! A rank takes the same time for any number of roots up to a batch, as a runner with all its
//! participants does. Like the runner's supply, it requests roots when half of its last ones are
//! claimed. The dealer serves one message at a time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::dealer::Dealer;
use crate::runner::SupplyRequest;

/// The cost of messages, in seconds.
#[derive(Debug, Clone, Copy)]
struct Messages {
    /// The time from sending a message to receiving it, including the wait for the next poll.
    latency: f64,
    /// The time of the dealer for a request and its answer.
    service: f64,
}

/// The costs measured over TCP (docs/measured.md), which is slow. Ranks poll every 0.2 ms.
const MESSAGES: Messages = Messages {
    latency: 220e-6,
    service: 10e-6,
};

#[derive(Debug, Clone, Copy)]
struct Machine {
    /// The rate in roots a second.
    rate: f64,
    /// The number of roots searched at a time.
    batch: usize,
}

/// A rank of the simulation.
#[derive(Debug, Clone, Default)]
struct Rank {
    /// The number of roots that it has not begun.
    stock: usize,
    last: usize,
    searched: usize,
    /// The number of roots being searched, and when that ends.
    batch: usize,
    free: f64,
    /// When the next answer comes, and the number of roots in it.
    answer: Option<(f64, usize)>,
    ended: bool,
}

/// Runs all ranks until all `roots` are searched. Returns the time, and the part of it in which the
/// dealer was busy.
fn simulate(roots: usize, group: usize, machines: &[Machine], messages: Messages) -> (f64, f64) {
    let Messages { latency, service } = messages;
    let mut dealer = Dealer::new(roots, &[], group, machines.len());
    let mut ranks = vec![Rank::default(); machines.len()];
    let (mut dealer_free, mut dealing, mut last, mut dealt) = (0.0f64, 0.0, 0.0f64, 0);
    let mut events: BinaryHeap<_> = (0..ranks.len()).map(|rank| Reverse((0u64, rank))).collect();
    let ticks = |seconds: f64| (seconds * 1e9).ceil() as u64;
    while let Some(Reverse((tick, number))) = events.pop() {
        let now = tick as f64 / 1e9;
        let (rank, machine) = (&mut ranks[number], machines[number]);
        if let Some((_, count)) = rank.answer.take_if(|&mut (at, _)| at <= now + 1e-9) {
            rank.ended = count == 0;
            (rank.stock, rank.last) = (rank.stock + count, count);
        }
        if rank.batch > 0 && rank.free <= now + 1e-9 {
            rank.searched += std::mem::take(&mut rank.batch);
            last = last.max(now);
        }
        if rank.batch == 0 && rank.stock > 0 {
            rank.batch = rank.stock.min(machine.batch);
            rank.stock -= rank.batch;
            rank.free = now + machine.batch as f64 / machine.rate;
            events.push(Reverse((ticks(rank.free), number)));
        }
        if rank.answer.is_none() && !rank.ended && rank.stock <= rank.last / 2 {
            let request = SupplyRequest {
                searched: rank.searched,
                batch: machine.batch,
                seconds: now,
            };
            dealer_free = dealer_free.max(now + latency) + service;
            dealing += service;
            let count = dealer.deal(number, &request);
            let count = count.map_or(0, |dealt| dealt.roots.len());
            dealt += count;
            rank.answer = Some((dealer_free + latency, count));
            events.push(Reverse((ticks(dealer_free + latency), number)));
        }
    }
    assert_eq!(dealt, roots);
    assert_eq!(ranks.iter().map(|rank| rank.searched).sum::<usize>(), roots);
    (last, dealing / last)
}

/// Returns the seconds that all machines need together if none ever waits.
fn ideal(roots: usize, machines: &[Machine]) -> f64 {
    roots as f64 / machines.iter().map(|machine| machine.rate).sum::<f64>()
}

fn machine(rate: f64, batch: usize) -> Machine {
    Machine { rate, batch }
}

/// Dealing costs less than a hundredth, and no rank ends later than about two of its batches after
/// the others: R-MAT 22 on H200s, 2.4 million roots after folding in some 600 s. `docs/measured.md`
/// has some of the speed-ups that this test prints.
#[test]
#[expect(clippy::print_stdout, reason = "it is for people")]
fn dealing_costs_little_and_ranks_end_within_a_few_batches() {
    let (latency, service, roots) = (0.0, 0.0, 2_396_000);
    for count in [1, 2, 4, 8, 16, 32, 64, 100, 128, 256, 300, 512, 1000] {
        let machines = vec![machine(4_000.0, 4_096); count];
        let (seconds, dealing) = simulate(roots, 1, &machines, MESSAGES);
        // Ranks search while the dealer works.
        assert!(dealing < 0.02, "{count}: {dealing}");
        let (least, _) = simulate(roots, 1, &machines, Messages { latency, service });
        assert!(seconds < 1.01 * least, "{count}: {seconds} {least}");
        let most = ideal(roots, &machines) + 2.5 * 4_096.0 / 4_000.0;
        assert!(seconds < most, "{count}: {seconds} {most}");
        let one = ideal(roots, &machines[..1]);
        println!(
            "{count} ranks: {seconds:.2} s, {:.1} times as fast",
            one / seconds
        );
    }
}

#[test]
fn slow_ranks_do_not_hold_fast_ones_up() {
    let (fast, slow) = (machine(4_000.0, 1_024), machine(100.0, 64));
    for (roots, group) in [(200_000, 1), (1_000_000, 64)] {
        for machines in [
            vec![fast, slow],
            vec![slow, fast, slow, slow],
            [vec![fast; 3], vec![slow; 40]].concat(),
        ] {
            let (seconds, _) = simulate(roots, group, &machines, MESSAGES);
            let most = 1.05 * ideal(roots, &machines) + 2.0;
            assert!(seconds < most, "{seconds} {most}");
        }
    }
}

#[test]
fn the_roots_of_an_earlier_run_count_as_done() {
    let dealer = Dealer::new(100, &[0..10, 40..50], 1, 2);
    assert_eq!(dealer.done(3), 23);
}
