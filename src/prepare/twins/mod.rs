//! Merging *twins* of an undirected graph without lengths: vertices with the same neighbours.
//!
//! *False twins* are not neighbours, and have a path of length 2 through each of their neighbours;
//! *true twins* are neighbours that have all other neighbours in common. No twin is on a shortest
//! path from another one of its class, and all twins of a class have the same distance from every
//! other vertex, with equally many paths. So a class of k twins is searched as a vertex x of
//! *multiplicity* k(x) = k, with the sum of their weights and of their sources. (Sariyuce, Saule,
//! Kaya, Catalyurek: "Shattering and Compressing Networks for Betweenness Centrality", SDM 2013,
//! who call them identical vertices.)
//!
//! Engines store for each vertex the number of paths to all members of its class: k(v) times the
//! number of paths to one member, and 1 at the root, since a search counts for one source of the
//! class at a time. Then sums over neighbours do not change, and a vertex has one more factor when
//! it is settled:
//!
//! ```text
//! sigma(v) = k(v) * sum of sigma(u) over the predecessors u
//! coefficient(v) = k(v) * (weight(v) / sigma(v) + S(v)), S(v) = sum of coefficient(w) over the
//!                                                              successors w
//! ```
//!
//! A search adds to v the dependencies of all members of its class, sigma(v) S(v). They are equal,
//! so each member gets the same part.
//!
//! # Pairs inside a class
//! No shortest path between true twins has inner vertices. False twins have a path through each of
//! their neighbours. Let member i have a(i) sources and weight b(i), with the sums A and B. Then
//! each neighbour gets from ordered pairs of different members
//!
//! ```text
//! (A B - sum a(i) b(i)) / neighbours
//! ```

mod apply;
mod classes;
mod find;
mod undo;

pub use find::Twins;

#[cfg(test)]
mod tests {
    use crate::graph::generate;
    use crate::prepare::{PrepareOptions, Prepared, Reductions, prepare};

    fn merged(graph: &crate::graph::Graph) -> Prepared {
        let options = PrepareOptions {
            reduce: Reductions::NONE,
            ..PrepareOptions::default()
        };
        let mut prepared = prepare(graph, &options).unwrap();
        let twins = prepared.twins(true).unwrap();
        prepared.merge(twins);
        prepared
    }

    #[test]
    fn sides_of_a_bipartite_graph_are_a_vertex_each() {
        let prepared = merged(&generate::complete_bipartite(3, 4).unwrap());
        assert_eq!((prepared.graph.vertices(), prepared.graph.arcs()), (2, 2));
        let mut multiplicity = prepared.multiplicity.clone().unwrap();
        multiplicity.sort_by(f64::total_cmp);
        assert_eq!(multiplicity, [3.0, 4.0]);
        let sources: Vec<u32> = prepared.roots.iter().map(|root| root.sources).collect();
        assert_eq!(sources.iter().sum::<u32>(), 7);
        assert_eq!(prepared.steps.last().unwrap().work, 4.0);
        // Each vertex of a side gets a share of the pairs of the other side.
        assert_eq!(prepared.closed, [4.0, 4.0, 4.0, 1.5, 1.5, 1.5, 1.5]);
    }

    #[test]
    fn nothing_is_left_of_complete_graphs() {
        let prepared = merged(&generate::complete(6).unwrap());
        assert_eq!((prepared.graph.vertices(), prepared.roots.len()), (0, 0));
    }

    #[test]
    fn few_twins_are_not_worth_it() {
        let graph = generate::grid(30, 30, 0.0, 1).unwrap();
        let prepared = prepare(&graph, &PrepareOptions::default()).unwrap();
        assert!(prepared.twins(false).is_none() && prepared.twins(true).is_some());
    }
}
