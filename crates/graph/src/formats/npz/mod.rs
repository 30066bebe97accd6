//! Sparse matrices of SciPy, as `scipy.sparse.save_npz` writes them: CSR, CSC and COO, compressed
//! or not.
//!
//! The entry in row i, column j is the arc from i to j; vertices are numbered from 0. Files
//! of this program have labels beside the matrix.

mod archive;
mod number;

use std::fmt::Display;
use std::io::{Read, Seek};

use rayon::prelude::*;

use super::parsed::{Parsed, new_edge_list, note_of_zeros};
use crate::arrays::check_ends;
use crate::builder::check_vertices;
use crate::error::Problem;
use crate::numbering::labels_of_numbers;
use crate::tokens::shown;
use crate::{Labels, ReadOptions, Vertex};

use archive::{Archive, SAVE_AGAIN};

pub(crate) use number::Number;

/// The row and the column of each entry.
type Entries = Vec<[Vertex; 2]>;

/// Reads the matrix in the archive `input`.
pub(crate) fn read(input: impl Read + Seek, options: &ReadOptions) -> Result<Parsed, Problem> {
    let mut archive = Archive::open(input)?;
    let layout = archive.layout()?;
    let vertices = archive.vertices()?;
    let labels = archive.labels(vertices)?;
    let entries = archive.entries(&layout, vertices)?;
    check_ends(&entries, vertices)?;
    let meaning = options.weights.as_ref().map(|weights| weights.meaning);
    let (mut weights, mut are_ones, mut zeros) = (Vec::new(), true, 0);
    let values = archive.values("data", |entry, number| {
        let read = match meaning {
            Some(meaning) => number.weight(meaning).map(|weight| weights.push(weight)),
            None if number == Number::Integer(1) => Ok(()),
            None => {
                let value = number.double();
                are_ones &= value == 1.0;
                zeros += u64::from(value == 0.0);
                let wrong = || malformed!("the value {number} is not a finite number");
                value.is_finite().then_some(()).ok_or_else(wrong)
            }
        };
        read.map_err(|problem| match entries.get(entry) {
            Some(&ends) => at_entry(ends, &problem),
            // The last values of an array that is too long have no row and column.
            None => problem,
        })
    })?;
    if values.len() != entries.len() {
        return Err(unfit!(
            "the number of values (data) is not the number of positions ({SAVE_AGAIN})"
        ));
    }
    if meaning.is_some() {
        refuse_repeated(entries.clone())?;
    }
    let mut edges = new_edge_list(0, options)?;
    edges.weights_dropped = !are_ones;
    edges.fill_with_matrix(entries, weights);
    let mut parsed = Parsed::new(edges, labels);
    parsed.notes.extend(note_of_zeros(zeros));
    Ok(parsed)
}

/// Returns the problem of an entry with its row and column.
fn at_entry([row, column]: [Vertex; 2], problem: &Problem) -> Problem {
    unfit!("in row {row}, column {column} (from 0): {problem}")
}

/// Refuses several entries in one place, because SciPy adds up their values.
fn refuse_repeated(mut entries: Entries) -> Result<(), Problem> {
    entries.par_sort_unstable();
    let Some(pair) = entries.windows(2).find(|pair| pair[0] == pair[1]) else {
        return Ok(());
    };
    let problem = unfit!(
        "there are several entries, which SciPy adds up (add them up in the file: \
         A.sum_duplicates())"
    );
    Err(at_entry(pair[0], &problem))
}

impl<R: Read + Seek> Archive<R> {
    /// Returns the name of the layout, if the archive holds a sparse matrix.
    fn layout(&mut self) -> Result<Vec<u8>, Problem> {
        if !self.has("format") {
            return Err(unfit!(
                "this archive holds no sparse matrix of SciPy (save the adjacency matrix: \
                 scipy.sparse.save_npz('g.npz', scipy.sparse.csr_array(A)); or unpack the archive, \
                 and give the graph in it)"
            ));
        }
        let layout = self.text("format")?;
        if ![&b"csr"[..], b"csc", b"coo"].contains(&&layout[..]) {
            return Err(unfit!(
                "a sparse matrix of layout {} is not read (convert it with .tocsr(), and save it \
                 with scipy.sparse.save_npz)",
                shown(&layout)
            ));
        }
        Ok(layout)
    }

    fn vertices(&mut self) -> Result<usize, Problem> {
        let shape = self.integers("shape", u64::MAX)?;
        let [rows, columns] = shape[..] else {
            return Err(unfit!(
                "an array of {} dimensions is not an adjacency matrix (use a square matrix)",
                shape.len()
            ));
        };
        if rows != columns {
            return Err(Problem::not_square(rows, columns));
        }
        check_vertices(rows)?;
        Ok(rows as usize)
    }

    /// Returns the labels that this program wrote beside the matrix, else the numbers from 0.
    fn labels(&mut self, vertices: usize) -> Result<Labels, Problem> {
        let labels = if self.has("labels") {
            Some(labels_of_numbers(self.integers("labels", u64::MAX)?))
        } else if self.has("label_offsets") {
            let offsets: Vec<usize> = self.integers("label_offsets", usize::MAX)?;
            let bytes = self.integers("label_bytes", u8::MAX)?;
            let fits = offsets.first() == Some(&0)
                && offsets.is_sorted()
                && offsets.last() == Some(&bytes.len());
            fits.then_some(Labels::Names { bytes, offsets })
        } else {
            Some(Labels::consecutive(0, vertices))
        };
        let labels = labels.filter(|labels| labels.len() == vertices);
        labels.ok_or_else(|| {
            unfit!(
                "the labels beside the matrix do not fit it (write the file again with 'brandes \
                 convert')"
            )
        })
    }

    fn entries(&mut self, layout: &[u8], vertices: usize) -> Result<Entries, Problem> {
        let mut array = |name| self.integers(name, u32::MAX);
        let [rows, columns] = if layout == b"coo" {
            [array("row")?, array("col")?]
        } else {
            let (offsets, others) = (array("indptr")?, array("indices")?);
            let is_valid = offsets.len() == vertices + 1
                && (offsets[0], offsets[vertices] as usize) == (0, others.len())
                && offsets.is_sorted();
            if !is_valid {
                return Err(unfit!(
                    "the offsets of the matrix are not valid (they must begin with 0, never \
                     decrease, and end with the number of entries)"
                ));
            }
            let mut lines = Vec::with_capacity(others.len());
            for (line, &end) in (0..).zip(&offsets[1..]) {
                lines.resize(end as usize, line);
            }
            match layout {
                b"csc" => [others, lines],
                _ => [lines, others],
            }
        };
        if rows.len() != columns.len() {
            let (rows, columns) = (rows.len(), columns.len());
            return Err(unfit!(
                "there are {rows} rows, but {columns} columns of entries ({SAVE_AGAIN})"
            ));
        }
        let entries = rows.into_iter().zip(columns);
        Ok(entries.map(|(row, column)| [row, column]).collect())
    }

    /// Returns an array of integers from 0 to `last`.
    fn integers<T>(&mut self, name: &str, last: T) -> Result<Vec<T>, Problem>
    where
        T: TryFrom<i128> + PartialOrd + Display,
    {
        self.values(name, |_, number| {
            if let Number::Integer(value) = number
                && let Ok(value) = T::try_from(value)
                && value <= last
            {
                return Ok(value);
            }
            Err(unfit!(
                "{number} in the array '{name}' is not an integer from 0 to {last} ({SAVE_AGAIN})"
            ))
        })
    }
}
