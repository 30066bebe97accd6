//! Dense adjacency matrices, as R, pandas, Gephi and UCINET export them: a row for each vertex,
//! with or without the names of the vertices before rows and above columns.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::names::distinct;
use super::parsed::{Parsed, check_vertices, list_for};
use super::symmetry::Balance;
use super::text::Delimiter;
use super::text::cells::{Value, cut, decimal, is_comment, is_number};
use super::text::header;
use super::text::sample::{Row, Sample, is_empty};
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::shown;
use crate::weights::Weight;
use crate::{Labels, Vertex, WeightOptions};

/// The fewest columns that show a matrix if the sample is only the start of the input: edge lists
/// have fewer columns.
const LEAST_COLUMNS: usize = 64;

/// The positions of the names of vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    /// Whether the first row has the names of the columns.
    header: bool,
    /// Whether each row starts with its name.
    row_names: bool,
}

impl Form {
    /// Returns the form of the rows if they are certainly a matrix.
    pub fn find(sample: &Sample<'_>) -> Option<Form> {
        let forms = [(true, true), (true, false), (false, true), (false, false)];
        let forms = forms.map(|(header, row_names)| Form { header, row_names });
        forms.into_iter().find(|form| form.fits(sample))
    }

    /// Returns the form of rows that are read as a matrix: that of [`Self::find`], or else a guess
    /// by the words in the first row and at the start of the last one.
    pub fn find_or_guess(sample: &Sample<'_>) -> Form {
        let word = |text: &[u8]| text.is_empty() || cell(text, sample.delimiter).is_none();
        Form::find(sample).unwrap_or_else(|| {
            let first = sample.rows.first();
            let last = sample.rows.last();
            Form {
                header: first.is_some_and(|row| row.values.iter().skip(1).any(|v| word(&v.text))),
                row_names: last.is_some_and(|row| !row.text(0).is_empty() && word(row.text(0))),
            }
        })
    }

    /// Returns whether the rows are certainly a matrix of this form.
    fn fits(self, sample: &Sample<'_>) -> bool {
        let rows = sample
            .rows
            .get(usize::from(self.header)..)
            .unwrap_or_default();
        let Some(first) = rows.first() else {
            return false;
        };
        let front = usize::from(self.row_names);
        let size = first.values.len().saturating_sub(front);
        let square = match sample.whole {
            true => rows.len() == size,
            false => size >= rows.len(),
        };
        let alike = |row: &Row<'_>| row.values.len() == first.values.len();
        if size < 2 || !square || !rows.iter().all(alike) {
            return false;
        }
        let cells: Vec<&[Value<'_>]> = rows.iter().map(|row| &row.values[front..]).collect();
        let is_cell = |value: &Value<'_>| cell(&value.text, sample.delimiter).is_some();
        let mut values = cells.iter().copied().flatten();
        let names: Vec<&[u8]> = rows.iter().map(|row| row.text(0)).collect();
        let words = self.words(&sample.rows[0], size);
        let corner = (sample.rows[0].values.len() > size).then(|| sample.rows[0].text(0));
        let counts = |texts: &[&[u8]], start: usize| {
            let mut texts = (start..).zip(texts);
            texts.all(|(number, text)| *text == number.to_string().as_bytes())
        };
        let are_names = |texts: &[&[u8]]| {
            counts(texts, 0) || counts(texts, 1) || !texts.iter().any(|text| sample.is_number(text))
        };
        let are_words = |words: &Vec<&[u8]>| columns_of_rows(&names, words).is_some();
        let same_names = self.row_names && words.as_ref().is_some_and(are_words);
        // A number in the corner belongs to an edge; two numbers may be the sizes of a graph.
        let may_be_edges =
            sample.is_number(sample.rows[0].text(0)) && (corner.is_some() || size == 2);
        // Otherwise only a matrix has the same names on both sides and numbers between them.
        if same_names && !may_be_edges && values.clone().any(is_cell) {
            return true;
        }
        if !values.all(is_cell) {
            return false;
        }
        match (words, self.row_names) {
            (None, _) if self.header => return false,
            (Some(words), _) if !are_names(&words) || is_header_of_edges(&words) => return false,
            (_, true) if !are_names(&names) => return false,
            _ if !sample.whole => return size >= LEAST_COLUMNS,
            _ => {}
        }
        let zero = |i: usize, j: usize| cell(&cells[i][j].text, sample.delimiter) == Some(None);
        let mut pairs = (0..size).flat_map(|i| (0..size).map(move |j| (i, j)));
        let no_loops = (0..size).all(|i| zero(i, i));
        let symmetric = pairs
            .clone()
            .all(|(i, j)| cells[i][j].text == cells[j][i].text);
        // A small square of numbers may be an edge list.
        size > 2
            && pairs.any(|(i, j)| zero(i, j))
            && (size > 4 || no_loops || symmetric && size > 3)
    }

    /// Returns the names above the columns, if the first row has one for each.
    fn words<'r>(self, first: &'r Row<'_>, size: usize) -> Option<Vec<&'r [u8]>> {
        let words = || first.values.iter().map(|value| &value.text[..]);
        let corner = first.values.len().checked_sub(size)?;
        (self.header && corner <= usize::from(self.row_names))
            .then(|| words().skip(corner).collect())
    }
}

/// Returns whether words are the header of a list of edges: one is empty, as above an index, or
/// names weights, or two name the ends.
fn is_header_of_edges(words: &[&[u8]]) -> bool {
    let is_no_vertex =
        |word: &&[u8]| word.is_empty() || header::first_of(&[word], header::WEIGHTS, &[]).is_some();
    words.iter().any(is_no_vertex) || header::pairs(words).iter().any(|pair| pair.sure)
}

/// Reads a matrix of this form. It is an undirected graph if it is symmetric.
///
/// # Errors
/// [`Problem`] if the matrix is not square, a value is not a number, or names are equal.
pub(super) fn read(
    lines: &mut LineReader<'_>,
    delimiter: Delimiter,
    form: Form,
    weights: Option<&WeightOptions>,
) -> Result<Parsed, Problem> {
    let mut header: Option<Vec<Vec<u8>>> = None;
    let mut names: Vec<Vec<u8>> = Vec::new();
    let mut arcs: Vec<(Vertex, Vertex, Option<Weight>)> = Vec::new();
    let (mut size, mut rows, mut weighted) = (None, 0, false);
    let mut notes = Vec::new();
    while let Some(line) = lines.line()? {
        let mut values = Vec::new();
        if is_comment(line)? || is_empty(line) {
            continue;
        }
        cut(line, delimiter, &mut values)?;
        if form.header && header.is_none() {
            header = Some(values.iter().map(|value| value.text.to_vec()).collect());
            continue;
        }
        if form.row_names {
            names.push(values.remove(0).text.into_owned());
        }
        // A delimiter at the end of a row may add an empty value that the first row does not have.
        while values.len() > size.unwrap_or(usize::MAX)
            && values.pop_if(|value| value.text.is_empty()).is_some()
        {}
        let size = *size.get_or_insert(values.len());
        if values.len() != size || rows == size {
            return Err(Problem::not_square(rows as u64 + 1, values.len() as u64));
        }
        check_vertices(size as u64)?;
        for (column, value) in values.iter().enumerate() {
            let Some(entry) = cell(&value.text, delimiter) else {
                refuse!(
                    "{} is not a number (write 0 or nothing where there is no edge)",
                    shown(&value.text)
                );
            };
            let Some(text) = entry else {
                continue;
            };
            weighted |= *text != *b"1";
            let weight = weights.map(|_| Weight::parse(&text)).transpose()?;
            arcs.push((rows as Vertex, column as Vertex, weight));
        }
        rows += 1;
    }
    let size = size.unwrap_or(0);
    if rows != size {
        return Err(Problem::not_square(rows as u64, size as u64));
    }
    if let Some(words) = header {
        let corner = words.len().saturating_sub(size);
        let columns: Vec<Vec<u8>> = words.into_iter().skip(corner).collect();
        if let Some(columns) = columns_of_rows(&names, &columns) {
            for (tail, _, _) in arcs.iter_mut().filter(|_| form.row_names) {
                *tail = columns[*tail as usize];
            }
        } else {
            let text = "rows were read in the order of the columns, because they have other names";
            notes.push(text.into());
        }
        names = columns;
    }
    let labels = match distinct(names, size, |row| (row + 1).to_string()) {
        Ok(labels) => labels,
        Err(None) => Labels::consecutive(0, size),
        Err(Some(why)) => {
            return Err(unfit!(
                "each vertex of a matrix needs a name of its own, but {why} (correct the names)"
            ));
        }
    };
    let mut balance = Balance::default();
    for &(tail, head, weight) in arcs.iter().filter(|(tail, head, _)| tail != head) {
        balance.add(tail, head, weight);
    }
    let symmetric = balance.is_even();
    let mut edges = list_for(arcs.len() as u64, weights)?;
    for (tail, head, weight) in arcs {
        if !symmetric || tail <= head {
            edges.push_weighted(tail, head, weight);
        }
    }
    match symmetric {
        true => edges.both_ways = true,
        false => edges.arcs = true,
    }
    if weights.is_none() && weighted {
        edges.set_weights_dropped();
    }
    let parsed = Parsed::new(edges, labels);
    Ok(Parsed { notes, ..parsed })
}

/// Returns the column of the same name for each row, if there is one and no other row has it.
fn columns_of_rows<T: AsRef<[u8]>>(rows: &[T], columns: &[T]) -> Option<Vec<Vertex>> {
    let mut free: FxHashMap<&[u8], Vec<Vertex>> = FxHashMap::default();
    for (column, name) in (0..).zip(columns) {
        free.entry(name.as_ref()).or_default().push(column);
    }
    let column = |name: &T| free.get_mut(name.as_ref())?.pop();
    rows.iter().map(column).collect()
}

/// Returns the number in a cell, or `Some(None)` if the cell says that there is no edge. R writes
/// `NA` and `TRUE`, pandas `True`. Other texts return `None`.
pub(super) fn cell(text: &[u8], delimiter: Delimiter) -> Option<Option<Cow<'_, [u8]>>> {
    let number = decimal(text, delimiter);
    if is_number(&number) {
        let is_edge = |text: &Cow<'_, [u8]>| {
            let number = std::str::from_utf8(text).unwrap_or_default().parse::<f64>();
            number.is_ok_and(|number| number != 0.0 && !number.is_nan())
        };
        return Some(Some(number).filter(is_edge));
    }
    let is = |word: &&[u8]| text.eq_ignore_ascii_case(word);
    let no_edge: [&[u8]; 4] = [b"", b"NA", b"NaN", b"False"];
    match no_edge.iter().any(is) {
        true => Some(None),
        false => is(&&b"True"[..]).then_some(Some(Cow::Borrowed(b"1"))),
    }
}
