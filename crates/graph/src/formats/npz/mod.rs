//! Sparse matrices of SciPy, as `scipy.sparse.save_npz` writes them: CSR, CSC and COO, compressed
//! or not.
//!
//! The entry in row i, column j is the arc from i to j; vertices are numbered from 0. Files
//! of this program have labels beside the matrix.

mod archive;
mod matrix;
mod number;

use std::fmt::Display;
use std::io::{Read, Seek};

use super::parsed::note_of_zeros;
use crate::builder::check_vertices;
use crate::error::Problem;
use crate::numbering::labels_of_numbers;
use crate::tokens::shown;
use crate::{Graph, Labels, ReadOptions, WeightOptions};

use archive::{Archive, Kind, SAVE_AGAIN};
use matrix::Weights;

pub(crate) use matrix::Adjacency;
pub use matrix::Entries;
pub(crate) use number::Number;

/// Reads the graph in the archive `input`. Returns a note too, if the matrix stores zeros.
pub(crate) fn read(
    input: impl Read + Seek,
    options: &ReadOptions,
) -> Result<(Graph, Option<String>), Problem> {
    let mut archive = Archive::open(input)?;
    let layout = archive.layout()?;
    let vertices = archive.vertices()?;
    let labels = archive.labels(vertices)?;
    let entries = archive.entries(&layout)?;
    entries.check(vertices)?;
    let (weights, weights_dropped, zeros) = archive.weights(&entries, options.weights.as_ref())?;
    let adjacency = Adjacency {
        entries,
        weights,
        weights_dropped,
        labels,
    };
    let (ordered, symmetric) = adjacency.order_and_symmetry();
    if !ordered {
        adjacency.refuse_repeated_entries()?;
    }
    let graph = adjacency.graph((ordered, symmetric), options.directed)?;
    Ok((graph, note_of_zeros(zeros)))
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

    fn entries(&mut self, layout: &[u8]) -> Result<Entries, Problem> {
        let mut array = |name| self.integers(name, u32::MAX);
        if layout == b"coo" {
            let (tails, heads) = (array("row")?, array("col")?);
            return Ok(Entries::Pairs { tails, heads });
        }
        let (offsets, targets) = (array("indptr")?, array("indices")?);
        Ok(match layout {
            b"csc" => Entries::Columns { offsets, targets },
            _ => Entries::Rows { offsets, targets },
        })
    }

    /// Returns an array of integers from 0 to `last`.
    fn integers<T>(&mut self, name: &str, last: T) -> Result<Vec<T>, Problem>
    where
        T: TryFrom<i128> + PartialOrd + Display,
    {
        self.values(name, Kind::Integers, |_, number| {
            if let Number::Integer(value) = number
                && let Ok(value) = T::try_from(value)
                && value <= last
            {
                return Ok(value);
            }
            Err(unfit!(
                "{number} in the array '{name}' is not between 0 and {last} ({SAVE_AGAIN})"
            ))
        })
    }

    /// Returns the weights of all entries if they are asked for. Otherwise returns no weights,
    /// whether there are values other than 1, and the number of zeros.
    fn weights(
        &mut self,
        entries: &Entries,
        weights: Option<&WeightOptions>,
    ) -> Result<(Option<Weights>, bool, u64), Problem> {
        // If `data` is longer than the positions, its last values have no row and column.
        let at = |entry, problem| match entry < entries.count() {
            true => entries.problem_at(entry, problem),
            false => problem,
        };
        let (mut are_ones, mut zeros) = (true, 0);
        let (weights, count) = if let Some(options) = weights {
            let list = self.values("data", Kind::Weights, |entry, number| {
                let weight = number.weight(options.meaning);
                weight.map_err(|problem| at(entry, problem))
            })?;
            let count = list.len();
            (Some((list, options.meaning)), count)
        } else {
            let checked = self.values("data", Kind::Values, |entry, number| {
                let value = number.double();
                are_ones &= value == 1.0;
                zeros += u64::from(value == 0.0);
                let wrong = || malformed!("the value {number} is not a finite number");
                let finite = value.is_finite().then_some(()).ok_or_else(wrong);
                finite.map_err(|problem| at(entry, problem))
            })?;
            (None, checked.len())
        };
        if count != entries.count() {
            return Err(unfit!(
                "the number of values (data) is not the number of positions ({SAVE_AGAIN})"
            ));
        }
        Ok((weights, !are_ones, zeros))
    }
}
