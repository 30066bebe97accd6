//! Edge lists: an edge in a row, a row in a line; what SNAP, KONECT, pandas, Gephi and networkx
//! write.
//!
//! The rules are those of `docs/formats.md`. [`layout`] looks at the first rows and decides what
//! the columns are; [`rows`] reads blocks of rows on all cores; what only the whole file can tell
//! is decided here.

mod columns;
mod header;
mod layout;
mod options;
mod python_dict;
mod refusals;
mod rows;

pub use options::{Column, Columns, Delimiter, EdgeListOptions};

use memchr::memmem;
use rayon::prelude::*;

use self::columns::is_comment;
use self::layout::{Ends, First, Layout, Sign};
use self::rows::{Rows, one_column, ragged};
use super::parsed::Parsed;
use crate::graph::blocks::{self, Cut};
use crate::graph::builder::Piece;
use crate::graph::error::Problem;
use crate::graph::input::LineReader;
use crate::graph::numbering::{self, Coded, Dictionary};
use crate::graph::tokens::shown;
use crate::graph::weights::Weight;
use crate::graph::{EdgeList, Labels, WeightOptions};

/// Reads all edges. Without `names`, the first edge decides whether vertices are numbers.
pub(in crate::graph) fn read(
    lines: &mut LineReader<'_>,
    names: bool,
    weights: Option<&WeightOptions>,
    options: &EdgeListOptions,
) -> Result<Parsed, Problem> {
    let declared = skip_comments(lines)?;
    let layout = Layout::find(lines, names, weights, options)?;
    let mut read = first_row(lines, &layout)?;
    let first_line = lines.number();
    let parse = |text: &[u8], _| rows::parse(text, &layout);
    read.extend(blocks::parse(lines, &Cut::LINES, parse)?);
    let mut notes = Vec::new();
    if let Some(note) = decide_first(&mut read, &layout, declared.edges)
        .inspect_err(|_| lines.set_number(first_line))?
    {
        notes.push(format!("line {first_line} {note}"));
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

/// A first row that may be a header or an edge.
fn header_or_edge(row: &str) -> Problem {
    malformed!(
        "the first row, {row}, may be a header or an edge (say which: --header yes or --header no)"
    )
}

/// `--vertices` for names.
fn vertices_of_names() -> Problem {
    unfit!("--vertices declares numbers, but vertices are called by names here (leave it out)")
}

/// What comments in front of the rows declare, as SNAP does: `# Nodes: N Edges: M`.
#[derive(Debug, Default, Clone, Copy)]
struct Declared {
    vertices: Option<u64>,
    edges: Option<u64>,
}

/// Skips comments and blank lines in front of the rows.
fn skip_comments(lines: &mut LineReader<'_>) -> Result<Declared, Problem> {
    let mut declared = Declared::default();
    while let Some(line) = lines.line()? {
        if !is_comment(line)? {
            lines.step_back();
            break;
        }
        let text = line.to_ascii_lowercase();
        let behind = |word: &[u8]| {
            let start = memmem::find(&text, word)? + word.len();
            let text = std::str::from_utf8(text[start..].trim_ascii_start()).ok()?;
            let digits = text.split(|c: char| !c.is_ascii_digit()).next()?;
            digits.parse().ok()
        };
        declared.vertices = declared.vertices.or_else(|| behind(b"nodes:"));
        // The second is what this program writes.
        let own = || {
            text.strip_suffix(b" edges")?
                .rsplit(|&b| b == b' ')
                .next()
                .map(<[u8]>::to_vec)
        };
        let number = |digits: Vec<u8>| String::from_utf8(digits).ok()?.parse().ok();
        declared.edges = declared
            .edges
            .or_else(|| behind(b"edges:"))
            .or_else(|| own().and_then(number));
    }
    Ok(declared)
}

/// The first row, which may be a header; as a block of its own, if it may be an edge.
fn first_row(lines: &mut LineReader<'_>, layout: &Layout) -> Result<Vec<Rows>, Problem> {
    if let First::Row = layout.first {
        return Ok(Vec::new());
    }
    let line = lines.line()?.unwrap_or_default();
    let edge = match layout.first {
        First::Row
        | First::Header
        | First::Size { edge: false, .. }
        | First::Names(Ends {
            sign: Sign::Sure, ..
        }) => None,
        First::Names(_) | First::Size { edge: true, .. } => {
            let (rows, _) = rows::parse(line, layout).map_err(|failure| failure.problem)?;
            Some(rows)
        }
    };
    Ok(edge.into_iter().collect())
}

/// Decides whether the first row is a header, now that all others are known; if so, it leaves the
/// edges. Returns what is to be said of it.
fn decide_first(
    read: &mut Vec<Rows>,
    layout: &Layout,
    declared: Option<u64>,
) -> Result<Option<String>, Problem> {
    let later = |read: &[Rows], has: &(dyn Fn(&Coded) -> bool + Sync), skip: usize| {
        read[skip..].par_iter().any(|rows| has(&rows.coded))
    };
    match &layout.first {
        First::Row => Ok(None),
        First::Header => Ok(Some("is taken for a header".into())),
        First::Names(header) => {
            let skip = usize::from(header.sign != Sign::Sure);
            let rows: usize = read[skip..].iter().map(|rows| rows.coded.codes.len()).sum();
            let known = |name: &Vec<u8>| later(read, &|coded| coded.has_name(name), skip);
            let is_known = header.ends.iter().any(known);
            let is_header = match (header.sign, is_known) {
                // All rows there are supposed to be, with or without the first.
                (Sign::End | Sign::None, _) if declared == Some(rows as u64 + 1) => false,
                (_, false) if declared == Some(rows as u64) => true,
                (Sign::Sure | Sign::End, false) => true,
                (Sign::End | Sign::None, true) => false,
                (Sign::None, false) if rows == 0 => false,
                (Sign::Sure, true) | (Sign::None, false) => {
                    return Err(header_or_edge(
                        &header.ends.each_ref().map(|end| shown(end)).join(" "),
                    ));
                }
            };
            if is_header {
                read.drain(..skip);
            }
            Ok(is_header.then(|| "is taken for a header".into()))
        }
        First::Size {
            vertices,
            edges,
            edge,
            text,
        } => {
            let skip = usize::from(*edge);
            let rows: u64 = read[skip..]
                .iter()
                .map(|rows| rows.coded.codes.len() as u64)
                .sum();
            let fits = || {
                let range = read[skip..]
                    .par_iter()
                    .filter_map(|rows| rows.coded.range());
                let range = range.reduce_with(|(a, b), (c, d)| (a.min(c), b.max(d)));
                range.is_none_or(|(low, high)| high < *vertices || (low > 0 && high == *vertices))
            };
            let counted = edges.is_none_or(|edges| edges == rows);
            let header = counted && fits();
            let Some(edges) = *edges else {
                // A row of one number is never an edge.
                return if header {
                    Ok(Some(size_note(text, *vertices)))
                } else {
                    Err(one_column(text.as_bytes()))
                };
            };
            match (header, *edge) {
                (false, true) if counts_vertices(&read[skip..], *vertices, edges) => {
                    Err(header_or_edge(&shown(text.as_bytes())))
                }
                (false, true) => Ok(None),
                (false, false) => Err(ragged(text.split(' ').count(), layout.columns)),
                (true, edge) => {
                    let vertex = |number| later(read, &|coded| coded.has_number(number), skip);
                    if edge && (rows == 0 || (vertex(*vertices) && vertex(edges))) {
                        return Err(header_or_edge(&shown(text.as_bytes())));
                    }
                    read.drain(..skip);
                    Ok(Some(size_note(text, *vertices)))
                }
            }
        }
    }
}

/// Whether a first row of numbers may be a header whose number of edges is wrong: the first number
/// is that of the vertices, and no row has to do with the second.
fn counts_vertices(read: &[Rows], vertices: u64, edges: u64) -> bool {
    let rows: u64 = read.iter().map(|rows| rows.coded.codes.len() as u64).sum();
    let has = |number| read.par_iter().any(|rows| rows.coded.has_number(number));
    if vertices < 2 || vertices > 2 * rows || has(edges) {
        return false;
    }
    let ranges = read.par_iter().filter_map(|rows| rows.coded.range());
    let range = ranges.reduce_with(|(a, b), (c, d)| (a.min(c), b.max(d)));
    let from_1 = match range {
        Some((0, high)) if high.checked_add(1) == Some(vertices) => false,
        Some((1, high)) if high == vertices => true,
        _ => return false,
    };
    // An edge to one more vertex is likely, unless the number of rows is nearly that.
    if from_1 && edges == vertices + 1 && edges.abs_diff(rows) > 1 {
        return false;
    }
    let mut seen = vec![false; vertices as usize];
    for rows in read {
        match &rows.coded.dictionary {
            Dictionary::Plain => {
                for &code in rows.coded.codes.iter().flatten() {
                    seen[(code - u32::from(from_1)) as usize] = true;
                }
            }
            Dictionary::Numbers(_) | Dictionary::Names(_) => return false,
        }
    }
    seen.iter().all(|&seen| seen)
}

fn size_note(text: &str, vertices: u64) -> String {
    format!("({text}) is taken for a header that declares {vertices} vertices")
}

/// Whether the first column counts the rows, so that it may be a number of the edge.
fn count_rows(read: &[Rows]) -> bool {
    let counted: Option<Vec<(u64, u64)>> = read
        .iter()
        .filter(|rows| !rows.coded.codes.is_empty())
        .map(|rows| rows.counted)
        .collect();
    counted.is_some_and(|counted| {
        let starts = counted.first().is_some_and(|&(first, _)| first <= 1);
        let many = counted
            .last()
            .zip(counted.first())
            .is_some_and(|(l, f)| l.1 > f.0 + 1);
        let follows = |pair: &[(u64, u64)]| pair[0].1 + 1 == pair[1].0;
        starts && many && counted.windows(2).all(follows)
    })
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
    let unused = read.iter().any(|rows| rows.unused_weights);
    let (mut coded, lists): (Vec<Coded>, Vec<Vec<Weight>>) = read
        .into_iter()
        .map(|rows| (rows.coded, rows.weights))
        .unzip();
    let numbers = !layout.names;
    let mut labels = numbering::number(&mut coded)?;
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
        let hint = if numbers {
            format!("; --vertices {declared} adds the others")
        } else {
            String::new()
        };
        notes.push(format!(
            "the file declares {declared} vertices, of which {found} have edges{hint}"
        ));
    }
    let pieces = coded.into_iter().zip(lists);
    let pieces = pieces.map(|(coded, weights)| Piece {
        edges: coded.codes,
        weights,
    });
    let mut edges = EdgeList::of_pieces(pieces.collect(), weights.map(|w| w.meaning));
    if layout.has_unused_weights || unused {
        edges.set_weights_dropped();
    }
    let mut parsed = Parsed::new(edges, labels);
    parsed.notes = notes;
    Ok(parsed)
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
    numbers.extend(
        (first..)
            .zip(&seen)
            .filter(|&(_, &seen)| !seen)
            .map(|(number, _)| number),
    );
    Ok(numbering::labels_of_numbers(numbers))
}
