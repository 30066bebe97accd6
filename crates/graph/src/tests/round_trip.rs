//! Writes graphs and reads them again.

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::weights::Weight;

const ENDINGS: [&str; 3] = ["", ".gz", ".zst"];

fn built(vertices: usize, edges: &[(u32, u32)], labels: Labels, directed: bool) -> Graph {
    let mut list = EdgeList::default();
    for &(tail, head) in edges {
        list.push(tail % vertices as u32, head % vertices as u32);
    }
    list.build(labels, directed).expect("small graphs fit")
}

/// Writes `graph` to `name` in a new folder and reads it again.
fn written_and_read(graph: &Graph, name: &str, format: Format) -> Graph {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    write_graph(graph, &path).expect("a writable folder");
    let options = ReadOptions {
        format,
        directed: graph.directed(),
        weights: None,
        ..ReadOptions::default()
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
            let again = written_and_read(&graph, &name, Format::Auto);
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
            let again = written_and_read(&graph, &format!("a.txt{ending}"), format);
            let set = |graph: &Graph| arcs(graph).into_iter().collect::<BTreeSet<_>>();
            prop_assert_eq!(set(&again), set(&graph));
        }
    }
}

/// Returns texts of weights: integers, decimals, and numbers that 64 bits cannot hold as integers.
fn weight() -> impl Strategy<Value = String> {
    prop_oneof![
        (1u32..50).prop_map(|w| w.to_string()),
        (1u32..5000).prop_map(|w| format!("{}.{:02}", w / 100, w % 100 + 1)),
        (1u32..9).prop_map(|w| format!("{w}e150")),
    ]
}

/// Makes labels of names.
fn labels_of<'a>(names: impl IntoIterator<Item = &'a String>) -> Labels {
    let (mut bytes, mut offsets) = (Vec::new(), vec![0]);
    for name in names {
        bytes.extend_from_slice(name.as_bytes());
        offsets.push(bytes.len());
    }
    Labels::Names { bytes, offsets }
}

proptest! {
    #[test]
    fn formats_with_labels_keep_everything(
        edges in prop::collection::vec((0..8u32, 0..8u32, weight()), 0..30),
        names in prop::collection::hash_set("[a-z <&\"',é\t\n]{1,4}x", 8),
        numbers in prop::collection::hash_set(any::<u64>(), 8),
        weighted: bool,
        directed: bool,
        ending in prop::sample::select(&ENDINGS),
    ) {
        let numbers = Labels::Numbers(numbers.into_iter().collect());
        for labels in [labels_of(&names), numbers, Labels::consecutive(0, 8)] {
            let mut list = EdgeList::default();
            if weighted {
                list.take_weights(WeightIs::Length);
            }
            for (tail, head, weight) in &edges {
                let weight = Weight::parse(weight.as_bytes()).expect("a weight");
                list.push_weighted(*tail, *head, weighted.then_some(weight));
            }
            let graph = list.build(labels, directed).expect("small graphs fit");
            for suffix in ["graphml", "gexf", "npz"] {
                let folder = tempfile::tempdir().expect("a temporary folder");
                let path = folder.path().join(format!("a.{suffix}{ending}"));
                write_graph(&graph, &path).expect("a writable folder");
                let options = ReadOptions {
                    format: Format::Auto,
                    directed,
                    weights: (weighted && graph.edges() > 0).then(WeightOptions::default),
                    ..ReadOptions::default()
                };
                let (again, _) = read(&path, &options).expect("what was written");
                prop_assert_eq!(again.csr(), graph.csr(), "{}", suffix);
                prop_assert_eq!(again.labels(), graph.labels(), "{}", suffix);
                let same_unit = again.weights().map(|w| w.unit) == graph.weights().map(|w| w.unit);
                if graph.edges() > 0 && same_unit {
                    prop_assert_eq!(again.lengths(), graph.lengths(), "{}", suffix);
                }
                // Only one of repeated edges is left, so lengths may have a larger common divisor.
                let range = |graph: &Graph| graph.weights().and_then(|w| Some((w.min?, w.max?)));
                if let (Some((low, high)), Some((a, b))) = (range(&graph), range(&again)) {
                    prop_assert!((a / low - 1.0).abs() < 1e-15 && (b / high - 1.0).abs() < 1e-15);
                }
            }
        }
    }

    #[test]
    fn formats_that_number_vertices_keep_lengths(
        edges in prop::collection::vec((0..8u32, 0..8u32, 1..50u32), 1..30),
        tenths: bool,
    ) {
        let mut list = EdgeList::default();
        list.take_weights(WeightIs::Length);
        for (tail, head, weight) in &edges {
            let text = if tenths { format!("{weight}e-1") } else { weight.to_string() };
            let weight = Weight::parse(text.as_bytes()).expect("a weight");
            list.push_weighted(*tail, *head, Some(weight));
        }
        list.push_weighted(0, 1, Weight::parse(b"1e-1").ok());
        let graph = list.build(Labels::consecutive(1, 8), false).expect("small graphs fit");
        for suffix in ["mtx", "graph", "gr"] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let path = folder.path().join(format!("a.{suffix}"));
            write_graph(&graph, &path).expect("a writable folder");
            let options = ReadOptions {
                format: Format::Auto,
                directed: false,
                weights: Some(WeightOptions::default()),
                ..ReadOptions::default()
            };
            let (again, _) = read(&path, &options).expect("what was written");
            prop_assert_eq!(again.csr(), graph.csr(), "{}", suffix);
            prop_assert_eq!(again.weights(), graph.weights(), "{}", suffix);
            prop_assert_eq!(again.lengths(), graph.lengths(), "{}", suffix);
        }
    }

    // Names have no digits: a first row of two numbers may be the sizes of the graph.
    #[test]
    fn lists_with_quotes_keep_labels_and_lengths(
        edges in prop::collection::vec((0..8u32, 0..8u32, weight()), 1..30),
        names in prop::collection::hash_set("[#%!/;(\\[{<a-z \"',é\t-]{1,4}", 8),
        weighted: bool,
    ) {
        let mut list = EdgeList::default();
        if weighted {
            list.take_weights(WeightIs::Length);
        }
        for (tail, head, weight) in &edges {
            let weight = Weight::parse(weight.as_bytes()).expect("a weight");
            list.push_weighted(*tail, *head, weighted.then_some(weight));
        }
        list.push_weighted(0, 1, Weight::parse(b"1").ok());
        let graph = list.build(labels_of(&names), false).expect("small graphs fit");
        for suffix in ["txt", "csv"] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let path = folder.path().join(format!("a.{suffix}"));
            write_graph(&graph, &path).expect("a writable folder");
            let options = ReadOptions {
                format: Format::Auto,
                directed: false,
                weights: weighted.then(WeightOptions::default),
                ..ReadOptions::default()
            };
            let (again, _) = read(&path, &options).expect("what was written");
            let set = |graph: &Graph| arcs(graph).into_iter().collect::<BTreeSet<_>>();
            prop_assert_eq!(set(&again), set(&graph), "{}", suffix);
        }
    }

    // Names are numbers, and words that headers, options and other formats use.
    #[test]
    fn lists_keep_names_that_mean_something(
        edges in prop::collection::vec((0..6u32, 0..6u32, weight()), 1..12),
        names in prop::sample::subsequence(&WORDS[..], 6).prop_shuffle(),
        weighted: bool,
        directed: bool,
    ) {
        let names = names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let mut list = EdgeList::default();
        if weighted {
            list.take_weights(WeightIs::Length);
        }
        for (tail, head, weight) in &edges {
            let weight = Weight::parse(weight.as_bytes()).expect("a weight");
            list.push_weighted(*tail, *head, weighted.then_some(weight));
        }
        list.push_weighted(0, 1, Weight::parse(b"1").ok().filter(|_| weighted));
        let graph = list.build(labels_of(&names), directed).expect("small graphs fit");
        for suffix in ["txt", "csv"] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let path = folder.path().join(format!("a.{suffix}"));
            write_graph(&graph, &path).expect("a writable folder");
            let options = ReadOptions {
                format: Format::Auto,
                directed,
                weights: weighted.then(WeightOptions::default),
                ..ReadOptions::default()
            };
            let text = std::fs::read_to_string(&path).expect("text");
            // Files with several meanings are refused until an option names one.
            let header = ["source target", "source target weight"];
            let has_header = text.lines().nth(1).is_some_and(|line| header.contains(&line));
            let edge_list = EdgeListOptions {
                header: Some(suffix == "csv" || has_header),
                columns: Some(Columns {
                    source: Column::Number(1),
                    target: Column::Number(2),
                    weight: weighted.then_some(Column::Number(3)),
                }),
                ..EdgeListOptions::default()
            };
            let explicit = ReadOptions {
                format: Format::Labels,
                edge_list,
                ..options.clone()
            };
            let again = match read(&path, &options).or_else(|_| read(&path, &explicit)) {
                Ok((graph, _)) => graph,
                Err(error) => return Err(TestCaseError::fail(format!("{error}: {text}"))),
            };
            let set = |graph: &Graph| arcs(graph).into_iter().collect::<BTreeSet<_>>();
            prop_assert_eq!(set(&again), set(&graph), "{}", text);
        }
    }
}

const WORDS: [&str; 44] = [
    "source",
    "target",
    "from",
    "to",
    "id",
    "node",
    "name",
    "label",
    "weight",
    "u",
    "v",
    "i",
    "j",
    "a",
    "b",
    "e",
    "c",
    "p",
    "0:",
    "a:",
    "x:y",
    "sep=,",
    "nan",
    "inf",
    "1",
    "2",
    "3",
    "007",
    "1.5",
    "-1",
    "1e5",
    "1,5",
    "->",
    "--",
    "node1",
    "node2",
    "type",
    "directed",
    "graph",
    "@attributes",
    "DL",
    "'a'",
    "\u{feff}x",
    "Source (id)",
];

#[test]
fn bzip2_and_xz_are_written_where_the_suffix_asks_for_them() {
    let graph = built(3, &[(0, 1), (1, 2)], Labels::consecutive(0, 3), false);
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["a.txt.bz2", "a.txt.xz"] {
        let path = folder.path().join(name);
        write_graph(&graph, &path).expect("a writable folder");
        let (mut reader, _) = niffler::from_path(&path).expect("compressed");
        let mut text = String::new();
        std::io::Read::read_to_string(&mut reader, &mut text).expect("text");
        assert!(text.ends_with("0 1\n1 2\n"), "{text}");
    }
}

#[test]
fn an_edge_of_the_names_of_the_header_is_read_again() {
    let names = ["v", "to", "source", "target"].map(String::from);
    let mut list = EdgeList::default();
    list.push(0, 1);
    list.push(2, 3);
    let graph = list.build(labels_of(&names), true).expect("a small graph");
    for suffix in ["txt", "csv"] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(format!("a.{suffix}"));
        write_graph(&graph, &path).expect("a writable folder");
        let options = ReadOptions {
            directed: true,
            ..ReadOptions::default()
        };
        let (again, _) = read(&path, &options).expect("what was written");
        assert_eq!(again.edges(), 2, "{suffix}");
    }
}

#[test]
fn losses_of_formats_are_listed() {
    let names = Labels::Names {
        bytes: b"abc".to_vec(),
        offsets: vec![0, 1, 2, 3],
    };
    let graph = built(3, &[(0, 1)], names, false);
    assert_eq!(
        WriteFormat::Csv.losses(&graph),
        ["1 vertex without edges has no place in CSV (.graphml, .npz and .mtx keep them)"]
    );
    assert_eq!(
        WriteFormat::Metis.losses(&graph),
        [
            "METIS numbers vertices from 1: their labels are lost (.graphml, .npz and edge lists \
             keep them)"
        ]
    );
    assert!(WriteFormat::Npz.losses(&graph).is_empty());
    let numbered = built(2, &[(0, 1)], Labels::consecutive(1, 2), true);
    for format in [
        WriteFormat::Mtx,
        WriteFormat::Edgelist,
        WriteFormat::Graphml,
        WriteFormat::Gexf,
    ] {
        assert!(format.losses(&numbered).is_empty());
    }
}

#[test]
fn labels_that_look_like_something_else_have_quotes() {
    for (names, rows) in [
        (["#a", "b"], "\"#a\" b\n"),
        (["h:", "s"], "\"h:\" s\n"),
        (["source", "target"], "source target\n\"source\" target\n"),
        (["a", "1,5"], "source target\na \"1,5\"\n"),
    ] {
        let mut bytes = Vec::new();
        let graph = built(2, &[(0, 1)], labels_of(&names.map(String::from)), false);
        write_edgelist(&graph, &mut bytes).expect("memory can be written");
        let text = format!("# undirected graph: 2 vertices, 1 edges\n{rows}");
        assert_eq!(String::from_utf8_lossy(&bytes), text);
    }
}
