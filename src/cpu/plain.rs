//! Brandes' algorithm for one root at a time on one core.
//!
//! U. Brandes, "A Faster Algorithm for Betweenness Centrality", 2001. The forward phase looks at
//! each arc once, and lists those that lead to the next level, level by level. Path counts are
//! added along that list, and the backward phase reads nothing else, so directed graphs need no
//! reverse arcs. Arcs are listed without a branch, which would be mispredicted on most graphs.

use super::limit::{in_range, safe_levels};
use super::root_by_root::{BackwardPass, RootByRoot, RootSearch, Step, most_steps};
use super::weighted;
use crate::engine::{Engine, EngineError};
use crate::graph::Vertex;
use crate::prepare::Prepared;

/// The plain search. With `COUNT_ARCS` it also adds up the dependencies of arcs.
struct Plain<'g, const COUNT_ARCS: bool> {
    prepared: &'g Prepared,
    /// Per vertex, whether the search has reached it.
    seen: Vec<bool>,
    /// The number of shortest paths from the root; zero until the vertex is reached.
    sigma: Vec<f64>,
    /// The coefficients (weight + delta) / sigma.
    coefficient: Vec<f64>,
    /// Vertices in the order in which they were reached, and room for one more.
    stack: Vec<Vertex>,
    /// Per entry of `stack` whose arcs have been looked at, the place of its first step.
    first_step: Vec<u32>,
    /// Steps in the order of their tails in `stack`, and room for one more.
    steps: Vec<Step>,
    /// Per step, the number of its arc in the graph; only with `COUNT_ARCS`.
    step_arcs: Vec<u32>,
    /// The most levels below the root of searches whose path counts need no check.
    safe_levels: usize,
    /// The most levels below the root that the query needs.
    deepest: usize,
    /// The level of each entry of `stack`; only with a query.
    levels: Vec<u32>,
    /// The size of the last search.
    reached: SearchSize,
}

/// The size of a search from a root.
#[derive(Debug, Clone, Copy, Default)]
struct SearchSize {
    vertices: usize,
    steps: usize,
    levels: usize,
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
        let steps = most_steps(prepared) + 1;
        Plain {
            prepared,
            seen: vec![false; n],
            sigma: vec![0.0; n],
            coefficient: vec![0.0; n],
            stack: vec![0; n + 1],
            first_step: vec![0; n],
            steps: vec![Step::default(); steps],
            step_arcs: vec![0; if COUNT_ARCS { steps } else { 0 }],
            safe_levels: safe_levels(prepared),
            deepest: prepared.search_limit() as usize,
            levels: vec![0; if prepared.query.is_some() { n + 1 } else { 0 }],
            reached: SearchSize::default(),
        }
    }

    /// Finds levels, steps and path counts from `root`.
    // Not inlined, since the loops of one large function would compete for registers.
    #[inline(never)]
    fn levels(&mut self, root: Vertex) -> SearchSize {
        self.seen[root as usize] = true;
        self.sigma[root as usize] = 1.0;
        self.stack[0] = root;
        let mut reached = SearchSize {
            vertices: 1,
            ..SearchSize::default()
        };
        let mut begin = 0;
        while begin < reached.vertices {
            let level = begin..reached.vertices;
            begin = level.end;
            if self.prepared.query.is_some() {
                self.levels[level.clone()].fill(reached.levels as u32);
                if reached.levels == self.deepest {
                    self.first_step[level].fill(reached.steps as u32);
                    break;
                }
            }
            let first = reached.steps;
            for i in level {
                self.list_steps(i, &mut reached.steps);
            }
            self.add_paths(first, &mut reached);
            reached.levels += 1;
        }
        reached
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
        self.first_step[i] = *len as u32;
        let neighbours = graph.neighbours(v);
        let (seen, begin) = (&self.seen[..], *len);
        let steps = &mut self.steps[begin..];
        let mut count = 0;
        let step_arcs = self.step_arcs.get_mut(begin..).unwrap_or_default();
        for (&w, arc) in neighbours.iter().zip(graph.offsets()[v as usize]..) {
            steps[count] = Step { from: v, to: w };
            if COUNT_ARCS {
                step_arcs[count] = arc;
            }
            count += usize::from(!seen[w as usize]);
        }
        *len = begin + count;
    }

    /// Adds path counts along the steps of a level, from the step at `first` on.
    #[inline(always)]
    fn add_paths(&mut self, first: usize, reached: &mut SearchSize) {
        let (sigma, seen) = (&mut self.sigma[..], &mut self.seen[..]);
        let stack = &mut self.stack[..];
        for step in &self.steps[first..reached.steps] {
            let paths = sigma[step.from as usize];
            let sum = &mut sigma[step.to as usize];
            stack[reached.vertices] = step.to;
            reached.vertices += usize::from(*sum == 0.0);
            *sum += paths;
            seen[step.to as usize] = true;
        }
    }
}

impl<const COUNT_ARCS: bool> RootSearch for Plain<'_, COUNT_ARCS> {
    fn forward(&mut self, root: Vertex) -> Result<bool, EngineError> {
        self.reached = self.levels(root);
        let sigma = |&v: &Vertex| self.sigma[v as usize];
        let safe = self.reached.levels <= self.safe_levels;
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
        let levels = &self.levels;
        let mut end = self.reached.steps;
        for i in (0..self.reached.vertices).rev() {
            let v = self.stack[i] as usize;
            let begin = self.first_step[i] as usize;
            let steps = &self.steps[begin..end];
            let paths = sigma[v];
            if COUNT_ARCS {
                let arcs = &self.step_arcs[begin..end];
                for (step, &arc) in steps.iter().zip(arcs) {
                    pass.arcs[arc as usize] += factor * paths * coefficient[step.to as usize];
                }
            }
            end = begin;
            if i == 0 {
                // The root has no dependency on itself.
                break;
            }
            let coefficients = steps.iter().map(|step| coefficient[step.to as usize]);
            let sum = coefficients.sum::<f64>();
            let weight = pass.weight::<f64>(v, || levels[i].into());
            let multiplicity = twins.map_or(1.0, |twins| twins[v]);
            coefficient[v] = multiplicity * (weight / pass.divisor(paths) + sum);
            pass.add(v as Vertex, factor * paths * sum);
        }
        Ok(())
    }

    fn distance(&self, place: usize) -> f64 {
        self.levels[place].into()
    }

    fn reached(&self) -> &[Vertex] {
        &self.stack[..self.reached.vertices]
    }

    fn clear(&mut self) {
        for &v in &self.stack[..self.reached.vertices] {
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
            first_step,
            steps,
            step_arcs,
            safe_levels: _,
            deepest: _,
            levels: _,
            reached: _,
        } = Plain::<false>::new(&prepared);
        let scores = prepared.graph.vertices();
        let floats = sigma.capacity() + coefficient.capacity() + scores;
        let words = stack.capacity() + first_step.capacity() + step_arcs.capacity();
        let all = seen.capacity() + 8 * (floats + steps.capacity()) + 4 * words;
        assert!((all - 12..all + all / 8).contains(&bytes(&prepared)));
    }
}
