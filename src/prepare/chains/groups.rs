//! Groups of roots that are searched together. Most chains have both ends in one group.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use super::find::FoundChains;
use crate::engine::Root;
use crate::graph::Vertex;
use crate::prepare::order::{NO_PLACE, places, spread_order};

/// The number of roots of a group; the last group may have fewer.
pub const GROUP: usize = 16;

/// A chain whose inner sources a group serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Served {
    /// The number of the chain.
    pub chain: u32,
    /// The places of its ends among the roots of the group.
    pub lanes: [u8; 2],
}

/// Roots that are searched together.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) roots: Vec<Root>,
    pub(super) served: Vec<Served>,
}

impl Group {
    /// Returns the place of a vertex among the roots of the group.
    fn place(&self, v: Vertex) -> Option<usize> {
        self.roots.iter().position(|root| root.vertex == v)
    }
}

/// Groups the vertices of a graph with these numbers of `sources`, without the inner vertices of
/// served chains. A vertex that several groups need is a root in each of them, with its own sources
/// in one of them only.
///
/// The groups are in an order of which every prefix is a representative sample, so that the first
/// claims predict the time of the others.
pub(super) fn groups(found: &FoundChains, sources: &[f64]) -> impl Iterator<Item = Group> {
    let mut grouping = Grouping::new(found, sources);
    grouping.group_junctions();
    grouping.group_chains();
    grouping.close();
    let mut closed = grouping.closed;
    let whole = closed.partition_point(|group| group.roots.len() == GROUP);
    let order = spread_order(whole).into_iter();
    let order = order.chain(whole..closed.len());
    order.map(move |group| mem::take(&mut closed[group]))
}

/// The state while groups are made.
struct Grouping<'f> {
    found: &'f FoundChains,
    sources: &'f [f64],
    /// The ends of all chains, with their chains.
    ends: BTreeSet<(Vertex, u32)>,
    /// Per chain, whether it is served or its inner vertices are roots.
    is_settled: Vec<bool>,
    /// Per vertex, the number of chains that end there, without those that a group serves.
    unsettled: Vec<i64>,
    /// Per vertex, whether it is already a root with its own sources.
    is_root: Vec<bool>,
    /// The group that is being filled.
    group: Group,
    /// Vertices at the other ends of chains of the group, each with the number of these chains and
    /// that of their inner vertices.
    near: BTreeMap<Vertex, (i64, i64)>,
    /// The groups that are complete.
    closed: Vec<Group>,
}

impl<'f> Grouping<'f> {
    fn new(found: &'f FoundChains, sources: &'f [f64]) -> Self {
        let ends = |(chain, ends): (u32, &[Vertex; 2])| ends.map(|v| (v, chain));
        let ends: BTreeSet<_> = (0..).zip(&found.ends).flat_map(ends).collect();
        let mut unsettled = vec![0; sources.len()];
        ends.iter().for_each(|&(v, _)| unsettled[v as usize] += 1);
        Grouping {
            found,
            sources,
            ends,
            is_settled: vec![false; found.ends.len()],
            unsettled,
            is_root: vec![false; sources.len()],
            group: Group::default(),
            near: BTreeMap::new(),
            closed: Vec::new(),
        }
    }

    /// Grows a group from each vertex outside chains that is in no group yet.
    fn group_junctions(&mut self) {
        let inner = places(self.is_root.len(), &self.found.inner);
        for (v, place) in (0..).zip(inner) {
            if place == NO_PLACE && !self.is_root[v as usize] {
                self.add(v);
                self.grow();
            }
        }
    }

    /// Serves long chains between groups by searching from their ends once more. The vertices
    /// inside short ones become roots: their ends would be two roots more.
    fn group_chains(&mut self) {
        let mut singles = Vec::new();
        for chain in 0..self.found.ends.len() {
            let (ends, inner) = self.found.chain(chain);
            if self.is_settled[chain] {
                continue;
            } else if inner.len() < 3 {
                self.is_settled[chain] = true;
                singles.extend_from_slice(inner);
                continue;
            }
            // The first end may complete a group; then it is added once more after the second one.
            while !self.is_settled[chain] {
                for v in ends {
                    if self.group.place(v).is_none() {
                        self.add(v);
                    }
                }
            }
            self.grow();
        }
        singles.into_iter().for_each(|v| self.add(v));
    }

    /// Adds vertices at the other ends of the group's chains while that saves searches.
    fn grow(&mut self) {
        loop {
            // A vertex that is a root already saves the searches from the inner vertices, but costs
            // one. Another one is searched from in any case. It is preferred if few of its chains
            // would be left between two groups, and then if its chains are short: a long one costs
            // two more roots if it is left, a short one costs a root for each inner vertex.
            let saved = |v: Vertex, (chains, inner): (i64, i64)| match self.is_root[v as usize] {
                true => 2 * (inner - 1),
                false => (2 * chains - self.unsettled[v as usize] + 2).max(1),
            };
            let near = self.near.iter();
            let near = near.map(|(&v, &chains)| (saved(v, chains), Reverse(chains.1), v));
            match near.max() {
                Some((saved, _, v)) if saved > 0 => self.add(v),
                _ => return,
            }
        }
    }

    /// Adds a root to the group, and serves the chains from it to other roots of the group. Closes
    /// the group if it is complete.
    fn add(&mut self, v: Vertex) {
        let lane = self.group.roots.len() as u8;
        let is_root = mem::replace(&mut self.is_root[v as usize], true);
        let sources = self.sources[v as usize] as u32 * u32::from(!is_root);
        self.group.roots.push(Root { vertex: v, sources });
        self.near.remove(&v);
        for &(_, chain) in self.ends.range((v, 0)..=(v, u32::MAX)) {
            let is_settled = &mut self.is_settled[chain as usize];
            let ends = self.found.ends[chain as usize];
            let other = ends[usize::from(ends[0] == v)];
            if *is_settled {
                continue;
            } else if let Some(place) = self.group.place(other) {
                *is_settled = true;
                let lanes = ends.map(|end| if end == v { lane } else { place as u8 });
                self.unsettled[v as usize] -= 1;
                self.unsettled[other as usize] -= 1;
                self.group.served.push(Served { chain, lanes });
                continue;
            }
            let (chains, inner) = self.near.entry(other).or_default();
            *chains += 1;
            *inner += self.found.inner_of(chain as usize).len() as i64;
        }
        if self.group.roots.len() == GROUP {
            self.close();
        }
    }

    /// Closes the group, if it has roots, and begins an empty one.
    fn close(&mut self) {
        if !self.group.roots.is_empty() {
            self.closed.push(mem::take(&mut self.group));
        }
        self.near.clear();
    }
}
