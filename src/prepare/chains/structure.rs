//! Junctions and chains as flat arrays, which hosts and devices search.

use crate::graph::Vertex;

/// A graph as junctions and chains.
///
/// *Junction* and *chain* stand for their numbers. All arrays are flat and hold 32-bit integers
/// or f64, as devices want them; what is the length of an array is said in brackets.
#[derive(Debug, Default, Clone)]
pub struct Chains {
    /// Prepared vertex of each junction, ascending [junctions].
    pub junctions: Vec<Vertex>,
    /// Chosen sources that each junction stands for [junctions].
    pub junction_sources: Vec<f64>,
    /// Input vertices that each junction stands for [junctions].
    pub junction_weight: Vec<f64>,

    /// The chain-ends at junction j are `end_offsets[j]..end_offsets[j + 1]`, by ascending chain
    /// [junctions + 1]. A loop has two ends at its junction.
    pub end_offsets: Vec<u32>,
    /// The junction where the chain leads [chain-ends, twice as many as chains].
    pub end_target: Vec<u32>,
    /// Edges of the chain, at least 1 [chain-ends].
    pub end_length: Vec<u32>,
    /// The chain [chain-ends].
    pub end_chain: Vec<u32>,
    /// Which end of the chain this is, 0 or 1 [chain-ends]. From end 1 the interior is met last
    /// vertex first: position p from here is position length - p from end 0.
    pub end_side: Vec<u32>,
    /// Mass E of the pairs inside the chain whose paths go round by its ends [chain-ends; the
    /// same at both ends of a chain]. A search from the junction of the chain-end adds it to that
    /// junction's own sum and, unless the chain is a loop, lets it flow on from `end_target`, as
    /// it does with a mass of targets beyond `end_target`.
    pub end_round: Vec<f64>,

    /// Junction at end 0 of each chain [chains]; chains are in the order of these.
    pub chain_from: Vec<u32>,
    /// Junction at end 1 of each chain [chains].
    pub chain_to: Vec<u32>,
    /// Edges of each chain [chains].
    pub chain_length: Vec<u32>,
    /// The interior of chain c is `chain_first[c]..chain_first[c + 1]`, of `chain_length[c] - 1`
    /// vertices [chains + 1].
    pub chain_first: Vec<u32>,

    /// Prepared vertices of the interiors, each from end 0 to end 1 [interiors]: position p of
    /// chain c is at `chain_first[c] + p - 1`.
    pub interior: Vec<Vertex>,
    /// Chosen sources that each interior vertex stands for [interiors].
    pub interior_sources: Vec<f64>,
    /// Input vertices that each interior vertex stands for [interiors].
    pub interior_weight: Vec<f64>,
    /// Sums of `interior_sources` over all interiors before this one, of whatever chain
    /// [interiors + 1]: the positions 1..=k from end 0 of chain c have
    /// `prefix_sources[f + k] - prefix_sources[f]`, f being `chain_first[c]`; from end 1 they have
    /// `prefix_sources[g] - prefix_sources[g - k]`, g being `chain_first[c + 1]`.
    pub prefix_sources: Vec<u32>,
    /// The same of `interior_weight` [interiors + 1].
    pub prefix_weight: Vec<u32>,

    /// What pairs within one chain add to its interior; zero for junctions [prepared vertices].
    pub closed: Vec<f64>,
    /// Whether sources and weights are the same everywhere (every vertex is a source), so that
    /// S and S' are too.
    pub uniform: bool,

    /// Number of the component of each junction [junctions].
    pub component: Vec<u32>,
    /// Junctions of component k: `component_junctions[o[k]..o[k + 1]]` of these [components + 1].
    pub component_junction_offsets: Vec<u32>,
    /// Junctions by component, ascending in each [junctions].
    pub component_junctions: Vec<u32>,
    /// Chains of component k, likewise [components + 1].
    pub component_chain_offsets: Vec<u32>,
    /// Chains that have an interior, by component, ascending in each.
    pub component_chains: Vec<u32>,
}

/// Row `i` of an array of offsets.
pub(crate) fn range(offsets: &[u32], i: usize) -> std::ops::Range<usize> {
    offsets[i] as usize..offsets[i + 1] as usize
}

/// `items` by group, in rows that keep their order: offsets and items.
pub(super) fn grouped(
    groups: u32,
    items: Vec<u32>,
    group: impl Fn(u32) -> u32,
) -> (Vec<u32>, Vec<u32>) {
    let mut offsets = vec![0; groups as usize + 1];
    for &item in &items {
        offsets[group(item) as usize + 1] += 1;
    }
    for g in 0..groups as usize {
        offsets[g + 1] += offsets[g];
    }
    let mut next = offsets.clone();
    let mut rows = vec![0; items.len()];
    for item in items {
        let slot = &mut next[group(item) as usize];
        rows[*slot as usize] = item;
        *slot += 1;
    }
    (offsets, rows)
}
