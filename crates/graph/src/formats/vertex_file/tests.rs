use proptest::prelude::*;

use super::*;
use crate::tests::rows;
use crate::write_quoted;

fn names(names: &[&str]) -> Labels {
    names.iter().map(|name| name.as_bytes()).collect()
}

fn weights_of(text: &str, labels: &Labels) -> Result<Vec<f64>, String> {
    in_file(text.as_bytes(), |path| read_vertex_weights(path, labels))
}

fn demand_of(text: &str, labels: &Labels) -> Result<Vec<(Vertex, Vertex, f64)>, String> {
    in_file(text.as_bytes(), |path| read_demand(path, labels))
}

/// Returns what `read` reads from a file `a.csv` of this text; errors do not name its folder.
fn in_file<T>(text: &[u8], read: impl FnOnce(&Path) -> Result<T, ReadError>) -> Result<T, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.csv");
    std::fs::write(&path, text).expect("a writable folder");
    let prefix = format!("{}", folder.path().join("").display());
    read(&path).map_err(|error| error.to_string().replacen(&prefix, "", 1))
}

#[test]
fn vertices_have_the_weights_of_their_rows() {
    let labels = names(&["a", "b", "c d", "007", "#1"]);
    for (text, expected) in rows(
        r#"
        a\nb\n => [1.0, 1.0, 0.0, 0.0, 0.0]
        a 2.5\nb 0\n007 1e3 => [2.5, 0.0, 0.0, 1000.0, 0.0]
        vertex,weight\r\n\r\n# b,1\r\na,2\r\n => [2.0, 0.0, 0.0, 0.0, 0.0]
        "c d"\t1,5\n"007"\t2\n => [0.0, 0.0, 1.5, 2.0, 0.0]
        sep=;\na;3\nc d;4\n => [3.0, 0.0, 4.0, 0.0, 0.0]
        // A name without quotes may have delimiters.
        name\nc d\nb\n => [0.0, 1.0, 1.0, 0.0, 0.0]
        // The header has no known words.
        place,people\na,2\nb,3\n => [2.0, 3.0, 0.0, 0.0, 0.0]
        // An index precedes the vertices.
        ,vertex,weight\n0,a,2\n1,b,3\n => [2.0, 3.0, 0.0, 0.0, 0.0]
        // There are further columns.
        id,kind,population,area\na,city,7,0.5\n => [7.0, 0.0, 0.0, 0.0, 0.0]
        // A row lacks the weight.
        vertex,weight\na\nb,3\n => [1.0, 3.0, 0.0, 0.0, 0.0]
        // A name may look like a comment.
        vertex,score\n#1,2\n# a,5\na,3\n => [3.0, 0.0, 0.0, 0.0, 2.0]
        "#,
    ) {
        for text in [format!("\u{feff}{text}"), text] {
            let weights = weights_of(&text, &labels).expect(&text);
            assert_eq!(format!("{weights:?}"), expected, "{text:?}");
        }
    }
}

#[test]
fn numeric_labels_are_found_however_they_are_stored() {
    for labels in [
        Labels::consecutive(1, 3),
        Labels::Numbers(vec![1, 2, 3]),
        names(&["1", "2", "3"]),
    ] {
        let node = "node,weight\n2,5\n";
        for text in ["2 5\n", "2.0,5\n", node, "\"2\";5\n", "weight,id\n5,2"] {
            assert_eq!(
                weights_of(text, &labels),
                Ok(vec![0.0, 5.0, 0.0]),
                "{text:?}"
            );
        }
        for text in ["0\n", "4\n", "02\n", "-1\n", "18446744073709551616\n"] {
            let error = weights_of(text, &labels).expect_err(text);
            assert!(
                error.starts_with("a.csv:1: the graph has no vertex"),
                "{error}"
            );
        }
    }
}

#[test]
fn a_first_row_that_names_a_vertex_is_no_header() {
    let labels = names(&["vertex", "source", "target", "a"]);
    assert_eq!(
        weights_of("vertex\na\n", &labels),
        Ok(vec![1.0, 0.0, 0.0, 1.0])
    );
    assert_eq!(
        demand_of("source,target\na,vertex\n", &labels),
        Ok(vec![(1, 2, 1.0), (3, 0, 1.0)])
    );
    let error = weights_of("vertex,weight\na,2\n", &labels).expect_err("a word for a weight");
    assert!(
        error.starts_with("a.csv:1: the weight 'weight' is not"),
        "{error}"
    );
}

#[test]
fn wrong_vertices_and_weights_are_refused_with_their_line() {
    let labels = names(&["a", "b", "c d"]);
    for (text, expected) in rows(
        r#"
        a\n\n# b\nx\ny\n => :4: the graph has no vertex 'x' (correct the name, or remove
        place\na\n => :1: the graph has no vertex 'place'
        a\nb\na\n => :3: vertex 'a' has a second row (keep one of them)
        a,1\nb,-2\n => :2: the weight '-2' is not a finite number of at least zero
        a,1\nb,nan\n => :2: the weight 'nan' is not
        a,1\nb,1e999\n => :2: the weight '1e999' is not
        a,1\nb,\n => :2: the weight '' is not
        a,1\n,2\n => :2: there is no vertex in column 1 (write its name)
        a,1,2\n => :1: this row has 3 columns (write a vertex and perhaps a weight in each row
        "a\n => :1: a quote is not closed
        a\nb\0\n => :2: this is binary
         => : the file is empty
        # a\n\n => : no row names a vertex
        vertex,weight\n => : no row names a vertex
        "#,
    ) {
        let error = weights_of(&text, &labels).expect_err(&text);
        assert!(error.starts_with(&format!("a.csv{expected}")), "{error}");
    }
}

#[test]
fn trips_of_equal_pairs_are_added() {
    let labels = names(&["a", "b", "c d"]);
    for text in [
        "a,b,2\nb,a\na,c d,0\na,a,7\na,b,0.5\n",
        "from;to;trips\na;b;2,5\nb;a;1\n",
        "origin,dest,day,flow\na,b,1,1.5\nb,a,1,1\na,b,2,1\n",
        "target,source,trips\nb,a,2.5\na,b,1\n",
        ",i,j,x\n0,a,b,2.5\n1,b,a,1\n",
        "source|target|trips\n\"a\"|\"b\"|2.5\n\"b\"|a|1\n",
    ] {
        assert_eq!(
            demand_of(text, &labels),
            Ok(vec![(0, 1, 2.5), (1, 0, 1.0)]),
            "{text:?}"
        );
    }
    for (text, expected) in rows(
        r"
        a,b\na,x,2\n => :2: the graph has no vertex 'x'
        a,b\nb,a\na\n => :3: there is no vertex in column 2 (write its name)
        a,b,1,2\n => :1: this row has 4 columns (write two vertices and perhaps a weight in each
        v,w\na,b\nb,a,x\n => :3: the weight 'x' is not
        ",
    ) {
        let error = demand_of(&text, &labels).expect_err(&text);
        assert!(error.starts_with(&format!("a.csv{expected}")), "{error}");
    }
}

#[test]
fn compressed_files_are_read() {
    let text = zstd::encode_all(&b"a b 3\n"[..], 1).expect("memory can be written");
    let labels = names(&["a", "b"]);
    let demand = in_file(&text, |path| read_demand(path, &labels));
    assert_eq!(demand, Ok(vec![(0, 1, 3.0)]));
}

/// Writes a field in quotes if `quoted` is set. Otherwise writes it as score files do, in quotes
/// only if it has a delimiter, a quote or an outer blank.
fn field(name: &str, delimiter: char, quoted: bool) -> String {
    let odd = |c: char| c == delimiter || c == '"';
    let blank = |c: Option<char>| c.is_none_or(|c| c.is_ascii_whitespace());
    if !quoted && !name.contains(odd) && !blank(name.chars().next()) && !blank(name.chars().last())
    {
        return name.into();
    }
    let mut text = Vec::new();
    write_quoted(name.as_bytes(), &mut text).expect("memory can be written");
    String::from_utf8(text).expect("a name of text")
}

/// Names with delimiters, quotes, blanks, marks of comments, digits and letters of several scripts.
const NAME: &str = "[a-c0-2 ,;|\t\"'#%!.Zoë中\u{1f600}]{0,3}[a-c0-2,#%.é中]";

proptest! {
    #[test]
    fn names_are_read_as_they_were_written(
        weights in prop::collection::btree_map(NAME, 0.0..1e9, 1..20),
        separator in prop::sample::select(&[',', '\t', ';', '|']),
        quoted: bool,
        header: bool,
    ) {
        let labels: Labels = weights.keys().map(|name| name.as_bytes()).collect();
        let mut text = String::new();
        if header || !quoted {
            text += &format!("vertex{separator}weight\n");
        }
        for (name, weight) in weights.iter().rev() {
            let name = field(name, separator, quoted);
            text += &format!("{name}{separator}{weight}\n");
        }
        let expected: Vec<f64> = weights.values().copied().collect();
        prop_assert_eq!(weights_of(&text, &labels), Ok(expected), "{}", text);
    }

    #[test]
    fn any_bytes_have_weights_or_an_error_of_one_line(
        text in prop::collection::vec(prop_oneof![
            4 => prop::sample::select(b"ab12.,;|\t \"\n#{}=-e"),
            1 => any::<u8>(),
        ], 0..60),
    ) {
        for labels in [names(&["a", "b", "1"]), Labels::consecutive(1, 3)] {
            let errors = [
                in_file(&text, |path| read_vertex_weights(path, &labels)).map(|weights| {
                    assert!(weights.iter().all(|weight| *weight >= 0.0 && weight.is_finite()));
                }),
                in_file(&text, |path| read_demand(path, &labels)).map(|pairs| {
                    assert!(pairs.iter().all(|(s, t, trips)| s != t && *trips > 0.0));
                }),
            ];
            for error in errors.into_iter().filter_map(Result::err) {
                prop_assert!(!error.contains('\n') && error.starts_with("a.csv:"), "{}", error);
            }
        }
    }
}
