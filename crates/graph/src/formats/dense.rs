//! Dense adjacency matrices, as R, pandas, Gephi and UCINET export them: a row for each vertex,
//! with or without the names of the vertices before rows and above columns.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::names::distinct;
use super::parsed::{Parsed, new_edge_list};
use super::text::Delimiter;
use super::text::cells::{Value, cut, decimal, is_comment, number, trim};
use super::text::header;
use super::text::sample::{Row, Sample, count_up, is_empty};
use crate::builder::check_vertices;
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::shown;
use crate::{Labels, ReadOptions, Vertex};

/// The fewest columns that show a matrix if the sample is only the start of the input: edge lists
/// have fewer columns.
const LEAST_COLUMNS: usize = 64;

/// The positions of the names of vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    /// Whether the first row has the names of the columns.
    has_header: bool,
    /// Whether each row starts with its name.
    has_row_names: bool,
}

impl Form {
    /// Returns the form of the rows if they are certainly a matrix.
    pub fn find(sample: &Sample<'_>) -> Option<Form> {
        let forms = [(true, true), (true, false), (false, true), (false, false)];
        let forms = forms.map(|(has_header, has_row_names)| Form {
            has_header,
            has_row_names,
        });
        forms.into_iter().find(|form| form.fits(sample))
    }

    /// Returns the form of rows that are read as a matrix: that of [`Self::find`], or else a guess
    /// by the words in the first row and at the start of the last one.
    pub fn find_or_guess(sample: &Sample<'_>) -> Form {
        let word = |text: &[u8]| text.is_empty() || cell(text, sample.delimiter).is_none();
        let (first, last) = (sample.rows.first(), sample.rows.last());
        Form::find(sample).unwrap_or(Form {
            has_header: first.is_some_and(|row| row.values.iter().skip(1).any(|v| word(&v.text))),
            has_row_names: last.is_some_and(|row| !row.text(0).is_empty() && word(row.text(0))),
        })
    }

    /// Returns whether the rows are certainly a matrix of this form.
    fn fits(self, sample: &Sample<'_>) -> bool {
        let start = usize::from(self.has_header).min(sample.rows.len());
        let rows = &sample.rows[start..];
        let name_columns = usize::from(self.has_row_names);
        let columns = rows.first().map_or(0, |row| row.values.len());
        let size = columns.saturating_sub(name_columns);
        let is_square = rows.len() == size || !sample.is_whole && rows.len() < size;
        let has_size = |row: &Row<'_>| row.values.len() == size + name_columns;
        if size < 2 || !is_square || !rows.iter().all(has_size) {
            return false;
        }
        let cells: Vec<&[Value<'_>]> = rows.iter().map(|row| &row.values[name_columns..]).collect();
        let is_cell = |value: &Value<'_>| cell(&value.text, sample.delimiter).is_some();
        let mut values = cells.iter().copied().flatten();
        let names: Vec<&[u8]> = rows.iter().map(|row| row.text(0)).collect();
        let first = &sample.rows[0];
        let words = self.words(first, size);
        let are_names =
            |texts: &[&[u8]]| count_up(texts) || !texts.iter().any(|text| sample.is_number(text));
        // The header of an edge list has an empty word (above an index), a name of weights, or
        // names of both ends.
        let is_one = |word: &&[u8]| word.is_empty() || word.eq_ignore_ascii_case(b"weight");
        let is_of_edges =
            |words: &[&[u8]]| words.iter().any(is_one) || !header::pairs(words).is_empty();
        let name_rows = |words: &Vec<&[u8]>| columns_of_rows(&names, words).is_some();
        let same_names = self.has_row_names && words.as_ref().is_some_and(name_rows);
        // A first row that starts with a number may be an edge, if the number stands above the
        // names of rows, or the sizes of a graph, if it has two columns.
        let has_corner = first.values.len() > size;
        let may_be_edges = sample.is_number(first.text(0)) && (has_corner || size == 2);
        // Otherwise only a matrix has the same names for rows and columns, and numbers in cells.
        if same_names && !may_be_edges && values.clone().any(is_cell) {
            return true;
        }
        if !values.all(is_cell) {
            return false;
        }
        match (words, self.has_row_names) {
            (None, _) if self.has_header => return false,
            (Some(words), _) if !are_names(&words) || is_of_edges(&words) => return false,
            (_, true) if !are_names(&names) => return false,
            _ if !sample.is_whole => return size >= LEAST_COLUMNS,
            _ => {}
        }
        let zero = |i: usize, j: usize| cell(&cells[i][j].text, sample.delimiter) == Some(None);
        let mut pairs = (0..size).flat_map(|i| (0..size).map(move |j| (i, j)));
        let symmetric = |(i, j): (usize, usize)| cells[i][j].text == cells[j][i].text;
        let is_typical = (0..size).all(|i| zero(i, i)) || pairs.clone().all(symmetric) && size > 3;
        // A small square of numbers may be an edge list.
        size > 2 && pairs.any(|(i, j)| zero(i, j)) && (size > 4 || is_typical)
    }

    /// Returns the names above the columns, if the first row has one for each.
    fn words<'r>(self, first: &'r Row<'_>, size: usize) -> Option<Vec<&'r [u8]>> {
        let corner = first.values.len().checked_sub(size)?;
        let has_words = self.has_header && corner <= usize::from(self.has_row_names);
        has_words.then(|| first.texts().split_off(corner))
    }
}

/// Reads a matrix of this form. The entries of a symmetric matrix are undirected edges, those of
/// any other matrix are arcs.
///
/// # Errors
/// [`Problem`] if the matrix is not square, a value is not a number, or names are equal.
pub(super) fn read(
    lines: &mut LineReader<'_>,
    delimiter: Delimiter,
    form: Form,
    options: &ReadOptions,
) -> Result<Parsed, Problem> {
    let mut header: Option<Vec<Vec<u8>>> = None;
    let mut names: Vec<Vec<u8>> = Vec::new();
    let mut edges = new_edge_list(0, options)?;
    let mut arcs: Vec<[Vertex; 2]> = Vec::new();
    let mut weights = Vec::new();
    let (mut size, mut rows) = (None, 0);
    let mut notes = Vec::new();
    while let Some(line) = lines.line()? {
        let mut values = Vec::new();
        if is_comment(line)? || is_empty(line) {
            continue;
        }
        cut(line, delimiter, &mut values)?;
        if form.has_header && header.is_none() {
            header = Some(values.iter().map(|value| value.text.to_vec()).collect());
            continue;
        }
        if form.has_row_names {
            names.push(values.remove(0).text.into_owned());
        }
        // A delimiter at the end of a row may add an empty value that the first row does not have.
        trim(&mut values, size.unwrap_or(usize::MAX));
        let size = *size.get_or_insert(values.len());
        if values.len() != size || rows == size {
            return Err(Problem::not_square(rows as u64 + 1, values.len() as u64));
        }
        check_vertices(size as u64)?;
        for (column, value) in values.iter().enumerate() {
            let Some(entry) = cell(&value.text, delimiter) else {
                let text = shown(&value.text);
                refuse!("{text} is not a number (write 0 or nothing where there is no edge)");
            };
            if let Some(text) = entry {
                weights.extend(edges.weight_of(Some(&text))?);
                arcs.push([rows as Vertex, column as Vertex]);
            }
        }
        rows += 1;
    }
    let size = size.unwrap_or(0);
    if rows != size {
        return Err(Problem::not_square(rows as u64, size as u64));
    }
    if let Some(mut words) = header {
        let columns = words.split_off(words.len().saturating_sub(size));
        match columns_of_rows(&names, &columns) {
            Some(columns) if form.has_row_names => arcs
                .iter_mut()
                .for_each(|[tail, _]| *tail = columns[*tail as usize]),
            Some(_) => {}
            None => notes.push(
                "rows and columns have different names: rows were read in the order of the columns"
                    .into(),
            ),
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
    edges.fill_with_matrix(arcs, weights);
    let parsed = Parsed::new(edges, labels);
    Ok(Parsed { notes, ..parsed })
}

/// Returns a column of the same name for each row, a different one for each; `None` if a row has
/// none.
fn columns_of_rows<T: AsRef<[u8]>>(rows: &[T], columns: &[T]) -> Option<Vec<Vertex>> {
    let mut free: FxHashMap<&[u8], Vec<Vertex>> = FxHashMap::default();
    for (column, name) in (0..).zip(columns) {
        free.entry(name.as_ref()).or_default().push(column);
    }
    let column = |name: &T| free.get_mut(name.as_ref())?.pop();
    rows.iter().map(column).collect()
}

/// Returns the text of the number in a cell, `Some(None)` if the cell says that there is no edge,
/// or `None` for any other text. R writes `NA` and `TRUE`, pandas writes `True`.
pub(super) fn cell(text: &[u8], delimiter: Delimiter) -> Option<Option<Cow<'_, [u8]>>> {
    let decimal = decimal(text, delimiter);
    if let Some(number) = number(&decimal) {
        return Some((number != 0.0 && !number.is_nan()).then_some(decimal));
    }
    let is = |word: &&str| text.eq_ignore_ascii_case(word.as_bytes());
    if ["", "NA", "NaN", "False"].iter().any(is) {
        return Some(None);
    }
    is(&"True").then_some(Some(Cow::Borrowed(b"1")))
}
