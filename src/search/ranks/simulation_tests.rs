//! Simulated runs of many ranks: the cost of the dealer, and the waiting times at the end.
//!
//! A rank takes the same time for any number of roots up to a batch, as a runner with all its
//! participants does. Like the runner's supply, it requests roots when half of its last ones are
//! claimed. The dealer serves one message at a time.

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
#[derive(Debug, Clone)]
struct Rank {
    machine: Machine,
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
    claims: usize,
}

struct Outcome {
    seconds: f64,
    claims: usize,
    /// The part of that time in which the dealer was busy.
    dealing: f64,
}

/// Runs all ranks until all `roots` are searched.
fn simulate(roots: usize, group: usize, machines: &[Machine], messages: Messages) -> Outcome {
    let Messages { latency, service } = messages;
    let mut dealer = Dealer::new(roots, &[], group, machines.len());
    let (mut dealer_free, mut dealing) = (0.0f64, 0.0);
    let mut ranks: Vec<Rank> = machines
        .iter()
        .map(|&machine| Rank {
            machine,
            stock: 0,
            last: 0,
            searched: 0,
            batch: 0,
            free: 0.0,
            answer: None,
            ended: false,
            claims: 0,
        })
        .collect();
    let mut dealt = 0;
    let mut now;
    let mut events: std::collections::BinaryHeap<_> = (0..ranks.len())
        .map(|rank| std::cmp::Reverse((0u64, rank)))
        .collect();
    let mut last = 0.0f64;
    let ticks = |seconds: f64| (seconds * 1e9).ceil() as u64;
    while let Some(std::cmp::Reverse((tick, number))) = events.pop() {
        now = tick as f64 / 1e9;
        let rank = &mut ranks[number];
        if let Some((at, count)) = rank.answer
            && at <= now + 1e-9
        {
            rank.answer = None;
            rank.ended = count == 0;
            (rank.stock, rank.last) = (rank.stock + count, count);
        }
        if rank.batch > 0 && rank.free <= now + 1e-9 {
            rank.searched += rank.batch;
            rank.batch = 0;
            last = last.max(now);
        }
        if rank.batch == 0 && rank.stock > 0 {
            rank.batch = rank.stock.min(rank.machine.batch);
            rank.stock -= rank.batch;
            rank.free = now + rank.machine.batch as f64 / rank.machine.rate;
            events.push(std::cmp::Reverse((ticks(rank.free), number)));
        }
        if rank.answer.is_none() && !rank.ended && rank.stock <= rank.last / 2 {
            let request = SupplyRequest {
                searched: rank.searched,
                batch: rank.machine.batch,
                seconds: now,
            };
            let begin = dealer_free.max(now + latency);
            dealer_free = begin + service;
            dealing += service;
            let count = dealer
                .deal(number, &request)
                .map_or(0, |dealt| dealt.roots.len());
            dealt += count;
            rank.claims += 1;
            let at = dealer_free + latency;
            rank.answer = Some((at, count));
            events.push(std::cmp::Reverse((ticks(at), number)));
        }
    }
    assert_eq!(dealt, roots);
    assert_eq!(ranks.iter().map(|rank| rank.searched).sum::<usize>(), roots);
    Outcome {
        seconds: last,
        claims: ranks.iter().map(|rank| rank.claims).sum(),
        dealing: dealing / last,
    }
}

/// Returns the seconds that all machines need together if none ever waits.
fn ideal(roots: usize, machines: &[Machine]) -> f64 {
    roots as f64 / machines.iter().map(|machine| machine.rate).sum::<f64>()
}

/// R-MAT 22 on H200s: 2.4 million roots after folding in some 600 s, 4,096 at a time.
const RMAT_22: (usize, Machine) = (
    2_396_000,
    Machine {
        rate: 4_000.0,
        batch: 4_096,
    },
);

#[test]
fn dealing_costs_less_than_a_hundredth() {
    let (roots, machine) = RMAT_22;
    let free = Messages {
        latency: 0.0,
        service: 0.0,
    };
    for count in [1, 4, 32, 100, 1000] {
        let machines = vec![machine; count];
        let outcome = simulate(roots, 1, &machines, MESSAGES);
        // Ranks search while the dealer works.
        assert!(outcome.dealing < 0.02, "{count}: {}", outcome.dealing);
        let least = simulate(roots, 1, &machines, free).seconds;
        assert!(
            outcome.seconds < 1.01 * least,
            "{count}: {} {least}",
            outcome.seconds
        );
    }
}

/// No rank ends later than about two of its batches after the others.
#[test]
fn ranks_end_within_a_few_batches() {
    let (roots, machine) = RMAT_22;
    for count in [1, 2, 8, 32, 100, 300, 1000] {
        let machines = vec![machine; count];
        let outcome = simulate(roots, 1, &machines, MESSAGES);
        let batch = machine.batch as f64 / machine.rate;
        let most = ideal(roots, &machines) + 2.5 * batch;
        assert!(
            outcome.seconds < most,
            "{count}: {} {most}",
            outcome.seconds
        );
    }
}

#[test]
fn slow_ranks_do_not_hold_fast_ones_up() {
    let fast = Machine {
        rate: 4_000.0,
        batch: 1_024,
    };
    let slow = Machine {
        rate: 100.0,
        batch: 64,
    };
    for (roots, group) in [(200_000, 1), (1_000_000, 64)] {
        for machines in [
            vec![fast, slow],
            vec![slow, fast, slow, slow],
            [vec![fast; 3], vec![slow; 40]].concat(),
        ] {
            let outcome = simulate(roots, group, &machines, MESSAGES);
            let most = 1.05 * ideal(roots, &machines) + 2.0;
            assert!(outcome.seconds < most, "{} {most}", outcome.seconds);
        }
    }
}

/// Prints a row for each number of ranks: the seconds, the speed-up, the speed-up divided by the
/// number of ranks, the claims, and the part of the time in which the dealer was busy.
/// docs/measured.md has some of the speed-ups.
#[test]
#[ignore = "prints a table"]
#[expect(clippy::print_stdout, reason = "it is for people")]
fn scaling() {
    let (roots, machine) = RMAT_22;
    for count in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000] {
        let machines = vec![machine; count];
        let outcome = simulate(roots, 1, &machines, MESSAGES);
        let one = ideal(roots, &machines[..1]);
        println!(
            "| {count} | {:.2} | {:.1} | {:.2} | {} | {:.3}% |",
            outcome.seconds,
            one / outcome.seconds,
            one / outcome.seconds / count as f64,
            outcome.claims,
            100.0 * outcome.dealing
        );
    }
}
