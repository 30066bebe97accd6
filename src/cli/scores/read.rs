//! Reading scores, of this program and others.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;

/// First bytes of a NumPy array.
const NPY: &[u8] = b"\x93NUMPY";

/// Scores and the names of their vertices.
pub(in crate::cli) type Rows = Vec<(String, f64)>;

/// Bytes that show what a file is.
const HEAD: u64 = 64;

/// The scores of a file.
pub(in crate::cli) enum Scores {
    /// With the names of the vertices.
    Named(Rows),
    /// By position in the input.
    Array(Vec<f64>),
}

/// Reads a file of scores, compressed or not. What it is shows in its first bytes: NumPy's magic
/// number, the bracket of a JSON array, or a header with or without a tab.
pub(in crate::cli) fn read(path: &Path) -> Result<Scores> {
    let shown = path.display();
    let mut file = File::open(path).with_context(|| format!("{shown}: cannot be read"))?;
    let mut head = Vec::new();
    (&mut file)
        .take(8)
        .read_to_end(&mut head)
        .with_context(|| format!("{shown}: cannot be read"))?;
    if head.is_empty() {
        bail!("{shown}: the file is empty; a score file starts with a header such as vertex,score");
    }
    let short = head.len() < 5;
    let whole = Box::new(io::Cursor::new(head).chain(file));
    // niffler wants five bytes to look at.
    let reader: Box<dyn Read> = if short {
        whole
    } else {
        niffler::get_reader(whole)
            .with_context(|| format!("{shown}: cannot be decompressed"))?
            .0
    };
    let mut reader = BufReader::new(reader);
    let mut head = Vec::new();
    (&mut reader)
        .take(HEAD)
        .read_to_end(&mut head)
        .with_context(|| format!("{shown}: cannot be read"))?;
    let first = head
        .iter()
        .copied()
        .find(|byte| !byte.is_ascii_whitespace());
    let is_array = head.starts_with(NPY);
    let reader = BufReader::new(io::Cursor::new(head).chain(reader));
    if is_array {
        return array(reader).with_context(|| format!("{shown}: is no array of float64"));
    }
    if first == Some(b'[') {
        return objects(reader).map_err(|error| {
            anyhow!(
                "{shown}: expected objects with a vertex and a score, got something else: {error}"
            )
        });
    }
    rows(path, reader)
}

fn array(reader: impl Read) -> Result<Scores> {
    let file = npyz::NpyFile::new(reader)?;
    if file.shape().len() != 1 {
        bail!("it has {} dimensions and not one", file.shape().len());
    }
    let scores: io::Result<Vec<f64>> = file.data::<f64>()?.collect();
    Ok(Scores::Array(scores?))
}

/// An element of a JSON array; what else it holds does not matter.
#[derive(Deserialize)]
struct Object {
    vertex: Name,
    score: f64,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Name {
    Number(u64),
    Text(String),
}

fn objects(reader: impl Read) -> serde_json::Result<Scores> {
    let objects: Vec<Object> = serde_json::from_reader(reader)?;
    let rows = objects.into_iter().map(|object| match object.vertex {
        Name::Number(number) => (number.to_string(), object.score),
        Name::Text(text) => (text, object.score),
    });
    Ok(Scores::Named(rows.collect()))
}

/// CSV or TSV with a header: what stands before the last comma or tab, and the score behind it.
fn rows(path: &Path, reader: impl BufRead) -> Result<Scores> {
    let shown = path.display();
    let mut rows = Vec::new();
    let mut separator = ',';
    for (index, line) in reader.lines().enumerate() {
        let number = index + 1;
        let line = line.with_context(|| format!("{shown}:{number}: cannot be read"))?;
        let line = line.trim_end();
        if number == 1 && line.contains('\t') {
            separator = '\t';
        }
        if number == 1 || line.is_empty() {
            continue;
        }
        let parsed = line
            .rsplit_once(separator)
            .and_then(|(key, score)| Some((key, score.trim().parse::<f64>().ok()?)));
        let Some((key, score)) = parsed else {
            let expected = if separator == '\t' {
                "a vertex, a tab and a score"
            } else {
                "'vertex,score'"
            };
            bail!("{shown}:{number}: expected {expected}, got '{line}'");
        };
        let quoted = separator == ',';
        rows.push((if quoted { unquoted(key) } else { key.into() }, score));
    }
    Ok(Scores::Named(rows))
}

/// A field without the quotes of RFC 4180; several fields, or odd quotes, as they stand.
fn unquoted(field: &str) -> String {
    let inner = field.strip_prefix('"').and_then(|f| f.strip_suffix('"'));
    match inner.map(|inner| (inner, inner.replace("\"\"", ""))) {
        Some((inner, rest)) if !rest.contains('"') => inner.replace("\"\"", "\""),
        _ => field.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::ScoresFormat;
    use super::super::write::write;
    use super::*;
    use crate::graph::Labels;
    use crate::output::Compression;

    fn read_bytes(bytes: &[u8]) -> Result<Scores> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scores");
        std::fs::write(&path, bytes).unwrap();
        read(&path)
    }

    #[test]
    fn what_is_written_is_read() {
        let labels = Labels::Names {
            bytes: b"ab,c\"dx\"\"".to_vec(),
            offsets: vec![0, 1, 4, 6, 9],
        };
        let scores = [0.1 + 0.2, 2.0, 1e300, 0.0];
        let names = ["a", "b,c", "\"d", "x\"\""];
        for format in [
            ScoresFormat::Csv,
            ScoresFormat::Tsv,
            ScoresFormat::Json,
            ScoresFormat::Npy,
        ] {
            for compression in [Compression::None, Compression::Gzip, Compression::Zstd] {
                let mut bytes = Vec::new();
                compression
                    .write(&mut bytes, |out| write(out, format, &labels, &scores))
                    .unwrap();
                match read_bytes(&bytes).unwrap() {
                    Scores::Array(array) => {
                        assert_eq!(format, ScoresFormat::Npy);
                        assert_eq!(array, scores);
                    }
                    Scores::Named(rows) => {
                        let expected = names.iter().map(|name| name.to_string()).zip(scores);
                        assert_eq!(rows, expected.collect::<Vec<_>>(), "{format:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_file_of_scores_is_one_line() {
        for (bytes, message) in [
            (&b""[..], "the file is empty"),
            (b"[{\"vertex\": 1}]", "missing field `score`"),
            (b" [1]", "expected objects with a vertex and a score"),
            (
                b"vertex\tscore\n1,2\n",
                "expected a vertex, a tab and a score",
            ),
            (b"vertex,score\n1\t2\n", "expected 'vertex,score'"),
            (b"\x93NUMPY\x01\x00", "is no array of float64"),
        ] {
            let error = read_bytes(bytes).err().unwrap();
            let text = format!("{error:#}");
            assert!(text.contains(message), "{text}");
            assert_eq!(text.lines().count(), 1, "{text}");
        }
        assert_eq!(unquoted("\"a\",\"b\""), "\"a\",\"b\"");
        assert_eq!(unquoted("\""), "\"");
    }
}
