//! The chain-ends at the junction being searched, with tables of what leaves by them.

use crate::prepare::Chains;
use crate::prepare::chains::range;

/// What of the roots inside a chain leaves by one end, for targets of one h.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaving<const K: usize> {
    /// All of this: the positions p with 2p < h.
    pub(super) all: [f64; K],
    /// A share of this: the position with 2p = h. All zero if there is none.
    pub(super) tied: [f64; K],
}

/// A chain-end of a chain with an interior.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    pub(super) chain: u32,
    pub(super) target: u32,
    pub(super) length: u32,
    pub(super) round: f64,
    /// Its table: `leaving[table + h]`, h from 0 to twice the length.
    pub(super) table: usize,
    /// Place value of its h in signatures.
    pub(super) place: u64,
}

/// All of them at one junction.
#[derive(Debug, Default)]
pub(super) struct Ends<const K: usize> {
    pub(super) list: Vec<End>,
    pub(super) leaving: Vec<Leaving<K>>,
    /// Whether one 63-bit number, the signature, can tell the h of all ends.
    pub(super) fit: bool,
}

impl<const K: usize> Ends<K> {
    /// Reads the chain-ends at `junction`.
    pub(super) fn take(&mut self, chains: &Chains, junction: u32) {
        self.list.clear();
        self.leaving.clear();
        let mut place = Some(1u64);
        for e in range(&chains.end_offsets, junction as usize) {
            let length = chains.end_length[e];
            if length == 1 {
                continue;
            }
            self.list.push(End {
                chain: chains.end_chain[e],
                target: chains.end_target[e],
                length,
                round: chains.end_round[e],
                table: self.leaving.len(),
                place: place.unwrap_or(0),
            });
            place = place.and_then(|place| place.checked_mul(2 * u64::from(length) + 1));
            self.tabulate(chains, e);
        }
        self.fit = place.is_some_and(|place| place >> 62 == 0);
    }

    fn tabulate(&mut self, chains: &Chains, end: usize) {
        let interior = range(&chains.chain_first, chains.end_chain[end] as usize);
        let from_0 = chains.end_side[end] == 0;
        // Of the positions after `from`, up to `to`.
        let mass = |from: usize, to: usize| {
            let (from, to) = if from_0 {
                (interior.start + from, interior.start + to)
            } else {
                (interior.end - to, interior.end - from)
            };
            let prefix = [&chains.prefix_sources, &chains.prefix_weight];
            std::array::from_fn(|k| f64::from(prefix[k][to] - prefix[k][from]))
        };
        for h in 0..=2 * interior.len() + 2 {
            let tie = h / 2;
            self.leaving.push(Leaving {
                all: mass(0, h.saturating_sub(1) / 2),
                tied: if h % 2 == 0 && 0 < tie && tie <= interior.len() {
                    mass(tie - 1, tie)
                } else {
                    [0.0; K]
                },
            });
        }
    }
}
