//! The list of all formats: those that are read, and those that are recognised and refused.

use std::sync::LazyLock;

use memchr::{memchr, memchr_iter};
use regex::bytes::{RegexSet, RegexSetBuilder};

use super::Format::{self, *};
use super::WriteFormat;
use crate::Compression;
use crate::error::Problem;

/// An entry of the list of formats.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FormatEntry {
    /// Suffixes of file names, without compression.
    pub suffixes: &'static [&'static str],
    /// The name of the format in messages.
    pub name: &'static str,
    /// A regular expression for the start of such a file, in lower or upper case.
    signature: &'static str,
    /// The format that such a file is read as, or the remedy if it cannot be read.
    pub read_as: Result<Format, &'static str>,
    /// The format that writes such a file, if there is one.
    pub write_as: Option<WriteFormat>,
}

impl FormatEntry {
    /// Returns the format that the file called `file` is read as.
    ///
    /// # Errors
    /// [`Problem`] with the remedy if it cannot be read.
    pub fn format(&self, file: &str) -> Result<Format, Problem> {
        // Other characters could have a meaning in a command.
        let is_plain = |c: char| c.is_alphanumeric() || " ,./_-".contains(c);
        let file = Some(file).filter(|file| file.chars().all(is_plain));
        let mut recipes = RECIPES.lines().filter_map(|line| line.split_once(": "));
        let recipe = recipes.find(|(name, _)| *name == self.name);
        let command = recipe.map_or("", |(_, command)| command);
        let command = command.replace("FILE", file.unwrap_or("FILE"));
        let problem = |remedy| unfit!("{} cannot be read ({remedy}{command})", self.name);
        self.read_as.map_err(problem)
    }
}

/// A line for each format with the remedy [`RUN`]: its name, and the command that writes a file
/// that can be read. `FILE` stands for the file. `docs/converting.md` has the same commands.
const RECIPES: &str = include_str!("recipes.txt");

/// Matches nothing.
const NO_SIGNATURE: &str = "[a&&b]";

/// Matches the start of an XML file up to the name of its outermost element. Comments may hold
/// other elements.
macro_rules! xml {
    ($root:literal) => {
        concat!(
            r"\s*(<!--.*?-->[^<]*|<(\?|![^-]|!-[^-])[^<]*)*<([^\s>/:<]*:)?",
            $root,
            r"([\s>/]|\z)"
        )
    };
}

/// Matches a problem line after any comments, or a text of two or more comments and nothing else.
/// Other lines that start with `c` may be edges of a vertex c.
const DIMACS: &str = r"(?x) \s*(c([\ \t][^\n]*)?\r?\n\s*)*
    p[\ \t]+((sp|max|edge|col)(\s|\z)|\S+[\ \t]+\S+[\ \t]+\S)
    | \s*(c([\ \t\r][^\n]*)?(\n\s*|\z)){2,}\z";

/// Matches the key `graph` after comments and keys that programs write before it.
const GML: &str = r#"(?x) (\s*\#[^\n]*\n
    | \s*(Creator|Version|comment|directed|label)(\s*"[^"]*"|\s+[0-9.]+))* \s*graph\s*\["#;

/// The value of [`FormatEntry::read_as`] for a format that cannot be read.
type Remedy = Result<Format, &'static str>;

const EXPORT: Remedy = Err(
    "export the graph as GraphML, or its edges as a text of two columns: see docs/converting.md",
);
const RUN: Remedy = Err("run: ");
const UNPACK: Remedy = Err("unpack it, and give the graph in it");
const FETCH: Remedy = Err("fetch the file of the graph itself");

/// Matches comments, keywords and perhaps a name before a brace.
const DOT: &str = r#"(?x) (\s | //[^\n]*\n | \#[^\n]*\n | /\*.*?\*/)*
    (strict\s+)?(di)?graph (\s*"[^"]*" | \s+[^\s{"]+)? \s*\{"#;

/// Matches vertices, a line `#` and an edge.
const TGF: &str = r"([^#\s][^\n]*\n){1,64}#[ \t\r]*\n[^#\s]+[ \t]+\S";

/// Matches rows between lines such as `# name`, of which other comments may precede the first.
const LGL: &str =
    r"(#[^\n]*\n)*#[ \t]+\S+[ \t\r]*\n([^#\n][^\n]*\n){1,64}#[ \t]+\S+[ \t\r]*(\n|\z)";

/// Matches metadata of a network, but not of its trips.
const TNTP: &str = r"\s*(<[A-Z ]+>[^\n]*\n\s*)*<NUMBER OF (NODES|LINKS)>";

/// Matches a prefix or a base after comments.
const TURTLE: &str = r"(\s|#[^\n]*\n)*(@(prefix|base)\s|prefix\s+\S*:\s*<)";

/// Matches a kind of diagram after a title and comments.
const MERMAID: &str = r"(?x) (\s*---\s*\n.*?\n---)? (\s | %%[^\n]*\n)* (
    (graph|flowchart) [\ \t]+ (T[BD]|BT|LR|RL) [\s;] .*?--
    | (sequence|class|er|state) Diagram (-v2)? \s)";

/// Matches UTF-16: a byte order mark, or Latin letters, digits and blanks of two bytes each.
const UTF_16: &str = r"(?x) \xff\xfe | \xfe\xff
    | ([\t-\r\x20-\xff]\x00){64} | ([\t-\r\x20-\xff]\x00){2,63}.?\z
    | (\x00[\t-\r\x20-\xff]){64} | (\x00[\t-\r\x20-\xff]){2,63}.?\z";

/// Matches archives whose first member is one that spreadsheet programs write, and old workbooks.
const WORKBOOK: &str = r"(?x) PK\x03\x04.{26}
    (\[Content_Types|docProps/|_rels/|xl/|mimetypeapplication/vnd\.oasis)
    | \xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// Makes an array of entries.
macro_rules! entries {
    ($($name:literal, [$($suffix:literal),*], $signature:expr, $read:expr, $write:expr;)*) => {
        &[$(FormatEntry {
            suffixes: &[$($suffix),*],
            name: $name,
            signature: $signature,
            read_as: $read,
            write_as: $write,
        }),*]
    };
}

/// Formats of text.
static TEXTS: &[FormatEntry] = entries! {
    "an edge list", ["txt", "edges", "el", "edgelist", "dat"], NO_SIGNATURE, Ok(Edgelist),
        Some(WriteFormat::Edgelist);
    "CSV", ["csv"], NO_SIGNATURE, Ok(Edgelist), Some(WriteFormat::Csv);
    "a list with tabs", ["tsv"], NO_SIGNATURE, Ok(Edgelist), None;
    "NCOL", ["ncol"], NO_SIGNATURE, Ok(Labels), None;
    "Matrix Market", ["mtx"], r"\s*%%?MatrixMarket", Ok(Mtx), Some(WriteFormat::Mtx);
    "METIS", ["graph", "metis"], NO_SIGNATURE, Ok(Metis), Some(WriteFormat::Metis);
    "DIMACS", ["gr", "dimacs"], DIMACS, Ok(Dimacs), Some(WriteFormat::Dimacs);
    "a DIMACS flow network or colouring problem", ["col", "max"], NO_SIGNATURE, Ok(Dimacs), None;
    "GraphML", ["graphml"], xml!("graphml"), Ok(Graphml), Some(WriteFormat::Graphml);
    "GML", ["gml"], GML, Ok(Gml), None;
    "GEXF", ["gexf"], xml!("gexf"), Ok(Gexf), Some(WriteFormat::Gexf);
    "Pajek", ["net", "paj"], r"\s*\*(Vertices|Network)", Ok(Pajek), None;
    "LGL", ["lgl"], NO_SIGNATURE, Ok(Lgl), None;
    "SIF", ["sif"], NO_SIGNATURE, Ok(Sif), None;
    "an adjacency list", ["adjlist"], NO_SIGNATURE, Ok(Adjlist), None;
    "DOT", ["dot", "gv"], DOT, Ok(Dot), None;
    "TNTP", ["tntp"], TNTP, Ok(Tntp), None;
    "a file of UCINET in format DL", ["dl"], r"\s*dl[\s,]+(n[mrc]?\s*=|format)",
        Err("export it from UCINET or NetDraw as a .net file of Pajek"), None;
    "a LEDA file", ["lgr", "gw", "leda"], r"\s*LEDA\.GRAPH", RUN, None;
    "an edge list whose vertices are Python tuples", [],
        r"\s*\([^()\n]*\)[ \t,;]+\([^()\n]*\)", RUN, None;
    "a list of Python tuples", [], r"\s*\[? ?\([^()\n]*,", RUN, None;
    "JSON", ["json", "cyjs"], r"\s*[\[{]", Ok(Json), None;
    "a Turtle file", ["ttl"], TURTLE, RUN, None;
    "a Mermaid diagram", ["mmd", "mermaid"], MERMAID, RUN, None;
    "a PlantUML diagram", ["puml", "plantuml"], r"\s*@start[a-z]+\s", RUN, None;
    "a graph6 file", ["g6"], r"\s*>>graph6<<", RUN, None;
    "a sparse6 file", ["s6"], r"\s*>>sparse6<<", RUN, None;
    "a web page", ["html", "htm"], r"\s*(<!DOCTYPE html|<html)", FETCH, None;
    "an XML file that is neither GraphML nor GEXF", ["xml"], r"\s*<[?!]", EXPORT, None;
    "a TGF file", ["tgf"], NO_SIGNATURE, RUN, None;
    "a text of vertices, a line '#' and edges, as in TGF files,", [], TGF,
        Err("keep only the ends of edges: awk 'p {print $1, $2} /^#/ {p = 1}' g.tgf > g.txt"), None;
    "a text with lines such as '# name' between its rows, as in LGL files,", [], LGL,
        Err("give --format lgl if this is one, otherwise --format edgelist"), None;
    "a GDF file", ["gdf"], r"\s*nodedef>", RUN, None;
    "an STP file of SteinLib", ["stp"], r"\s*33D32945", RUN, None;
    "an SQL script", ["sql"], r"\s*(CREATE TABLE|INSERT INTO) ", EXPORT, None;
    "a pointer of Git LFS", [], r"\s*version https://git-lfs", RUN, None;
};

/// Formats of binary data. Except for PDF and graph-tool, signatures that a text could contain end
/// with `.*\x00`, a zero byte anywhere later.
static BINARY: &[FormatEntry] = entries! {
    "a workbook", ["xlsx", "xls", "ods"], WORKBOOK, RUN, None;
    "SciPy .npz", ["npz"], r"PK(\x03\x04|\x05\x06)", Ok(Npz), Some(WriteFormat::Npz);
    "a MATLAB file", ["mat"], r"MATLAB 5\.0 MAT-file.*\x00", RUN, None;
    "a MATLAB 7.3 file", [], r"MATLAB 7\.3 MAT-file.*\x00",
        Err("in MATLAB, save it in version 7: save('g.mat', 'A', '-v7')"), None;
    "an HDF5 file", ["h5", "hdf5"], r"\x89HDF\r\n\x1a\n", RUN, None;
    "a NumPy .npy array", ["npy"], r"\x93NUMPY", RUN, None;
    "a Parquet file", ["parquet"], r"PAR1.*\x00", RUN, None;
    "a Feather or Arrow file", ["feather", "arrow"], r"(ARROW1|FEA1).*\x00", RUN, None;
    "a Python pickle", ["pickle", "pkl", "gpickle"], r"\x80[\x02-\x05]", RUN, None;
    "an R object", ["rds"], r"X\n\x00\x00\x00", RUN, None;
    "a shapefile", ["shp"], r"\x00\x00\x27\x0a", RUN, None;
    "a GeoPackage", ["gpkg"], r"SQLite format 3\x00.{52}GPKG", RUN, None;
    "an OpenStreetMap .pbf file", ["pbf"], r"\x00\x00\x00.\x0a\x09OSMHeader", RUN, None;
    "an SQLite database", ["db", "sqlite"], r"SQLite format 3.*\x00", RUN, None;
    "a PDF document", ["pdf"], r"\s*%PDF-", FETCH, None;
    "a tar archive", ["tar", "tgz"], r".{257}ustar.*\x00", UNPACK, None;
    "a file compressed by compress", ["z"], r"\x1f\x9d", UNPACK, None;
    "zlib data", ["zz"], r"x[\x01\x9c\xda]", UNPACK, None;
    "a file compressed by lz4", ["lz4"], r"\x04\x22\x4d\x18", UNPACK, None;
    "a zip archive", ["zip"], NO_SIGNATURE, UNPACK, None;
    "a 7-Zip or RAR archive", ["7z", "rar"], r"7z\xbc\xaf\x27\x1c|Rar!\x1a\x07.*\x00", UNPACK, None;
    "a graph-tool file", ["gt"], r"\xe2\x9a\xbe gt", RUN, None;
    "UTF-16 text", [], UTF_16, RUN, None;
};

/// Returns all formats.
pub(crate) fn entries() -> impl Iterator<Item = &'static FormatEntry> {
    TEXTS.iter().chain(BINARY)
}

/// Returns the format for the suffix of a file name, in any case. The suffix of a compression is
/// ignored.
pub(crate) fn by_suffix(name: &str) -> Option<&'static FormatEntry> {
    let (_, suffix) = Compression::split(name).0.rsplit_once('.')?;
    let same = |known: &&str| known.eq_ignore_ascii_case(suffix);
    entries().find(|entry| entry.suffixes.iter().any(same))
}

/// Compiles the signatures of formats.
fn signatures(formats: &[FormatEntry]) -> RegexSet {
    let all = formats.iter().map(|entry| entry.signature);
    let anchored = all.map(|signature| format!(r"\A(?:{signature})"));
    let mut set = RegexSetBuilder::new(anchored);
    set.unicode(false).case_insensitive(true);
    // This is never an error: the expressions are constants, and tests match files with them.
    set.dot_matches_new_line(true).build().unwrap_or_default()
}

/// Returns the format of an input by the signature in its first bytes or, if they have none, by the
/// suffix of its name.
///
/// # Errors
/// [`Problem`] if the first bytes have a zero byte and the signature of no binary format.
pub(crate) fn detect(head: &[u8], name: &str) -> Result<Option<&'static FormatEntry>, Problem> {
    static OF_TEXTS: LazyLock<RegexSet> = LazyLock::new(|| signatures(TEXTS));
    static OF_BINARY: LazyLock<RegexSet> = LazyLock::new(|| signatures(BINARY));
    let first = |set: &RegexSet| set.matches(head).iter().next();
    // It takes a millisecond to compile the signatures of binary formats. Except for PDF, each
    // requires a byte that ASCII text does not contain.
    let is_text = head.iter().all(|byte| (b'\t'..=b'~').contains(byte));
    let start = head.trim_ascii_start().get(..5).unwrap_or_default();
    let may_be_binary = !is_text || start.eq_ignore_ascii_case(b"%PDF-");
    let binary = may_be_binary.then(|| first(&OF_BINARY)).flatten();
    let binary = binary.map(|index| &BINARY[index]);
    if let Some(zero) = memchr(0, head).filter(|_| binary.is_none()) {
        // The problem is in a line if the bytes before the zero are text.
        let before = &head[..zero];
        let is_text_byte = |byte: &u8| *byte >= b' ' || byte.is_ascii_whitespace();
        let follows_text = zero > 0 && before.iter().all(is_text_byte);
        let line = 1 + memchr_iter(b'\n', before).count() as u64;
        return Err(Problem::binary().at(if follows_text { line } else { 0 }));
    }
    let entry = binary.or_else(|| first(&OF_TEXTS).map(|index| &TEXTS[index]));
    let by_name = by_suffix(name);
    // The lines of these may also be rows and comments of an edge list.
    let has_blocks = |entry: &&FormatEntry| matches!(entry.suffixes, ["lgl"] | ["tgf"]);
    Ok(by_name.filter(has_blocks).or(entry).or(by_name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::rows;

    #[test]
    fn markers_in_the_text_beat_the_suffix() {
        for (head, expected) in rows(
            r#"
            1 2\n => a.mtx Mtx
            1 2\n => a.MTX.GZ Mtx
            1 2\n => a.graph.zst Metis
            1 2\n => a.metis Metis
            1 2\n => a.gr.gz Dimacs
            1 2\n => a.col Dimacs
            1 2\n => a.txt Edgelist
            1 2\n => a.csv.xz Edgelist
            1 2\n => a.ncol Labels
            1 2\n => a.lgl Lgl
            1 2\n => a.net.bz2 Pajek
            1 2\n => a.gz Edgelist
            1 2\n => gr Edgelist
            1 2\n => <stdin> Edgelist
            %%matrixmarket matrix => a.graph Mtx
            \n%MatrixMarket matrix => a.txt Mtx
            c road\nc\n\np sp 3 2\n => a.txt Dimacs
            c only\nc comments => a.txt Dimacs
            p sp 3 2\n => a.txt Dimacs
            p max 3 2\n => a.txt Dimacs
            p col 3 2\n => a.txt Dimacs
            graph [ => a.txt Gml
            graph\n[\n => a.txt Gml
            \n  graph  [ directed 1 => a.txt Gml
            # a graph\nCreator "x [ y"\nVersion 1\ngraph\r\n[ => a.txt Gml
            <graphml> => a.txt Graphml
            \n<?xml version='1.0'?><g:graphml> => a.txt Graphml
            <?xml version="1.0"?>\n<!-- gexf --><graphml xmlns=""> => a.txt Graphml
            <!DOCTYPE graphml SYSTEM "x">\n<graphml> => a.txt Graphml
            <?xml?><gexf/> => a.txt Gexf
            *Vertices 3 => a.txt Pajek
            *vertices 3\n => a.txt Pajek
            *Network x\n*Vertices 3 => a.txt Pajek
            // Vertices may be called c, p, graph and dl.
            c d\np q\n => a.txt Edgelist
            c d\nd c\n => a.txt Edgelist
            c d\n => a.txt Edgelist
            dl north\n => a.txt Edgelist
            graph theory\n => a.txt Edgelist
            Creator graph\n => a.txt Edgelist
            label graph\ngraph [x\n => a.txt Edgelist
            strict graph\ndigraph x\n => a.txt Edgelist
            "#,
        ) {
            let (name, format) = expected.split_once(' ').unwrap();
            let entry = detect(head.as_bytes(), name).unwrap();
            let found = entry.map_or(Format::Edgelist, |entry| entry.read_as.unwrap());
            assert_eq!(format!("{found:?}"), format, "{head}, {name}");
        }
        let zipped = detect(b"PK\x03\x04", "a.txt").unwrap().unwrap();
        assert_eq!(zipped.read_as.unwrap(), Format::Npz);
    }

    #[test]
    fn no_suffix_is_in_the_list_twice() {
        let all = entries().flat_map(|entry| entry.suffixes);
        let mut all: Vec<&str> = all.copied().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn bytes_that_are_no_text_are_noticed() {
        let binary = detect(b"1 2\n\0", "a.txt").unwrap_err();
        assert_eq!(binary, Problem::binary().at(2));
        let zip = |first: &str| format!("PK\x03\x04{}{first}\0", "\0".repeat(26)).into_bytes();
        let gpkg = format!("SQLite format 3\0{}GPKG", "\n".repeat(52));
        for (head, name) in [
            (&b"1\0 \x002\0\n\0"[..], "UTF-16 text"),
            (b"\x001\0 \x002\0\n", "UTF-16 text"),
            (b"%PDF-1.7\n\0", "a PDF document"),
            (&zip("[Content_Types].xml"), "a workbook"),
            (&zip("xl/worksheets/sheet1.xml"), "a workbook"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", "a workbook"),
            (b"MATLAB 7.3 MAT-file, Platform: x\0", "a MATLAB 7.3 file"),
            (b"ARROW1\0\0", "a Feather or Arrow file"),
            (b"X\n\0\0\0\x03", "an R object"),
            (b"\0\0\x27\n\0", "a shapefile"),
            (gpkg.as_bytes(), "a GeoPackage"),
            (b"SQLite format 3\0\x10", "an SQLite database"),
            (b"\0\0\0\x0d\n\tOSMHeader", "an OpenStreetMap .pbf file"),
        ] {
            let entry = detect(head, "a.txt").unwrap().unwrap();
            assert_eq!((entry.name, entry.read_as.is_err()), (name, true));
        }
    }

    #[test]
    fn commands_are_for_the_given_file() {
        let entry = by_suffix("g.db").unwrap();
        let shown = |file| entry.format(file).unwrap_err().to_string();
        assert!(shown("my roads/g.db").contains("sqlite3.connect('my roads/g.db')"));
        assert!(shown("it's.db").contains("sqlite3.connect('FILE')"));
    }
}
