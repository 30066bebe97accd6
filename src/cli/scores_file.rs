//! Score files: CSV with a header, the last column the score.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::graph::{Graph, Labels, Vertex};

/// Writes `vertex,score` with a header, in input order; scores as the shortest decimals that read
/// back as the same f64.
pub fn write(out: &mut impl Write, labels: &Labels, scores: &[f64]) -> io::Result<()> {
    out.write_all(b"vertex,score\n")?;
    for (v, score) in scores.iter().enumerate() {
        write_field(out, labels, v as Vertex)?;
        writeln!(out, ",{score}")?;
    }
    Ok(())
}

/// Writes `source,target,score` with a header, each edge once, in the order of [`Graph::for_each_edge`]. Of an
/// undirected edge between numbers the smaller comes first, whatever the input says first.
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
                    std::slice::from_ref(&b)
                })?;
            }
            return out.write_all(b"\"");
        }
    }
    labels.write(v, out)
}

/// Reads a score file, compressed or not: what stands before the last comma, and the score.
pub fn read(path: &Path) -> Result<Vec<(String, f64)>> {
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
    let mut rows = Vec::new();
    for (index, line) in BufReader::new(reader).lines().enumerate() {
        let number = index + 1;
        let line = line.with_context(|| format!("{shown}:{number}: cannot be read"))?;
        let line = line.trim_end();
        if number == 1 || line.is_empty() {
            continue;
        }
        let parsed = line
            .rsplit_once(',')
            .and_then(|(key, score)| Some((key, score.trim().parse::<f64>().ok()?)));
        let Some((key, score)) = parsed else {
            bail!("{shown}:{number}: expected 'vertex,score', got '{line}'");
        };
        rows.push((key.to_string(), score));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_in_full_and_labels_quoted_where_needed() {
        let labels = Labels::Names {
            bytes: b"ab,c\"d".to_vec(),
            offsets: vec![0, 1, 4, 6],
        };
        let mut out = Vec::new();
        write(&mut out, &labels, &[0.1 + 0.2, 2.0, 1e300]).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            format!(
                "vertex,score\na,0.30000000000000004\n\"b,c\",2\n\"\"\"d\",1{}\n",
                "0".repeat(300)
            )
        );
    }
}
