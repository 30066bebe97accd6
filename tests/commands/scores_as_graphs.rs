//! Tests scores that are added to graph files: GraphML and GEXF.

use crate::common::program::Place;

/// Writes `text` to a graph file with the suffix of `name`, and runs `brandes run` on it with
/// `--scores name` and `options`. Returns the scores.
fn scored(place: &Place, text: &str, name: &str, options: &str) -> String {
    let graph = format!("graph.{}", name.split_once('.').unwrap().1);
    place.write(&graph, text);
    let run = format!("run {graph} --device none --quiet --scores {name} {options}");
    place.run(&run);
    place.read(name)
}

const GEPHI: &str = r#"<?xml version='1.0' encoding='UTF-8'?>
<gexf xmlns="http://gexf.net/1.3" version="1.3" xmlns:viz="http://gexf.net/1.3/viz">
  <meta lastmodifieddate="2024-05-01"><creator>Gephi 0.10.1</creator><title></title></meta>
  <graph defaultedgetype="undirected" mode="static">
    <attributes class="node" mode="static"><attribute id="betweenness" title="Modularity" type="integer"><default>0</default></attribute></attributes>
    <nodes>
      <node id="11.0" label="Anna"><attvalues><attvalue for="betweenness" value="0"/></attvalues><viz:size value="10.0"/><viz:position x="1" y="2"/></node>
      <node id="12.0" label="Ben"/>
      <node id="13.0" label="Cleo &amp; co"></node>
    </nodes>
    <edges>
      <edge id="0" source="11.0" target="12.0" weight="2.0"><viz:color r="1" g="2" b="3"/></edge>
      <edge id="1" source="12.0" target="13.0" type="directed" label="x"/>
    </edges>
  </graph>
</gexf>
"#;

#[test]
fn scores_are_added_to_a_gexf_file_that_stays_as_it_is() {
    let place = Place::new();
    let text = scored(&place, GEPHI, "s.gexf", "");
    // The file already uses the id `betweenness` for another attribute.
    let value = |score| format!("<attvalues><attvalue for=\"betweenness-2\" value=\"{score}\"/>");
    let attribute = "<attribute id=\"betweenness-2\" title=\"betweenness-2\" type=\"double\"/>";
    let attributes = format!("    <attributes class=\"node\">{attribute}</attributes>\n");
    let ben = format!("\"Ben\">{}</attvalues></node>", value(1));
    let expected = GEPHI
        .replace("    <nodes>", &format!("{attributes}    <nodes>"))
        .replace("<attvalues>", &value(0))
        .replace("\"Ben\"/>", &ben)
        .replace("co\">", &format!("co\">{}</attvalues>", value(0)));
    assert_eq!(text, expected);
    // The output keeps its names when it is read again.
    let rows = scored(&place, &text, "s.csv", "--format gexf");
    assert_eq!(rows, "vertex,score\nAnna,0\nBen,1\nCleo & co,0\n");
}

const IGRAPH: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!-- Created by igraph -->
<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns">
  <g:key id="v_name" for="node" attr.name="name" attr.type="string"/>
  <g:key id="e_weight" for="edge" attr.name="weight" attr.type="double"/>
  <g:graph id="G" edgedefault="undirected">
    <g:edge source="n1" target="n0"/>
    <g:node id="n0">
      <g:data key="v_name"><![CDATA[a<b]]></g:data>
    </g:node>
    <g:node id="n1"><g:data key="v_name">b</g:data></g:node>
    <g:node id="n2"><g:data key="v_name">c</g:data></g:node>
    <g:edge source="n1" target="n2"><g:data key="e_weight">2</g:data></g:edge>
    <g:edge source="n2" target="n1"><!-- another one --></g:edge>
    <g:edge source="n2" target="n2"/>
  </g:graph >
</g:graphml>
"#;

#[test]
fn scores_of_edges_are_added_to_a_graphml_file_that_stays_as_it_is() {
    let place = Place::new();
    let text = scored(&place, IGRAPH, "s.graphml", "--edges rows.csv");
    let data = |id: &str, score: u32| format!("<g:data key=\"{id}\">{score}</g:data>");
    let vertex = |score| data("betweenness", score);
    let edge = |score| data("edge-betweenness", score);
    let kind = "attr.name=\"betweenness\" attr.type=\"double\"";
    let key = |id: &str, of: &str| format!("  <g:key id=\"{id}\" for=\"{of}\" {kind}/>\n");
    let keys = key("betweenness", "node") + &key("edge-betweenness", "edge");
    let expected = IGRAPH
        .replace("  <g:graph id", &format!("{keys}  <g:graph id"))
        .replace("\"n0\"/>", &format!("\"n0\">{}</g:edge>", edge(2)))
        .replace("    </g:node>", &format!("    {}</g:node>", vertex(0)))
        .replace(">b</g:data>", &format!(">b</g:data>{}", vertex(1)))
        .replace(">c</g:data>", &format!(">c</g:data>{}", vertex(0)))
        .replace("t\">2</g:data>", &format!("t\">2</g:data>{}", edge(2)))
        // Parallel edges all have the score of their merged edge, and a loop has 0.
        .replace("one -->", &format!("one -->{}", edge(2)))
        .replace("\"n2\"/>", &format!("\"n2\">{}</g:edge>", edge(0)));
    assert_eq!(text, expected);
    let again = scored(&place, &text, "again.graphml", "--edges rows.csv");
    for id in ["betweenness-2", "edge-betweenness-2"] {
        assert!(again.contains(&format!("<g:key id=\"{id}\"")), "{again}");
    }
    assert_eq!(
        place.read("rows.csv"),
        "source,target,score\nb,a<b,2\nb,c,2\n"
    );
    // Compressed files get scores too.
    place.write("graph.graphml", IGRAPH);
    place.run("convert graph.graphml g.graphml.gz");
    assert!(place.bytes("g.graphml.gz").starts_with(b"\x1f\x8b"));
    let line = "--device none --quiet --scores - --score-format graphml";
    let copy = place.run(&format!("run g.graphml.gz {line}"));
    copy.has(&["<data key=\"betweenness\">1</data>"]);
    // Standard input cannot be read again.
    let mut piped = place.command(&format!("run - {line}"));
    let refused = piped.write_stdin(IGRAPH).output().unwrap();
    let text = String::from_utf8_lossy(&refused.stderr);
    assert!(
        text.contains("needs a file that can be read twice"),
        "{text}"
    );
}

#[test]
fn undirected_edges_of_directed_graphs_have_the_scores_of_both_arcs() {
    let text = r#"<graphml><graph edgedefault="directed"><node id="a"/><node id="b"/>
        <node id="c"/><edge source="a" target="b"/>
        <edge source="c" target="b" directed="false"/></graph></graphml>"#;
    let text = scored(&Place::new(), text, "s.graphml", "--directed --edges e.csv");
    // The pairs that use the first edge are a to b and a to c; those of the second are a to c, b to
    // c and c to b.
    for (ends, score) in [("\"a\" target=\"b\"", 2), ("\"b\" directed=\"false\"", 3)] {
        let edge = format!("{ends}><data key=\"edge-betweenness\">{score}</data></edge>");
        assert!(text.contains(&edge), "{text}");
    }
}

#[test]
fn groups_get_scores_before_the_graphs_that_they_hold() {
    let text = r#"<graphml><graph edgedefault="undirected"><node id="g">
        <graph edgedefault="undirected"><node id="a"/></graph></node>
        <node id="b"/><edge source="a" target="b"/></graph></graphml>"#;
    let data = r#"<data key="betweenness">0</data>"#;
    let group = format!(r#"{data}<graph edgedefault="undirected"><node id="a">{data}</node>"#);
    let text = scored(&Place::new(), text, "s.graphml", "");
    assert!(text.contains(&group), "{text}");
}

#[test]
fn graphs_with_scores_have_every_name_edge_and_length_and_are_read_again() {
    for name in ["s.graphml", "s.gexf"] {
        let place = Place::new();
        let input = "\"<a>&\"\"'\" b\u{e9} 0.5\nb\u{e9} \"new york\" 2\n";
        let line = "run - --device none --quiet --edges e.csv --weighted --scores";
        place.pipe(input, &format!("{line} {name}"));
        let text = place.read(name);
        let document = roxmltree::Document::parse(&text).unwrap();
        let count = |tag| {
            let tagged = document.descendants().filter(|n| n.has_tag_name(tag));
            tagged.count()
        };
        assert_eq!((count("node"), count("edge")), (3, 2));
        let words = document.descendants();
        let words = words.flat_map(|n| n.attributes().map(|a| a.value()).chain(n.text()));
        let words: Vec<&str> = words.collect();
        let values = ["betweenness", "double", "1", "0.5", "2", "undirected"];
        for word in ["<a>&\"'", "b\u{e9}", "new york"].iter().chain(&values) {
            assert!(words.contains(word), "{word} is missing in\n{text}");
        }
        assert_eq!(text.matches("edge-betweenness").count(), 3, "{text}");
        let again = place.run(&format!("run {name} --device none --quiet --scores -"));
        again.has(&["b\u{e9},1\nnew york,0\n"]);
        // The path through the second vertex is as long as the edge.
        let tie = "a b 0.1\nb c 0.2\na c 0.3\n";
        for command in ["convert -", "run - --device none --quiet --scores"] {
            place.pipe(tie, &format!("{command} t{name} --weighted"));
            let line = format!("run t{name} --weighted --device none --quiet --scores -");
            assert_eq!(place.run(&line).lines(), "vertex,score a,0 b,0.5 c,0");
        }
    }
}

#[test]
fn names_with_line_breaks_are_read_again() {
    let json = r#"{"nodes": [{"id": "new\tyork\r\n\"x\""}, {"id": "b"}, {"id": "c"}],
                   "links": [{"source": 0, "target": 1}, {"source": 1, "target": 2}]}"#;
    let place = Place::with(&[("x.json", json)]);
    for name in ["x.graphml", "x.gexf"] {
        place.run(&format!("run x.json --device none --quiet --scores {name}"));
        let again = place.run(&format!("run {name} --device none --quiet --scores -"));
        let expected = "vertex,score\n\"new\tyork\r\n\"\"x\"\"\",0\nb,1\nc,0\n";
        assert_eq!(again.out, expected);
    }
}
