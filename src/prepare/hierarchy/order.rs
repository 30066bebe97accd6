//! The order of elimination: degree-2 chains by halves, the rest by nested dissection.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use super::overlay::Network;
use crate::graph::{Csr, Vertex};

/// The graph without directions: both arcs of each edge.
pub(super) fn skeleton<'g>(network: &Network<'g>) -> Cow<'g, Csr> {
    let Some(reverse) = network.reverse else {
        return Cow::Borrowed(network.graph);
    };
    let n = network.graph.vertices();
    let mut offsets = Vec::with_capacity(n + 1);
    let mut targets = Vec::new();
    offsets.push(0);
    for v in 0..n as Vertex {
        let first = targets.len();
        targets.extend_from_slice(network.graph.neighbours(v));
        targets.extend_from_slice(reverse.neighbours(v));
        targets[first..].sort_unstable();
        let row = targets.split_off(first);
        targets.extend(deduplicated(row));
        offsets.push(targets.len() as u32);
    }
    Cow::Owned(Csr::new(offsets, targets))
}

fn deduplicated(mut row: Vec<Vertex>) -> Vec<Vertex> {
    row.dedup();
    row
}

/// Vertices in the order in which they are eliminated; `None` if there are too many for METIS.
///
/// Vertices of degree 2 at most come first: eliminating them adds no more arcs than it removes.
/// Those of one chain follow each other by halves, every other one of those that are left, so that
/// the elimination tree of a chain is as deep as the logarithm of its length.
pub(super) fn elimination_order(graph: &Csr) -> Option<Vec<Vertex>> {
    let n = graph.vertices();
    let mut order = Vec::with_capacity(n);
    let (mut chains, gates) = chains(graph);
    while chains.iter().any(|chain| !chain.is_empty()) {
        for chain in &mut chains {
            order.extend(chain.iter().step_by(2));
            *chain = chain.iter().copied().skip(1).step_by(2).collect();
        }
    }
    let mut is_first = vec![false; n];
    for &v in &order {
        is_first[v as usize] = true;
    }
    let rest: Vec<Vertex> = (0..n as Vertex)
        .filter(|&v| !is_first[v as usize])
        .collect();
    order.extend(nested_dissection(graph, &rest, &gates)?);
    Some(order)
}

/// The chains of vertices of degree 2 at most, in their order along the chain, and the pairs of
/// other vertices that they connect. A cycle keeps one of its vertices out.
fn chains(graph: &Csr) -> (Vec<Vec<Vertex>>, Vec<[Vertex; 2]>) {
    let n = graph.vertices();
    let inner = |v: Vertex| graph.degree(v) <= 2;
    let mut seen = vec![false; n];
    let (mut chains, mut gates) = (Vec::new(), Vec::new());
    // Follows a chain from `v`, coming from `from`, to the first vertex that is not inside it.
    let follow = |seen: &mut Vec<bool>, mut from: Vertex, mut v: Vertex| {
        let mut chain = Vec::new();
        while inner(v) && !seen[v as usize] {
            seen[v as usize] = true;
            chain.push(v);
            let next = graph.neighbours(v).iter().find(|&&u| u != from);
            match next {
                Some(&u) => (from, v) = (v, u),
                None => return (chain, None),
            }
        }
        (chain, Some(v))
    };
    let ends = |v: &Vertex| !inner(*v) || graph.degree(*v) < 2;
    for gate in (0..n as Vertex).filter(ends) {
        for &first in graph.neighbours(gate) {
            if inner(gate) && !seen[gate as usize] {
                seen[gate as usize] = true;
                chains.push(vec![gate]);
            }
            if !inner(first) || seen[first as usize] {
                continue;
            }
            let (chain, end) = follow(&mut seen, gate, first);
            chains.push(chain);
            if let Some(end) = end
                && !inner(gate)
                && !inner(end)
                && gate != end
            {
                gates.push([gate, end]);
            }
        }
    }
    // What is left of degree 2 are cycles.
    for v in 0..n as Vertex {
        if inner(v) && !seen[v as usize] && graph.degree(v) == 2 {
            seen[v as usize] = true;
            let (chain, _) = follow(&mut seen, v, graph.neighbours(v)[0]);
            chains.push(chain);
        }
    }
    (chains, gates)
}

/// METIS draws from the random numbers of the C library, which all threads share.
static METIS: Mutex<()> = Mutex::new(());

/// The vertices of `rest` in an order of nested dissection. They are connected by the arcs of
/// `graph` and by `more` edges.
fn nested_dissection(graph: &Csr, rest: &[Vertex], more: &[[Vertex; 2]]) -> Option<Vec<Vertex>> {
    let mut number = vec![Vertex::MAX; graph.vertices()];
    for (i, &v) in (0..).zip(rest) {
        number[v as usize] = i;
    }
    let mut extra: Vec<[Vertex; 2]> = more.iter().flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
    extra.sort_unstable();
    let mut extra = extra.into_iter().peekable();
    let mut starts: Vec<i32> = vec![0];
    let mut adjacent: Vec<i32> = Vec::new();
    for &v in rest {
        let first = adjacent.len();
        let mut push = |u: Vertex| {
            let number = number[u as usize];
            if number != Vertex::MAX {
                adjacent.push(number as i32);
            }
        };
        graph.neighbours(v).iter().for_each(|&u| push(u));
        while let Some([_, u]) = extra.next_if(|&[w, _]| w == v) {
            push(u);
        }
        let mut row = adjacent.split_off(first);
        row.sort_unstable();
        row.dedup();
        adjacent.append(&mut row);
        starts.push(i32::try_from(adjacent.len()).ok()?);
    }
    if adjacent.is_empty() {
        return Some(rest.to_vec());
    }
    let place = metis_order(&mut starts, &mut adjacent);
    let mut ordered = vec![0; rest.len()];
    for (&v, &place) in rest.iter().zip(&place) {
        ordered[place as usize] = v;
    }
    Some(ordered)
}

/// The place of each vertex in METIS' order of nested dissection.
fn metis_order(starts: &mut [i32], adjacent: &mut [i32]) -> Vec<i32> {
    let n = starts.len() - 1;
    let (mut permutation, mut place) = (vec![0; n], vec![0; n]);
    let mut sizes = [0; 2];
    let lock = METIS.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: the arrays have the lengths that METIS documents: n + 1, arcs, n, n, and 2 p - 1 for
    // p = 1 parts; options may be null. `METIS_NodeND` is the same, but takes over the process'
    // signal handlers while it runs.
    let status = unsafe {
        libc::srand(1);
        metis_sys::METIS_NodeNDP(
            n as i32,
            starts.as_mut_ptr(),
            adjacent.as_mut_ptr(),
            std::ptr::null_mut(),
            1,
            std::ptr::null_mut(),
            permutation.as_mut_ptr(),
            place.as_mut_ptr(),
            sizes.as_mut_ptr(),
        )
    };
    drop(lock);
    assert_eq!(
        status,
        metis_sys::rstatus_et_METIS_OK,
        "METIS orders any graph"
    );
    place
}
