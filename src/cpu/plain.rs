//! Brandes' algorithm for one root at a time on one core.
//!
//! U. Brandes, "A Faster Algorithm for Betweenness Centrality", 2001. The forward phase looks at
//! each arc once, and lists those that lead to the next level, level by level. Path counts are
//! added along that list, and the backward phase reads nothing else, so directed graphs need no
//! reverse arcs.
//!
//! Most graphs have few arcs per vertex, and their numbers vary. So the ends of loops over the arcs
//! of a vertex are often mispredicted, as are branches that depend on an arc. Here loops are over
//! all arcs of a level, or over [`CHUNK`] arcs without a branch.

use std::ops::Range;

use super::limit::{in_range, safe_levels};
use super::root_by_root::{BackwardPass, RootByRoot, RootSearch, Step, most_steps};
use super::weighted;
use crate::engine::{Engine, EngineError};
use crate::graph::Vertex;
use crate::prepare::Prepared;

/// The number of arcs that are looked at without a branch. A chunk may run past the arcs of its
/// vertex; the arcs beyond are not listed.
const CHUNK: usize = 8;

/// The plain search. With `COUNT_ARCS` it also adds up the dependencies of arcs.
struct Plain<'g, const COUNT_ARCS: bool> {
    prepared: &'g Prepared,
    /// Per vertex, whether the search has reached it.
    seen: Vec<bool>,
    /// The number of shortest paths from the root; zero until the vertex is reached.
    sigma: Vec<f64>,
    /// The coefficients (weight + delta) / sigma. Until the level of a vertex is finished, the sum
    /// of the coefficients of its successors; zero between searches.
    coefficient: Vec<f64>,
    /// Vertices in the order in which they were reached, and room for one more.
    stack: Vec<Vertex>,
    /// Per level, its first place in `stack` and that of its first step; the last entry is the end
    /// of both.
    bounds: Vec<[usize; 2]>,
    /// Steps in the order of their tails in `stack`, and room for [`CHUNK`] more.
    steps: Vec<Step>,
    /// Per step, the number of its arc in the graph; only with `COUNT_ARCS`.
    step_arcs: Vec<u32>,
    /// The most levels below the root of searches whose path counts need no check.
    safe_levels: usize,
    /// The most levels below the root that the query needs.
    deepest: usize,
    /// The level of each entry of `stack`; only with a query.
    levels: Vec<u32>,
}

/// Makes the fastest engine for one root at a time, with all its memory allocated: this one, or in
/// a graph with lengths one of [`weighted`].
pub fn engine(prepared: &Prepared) -> Box<dyn Engine + '_> {
    let weighted = weighted::engine(prepared);
    weighted.unwrap_or_else(|| match prepared.count_edges {
        true => RootByRoot::boxed(prepared, Plain::<true>::new(prepared)),
        false => RootByRoot::boxed(prepared, Plain::<false>::new(prepared)),
    })
}

impl<'g, const COUNT_ARCS: bool> Plain<'g, COUNT_ARCS> {
    fn new(prepared: &'g Prepared) -> Self {
        let n = prepared.graph.vertices();
        let steps = most_steps(prepared) + CHUNK;
        Plain {
            prepared,
            seen: vec![false; n],
            sigma: vec![0.0; n],
            coefficient: vec![0.0; n],
            stack: vec![0; n + 1],
            bounds: Vec::new(),
            steps: vec![Step::default(); steps],
            step_arcs: vec![0; if COUNT_ARCS { steps } else { 0 }],
            safe_levels: safe_levels(prepared),
            deepest: prepared.search_limit() as usize,
            levels: vec![0; if prepared.query.is_some() { n + 1 } else { 0 }],
        }
    }

    /// Finds levels, steps and path counts from `root`.
    // Not inlined, since the loops of one large function would compete for registers.
    #[inline(never)]
    fn levels(&mut self, root: Vertex) {
        self.seen[root as usize] = true;
        self.sigma[root as usize] = 1.0;
        self.stack[0] = root;
        self.bounds.clear();
        let (mut begin, [mut vertices, mut steps]) = (0, [1, 0]);
        while begin < vertices {
            let (level, depth) = (begin..vertices, self.bounds.len());
            self.bounds.push([begin, steps]);
            begin = vertices;
            if self.prepared.query.is_some() {
                self.levels[level.clone()].fill(depth as u32);
                if depth == self.deepest {
                    break;
                }
            }
            let first = steps;
            for i in level {
                self.list_steps(i, &mut steps);
            }
            self.add_paths(first..steps, &mut vertices);
        }
        self.bounds.push([vertices, steps]);
    }

    /// Lists the steps out of the vertex at `i` in the stack; `len` is the number of steps so far.
    #[inline(always)]
    fn list_steps(&mut self, i: usize, len: &mut usize) {
        let graph = &self.prepared.graph;
        let v = self.stack[i];
        if i > 0 && self.prepared.multiplicity.is_some() {
            // So far, `sigma` is the number of paths to one of the twins.
            self.sigma[v as usize] *= self.prepared.multiplicity_of(v as usize);
        }
        let (offsets, targets, seen) = (graph.offsets(), graph.targets(), &self.seen[..]);
        let (mut arc, end) = (offsets[v as usize], offsets[v as usize + 1]);
        while arc < end {
            let (mut steps, mut arcs) = ([Step { from: v, to: v }; CHUNK], [0; CHUNK]);
            let mut count = 0;
            let mut list = |arc: u32, to: Vertex| {
                // The remainder removes the check.
                steps[count % CHUNK].to = to;
                arcs[count % CHUNK] = arc;
                count += usize::from((arc < end) & !seen[to as usize]);
            };
            match targets[arc as usize..].first_chunk::<CHUNK>() {
                Some(chunk) => (arc..).zip(chunk).for_each(|(arc, &to)| list(arc, to)),
                None => (arc..end).for_each(|arc| list(arc, targets[arc as usize])),
            }
            self.steps[*len..*len + CHUNK].copy_from_slice(&steps);
            if COUNT_ARCS {
                self.step_arcs[*len..*len + CHUNK].copy_from_slice(&arcs);
            }
            *len += count;
            arc = arc.saturating_add(CHUNK as u32);
        }
    }

    /// Adds path counts along the steps of a level; `vertices` is the number reached so far.
    #[inline(always)]
    fn add_paths(&mut self, steps: Range<usize>, vertices: &mut usize) {
        let (sigma, seen) = (&mut self.sigma[..], &mut self.seen[..]);
        let stack = &mut self.stack[..];
        for step in &self.steps[steps] {
            let paths = sigma[step.from as usize];
            let sum = &mut sigma[step.to as usize];
            stack[*vertices] = step.to;
            *vertices += usize::from(*sum == 0.0);
            *sum += paths;
            seen[step.to as usize] = true;
        }
    }
}

impl<const COUNT_ARCS: bool> RootSearch for Plain<'_, COUNT_ARCS> {
    fn forward(&mut self, root: Vertex) -> Result<bool, EngineError> {
        self.levels(root);
        let sigma = |&v: &Vertex| self.sigma[v as usize];
        // The number of levels, that of the root included.
        let safe = self.bounds.len() - 1 <= self.safe_levels;
        Ok(safe || in_range(self.reached().iter().map(sigma)))
    }

    /// Goes over the levels from the last to the first.
    #[inline(never)]
    fn backward<const IS_ALL_PAIRS: bool>(
        &mut self,
        _: Vertex,
        mut pass: BackwardPass<'_, IS_ALL_PAIRS>,
    ) -> Result<(), EngineError> {
        let (twins, factor) = (self.prepared.multiplicity.as_deref(), pass.factor);
        let (sigma, coefficient) = (&self.sigma[..], &mut self.coefficient[..]);
        for level in (0..self.bounds.len() - 1).rev() {
            let [begin, first] = self.bounds[level];
            let [end, last] = self.bounds[level + 1];
            for (i, step) in (first..).zip(&self.steps[first..last]) {
                let (from, to) = (step.from as usize, step.to as usize);
                coefficient[from] += coefficient[to];
                if COUNT_ARCS {
                    let arc = self.step_arcs[i] as usize;
                    pass.arcs[arc] += factor * sigma[from] * coefficient[to];
                }
            }
            // The root has no dependency on itself.
            for i in begin.max(1)..end {
                let v = self.stack[i] as usize;
                let (paths, sum) = (sigma[v], coefficient[v]);
                let weight = pass.weight::<f64>(v, || self.levels[i].into());
                let multiplicity = twins.map_or(1.0, |twins| twins[v]);
                coefficient[v] = multiplicity * (weight / pass.divisor(paths) + sum);
                pass.add(v as Vertex, factor * paths * sum);
            }
        }
        let [vertices, _] = self.bounds[self.bounds.len() - 1];
        for &v in &self.stack[..vertices] {
            coefficient[v as usize] = 0.0;
        }
        Ok(())
    }

    fn distance(&self, place: usize) -> f64 {
        self.levels[place].into()
    }

    fn reached(&self) -> &[Vertex] {
        let end = self.bounds.last().map_or(0, |&[vertices, _]| vertices);
        &self.stack[..end]
    }

    fn clear(&mut self) {
        let end = self.reached().len();
        for &v in &self.stack[..end] {
            self.seen[v as usize] = false;
            self.sigma[v as usize] = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::root_by_root::bytes;
    use crate::graph::generate;

    #[test]
    fn bytes_are_those_of_all_vectors() {
        let prepared = Prepared::bare(generate::cycle(100).unwrap().csr().clone());
        // This fails to compile when a vector is added that `bytes` does not count.
        let Plain {
            prepared: _,
            seen,
            sigma,
            coefficient,
            stack,
            bounds: _,
            steps,
            step_arcs,
            safe_levels: _,
            deepest: _,
            levels: _,
        } = Plain::<false>::new(&prepared);
        let scores = prepared.graph.vertices();
        let floats = sigma.capacity() + coefficient.capacity() + scores;
        let words = stack.capacity() + step_arcs.capacity();
        let all = seen.capacity() + 8 * (floats + steps.capacity()) + 4 * words;
        assert!((all..all + all / 4).contains(&bytes(&prepared)));
    }
}
