//! Finding junctions and walking along chains.

use super::structure::{Chains, grouped};
use crate::graph::components::components;
use crate::graph::{Csr, Vertex};

const NONE: u32 = u32::MAX;

impl Chains {
    /// Junctions, chains and chain-ends of an undirected graph; everything else is left empty.
    pub fn find(graph: &Csr) -> Chains {
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
        let vertices = 0..self.graph.vertices() as Vertex;
        let is_junction = |v: Vertex| self.graph.degree(v) != 2;
        let components = components(self.graph);
        let mut has_junction = vec![false; components.count()];
        for v in vertices.clone().filter(|&v| is_junction(v)) {
            has_junction[components.of[v as usize] as usize] = true;
        }
        // Or else the first vertex of a component is one: it is a cycle.
        let mut is_first_of_cycle = |v: Vertex| {
            let has_junction = &mut has_junction[components.of[v as usize] as usize];
            !std::mem::replace(has_junction, true)
        };
        let junctions = vertices.filter(|&v| is_junction(v) || is_first_of_cycle(v));
        self.chains.junctions = junctions.collect();
        for (number, &v) in self.chains.junctions.iter().enumerate() {
            self.junction[v as usize] = number as u32;
        }
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
    let length = |&end: &u32| chains.chain_length[end as usize / 2];
    chains.end_length = rows.iter().map(length).collect();
    chains.end_round = vec![0.0; rows.len()];
}
