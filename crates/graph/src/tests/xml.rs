//! Reads and refuses files of GraphML and GEXF.

use std::fs;

use super::formats::{lines, read_with};
use super::*;

#[test]
fn graphml_of_odd_forms_is_read() {
    let text = "<?xml version='1.0'?><!DOCTYPE graphml><g:graphml xmlns:g='x'>\n\
        <g:key id='k' for='edge' attr.name='dist'><g:default> 2.5 </g:default></g:key>\n\
        <g:key id='n' for='node' attr.name='dist'/>\n\
        <g:graph edgedefault='directed'>\
        <g:node id='&lt;a&#233;'><g:data key='n'>7</g:data></g:node>\
         <g:node id='b'/><g:node id='c'/>\n\
        <g:edge source='b' target='&lt;aé'/>\n\
        <g:edge source='b' target='c' directed='false'>\
         <g:data key='k'><![CDATA[0.]]>5</g:data></g:edge>\n\
        </g:graph></g:graphml>";
    let named = || Some(WeightChoice::Named("dist".into()));
    let graph = read_with((text.as_bytes(), "a"), true, named()).unwrap();
    let mut out = Vec::new();
    WriteFormat::Csv.write(&graph, &mut out).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "source,target,weight\nb,\"<aé\",2.5\nb,c,0.5\nc,b,0.5\n"
    );
    assert_eq!(graph.simplified().merged, 0);
    let both = read_with((text.as_bytes(), "a"), false, named()).unwrap();
    assert_eq!((both.edges(), both.simplified().entries), (2, 2));
    let deep = format!(
        "<graphml><graph>{}{}</graph></graphml>",
        "<x>".repeat(100_000),
        "</x>".repeat(100_000)
    );
    assert_eq!(super::graph(&deep, "a").vertices(), 0);
}

/// Reads the weights of vertices from an attribute.
fn vertex_weights(text: &str, attribute: &str) -> Result<Option<Vec<f64>>, String> {
    let options = ReadOptions {
        vertex_weights: Some(attribute.into()),
        ..ReadOptions::default()
    };
    let (graph, source) = read_text(text, "a", options)?;
    // The attribute changes neither the graph nor its labels.
    let plain = super::graph(text, "a");
    assert_eq!(graph, plain);
    Ok(source.vertex_weights)
}

const PEOPLE: [&str; 5] = [
    "<graphml><key id='d' for='node' attr.name='people'><default>9</default></key>\
     <key id='n' for='node' attr.name='name'/><graph><edge source='b' target='a'/>\
     <node id='a'><data key='d'> 2.5 </data></node>\
     <node id='b'><data key='n'>Bo</data><data key='d'>4</data></node></graph></graphml>",
    "<gexf><graph><attributes class='node'><attribute id='0' title='people'/></attributes>\
     <nodes><node id='b' label='Bo'><attvalues><attvalue for='0' value='4'/></attvalues></node>\
     <node id='a' label='A'><attvalues><attvalue for='0' value='2.5'/></attvalues></node>\
     </nodes></graph></gexf>",
    "graph [ node [ id 7 label \"Bo\" people 4 ] node [ id 2 people 2.5 ] ]",
    "{\"nodes\": [{\"id\": 7, \"name\": \"Bo\", \"people\": 4}, {\"id\": 2, \"people\": 2.5}], \
     \"links\": []}",
    "digraph { b [label=Bo, people=4] a -> b; a [people=1] a [people=\"2.5\"] }",
];

#[test]
fn an_attribute_of_vertices_holds_their_weights() {
    for text in PEOPLE {
        assert_eq!(
            vertex_weights(text, "people"),
            Ok(Some(vec![4.0, 2.5])),
            "{text}"
        );
    }
    let labels = "graph [ node [ id 7 label \"3\" ] node [ id 2 label \"0\" ] ]";
    assert_eq!(vertex_weights(labels, "label"), Ok(Some(vec![3.0, 0.0])));
    assert_eq!(vertex_weights("graph [ ]", "people"), Ok(Some(Vec::new())));
}

#[test]
fn vertices_without_a_weight_are_refused() {
    let without = |number: usize, text: &str| PEOPLE[number].replace(text, "");
    let check = |text: &str, attribute: &str, expected: &str| {
        let error = vertex_weights(text, attribute).expect_err(text);
        assert!(error.starts_with(&format!("a: {expected}")), "{error}");
    };
    let other = "no vertex has an attribute 'population', but they have 'people' (name one";
    check(PEOPLE[1], "population", other);
    let endless = "the attribute 'people' of vertex 'a' is '-1', which is not a finite number";
    for (text, expected) in [
        (
            without(0, "<data key='d'>4</data>"),
            "vertex 'b' has no attribute 'people' (give",
        ),
        (
            without(2, " people 4"),
            "vertex '7' has no attribute 'people'",
        ),
        (PEOPLE[1].replace("2.5", "-1"), endless),
    ] {
        check(&text, "people", expected);
    }
}

#[test]
fn bad_graphml_is_refused() {
    refused(
        "a",
        "<graphml>",
        r"
        <graph>\n<node/></graph></graphml> => :2: the element has no attribute id
        <graph>\n<hyperedge/></graph></graphml> => :2: a hyperedge is not supported here
        <graph>\n<graph/></graph></graphml> => :2: a graph is not supported here (keep one
        <graph/>\n<graph/></graphml> => :2: there is a second graph (keep one graph per file)
        <graph edgedefault='x'/></graphml> => :1: the type of edges is 'x' (write directed or
        <graph>\n => :2: the file ends while an element is open (fetch or export the file again)
        \n</graph> => :2: this is not well-formed XML: ill-formed document: expected `</graphml>`
        </graphml> => : there is no graph in this GraphML file (export it again)
        ",
    );
    refused(
        "a",
        "<graphml><graph><node id='1'/>\n",
        "
        <node id='1'/></graph></graphml> => :2: there is a second vertex '1' (give each vertex an
        <edge source='1' target='2'/></graph></graphml> => :2: the edge names vertex '2', which the
        ",
    );
    let entity = "<!DOCTYPE graphml [ <!ENTITY a \"b\"> ]>\n";
    let message = "<graphml>&a;</graphml> => :2: the entity &a; is unknown (write &amp; &lt;";
    refused("a", entity, message);
}

#[test]
fn gexf_directions_and_weights() {
    let gexf = |default: &str, body: &str| {
        format!(
            "<gexf><graph{default}><attributes class='edge'><attribute id='0' \
             title='km'/></attributes>\n{body}</graph></gexf>"
        )
    };
    let edges = "<nodes><node id='a'/><node id='b'/><node id='c'/></nodes><edges>\
        <edge source='a' target='b' weight='2'>\
         <attvalues><attvalue for='0' value='0.3'/></attvalues></edge>\
        <edge source='c' target='b' type='mutual' weight='3'>\
         <attvalues><attvalue for='0' value='0.1'/></attvalues></edge></edges>";
    let text = gexf(" defaultedgetype='directed'", edges);
    assert_eq!(
        lines((text.as_bytes(), "a"), true),
        ["a,b,2", "b,c,3", "c,b,3"]
    );
    let range = |text: &str, choice| {
        let graph = read_with((text.as_bytes(), "a"), false, Some(choice));
        graph.unwrap().lengths().and_then(Lengths::range)
    };
    // Lengths are in units of 0.1.
    let km = range(&text, WeightChoice::Named("km".into()));
    assert_eq!(km, Some((1.0, 3.0)));
    // Gephi leaves out a weight of 1.
    let missing = gexf("", &edges.replace(" weight='3'", ""));
    assert_eq!(range(&missing, WeightChoice::Usual), Some((1.0, 2.0)));
}

const NAMED: &str = "<graphml><key id='k' for='node' attr.name='name'/>\n\
    <key id='w' for='edge' attr.name='weight'/><graph>\n\
    <node id='n0'><data key='k'>a</data></node><node id='n1'><data key='k'>b</data></node>\n\
    <node id='n2'><data key='k'>c</data></node><edge source='n0' target='n1'/>\n\
    <edge source='n1' target='n2'><data key='w'>0.5</data></edge></graph></graphml>";

#[test]
fn labels_that_are_none_give_way_to_ids() {
    for (name, why) in [
        (">a<", "two vertices have the label 'a'"),
        ("><", "vertex 'n1' has no label"),
    ] {
        let text = NAMED.replace(">b<", name);
        let (graph, source) = read_text(&text, "a", ReadOptions::default()).expect("a graph");
        let note = format!(
            "the labels of vertices are their ids, because {why} (--labels NAME takes another \
             attribute)"
        );
        assert_eq!((label(&graph, 1), source.notes), ("n1".into(), vec![note]));
        let named = ReadOptions {
            labels: LabelChoice::Named("name".into()),
            ..ReadOptions::default()
        };
        let refused = read_text(&text, "a", named).unwrap_err();
        assert!(refused.contains(why), "{refused}");
    }
    let weights = WeightOptions {
        default: Some(-1.0),
        ..WeightOptions::default()
    };
    let options = ReadOptions {
        weights: Some(weights),
        ..ReadOptions::default()
    };
    let refused = read_text(NAMED, "a", options).unwrap_err();
    assert!(
        refused.contains("the default weight is -1 (give a number above"),
        "{refused}"
    );
}

/// Reads a file of [`NAMED`], which is in the folder that is returned.
fn named_file() -> (tempfile::TempDir, Graph, Source) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.graphml");
    fs::write(&path, NAMED).unwrap();
    let (graph, source) = read(&path, &ReadOptions::default()).expect("a graph");
    (folder, graph, source)
}

#[test]
fn scores_are_not_added_to_another_file() {
    let (_folder, graph, source) = named_file();
    let name = "betweenness".to_string();
    let vertices = [(name.clone(), &[0.0, 1.0, 0.0][..])];
    let edges = [(name, &[2.0, 2.0][..])];
    let write = |source: &Source| source.write_scored(&graph, (&vertices, &edges), &mut Vec::new());
    write(&source).expect("the same file");
    for other in [
        NAMED.replace("<graph>", "<graph><node id='x'/>"),
        NAMED
            .replace("<node id='n2'><data key='k'>c</data></node>", "")
            .replace("n2", "n0"),
        NAMED.replace("target='n1'", "target='n2'"),
    ] {
        fs::write(&source.path, other).unwrap();
        let error = write(&source).unwrap_err().to_string();
        assert!(error.contains("has changed"), "{error}");
    }
    // Scores are not added to GML files.
    let gml = Source {
        format: Format::Gml,
        ..source
    };
    assert!(write(&gml).is_err());
}

#[test]
fn several_scores_are_an_attribute_each() {
    let (_folder, graph, source) = named_file();
    let [name, other] = ["reach_1", "stress"].map(str::to_string);
    let vertices = [
        (name.clone(), &[1.0, 2.0, 1.5][..]),
        (other.clone(), &[0.0, 1.0, 0.0]),
    ];
    let edges = [(name, &[3.0, 4.0][..]), (other, &[5.0, 6.0])];
    let scores = (&vertices[..], &edges[..]);
    let check = |text: &[u8], parts: &[&str]| {
        let text = String::from_utf8_lossy(text);
        for part in parts {
            assert!(text.contains(part), "{part} is not in {text}");
        }
    };
    let mut copy = Vec::new();
    source
        .write_scored(&graph, scores, &mut copy)
        .expect("scores");
    check(
        &copy,
        &[
            r#"<key id="reach_1" for="node" attr.name="reach_1" attr.type="double"/>"#,
            r#"<key id="edge-stress" for="edge" attr.name="stress" attr.type="double"/>"#,
            r#"<data key="reach_1">2</data><data key="stress">1</data></node>"#,
            r#"<data key="edge-reach_1">4</data><data key="edge-stress">6</data></edge>"#,
        ],
    );
    // Names that the file uses already get a number.
    fs::write(&source.path, &copy).unwrap();
    let mut again = Vec::new();
    source
        .write_scored(&graph, scores, &mut again)
        .expect("scores");
    check(
        &again,
        &[
            r#"<key id="reach_1-2" for="node" attr.name="reach_1-2" attr.type="double"/>"#,
            r#"<data key="stress">1</data><data key="reach_1-2">2</data>"#,
        ],
    );
    let written = |format: WriteFormat| {
        let mut out = Vec::new();
        format
            .write_scored(&graph, scores, &mut out)
            .expect("scores");
        out
    };
    let row = r#"<node id="b"><data key="reach_1">2</data><data key="stress">1</data></node>"#;
    check(&written(WriteFormat::Graphml), &[row]);
    check(
        &written(WriteFormat::Gexf),
        &[
            r#"class="edge"><attribute id="edge-reach_1" title="reach_1" type="double"/>"#,
            r#"class="edge"><attribute id="edge-stress" title="stress" type="double"/></attri"#,
            r#"<attvalue for="reach_1" value="2"/><attvalue for="stress" value="1"/></attvalues>"#,
        ],
    );
}
