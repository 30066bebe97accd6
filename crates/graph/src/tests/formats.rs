//! Reads files of other programs: names, attributes, directions, matrices, and formats that are
//! refused.

use std::iter;

use super::*;
use crate::output::NpzWriter;

/// Returns the bytes and the name of a file that NetworkX, igraph or SciPy has written.
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

/// Returns the edges of a file as rows of CSV, with lengths in units of the file.
#[track_caller]
pub(super) fn lines(file: (&[u8], &str), directed: bool) -> Vec<String> {
    let graph = read_with(file, directed, Some(WeightChoice::Usual)).unwrap();
    let mut text = Vec::new();
    WriteFormat::Csv.write(&graph, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    text.lines().skip(1).map(str::to_string).collect()
}

#[test]
fn files_of_networkx_are_read() {
    let weighted = [
        "\"a b\",Zoë,0.1",
        "\"a b\",\"x\"\"y\",0.3",
        "Zoë,\"x\"\"y\",0.2",
    ];
    let (gml, graphml) = (data!("nx.gml"), data!("nx.graphml"));
    for file in [gml, graphml, data!("nx.gexf"), data!("nx.json")] {
        assert_eq!(lines(file, false), weighted, "{}", file.1);
        // The files state that they are undirected.
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
fn files_of_igraph_are_read() {
    let expected = ["v0,v1,1.5", "v1,v2,2.5", "v2,v3,3.5"];
    let (gml, graphml) = (data!("ig.gml"), data!("ig.graphml"));
    for file in [gml, graphml, data!("ig.net"), data!("ig.lgl")] {
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
        "bsr.npz: a sparse matrix of layout 'bsr' is not read (convert it with .tocsr(), and \
         save it with scipy.sparse.save_npz)"
    );
    let (bytes, name) = data!("csr1.npz");
    for length in (4..bytes.len()).step_by(13) {
        assert!(read_with((&bytes[..length], name), false, None).is_err());
    }
    // Checksums reveal a changed byte of values or positions.
    let (bytes, name) = data!("csc0.npz");
    for at in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.to_vec();
        changed[at] ^= 0x10;
        // The reader may fail or return a graph, but must not panic or read another size.
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
    archive
        .shaped_array("format", text("|S3"), &[], csr)
        .unwrap();
    archive.array("shape", [2, 2].into_iter()).unwrap();
    archive.array("indptr", [0; 3].into_iter()).unwrap();
    let nothing = iter::empty::<Vec<u8>>();
    archive
        .shaped_array("indices", text("|S0"), &[0], nothing)
        .unwrap();
    archive.finish().unwrap();
    let mut other = Vec::new();
    let mut archive = NpzWriter::new(&mut other);
    archive.array("x", iter::empty::<u8>()).unwrap();
    archive.finish().unwrap();
    for (bytes, expected) in [
        (bytes, "the array 'indices' is of type '|S0', where"),
        (other, "no sparse matrix of SciPy (save the"),
    ] {
        let message = read_with((&bytes, "a.npz"), false, None).unwrap_err();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn arrays_of_matrix_market_are_stored_by_column() {
    let text = "%%MatrixMarket matrix array integer general\n2 2\n0 0\n5 0\n";
    let (graph, _) = read_as(text.as_bytes(), "a", Format::Auto, true).unwrap();
    assert_eq!(arcs(&graph), [("1".into(), "2".into())]);
    assert!(graph.simplified().weights_dropped);
}

#[test]
fn foreign_formats_are_refused_with_a_remedy() {
    refused(
        "a.g6",
        "",
        r#"a b\n => : a graph6 file cannot be read (run: python3 -c "import networkx as nx; nx.w"#,
    );
    refused(
        "a.gml",
        "\u{feff}",
        "<!DOCTYPE html> => : a web page cannot be read (fetch the file of the graph itself)",
    );
    // A format that the user names is not checked.
    let named = read_as(b"@base b\n", "a", Format::Labels, false);
    assert_eq!(named.unwrap().0.edges(), 1);
}

#[test]
fn directions_that_are_not_used_are_noted() {
    let symmetrised = |text: &str, name: &str, directed, weights| {
        let graph = read_with((text.as_bytes(), name), directed, weights);
        graph.unwrap().simplified().symmetrised
    };
    let graphml = |default: &str, edges: &str| {
        format!(
            "<graphml><graph edgedefault='{default}'><node id='a'/><node id='b'/><node id='c'/>\
             <edge source='a' target='b'/>{edges}</graph></graphml>"
        )
    };
    let back = "<edge source='b' target='a'/>";
    let other = "<edge source='b' target='c' directed='true'/>";
    let gexf = |kind: &str| {
        format!(
            "<gexf><graph defaultedgetype='{kind}'><nodes><node id='a'/><node id='b'/></nodes>\
             <edges><edge source='a' target='b'/></edges></graph></gexf>"
        )
    };
    for (text, expected) in [
        (graphml("directed", ""), true),
        (graphml("directed", back), false),
        (graphml("undirected", ""), false),
        (graphml("undirected", other), true),
        (gexf("directed"), true),
        (gexf("undirected"), false),
        (gexf("mutual"), false),
    ] {
        assert_eq!(symmetrised(&text, "a", false, None), expected, "{text}");
        assert!(!symmetrised(&text, "a", true, None), "{text}");
    }
    for (text, row) in rows(
        r#"
        graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ] => a.gml true
        graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ] => a.gml false
        {"directed": true, "nodes": [{}, {}], "links": [{"source": 0, "target": 1}]} => a.json true
        {"directed":false, "nodes": [{}, {}], "links": [{"source": 0, "target": 1}]} => a.json false
        {"graph": {}, "nodes": [{}, {}], "links": [{"source": 0, "target": 1}]} => a.json false
        digraph { a -> b -> c } => a.dot true
        graph { a -- b -- c } => a.dot false
        *Vertices 2\n*Arcs\n1 2\n => a.net true
        *Vertices 2\n*Arcs\n1 2\n2 1\n => a.net false
        *Vertices 2\n*Arcslist\n1 2\n => a.net true
        *Vertices 2\n*Edges\n1 2\n => a.net false
        *Vertices 3\n*Edges\n1 2\n*Arcs\n2 3\n => a.net true
        %%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n => a.mtx true
        %%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n => a.mtx false
        1 2\n2 3\n => a.txt false
        source,target,type\n1,2,Directed\n2,3,Directed\n => a.csv true
        source,target,type\n1,2,Undirected\n2,3,Directed\n => a.csv true
        source,target,type\n1,2,Undirected\n2,3,Undirected\n => a.csv false
        source,target,type\n1,2,Directed\n2,1,Directed\n2,3,Undirected\n => a.csv false
        "#,
    ) {
        let (name, expected) = row.split_once(' ').expect(row);
        let found = symmetrised(&text, name, false, None);
        assert_eq!(found, expected == "true", "{text}");
        assert!(!symmetrised(&text, name, true, None), "{text}");
    }
    // Lengths of both directions have to be the same.
    let both = "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 1\n2 1 1\n2 3 5\n3 2 5\n";
    let usual = Some(WeightChoice::Usual);
    assert!(!symmetrised(both, "a.mtx", false, None));
    assert!(!symmetrised(both, "a.mtx", false, usual.clone()));
    assert!(symmetrised(
        &both.replace("2 1 1", "2 1 2"),
        "a.mtx",
        false,
        usual
    ));
    let matrix = |entries: &[[u32; 2]]| {
        let graph = Graph::from_arrays(2, entries.to_vec(), None, false);
        graph.unwrap().simplified().symmetrised
    };
    assert!(matrix(&[[0, 1]]));
    assert!(!matrix(&[[0, 1], [1, 0]]));
}

#[test]
fn orders_of_rows_and_missing_labels_are_noted() {
    let notes = |text: &str, name: &str| {
        let (_, source) = read_as(text.as_bytes(), name, Format::Auto, false).unwrap();
        source.notes
    };
    let matrix = "\"\",\"V1\",\"V2\",\"V3\"\n\"1\",0,1,0\n\"2\",1,0,1\n\"3\",0,1,0\n";
    let order = "rows and columns have different names: rows were read in the order of the columns";
    assert_eq!(notes(matrix, "a.csv")[0], order);
    let pajek = "*Vertices 2\n1 \"a\"\n2 \"\"\n*Edges\n1 2\n";
    let note = "the labels of vertices are their numbers, because vertex 2 has no label";
    assert_eq!(notes(pajek, "a.net"), [note]);
    assert!(notes(&pajek.replace("\"\"", "\"b\""), "a.net").is_empty());
}

#[test]
fn doubts_about_tables_are_warnings() {
    for (text, expected) in rows(
        r##"
        0,1,2\n1,2,5.0\n2,3,1.0\n1,3,9.0\n => HEADER
        0,1,2\n1,2,5.0\n2,3,1.0\n0,3,9.0\n => EDGE
        0,1\n1,2\n2,3\n => EDGE
        // A later 0 shows that the two numbers are an edge.
        0,1\n1,2\n0,2\n => OK
        0 1 2\n1 2 5\n1 3 1\n => OK
        0,1,2\n => OK
        person,friend\nann,ben\nben,cyd\n => HEADER
        person friend\nann ben\nben cyd\n => EDGE
        from,to\nann,ben\nben,cyd\n => OK
        // Names in both columns decide, and dates are no ends.
        day,giver,taker\n2020-01-02,ann,ben\n2020-01-03,ben,cyd\n2020-01-04,cyd,dan\n => HEADER
        day,giver,taker,n\n2020-01-02,ann,ben,3\n2020-01-03,ben,cyd,4\n2020-01-04,cyd,ann,9 => OK
        900 11 12\n920 12 13\n940 13 11\n960 11 14\n => OK
        a b c\nb c a\nc a d\n => (--columns 2,3 takes others)
        0 1 7\n1 2 8\n2 0 9\n => columns 1,2 (--columns 2,3 takes others)
        1 11 7 8\n2 12 8 9\n5 11 9 6\n => (--columns 2,3 takes others)
        member,club\nann,golf\nben,golf\nann,yoga\n => HEADER
        X\tY\nABC\tDEF\nDEF\tGHI\n => HEADER
        module depends_on\nA1 B2\nB2 C3\n => HEADER
        // Equal numbers may be different vertices; two ends are no list of vertices.
        user,item\n1,2\n2,3\n1,3\n => equal numbers in columns 1,2
        boss,worker\n0,1\n1,2\n0,2\n => equal numbers in columns 1,2
        actor,film,year\nann,17,3\nben,17,4\nann,19,4\n => (--columns 2,3 takes others)
        source,target\na,b\nb,\nsource,target\nb,c\n => rows that lack an end were skipped: 1
        #a,b\nb,#c\n#c,d\n => rows that start with # (quote names that do) were skipped: 2
        a,b\nb,NA\nNA,c\n => a vertex is called NA
        3 2\n1 2\n2 3\n => declares 3 vertices (--header no
        {"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 0, "target": 1}]} => are positions
        3 9\n1 2\n2 3\n => the first row is the edge 3 9 (--header yes
        "##,
    ) {
        let expected = match expected {
            "HEADER" => "was read as a header (--header no reads it as an edge)",
            "EDGE" => "was read as an edge (--header yes reads it as a header)",
            "OK" => "",
            other => other,
        };
        let name = if text.contains(',') { "a.csv" } else { "a.txt" };
        let (_, source) = read_as(text.as_bytes(), name, Format::Auto, false).unwrap();
        let warnings = source.warnings.join("\n");
        let is_expected = warnings.contains(expected) && warnings.is_empty() == expected.is_empty();
        assert!(is_expected, "{text}: {warnings}");
    }
}

#[test]
fn a_graph_that_changes_over_time_is_read_whole() {
    let read = |text: &str, name: &str, weights: bool| {
        let options = ReadOptions {
            weights: weights.then(WeightOptions::default),
            ..ReadOptions::default()
        };
        let read = read_text(text, name, options);
        read.map(|(graph, source)| (graph.vertices(), graph.edges(), source.notes.concat()))
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
    let one = gexf("><attvalues><attvalue for='w' value='1' end='2'/></attvalues>");
    let several = one.replace("</attv", "<attvalue for='w' value='3' start='2'/></attv");
    let stamped = gexf(" timestamp='3'>");
    for (text, weights) in [(&stamped, false), (&several, false), (&one, true)] {
        let expected = Ok((2, 1, note.to_string()));
        assert_eq!(read(text, "a.gexf", weights), expected, "{text}");
    }
    let refused = read(&several, "a.gexf", true).unwrap_err();
    let expected = "a.gexf:3: the edge has several weights, of different times (export one time";
    assert!(refused.starts_with(expected), "{refused}");
    for text in [
        "*Vertices 2\n1 [1-2]\n2 [1]\n*Edges\n1 2 3 [1-5]\n",
        "*Vertices 2\n1\n2 [1]\n*Edges\n1 2 3\n",
    ] {
        assert_eq!(read(text, "a.net", true), Ok((2, 1, String::new())));
    }
}
