//! What is written can be read again.

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;

use super::*;

const ENDINGS: [&str; 3] = ["", ".gz", ".zst"];

fn built(vertices: usize, edges: &[(u32, u32)], labels: Labels, directed: bool) -> Graph {
    let mut list = EdgeList::default();
    for &(tail, head) in edges {
        list.push(tail % vertices as u32, head % vertices as u32);
    }
    list.build(labels, directed).expect("small graphs fit")
}

/// Writes `graph` to `name` in a new folder and reads it again.
fn there_and_back(graph: &Graph, name: &str, format: Format) -> Graph {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    write_graph(graph, &path).expect("a writable folder");
    let options = ReadOptions {
        format,
        directed: graph.directed(),
        weights: None,
    };
    match read(Path::new(&path), &options) {
        Ok((graph, _)) => graph,
        Err(error) => panic!("{error}"),
    }
}

proptest! {
    #[test]
    fn formats_that_number_vertices_keep_the_whole_graph(
        vertices in 1usize..20,
        edges in prop::collection::vec((any::<u32>(), any::<u32>()), 0..60),
        directed: bool,
        ending in prop::sample::select(&ENDINGS),
    ) {
        let graph = built(vertices, &edges, Labels::consecutive(1, vertices), directed);
        for suffix in ["mtx", "gr", "graph", "metis"] {
            if directed && suffix != "mtx" && suffix != "gr" {
                continue;
            }
            let name = format!("a.{suffix}{ending}");
            let again = there_and_back(&graph, &name, Format::Auto);
            prop_assert_eq!(again.csr(), graph.csr(), "{}", name);
            prop_assert_eq!(again.labels(), graph.labels(), "{}", name);
        }
    }

    #[test]
    fn edge_lists_keep_labels_and_edges(
        edges in prop::collection::vec((any::<u32>(), any::<u32>()), 0..40),
        numbers in prop::collection::hash_set(any::<u64>(), 8),
        names in prop::collection::hash_set("[a-z][!#-+.-:=-{}~é]{0,3}", 8),
        directed: bool,
        ending in prop::sample::select(&ENDINGS),
    ) {
        let mut offsets = vec![0];
        let mut bytes = Vec::new();
        for name in &names {
            bytes.extend_from_slice(name.as_bytes());
            offsets.push(bytes.len());
        }
        let candidates = [
            (Labels::Numbers(numbers.into_iter().collect()), Format::Auto),
            (Labels::consecutive(5, 8), Format::Edgelist),
            (Labels::Names { bytes, offsets }, Format::Labels),
        ];
        for (labels, format) in candidates {
            let graph = built(8, &edges, labels, directed);
            let again = there_and_back(&graph, &format!("a.txt{ending}"), format);
            let set = |graph: &Graph| arcs(graph).into_iter().collect::<BTreeSet<_>>();
            prop_assert_eq!(set(&again), set(&graph));
        }
    }
}

#[test]
fn a_label_that_looks_like_a_comment_is_quoted() {
    let labels = Labels::Names {
        bytes: b"#ab".to_vec(),
        offsets: vec![0, 2, 3],
    };
    let mut bytes = Vec::new();
    let graph = built(2, &[(0, 1)], labels, false);
    write_edgelist(&graph, &mut bytes).expect("memory can be written");
    let text = "# undirected graph: 2 vertices, 1 edges\n\"#a\" b\n";
    assert_eq!(String::from_utf8_lossy(&bytes), text);
}
