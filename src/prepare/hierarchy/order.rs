//! The order of elimination: chains of degree-2 vertices by halves, the rest by nested dissection.

use std::ptr;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::graph::{Csr, Vertex};
use crate::prepare::chains::find::FoundChains;
use crate::prepare::order::{NO_PLACE, places};

/// Returns the vertices in the order in which they are eliminated; `None` if the graph is too large
/// for METIS.
///
/// Vertices of degree 1 and the inner vertices of chains come first: eliminating them adds no more
/// arcs than it removes. In each round every other one of the remaining vertices of a chain is
/// eliminated, so that the depth of a chain's elimination tree is the logarithm of its length.
pub(super) fn elimination_order(graph: &Csr) -> Option<Vec<Vertex>> {
    let vertices = 0..graph.vertices() as Vertex;
    let mut order: Vec<Vertex> = vertices.clone().filter(|&v| graph.degree(v) < 2).collect();
    let found = FoundChains::find(graph);
    let chains = 0..found.ends.len();
    let mut chains: Vec<Vec<Vertex>> = chains.map(|chain| found.inner_of(chain).into()).collect();
    while !chains.is_empty() {
        for chain in &mut chains {
            order.extend(chain.iter().step_by(2));
            *chain = chain.iter().copied().skip(1).step_by(2).collect();
        }
        chains.retain(|chain| !chain.is_empty());
    }
    let place = places(graph.vertices(), &order);
    let is_left = |&v: &Vertex| place[v as usize] == NO_PLACE;
    let rest: Vec<Vertex> = vertices.filter(is_left).collect();
    order.extend(nested_dissection(graph, &rest, &found.ends)?);
    Some(order)
}

/// A lock for METIS, which seeds and uses the random number generator of the C library that all
/// threads share.
static METIS: Mutex<()> = Mutex::new(());

/// Returns the vertices of `rest` in an order of nested dissection; `None` if they have too many
/// arcs for METIS. They are connected by the arcs of `graph` and by `more` edges. Arcs and edges to
/// other vertices are ignored.
fn nested_dissection(graph: &Csr, rest: &[Vertex], more: &[[Vertex; 2]]) -> Option<Vec<Vertex>> {
    let number = places(graph.vertices(), rest);
    let edges = more.iter().flat_map(|&[a, b]| [[a, b], [b, a]]);
    let row = |&v: &Vertex| graph.neighbours(v).iter().map(move |&u| [v, u]);
    let arcs = rest.iter().flat_map(row).chain(edges);
    let arcs = arcs.map(|ends| ends.map(|v| number[v as usize]));
    let mut arcs: Vec<[u32; 2]> = arcs.filter(|ends| !ends.contains(&NO_PLACE)).collect();
    arcs.par_sort_unstable();
    arcs.dedup();
    if arcs.is_empty() {
        return Some(rest.to_vec());
    }
    i32::try_from(arcs.len()).ok()?;
    let start = |v| arcs.partition_point(|&[tail, _]| tail < v) as i32;
    let mut starts: Vec<i32> = (0..=rest.len() as u32).map(start).collect();
    let mut adjacent: Vec<i32> = arcs.into_iter().map(|[_, head]| head as i32).collect();
    let order = metis_order(&mut starts, &mut adjacent).into_iter();
    Some(order.map(|v| rest[v as usize]).collect())
}

/// Returns the vertices in METIS' order of nested dissection.
fn metis_order(starts: &mut [i32], adjacent: &mut [i32]) -> Vec<i32> {
    let n = starts.len() - 1;
    let (mut permutation, mut place) = (vec![0; n], vec![0; n]);
    let mut sizes = [0; 2];
    let lock = METIS.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: the arrays have at least the lengths that METIS documents: n + 1, arcs, n, n, and
    // 2 p - 1 for p = 1 parts; options may be null. (`METIS_NodeND` is not used because it replaces
    // the signal handlers of the process while it runs.)
    let status = unsafe {
        metis_sys::METIS_NodeNDP(
            n as i32,
            starts.as_mut_ptr(),
            adjacent.as_mut_ptr(),
            ptr::null_mut(),
            1,
            ptr::null_mut(),
            permutation.as_mut_ptr(),
            place.as_mut_ptr(),
            sizes.as_mut_ptr(),
        )
    };
    drop(lock);
    assert_eq!(
        status,
        metis_sys::rstatus_et_METIS_OK,
        "METIS failed to order the graph"
    );
    permutation
}
