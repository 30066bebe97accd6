//! Which format an input is in.

use super::foreign::{self, Foreign};
use super::{FORMATS, Format, of_suffix};
use crate::graph::Compression;
use crate::graph::tokens::Tokens;

/// What [`Format::Auto`] finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::graph) enum Detected {
    Known(Format),
    /// Something that is recognised but not read.
    Foreign(&'static Foreign),
    /// Not text at all.
    Binary,
}

/// Guesses the format from the first bytes of the text and the name of the file.
/// Content goes first: a marker in the text is surer than a suffix.
pub(in crate::graph) fn detect(head: &[u8], name: &str) -> Detected {
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return Detected::Known(Format::Npz);
    }
    if let Some(found) = foreign::binary(head) {
        return Detected::Foreign(found);
    }
    if let Some(found) = foreign::wide_text(head) {
        return Detected::Foreign(found);
    }
    if head.contains(&0) {
        let pdf = head.starts_with(b"%PDF-").then(|| foreign::text(head));
        return pdf.flatten().map_or(Detected::Binary, Detected::Foreign);
    }
    by_content(head)
        .or_else(|| foreign::text(head).map(Detected::Foreign))
        .unwrap_or_else(|| by_suffix(name))
}

fn by_content(head: &[u8]) -> Option<Detected> {
    let mut lines = head
        .split(|&byte| byte == b'\n')
        .filter(|line| !Tokens::new(line).at_end());
    let first = lines.next()?;
    let start = first.trim_ascii_start();
    let starts = |marker: &str| {
        let start = start.get(..marker.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(marker.as_bytes()))
    };
    let begins = |row: &&super::Row| row.begins.iter().any(|marker| starts(marker));
    if let Some(row) = FORMATS.iter().find(begins) {
        return Some(Detected::Known(row.read));
    }
    if starts("<?xml") || starts("<!") {
        return xml(head);
    }
    if is_gml(head) {
        return Some(Detected::Known(Format::Gml));
    }
    // A vertex can be called c, so comments alone do not make a DIMACS file while there is text
    // to look at: the first other line must be a problem line.
    let mut comments = 0;
    for line in std::iter::once(first).chain(lines) {
        let mut tokens = Tokens::new(line);
        match tokens.token() {
            Some(b"c") => comments += 1,
            Some(b"p") => {
                let known = matches!(tokens.token(), Some(b"sp" | b"max" | b"edge" | b"col"));
                let four_words = tokens.token().and_then(|_| tokens.token()).is_some();
                return (known || four_words).then_some(Detected::Known(Format::Dimacs));
            }
            _ => return None,
        }
    }
    (comments > 1).then_some(Detected::Known(Format::Dimacs))
}

/// The format of an XML file, by its outermost element.
fn xml(head: &[u8]) -> Option<Detected> {
    // Only what the first bytes hold is looked at; comments before the element may mention any
    // name.
    let text = String::from_utf8_lossy(head);
    let mut rest = &text[..];
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
        } else if !rest.starts_with(['?', '!']) {
            let ends = |c: char| c.is_whitespace() || c == '>' || c == '/';
            let name = rest.split(ends).next().unwrap_or_default();
            let name = name.rsplit(':').next().unwrap_or_default();
            let known = match name {
                "graphml" => Format::Graphml,
                "gexf" => Format::Gexf,
                _ => return None,
            };
            return Some(Detected::Known(known));
        }
    }
    None
}

/// Whether a text is `graph [`, perhaps behind comments and other keys with values.
fn is_gml(head: &[u8]) -> bool {
    let mut line_start = true;
    let mut rest = head;
    // Keys that may stand before the graph, in files that are in use.
    const BEFORE: [&[u8]; 5] = [b"Creator", b"Version", b"comment", b"directed", b"label"];
    loop {
        let blank = rest.iter().take_while(|b| b.is_ascii_whitespace());
        line_start |= blank.clone().any(|&b| b == b'\n');
        rest = &rest[blank.count()..];
        if rest.first() == Some(&b'#') && line_start {
            let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            rest = &rest[end..];
            continue;
        }
        line_start = false;
        let length = rest
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric())
            .count();
        let (key, behind) = rest.split_at(length);
        let behind = behind.trim_ascii_start();
        if key == b"graph" {
            return behind.first() == Some(&b'[');
        }
        if !BEFORE.contains(&key) {
            return false;
        }
        rest = match behind.strip_prefix(b"\"") {
            Some(string) => match string.iter().position(|&b| b == b'"') {
                Some(end) => &string[end + 1..],
                None => return false,
            },
            None => {
                let value = behind
                    .iter()
                    .take_while(|b| b.is_ascii_digit() || **b == b'.');
                match value.count() {
                    0 => return false,
                    length => &behind[length..],
                }
            }
        };
    }
}

/// The format that the suffix of a file name stands for. A compression suffix is ignored.
pub(in crate::graph) fn by_suffix(name: &str) -> Detected {
    let name = name.to_ascii_lowercase();
    let name = Compression::stem(&name);
    let suffix = name.rsplit_once('.').map_or("", |(_, suffix)| suffix);
    if let Some(row) = of_suffix(suffix) {
        return Detected::Known(row.read);
    }
    foreign::of_suffix(suffix).map_or(Detected::Known(Format::Edgelist), Detected::Foreign)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(head: &str, name: &str) -> Format {
        match detect(head.as_bytes(), name) {
            Detected::Known(format) => format,
            other => panic!("{head:?} in {name}: {other:?}"),
        }
    }

    #[test]
    fn suffixes_are_read_through_compression() {
        for (name, format) in [
            ("a.mtx", Format::Mtx),
            ("a.MTX.GZ", Format::Mtx),
            ("a.graph.zst", Format::Metis),
            ("a.metis", Format::Metis),
            ("a.gr.gz", Format::Dimacs),
            ("a.col", Format::Dimacs),
            ("a.txt", Format::Edgelist),
            ("a.csv.xz", Format::Edgelist),
            ("a.ncol", Format::Labels),
            ("a.lgl", Format::Lgl),
            ("a.net.bz2", Format::Pajek),
            ("a.gz", Format::Edgelist),
            ("gr", Format::Edgelist),
            ("<stdin>", Format::Edgelist),
        ] {
            assert_eq!(known("1 2\n", name), format, "{name}");
        }
    }

    #[test]
    fn no_suffix_is_in_the_list_twice() {
        let mut all: Vec<&str> = FORMATS
            .iter()
            .flat_map(|row| row.suffixes)
            .copied()
            .collect();
        all.extend(foreign::suffixes());
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn markers_in_the_text_beat_the_suffix() {
        assert_eq!(known("%%matrixmarket matrix", "a.graph"), Format::Mtx);
        assert_eq!(known("\n%MatrixMarket matrix", "a"), Format::Mtx);
        assert_eq!(known("c road\nc\n\np sp 3 2\n", "a.txt"), Format::Dimacs);
        assert_eq!(known("p sp 3 2\n", "a.txt"), Format::Dimacs);
        assert_eq!(known("p max 3 2\n", "a.txt"), Format::Dimacs);
        assert_eq!(known("p col 3 2\n", "a.txt"), Format::Dimacs);
        assert_eq!(known("c only\nc comments", "a.txt"), Format::Dimacs);
        for gml in [
            "graph [",
            "graph\n[\n",
            "# a graph\nCreator \"x [ y\"\nVersion 1\ngraph\r\n[",
            "\n  graph  [ directed 1",
        ] {
            assert_eq!(known(gml, "a.txt"), Format::Gml, "{gml}");
        }
        for xml in [
            "<graphml>",
            "<?xml version=\"1.0\"?>\n<!-- gexf --><graphml xmlns=\"\">",
            "<!DOCTYPE graphml SYSTEM \"x\">\n<graphml>",
            "\n<?xml version='1.0'?><g:graphml>",
        ] {
            assert_eq!(known(xml, "a.txt"), Format::Graphml, "{xml}");
        }
        assert_eq!(known("<?xml?><gexf/>", "a"), Format::Gexf);
        for pajek in ["*Vertices 3", "*vertices 3\n", "*Network x\n*Vertices 3"] {
            assert_eq!(known(pajek, "a.txt"), Format::Pajek, "{pajek}");
        }
        assert_eq!(known("PK\u{3}\u{4}", "a.txt"), Format::Npz);
    }

    #[test]
    fn vertices_called_c_and_p_and_graph_are_vertices() {
        assert_eq!(known("c d\np q\n", "a.txt"), Format::Edgelist);
        assert_eq!(known("c d\nd c\n", "a.txt"), Format::Edgelist);
        assert_eq!(known("c d\n", "a.txt"), Format::Edgelist);
        assert_eq!(known("graph theory\n", "a.txt"), Format::Edgelist);
        assert_eq!(known("Creator graph\n", "a.txt"), Format::Edgelist);
        assert_eq!(known("label graph\ngraph [x\n", "a.txt"), Format::Edgelist);
        assert_eq!(
            known("strict graph\ndigraph x\n", "a.txt"),
            Format::Edgelist
        );
        assert_eq!(known("dl north\n", "a.txt"), Format::Edgelist);
    }

    #[test]
    fn bytes_that_are_no_text_are_noticed() {
        assert_eq!(detect(b"1 2\n\0", "a.txt"), Detected::Binary);
        for (head, name) in [
            (&b"1\0 \x002\0\n\0"[..], "UTF-16 text"),
            (b"\x001\0 \x002\0\n", "UTF-16 text"),
            (b"%PDF-1.7\n\0", "a PDF document"),
        ] {
            match detect(head, "a.txt") {
                Detected::Foreign(found) => assert_eq!(found.name, name),
                other => panic!("{name}: {other:?}"),
            }
        }
    }
}
