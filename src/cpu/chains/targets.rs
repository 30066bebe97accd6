//! Target weights: S of every junction and interior vertex, as seen from one junction.
//!
//! Along a chain, distances from a junction rise by one a step up to where both ends tie, and fall
//! from there; so h is a constant wherever the distances from the root and from the other end of
//! its chain rise or fall alike. From far away that is usually the case on a whole chain, and for
//! all chains at the root. S is then the same for all interior vertices nearer to the same end,
//! that of the end itself: it is enough to note S at the last vertex of those, and multiply by
//! weights at the end of the run. Only what is left is done vertex by vertex.

use super::ends::{End, Ends};
use super::paths::{JunctionPaths, PathCache};
use crate::prepare::Chains;
use crate::prepare::chains::range;

/// A junction as a target.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<const K: usize> {
    /// S, and S' where it is another.
    pub(super) mass: [f64; K],
    /// The part of it that comes from roots inside chains.
    pub(super) beyond: [f64; K],
    /// I: what targets inside chains are reached by this junction.
    pub(super) inside: f64,
    /// The h of all ends at the root as one number, twice that; plus one if some root inside a
    /// chain has a tie.
    signature: u64,
    distance: u32,
}

/// Targets of the current sweep, and sums over all.
pub(super) struct Targets<'c, const K: usize> {
    chains: &'c Chains,
    /// Per junction.
    pub(super) junctions: Vec<Target<K>>,
    /// Omega of interior vertices reached by end 0 and end 1, and how much.
    via: [Vec<f64>; 2],
    /// S that counts for this interior vertex and all before it, reached by end 0.
    up_to: Vec<[f64; K]>,
    /// S that counts for this interior vertex and all after it, reached by end 1.
    from: Vec<[f64; K]>,
    /// Per interior vertex, room for S.
    beyond: Vec<[f64; K]>,
    /// Where the rows of the other ends are.
    slots: Vec<usize>,
}

// Plain loops over K, and inlined: left to itself the compiler makes calls of them.

/// Omega: sum of S times factors.
#[inline(always)]
pub(super) fn dot<const K: usize>(a: &[f64; K], b: &[f64; K]) -> f64 {
    let mut sum = 0.0;
    for k in 0..K {
        sum += a[k] * b[k];
    }
    sum
}

#[inline(always)]
fn add<const K: usize>(a: &mut [f64; K], b: &[f64; K]) {
    for k in 0..K {
        a[k] += b[k];
    }
}

/// Adds a share of `b`.
#[inline(always)]
fn add_share<const K: usize>(a: &mut [f64; K], b: &[f64; K], share: f64) {
    for k in 0..K {
        a[k] += share * b[k];
    }
}

#[inline(always)]
fn is_zero<const K: usize>(a: &[f64; K]) -> bool {
    let mut zero = true;
    for value in a {
        zero &= *value == 0.0;
    }
    zero
}

/// A chain as seen from a junction.
struct View {
    from: u32,
    to: u32,
    length: u32,
    /// Where its interior begins.
    first: usize,
    /// Positions p with 2p < `turn` are nearer to end 0; they tie with 2p = `turn`.
    turn: u32,
}

impl View {
    /// How many interior vertices are nearer to end 0.
    #[inline(always)]
    fn low(&self) -> usize {
        (self.turn.saturating_sub(1) / 2) as usize
    }

    /// How many are nearer to end 0, or tie.
    #[inline(always)]
    fn not_high(&self) -> usize {
        (self.turn / 2).min(self.length - 1) as usize
    }
}

impl<'c, const K: usize> Targets<'c, K> {
    pub(super) fn new(chains: &'c Chains) -> Self {
        let interiors = chains.interior.len();
        let unknown = Target {
            mass: [0.0; K],
            beyond: [0.0; K],
            inside: 0.0,
            signature: 0,
            distance: 0,
        };
        Targets {
            chains,
            junctions: vec![unknown; chains.len()],
            via: [vec![0.0; interiors], vec![0.0; interiors]],
            up_to: vec![[0.0; K]; interiors],
            from: vec![[0.0; K]; interiors],
            beyond: vec![[0.0; K]; interiors],
            slots: Vec::new(),
        }
    }

    /// Weighs all targets of a sweep from `root`. Returns what of it comes from roots inside
    /// chains, which meet `root` on their way.
    pub(super) fn weigh(&mut self, root: u32, ends: &Ends<K>, rows: &mut PathCache) -> f64 {
        let own = self.own(root);
        let chains = self.chains_of(root);
        // The root and the other ends, if there is room for so many rows.
        let narrow = ends.fit && ends.list.len() < rows.most;
        if narrow {
            self.slots.clear();
            for end in &ends.list {
                let slot = rows.fetch(end.target);
                self.slots.push(slot);
            }
        }
        let slot = rows.fetch(root);
        self.begin(root, rows.at(slot));
        let slots = std::mem::take(&mut self.slots);
        if narrow {
            for (end, &slot_there) in ends.list.iter().zip(&slots) {
                self.junctions_by(root, end, ends, rows.at(slot), rows.at(slot_there));
            }
        } else {
            for &chain in chains {
                self.clear_inside(chain as usize);
            }
            for end in &ends.list {
                let slot = rows.fetch(root);
                let there = rows.fetch(end.target);
                let (here, there) = (rows.at(slot), rows.at(there));
                self.junctions_by(root, end, ends, here, there);
                for &chain in chains {
                    let view = self.view(chain as usize);
                    self.chain_by(chain as usize, &view, end, ends, here, there);
                }
            }
        }
        let slot = rows.fetch(root);
        let here = rows.at(slot);
        let mut beyond = self.finish_junctions(root, &own);
        for &chain in chains {
            let chain = chain as usize;
            let view = self.view(chain);
            let fast = narrow && view.from != root && view.to != root;
            beyond += if fast && let Some(beyond) = self.whole(&view, here) {
                beyond
            } else {
                if narrow {
                    self.clear_inside(chain);
                    for (end, &there) in ends.list.iter().zip(&slots) {
                        self.chain_by(chain, &view, end, ends, here, rows.at(there));
                    }
                }
                self.each(&view, here, &own)
            };
        }
        self.slots = slots;
        beyond
    }

    /// The root's own part of S and S'.
    fn own(&self, root: u32) -> [f64; K] {
        let of = [&self.chains.junction_sources, &self.chains.junction_weight];
        std::array::from_fn(|k| of[k][root as usize])
    }

    /// Omega = factor S of a junction: S has the weight w, and if S' is there, both have half.
    #[inline(always)]
    pub(super) fn factor(&self, junction: u32) -> [f64; K] {
        let of = [&self.chains.junction_weight, &self.chains.junction_sources];
        let mut factor = [0.0; K];
        for k in 0..K {
            factor[k] = of[k][junction as usize] / K as f64;
        }
        factor
    }

    /// The same of an interior vertex.
    #[inline(always)]
    fn inner_factor(&self, i: usize) -> [f64; K] {
        let of = [&self.chains.interior_weight, &self.chains.interior_sources];
        let mut factor = [0.0; K];
        for k in 0..K {
            factor[k] = of[k][i] / K as f64;
        }
        factor
    }

    /// The sum of the factors of these interior vertices.
    #[inline(always)]
    fn factors(&self, from: usize, to: usize) -> [f64; K] {
        let of = [&self.chains.prefix_weight, &self.chains.prefix_sources];
        let mut sum = [0.0; K];
        for k in 0..K {
            sum[k] = f64::from(of[k][to] - of[k][from]) / K as f64;
        }
        sum
    }

    /// The junctions of the root's component.
    fn component(&self, root: u32) -> &'c [u32] {
        let component = self.chains.component[root as usize] as usize;
        let chains = self.chains;
        &chains.component_junctions[range(&chains.component_junction_offsets, component)]
    }

    /// The chains of the root's component.
    fn chains_of(&self, root: u32) -> &'c [u32] {
        let component = self.chains.component[root as usize] as usize;
        let chains = self.chains;
        &chains.component_chains[range(&chains.component_chain_offsets, component)]
    }

    fn begin(&mut self, root: u32, here: &JunctionPaths) {
        for &v in self.component(root) {
            self.junctions[v as usize] = Target {
                mass: [0.0; K],
                beyond: [0.0; K],
                inside: 0.0,
                signature: 0,
                distance: here.seen[v as usize].distance,
            };
        }
    }

    /// Adds what leaves by one end to S of all junctions.
    fn junctions_by(
        &mut self,
        root: u32,
        end: &End,
        ends: &Ends<K>,
        here: &JunctionPaths,
        there: &JunctionPaths,
    ) {
        let table = &ends.leaving[end.table..][..=2 * end.length as usize];
        for &v in self.component(root) {
            let target = &mut self.junctions[v as usize];
            let h = end.length + there.seen[v as usize].distance - target.distance;
            let leaving = &table[h as usize];
            add(&mut target.beyond, &leaving.all);
            // (Wraps only if it is not used.)
            let digit = end.place.wrapping_mul(2 * u64::from(h));
            target.signature = target.signature.wrapping_add(digit);
            if !is_zero(&leaving.tied) {
                let sigma = here.seen[v as usize].sigma;
                let share = sigma / (sigma + there.seen[v as usize].sigma);
                add_share(&mut target.beyond, &leaving.tied, share);
                target.signature |= 1;
            }
        }
    }

    /// Completes S of junctions; returns Omega from inside chains over all but the root.
    fn finish_junctions(&mut self, root: u32, own: &[f64; K]) -> f64 {
        let mut all = 0.0;
        for &v in self.component(root) {
            let factor = self.factor(v);
            let target = &mut self.junctions[v as usize];
            target.mass = target.beyond;
            add(&mut target.mass, own);
            if v != root {
                all += dot(&factor, &target.beyond);
            }
        }
        all
    }

    #[inline(always)]
    fn view(&self, chain: usize) -> View {
        let chains = self.chains;
        let (from, to) = (chains.chain_from[chain], chains.chain_to[chain]);
        let length = chains.chain_length[chain];
        let distance = |j: u32| self.junctions[j as usize].distance;
        View {
            from,
            to,
            length,
            first: chains.chain_first[chain] as usize,
            turn: distance(to) + length - distance(from),
        }
    }

    /// All of a chain at once, if h is constant on it for all ends; returns Omega from inside
    /// chains.
    #[inline(always)]
    fn whole(&mut self, view: &View, here: &JunctionPaths) -> Option<f64> {
        let (from, to) = (view.from as usize, view.to as usize);
        let (low, high) = (&self.junctions[from], &self.junctions[to]);
        if low.signature != high.signature {
            return None;
        }
        let (below, above) = (view.low(), view.not_high());
        // S at a vertex where both ends tie is that at the ends, unless path counts matter.
        if below != above && low.signature & 1 != 0 {
            return None;
        }
        let first = view.first;
        let last = first + view.length as usize - 1;
        let (low_mass, high_mass) = (low.mass, high.mass);
        let (low_beyond, high_beyond) = (low.beyond, high.beyond);
        let mut beyond = 0.0;
        if below > 0 {
            add(&mut self.up_to[first + below - 1], &low_mass);
            let factors = self.factors(first, first + below);
            self.junctions[from].inside += dot(&factors, &low_mass);
            beyond += dot(&factors, &low_beyond);
        }
        if first + above < last {
            add(&mut self.from[first + above], &high_mass);
            let factors = self.factors(first + above, last);
            self.junctions[to].inside += dot(&factors, &high_mass);
            beyond += dot(&factors, &high_beyond);
        }
        if below != above {
            let factor = self.inner_factor(first + below);
            self.tie(view, first + below, dot(&factor, &low_mass), here);
            beyond += dot(&factor, &low_beyond);
        }
        Some(beyond)
    }

    /// Omega of a vertex that is reached by both ends.
    #[inline(always)]
    fn tie(&mut self, view: &View, i: usize, omega: f64, here: &JunctionPaths) {
        let (from, to) = (view.from as usize, view.to as usize);
        let (low, high) = (here.seen[from].sigma, here.seen[to].sigma);
        let scale = 1.0 / (low + high);
        let (low, high) = (omega * (low * scale), omega * (high * scale));
        self.via[0][i] += low;
        self.via[1][i] += high;
        self.junctions[from].inside += low;
        self.junctions[to].inside += high;
    }

    /// Vertex by vertex, `beyond` of the chain having been filled; returns Omega from inside
    /// chains.
    fn each(&mut self, view: &View, here: &JunctionPaths, own: &[f64; K]) -> f64 {
        let first = view.first;
        let (below, above) = (first + view.low(), first + view.not_high());
        let mut all = 0.0;
        let mut inside = [0.0; 2];
        for i in first..first + view.length as usize - 1 {
            let factor = self.inner_factor(i);
            all += dot(&factor, &self.beyond[i]);
            let omega = dot(&factor, &self.beyond[i]) + dot(&factor, own);
            if i < below {
                self.via[0][i] += omega;
                inside[0] += omega;
            } else if i >= above {
                self.via[1][i] += omega;
                inside[1] += omega;
            } else {
                self.tie(view, i, omega, here);
            }
        }
        self.junctions[view.from as usize].inside += inside[0];
        self.junctions[view.to as usize].inside += inside[1];
        all
    }

    fn clear_inside(&mut self, chain: usize) {
        self.beyond[range(&self.chains.chain_first, chain)].fill([0.0; K]);
    }

    /// Adds what leaves by one end to S inside a chain.
    fn chain_by(
        &mut self,
        chain: usize,
        view: &View,
        end: &End,
        ends: &Ends<K>,
        here: &JunctionPaths,
        there: &JunctionPaths,
    ) {
        if end.chain as usize == chain {
            return;
        }
        let (from, to) = (view.from as usize, view.to as usize);
        let table = &ends.leaving[end.table..][..=2 * end.length as usize];
        let turn_there = there.seen[to].distance + view.length - there.seen[from].distance;
        // Distance by the nearer end, and path counts by it or both.
        let distance = |row: &JunctionPaths, turn: u32, q: u32| {
            if 2 * q <= turn {
                row.seen[from].distance + q
            } else {
                row.seen[to].distance + view.length - q
            }
        };
        let sigma = |row: &JunctionPaths, turn: u32, q: u32| match (2 * q).cmp(&turn) {
            std::cmp::Ordering::Less => row.seen[from].sigma,
            std::cmp::Ordering::Equal => row.seen[from].sigma + row.seen[to].sigma,
            std::cmp::Ordering::Greater => row.seen[to].sigma,
        };
        let interior = view.first..view.first + view.length as usize - 1;
        for (q, mass) in (1..).zip(&mut self.beyond[interior]) {
            let h = end.length + distance(there, turn_there, q) - distance(here, view.turn, q);
            let leaving = &table[h as usize];
            add(mass, &leaving.all);
            if !is_zero(&leaving.tied) {
                let paths = sigma(here, view.turn, q);
                let share = paths / (paths + sigma(there, turn_there, q));
                add_share(mass, &leaving.tied, share);
            }
        }
    }

    /// What reached interior vertices by end 0 and end 1 since the last call.
    pub(super) fn collect(&mut self) -> [Vec<f64>; 2] {
        let chains = self.chains;
        for chain in 0..chains.chains() {
            let interior = range(&chains.chain_first, chain);
            let mut mass = [0.0; K];
            for i in interior.clone().rev() {
                add(&mut mass, &std::mem::replace(&mut self.up_to[i], [0.0; K]));
                self.via[0][i] += dot(&self.inner_factor(i), &mass);
            }
            let mut mass = [0.0; K];
            for i in interior {
                add(&mut mass, &std::mem::replace(&mut self.from[i], [0.0; K]));
                self.via[1][i] += dot(&self.inner_factor(i), &mass);
            }
        }
        let empty = || vec![0.0; chains.interior.len()];
        std::mem::replace(&mut self.via, [empty(), empty()])
    }
}
