//! Reads files of GML, Pajek, LGL, DIMACS and Neo4j, most of which declare vertices or sizes.

use super::formats::{lines, read_with};
use super::*;

#[test]
fn gml_of_odd_forms_is_read() {
    let text = "# c\nCreator \"x [\"\nVersion 1 graph [ comment \"]\ntwo lines\" directed 1\n\
        edge [ source 2 target 1 weight 1e-1 w2 [ deep [ deeper [ id 9 ] ] ] ]\n\
        node [ id 1 label \"a&amp;&#233;\" ] node [ id 2 label \"&amp;&nope;\" ]\nnode[id -3 label \
                            \"c\"]]";
    let odd = read_with((text.as_bytes(), "a"), true, Some(WeightChoice::Usual)).unwrap();
    assert_eq!(arcs(&odd), [("&amp;&nope;".to_string(), "a&é".to_string())]);
    assert_eq!(label(&odd, 2), "c");
    assert_eq!(odd.weights().unwrap().min, Some(0.1));
    // The labels of vertices are their ids if labels repeat or are missing.
    for labels in [["label 7", "label 7"], ["label 7", ""]] {
        let [a, b] = labels;
        let text =
            format!("graph [ node [ id 5 {a} ] node [ id 6 {b} ] edge [ source 5 target 6 ] ]");
        assert_eq!(graph(&text, "a").labels(), &Labels::consecutive(5, 2));
    }
    // Deeply nested lists do not overflow the stack.
    let deep = format!(
        "graph [ {} {} ]",
        "x [ ".repeat(300_000),
        "]".repeat(300_000)
    );
    assert_eq!(graph(&deep, "a").vertices(), 0);
}

#[test]
fn bad_gml_is_refused() {
    refused(
        "a.gml",
        "",
        r#"
        graph [\nnode [ id 1 ]\n => :1: the file ends within a list that starts here (add the ']'
        graph [ ]\n] => :2: a ']' has no matching '[' (remove it, or add the '[' that is missing)
        graph [\nnode [ id 1 ]\nnode [ id 1 ] ] => :3: there is a second vertex '1' (give each
        graph [\nnode [ ]\n] => :2: the node has no id (write: node [ id 1 ])
        graph [ node [ id 1 ]\nedge [ source 1 ] ] => :2: the edge has no source or no target (write
        graph [ node [ id 1 ]\nedge [ source 1 target 2 ]\n] => :2: the edge names vertex '2', which
        graph [\nlabel "x\n => :2: a string has no end (close it with a quotation mark)
        graph [\ndirected yes ] => :2: directed is 'yes' (write 0 or 1)
        graph [ ]\ngraph [ ] => :2: there is a second graph (keep one graph per file)
        graph [\n[ ] ] => :2: expected a key, found a value (write a key before each value)
        Creator => :1: the key 'Creator' has no value (write a value after each key)
        # nothing\n => : there is no graph in this GML file (write: graph [ node [ id 1 ] ... ])
        "#,
    );
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
    refused(
        "a",
        "*Vertices 2\n",
        r#"
        1 a\n1 b\n => :3: vertex 1 has a second line (number each vertex once)
        3 a\n => :2: vertex 3 is outside 1..2 (correct the number or the declared size)
        1 "a\n => :2: a label has no end (close it with a quotation mark)
        *Edges\n1 x\n => :3: expected two vertices, found '1 x' (write an edge as: from to [weight])
        *Vertices 3\n => :2: there is a second *Vertices line (keep one network per file)
        *Triangles\n => :2: a section *triangles is not supported (keep *Vertices, *Edges, *Arcs,
        "#,
    );
    refused(
        "a.net",
        "",
        r"
        1 2\n => :1: '1' stands before the first section (start with: *Vertices 10)
        *Vertices 4294967296\n => : 4294967296 vertices are more than
        ",
    );
}

#[test]
fn lgl_blocks_and_refusals() {
    assert_eq!(
        lines((b"# a\nb 0.5\n#c\n# d\na 2\n", "x.lgl"), false),
        ["a,b,0.5", "a,d,2"]
    );
    refused(
        "x.lgl",
        "",
        r"
        a b\n => :1: 'a' stands before the first block (start with: # vertex)
        #\n => :1: a block has no vertex (write: # vertex)
        # a\nb 1 2\n => :2: '2' is one value too many (write: # vertex, and below it: neighbour
        ",
    );
}

#[test]
fn dimacs_colourings_and_flows_are_read() {
    let col = graph("c x\np edge 4 3\nn 1 5\ne 1 2\ne 2 3\ne 4 3\n", "a.col");
    assert_eq!((col.vertices(), col.edges()), (4, 3));
    // Some files list both directions of an edge, and count it once or twice.
    for count in [1, 2] {
        let text = format!("p col 2 {count}\ne 1 2\ne 2 1\n");
        assert_eq!(graph(&text, "a").edges(), 1);
    }
    let flow = "p max 3 2\nn 1 s\nn 3 t\na 1 2 5\na 2 3 5\n";
    let capacities = read_with((flow.as_bytes(), "a"), true, None).unwrap();
    // Capacities are not reported as weights that were dropped.
    assert_eq!(
        (capacities.edges(), capacities.simplified().weights_dropped),
        (2, false)
    );
}

#[test]
fn rows_of_vertices_in_exports_of_neo4j_are_vertices() {
    let text = "_id,_labels,_start,_end,_type,weight\n7,:P,,,,\n8,:P,,,,\n9,:P,,,,\n,,7,8,K,2\n\
                ,,8,8,K,1\n";
    for weights in [None, Some(WeightChoice::Usual)] {
        let graph = read_with((text.as_bytes(), "a.csv"), false, weights).unwrap();
        assert_eq!((graph.vertices(), graph.edges()), (3, 1));
        assert_eq!(*graph.labels(), Labels::consecutive(7, 3));
        // Rows of vertices are not counted as loops.
        assert_eq!(graph.simplified().loops, 1);
    }
    // A comment may declare more vertices.
    for (declared, hint) in [(4, ""), (9, "; --vertices 9 adds the others")] {
        let text = format!("# Nodes: {declared}\n{text}");
        let (_, source) = read_as(text.as_bytes(), "a.csv", Format::Auto, false).unwrap();
        let note = format!("the file declares {declared} vertices, of which 3 occur{hint}");
        assert!(source.notes.contains(&note), "{:?}", source.notes);
    }
    // The header may have more columns than the rows.
    let short = graph("_start,_end,x,_id\n1,2\n2,3\n", "a.csv");
    assert_eq!((short.vertices(), short.edges()), (3, 2));
}
