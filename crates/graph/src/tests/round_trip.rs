//! Writes graphs and reads them again.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::weights::Weight;

const ENDINGS: [&str; 3] = ["", ".gz", ".zst"];

fn labelled(vertices: usize, edges: &[(u32, u32)], labels: Labels, directed: bool) -> Graph {
    let mut list = EdgeList::default();
    for &(tail, head) in edges {
        list.push(tail % vertices as u32, head % vertices as u32);
    }
    list.build(labels, directed).expect("small graphs fit")
}

/// Returns the graph of these edges, whose weights are lengths if it is `weighted`.
fn weighted_graph(
    edges: &[(u32, u32, String)],
    labels: Labels,
    weighted: bool,
    directed: bool,
) -> Graph {
    let mut list = EdgeList::default();
    if weighted {
        list.meaning = Some(WeightIs::Length);
    }
    for (tail, head, weight) in edges {
        let weight = Weight::parse(weight.as_bytes(), WeightIs::Length).expect("a weight");
        list.push_weighted(*tail, *head, weighted.then_some(weight));
    }
    list.build(labels, directed).expect("small graphs fit")
}

fn options(format: Format, directed: bool, weighted: bool) -> ReadOptions {
    ReadOptions {
        format,
        directed,
        weights: weighted.then(WeightOptions::default),
        ..ReadOptions::default()
    }
}

/// Writes `graph` to `name` in a new folder and reads it again.
fn written_and_read(graph: &Graph, name: &str, options: &ReadOptions) -> Graph {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    write_graph(graph, &path).expect("a writable folder");
    match read(&path, options) {
        Ok((graph, _)) => graph,
        Err(error) => panic!("{error}"),
    }
}

/// Returns the arcs between labels.
fn arc_set(graph: &Graph) -> BTreeSet<(String, String)> {
    arcs(graph).into_iter().collect()
}

proptest! {
    #[test]
    fn formats_that_number_vertices_keep_the_whole_graph(
        vertices in 1usize..20,
        edges in prop::collection::vec((any::<u32>(), any::<u32>(), 1..50u32), 0..60),
        tenths: bool,
        weighted: bool,
        directed: bool,
        ending in prop::sample::select(&ENDINGS),
    ) {
        let unit = if tenths { "e-1" } else { "" };
        let vertices = vertices + usize::from(weighted);
        let edges = edges.into_iter().chain(weighted.then_some((0, 1, 1)));
        let end = |v: u32| v % vertices as u32;
        let edges: Vec<_> = edges.map(|(v, u, w)| (end(v), end(u), format!("{w}{unit}"))).collect();
        let graph = weighted_graph(&edges, Labels::consecutive(1, vertices), weighted, directed);
        for suffix in ["mtx", "gr", "graph", "metis"] {
            if directed && suffix != "mtx" && suffix != "gr" {
                continue;
            }
            let name = format!("a.{suffix}{ending}");
            let again = written_and_read(&graph, &name, &options(Format::Auto, directed, weighted));
            prop_assert_eq!(again.csr(), graph.csr(), "{}", name);
            prop_assert_eq!(again.labels(), graph.labels(), "{}", name);
            prop_assert_eq!(again.weights(), graph.weights(), "{}", name);
            prop_assert_eq!(again.lengths(), graph.lengths(), "{}", name);
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
        let candidates = [
            (Labels::Numbers(numbers.into_iter().collect()), Format::Auto),
            (Labels::consecutive(5, 8), Format::Edgelist),
            (labels_of(&names), Format::Labels),
        ];
        for (labels, format) in candidates {
            let graph = labelled(8, &edges, labels, directed);
            let options = options(format, directed, false);
            let again = written_and_read(&graph, &format!("a.txt{ending}"), &options);
            prop_assert_eq!(arc_set(&again), arc_set(&graph));
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
    names.into_iter().map(|name| name.as_bytes()).collect()
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
            let graph = weighted_graph(&edges, labels, weighted, directed);
            for suffix in ["graphml", "gexf", "npz"] {
                let options = options(Format::Auto, directed, weighted && graph.edges() > 0);
                let again = written_and_read(&graph, &format!("a.{suffix}{ending}"), &options);
                prop_assert_eq!(again.csr(), graph.csr(), "{}", suffix);
                prop_assert_eq!(again.labels(), graph.labels(), "{}", suffix);
                let same_unit = again.weights().map(|w| w.unit) == graph.weights().map(|w| w.unit);
                if graph.edges() > 0 && same_unit {
                    prop_assert_eq!(again.lengths(), graph.lengths(), "{}", suffix);
                }
                // Repeated edges were merged, so the remaining lengths may have a larger common
                // divisor.
                let range = |graph: &Graph| graph.weights().and_then(|w| Some((w.min?, w.max?)));
                if let (Some((low, high)), Some((a, b))) = (range(&graph), range(&again)) {
                    prop_assert!((a / low - 1.0).abs() < 1e-15 && (b / high - 1.0).abs() < 1e-15);
                }
            }
        }
    }

    #[test]
    fn lists_keep_names_that_other_formats_use(
        mut edges in prop::collection::vec((0..6u32, 0..6u32, weight()), 1..12),
        names in odd_names(),
        weighted: bool,
        directed: bool,
    ) {
        edges.push((0, 1, "1".into()));
        let graph = weighted_graph(&edges, labels_of(&names), weighted, directed);
        for suffix in ["txt", "csv"] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let path = folder.path().join(format!("a.{suffix}"));
            write_graph(&graph, &path).expect("a writable folder");
            let options = options(Format::Auto, directed, weighted);
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
            prop_assert_eq!(arc_set(&again), arc_set(&graph), "{}", text);
        }
    }
}

/// Returns names with odd characters, or numbers and words that headers, options and other formats
/// use.
fn odd_names() -> impl Strategy<Value = Vec<String>> {
    let words = "source target from to id node name label weight u v i j a b e c p 0: a: x:y sep=, \
        nan inf 1 2 3 007 1.5 -1 1e5 1,5 -> -- node1 node2 type directed graph @attributes DL 'a'";
    let words = words.split(' ').chain(["\u{feff}x", "Source (id)"]);
    let words: Vec<_> = words.map(String::from).collect();
    prop_oneof![
        prop::sample::subsequence(words, 6).prop_shuffle(),
        prop::collection::hash_set("[#%!/;(\\[{<a-z \"',é\t-]{1,4}", 6)
            .prop_map(|names| names.into_iter().collect()),
    ]
}

#[test]
fn bzip2_and_xz_are_written_where_the_suffix_asks_for_them() {
    let graph = labelled(3, &[(0, 1), (1, 2)], Labels::consecutive(0, 3), false);
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
fn an_edge_between_words_of_a_header_is_read_again() {
    let names = ["v", "to", "source", "target"].map(String::from);
    let graph = labelled(4, &[(0, 1), (2, 3)], labels_of(&names), true);
    for suffix in ["txt", "csv"] {
        let options = options(Format::Auto, true, false);
        let again = written_and_read(&graph, &format!("a.{suffix}"), &options);
        assert_eq!(again.edges(), 2, "{suffix}");
    }
}

#[test]
fn losses_of_formats_are_listed() {
    let names = labels_of(&["a", "b", "c"].map(String::from));
    let graph = labelled(3, &[(0, 1)], names, false);
    let numbered = labelled(2, &[(0, 1)], Labels::consecutive(1, 2), true);
    let isolated = "CSV has no place for vertices without edges: 1 of them are lost (.graphml, ";
    let labels = "METIS numbers vertices from 1: their labels are lost (.graphml, ";
    for (graph, format, expected) in [
        (&graph, WriteFormat::Csv, isolated),
        (&graph, WriteFormat::Metis, labels),
        (&graph, WriteFormat::Npz, ""),
        (&numbered, WriteFormat::Mtx, ""),
        (&numbered, WriteFormat::Edgelist, ""),
        (&numbered, WriteFormat::Graphml, ""),
        (&numbered, WriteFormat::Gexf, ""),
    ] {
        let losses = format.losses(graph).concat();
        assert!(losses.starts_with(expected), "{losses}");
        assert_eq!(losses.is_empty(), expected.is_empty(), "{losses}");
    }
}

#[test]
fn labels_that_look_like_something_else_have_quotes() {
    for (names, rows) in [
        (["#a", "b"], "source target\n\"#a\" b\n"),
        (["#x", "b"], "\"#x\" b\n"),
        (["h:", "s"], "\"h:\" s\n"),
        (["source", "target"], "source target\n\"source\" target\n"),
        (["a", "1,5"], "source target\na \"1,5\"\n"),
    ] {
        let mut bytes = Vec::new();
        let graph = labelled(2, &[(0, 1)], labels_of(&names.map(String::from)), false);
        let written = WriteFormat::Edgelist.write(&graph, &mut bytes);
        written.expect("memory can be written");
        let text = format!("# undirected graph: 2 vertices, 1 edges\n{rows}");
        assert_eq!(String::from_utf8_lossy(&bytes), text);
    }
}
