//! Reads score files of this program and of others.

use std::io;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value};

use super::table::BETWEENNESS;
use super::write::write_name;
use crate::app::cli::read_all;
use brandes::Measure;

/// The first bytes of a NumPy array.
const NPY: &[u8] = b"\x93NUMPY";

/// The bytes that Windows programs write before a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The scores of a file.
#[derive(Debug, Default, PartialEq)]
pub(in crate::app::cli) struct Scores {
    /// The names of vertices or of edges; for an array, the numbers of its rows from 0.
    pub(in crate::app::cli) labels: Vec<String>,
    /// The name and the numbers of each column of scores. There is at least one.
    pub(in crate::app::cli) columns: Vec<(String, Vec<f64>)>,
}

/// Reads a score file, compressed or not. Its first bytes decide the format: NumPy's magic number,
/// the bracket of a JSON array, or a header with or without a tab.
pub(in crate::app::cli) fn read(path: &Path) -> Result<Scores> {
    let file = path.display();
    let bytes = read_all(path).with_context(|| format!("{file}: cannot be read"))?;
    if bytes.is_empty() {
        bail!("{file}: the file is empty; a score file starts with a header such as vertex,score");
    }
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
    let line = bytes.split(|&byte| byte == b'\n').next();
    let separator = match line.is_some_and(|line| line.contains(&b'\t')) {
        true => b'\t',
        false => b',',
    };
    match bytes.trim_ascii_start().first() {
        _ if bytes.starts_with(NPY) => {
            array(bytes).with_context(|| format!("{file}: expected an array of float64"))
        }
        Some(b'{') => {
            bail!("{file}: expected an array of objects with a vertex and a score, got one object")
        }
        Some(b'[') => objects(bytes)
            .with_context(|| format!("{file}: expected objects with a vertex and a score")),
        _ => rows(path, separator, bytes),
    }
}

/// Returns the positions of the columns of scores: the column `score` and, in a file of removals,
/// the column `removed`; or else those that have the name of a measure, with or without a radius.
fn score_positions<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<usize> {
    if let Some(score) = names.clone().position(|name| name == "score") {
        let removed = names.clone().position(|name| name == "removed");
        return [Some(score), removed].into_iter().flatten().collect();
    }
    let measure = |name: &str| name.split('_').next()?.parse::<Measure>().ok();
    let columns = names
        .enumerate()
        .filter(|(_, name)| measure(name).is_some());
    columns.map(|(column, _)| column).collect()
}

/// Returns the name of a column of scores; `score` stands for betweenness.
fn column_name(heading: &str) -> String {
    match heading {
        "score" => BETWEENNESS.into(),
        _ => heading.into(),
    }
}

/// Reads an array that has a score, or a row of scores, for each vertex.
fn array(bytes: &[u8]) -> Result<Scores> {
    let file = npyz::NpyFile::new(bytes)?;
    let (rows, columns) = match *file.shape() {
        [rows] => (rows as usize, 1),
        [rows, columns] => (rows as usize, columns as usize),
        ref shape => bail!("it has {} dimensions instead of one or two", shape.len()),
    };
    // The distances between elements of successive rows, and of successive columns.
    let strides = match file.order() {
        npyz::Order::C => (columns, 1),
        npyz::Order::Fortran => (1, rows),
    };
    let scores = file.data::<f64>()?.collect::<io::Result<Vec<f64>>>()?;
    let column = |column: usize| {
        let numbers = (0..rows).map(|row| scores[row * strides.0 + column * strides.1]);
        (format!("column {}", column + 1), numbers.collect())
    };
    Ok(Scores {
        labels: (0..rows).map(|row| format!("row {row}")).collect(),
        columns: (0..columns).map(column).collect(),
    })
}

/// Reads a JSON array of objects with a vertex and scores; other fields are ignored.
fn objects(bytes: &[u8]) -> Result<Scores> {
    let objects: Vec<Map<String, Value>> = serde_json::from_slice(bytes)?;
    let mut all = Scores::default();
    for object in &objects {
        let vertex = match object.get("vertex").context("missing field `vertex`")? {
            Value::String(name) => name.clone(),
            number => number.to_string(),
        };
        let scores = score_positions(object.keys().map(String::as_str)).into_iter();
        let fields = scores.filter_map(|column| object.iter().nth(column));
        let fields: Vec<_> = fields.collect();
        ensure!(!fields.is_empty(), "missing field `score`");
        if all.labels.is_empty() {
            let new = |(name, _): &(&String, _)| (column_name(name), Vec::new());
            all.columns = fields.iter().map(new).collect();
        }
        let names = fields.iter().map(|(name, _)| column_name(name));
        if !names.eq(all.columns.iter().map(|(name, _)| name.clone())) {
            bail!("the score fields of vertex '{vertex}' differ from those of the first vertex");
        }
        for ((_, numbers), (name, value)) in all.columns.iter_mut().zip(fields) {
            let number = value.as_f64();
            numbers
                .push(number.with_context(|| format!("{name} of vertex '{vertex}' is {value}"))?);
        }
        all.labels.push(vertex);
    }
    if objects.is_empty() {
        all.columns = vec![(BETWEENNESS.into(), Vec::new())];
    }
    Ok(all)
}

/// Reads CSV or TSV with a header. If no column is named `score` or after a measure, the last
/// column has the scores. The columns before the first column of scores are the name of the vertex
/// or edge.
fn rows(path: &Path, separator: u8, bytes: &[u8]) -> Result<Scores> {
    let file = path.display();
    let mut options = csv::ReaderBuilder::new();
    options.delimiter(separator).flexible(true);
    let mut reader = options.from_reader(bytes);
    let header = reader.byte_headers()?;
    let width = header.len();
    let headings: Vec<String> = header.iter().map(|name| text(name.trim_ascii())).collect();
    let mut scores = score_positions(headings.iter().map(String::as_str));
    if scores.first() == Some(&0) && headings.iter().any(|name| name == "vertex") {
        bail!("{file}:1: column 'vertex' has to be the first one");
    }
    scores.retain(|&column| column > 0);
    if scores.is_empty() {
        scores.push(width.saturating_sub(1).max(1));
    }
    let first = scores[0];
    if header.get(first).and_then(number).is_some() {
        let got = quoted(&joined(header.iter(), separator));
        bail!("{file}:1: expected a header such as vertex,score, got {got}");
    }
    let heading = |&at: &usize| headings.get(at).map_or("", String::as_str);
    let column = |at: &usize| (column_name(heading(at)), Vec::new());
    let mut columns: Vec<_> = scores.iter().map(column).collect();
    let mut labels = Vec::new();
    for record in reader.into_byte_records() {
        let record = record?;
        if record.len() == 1 && record[0].trim_ascii().is_empty() {
            continue;
        }
        let numbers = scores.iter().map(|&at| record.get(at).and_then(number));
        let numbers = numbers.collect::<Option<Vec<f64>>>();
        let Some(numbers) = numbers.filter(|_| record.len() == width) else {
            let line = record.position().map_or(0, csv::Position::line);
            let got = quoted(&joined(record.iter(), separator));
            bail!("{file}:{line}: expected numbers below the names of scores, got {got}");
        };
        for ((_, column), number) in columns.iter_mut().zip(numbers) {
            column.push(number);
        }
        labels.push(match first {
            1 => text(&record[0]),
            _ => joined(record.iter().take(first), separator),
        });
    }
    Ok(Scores { labels, columns })
}

/// Reads a score, perhaps between blanks.
fn number(field: &[u8]) -> Option<f64> {
    str::from_utf8(field.trim_ascii()).ok()?.parse().ok()
}

/// Returns the beginning of a row in quotes, on one line.
fn quoted(row: &str) -> String {
    const MOST: usize = 60;
    let start: String = row.chars().take(MOST).collect();
    let more = if start.len() < row.len() { "..." } else { "" };
    format!("'{}{more}'", start.escape_debug())
}

/// Returns fields as a row of a file, with separators, and with quotes where needed.
fn joined<'a>(fields: impl Iterator<Item = &'a [u8]>, separator: u8) -> String {
    let mut line = Vec::new();
    for (position, field) in fields.enumerate() {
        if position > 0 {
            line.push(separator);
        }
        // Writing to memory does not fail.
        let _ = write_name(&mut line, separator, field);
    }
    text(&line)
}

/// Returns a name as text, with escapes if it is not UTF-8.
pub(in crate::app::cli) fn text(name: &[u8]) -> String {
    let escaped = |_| name.escape_ascii().to_string();
    str::from_utf8(name).map_or_else(escaped, ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_bytes(bytes: &[u8]) -> Result<Scores> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scores");
        std::fs::write(&path, bytes).unwrap();
        read(&path)
    }

    #[test]
    fn the_score_is_where_the_header_says() {
        const CD: &str = "vertex\tscore\tdegree\na b\t1\t7\n\"c\td\"\t2\t8\n";
        const AB: &str = "vertex,score,rank\n\"a,b\",2.5,1\n\nc,0,2\n";
        const EDGES: &str = "source,target,score\n\"a,b\",c,1\na,\"b,c\",2\n";
        const RADII: &str = "vertex,rank,x,closeness,betweenness_800\na,1,2,0.5,3\n";
        const JSON: &str = r#"[{"stress": 4, "vertex": "a", "degree": 2, "reach_0.5": 1.5}]"#;
        for (text, expected) in [
            (AB, "a,b|c|betweenness 2.5 0"),
            (
                "node,betweenness\r\na,1\r\nb, 2 \r\n",
                "a|b|betweenness 1 2",
            ),
            (EDGES, "\"a,b\",c|a,\"b,c\"|betweenness 1 2"),
            (CD, "a b|c\td|betweenness 1 2"),
            (RADII, "a,1,2|closeness 0.5|betweenness_800 3"),
            ("vertex,reach_800\na,7\n", "a|reach_800 7"),
            ("vertex,other,last\na,b,9\n", "a,b|last 9"),
            (JSON, "a|stress 4|reach_0.5 1.5"),
            (
                r#"[{"vertex": "a", "score": 945.2706955539225}]"#,
                "a|betweenness 945.2706955539225",
            ),
            (
                "\u{feff}[{\"vertex\": \"a\", \"score\": 2}]",
                "a|betweenness 2",
            ),
        ] {
            let read = read_bytes(text.as_bytes()).unwrap();
            let column = |(name, scores): &(String, Vec<f64>)| {
                let scores = scores.iter().map(|score| format!(" {score}"));
                name.clone() + &scores.collect::<String>()
            };
            let mut found = read.labels.clone();
            found.extend(read.columns.iter().map(column));
            assert_eq!(found.join("|"), expected);
        }
    }

    #[test]
    fn other_files_are_refused_in_one_line() {
        for (text, message) in [
            ("", "the file is empty"),
            ("[{\"vertex\": 1}]", "missing field `score`"),
            (" [1]", "expected objects with a vertex and a score"),
            (
                "[{\"vertex\":1,\"score\":2},{\"vertex\":3,\"reach\":4}]",
                "the score fields of vertex '3' differ from those of the first vertex",
            ),
            (
                "vertex,reach_1,reach_2\n1,2,x\n",
                ":2: expected numbers below the names of scores, got '1,2,x'",
            ),
            ("vertex\tscore\n1,2\n", "expected numbers"),
            ("vertex,score\n1\t2\n", "expected numbers"),
            ("vertex,score\n1,2\n30,\"33,1\n4,5\n", "got '30,\\\"33"),
            ("a,1\nb,2\n", ":1: expected a header such as vertex,score"),
            ("score,vertex\n1,2\n", "'vertex' has to be the first one"),
            ("{\"a\":1,\"b\":2}", "got one object"),
        ] {
            let error = read_bytes(text.as_bytes()).err().unwrap();
            let text = format!("{error:#}");
            assert!(
                text.contains(message) && text.lines().count() == 1,
                "{text}"
            );
        }
        let array = read_bytes(b"\x93NUMPY\x01\x00").err().unwrap();
        assert!(format!("{array:#}").contains("expected an array of float64"));
    }
}
