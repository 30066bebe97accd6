//! Lengths and multiplicities of overlay arcs.

use std::array;
use std::cmp::Ordering;
use std::ops::Range;

use super::levels::Rule;
use super::overlay::{ABSENT, Direction, Hierarchy, arc_length};
use crate::graph::{Csr, Lengths};
use crate::prepare::Prepared;

/// The length and the multiplicity of an overlay arc in one direction.
type Weight = (u32, f64);

impl Hierarchy {
    /// Gives the arcs lengths and multiplicities. Arcs longer than the distance of their ends are
    /// removed, since they are on no shortest path.
    pub(super) fn customized(self, prepared: &Prepared) -> Hierarchy {
        let up = (&prepared.graph, prepared.lengths.as_ref());
        let mut customized = match &prepared.reverse {
            None => self.with_shortest([up]),
            Some(reverse) => {
                let down = (reverse, prepared.reverse_lengths.as_ref());
                self.with_shortest([up, down])
            }
        };
        customized.most_paths = customized.path_bound();
        customized
    }

    /// Completes the lengths and multiplicities of arcs, from those of the graph: rising arcs and,
    /// in a directed graph, falling ones. `D - 1 - i` is the direction opposite to `i`; both are
    /// 0 in an undirected graph. A shorter path replaces the paths of an arc, and one of equal
    /// length adds its multiplicity.
    fn with_shortest<const D: usize>(self, graphs: [(&Csr, Option<&Lengths>); D]) -> Hierarchy {
        let mut arcs = vec![[(ABSENT, 0.0); D]; self.arcs()];
        for (way, (graph, lengths)) in graphs.into_iter().enumerate() {
            for (arc, (tail, &head)) in graph.tails().into_iter().zip(graph.targets()).enumerate() {
                let ends = [tail, head].map(|v| self.rank[v as usize]);
                if let Some(overlay) = self.arc_between(ends) {
                    arcs[overlay][way] = (arc_length(lengths, arc), 1.0);
                }
            }
        }
        self.add_detours(&mut arcs);
        let distances = self.distances(&arcs);
        let is_tight = |way: usize, arc: usize| {
            let (length, _) = arcs[arc][way];
            length < ABSENT && length == distances[arc][way]
        };
        let (mut offsets, mut tight_arcs) = (vec![0], Vec::new());
        for v in 0..self.vertices() as u32 {
            let tight = |arc: &usize| (0..D).any(|way| is_tight(way, *arc));
            tight_arcs.extend(self.arcs_of(v).filter(tight).map(|arc| arc as u32));
            offsets.push(tight_arcs.len() as u32);
        }
        let mut directions = (0..D).map(|way| {
            let tight_arcs = tight_arcs.iter().map(|&arc| arc as usize);
            let arcs = tight_arcs.map(|arc| match is_tight(way, arc) {
                true => arcs[arc][way],
                false => (ABSENT, 0.0),
            });
            let (lengths, paths) = arcs.unzip();
            Direction { lengths, paths }
        });
        let head = |&arc: &u32| self.heads[arc as usize];
        Hierarchy {
            offsets,
            heads: tight_arcs.iter().map(head).collect(),
            up: directions.next().unwrap_or_default(),
            down: directions.next(),
            ..self
        }
    }

    /// Adds to each arc the paths over vertices of lower rank than both ends (lower triangles).
    fn add_detours<const D: usize>(&self, arcs: &mut [[Weight; D]]) {
        let overlay = Csr::new(self.offsets.clone(), self.heads.clone());
        // The tails of arcs from lower vertices, by head.
        let below = overlay.reversed();
        let add = |one: Weight, other: Weight| match one.0.cmp(&other.0) {
            Ordering::Less => one,
            Ordering::Equal => (one.0, one.1 + other.1),
            Ordering::Greater => other,
        };
        let rule = Rule {
            none: [(ABSENT, 0.0); D],
            items: |v| below.degree(v),
            visit: |arcs: &[[Weight; D]], own: &mut [[Weight; D]], v: u32, items: Range<usize>| {
                let first = self.arcs_of(v).start;
                for &lower in &below.neighbours(v)[items] {
                    let low = overlay.arc(lower, v);
                    let highs = low + 1..self.arcs_of(lower).end;
                    self.each_common(highs, self.arcs_of(v), |high, across| {
                        for to in 0..D {
                            let (by_low, by_high) = (arcs[low][D - 1 - to], arcs[high][to]);
                            let length = by_low.0.saturating_add(by_high.0);
                            let known = &mut own[across - first][to];
                            if length <= known.0 && length < ABSENT {
                                *known = add(*known, (length, by_low.1 * by_high.1));
                            }
                        }
                    });
                }
            },
            add: |one: [Weight; D], other: [Weight; D]| {
                array::from_fn(|way| add(one[way], other[way]))
            },
        };
        self.add_by_level(self.by_height(), arcs, &rule, |_, _| {});
    }

    /// Returns the distances between the ends of all arcs, computed by depth, the roots first: an
    /// arc of a vertex is compared with the paths over each other higher neighbour, whose distances
    /// are known. One step is enough, because the arcs include all paths over lower vertices, and
    /// all higher neighbours of a vertex have arcs to each other.
    fn distances<const D: usize>(&self, arcs: &[[Weight; D]]) -> Vec<[u32; D]> {
        let lengths = arcs.iter().map(|arc| arc.map(|(length, _)| length));
        let mut distances: Vec<_> = lengths.collect();
        let rule = Rule {
            none: [ABSENT; D],
            items: |v| self.arcs_of(v).len(),
            visit: |known: &[[u32; D]], own: &mut [[u32; D]], v: u32, items: Range<usize>| {
                let first = self.arcs_of(v).start;
                self.each_triangle(
                    v,
                    first + items.start..first + items.end,
                    |low, high, across| {
                        for to in 0..D {
                            let (over, back) = (known[across][to], known[across][D - 1 - to]);
                            let by_low = known[low][to].saturating_add(over);
                            let by_high = known[high][to].saturating_add(back);
                            let low = &mut own[low - first][to];
                            *low = by_high.min(*low);
                            let high = &mut own[high - first][to];
                            *high = by_low.min(*high);
                        }
                    },
                );
            },
            add: |one: [u32; D], other: [u32; D]| array::from_fn(|way| one[way].min(other[way])),
        };
        self.add_by_level(self.by_depth(), &mut distances, &rule, |_, _| {});
        distances
    }
}
