//! A claim of roots, in the words of the kernels.

use crate::engine::Root;
use crate::prepare::Chains;
use crate::prepare::chains::range;

/// No row.
const NONE: u32 = u32::MAX;
/// Bit of a length: the chain-end is end 1.
const FROM_1: u32 = 1 << 31;

/// Chain-ends with an interior at a junction.
pub(super) fn inner_ends(chains: &Chains, junction: u32) -> impl Iterator<Item = usize> + '_ {
    range(&chains.end_offsets, junction as usize).filter(|&e| chains.end_length[e] > 1)
}

/// What a claim may take at most.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Rows: those of the roots, and those of the junctions where their chains lead.
    pub(super) rows: usize,
    /// Roots.
    pub(super) roots: usize,
    /// Chain-ends with an interior at the roots.
    pub(super) ends: usize,
}

/// Arrays for one claim, in the order of `cl/chains/rows.cl` and `cl/chains/sweep.cl`.
#[derive(Debug)]
pub(super) struct Claim {
    /// Junction of each row, those of the roots first [rows].
    pub(super) rows: Vec<u32>,
    /// Junction, first and last chain-end in `ends` of each root [roots].
    pub(super) sweeps: Vec<[u32; 4]>,
    /// Row of the other end, length and side, chain, start or end of the interior [ends].
    pub(super) ends: Vec<[u32; 4]>,
    /// Row of each junction, or [`NONE`] [junctions].
    row: Vec<u32>,
}

impl Claim {
    pub(super) fn new(chains: &Chains) -> Self {
        Claim {
            rows: Vec::new(),
            sweeps: Vec::new(),
            ends: Vec::new(),
            row: vec![NONE; chains.len()],
        }
    }

    /// Takes as many of the roots as there is room for, at least one; says how many. (What is no
    /// junction is taken, but nothing comes of it.) `inner` is the number of each chain among those
    /// with an interior.
    pub(super) fn take(
        &mut self,
        chains: &Chains,
        inner: &[u32],
        room: Room,
        roots: &[Root],
    ) -> usize {
        for &j in &self.rows {
            self.row[j as usize] = NONE;
        }
        self.rows.clear();
        self.sweeps.clear();
        self.ends.clear();
        // `row` says for now who has one; numbers come when all roots are known.
        let (mut consumed, mut ends) = (0, 0);
        let mut halo = Vec::new();
        for root in roots {
            let Some(junction) = chains.junction(root.vertex) else {
                consumed += 1;
                continue;
            };
            let others = || inner_ends(chains, junction).map(|e| chains.end_target[e]);
            let taken = halo.len();
            for j in std::iter::once(junction).chain(others()) {
                if std::mem::replace(&mut self.row[j as usize], 0) == NONE {
                    halo.push(j);
                }
            }
            let more = others().count();
            let full = halo.len() > room.rows
                || ends + more > room.ends
                || self.sweeps.len() == room.roots;
            if full && !self.sweeps.is_empty() {
                for j in halo.drain(taken..) {
                    self.row[j as usize] = NONE;
                }
                break;
            }
            ends += more;
            consumed += 1;
            self.sweeps.push([junction, 0, 0, 0]);
        }
        for (row, sweep) in (0..).zip(&self.sweeps) {
            self.row[sweep[0] as usize] = row;
            self.rows.push(sweep[0]);
        }
        for j in halo {
            // Those of roots are numbered already.
            if self.rows.get(self.row[j as usize] as usize) != Some(&j) {
                self.row[j as usize] = self.rows.len() as u32;
                self.rows.push(j);
            }
        }
        for sweep in &mut self.sweeps {
            sweep[1] = self.ends.len() as u32;
            for e in inner_ends(chains, sweep[0]) {
                let chain = chains.end_chain[e] as usize;
                let side = chains.end_side[e];
                self.ends.push([
                    self.row[chains.end_target[e] as usize],
                    chains.end_length[e] | if side == 1 { FROM_1 } else { 0 },
                    inner[chain],
                    chains.chain_first[chain + side as usize],
                ]);
            }
            sweep[2] = self.ends.len() as u32;
        }
        consumed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::generate;
    use crate::prepare::{PrepareOptions, Prepared, Reductions, When, prepare};

    fn contracted() -> Prepared {
        let options = PrepareOptions {
            reduce: Reductions {
                chains: When::Always,
                ..Reductions::folding(true)
            },
            ..PrepareOptions::default()
        };
        prepare(&generate::grid(9, 9, 0.3, 5).unwrap(), &options).unwrap()
    }

    #[test]
    fn claims_have_the_rows_of_their_roots_and_of_the_ends_of_their_chains() {
        let prepared = contracted();
        let chains = prepared.chains.as_ref().unwrap();
        let inner: Vec<u32> = (0..chains.chains() as u32).collect();
        let mut claim = Claim::new(chains);
        for room in [
            (100, 100, 1000),
            (8, 100, 1000),
            (100, 3, 1000),
            (100, 100, 9),
        ] {
            let room = Room {
                rows: room.0,
                roots: room.1,
                ends: room.2,
            };
            let mut rest = &prepared.roots[..];
            while !rest.is_empty() {
                let taken = claim.take(chains, &inner, room, rest);
                assert!((1..=room.roots).contains(&taken) && claim.rows.len() <= room.rows);
                assert!(claim.ends.len() <= room.ends && claim.sweeps.len() == taken);
                let mut distinct = claim.rows.clone();
                distinct.sort_unstable();
                distinct.dedup();
                assert_eq!(distinct.len(), claim.rows.len());
                for (i, (root, sweep)) in rest.iter().zip(&claim.sweeps).enumerate() {
                    let junction = chains.junction(root.vertex).unwrap();
                    assert_eq!((sweep[0], claim.rows[i]), (junction, junction));
                    let ends = &claim.ends[sweep[1] as usize..sweep[2] as usize];
                    let targets: Vec<u32> =
                        ends.iter().map(|end| claim.rows[end[0] as usize]).collect();
                    let expected: Vec<u32> = inner_ends(chains, junction)
                        .map(|e| chains.end_target[e])
                        .collect();
                    assert_eq!(targets, expected);
                }
                rest = &rest[taken..];
            }
        }
    }
}
