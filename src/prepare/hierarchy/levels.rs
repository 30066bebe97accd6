//! Computation of values of overlay arcs, level by level of the elimination tree, by all threads.

use std::ops::Range;

use rayon::prelude::*;

use super::overlay::Hierarchy;

/// About the number of triangles of a parallel task.
const PER_TASK: usize = 1 << 12;
/// The most parts of a vertex, and the fewest arcs for which a thread adds up the parts.
const PARTS: usize = 32;
const ARCS: usize = 256;

/// How the values of the arcs of a vertex to higher ones are computed. Values are found in parts,
/// which do not depend on the number of threads.
pub(super) struct Rule<V, Items, Visit, Add> {
    /// A value that `add` does not change.
    pub(super) none: V,
    /// Returns the number of items of a vertex.
    pub(super) items: Items,
    /// Adds what a range of the items of a vertex contributes to its values. It gets all values, of
    /// which those of earlier levels are complete, and those found so far for the vertex.
    pub(super) visit: Visit,
    /// Adds two values.
    pub(super) add: Add,
}

impl Hierarchy {
    /// Returns the vertices of each depth of the elimination tree, the roots first.
    pub(super) fn by_depth(&self) -> Vec<Vec<u32>> {
        by_level(&self.depths())
    }

    /// Returns the vertices of each height. All lower neighbours of a vertex have smaller heights.
    pub(super) fn by_height(&self) -> Vec<Vec<u32>> {
        let mut heights = vec![0; self.vertices()];
        for (v, &parent) in self.parent.iter().enumerate() {
            if parent as usize != v {
                heights[parent as usize] = heights[parent as usize].max(heights[v] + 1);
            }
        }
        by_level(&heights)
    }

    /// Adds to the values of arcs what `rule` finds, level by level; vertices of a level must be
    /// independent of each other. `found` gets each vertex, and what was found for its arcs.
    pub(super) fn complete<V: Copy + Send + Sync>(
        &self,
        levels: Vec<Vec<u32>>,
        values: &mut [V],
        rule: &Rule<
            V,
            impl Fn(u32) -> usize + Sync,
            impl Fn(&[V], &mut [V], u32, Range<usize>) + Sync,
            impl Fn(V, V) -> V + Sync,
        >,
        mut found: impl FnMut(u32, &[V]),
    ) {
        let work = |v: u32| (rule.items)(v) * self.arcs_of(v).len() / 2;
        for level in levels {
            let known = &*values;
            // The values found for these vertices, one after the other.
            let of_vertices = |vertices: &[u32]| {
                let (mut all, mut joined) = (Vec::new(), Vec::new());
                for &v in vertices {
                    let (items, arcs) = ((rule.items)(v), self.arcs_of(v).len());
                    let begin = all.len();
                    all.resize(begin + arcs, rule.none);
                    if work(v) <= PER_TASK {
                        (rule.visit)(known, &mut all[begin..], v, 0..items);
                        continue;
                    }
                    // Vertices near the root have so many triangles that threads share them.
                    let size = (2 * PER_TASK / arcs).max(items.div_ceil(PARTS));
                    let of_part = |first: usize| {
                        let mut own = vec![rule.none; arcs];
                        (rule.visit)(known, &mut own, v, first..items.min(first + size));
                        own
                    };
                    let firsts = (0..items).into_par_iter().step_by(size);
                    let parts: Vec<_> = firsts.map(of_part).collect();
                    let sum = |arc| {
                        parts
                            .iter()
                            .map(|part: &Vec<V>| part[arc])
                            .fold(rule.none, &rule.add)
                    };
                    let sums = (0..arcs).into_par_iter().with_min_len(ARCS).map(sum);
                    sums.collect_into_vec(&mut joined);
                    all[begin..].copy_from_slice(&joined);
                }
                all
            };
            let total: usize = level.iter().map(|&v| work(v)).sum();
            let size = (level.len() * PER_TASK)
                .div_ceil(total.max(1))
                .min(level.len());
            let parts: Vec<Vec<V>> = match size == level.len() {
                // A task would need more time to start.
                true => vec![of_vertices(&level)],
                false => level.par_chunks(size).map(of_vertices).collect(),
            };
            for (vertices, all) in level.chunks(size.max(1)).zip(parts) {
                let mut begin = 0;
                for &v in vertices {
                    let arcs = self.arcs_of(v);
                    let own = &all[begin..begin + arcs.len()];
                    begin += arcs.len();
                    found(v, own);
                    for (value, &more) in values[arcs].iter_mut().zip(own) {
                        *value = (rule.add)(*value, more);
                    }
                }
            }
        }
    }
}

/// Returns the vertices of each level.
fn by_level(levels: &[u32]) -> Vec<Vec<u32>> {
    let count = levels.iter().max().map_or(0, |&last| last as usize + 1);
    let mut vertices = vec![Vec::new(); count];
    for (v, &level) in (0..).zip(levels) {
        vertices[level as usize].push(v);
    }
    vertices
}
