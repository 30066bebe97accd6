//! Writes score files.

use std::io::{self, Write};
use std::str;

use anyhow::{Result, bail};
use npyz::WriterBuilder;
use serde_json::to_writer;

use super::ScoresFormat;
use super::table::{Table, with_headings};
use brandes::graph::{Labels, NamedScores, Shortest, Vertex, is_xml_text, write_quoted};

/// Refuses names of vertices that a format cannot hold.
pub(super) fn check(format: ScoresFormat, labels: &Labels) -> Result<()> {
    let Labels::Names { bytes, offsets } = labels else {
        return Ok(());
    };
    let kind = match format {
        ScoresFormat::Csv | ScoresFormat::Tsv | ScoresFormat::Npy => return Ok(()),
        ScoresFormat::Json => "JSON",
        ScoresFormat::Graphml | ScoresFormat::Gexf => "XML",
    };
    for ends in offsets.windows(2) {
        let name = &bytes[ends[0]..ends[1]];
        let why = match str::from_utf8(name) {
            Err(_) => "is not UTF-8",
            Ok(text) if kind == "XML" && !is_xml_text(text) => "has control characters",
            Ok(_) => continue,
        };
        bail!(
            "{kind} cannot hold the name of vertex {}, which {why}; use --score-format csv or tsv",
            name.escape_ascii()
        );
    }
    Ok(())
}

/// Writes CSV with the header `source,target,score`, or with the names of several scores, and a
/// line for each edge.
///
/// # Errors
/// Those of `out`.
pub fn write_edges(
    out: &mut impl Write,
    labels: &Labels,
    directed: bool,
    ends: impl Iterator<Item = [Vertex; 2]>,
    scores: &[NamedScores],
) -> io::Result<()> {
    let names = ("source,target", labels, directed);
    write_rows(out, b',', names, &with_headings(scores), ends.enumerate())
}

/// Writes a header and a line for each vertex.
///
/// # Errors
/// Those of `out`.
pub(super) fn separated(out: &mut impl Write, separator: u8, table: &Table) -> io::Result<()> {
    let rows = table.vertices.iter().map(|&v| (v as usize, [v; 2]));
    let names = ("vertex", table.labels, false);
    write_rows(out, separator, names, &table.columns, rows)
}

/// Writes a header, and a line for each of `rows`: an index into `columns`, and the ends of an edge
/// or a vertex as both ends. Scores are decimals that read back as the same f64.
fn write_rows(
    out: &mut impl Write,
    separator: u8,
    (heading, labels, directed): (&str, &Labels, bool),
    columns: &[NamedScores],
    rows: impl Iterator<Item = (usize, [Vertex; 2])>,
) -> io::Result<()> {
    let delimiter = char::from(separator);
    out.write_all(heading.as_bytes())?;
    for (name, _) in columns {
        write!(out, "{delimiter}{name}")?;
    }
    out.write_all(b"\n")?;
    for (place, ends) in rows {
        write_ends(out, separator, (labels, directed), ends)?;
        for (_, values) in columns {
            write!(out, "{delimiter}{}", Shortest(values[place]))?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Writes the ends of an edge, or a vertex that is both. If vertices are numbers, the smaller end
/// of an undirected edge comes first.
///
/// # Errors
/// Those of `out`.
pub fn write_ends(
    out: &mut impl Write,
    separator: u8,
    (labels, directed): (&Labels, bool),
    [mut tail, mut head]: [Vertex; 2],
) -> io::Result<()> {
    if let (false, Labels::Numbers(numbers)) = (directed, labels)
        && numbers[tail as usize] > numbers[head as usize]
    {
        (tail, head) = (head, tail);
    }
    write_field(out, separator, labels, tail)?;
    if tail != head {
        out.write_all(&[separator])?;
        write_field(out, separator, labels, head)?;
    }
    Ok(())
}

/// Writes a label, quoted as RFC 4180 requires if needed.
fn write_field(out: &mut impl Write, separator: u8, labels: &Labels, v: Vertex) -> io::Result<()> {
    if let Labels::Names { bytes, offsets } = labels {
        let name = &bytes[offsets[v as usize]..offsets[v as usize + 1]];
        return write_name(out, separator, name);
    }
    labels.write(v, out)
}

/// Writes a name, quoted if a reader would otherwise split or trim it.
pub(super) fn write_name(out: &mut impl Write, separator: u8, name: &[u8]) -> io::Result<()> {
    let splits = |&b: &u8| b == separator || matches!(b, b'"' | b'\n' | b'\r');
    let is_trimmed = |b: Option<&u8>| b.is_none_or(u8::is_ascii_whitespace);
    match name.iter().any(splits) || is_trimmed(name.first()) || is_trimmed(name.last()) {
        true => write_quoted(name, out),
        false => out.write_all(name),
    }
}

/// Writes a JSON array with an object per line.
///
/// # Errors
/// Those of `out`.
pub(super) fn json(out: &mut impl Write, table: &Table) -> io::Result<()> {
    out.write_all(b"[")?;
    for (row, &v) in table.vertices.iter().enumerate() {
        out.write_all(if row == 0 { b"\n" } else { b",\n" })?;
        out.write_all(b"{\"vertex\": ")?;
        match table.labels {
            Labels::Names { .. } => to_writer(&mut *out, &table.labels.display(v).to_string())?,
            Labels::Consecutive { .. } | Labels::Numbers(_) => table.labels.write(v, out)?,
        }
        for (name, values) in &table.columns {
            write!(out, ", \"{name}\": {}", Shortest(values[v as usize]))?;
        }
        out.write_all(b"}")?;
    }
    out.write_all(b"\n]\n")
}

/// Writes the scores as a NumPy array: one dimension for one score of each vertex, or a row for
/// each vertex.
///
/// # Errors
/// Those of `out`.
pub(super) fn npy(out: &mut impl Write, scores: &[NamedScores]) -> io::Result<()> {
    let rows = scores.first().map_or(0, |(_, all)| all.len());
    let shape = [rows as u64, scores.len() as u64];
    let shape = &shape[..scores.len().clamp(1, 2)];
    let options = npyz::WriteOptions::new().default_dtype();
    let mut array = options.shape(shape).writer(out).begin_nd()?;
    array.extend((0..rows).flat_map(|row| scores.iter().map(move |(_, all)| all[row])))?;
    array.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(names: &[&[u8]]) -> Labels {
        names.iter().copied().collect()
    }

    fn written(format: ScoresFormat, names: &[&[u8]], scores: &[f64]) -> Vec<u8> {
        let scores = &[("betweenness".to_string(), scores)];
        let labels = labels(names);
        let table = Table::new(&labels, scores, false);
        let mut out = Vec::new();
        match format {
            ScoresFormat::Csv => separated(&mut out, b',', &table),
            ScoresFormat::Tsv => separated(&mut out, b'\t', &table),
            ScoresFormat::Json => json(&mut out, &table),
            _ => npy(&mut out, scores),
        }
        .unwrap();
        out
    }

    const NAMES: [&[u8]; 3] = [b"a", b"b,c", b"\"d"];

    #[test]
    fn scores_are_written_in_full_and_labels_quoted_where_needed() {
        const CSV: &str = "vertex,score\na,0.30000000000000004\n\"b,c\",2\n\"\"\"d\",1e300\n";
        const TSV: &str = "vertex\tscore\na\t0.30000000000000004\nb,c\t2\n\"\"\"d\"\t1e300\n";
        const JSON: &str = "[\n{\"vertex\": \"a\", \"score\": 0.30000000000000004},\n\
            {\"vertex\": \"b,c\", \"score\": 2},\n\
            {\"vertex\": \"\\\"d\", \"score\": 1e300}\n]\n";
        for (format, expected) in [
            (ScoresFormat::Csv, CSV),
            (ScoresFormat::Tsv, TSV),
            (ScoresFormat::Json, JSON),
        ] {
            let text = written(format, &NAMES, &[0.1 + 0.2, 2.0, 1e300]);
            assert_eq!(String::from_utf8(text).unwrap(), expected);
        }
        // An array has a header that fills 64 bytes, and eight bytes a score.
        let bytes = written(ScoresFormat::Npy, &NAMES, &[0.1, 2.0, 3.0]);
        let (header, data) = bytes.split_at(bytes.len() - 24);
        assert!(bytes.starts_with(b"\x93NUMPY") && header.len() % 64 == 0);
        assert!(String::from_utf8_lossy(header).contains("'descr': '<f8'"));
        assert_eq!(data[..8], 0.1f64.to_le_bytes());
    }

    #[test]
    fn names_that_a_format_cannot_hold_are_refused() {
        use ScoresFormat::{Csv, Gexf, Graphml, Json, Npy, Tsv};
        for (names, refused) in [
            (&[&b"a"[..], &[0xff]][..], &[Json, Graphml, Gexf][..]),
            (&[b"a\x1b"], &[Graphml, Gexf]),
            (&NAMES, &[]),
        ] {
            for format in [Csv, Tsv, Json, Npy, Graphml, Gexf] {
                let is_refused = check(format, &labels(names)).is_err();
                assert_eq!(is_refused, refused.contains(&format), "{format:?}");
            }
        }
        assert_eq!(written(Tsv, &[b"a", &[0xff]], &[1.0, 2.0])[17], 0xff);
    }
}
