//! A weighted graph as `cl/lengths.cl` has it: lengths as integers that sort like them.

use bytemuck::Pod;

use crate::device::buffers::{BufferSet, Place};
use crate::graph::{Csr, Lengths, Vertex};

/// Plans the arrays of a graph with its lengths, in the order of the kernels' parameters: offsets
/// and `Arc`s, those of the reverse graph, or the same again, and `Shortest` of each vertex.
pub fn arrays<'p>(
    set: &mut BufferSet<'p>,
    graph: &'p Csr,
    lengths: &'p Lengths,
    reverse: Option<&'p Csr>,
) -> Vec<Place> {
    match lengths {
        Lengths::U32(lengths) => arrays_of(set, u32::MAX, graph, lengths, reverse),
        Lengths::U64(lengths) => arrays_of(set, u64::MAX, graph, lengths, reverse),
        Lengths::F64(lengths) => {
            let bits: Vec<u64> = lengths.iter().map(|length| length.to_bits()).collect();
            arrays_of(set, f64::INFINITY.to_bits(), graph, &bits, reverse)
        }
    }
}

fn arrays_of<'p, W: Pod + Ord + From<u32>>(
    set: &mut BufferSet<'p>,
    far: W,
    graph: &'p Csr,
    lengths: &[W],
    reverse: Option<&'p Csr>,
) -> Vec<Place> {
    let arcs = pairs(graph, lengths);
    let shortest = shortest(far, graph, &arcs);
    let turned = reverse.map(|reverse| turned(graph, &arcs, reverse));
    let out = [
        set.filled("CSR offsets", graph.offsets()),
        set.filled("arcs", arcs),
    ];
    let into = reverse.zip(turned).map_or(out, |(reverse, turned)| {
        [
            set.filled("reverse CSR offsets", reverse.offsets()),
            set.filled("reverse arcs", turned),
        ]
    });
    let shortest = set.filled("shortest arcs", shortest);
    [&out[..], &into, &[shortest]].concat()
}

/// Length and target of each arc.
fn pairs<W: Copy + From<u32>>(graph: &Csr, lengths: &[W]) -> Vec<[W; 2]> {
    let targets = graph.targets().iter().map(|&target| W::from(target));
    lengths
        .iter()
        .copied()
        .zip(targets)
        .map(|(length, target)| [length, target])
        .collect()
}

/// The arcs of each vertex in turn.
fn rows<'a, W>(graph: &'a Csr, arcs: &'a [[W; 2]]) -> impl Iterator<Item = &'a [[W; 2]]> {
    let ends = graph.offsets().windows(2);
    ends.map(|ends| &arcs[ends[0] as usize..ends[1] as usize])
}

/// The arcs in the order of the reverse graph.
fn turned<W: Copy + From<u32>>(graph: &Csr, arcs: &[[W; 2]], reverse: &Csr) -> Vec<[W; 2]> {
    let mut next = reverse.offsets().to_vec();
    let mut turned = arcs.to_vec();
    for (tail, row) in (0..).zip(rows(graph, arcs)) {
        for (&[length, _], &head) in row.iter().zip(graph.neighbours(tail)) {
            let place = &mut next[head as usize];
            turned[*place as usize] = [length, tail.into()];
            *place += 1;
        }
    }
    turned
}

/// Of each vertex: its shortest arc out and where that leads, the shortest one out but for that,
/// the shortest one in; `far` where there is none.
fn shortest<W: Copy + Ord>(far: W, graph: &Csr, arcs: &[[W; 2]]) -> Vec<[W; 4]> {
    let mut all = vec![[far; 4]; graph.vertices()];
    for (v, row) in rows(graph, arcs).enumerate() {
        for (&[length, target], &head) in row.iter().zip(graph.neighbours(v as Vertex)) {
            let [first, to, second, _] = &mut all[v];
            if length < *first {
                (*second, *first, *to) = (*first, length, target);
            } else {
                *second = length.min(*second);
            }
            let [.., inward] = &mut all[head as usize];
            *inward = length.min(*inward);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_arcs_of_each_vertex_and_arcs_turned_round() {
        // 0>1 (5), 0>2 (3), 0>3 (3), 2>0 (7); vertices 1 and 3 have no arc out.
        let graph = Csr::new(vec![0, 3, 3, 4, 4], vec![1, 2, 3, 0]);
        let arcs = pairs(&graph, &[5u32, 3, 3, 7]);
        assert_eq!(arcs, [[5, 1], [3, 2], [3, 3], [7, 0]]);
        let turned = turned(&graph, &arcs, &graph.reversed());
        assert_eq!(turned, [[7, 2], [5, 0], [3, 0], [3, 0]]);
        let far = u32::MAX;
        assert_eq!(
            shortest(far, &graph, &arcs),
            [
                [3, 2, 3, 7],
                [far, far, far, 5],
                [7, 0, far, 3],
                [far, far, far, 3]
            ]
        );
    }
}
