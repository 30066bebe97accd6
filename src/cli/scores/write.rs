//! Writing scores.

use std::io::{self, Write};
use std::{slice, str};

use anyhow::{Result, bail};
use npyz::WriterBuilder;
use serde_json::to_writer;

use super::ScoresFormat;
use crate::graph::{Graph, Labels, Vertex};

/// Refuses names of vertices that a format cannot hold.
pub(super) fn check(format: ScoresFormat, labels: &Labels) -> Result<()> {
    let Labels::Names { bytes, offsets } = labels else {
        return Ok(());
    };
    let mut names = offsets.windows(2).map(|ends| &bytes[ends[0]..ends[1]]);
    if format == ScoresFormat::Json
        && let Some(name) = names.find(|name| str::from_utf8(name).is_err())
    {
        bail!(
            "JSON cannot hold the name of vertex {}, which is not UTF-8; use --format-out csv or tsv",
            name.escape_ascii()
        );
    }
    Ok(())
}

/// Writes all scores in input order, as decimals that read back as the same f64, or as they are.
///
/// # Errors
/// Those of `out`.
pub(super) fn write(
    out: &mut impl Write,
    format: ScoresFormat,
    labels: &Labels,
    scores: &[f64],
) -> io::Result<()> {
    match format {
        ScoresFormat::Csv => separated(out, b',', labels, scores),
        ScoresFormat::Tsv => separated(out, b'\t', labels, scores),
        ScoresFormat::Json => json(out, labels, scores),
        ScoresFormat::Npy => npy(out, scores),
    }
}

/// Writes `source,target,score` with a header, each edge once, in the order of [`Graph::for_each_edge`]. Of an
/// undirected edge between numbers the smaller comes first, whatever the input says first.
///
/// # Errors
/// Those of `out`.
pub fn write_edges(out: &mut impl Write, graph: &Graph, scores: &[f64]) -> io::Result<()> {
    out.write_all(b"source,target,score\n")?;
    let mut rest = scores.iter();
    let mut result = Ok(());
    graph.for_each_edge(|mut tail, mut head| {
        if let (false, Labels::Numbers(numbers)) = (graph.directed(), graph.labels())
            && numbers[tail as usize] > numbers[head as usize]
        {
            (tail, head) = (head, tail);
        }
        if let (Ok(()), Some(score)) = (&result, rest.next()) {
            result = write_field(out, graph.labels(), tail)
                .and_then(|()| out.write_all(b","))
                .and_then(|()| write_field(out, graph.labels(), head))
                .and_then(|()| writeln!(out, ",{score}"));
        }
    });
    result
}

fn separated(
    out: &mut impl Write,
    separator: u8,
    labels: &Labels,
    scores: &[f64],
) -> io::Result<()> {
    let separator = [separator];
    out.write_all(b"vertex")?;
    out.write_all(&separator)?;
    out.write_all(b"score\n")?;
    for (v, score) in scores.iter().enumerate() {
        if separator == *b"," {
            write_field(out, labels, v as Vertex)?;
        } else {
            // Names hold no white space.
            labels.write(v as Vertex, out)?;
        }
        out.write_all(&separator)?;
        writeln!(out, "{score}")?;
    }
    Ok(())
}

/// A label, quoted as RFC 4180 asks if it holds a comma or a quote.
fn write_field(out: &mut impl Write, labels: &Labels, v: Vertex) -> io::Result<()> {
    if let Labels::Names { bytes, offsets } = labels {
        let name = &bytes[offsets[v as usize]..offsets[v as usize + 1]];
        if name.iter().any(|b| matches!(b, b',' | b'"')) {
            out.write_all(b"\"")?;
            for &b in name {
                out.write_all(if b == b'"' {
                    b"\"\""
                } else {
                    slice::from_ref(&b)
                })?;
            }
            return out.write_all(b"\"");
        }
    }
    labels.write(v, out)
}

/// One vertex per line.
fn json(out: &mut impl Write, labels: &Labels, scores: &[f64]) -> io::Result<()> {
    out.write_all(b"[")?;
    for (v, score) in scores.iter().enumerate() {
        out.write_all(if v == 0 { b"\n" } else { b",\n" })?;
        out.write_all(b"{\"vertex\": ")?;
        match labels {
            Labels::Names { .. } => to_writer(&mut *out, &labels.display(v as Vertex).to_string())?,
            Labels::Consecutive { .. } | Labels::Numbers(_) => labels.write(v as Vertex, out)?,
        }
        out.write_all(b", \"score\": ")?;
        to_writer(&mut *out, score)?;
        out.write_all(b"}")?;
    }
    out.write_all(b"\n]\n")
}

fn npy(out: &mut impl Write, scores: &[f64]) -> io::Result<()> {
    let options = npyz::WriteOptions::new().default_dtype();
    let options = options.shape(&[scores.len() as u64]).writer(out);
    let mut array = options.begin_nd()?;
    array.extend(scores)?;
    array.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Labels {
        Labels::Names {
            bytes: b"ab,c\"d".to_vec(),
            offsets: vec![0, 1, 4, 6],
        }
    }

    fn written(format: ScoresFormat, labels: &Labels, scores: &[f64]) -> Vec<u8> {
        let mut out = Vec::new();
        write(&mut out, format, labels, scores).unwrap();
        out
    }

    #[test]
    fn scores_are_written_in_full_and_labels_quoted_where_needed() {
        let scores = [0.1 + 0.2, 2.0, 1e300];
        let text = |format| String::from_utf8(written(format, &names(), &scores)).unwrap();
        let huge = format!("1{}", "0".repeat(300));
        assert_eq!(
            text(ScoresFormat::Csv),
            format!("vertex,score\na,0.30000000000000004\n\"b,c\",2\n\"\"\"d\",{huge}\n")
        );
        assert_eq!(
            text(ScoresFormat::Tsv),
            format!("vertex\tscore\na\t0.30000000000000004\nb,c\t2\n\"d\t{huge}\n")
        );
        assert_eq!(
            text(ScoresFormat::Json),
            "[\n{\"vertex\": \"a\", \"score\": 0.30000000000000004},\n\
             {\"vertex\": \"b,c\", \"score\": 2.0},\n{\"vertex\": \"\\\"d\", \"score\": 1e+300}\n]\n"
        );
        let numbers = written(ScoresFormat::Json, &Labels::consecutive(1, 1), &[0.5]);
        assert_eq!(numbers, b"[\n{\"vertex\": 1, \"score\": 0.5}\n]\n");
    }

    #[test]
    fn an_array_has_a_header_that_fills_64_bytes_and_eight_bytes_a_score() {
        let bytes = written(ScoresFormat::Npy, &names(), &[0.1, 2.0, 3.0]);
        assert!(bytes.starts_with(b"\x93NUMPY"));
        let (header, data) = bytes.split_at(bytes.len() - 24);
        assert_eq!(header.len() % 64, 0);
        assert!(String::from_utf8_lossy(header).contains("'descr': '<f8'"));
        assert_eq!(data[..8], 0.1f64.to_le_bytes());
    }

    #[test]
    fn names_that_are_no_text_are_refused_where_they_cannot_be_written() {
        let odd = Labels::Names {
            bytes: vec![b'a', 0xff],
            offsets: vec![0, 1, 2],
        };
        assert!(check(ScoresFormat::Json, &odd).is_err());
        for format in [ScoresFormat::Csv, ScoresFormat::Tsv, ScoresFormat::Npy] {
            assert!(check(format, &odd).is_ok());
        }
        assert!(check(ScoresFormat::Json, &names()).is_ok());
        assert_eq!(written(ScoresFormat::Tsv, &odd, &[1.0, 2.0])[17], 0xff);
    }
}
