//! Dense adjacency matrices, as R, pandas, Gephi and UCINET export them: a row for each vertex,
//! with or without the names of the vertices before rows and above columns.

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
        let word = |text: &[u8]| text.is_empty() || !sample.is_number(text);
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
        let number = |value: &Value<'_>| value.text.is_empty() || sample.is_number(&value.text);
        let square = match sample.whole {
            true => rows.len() == size,
            false => size >= rows.len(),
        };
        let alike = |row: &Row<'_>| {
            row.values.len() == first.values.len() && row.values[front..].iter().all(number)
        };
        if size < 2 || !square || !rows.iter().all(alike) {
            return false;
        }
        let names: Vec<&[u8]> = rows.iter().map(|row| row.text(0)).collect();
        let words = self.words(&sample.rows[0], size);
        let corner = (sample.rows[0].values.len() > size).then(|| sample.rows[0].text(0));
        let is_named = corner.is_none_or(|corner| corner.is_empty() || !sample.is_number(corner));
        let counts = |texts: &[&[u8]], start: usize| {
            let mut texts = (start..).zip(texts);
            texts.all(|(number, text)| *text == number.to_string().as_bytes())
        };
        let are_names = |texts: &[&[u8]]| {
            counts(texts, 0) || counts(texts, 1) || !texts.iter().any(|text| sample.is_number(text))
        };
        match (words, self.row_names) {
            (None, _) if self.header => return false,
            // Only matrices have the same names above columns and before rows.
            (Some(words), true) if is_named && words[..names.len()] == names => return true,
            (Some(words), _) if !are_names(&words) || is_header_of_edges(&words) => return false,
            (_, true) if !are_names(&names) => return false,
            _ if !sample.whole => return size >= LEAST_COLUMNS,
            _ => {}
        }
        let cells: Vec<&[Value<'_>]> = rows.iter().map(|row| &row.values[front..]).collect();
        let zero = |i: usize, j: usize| is_zero(&cells[i][j].text, sample.delimiter);
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
            let text = decimal(&value.text, delimiter);
            if is_zero(&text, delimiter) {
                continue;
            }
            if !is_number(&text) {
                refuse!(
                    "{} is not a number (write 0 or nothing where there is no edge)",
                    shown(&value.text)
                );
            }
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
            for (tail, _, _) in &mut arcs {
                *tail = columns[*tail as usize];
            }
        } else if !names.is_empty() {
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
        true => edges.set_both_ways(),
        false => edges.set_arcs(),
    }
    if weights.is_none() && weighted {
        edges.set_weights_dropped();
    }
    let parsed = Parsed::new(edges, labels);
    Ok(Parsed { notes, ..parsed })
}

/// Returns the column of the same name for each row, if the rows have the names of the columns in
/// any order.
fn columns_of_rows(rows: &[Vec<u8>], columns: &[Vec<u8>]) -> Option<Vec<Vertex>> {
    let [by_row, by_column] = [rows, columns].map(|names| {
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by_key(|&index| &names[index]);
        order
    });
    let mut found = vec![0; rows.len()];
    for (&row, &column) in by_row.iter().zip(&by_column) {
        if rows[row] != columns[column] {
            return None;
        }
        found[row] = column as Vertex;
    }
    (rows.len() == columns.len()).then_some(found)
}

/// Returns whether a value of a matrix says that there is no edge.
fn is_zero(text: &[u8], delimiter: Delimiter) -> bool {
    let text = decimal(text, delimiter);
    let text = std::str::from_utf8(&text).unwrap_or_default();
    matches!(text, "" | "NA")
        || text
            .parse()
            .is_ok_and(|number: f64| number == 0.0 || number.is_nan())
}
