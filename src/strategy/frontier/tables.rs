//! The arrays of a weighted graph for `cl/frontier/lengths.cl`. Lengths are stored as unsigned
//! integers that sort like the lengths.

use bytemuck::Pod;

use crate::device::buffers::{BufferSet, DeviceBuffer};
use crate::graph::{Csr, Lengths, Vertex};
use crate::prepare::Prepared;

/// Plans the arrays of a graph with its lengths, in the order of the kernels' parameters: offsets
/// and `Arc`s, those of the reverse graph (of the same graph, if undirected), and `Shortest` of
/// each vertex. `Arc` and `Shortest` are structures of the kernels.
pub fn arrays<'p>(
    set: &mut BufferSet<'p>,
    prepared: &'p Prepared,
    lengths: &Lengths,
) -> Vec<DeviceBuffer> {
    match lengths {
        Lengths::U32(_) => arrays_of(set, u32::MAX, prepared, lengths),
        Lengths::U64(_) => arrays_of(set, u64::MAX, prepared, lengths),
        Lengths::F64(_) => arrays_of(set, f64::INFINITY.to_bits(), prepared, lengths),
    }
}

fn arrays_of<'p, W: Pod + Ord + From<u32>>(
    set: &mut BufferSet<'p>,
    far: W,
    prepared: &'p Prepared,
    lengths: &Lengths,
) -> Vec<DeviceBuffer> {
    let graph = &prepared.graph;
    let arcs = pairs::<W>(graph, words(lengths));
    let shortest = shortest(far, graph, &arcs);
    let out = [
        set.filled("CSR offsets", graph.offsets()),
        set.filled("arcs", arcs),
    ];
    let reverse = prepared.reverse.as_ref();
    let reverse = reverse.zip(prepared.reverse_lengths.as_ref());
    let into = reverse.map_or_else(
        || out.clone(),
        |(reverse, lengths)| {
            [
                set.filled("reverse CSR offsets", reverse.offsets()),
                set.filled("reverse arcs", pairs::<W>(reverse, words(lengths))),
            ]
        },
    );
    let shortest = set.filled("shortest arcs", shortest);
    [&out[..], &into, &[shortest]].concat()
}

/// Returns lengths as integers of the same width and order.
fn words<W: Pod>(lengths: &Lengths) -> &[W] {
    bytemuck::cast_slice(lengths.as_bytes())
}

/// Returns the length and target of each arc.
fn pairs<W: Copy + From<u32>>(graph: &Csr, lengths: &[W]) -> Vec<[W; 2]> {
    let arcs = lengths.iter().zip(graph.targets());
    arcs.map(|(&length, &target)| [length, target.into()])
        .collect()
}

/// Returns four numbers for each vertex: the length and target of its shortest out-arc, the length
/// of the second shortest one, and the length of its shortest in-arc; `far` if there is no such
/// arc.
fn shortest<W: Copy + Ord>(far: W, graph: &Csr, arcs: &[[W; 2]]) -> Vec<[W; 4]> {
    let mut all = vec![[far; 4]; graph.vertices()];
    for (v, ends) in graph.offsets().windows(2).enumerate() {
        let row = &arcs[ends[0] as usize..ends[1] as usize];
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
