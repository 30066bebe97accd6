//! Computation of values of overlay arcs, level by level of the elimination tree, by all threads.

use std::ops::Range;

use rayon::prelude::*;

use super::overlay::Hierarchy;

/// The approximate number of triangles of a parallel task.
const PER_TASK: usize = 1 << 12;
/// The largest number of ranges into which the items of a vertex are divided.
const MOST_RANGES: usize = 32;
/// The smallest number of arcs of a task that adds up the results of ranges.
const FEWEST_ARCS: usize = 256;

/// The computation of a value for each arc from a vertex to higher ones. Ranges of the items of a
/// vertex are evaluated separately, and their results are added. Ranges do not depend on the number
/// of threads, and so neither do rounding errors.
pub(super) struct Rule<V, Items, Visit, Add> {
    /// A value that `add` does not change.
    pub(super) none: V,
    /// Returns the number of items of a vertex: its lower neighbours, or its arcs to higher ones.
    pub(super) items: Items,
    /// Adds the contributions of a range of items. Arguments: the values of all arcs, which are
    /// final for earlier levels, the results so far for the arcs of the vertex, the vertex, and the
    /// range.
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

    /// Evaluates `rule` level by level, and adds the results to `values`. Vertices of a level must
    /// not read each other's arcs. Calls `on_vertex` with each vertex that has items, and the
    /// results for its arcs.
    pub(super) fn add_by_level<V: Copy + Send + Sync>(
        &self,
        levels: Vec<Vec<u32>>,
        values: &mut [V],
        rule: &Rule<
            V,
            impl Fn(u32) -> usize + Sync,
            impl Fn(&[V], &mut [V], u32, Range<usize>) + Sync,
            impl Fn(V, V) -> V + Sync,
        >,
        mut on_vertex: impl FnMut(u32, &[V]),
    ) {
        let work = |v: u32| (rule.items)(v) * self.arcs_of(v).len() / 2;
        for mut level in levels {
            level.retain(|&v| (rule.items)(v) > 0);
            let known = &*values;
            // Returns the results for these vertices, one after the other.
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
                    // A vertex near the root may have most triangles of its level.
                    let size = (2 * PER_TASK / arcs).max(items.div_ceil(MOST_RANGES));
                    let of_range = |first: usize| {
                        let mut own = vec![rule.none; arcs];
                        (rule.visit)(known, &mut own, v, first..items.min(first + size));
                        own
                    };
                    let firsts = (0..items).into_par_iter().step_by(size);
                    let results: Vec<Vec<V>> = firsts.map(of_range).collect();
                    let sum = |arc: usize| {
                        let results = results.iter().map(|own| own[arc]);
                        results.fold(rule.none, &rule.add)
                    };
                    let sums = (0..arcs).into_par_iter().with_min_len(FEWEST_ARCS);
                    sums.map(sum).collect_into_vec(&mut joined);
                    all[begin..].copy_from_slice(&joined);
                }
                all
            };
            let total: usize = level.iter().map(|&v| work(v).min(PER_TASK)).sum();
            let size = (level.len() * PER_TASK).div_ceil(total.max(1));
            let results: Vec<Vec<V>> = match size >= level.len() {
                // To start a task takes longer than this level.
                true => vec![of_vertices(&level)],
                false => level.par_chunks(size).map(of_vertices).collect(),
            };
            for (vertices, all) in level.chunks(size.max(1)).zip(results) {
                let mut begin = 0;
                for &v in vertices {
                    let arcs = self.arcs_of(v);
                    let own = &all[begin..begin + arcs.len()];
                    begin += arcs.len();
                    on_vertex(v, own);
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
