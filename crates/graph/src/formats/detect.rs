//! Which format an input is in.

use std::sync::LazyLock;

use regex::bytes::RegexSet;

use super::foreign::{self, Foreign, signs};
use super::{FORMATS, Format, of_suffix};
use crate::Compression;

/// What [`Format::Auto`] finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detected {
    Known(Format),
    /// Something that is recognised but not read.
    Foreign(&'static Foreign),
    /// Not text at all.
    Binary,
}

/// Guesses the format from the first bytes of the text and the name of the file.
/// Content goes first: a marker in the text is surer than a suffix.
pub(crate) fn detect(head: &[u8], name: &str) -> Detected {
    static SIGNS: LazyLock<RegexSet> = LazyLock::new(|| signs(FORMATS.iter().map(|row| row.sign)));
    let known = SIGNS.matches(head).iter().next();
    let known = known.map(|row| FORMATS[row].read);
    if known == Some(Format::Npz) {
        return Detected::Known(Format::Npz);
    }
    if let Some(found) = foreign::binary(head) {
        return Detected::Foreign(found);
    }
    if head.contains(&0) {
        return Detected::Binary;
    }
    let known = known.map(Detected::Known);
    known
        .or_else(|| foreign::text(head).map(Detected::Foreign))
        .unwrap_or_else(|| by_suffix(name))
}

/// The format that the suffix of a file name stands for. A compression suffix is ignored.
pub(crate) fn by_suffix(name: &str) -> Detected {
    let stem = Compression::stem(name);
    let suffix = stem.rsplit_once('.').map_or("", |(_, suffix)| suffix);
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
