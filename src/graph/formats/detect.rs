//! Which format an input or output is in.

use super::Format;
use crate::graph::Compression;
use crate::graph::tokens::Tokens;

/// What [`Format::Auto`] finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::graph) enum Detected {
    Known(Format),
    /// A graph format that is recognised but not supported.
    Foreign(&'static str),
    /// Not text at all.
    Binary,
}

/// Guesses the format from the first bytes of the text and the name of the file.
/// Content goes first: a marker in the text is surer than a suffix.
pub(in crate::graph) fn detect(head: &[u8], name: &str) -> Detected {
    if head.contains(&0) {
        return Detected::Binary;
    }
    by_content(head).unwrap_or_else(|| by_suffix(name))
}

fn by_content(head: &[u8]) -> Option<Detected> {
    let mut lines = head
        .split(|&byte| byte == b'\n')
        .filter(|line| !Tokens::new(line).at_end());
    let first = lines.next()?;
    let starts = |marker: &[u8]| {
        first
            .get(..marker.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(marker))
    };
    if starts(b"%%MatrixMarket") || starts(b"%MatrixMarket") {
        return Some(Detected::Known(Format::Mtx));
    }
    if starts(b"<?xml") || starts(b"<graphml") || starts(b"<gexf") {
        return Some(Detected::Foreign("an XML graph (GraphML or GEXF)"));
    }
    // A vertex can be called c, so comments alone do not make a DIMACS file while there is text
    // to look at: the first other line must be a problem line.
    let mut comments = 0;
    for line in std::iter::once(first).chain(lines) {
        let mut tokens = Tokens::new(line);
        match tokens.token() {
            Some(b"c") => comments += 1,
            Some(b"p") => {
                let known = tokens.token() == Some(b"sp");
                let four_words = tokens.token().and_then(|_| tokens.token()).is_some();
                return (known || four_words).then_some(Detected::Known(Format::Dimacs));
            }
            _ => return None,
        }
    }
    (comments > 1).then_some(Detected::Known(Format::Dimacs))
}

/// The format that the suffix of a file name stands for. A compression suffix is ignored.
pub(in crate::graph) fn by_suffix(name: &str) -> Detected {
    let name = name.to_ascii_lowercase();
    let name = Compression::stem(&name);
    let suffix = name.rsplit_once('.').map_or("", |(_, suffix)| suffix);
    match suffix {
        "mtx" => Detected::Known(Format::Mtx),
        "graph" | "metis" => Detected::Known(Format::Metis),
        "gr" => Detected::Known(Format::Dimacs),
        "gml" => Detected::Foreign("GML"),
        "graphml" => Detected::Foreign("GraphML"),
        "gexf" => Detected::Foreign("GEXF"),
        _ => Detected::Known(Format::Edgelist),
    }
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
            ("a.txt", Format::Edgelist),
            ("a.gz", Format::Edgelist),
            ("gr", Format::Edgelist),
            ("<stdin>", Format::Edgelist),
        ] {
            assert_eq!(known("1 2\n", name), format, "{name}");
        }
    }

    #[test]
    fn markers_in_the_text_beat_the_suffix() {
        assert_eq!(known("%%matrixmarket matrix", "a.graph"), Format::Mtx);
        assert_eq!(known("\n%MatrixMarket matrix", "a"), Format::Mtx);
        assert_eq!(known("c road\nc\n\np sp 3 2\n", "a.txt"), Format::Dimacs);
        assert_eq!(known("p sp 3 2\n", "a.txt"), Format::Dimacs);
        assert_eq!(known("p max 3 2\n", "a.txt"), Format::Dimacs);
        assert_eq!(known("c only\nc comments", "a.txt"), Format::Dimacs);
    }

    #[test]
    fn vertices_called_c_and_p_do_not_make_a_dimacs_file() {
        assert_eq!(known("c d\np q\n", "a.txt"), Format::Edgelist);
        assert_eq!(known("c d\nd c\n", "a.txt"), Format::Edgelist);
        assert_eq!(known("c d\n", "a.txt"), Format::Edgelist);
    }

    #[test]
    fn other_formats_are_named() {
        let xml = detect(b"<?xml version=\"1.0\"?>", "a.txt");
        assert_eq!(xml, Detected::Foreign("an XML graph (GraphML or GEXF)"));
        assert_eq!(detect(b"graph", "a.gml.gz"), Detected::Foreign("GML"));
        assert_eq!(detect(b"1 2\n\0", "a.txt"), Detected::Binary);
    }
}
