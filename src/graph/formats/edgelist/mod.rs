//! Edge lists: an edge in a row, a row in a line; what SNAP, KONECT, pandas, Gephi and networkx
//! write.
//!
//! The rules are those of `docs/formats.md`. [`layout`] looks at the first rows and decides what
//! the columns are; [`rows`] reads blocks of rows on all cores; what only the whole file can tell
//! is decided here.

mod columns;
mod decide;
mod first;
mod first_rows;
mod header;
mod layout;
mod options;
mod problems;
mod python_dict;
mod refusals;
mod rows;
mod sample;

pub(in crate::graph) use header::looks_like_header;
pub use options::{Column, Columns, Delimiter, EdgeListOptions};

use rayon::prelude::*;

use self::columns::is_comment;
use self::first::First;
use self::layout::Layout;
use self::refusals::refuse_comment;
use self::rows::{Rows, names_as_comment};
use super::parsed::Parsed;
use crate::graph::blocks::{self, Cut};
use crate::graph::builder::Piece;
use crate::graph::error::Problem;
use crate::graph::input::LineReader;
use crate::graph::numbering::{self, Coded};
use crate::graph::weights::Weight;
use crate::graph::{EdgeList, Labels, WeightOptions};

/// Reads all edges. Without `names`, the first edge decides whether vertices are numbers.
pub(in crate::graph) fn read(
    lines: &mut LineReader<'_>,
    names: bool,
    weights: Option<&WeightOptions>,
    options: &EdgeListOptions,
) -> Result<Parsed, Problem> {
    let (declared, comment) = skip_comments(lines)?;
    lines.fill()?;
    let text = (&comment[..], lines.buffered());
    let found = layout::find(text, lines.exhausted(), names, weights, options);
    if found.is_err() {
        // The message is about the first row.
        lines.line()?;
    }
    let layout = found?;
    let mut read = Vec::new();
    if layout.first != First::Row {
        let line = lines.line()?.unwrap_or_default();
        if layout.first.may_be_edge() {
            let (edge, _) = rows::parse(line, &layout).map_err(|failure| failure.problem)?;
            read.push(edge);
        }
    }
    let (first_line, edges_before) = (lines.number(), read.len());
    let parse = |text: &[u8], _| rows::parse(text, &layout);
    read.extend(blocks::parse(lines, &Cut::LINES, parse)?);
    let mut notes = Vec::new();
    let later = &read[edges_before..];
    let first = &layout.first;
    let is_header = decide::is_header(first, later, declared.edges, layout.columns);
    if is_header.inspect_err(|_| lines.set_number(first_line))? {
        read.drain(..edges_before);
        notes.push(format!("line {first_line} {}", layout.first.note()));
    } else {
        notes.extend(decide::may_count_columns(first, &read[edges_before..]));
    }
    if layout.counts_rows && count_rows(&read) {
        return Err(unfit!(
            "the first column counts the rows: it may be a number of the edge, or where the edge \
             starts (say which columns are the ends: --columns source=1,target=2 or --columns \
             source=2,target=3)"
        ));
    }
    parsed(read, &layout, weights, declared, options, notes)
}

/// What programs write where a value is missing.
const NO_VALUES: [&[u8]; 8] = [
    b"NA", b"NULL", b"null", b"None", b"NaN", b"nan", b"N/A", b"\\N",
];

/// `--vertices` for names.
fn vertices_of_names() -> Problem {
    unfit!("--vertices declares numbers, but vertices are called by names here (leave it out)")
}

/// What comments in front of the rows declare, as SNAP does: `# Nodes: N Edges: M`.
#[derive(Debug, Default, Clone, Copy)]
struct Declared {
    vertices: Option<u64>,
    edges: Option<u64>,
    /// Whether one of them may be an edge of names that start with `#`.
    like_edge: bool,
}

/// Skips comments and blank lines in front of the rows. Returns the last comment too.
fn skip_comments(lines: &mut LineReader<'_>) -> Result<(Declared, Vec<u8>), Problem> {
    let mut declared = Declared::default();
    let mut last = Vec::new();
    while let Some(line) = lines.line()? {
        if !is_comment(line)? {
            lines.step_back();
            break;
        }
        let line = line.trim_ascii();
        refuse_comment(line)?;
        if !line.is_empty() {
            last = line.to_vec();
        }
        declared.like_edge |= names_as_comment(line, 2) || names_as_comment(line, 3);
        let text = String::from_utf8_lossy(line).to_ascii_lowercase();
        let behind = |word: &str| {
            let (_, rest) = text.split_once(word)?;
            let mut parts = rest.trim_start().split(|c: char| !c.is_ascii_digit());
            parts.next()?.parse().ok()
        };
        // This is what this program writes.
        let own = || {
            let mut words = text.strip_suffix(" edges")?.rsplit(' ');
            words.next()?.parse().ok()
        };
        declared.vertices = declared.vertices.or_else(|| behind("nodes:"));
        let edges = declared.edges.or_else(|| behind("edges:"));
        declared.edges = edges.or_else(own);
    }
    Ok((declared, last))
}

/// Whether the first column counts the rows, so that it may be a number of the edge.
fn count_rows(read: &[Rows]) -> bool {
    let with_rows = read.iter().filter(|rows| !rows.coded.codes.is_empty());
    let counted: Option<Vec<(u64, u64)>> = with_rows.map(|rows| rows.counted).collect();
    match counted.as_deref() {
        Some(counted @ [(start, _), ..]) => {
            let end = counted[counted.len() - 1].1;
            let follows = |pair: &[(u64, u64)]| pair[0].1 + 1 == pair[1].0;
            *start <= 1 && end > start + 1 && counted.windows(2).all(follows)
        }
        _ => false,
    }
}

/// Numbers the vertices and puts all together.
fn parsed(
    read: Vec<Rows>,
    layout: &Layout,
    weights: Option<&WeightOptions>,
    declared: Declared,
    options: &EdgeListOptions,
    mut notes: Vec<String>,
) -> Result<Parsed, Problem> {
    let weighted = layout.has_unused_weights || read.iter().any(|rows| rows.unused_weights);
    let like_comment = declared.like_edge || read.iter().any(|rows| rows.like_comment);
    let parts = read.into_iter();
    let parts = parts.map(|rows| (rows.coded, (rows.weights, rows.has_loops)));
    let (mut coded, lists): (Vec<Coded>, Vec<(Vec<Weight>, bool)>) = parts.unzip();
    let numbers = !layout.names;
    let mut labels = numbering::number(&mut coded)?;
    if let Labels::Names { bytes, offsets } = &labels {
        if offsets.windows(2).any(|pair| pair[0] == pair[1]) {
            notes.push("a vertex has an empty name, in quotes: is it none?".into());
        }
        let none = |name: &&[u8]| NO_VALUES.contains(name);
        let names = offsets.windows(2).map(|pair| &bytes[pair[0]..pair[1]]);
        if let Some(name) = names.clone().find(none) {
            let name = String::from_utf8_lossy(name);
            notes.push(format!(
                "a vertex is called {name}: is that a missing value?"
            ));
        }
        let starts = &offsets[..offsets.len() - 1];
        if like_comment && starts.iter().any(|&start| bytes.get(start) == Some(&b'#')) {
            return Err(unfit!(
                "some vertices are called #..., and some lines start so, as comments do (put \
                 names that start with # in double quotes)"
            ));
        }
    }
    let found = labels.len();
    if let Some(count) = options.vertices {
        if !numbers {
            return Err(vertices_of_names());
        }
        labels = with_declared(labels, count)?;
    }
    let declared = declared.vertices.or(match layout.first {
        First::Size { vertices, .. } if !notes.is_empty() => Some(vertices),
        _ => None,
    });
    if let Some(declared) = declared
        && declared > labels.len() as u64
    {
        let hint = match numbers {
            true => format!("; --vertices {declared} adds the others"),
            false => String::new(),
        };
        notes.push(format!(
            "the file declares {declared} vertices, of which {found} have edges{hint}"
        ));
    }
    let pieces = coded.into_par_iter().zip(lists);
    let pieces = pieces.map(|(coded, (weights, has_loops))| {
        let mut piece = Piece {
            edges: coded.codes,
            weights,
            loops: 0,
        };
        if has_loops {
            piece.drop_loops();
        }
        piece
    });
    let mut edges = EdgeList::of_pieces(pieces.collect(), weights, weighted);
    if let Some((_, kind)) = &layout.kinds
        && kind != b"directed"
    {
        edges.set_both_ways();
    }
    Ok(Parsed {
        edges,
        labels,
        notes,
    })
}

/// Labels of all numbers that `--vertices` declares: those that edges mention first, then the
/// others.
fn with_declared(labels: Labels, count: u64) -> Result<Labels, Problem> {
    super::parsed::check_vertices(count)?;
    let mut numbers: Vec<u64> = match labels {
        Labels::Consecutive { first, count } => (first..).take(count).collect(),
        Labels::Numbers(numbers) => numbers,
        Labels::Names { .. } => return Err(vertices_of_names()),
    };
    let low = numbers.par_iter().min().copied().unwrap_or(0);
    let high = numbers.par_iter().max().copied().unwrap_or(0);
    let first = u64::from(low > 0);
    if !numbers.is_empty() && high >= count + first {
        return Err(unfit!(
            "--vertices {count} declares numbers below the {high} that the file has (give a larger \
             one)"
        ));
    }
    let mut seen = Vec::new();
    super::parsed::reserve(&mut seen, count as usize)?;
    seen.resize(count as usize, false);
    for &number in &numbers {
        seen[(number - first) as usize] = true;
    }
    super::parsed::reserve(&mut numbers, seen.len())?;
    let unseen = (first..).zip(seen).filter(|&(_, seen)| !seen);
    numbers.extend(unseen.map(|(number, _)| number));
    Ok(numbering::labels_of_numbers(numbers))
}
