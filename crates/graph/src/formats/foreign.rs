//! Files that are recognised and not read.

use std::sync::LazyLock;

use regex::bytes::{RegexSet, RegexSetBuilder};

use crate::error::Problem;

/// Matches nothing.
pub(super) const NO_SIGN: &str = "[a&&b]";

/// All signs of a table: expressions that match the first bytes of a file, in any case.
pub(super) fn signs(all: impl Iterator<Item = &'static str>) -> RegexSet {
    let set = RegexSetBuilder::new(all.map(|sign| format!(r"\A(?:{sign})")))
        .unicode(false)
        .case_insensitive(true)
        .dot_matches_new_line(true)
        .build();
    // Never an error: all are literals, of which tests recognise a file each.
    set.unwrap_or_default()
}

/// A kind of file that is not read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Foreign {
    /// How messages call it.
    pub name: &'static str,
    /// Suffixes of file names, without compression.
    suffixes: &'static [&'static str],
    /// How such a file starts: see [`signs`].
    sign: &'static str,
    remedy: &'static str,
}

impl Foreign {
    /// That it cannot be read, and what to do.
    pub fn problem(&self) -> Problem {
        unfit!("{} cannot be read ({})", self.name, self.remedy)
    }
}

const EXPORT: &str =
    "export the graph as GraphML, or its edges as a text of two columns: see docs/converting.md";
const UNPACK: &str = "unpack it, and give the graph in it";
const FETCH: &str = "fetch the file that it stands for";
const TO_UTF8: &str = "convert it: iconv -f UTF-16 -t UTF-8 g.txt > utf8.txt";

/// Comments, words and perhaps a name in front of a brace.
const DOT: &str = r#"(?x) (\s | //[^\n]*\n | \#[^\n]*\n | /\*.*?\*/)*
    (strict\s+)?(di)?graph (\s*"[^"]*" | \s+[^\s{"]+)? \s*\{"#;

/// Two bytes per character, in Latin letters, digits and blanks as edge lists are; or a mark.
const WIDE_TEXT: &str = r"(?x) \xff\xfe | \xfe\xff
    | ([\t-\r\x20-\xff]\x00){64} | ([\t-\r\x20-\xff]\x00){2,63}.?\z
    | (\x00[\t-\r\x20-\xff]){64} | (\x00[\t-\r\x20-\xff]){2,63}.?\z";

macro_rules! table {
    ($($name:literal, [$($suffix:literal),*], $sign:expr, $remedy:ident;)*) => {
        &[$(Foreign {
            name: $name,
            suffixes: &[$($suffix),*],
            sign: $sign,
            remedy: $remedy,
        }),*]
    };
}

/// Binary data, of which some begin with what may begin a text: those are told by a zero too.
static BINARY: &[Foreign] = table! {
    "a MATLAB file", ["mat"], r"MATLAB [57]\.[03] MAT-file.*\x00", EXPORT;
    "an HDF5 file", ["h5", "hdf5"], r"\x89HDF\r\n\x1a\n", EXPORT;
    "a NumPy .npy array", ["npy"], r"\x93NUMPY", EXPORT;
    "a Parquet file", ["parquet"], r"PAR1.*\x00", EXPORT;
    "a Python pickle", ["pickle", "pkl", "gpickle"], r"\x80[\x02-\x05]", EXPORT;
    "an SQLite database", ["db", "sqlite"], r"SQLite format 3.*\x00", EXPORT;
    "a PDF document", ["pdf"], r"\s*%PDF-", FETCH;
    "an Excel workbook", ["xlsx", "xls"], r"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", EXPORT;
    "a tar archive", ["tar", "tgz"], r".{257}ustar.*\x00", UNPACK;
    "data of the old program compress", ["z"], r"\x1f\x9d", UNPACK;
    "data of zlib", ["zz"], r"x[\x01\x9c\xda]", UNPACK;
    "a 7-Zip or RAR archive", ["7z", "rar"], r"7z\xbc\xaf\x27\x1c|Rar!\x1a\x07.*\x00", UNPACK;
    "a graph-tool file", ["gt"], r"\xe2\x9a\xbe gt", EXPORT;
    "UTF-16 text", [], WIDE_TEXT, TO_UTF8;
};

/// Texts.
static TEXTS: &[Foreign] = table! {
    "a DOT file", ["dot", "gv"], DOT, EXPORT;
    "a LEDA file", ["lgr", "gw", "leda"], r"\s*LEDA\.GRAPH", EXPORT;
    "an edge list whose vertices are Python tuples", [],
        r"\s*\([^()\n]*\)[ \t,;]+\([^()\n]*\)", EXPORT;
    "a list of Python tuples", [], r"\s*\[? ?\([^()\n]*,", EXPORT;
    "a JSON file", ["json"], r"\s*[\[{]", EXPORT;
    "a graph6 file", ["g6"], r"\s*>>graph6<<", EXPORT;
    "a sparse6 file", ["s6"], r"\s*>>sparse6<<", EXPORT;
    "a web page", ["html", "htm"], r"\s*(<!DOCTYPE html|<html)", FETCH;
    "an XML file that is neither GraphML nor GEXF", ["xml"], r"\s*<[?!]", EXPORT;
    "a TGF file", ["tgf"], NO_SIGN, EXPORT;
    "a GDF file", ["gdf"], r"\s*nodedef>", EXPORT;
    "an STP file of SteinLib", ["stp"], r"\s*33D32945", EXPORT;
    "an SQL script", ["sql"], r"\s*(CREATE TABLE|INSERT INTO) ", EXPORT;
    "a pointer of Git LFS", [], r"\s*version https://git-lfs", FETCH;
};

/// What binary data are.
pub(super) fn binary(head: &[u8]) -> Option<&'static Foreign> {
    static SIGNS: LazyLock<RegexSet> = LazyLock::new(|| signs(BINARY.iter().map(|row| row.sign)));
    Some(&BINARY[SIGNS.matches(head).iter().next()?])
}

/// What a text is.
pub(super) fn text(head: &[u8]) -> Option<&'static Foreign> {
    static SIGNS: LazyLock<RegexSet> = LazyLock::new(|| signs(TEXTS.iter().map(|row| row.sign)));
    Some(&TEXTS[SIGNS.matches(head).iter().next()?])
}

/// What the suffix of a file name stands for.
pub(crate) fn of_suffix(suffix: &str) -> Option<&'static Foreign> {
    let same = |known: &&str| known.eq_ignore_ascii_case(suffix);
    let mut all = BINARY.iter().chain(TEXTS);
    all.find(|foreign| foreign.suffixes.iter().any(same))
}

#[cfg(test)]
pub(super) fn suffixes() -> impl Iterator<Item = &'static str> {
    let all = BINARY.iter().chain(TEXTS);
    all.flat_map(|foreign| foreign.suffixes).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(head: &[u8]) -> Option<&'static str> {
        binary(head).or_else(|| text(head)).map(|found| found.name)
    }

    #[test]
    fn texts_are_recognised_by_how_they_start() {
        for (head, expected) in [
            ("graph {", "a DOT file"),
            ("// made by hand\nstrict digraph \"a b\" {\n", "a DOT file"),
            ("/* x */ digraph G{a->b}", "a DOT file"),
            ("LEDA.GRAPH\nstring\n", "a LEDA file"),
            ("[(1, 2), (3, 4)]", "a list of Python tuples"),
            ("(1, 2)\n(3, 4)\n", "a list of Python tuples"),
            ("{\"nodes\": []}", "a JSON file"),
            ("\n[\n", "a JSON file"),
            (">>graph6<<A_", "a graph6 file"),
            (">>sparse6<<:An", "a sparse6 file"),
            ("<!doctype html>\n<html>", "a web page"),
            ("<HTML>", "a web page"),
            (
                "<?xml version=\"1.0\"?><kml/>",
                "an XML file that is neither GraphML nor GEXF",
            ),
            (
                "version https://git-lfs.github.com/spec/v1\n",
                "a pointer of Git LFS",
            ),
            ("%PDF-1.7\n", "a PDF document"),
        ] {
            assert_eq!(name(head.as_bytes()), Some(expected), "{head}");
        }
        for head in [
            "a b",
            "graph a\nb {",
            "dl n\n",
            "dl5 n=3",
            "% PDF",
            "Rar! a",
            "PAR1 b",
        ] {
            assert_eq!(name(head.as_bytes()), None, "{head}");
        }
    }

    #[test]
    fn binary_data_are_recognised_by_their_magic_numbers() {
        let mut tar = vec![0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        for (head, expected) in [
            (&b"MATLAB 5.0 MAT-file, Platform: x\0"[..], "a MATLAB file"),
            (b"MATLAB 7.3 MAT-file\0", "a MATLAB file"),
            (b"\x89HDF\r\n\x1a\n\0", "an HDF5 file"),
            (b"\x93NUMPY\x01\0", "a NumPy .npy array"),
            (b"PAR1\x15\0", "a Parquet file"),
            (b"\x80\x04\x95\0", "a Python pickle"),
            (b"SQLite format 3\0", "an SQLite database"),
            (b"\xff\xfe1\0 \0", "UTF-16 text"),
            (b"\xfe\xff\x001", "UTF-16 text"),
            (b"7z\xbc\xaf\x27\x1c", "a 7-Zip or RAR archive"),
            (b"x\x9cK", "data of zlib"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel workbook"),
            (&tar, "a tar archive"),
        ] {
            assert_eq!(name(head), Some(expected));
        }
        assert_eq!(name(b"\0\0\0"), None);
    }
}
