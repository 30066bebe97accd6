//! Roots in groups that are searched together, so that both ends of most chains are in one.

use super::find::Found;
use crate::engine::Root;
use crate::graph::{Csr, Vertex};

/// Roots of a group; the last group may have fewer.
pub const GROUP: usize = 16;

/// A chain inside which a group serves the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Served {
    /// The chain.
    pub chain: u32,
    /// Which roots of the group its ends are.
    pub lanes: [u8; 2],
}

/// The groups of all roots.
#[derive(Debug, Clone, Default)]
pub(super) struct Groups {
    pub(super) roots: Vec<Root>,
    /// The chains of group g are `served[first[g]..first[g + 1]]`.
    served: Vec<Served>,
    first: Vec<u32>,
    /// Groups by the vertex of their first root.
    starting_at: Vec<(Vertex, u32)>,
}

impl Groups {
    /// Groups of the vertices of a graph, but for those inside the chains that are served. A vertex
    /// that several groups need is a root in each of them, with its own sources in one of them
    /// only.
    pub(super) fn new(graph: &Csr, found: &Found, sources: &[u32]) -> Groups {
        let mut grouping = Grouping::new(graph.vertices(), found, sources);
        grouping.group_junctions();
        grouping.group_chains();
        grouping.group_singles();
        grouping.close();
        grouping.made.in_search_order()
    }

    /// The chains that a group serves; none, if the roots are not all of a group.
    pub(super) fn served_by(&self, roots: &[Root]) -> &[Served] {
        let Some(first) = roots.first().map(|root| root.vertex) else {
            return &[];
        };
        let at = self.starting_at.partition_point(|&(v, _)| v < first);
        let mut groups = self.starting_at[at..].iter();
        let is_group = |&&(v, group): &&(Vertex, u32)| v == first && self.group(group) == roots;
        match groups
            .by_ref()
            .take_while(|&&(v, _)| v == first)
            .find(is_group)
        {
            None => &[],
            Some(&(_, group)) => {
                let ends = &self.first[group as usize..group as usize + 2];
                &self.served[ends[0] as usize..ends[1] as usize]
            }
        }
    }

    /// All chains that are served.
    pub(super) fn all_served(&mut self) -> &mut [Served] {
        &mut self.served
    }

    fn group(&self, group: u32) -> &[Root] {
        let start = group as usize * GROUP;
        &self.roots[start..self.roots.len().min(start + GROUP)]
    }

    /// The same groups, spread so that the first ones are a fair sample of all: first claims tell
    /// how fast the others will be.
    fn in_search_order(self) -> Groups {
        let whole = self.roots.len() / GROUP;
        let order = crate::prepare::cluster::spread_order(whole).chain(whole..self.first.len() - 1);
        let mut ordered = Groups {
            first: vec![0],
            ..Groups::default()
        };
        for group in order {
            let roots = self.group(group as u32);
            let vertex = roots[0].vertex;
            let number = ordered.starting_at.len() as u32;
            ordered.starting_at.push((vertex, number));
            ordered.roots.extend_from_slice(roots);
            let served = self.first[group] as usize..self.first[group + 1] as usize;
            ordered.served.extend_from_slice(&self.served[served]);
            ordered.first.push(ordered.served.len() as u32);
        }
        ordered.starting_at.sort_unstable();
        ordered
    }
}

/// Groups being made.
struct Grouping<'f> {
    found: &'f Found,
    sources: &'f [u32],
    /// The chains that end at vertex v are `ending[ends_at[v]..ends_at[v + 1]]`.
    ends_at: Vec<u32>,
    ending: Vec<u32>,
    /// Chains that are served, or whose inner vertices are roots.
    is_settled: Vec<bool>,
    /// Vertices that are inside a chain.
    is_inner: Vec<bool>,
    /// Vertices that are a root with their own sources already.
    is_root: Vec<bool>,
    /// Chains that are not worth two more roots; a group that has both ends serves them.
    short: Vec<u32>,
    /// Vertices inside chains that no group serves.
    singles: Vec<Vertex>,
    group: Vec<Root>,
    /// Vertices at the other end of chains of the group, with how many inner vertices these have.
    near: Vec<(Vertex, usize)>,
    made: Groups,
}

impl<'f> Grouping<'f> {
    fn new(n: usize, found: &'f Found, sources: &'f [u32]) -> Self {
        let mut ends_at = vec![0u32; n + 1];
        for &v in found.ends.iter().flatten() {
            ends_at[v as usize + 1] += 1;
        }
        for v in 0..n {
            ends_at[v + 1] += ends_at[v];
        }
        let mut next = ends_at.clone();
        let mut ending = vec![0; 2 * found.ends.len()];
        for (chain, ends) in (0..).zip(&found.ends) {
            for &v in ends {
                ending[next[v as usize] as usize] = chain;
                next[v as usize] += 1;
            }
        }
        let mut is_inner = vec![false; n];
        for &v in &found.inner {
            is_inner[v as usize] = true;
        }
        Grouping {
            found,
            sources,
            ends_at,
            ending,
            is_settled: vec![false; found.ends.len()],
            is_inner,
            is_root: vec![false; n],
            short: Vec::new(),
            singles: Vec::new(),
            group: Vec::new(),
            near: Vec::new(),
            made: Groups {
                first: vec![0],
                ..Groups::default()
            },
        }
    }

    fn inner(&self, chain: u32) -> &'f [Vertex] {
        let first = &self.found.first[chain as usize..chain as usize + 2];
        &self.found.inner[first[0] as usize..first[1] as usize]
    }

    /// From each vertex outside chains that is in no group yet, along chains.
    fn group_junctions(&mut self) {
        for v in 0..self.is_root.len() as Vertex {
            if !self.is_inner[v as usize] && !self.is_root[v as usize] {
                self.add(v);
                self.grow();
            }
        }
    }

    /// The chains between groups: long ones are worth searching from their ends once more.
    fn group_chains(&mut self) {
        for chain in 0..self.found.ends.len() as u32 {
            if self.is_settled[chain as usize] {
                continue;
            }
            if self.inner(chain).len() < 3 {
                self.short.push(chain);
                continue;
            }
            let ends = self.found.ends[chain as usize];
            let is_missing = |group: &[Root], v: Vertex| group.iter().all(|root| root.vertex != v);
            let missing = ends.iter().filter(|&&v| is_missing(&self.group, v)).count();
            while self.group.len() + missing > GROUP {
                let single = self.single();
                // Only the last group may be short: without a single left, a root is repeated.
                self.add(single.unwrap_or(self.group[0].vertex));
                if self.group.len() == GROUP {
                    self.close();
                    break;
                }
            }
            for v in ends {
                if is_missing(&self.group, v) {
                    self.add(v);
                }
            }
            self.grow();
        }
    }

    /// A vertex to search from by itself, inside a chain that no group serves from now on.
    fn single(&mut self) -> Option<Vertex> {
        while self.singles.is_empty() {
            let chain = self.short.pop()?;
            if !std::mem::replace(&mut self.is_settled[chain as usize], true) {
                self.singles.extend_from_slice(self.inner(chain));
            }
        }
        self.singles.pop()
    }

    fn group_singles(&mut self) {
        while let Some(v) = self.single() {
            self.add(v);
            if self.group.len() == GROUP {
                self.close();
            }
        }
    }

    /// Adds vertices at the other ends of the group's chains, as long as that saves searches.
    fn grow(&mut self) {
        while self.group.len() < GROUP {
            // The searches saved: those from all inner vertices, less one if the vertex is a root
            // already. A new root costs nothing extra, and comes first.
            let saved = |&(v, inner): &(Vertex, usize)| match self.is_root[v as usize] {
                true => inner.saturating_sub(1),
                false => inner + 1,
            };
            match self.near.iter().max_by_key(|&near| saved(near)).copied() {
                Some(best) if saved(&best) > 0 => self.add(best.0),
                _ => return,
            }
        }
        self.close();
    }

    fn add(&mut self, v: Vertex) {
        let lane = self.group.len() as u8;
        let is_root = std::mem::replace(&mut self.is_root[v as usize], true);
        let sources = if is_root { 0 } else { self.sources[v as usize] };
        self.group.push(Root { vertex: v, sources });
        self.near.retain(|&(near, _)| near != v);
        for at in self.ends_at[v as usize]..self.ends_at[v as usize + 1] {
            let chain = self.ending[at as usize];
            if self.is_settled[chain as usize] {
                continue;
            }
            let ends = self.found.ends[chain as usize];
            let other = if ends[0] == v { ends[1] } else { ends[0] };
            let place = self.group.iter().position(|root| root.vertex == other);
            if let Some(place) = place {
                self.is_settled[chain as usize] = true;
                let mut lanes = [lane, place as u8];
                if ends[0] != v {
                    lanes.reverse();
                }
                self.made.served.push(Served { chain, lanes });
                continue;
            }
            let inner = self.inner(chain).len();
            match self.near.iter_mut().find(|(near, _)| *near == other) {
                Some((_, all)) => *all += inner,
                None => self.near.push((other, inner)),
            }
        }
    }

    fn close(&mut self) {
        if self.group.is_empty() {
            return;
        }
        self.made.roots.append(&mut self.group);
        self.made.first.push(self.made.served.len() as u32);
        self.near.clear();
    }
}
