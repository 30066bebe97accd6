//! Finding junctions and walking along chains.

use std::ops::Range;

use super::structure::{Chains, grouped};
use crate::graph::{Csr, Vertex};

const NONE: u32 = u32::MAX;

/// Junctions, chains and chain-ends of an undirected graph; everything else is left empty.
pub(super) fn chains(graph: &Csr) -> Chains {
    let n = graph.vertices();
    let mut walk = Walk {
        graph,
        junction: vec![NONE; n],
        walked: vec![false; n],
        chains: Chains {
            chain_first: vec![0],
            ..Chains::default()
        },
    };
    walk.find_junctions();
    for j in 0..walk.chains.len() as u32 {
        walk.leave(j);
    }
    let mut chains = walk.chains;
    chain_ends(&mut chains);
    chains
}

/// How many of these vertices are junctions, but for those of components that are cycles, and how
/// many chain-ends they have: what the work of searching from junctions depends on.
pub(super) fn sizes(graph: &Csr, vertices: Range<usize>) -> (usize, usize) {
    vertices
        .map(|v| graph.degree(v as Vertex))
        .filter(|&degree| degree != 2)
        .fold((0, 0), |(junctions, ends), degree| {
            (junctions + 1, ends + degree)
        })
}

struct Walk<'g> {
    graph: &'g Csr,
    /// Per vertex: its number as a junction.
    junction: Vec<u32>,
    /// Per vertex: whether it is in the interior of a chain already walked.
    walked: Vec<bool>,
    chains: Chains,
}

impl Walk<'_> {
    fn find_junctions(&mut self) {
        let n = self.graph.vertices() as Vertex;
        let is_junction = |v: Vertex| self.graph.degree(v) != 2;
        let mut junctions: Vec<Vertex> = (0..n).filter(|&v| is_junction(v)).collect();
        // Whatever cannot be reached along chains from a junction is on a cycle without one.
        let mut seen = vec![false; n as usize];
        for &j in &junctions {
            for &next in self.graph.neighbours(j) {
                let mut v = next;
                while !is_junction(v) && !seen[v as usize] {
                    seen[v as usize] = true;
                    v = match *self.graph.neighbours(v) {
                        [u, w] if seen[u as usize] || is_junction(u) => w,
                        [u, _] => u,
                        _ => break,
                    };
                }
            }
        }
        let with_junctions = junctions.len();
        for start in 0..n {
            if is_junction(start) || seen[start as usize] {
                continue;
            }
            junctions.push(start);
            let mut v = Some(start);
            while let Some(at) = v {
                seen[at as usize] = true;
                let neighbours = self.graph.neighbours(at);
                v = neighbours.iter().copied().find(|&u| !seen[u as usize]);
            }
        }
        if junctions.len() > with_junctions {
            junctions.sort_unstable();
        }
        for (number, &v) in junctions.iter().enumerate() {
            self.junction[v as usize] = number as u32;
        }
        self.chains.junctions = junctions;
    }

    /// Walks all chains at junction `j` that have not been walked from their other end.
    fn leave(&mut self, j: u32) {
        let start = self.chains.junctions[j as usize];
        for &next in self.graph.neighbours(start) {
            let other = self.junction[next as usize];
            // A plain edge leaves no trace: it is taken from its lower end.
            if self.walked[next as usize] || other < j {
                continue;
            }
            let (mut previous, mut v) = (start, next);
            while self.junction[v as usize] == NONE {
                self.walked[v as usize] = true;
                self.chains.interior.push(v);
                let neighbours = self.graph.neighbours(v);
                let onward = neighbours[usize::from(neighbours[0] == previous)];
                (previous, v) = (v, onward);
            }
            let first = self.chains.chain_first[self.chains.chain_from.len()];
            let end = self.chains.interior.len() as u32;
            self.chains.chain_from.push(j);
            self.chains.chain_to.push(self.junction[v as usize]);
            self.chains.chain_length.push(end - first + 1);
            self.chains.chain_first.push(end);
        }
    }
}

/// The rows of chain-ends, from the chains.
fn chain_ends(chains: &mut Chains) {
    let ends = 2 * chains.chains() as u32;
    let junction = |end: u32| {
        let of_side = [&chains.chain_from, &chains.chain_to];
        of_side[(end % 2) as usize][(end / 2) as usize]
    };
    let (offsets, rows) = grouped(chains.len() as u32, (0..ends).collect(), junction);
    chains.end_target = rows.iter().map(|&end| junction(end ^ 1)).collect();
    chains.end_offsets = offsets;
    chains.end_chain = rows.iter().map(|&end| end / 2).collect();
    chains.end_side = rows.iter().map(|&end| end % 2).collect();
    chains.end_length = chains
        .end_chain
        .iter()
        .map(|&c| chains.chain_length[c as usize])
        .collect();
    chains.end_round = vec![0.0; rows.len()];
}
