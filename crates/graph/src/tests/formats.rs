//! Formats with names, attributes and directions of their own: what is understood, and what is
//! refused.

use std::iter;

use super::*;
use crate::output::NpzWriter;

/// Files that NetworkX, igraph and SciPy have written.
macro_rules! data {
    ($name:literal) => {
        (
            &include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/data/formats/",
                $name
            ))[..],
            $name,
        )
    };
}

pub(super) fn read_with(
    (bytes, name): (&[u8], &str),
    directed: bool,
    choice: Option<WeightChoice>,
) -> Result<Graph, String> {
    let options = ReadOptions {
        format: Format::Auto,
        directed,
        weights: choice.map(|choice| WeightOptions {
            choice,
            ..WeightOptions::default()
        }),
        ..ReadOptions::default()
    };
    let read = read_stream(Box::new(bytes), name, &options);
    read.map(|(graph, _)| graph).map_err(|e| e.to_string())
}

/// All arcs with their lengths in units of the file.
#[track_caller]
pub(super) fn lines(file: (&[u8], &str), directed: bool) -> Vec<String> {
    let graph = read_with(file, directed, Some(WeightChoice::Usual)).unwrap();
    let mut text = Vec::new();
    WriteFormat::Csv.write(&graph, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    text.lines().skip(1).map(str::to_string).collect()
}

#[track_caller]
pub(super) fn refused(text: &str, name: &str, expected: &str) {
    assert_eq!(
        read_with((text.as_bytes(), name), false, None)
            .err()
            .as_deref(),
        Some(expected)
    );
}

#[test]
fn what_networkx_writes_is_read() {
    let weighted = [
        "\"a b\",Zoë,0.1",
        "\"a b\",\"x\"\"y\",0.3",
        "Zoë,\"x\"\"y\",0.2",
    ];
    for file in [data!("nx.gml"), data!("nx.graphml"), data!("nx.gexf")] {
        assert_eq!(lines(file, false), weighted, "{}", file.1);
        // They say that they are undirected.
        assert_eq!(lines(file, true).len(), 6, "{}", file.1);
        let graph = read_with(file, false, None).unwrap();
        assert_eq!(graph.vertices(), 4);
        assert_eq!(label(&graph, 3), "lone & only");
        assert!(graph.simplified().weights_dropped);
    }
    for file in [data!("nxd.gexf"), data!("nxd.net")] {
        assert_eq!(lines(file, true), ["1,2,2.5", "2,3,1.5", "3,1,4"]);
        assert_eq!(lines(file, false), ["1,2,2.5", "1,3,4", "2,3,1.5"]);
        let graph = read_with(file, true, None).unwrap();
        assert_eq!(*graph.labels(), Labels::consecutive(1, 4), "{}", file.1);
    }
}

#[test]
fn what_igraph_writes_is_read() {
    let expected = ["v0,v1,1.5", "v1,v2,2.5", "v2,v3,3.5"];
    for file in [
        data!("ig.gml"),
        data!("ig.graphml"),
        data!("ig.net"),
        data!("ig.lgl"),
    ] {
        assert_eq!(lines(file, false), expected, "{}", file.1);
        if file.1 == "ig.lgl" {
            let refused = read_with(file, true, None).unwrap_err();
            assert!(refused.contains("--directed"), "{refused}");
        } else {
            assert_eq!(lines(file, true).len(), 6, "{}", file.1);
        }
        assert_eq!(read_with(file, false, None).unwrap().vertices(), 5);
    }
    let flow = data!("ig.dimacs");
    let graph = read_with(flow, true, None).unwrap();
    assert_eq!((graph.vertices(), graph.edges()), (5, 3));
    let capacities = read_with(flow, true, Some(WeightChoice::Usual)).unwrap_err();
    assert!(capacities.contains("capacities"), "{capacities}");
}

#[test]
fn matrices_of_scipy_are_read() {
    for file in [data!("csr1.npz"), data!("csc0.npz"), data!("coo0.npz")] {
        let expected = ["0,1,1", "0,3,2.5", "1,2,0.1"];
        assert_eq!(lines(file, false), expected, "{}", file.1);
        let graph = read_with(file, true, None).unwrap();
        assert_eq!((graph.vertices(), graph.edges()), (4, 6));
        assert_eq!(graph.simplified().entries, 3);
        assert_eq!(graph.simplified().merged, 0);
    }
    let unsorted = read_with(data!("unsorted.npz"), false, None).unwrap();
    assert_eq!(
        unsorted.csr(),
        &Csr::new(vec![0, 2, 3, 4], vec![1, 2, 0, 0])
    );
    assert_eq!(
        read_with(data!("bsr.npz"), false, None).unwrap_err(),
        "bsr.npz: sparse matrices of layout 'bsr' are not read (convert it with .tocsr(), and \
         save it with scipy.sparse.save_npz)"
    );
    let (bytes, name) = data!("csr1.npz");
    for length in (4..bytes.len()).step_by(13) {
        assert!(read_with((&bytes[..length], name), false, None).is_err());
    }
    // A changed byte of the values or positions is noticed by the checksums.
    let (bytes, name) = data!("csc0.npz");
    for at in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.to_vec();
        changed[at] ^= 0x10;
        // The result may be an error, but no panic and no other graph of the same size.
        if let Ok(graph) = read_with((&changed, name), false, None) {
            assert_eq!(graph.edges(), 3, "byte {at}");
        }
    }
}

#[test]
fn archives_that_are_no_matrix_are_explained() {
    let mut bytes = Vec::new();
    let mut archive = NpzWriter::new(&mut bytes);
    let text = |width: &str| npyz::DType::new_scalar(width.parse().unwrap());
    let csr = iter::once(b"csr".to_vec());
    archive.shaped("format", text("|S3"), &[], csr).unwrap();
    archive.array("shape", [2, 2].into_iter()).unwrap();
    archive.array("indptr", [0; 3].into_iter()).unwrap();
    let nothing = iter::empty::<Vec<u8>>();
    archive
        .shaped("indices", text("|S0"), &[0], nothing)
        .unwrap();
    archive.finish().unwrap();
    let message = read_with((&bytes, "a.npz"), false, None).unwrap_err();
    let expected = "a.npz: the array indices is of type '|S0', where integers are expected";
    assert!(message.starts_with(expected), "{message}");

    let mut bytes = Vec::new();
    let mut archive = NpzWriter::new(&mut bytes);
    archive.array("x", iter::empty::<u8>()).unwrap();
    archive.finish().unwrap();
    let message = read_with((&bytes, "a.npz"), false, None).unwrap_err();
    assert!(
        message.contains("no sparse matrix of SciPy, but 'x.npy'"),
        "{message}"
    );
    // An archive of a text file. Its name occurs twice.
    for at in 0..bytes.len() - 5 {
        if bytes[at..].starts_with(b"x.npy") {
            bytes[at..at + 5].copy_from_slice(b"x.txt");
        }
    }
    assert_eq!(
        read_with((&bytes, "a.zip"), false, None).unwrap_err(),
        "a.zip: this zip archive is no matrix; it holds 'x.txt' (unpack it, and give the graph in \
         it)"
    );
}

#[test]
fn gml_of_odd_forms_is_read() {
    let text = "# c\nCreator \"x [\"\nVersion 1 graph [ comment \"]\ntwo lines\" directed 1\n\
        edge [ source 2 target 1 weight 1e-1 w2 [ deep [ deeper [ id 9 ] ] ] ]\n\
        node [ id 1 label \"a&amp;&#233;&nope;\" ] node [ id 2 label \"b\" ]\nnode[id -3 label \
                            \"c\"]]";
    let graph = read_with((text.as_bytes(), "a"), true, Some(WeightChoice::Usual)).unwrap();
    assert_eq!(arcs(&graph), [("b".to_string(), "a&é&nope;".to_string())]);
    assert_eq!(label(&graph, 2), "c");
    assert_eq!(graph.weights().unwrap().min, Some(0.1));
    // Labels that stand twice are no names, and neither are those that some lack.
    for labels in [["label 7", "label 7"], ["label 7", ""]] {
        let [a, b] = labels;
        let text =
            format!("graph [ node [ id 5 {a} ] node [ id 6 {b} ] edge [ source 5 target 6 ] ]");
        assert_eq!(*graph_labels(&text), Labels::consecutive(5, 2));
    }
    // However deep it goes, it is not the stack that pays.
    let deep = format!(
        "graph [ {} {} ]",
        "x [ ".repeat(300_000),
        "]".repeat(300_000)
    );
    assert_eq!(super::graph(&deep, "a").vertices(), 0);
}

fn graph_labels(text: &str) -> Box<Labels> {
    Box::new(graph(text, "a").labels().clone())
}

#[test]
fn bad_gml_is_refused() {
    for (text, expected) in [
        (
            "graph [\nnode [ id 1 ]\n",
            "a.gml:1: the file ends within a list that starts here (add the ']' that is missing, \
             or fetch the file again)",
        ),
        (
            "graph [ ]\n]",
            "a.gml:2: a ']' closes nothing (remove it, or add the '[' that is missing)",
        ),
        (
            "graph [\nnode [ id 1 ]\nnode [ id 1 ] ]",
            "a.gml:3: there is a second vertex '1' (give each vertex an id of its own)",
        ),
        (
            "graph [\nnode [ ]\n]",
            "a.gml:2: the node has no id (write: node [ id 1 ])",
        ),
        (
            "graph [ node [ id 1 ]\nedge [ source 1 ] ]",
            "a.gml:2: the edge has no source or no target (write: edge [ source 1 target 2 ])",
        ),
        (
            "graph [ node [ id 1 ]\nedge [ source 1 target 2 ]\n]",
            "a.gml:2: the edge names vertex '2', which the file does not declare (declare the \
             vertex, or correct the edge)",
        ),
        (
            "graph [\nlabel \"x\n",
            "a.gml:2: a string has no end (close it with a quotation mark)",
        ),
        (
            "graph [\ndirected yes ]",
            "a.gml:2: directed is 'yes' (write 0 or 1)",
        ),
        (
            "graph [ ]\ngraph [ ]",
            "a.gml:2: there is a second graph (keep one graph per file)",
        ),
        (
            "graph [\n[ ] ]",
            "a.gml:2: a value stands where a key is due (write a key before each value)",
        ),
        (
            "Creator",
            "a.gml:1: the key 'Creator' has no value (write a value behind each key)",
        ),
        (
            "# nothing\n",
            "a.gml: there is no graph in this GML file (write: graph [ node [ id 1 ] ... ])",
        ),
    ] {
        refused(text, "a.gml", expected);
    }
}

#[test]
fn pajek_sections_and_refusals() {
    let text = "*Network x\n*VERTICES 4\n% c\n2 \"b b\" 0.1 0.2\n1 a\n3 c\n4 d\n*Arcs :1 \"r\"\n1 \
                2 2\n*edges\n2 3 0.5\n";
    assert_eq!(
        lines((text.as_bytes(), "a"), true),
        ["a,\"b b\",2", "\"b b\",c,0.5", "c,\"b b\",0.5"]
    );
    let lists = graph("*Vertices 4\n*Arcslist\n1 2 3\n*Edgeslist\n4 1\n", "a");
    assert_eq!(
        (lists.edges(), lists.labels()),
        (3, &Labels::consecutive(1, 4))
    );
    for (body, expected) in [
        (
            "1 a\n1 b\n",
            "3: vertex 1 has a second line (number each vertex once)",
        ),
        (
            "3 a\n",
            "2: vertex 3 is outside 1..2 (correct the number or the declared size)",
        ),
        (
            "1 \"a\n",
            "2: a label has no end (close it with a quotation mark)",
        ),
        (
            "*Edges\n1 x\n",
            "3: expected two vertices, found '1 x' (write an edge as: from to [weight])",
        ),
        (
            "*Vertices 3\n",
            "2: there is a second *Vertices line (keep one network per file)",
        ),
        (
            "*Triangles\n",
            "2: a section *triangles is not supported (keep *Vertices, *Edges, *Arcs, *Edgeslist, \
             *Arcslist and *Matrix; save the network in Pajek with them)",
        ),
    ] {
        refused(
            &format!("*Vertices 2\n{body}"),
            "a",
            &format!("a:{expected}"),
        );
    }
    refused(
        "1 2\n",
        "a.net",
        "a.net:1: '1' stands before the first section (start with: *Vertices 10)",
    );
    let many = read_with((b"*Vertices 4294967296\n", "a"), false, None).unwrap_err();
    assert!(many.contains("4294967296 vertices are more than"), "{many}");
}

#[test]
fn lgl_blocks_and_refusals() {
    assert_eq!(
        lines((b"# a\nb 0.5\n#c\n# d\na 2\n", "x.lgl"), false),
        ["a,b,0.5", "a,d,2"]
    );
    refused(
        "a b\n",
        "x.lgl",
        "x.lgl:1: 'a' stands before the first block (start with: # vertex)",
    );
    refused(
        "#\n",
        "x.lgl",
        "x.lgl:1: a block has no vertex (write: # vertex)",
    );
    refused(
        "# a\nb 1 2\n",
        "x.lgl",
        "x.lgl:2: '2' is more than a line can hold (write: # vertex, and below it: neighbour \
         [weight])",
    );
}

#[test]
fn dimacs_colourings_and_flows_are_read() {
    let col = graph("c x\np edge 4 3\nn 1 5\ne 1 2\ne 2 3\ne 4 3\n", "a.col");
    assert_eq!((col.vertices(), col.edges()), (4, 3));
    // Both directions listed, counted once or twice.
    for count in [1, 2] {
        let text = format!("p col 2 {count}\ne 1 2\ne 2 1\n");
        assert_eq!(graph(&text, "a").edges(), 1);
    }
    let flow = "p max 3 2\nn 1 s\nn 3 t\na 1 2 5\na 2 3 5\n";
    let capacities = read_with((flow.as_bytes(), "a"), true, None).unwrap();
    // Capacities are none of the weights that could be asked for.
    assert_eq!(
        (capacities.edges(), capacities.simplified().weights_dropped),
        (2, false)
    );
    refused(
        "p col 2 1\na 1 2 3\n",
        "a",
        "a:2: a line starts with 'a' (only c, p, e, n, d, v and x lines are known)",
    );
    refused(
        "p max 2 1\na 1 2\n",
        "a",
        "a:2: 'a 1 2': expected a tail, a head and a capacity (write an arc as: a tail head \
         capacity)",
    );
    refused(
        "p edge 2 1\ne 1\n",
        "a",
        "a:2: 'e 1': expected two vertices (write an edge as: e vertex vertex)",
    );
}

#[test]
fn foreign_formats_are_refused_with_a_remedy() {
    refused(
        "digraph g {\n a -> b }",
        "a",
        "a: a DOT file cannot be read (export the graph as GraphML, or its edges as a text of two \
         columns: see docs/converting.md)",
    );
    refused(
        "a b\n",
        "a.g6",
        "a.g6: a graph6 file cannot be read (export the graph as GraphML, or its edges as a text \
         of two columns: see docs/converting.md)",
    );
    refused(
        "\u{feff}<!DOCTYPE html>",
        "a.gml",
        "a.gml: a web page cannot be read (fetch the file that it stands for)",
    );
    // A format that the caller names is not questioned.
    let named = read_as(b"digraph b\n", "a", Format::Labels, false);
    assert_eq!(named.unwrap().0.edges(), 1);
}

#[test]
fn directions_that_are_not_used_are_noted() {
    let graphml = |default: &str, edges: &str| {
        format!(
            "<graphml><graph edgedefault=\"{default}\"><node id=\"a\"/><node id=\"b\"/><node \
             id=\"c\"/><edge source=\"a\" target=\"b\"/>{edges}</graph></graphml>"
        )
    };
    let back = "<edge source=\"b\" target=\"a\"/>";
    let other = "<edge source=\"b\" target=\"c\" directed=\"true\"/>";
    let gexf = |kind: &str| {
        format!(
            "<gexf><graph defaultedgetype=\"{kind}\"><nodes><node id=\"a\"/><node id=\"b\"/>\
             </nodes><edges><edge source=\"a\" target=\"b\"/></edges></graph></gexf>"
        )
    };
    let gml = |directed: &str| {
        format!(
            "graph [ {directed} node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] directed 1 ]"
        )
    };
    let mtx =
        |kind: &str, entries: &str| format!("%%MatrixMarket matrix coordinate {kind}\n{entries}");
    let both = "3 3 4\n1 2 1\n2 1 1\n2 3 5\n3 2 5\n";
    for (name, text, expected) in [
        ("a.graphml", graphml("directed", ""), true),
        ("a.graphml", graphml("directed", back), false),
        ("a.graphml", graphml("undirected", ""), false),
        ("a.graphml", graphml("undirected", other), true),
        ("a.gexf", gexf("directed"), true),
        ("a.gexf", gexf("undirected"), false),
        ("a.gexf", gexf("mutual"), false),
        ("a.gml", gml(""), true),
        ("a.gml", gml("").replace("directed 1 ]", "]"), false),
        ("a.net", "*Vertices 2\n*Arcs\n1 2\n".into(), true),
        ("a.net", "*Vertices 2\n*Arcs\n1 2\n2 1\n".into(), false),
        ("a.net", "*Vertices 2\n*Arcslist\n1 2\n".into(), true),
        ("a.net", "*Vertices 2\n*Edges\n1 2\n".into(), false),
        (
            "a.net",
            "*Vertices 3\n*Edges\n1 2\n*Arcs\n2 3\n".into(),
            true,
        ),
        ("a.mtx", mtx("pattern general", "2 2 1\n1 2\n"), true),
        ("a.mtx", mtx("pattern symmetric", "2 2 1\n2 1\n"), false),
        ("a.mtx", mtx("real general", both), false),
        ("a.txt", "1 2\n2 3\n".into(), false),
        (
            "a.csv",
            "source,target,type\n1,2,Directed\n2,3,Directed\n".into(),
            true,
        ),
        (
            "a.csv",
            "source,target,type\n1,2,Undirected\n2,3,Directed\n".into(),
            true,
        ),
        (
            "a.csv",
            "source,target,type\n1,2,Undirected\n2,3,Undirected\n".into(),
            false,
        ),
    ] {
        let symmetrised = |directed| {
            let graph = read_with((text.as_bytes(), name), directed, None);
            graph.unwrap().simplified().symmetrised
        };
        assert_eq!(symmetrised(false), expected, "{text}");
        assert!(!symmetrised(true), "{text}");
    }
    // Lengths of both directions have to be the same.
    let lengths = |text: &str| {
        let graph = read_with((text.as_bytes(), "a.mtx"), false, Some(WeightChoice::Usual));
        graph.unwrap().simplified().symmetrised
    };
    assert!(!lengths(&mtx("real general", both)));
    assert!(lengths(&mtx(
        "real general",
        &both.replace("2 1 1", "2 1 2")
    )));
    let matrix = |targets: &[u32], offsets: &[u32]| {
        let entries = Entries::Rows {
            offsets: offsets.to_vec(),
            targets: targets.to_vec(),
        };
        let graph = Graph::from_arrays(2, entries, None, false);
        graph.unwrap().simplified().symmetrised
    };
    assert!(matrix(&[1], &[0, 1, 1]));
    assert!(!matrix(&[1, 0], &[0, 1, 2]));
}

#[test]
fn what_may_be_no_edge_and_no_name_is_noted() {
    let notes = |text: &str, name: &str| {
        let (_, source) = read_as(text.as_bytes(), name, Format::Auto, false).unwrap();
        source.notes
    };
    let header = "the first row, '0' '1' '2', is a header (--header no reads an edge)";
    let rows = "0,1,2\n1,2,5.0\n2,3,1.0\n1,3,9.0\n";
    assert_eq!(notes(rows, "a.csv")[0], header);
    let edge = "the first row, '0' '1' '2', is an edge (--header yes skips it, if it counts the \
                columns)";
    assert_eq!(notes(&rows.replace("1,3", "0,3"), "a.csv"), [edge]);
    assert_eq!(
        notes("0,1\n1,2\n2,3\n", "a.csv"),
        [edge.replace(" '2'", "")]
    );
    let none: [&str; 0] = [];
    assert_eq!(notes("0,1\n1,2\n0,2\n", "a.csv"), none);
    assert_eq!(notes("0 1 2\n1 2 5\n1 3 1\n", "a.txt"), none);
    assert_eq!(notes("0,1,2\n", "a.csv"), none);
    let pajek = "*Vertices 2\n1 \"a\"\n2 \"\"\n*Edges\n1 2\n";
    let note = "vertices are called by their numbers, since vertex 2 has no label";
    assert_eq!(notes(pajek, "a.net"), [note]);
    assert_eq!(notes(&pajek.replace("\"\"", "\"b\""), "a.net"), none);
}

#[test]
fn a_graph_that_changes_over_time_is_read_whole() {
    let read = |text: &str, name: &str, weights: bool| {
        let options = ReadOptions {
            weights: weights.then(WeightOptions::default),
            ..ReadOptions::default()
        };
        let read = read_stream(Box::new(text.as_bytes()), name, &options);
        let read = read.map_err(|error| error.to_string());
        read.map(|(graph, source)| (graph.vertices(), graph.edges(), source.notes))
    };
    let gexf = |edge: &str| {
        format!(
            "<gexf><graph mode='dynamic'><attributes class='edge' mode='dynamic'><attribute id='w' \
             title='weight' type='double'/></attributes>\n<nodes><node id='a' start='1'/><node \
             id='b'><spells><spell end='2'/></spells></node></nodes>\n<edges><edge source='a' \
             target='b'{edge}</edge></edges></graph></gexf>"
        )
    };
    let note = "vertices and edges have times: those of all times were read as one graph (export \
                one time for the graph of that time)";
    let values = |second: &str| {
        gexf(&format!(
            "><attvalues><attvalue for='w' value='1' end='2'/>{second}</attvalues>"
        ))
    };
    let second = "<attvalue for='w' value='3' start='2'/>";
    for (text, weights) in [
        (gexf(" timestamp='3'>"), false),
        (values(second), false),
        (values(""), true),
    ] {
        let expected = (2, 1, vec![note.to_string()]);
        assert_eq!(read(&text, "a.gexf", weights), Ok(expected), "{text}");
    }
    let several = "a.gexf:3: the edge has several weights, of different times (export one time, or \
                   leave --weighted out)";
    assert_eq!(
        read(&values(second), "a.gexf", true),
        Err(several.to_string())
    );
    let pajek = "*Vertices 2\n1 [1-2]\n2 [1]\n*Edges\n1 2 3 [1-5]\n";
    let note = "vertices and edges have times in brackets: those of all times were read as one \
                graph (keep the lines of one time for the graph of that time)";
    let expected = (2, 1, vec![note.to_string()]);
    assert_eq!(read(pajek, "a.net", true), Ok(expected));
    let without = read(
        &pajek.replace("[1-2]", "").replace("[1-5]", ""),
        "a.net",
        true,
    );
    assert!(without.is_ok_and(|(_, _, notes)| notes.len() == 1));
}
