//! Reads score files of this program and of others.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;
use serde_json::Value;

use super::write::write_name;
use brandes::output::decompressed;

/// The first bytes of a NumPy array.
const NPY: &[u8] = b"\x93NUMPY";

/// The names of vertices with their scores.
pub(in crate::app::cli) type Rows = Vec<(String, f64)>;

/// The number of bytes that decide the format.
const HEAD: u64 = 64;

/// The scores of a file.
pub(in crate::app::cli) struct Scores {
    pub(in crate::app::cli) rows: Rows,
    /// Whether the file is an array, which has positions in place of names.
    pub(in crate::app::cli) is_array: bool,
}

/// Reads a score file, compressed or not. Its first bytes decide the format: NumPy's magic number,
/// the bracket of a JSON array, or a header with or without a tab.
pub(in crate::app::cli) fn read(path: &Path) -> Result<Scores> {
    let shown = path.display();
    let open = || {
        let file: Box<dyn Read + Send> = match path == Path::new("-") {
            true => Box::new(io::stdin()),
            false => Box::new(File::open(path)?),
        };
        let mut reader = BufReader::new(decompressed(file)?.0);
        let mut head = Vec::new();
        reader.by_ref().take(HEAD).read_to_end(&mut head)?;
        io::Result::Ok((head, reader))
    };
    let (head, reader) = open().with_context(|| format!("{shown}: cannot be read"))?;
    if head.is_empty() {
        bail!("{shown}: the file is empty; a score file starts with a header such as vertex,score");
    }
    let line = head.split(|&byte| byte == b'\n').next();
    let separator = match line.is_some_and(|line| line.contains(&b'\t')) {
        true => b'\t',
        false => b',',
    };
    let is_array = head.starts_with(NPY);
    let first = head.trim_ascii_start().first().copied();
    let reader = io::Cursor::new(head).chain(reader);
    let rows = match first {
        _ if is_array => {
            array(reader).with_context(|| format!("{shown}: is not an array of float64"))
        }
        Some(b'{') => {
            bail!("{shown}: expected an array of objects with a vertex and a score, got one object")
        }
        Some(b'[') => objects(reader).map_err(|error| {
            let expected = "expected objects with a vertex and a score";
            anyhow!("{shown}: {expected}, got something else: {error}")
        }),
        _ => rows(path, separator, reader),
    };
    Ok(Scores {
        rows: rows?,
        is_array,
    })
}

fn array(reader: impl Read) -> Result<Rows> {
    let file = npyz::NpyFile::new(reader)?;
    if file.shape().len() != 1 {
        bail!("it has {} dimensions and not one", file.shape().len());
    }
    let scores = file.data::<f64>()?.enumerate();
    let rows = scores.map(|(v, score)| Ok((v.to_string(), score?)));
    Ok(rows.collect::<io::Result<Rows>>()?)
}

/// An element of a JSON array; other fields are ignored.
#[derive(Deserialize)]
struct Object {
    vertex: Value,
    score: f64,
}

fn objects(reader: impl Read) -> serde_json::Result<Rows> {
    let objects: Vec<Object> = serde_json::from_reader(reader)?;
    let rows = objects.into_iter().map(|object| match object.vertex {
        Value::String(name) => (name, object.score),
        number => (number.to_string(), object.score),
    });
    Ok(rows.collect())
}

/// Reads CSV or TSV with a header. The score is in the column of that name, else in the last one;
/// the columns before it are the name.
fn rows(path: &Path, separator: u8, reader: impl Read) -> Result<Rows> {
    let shown = path.display();
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .from_reader(reader);
    let header = reader.byte_headers().map_err(|e| unreadable(path, &e))?;
    let named = header.iter().position(|name| name.trim_ascii() == b"score");
    let column = named.unwrap_or(header.len().saturating_sub(1)).max(1);
    if header.get(column).and_then(number).is_some() {
        let got = quoted(&joined(header.iter(), separator));
        bail!("{shown}:1: expected a header such as vertex,score, got {got}");
    }
    let columns = header.len();
    let mut rows = Vec::new();
    for record in reader.into_byte_records() {
        let record = record.map_err(|error| unreadable(path, &error))?;
        if record.len() == 1 && record[0].trim_ascii().is_empty() {
            continue;
        }
        let score = record.get(column).and_then(number);
        let Some(score) = score.filter(|_| record.len() == columns) else {
            let number = record.position().map_or(0, csv::Position::line);
            let expected = match separator {
                b'\t' => "a vertex, a tab and a score",
                _ => "'vertex,score'",
            };
            let got = quoted(&joined(record.iter(), separator));
            bail!("{shown}:{number}: expected {expected}, got {got}");
        };
        let key = match column {
            1 => text(&record[0]),
            _ => joined(record.iter().take(column), separator),
        };
        rows.push((key, score));
    }
    Ok(rows)
}

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

fn unreadable(path: &Path, error: &csv::Error) -> anyhow::Error {
    let line = match error.position().map_or(0, csv::Position::line) {
        0 => String::new(),
        line => format!(":{line}"),
    };
    anyhow!("{}{line}: cannot be read: {error}", path.display())
}

/// Joins fields as a row of a file has them.
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
fn text(name: &[u8]) -> String {
    match str::from_utf8(name) {
        Ok(name) => name.to_string(),
        Err(_) => name.escape_ascii().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::Table;
    use super::super::write::{json, npy, separated};
    use super::*;
    use brandes::graph::Labels;
    use brandes::output::Compression;

    fn read_bytes(bytes: &[u8]) -> Result<Scores> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scores");
        std::fs::write(&path, bytes).unwrap();
        read(&path)
    }

    #[test]
    fn what_is_written_is_read() {
        let names = [
            "a",
            "b,c",
            "\"d",
            "x\"\"",
            "tab\tin",
            "two words",
            " edge ",
            "line\nbreak\r",
            "",
            "'",
            "é",
        ];
        let mut offsets = vec![0];
        for name in names {
            offsets.push(offsets[offsets.len() - 1] + name.len());
        }
        let labels = Labels::Names {
            bytes: names.concat().into_bytes(),
            offsets,
        };
        let scores: Vec<f64> = (0..names.len()).map(|v| 0.1 + 1e9 / v as f64).collect();
        let scores: Vec<f64> = scores.into_iter().map(|x| x.min(1e300)).collect();
        let table = Table::plain(&labels, &scores);
        for compression in [
            Compression::None,
            Compression::Gzip,
            Compression::Bzip2,
            Compression::Xz,
            Compression::Zstd,
        ] {
            for format in ["csv", "tsv", "json", "npy"] {
                let mut bytes = Vec::new();
                let written = compression.write(&mut bytes, |out| match format {
                    "csv" => separated(out, b',', &table),
                    "tsv" => separated(out, b'\t', &table),
                    "json" => json(out, &table),
                    _ => npy(out, &scores),
                });
                written.unwrap();
                let found = read_bytes(&bytes).unwrap();
                assert_eq!(found.is_array, format == "npy");
                let expected = names.iter().enumerate().map(|(v, name)| match format {
                    "npy" => v.to_string(),
                    _ => name.to_string(),
                });
                let expected: Rows = expected.zip(scores.iter().copied()).collect();
                assert_eq!(found.rows, expected, "{format} {compression:?}");
            }
        }
    }

    #[test]
    fn the_score_is_where_the_header_says() {
        for (text, rows) in [
            (
                "vertex,score,rank\n\"a,b\",2.5,1\n\nc,0,2\n",
                [("a,b", 2.5), ("c", 0.0)],
            ),
            (
                "node,betweenness\r\na,1\r\nb, 2 \r\n",
                [("a", 1.0), ("b", 2.0)],
            ),
            (
                "source,target,score\n\"a,b\",c,1\na,\"b,c\",2\n",
                [("\"a,b\",c", 1.0), ("a,\"b,c\"", 2.0)],
            ),
            (
                "vertex\tscore\tdegree\na b\t1\t7\n\"c\td\"\t2\t8\n",
                [("a b", 1.0), ("c\td", 2.0)],
            ),
        ] {
            let read = read_bytes(text.as_bytes()).unwrap().rows;
            assert_eq!(read, rows.map(|(name, score)| (name.to_string(), score)));
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
            (b"vertex,score\n1,2\n30,\"33,1\n4,5\n", "got '30,\\\"33"),
            (b"a,1\nb,2\n", ":1: expected a header such as vertex,score"),
            (b"{\"a\":1,\"b\":2}", "got one object"),
            (b"\x93NUMPY\x01\x00", "is not an array of float64"),
        ] {
            let error = read_bytes(bytes).err().unwrap();
            let text = format!("{error:#}");
            assert!(text.contains(message), "{text}");
            assert_eq!(text.lines().count(), 1, "{text}");
        }
    }
}
