//! The weights of copies, and the weights that reach a vertex through each of its blocks.
//!
//! Here weights move along arcs: those of sources forwards, those of targets backwards. Sums have
//! no subtractions, so that small weights are not lost beside large ones.

use std::collections::VecDeque;
use std::ops::Range;

use fixedbitset::FixedBitSet;
use rayon::prelude::*;

use super::Copies;
use crate::graph::{Csr, Vertex};
use crate::prepare::reach::Reach;

/// The weights of one kind.
#[derive(Clone)]
pub struct Gathered {
    /// Per copy, the weight of all that reaches it without an arc of its block, itself included.
    pub weight: Vec<f64>,
    /// Per copy, the weight of all that reaches it through its block. It is right for vertices in
    /// several blocks and, if wanted, for all others.
    pub through: Vec<f64>,
}

/// Sets the sum of all other weights for each one: the sum from both sides, since the total minus a
/// large weight would lose small weights to rounding.
pub fn others(weight: &[f64], sums: &mut [f64]) {
    let (mut before, mut after) = (0.0, 0.0);
    for (sum, weight) in sums.iter_mut().zip(weight) {
        *sum = before;
        before += weight;
    }
    for (sum, weight) in sums.iter_mut().zip(weight).rev() {
        *sum += after;
        after += weight;
    }
}

/// Gathers weights, by searches if the graph is directed. Graphs are given by the arcs out of
/// vertices and those into them.
pub struct Searches<'g> {
    pub copies: &'g Copies,
    pub unsplit: [&'g Csr; 2],
    pub split: [&'g Csr; 2],
    /// The reach of searches in the split graph, if it is directed.
    pub reach: Option<&'g Reach>,
    /// The vertices of which all weights are wanted. Those in several blocks have to be among them.
    pub wanted: FixedBitSet,
    /// The most arcs that may still be followed.
    pub arcs_left: f64,
    /// 1 if weights move backwards, otherwise 0.
    pub backwards: usize,
    /// Per searched copy, the starts of a search that it reaches, as bits; zero between calls.
    pub bits: Vec<u64>,
}

impl Searches<'_> {
    /// Gathers the weights of sources and targets, given for each vertex. `None` if more arcs have
    /// to be followed.
    pub fn gather(&mut self, own: [&[f64]; 2]) -> Option<[Gathered; 2]> {
        let sources = self.gather_kind(own[0])?;
        if self.reach.is_none() && own[0] == own[1] {
            return Some([sources.clone(), sources]);
        }
        self.backwards = 1;
        Some([sources, self.gather_kind(own[1])?])
    }

    fn gather_kind(&mut self, own: &[f64]) -> Option<Gathered> {
        let copies = self.copies;
        let mut weight = vec![0.0; copies.vertex.len()];
        let mut through = weight.clone();
        let vertex = |copy: usize| copies.vertex[copy] as usize;
        // Per vertex, its own weight and that through the blocks below it.
        let mut below = own.to_vec();
        for block in (0..copies.top.len()).rev() {
            let range = copies.of_block(block);
            let top = range.start;
            for copy in range.clone().skip(1) {
                weight[copy] = below[vertex(copy)];
            }
            self.pass(range, &weight, &mut through, true)?;
            // The other blocks of this vertex with smaller numbers are still missing.
            weight[top] = below[vertex(top)];
            below[vertex(top)] += through[top];
        }
        // Per vertex, the weight through its own block and the blocks below it so far.
        let mut so_far = vec![0.0; own.len()];
        for block in 0..copies.top.len() {
            let range = copies.of_block(block);
            let (top, of_top) = (range.start, through[range.start]);
            weight[top] += so_far[vertex(top)];
            so_far[vertex(top)] += of_top;
            self.pass(range.clone(), &weight, &mut through, false)?;
            through[top] = of_top;
            for copy in range.skip(1) {
                so_far[vertex(copy)] = through[copy];
            }
        }
        Some(Gathered { weight, through })
    }

    /// Sets the weight that reaches each copy of a block from the others; in the first of two calls
    /// for a block, that of the top is enough (`only_top`). `None` if that costs too much.
    fn pass(
        &mut self,
        block: Range<usize>,
        weight: &[f64],
        through: &mut [f64],
        only_top: bool,
    ) -> Option<()> {
        let copies = self.copies;
        if let Some(reach) = self.reach.filter(|_| block.start < copies.searched) {
            return self.search(reach, block, (weight, through), only_top);
        }
        let through = &mut through[block.clone()];
        others(&weight[block.clone()], through);
        let [top, other] = [0, 1].map(|place| copies.vertex[block.start + place]);
        // In a block of one edge, the top is the smallest neighbour of the other vertex.
        for (place, through) in through.iter_mut().enumerate().filter(|_| block.len() == 2) {
            let arcs = self.unsplit[place ^ self.backwards].neighbours(other);
            *through *= f64::from(arcs.first() == Some(&top));
        }
        Some(())
    }

    /// Sets the weights of a searched block of a directed graph. The vertices of a strongly
    /// connected component are reached by the same others, and what the core reaches is reached by
    /// all that reaches the core; only the rest has to be found.
    fn search(
        &mut self,
        reach: &Reach,
        block: Range<usize>,
        (weight, through): (&[f64], &mut [f64]),
        only_top: bool,
    ) -> Option<()> {
        let copies = self.copies;
        let component = |copy: usize| reach.strong.of[copy];
        let [above, below] = [0, 1].map(|side| &reach.sides[side ^ self.backwards]);
        let candidates = block.clone().take(if only_top { 1 } else { block.len() });
        let is_wanted = |&c: &usize| only_top || self.wanted.contains(copies.vertex[c] as usize);
        let mut starts: Vec<usize> = candidates.filter(is_wanted).collect();
        // Neighbours in this order are often reached by the same vertices.
        starts.sort_unstable_by_key(|&copy| component(copy));
        starts.dedup_by_key(|copy| component(*copy));
        let to_core = block.clone().filter(|&copy| above.contains(copy));
        let to_core: f64 = to_core.map(|copy| weight[copy]).sum();
        let is_below = |&copy: &usize| component(copy) != reach.core && below.contains(copy);
        let (below, rest): (Vec<_>, Vec<_>) = starts.into_iter().partition(is_below);
        let mut found = Vec::new();
        for (starts, skipped, known) in [(below, Some(above), to_core), (rest, None, 0.0)] {
            for starts in starts.chunks(u64::BITS as usize) {
                let sums = self.reaching(reach, starts, skipped, weight)?;
                let sums = starts.iter().zip(sums);
                found.extend(sums.map(|(&copy, sum)| (component(copy), known + sum)));
            }
        }
        found.sort_unstable_by_key(|&(component, _)| component);
        // The others of a component reach each of its vertices.
        let top = component(block.start);
        let is_member = |&copy: &usize| !only_top || component(copy) == top;
        let mut members: Vec<usize> = block.filter(is_member).collect();
        members.par_sort_by_key(|&copy| component(copy));
        let (mut sums, mut found) = (Vec::new(), found.into_iter().peekable());
        for members in members.chunk_by(|&a, &b| component(a) == component(b)) {
            let own: Vec<f64> = members.iter().map(|&copy| weight[copy]).collect();
            sums.resize(members.len(), 0.0);
            others(&own, &mut sums);
            let known = found.next_if(|&(one, _)| one == component(members[0]));
            for (&copy, sum) in members.iter().zip(&sums) {
                through[copy] = sum + known.map_or(0.0, |(_, known)| known);
            }
        }
        Some(())
    }

    /// Returns for each start the weight of the copies of other strongly connected components that
    /// reach it, but for those that are `skipped`. All starts, at most 64, are searched from at
    /// once. `None` if that costs too much.
    fn reaching(
        &mut self,
        reach: &Reach,
        starts: &[usize],
        skipped: Option<&FixedBitSet>,
        weight: &[f64],
    ) -> Option<Vec<f64>> {
        let into = self.split[1 ^ self.backwards];
        let mut found = starts.to_vec();
        for (start, &copy) in found.iter().enumerate() {
            self.bits[copy] = 1 << start;
        }
        let mut open = VecDeque::from(found.clone());
        while let Some(copy) = open.pop_front() {
            let row = into.neighbours(copy as Vertex);
            self.arcs_left -= row.len() as f64;
            for u in row.iter().map(|&u| u as usize) {
                let new = self.bits[copy] & !self.bits[u];
                if new != 0 && !skipped.is_some_and(|skipped| skipped.contains(u)) {
                    found.extend((self.bits[u] == 0).then_some(u));
                    self.bits[u] |= new;
                    open.push_back(u);
                }
            }
            if self.arcs_left < 0.0 {
                return None;
            }
        }
        let component = |copy: usize| reach.strong.of[copy];
        let mut sums = vec![0.0; starts.len()];
        for copy in found {
            let mut bits = std::mem::take(&mut self.bits[copy]);
            self.arcs_left -= f64::from(bits.count_ones());
            while bits != 0 {
                let start = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if component(starts[start]) != component(copy) {
                    sums[start] += weight[copy];
                }
            }
        }
        Some(sums)
    }
}
