//! What is recognised and not read, each with the line that makes a file of it that is.

use std::sync::LazyLock;

use regex::bytes::RegexSet;

use super::signs::{NO_SIGN, signs};
use crate::graph::error::Problem;

/// Something that is not read.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::graph) struct Foreign {
    /// How messages call it.
    pub name: &'static str,
    /// Suffixes of file names, without compression.
    suffixes: &'static [&'static str],
    /// How such a file starts: see [`signs`].
    sign: &'static str,
    /// What to do, or code of Python that converts the file.
    remedy: &'static str,
    is_code: bool,
}

const fn foreign(
    name: &'static str,
    suffixes: &'static [&'static str],
    sign: &'static str,
) -> Foreign {
    Foreign {
        name,
        suffixes,
        sign,
        remedy: "",
        is_code: false,
    }
}

impl Foreign {
    const fn remedy(self, remedy: &'static str) -> Foreign {
        Foreign { remedy, ..self }
    }

    const fn python(self, remedy: &'static str) -> Foreign {
        let is_code = true;
        Foreign {
            remedy,
            is_code,
            ..self
        }
    }

    /// That it cannot be read, and what to do.
    pub fn problem(&self) -> Problem {
        let Foreign { name, remedy, .. } = self;
        match self.is_code {
            true => unfit!("{name} cannot be read (convert it: python3 -c \"{remedy}\")"),
            false => unfit!("{name} cannot be read ({remedy})"),
        }
    }
}

/// Comments, words and perhaps a name in front of a brace.
const DOT: &str = r#"(?x) (\s | //[^\n]*\n | \#[^\n]*\n | /\*.*?\*/)*
    (strict\s+)?(di)?graph (\s*"[^"]*" | \s+[^\s{"]+)? \s*\{"#;

/// Two bytes per character, in Latin letters, digits and blanks as edge lists are; or a mark.
const WIDE_TEXT: &str = r"(?x) \xff\xfe | \xfe\xff
    | ([\t-\r\x20-\xff]\x00){64} | ([\t-\r\x20-\xff]\x00){2,63}.?\z
    | (\x00[\t-\r\x20-\xff]){64} | (\x00[\t-\r\x20-\xff]){2,63}.?\z";

/// Binary data, of which some begin with what may begin a text: those are told by a zero too.
static BINARY: [Foreign; 15] = [
    foreign("a MATLAB file", &["mat"], r"MATLAB 5\.0 MAT-file.*\x00").remedy(
        "convert it: python3 -c \"import scipy.io as io, scipy.sparse as sp; m = \
             io.loadmat('g.mat'); print(list(m)); io.mmwrite('g.mtx', sp.coo_array(m['A']))\", \
             with the name of the matrix for A",
    ),
    foreign("a MATLAB 7.3 file", &[], r"MATLAB 7\.3 MAT-file.*\x00").remedy(
        "save it in MATLAB with -v7, and convert it: python3 -c \"import scipy.io as io; \
             io.mmwrite('g.mtx', io.loadmat('g.mat')['A'])\", with the name of the matrix for A",
    ),
    foreign("an HDF5 file", &["h5", "hdf5"], r"\x89HDF\r\n\x1a\n").remedy(
        "write the edges it holds as two columns: python3 -c \"import h5py; \
             print(list(h5py.File('g.h5')))\" lists its parts",
    ),
    foreign("a NumPy .npy array", &["npy"], r"\x93NUMPY").remedy(
        "of two columns of vertices, convert it: python3 -c \"import numpy as np; \
             np.savetxt('g.txt', np.load('g.npy'), fmt='%d')\"; of a whole matrix: python3 -c \
             \"import numpy as np, scipy.sparse as sp; sp.save_npz('g.npz', \
             sp.csr_array(np.load('g.npy')))\"",
    ),
    foreign("a Parquet file", &["parquet"], r"PAR1.*\x00")
        .python("import pandas as pd; pd.read_parquet('g.parquet').to_csv('g.csv', index=False)"),
    foreign(
        "a Python pickle",
        &["pickle", "pkl", "gpickle"],
        r"\x80[\x02-\x05]",
    )
    .remedy(
        "if it is of a networkx graph and from a source you trust, convert it: python3 -c \
             \"import pickle, networkx as nx; nx.write_graphml(pickle.load(open('g.pickle', \
             'rb')), 'g.graphml')\"",
    ),
    foreign(
        "an SQLite database",
        &["db", "sqlite"],
        r"SQLite format 3.*\x00",
    )
    .remedy(
        "export its edges: sqlite3 -csv g.db 'SELECT source, target FROM edges' > g.csv, \
             with its own names",
    ),
    foreign("a PDF document", &["pdf"], r"\s*%PDF-").remedy("fetch the data that it describes"),
    foreign(
        "an Excel workbook",
        &["xlsx", "xls"],
        r"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    )
    .python("import pandas as pd; pd.read_excel('g.xlsx').to_csv('g.csv', index=False)"),
    foreign("a tar archive", &["tar", "tgz"], r".{257}ustar.*\x00")
        .remedy("unpack it: tar xf g.tar.gz, and give the graph in it"),
    foreign("data of the old program compress", &["z"], r"\x1f\x9d")
        .remedy("uncompress it: gzip -d g.txt.Z"),
    foreign("data of zlib", &["zz"], r"x[\x01\x9c\xda]").remedy(
        "decompress it: python3 -c 'import sys, zlib; \
         sys.stdout.buffer.write(zlib.decompress(sys.stdin.buffer.read()))' < g.zz > g.txt",
    ),
    foreign(
        "a 7-Zip or RAR archive",
        &["7z", "rar"],
        r"7z\xbc\xaf\x27\x1c|Rar!\x1a\x07.*\x00",
    )
    .remedy("unpack it: 7z x g.7z, and give the graph in it"),
    foreign("a graph-tool file", &["gt"], r"\xe2\x9a\xbe gt")
        .python("import graph_tool.all as gt; gt.load_graph('g.gt').save('g.graphml')"),
    foreign("UTF-16 text", &[], WIDE_TEXT)
        .remedy("convert it: iconv -f UTF-16 -t UTF-8 g.txt > utf8.txt"),
];

/// Texts.
static TEXTS: [Foreign; 15] = [
    foreign("a DOT file", &["dot", "gv"], DOT).python(
        "import networkx as nx; nx.write_graphml(nx.nx_pydot.read_dot('g.dot'), 'g.graphml')",
    ),
    foreign("a LEDA file", &["lgr", "gw", "leda"], r"\s*LEDA\.GRAPH")
        .python("import networkx as nx; nx.write_graphml(nx.read_leda('g.lgr'), 'g.graphml')"),
    foreign(
        "an edge list whose vertices are Python tuples",
        &[],
        r"\s*\([^()\n]*\)[ \t,;]+\([^()\n]*\)",
    )
    .remedy(
        "give vertices other names before it is written: G = \
         nx.convert_node_labels_to_integers(G, label_attribute='name'); nx.write_graphml(G, \
         'g.graphml')",
    ),
    foreign("a list of Python tuples", &[], r"\s*\[? ?\([^()\n]*,").python(
        "import re; open('g.txt', 'w').writelines(' '.join(e) + '\\n' for e in \
             re.findall(r'\\( *([^ ,()]+) *, *([^ ,()]+)', open('g.py').read()))",
    ),
    foreign("a JSON list of lists", &[], r"\s*\[ ?\[").remedy(
        "of pairs, convert it: python3 -c \"import json; open('g.tsv', \
             'w').writelines(f'{e[0]}\\t{e[1]}\\n' for e in json.load(open('g.json')))\"",
    ),
    foreign("a JSON file", &["json"], r"\s*[\[{]").remedy(
        "of node-link data, convert it: python3 -c \"import json, networkx as nx; d = \
             json.load(open('g.json')); nx.write_graphml(nx.node_link_graph(d, edges='edges' if \
             'edges' in d else 'links'), 'g.graphml')\"",
    ),
    foreign("a graph6 file", &["g6"], r"\s*>>graph6<<")
        .python("import networkx as nx; nx.write_graphml(nx.read_graph6('g.g6'), 'g.graphml')"),
    foreign("a sparse6 file", &["s6"], r"\s*>>sparse6<<")
        .python("import networkx as nx; nx.write_graphml(nx.read_sparse6('g.s6'), 'g.graphml')"),
    foreign("a web page", &["html", "htm"], r"\s*(<!DOCTYPE html|<html)")
        .remedy("the address leads to a page about the file; fetch the file itself"),
    foreign(
        "an XML file that is neither GraphML nor GEXF",
        &["xml"],
        r"\s*<[?!]",
    )
    .remedy("export the graph as GraphML"),
    foreign("a TGF file", &["tgf"], NO_SIGN)
        .remedy("keep the edges behind the line that is #: sed '1,/^#/d' g.tgf > g.txt"),
    foreign("a GDF file", &["gdf"], r"\s*nodedef>")
        .remedy("open it in Gephi and export it as GraphML"),
    foreign("an STP file of SteinLib", &["stp"], r"\s*33D32945").remedy(
        "keep the numbers of its lines that start with E: grep '^E ' g.stp | cut -d' ' -f2- \
             > g.txt",
    ),
    foreign("an SQL script", &["sql"], r"\s*(CREATE TABLE|INSERT INTO) ")
        .remedy("load it into a database, and export the edges as CSV"),
    foreign("a pointer of Git LFS", &[], r"\s*version https://git-lfs")
        .remedy("fetch the file itself: git lfs pull"),
];

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
pub(in crate::graph) fn of_suffix(suffix: &str) -> Option<&'static Foreign> {
    let same = |known: &&str| known.eq_ignore_ascii_case(suffix);
    let mut all = BINARY.iter().chain(&TEXTS);
    all.find(|foreign| foreign.suffixes.iter().any(same))
}

#[cfg(test)]
pub(super) fn suffixes() -> impl Iterator<Item = &'static str> {
    let all = BINARY.iter().chain(&TEXTS);
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
            (b"MATLAB 7.3 MAT-file\0", "a MATLAB 7.3 file"),
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
