//! What is recognised and not read, each with the line that makes a file of it that is.

use crate::graph::error::Problem;

/// Something that is not read.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::graph) struct Foreign {
    /// How messages call it.
    pub name: &'static str,
    /// What to do, or code of Python that converts the file.
    remedy: &'static str,
    is_code: bool,
    /// Suffixes of file names, without compression.
    suffixes: &'static [&'static str],
    sign: Sign,
}

const fn foreign(name: &'static str, suffixes: &'static [&'static str]) -> Foreign {
    Foreign {
        name,
        remedy: "",
        is_code: false,
        suffixes,
        sign: Sign::Text(&[]),
    }
}

impl Foreign {
    const fn sign(self, sign: Sign) -> Foreign {
        Foreign { sign, ..self }
    }

    const fn text(self, starts: &'static [&'static str]) -> Foreign {
        self.sign(Sign::Text(starts))
    }

    const fn magic(self, starts: &'static [&'static [u8]]) -> Foreign {
        self.sign(Sign::Magic(starts))
    }

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
        let what = format!("{} cannot be read", self.name);
        match self.is_code {
            true => unfit!("{what} (convert it: python3 -c \"{}\")", self.remedy),
            false => unfit!("{what} ({})", self.remedy),
        }
    }
}

/// How the content shows it.
#[derive(Debug, PartialEq, Eq)]
enum Sign {
    /// Binary data that start with one of these.
    Magic(&'static [&'static [u8]]),
    /// Binary data that have these bytes at a position.
    At(usize, &'static [u8]),
    /// Text that starts with one of these, in any case, behind white space.
    Text(&'static [&'static str]),
    /// Text of DOT: `strict`, `graph` or `digraph`, and a brace.
    Dot,
    /// Text of UCINET: `dl`, and a number of nodes.
    Ucinet,
}

const UTF_16: &str = "UTF-16 text";

/// Everything that is recognised. Of texts the first that fits counts.
static FOREIGN: [Foreign; 29] = [
    foreign("a DOT file", &["dot", "gv"])
        .sign(Sign::Dot)
        .python(
            "import networkx as nx; nx.write_graphml(nx.nx_pydot.read_dot('g.dot'), 'g.graphml')",
        ),
    foreign("a LEDA file", &["lgr", "gw", "leda"])
        .text(&["LEDA.GRAPH"])
        .python(
            "import networkx as nx; nx.write_edgelist(nx.read_leda('g.lgr'), 'g.txt', data=False)",
        ),
    foreign("a list of Python tuples", &[])
        .text(&["(", "[(", "[ ("])
        .python(
            "import re; open('g.txt', 'w').writelines(' '.join(e) + '\\n' for e in \
             re.findall(r'\\( *([^ ,()]+) *, *([^ ,()]+)', open('g.py').read()))",
        ),
    foreign("a JSON list of lists", &[])
        .text(&["[[", "[ ["])
        .remedy(
            "of pairs, convert it: python3 -c \"import json; open('g.tsv', \
             'w').writelines(f'{e[0]}\\t{e[1]}\\n' for e in json.load(open('g.json')))\"",
        ),
    foreign("a JSON file", &["json"]).text(&["{", "["]).remedy(
        "of node-link data, convert it: python3 -c \"import json, networkx as nx; d = \
             json.load(open('g.json')); nx.write_graphml(nx.node_link_graph(d, edges='edges' if \
             'edges' in d else 'links'), 'g.graphml')\"",
    ),
    foreign("a graph6 file", &["g6"])
        .text(&[">>graph6<<"])
        .python(
            "import networkx as nx; nx.write_edgelist(nx.read_graph6('g.g6'), 'g.txt', \
             data=False)",
        ),
    foreign("a sparse6 file", &["s6"])
        .text(&[">>sparse6<<"])
        .python(
            "import networkx as nx; nx.write_edgelist(nx.read_sparse6('g.s6'), 'g.txt', \
             data=False)",
        ),
    foreign("a UCINET DL file", &["dl"])
        .sign(Sign::Ucinet)
        .python("import igraph; igraph.Graph.Read_DL('g.dl').write_graphml('g.graphml')"),
    foreign("a web page", &["html", "htm"])
        .text(&["<!DOCTYPE html", "<html"])
        .remedy("the address leads to a page about the file; fetch the file itself"),
    foreign("an XML file that is neither GraphML nor GEXF", &["xml"])
        .text(&["<?xml", "<!"])
        .remedy("export the graph as GraphML"),
    foreign("a TGF file", &["tgf"])
        .remedy("keep the edges behind the line that is #: sed '1,/^#/d' g.tgf > g.txt"),
    foreign("a GDF file", &["gdf"])
        .text(&["nodedef>"])
        .remedy("open it in Gephi and export it as GraphML"),
    foreign("an STP file of SteinLib", &["stp"])
        .text(&["33D32945"])
        .remedy(
            "keep the numbers of its lines that start with E: grep '^E ' g.stp | cut -d' ' -f2- \
             > g.txt",
        ),
    foreign("an SQL script", &["sql"])
        .text(&["CREATE TABLE ", "INSERT INTO "])
        .remedy("load it into a database, and export the edges as CSV"),
    foreign("a pointer of Git LFS", &[])
        .text(&["version https://git-lfs"])
        .remedy("fetch the file itself: git lfs pull"),
    foreign("a MATLAB file", &["mat"])
        .magic(&[b"MATLAB 5.0 MAT-file"])
        .remedy(
            "convert it: python3 -c \"import scipy.io as io, scipy.sparse as sp; m = \
             io.loadmat('g.mat'); print(list(m)); io.mmwrite('g.mtx', sp.coo_array(m['A']))\", \
             with the name of the matrix for A",
        ),
    foreign("a MATLAB 7.3 file", &[])
        .magic(&[b"MATLAB 7.3 MAT-file"])
        .remedy(
            "save it in MATLAB with -v7, and convert it: python3 -c \"import scipy.io as io; \
             io.mmwrite('g.mtx', io.loadmat('g.mat')['A'])\", with the name of the matrix for A",
        ),
    foreign("an HDF5 file", &["h5", "hdf5"])
        .magic(&[b"\x89HDF\r\n\x1a\n"])
        .remedy(
            "write the edges it holds as two columns: python3 -c \"import h5py; \
             print(list(h5py.File('g.h5')))\" lists its parts",
        ),
    foreign("a NumPy .npy array", &["npy"])
        .magic(&[b"\x93NUMPY"])
        .remedy(
            "of two columns of vertices, convert it: python3 -c \"import numpy as np; \
             np.savetxt('g.txt', np.load('g.npy'), fmt='%d')\"; of a whole matrix: python3 -c \
             \"import numpy as np, scipy.sparse as sp; sp.save_npz('g.npz', \
             sp.csr_array(np.load('g.npy')))\"",
        ),
    foreign("a Parquet file", &["parquet"])
        .magic(&[b"PAR1"])
        .python("import pandas as pd; pd.read_parquet('g.parquet').to_csv('g.csv', index=False)"),
    foreign("a Python pickle", &["pickle", "pkl", "gpickle"])
        .magic(&[b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"])
        .remedy(
            "if it is of a networkx graph and from somebody you trust, convert it: python3 -c \
             \"import pickle, networkx as nx; nx.write_edgelist(pickle.load(open('g.pickle', \
             'rb')), 'g.txt', data=False)\"",
        ),
    foreign("an SQLite database", &["db", "sqlite"])
        .magic(&[b"SQLite format 3"])
        .remedy(
            "export its edges: sqlite3 -csv g.db 'SELECT source, target FROM edges' > g.csv, \
             with its own names",
        ),
    foreign("a PDF document", &["pdf"])
        .text(&["%PDF-"])
        .remedy("fetch the data that it describes"),
    foreign("an Excel workbook", &["xlsx", "xls"])
        .magic(&[b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"])
        .python("import pandas as pd; pd.read_excel('g.xlsx').to_csv('g.csv', index=False)"),
    foreign("a tar archive", &["tar", "tgz"])
        .sign(Sign::At(257, b"ustar"))
        .remedy("unpack it: tar xf g.tar.gz, and give the graph in it"),
    foreign(UTF_16, &[])
        .magic(&[b"\xff\xfe", b"\xfe\xff"])
        .remedy("convert it: iconv -f UTF-16 -t UTF-8 g.txt > utf8.txt"),
    foreign("data of the old program compress", &["z"])
        .magic(&[b"\x1f\x9d"])
        .remedy("uncompress it: gzip -d g.txt.Z"),
    foreign("a 7-Zip or RAR archive", &["7z", "rar"])
        .magic(&[b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07"])
        .remedy("unpack it: 7z x g.7z, and give the graph in it"),
    foreign("a graph-tool file", &["gt"])
        .magic(&["\u{26be} gt".as_bytes()])
        .python("import graph_tool.all as gt; gt.load_graph('g.gt').save('g.graphml')"),
];

/// What binary data are.
pub(super) fn binary(head: &[u8]) -> Option<&'static Foreign> {
    // Short ones may begin a text, which holds no zeros.
    let sure = |magic: &[u8]| magic.iter().any(|byte| *byte >= 0x80) || head.contains(&0);
    FOREIGN.iter().find(|foreign| match foreign.sign {
        Sign::Magic(starts) => starts
            .iter()
            .any(|start| head.starts_with(start) && sure(start)),
        Sign::At(position, bytes) => {
            head.get(position..).is_some_and(|at| at.starts_with(bytes)) && head.contains(&0)
        }
        Sign::Text(_) | Sign::Dot | Sign::Ucinet => false,
    })
}

/// Text of two bytes per character, if the head is in Latin letters, digits and blanks as edge
/// lists are.
pub(super) fn wide_text(head: &[u8]) -> Option<&'static Foreign> {
    let pairs = head.as_chunks::<2>().0;
    let pairs = &pairs[..pairs.len().min(64)];
    let text = |byte: u8| byte >= b' ' || byte.is_ascii_whitespace();
    let all = |low: usize| {
        let mut pairs = pairs.iter();
        pairs.all(|pair| text(pair[low]) && pair[1 - low] == 0)
    };
    let found = pairs.len() > 1 && (all(0) || all(1));
    FOREIGN
        .iter()
        .find(|foreign| found && foreign.name == UTF_16)
}

/// What a text is.
pub(super) fn text(head: &[u8]) -> Option<&'static Foreign> {
    let start = head.trim_ascii_start();
    FOREIGN.iter().find(|foreign| match foreign.sign {
        Sign::Text(starts) => starts.iter().any(|marker| {
            let start = start.get(..marker.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(marker.as_bytes()))
        }),
        Sign::Dot => is_dot(start),
        Sign::Ucinet => is_ucinet(start),
        Sign::Magic(_) | Sign::At(..) => false,
    })
}

/// What the suffix of a file name stands for.
pub(in crate::graph) fn of_suffix(suffix: &str) -> Option<&'static Foreign> {
    FOREIGN.iter().find(|foreign| {
        let same = |known: &&str| known.eq_ignore_ascii_case(suffix);
        foreign.suffixes.iter().any(same)
    })
}

#[cfg(test)]
pub(super) fn suffixes() -> impl Iterator<Item = &'static str> {
    FOREIGN.iter().flat_map(|foreign| foreign.suffixes).copied()
}

/// Whether a text is `[strict] graph|digraph [name] {`, behind comments.
fn is_dot(text: &[u8]) -> bool {
    let mut rest = text;
    loop {
        rest = rest.trim_ascii_start();
        let end = if rest.starts_with(b"//") || rest.starts_with(b"#") {
            rest.iter().position(|&byte| byte == b'\n')
        } else if rest.starts_with(b"/*") {
            let end = rest.windows(2).position(|pair| pair == b"*/");
            end.map(|end| end + 2)
        } else {
            break;
        };
        match end {
            Some(end) => rest = &rest[end..],
            None => return false,
        }
    }
    // What stands before the first brace is at most three words.
    let Some(brace) = rest.iter().take(1024).position(|&byte| byte == b'{') else {
        return false;
    };
    let header = String::from_utf8_lossy(&rest[..brace]).to_ascii_lowercase();
    // A name in quotes may hold blanks.
    let header = match (header.find('"'), header.rfind('"')) {
        (Some(start), Some(end)) if start < end => {
            format!("{} name {}", &header[..start], &header[end + 1..])
        }
        _ => header,
    };
    let words: Vec<&str> = header.split_whitespace().collect();
    matches!(
        words[..],
        ["graph" | "digraph"]
            | ["graph" | "digraph", _]
            | ["strict", "graph" | "digraph"]
            | ["strict", "graph" | "digraph", _]
    )
}

/// Whether a text is `dl n = 5 ...`.
fn is_ucinet(text: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&text[..text.len().min(256)]).to_ascii_lowercase();
    let Some(rest) = head.strip_prefix("dl") else {
        return false;
    };
    let behind_blank = rest.trim_start();
    if behind_blank.len() == rest.len() {
        return false;
    }
    let counts = ["n", "nr", "nm"].iter().any(|word| {
        let rest = behind_blank.strip_prefix(word);
        rest.is_some_and(|rest| rest.trim_start().starts_with('='))
    });
    counts || behind_blank.starts_with("format")
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
            ("DL N=5 format = edgelist1\n", "a UCINET DL file"),
            ("dl\nnr = 3", "a UCINET DL file"),
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
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel workbook"),
            (&tar, "a tar archive"),
        ] {
            assert_eq!(name(head), Some(expected));
        }
        assert_eq!(name(b"\0\0\0"), None);
    }
}
