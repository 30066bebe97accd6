//! Tests scores that are added to graph files: GraphML and GEXF.

use std::fs;
use std::path::Path;

use crate::common::program::brandes_with;

/// Writes `text` to a graph file with the suffix of `name`, runs `brandes run` on it with `--scores
/// name` and `options`, and returns the scores.
fn scored(folder: &Path, text: &str, name: &str, options: &[&str]) -> String {
    let suffix = name.split_once('.').unwrap().1;
    let graph = folder.join(format!("graph.{suffix}"));
    fs::write(&graph, text).unwrap();
    let scores = folder.join(name);
    brandes_with(&[
        "run",
        graph.to_str().unwrap(),
        "--device",
        "none",
        "--quiet",
    ])
    .args(["--scores", scores.to_str().unwrap()])
    .args(options)
    .assert()
    .success();
    fs::read_to_string(scores).unwrap()
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
    let folder = tempfile::tempdir().unwrap();
    let text = scored(folder.path(), GEPHI, "s.gexf", &[]);
    // The file already uses the id `betweenness` for another attribute.
    let expected = GEPHI
        .replace(
            "    <nodes>",
            "    <attributes class=\"node\"><attribute id=\"betweenness-2\" title=\"betweenness\" \
             type=\"double\"/></attributes>\n    <nodes>",
        )
        .replace(
            "value=\"0\"/></attvalues>",
            "value=\"0\"/><attvalue for=\"betweenness-2\" value=\"0\"/></attvalues>",
        )
        .replace(
            "\"Ben\"/>",
            "\"Ben\"><attvalues><attvalue for=\"betweenness-2\" value=\"1\"/></attvalues></node>",
        )
        .replace(
            "co\">",
            "co\"><attvalues><attvalue for=\"betweenness-2\" value=\"0\"/></attvalues>",
        );
    assert_eq!(text, expected);
    // The output keeps its names when it is read again, and a second copy equals it.
    let again = scored(folder.path(), &text, "again.gexf", &[]);
    assert_eq!(again, text);
    let rows = scored(folder.path(), &text, "s.csv", &["--format", "gexf"]);
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
    let folder = tempfile::tempdir().unwrap();
    let rows = folder.path().join("rows.csv");
    let edges = ["--edges", rows.to_str().unwrap()];
    let text = scored(folder.path(), IGRAPH, "s.graphml", &edges);
    let data = |id: &str, score: u32| format!("<g:data key=\"{id}\">{score}</g:data>");
    let (vertex, edge) = (
        |score| data("betweenness", score),
        |score| data("edge-betweenness", score),
    );
    let key = |id: &str, class: &str| {
        format!(
            "  <g:key id=\"{id}\" for=\"{class}\" attr.name=\"betweenness\" \
             attr.type=\"double\"/>\n"
        )
    };
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
    let again = scored(folder.path(), &text, "again.graphml", &edges);
    assert_eq!(again, text);
    let rows = fs::read_to_string(rows).unwrap();
    assert_eq!(rows, "source,target,score\nb,a<b,2\nb,c,2\n");
}

#[test]
fn undirected_edges_of_directed_graphs_have_the_scores_of_both_arcs() {
    let folder = tempfile::tempdir().unwrap();
    let text = "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>\
                <node id=\"c\"/><edge source=\"a\" target=\"b\"/>\
                <edge source=\"c\" target=\"b\" directed=\"false\"/></graph></graphml>";
    let options = ["--directed", "--edges", "/dev/null"];
    let text = scored(folder.path(), text, "s.graphml", &options);
    // The pairs that use the first edge are a to b and a to c; those of the second are a to c, b to
    // c and c to b.
    for (ends, score) in [("\"a\" target=\"b\"", 2), ("\"b\" directed=\"false\"", 3)] {
        let edge = format!("{ends}><data key=\"edge-betweenness\">{score}</data></edge>");
        assert!(text.contains(&edge), "{text}");
    }
}

#[test]
fn standard_input_and_compressed_files_get_scores_too() {
    let folder = tempfile::tempdir().unwrap();
    let text = scored(folder.path(), IGRAPH, "s.graphml", &[]);
    let zipped = folder.path().join("g.graphml.gz");
    brandes_with(&["run", "-", "--device", "none", "--quiet", "--scores"])
        .arg(&zipped)
        .write_stdin(IGRAPH)
        .assert()
        .success();
    let out = ["--scores", "-", "--score-format", "graphml"];
    let bytes = fs::read(&zipped).unwrap();
    assert!(bytes.starts_with(b"\x1f\x8b"));
    // Existing scores are replaced.
    for (path, input) in [(zipped.to_str().unwrap(), vec![]), ("-", bytes)] {
        brandes_with(&["run", path, "--device", "none", "--quiet"])
            .args(out)
            .write_stdin(input)
            .assert()
            .success()
            .stdout(text.clone());
    }
}

#[test]
fn groups_get_scores_before_the_graphs_that_they_hold() {
    let folder = tempfile::tempdir().unwrap();
    let text = "<graphml><graph edgedefault=\"undirected\">\n\
                <node id=\"g\">\n<graph edgedefault=\"undirected\"><node id=\"a\"/></graph></node>\n\
                <node id=\"b\"/><edge source=\"a\" target=\"b\"/></graph></graphml>";
    let text = scored(folder.path(), text, "s.graphml", &[]);
    let group = "<node id=\"g\">\n<data key=\"betweenness\">0</data><graph edgedefault=\"undirected\">\
                 <node id=\"a\"><data key=\"betweenness\">0</data></node></graph></node>\n";
    assert!(text.contains(group), "{text}");
}

#[test]
fn scores_as_graphs_keep_names_when_they_are_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    for name in ["x.graphml", "x.gexf"] {
        let run = [
            "run",
            "-",
            "--device",
            "none",
            "--quiet",
            "--edges",
            "/dev/null",
        ];
        brandes_with(&run)
            .args(["--scores", &at(name)])
            .write_stdin("\"new york\" b\nb c\n")
            .assert()
            .success();
        brandes_with(&[
            "run",
            &at(name),
            "--device",
            "none",
            "--quiet",
            "--scores",
            "-",
        ])
        .assert()
        .success()
        .stdout("vertex,score\nnew york,0\nb,1\nc,0\n");
        let text = fs::read_to_string(at(name)).unwrap();
        assert_eq!(text.matches("edge-betweenness").count(), 3, "{text}");
    }
}
