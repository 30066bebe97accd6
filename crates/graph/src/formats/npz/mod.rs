//! Sparse matrices of SciPy, as `scipy.sparse.save_npz` writes them: CSR, CSC and COO, compressed
//! or not.
//!
//! The entry in row i, column j is the arc from i to j; vertices are numbered from 0. What this
//! program writes has labels beside the matrix. A matrix whose rows are as a graph has them becomes
//! the graph as it is; any other goes through a list of its entries.

mod matrix;
mod member;
mod number;

use npyz::TypeChar;

use super::list::{self, Row};
use super::parsed::{check_vertices, stored_zeros};
use crate::error::Problem;
use crate::numbering::labels_of_numbers;
use crate::tokens::shown;
use crate::weights::Weight;
use crate::{BuildError, Graph, Labels, WeightOptions};

pub use matrix::Entries;
use matrix::Weights;
pub(crate) use matrix::{Adjacency, rows_follow};
pub(crate) use member::Input;
use member::{Archive, Array, array, open};
pub(crate) use number::Number;

const SAVE: &str =
    "save the adjacency matrix: scipy.sparse.save_npz('g.npz', scipy.sparse.csr_array(A))";

const DAMAGED: &str = "save the matrix again with scipy.sparse.save_npz";

/// Reads the graph in the archive `input`.
pub(crate) fn read(
    input: &mut dyn Input,
    weights: Option<&WeightOptions>,
    directed: bool,
) -> Result<(Graph, Option<String>), Problem> {
    let mut file = File(open(input)?);
    let format = file.format()?;
    let vertices = file.vertices()?;
    let labels = file.labels(vertices)?;
    let entries = file.entries(format, vertices)?;
    let (weights, weights_dropped, zeros) = file.weights(&entries, weights)?;
    let adjacency = Adjacency {
        entries,
        weights,
        weights_dropped,
        labels,
    };
    let found = adjacency.look();
    if !found.0 {
        adjacency.refuse_sums()?;
    }
    Ok((adjacency.graph(found, directed)?, stored_zeros(zeros)))
}

/// How a matrix is laid out.
enum Layout {
    Csr,
    Csc,
    Coo,
}

struct File<'s>(Archive<'s>);

impl File<'_> {
    fn required(&mut self, name: &str) -> Result<Array<'_>, Problem> {
        let missing = || unfit!("the matrix has no array {name} ({DAMAGED})");
        array(&mut self.0, name)?.ok_or_else(missing)
    }

    /// The layout, if this is a sparse matrix at all.
    fn format(&mut self) -> Result<Layout, Problem> {
        let Some(array) = array(&mut self.0, "format")? else {
            return Err(self.something_else());
        };
        let text = matches!(array.kind, Some(TypeChar::ByteStr | TypeChar::UnicodeStr));
        if !text || array.width > 64 || array.count != 1 {
            return Err(unfit!("the matrix has no layout that is known ({DAMAGED})"));
        }
        // Some versions of SciPy write text of four bytes per character.
        let mut text: Vec<u8> = array.read(|_| {})?;
        text.retain(|&byte| byte != 0);
        match &text[..] {
            b"csr" => Ok(Layout::Csr),
            b"csc" => Ok(Layout::Csc),
            b"coo" => Ok(Layout::Coo),
            other => Err(unfit!(
                "sparse matrices of layout {} are not read (convert it with .tocsr(), and save it \
                 with scipy.sparse.save_npz)",
                shown(other)
            )),
        }
    }

    /// What an archive without a matrix is.
    fn something_else(&self) -> Problem {
        const MOST: usize = 4;
        let names: Vec<_> = (self.0.file_names_raw())
            .map(String::from_utf8_lossy)
            .collect();
        if names.iter().any(|name| name.starts_with("xl/")) {
            let row = list::by_suffix(".xlsx").map(Row::format);
            return row.and_then(Result::err).unwrap_or_else(Problem::binary);
        }
        let shown = names.iter().take(MOST).map(|name| shown(name.as_bytes()));
        let list = match names.len() {
            0 => "nothing".into(),
            count => shown.collect::<Vec<_>>().join(", ") + if count > MOST { ", ..." } else { "" },
        };
        if names.iter().any(|name| name.ends_with(".npy")) {
            unfit!("this .npz file holds no sparse matrix of SciPy, but {list} ({SAVE})")
        } else {
            unfit!(
                "this zip archive is no matrix; it holds {list} (unpack it, and give the graph in \
                 it)"
            )
        }
    }

    fn vertices(&mut self) -> Result<usize, Problem> {
        let shape = self.integers("shape")?;
        let [rows, columns] = shape[..] else {
            return Err(unfit!(
                "an array of {} dimensions is no adjacency matrix (use a square matrix)",
                shape.len()
            ));
        };
        if rows != columns {
            return Err(Problem::not_square(rows, columns));
        }
        check_vertices(rows)?;
        Ok(rows as usize)
    }

    /// The labels that stand beside the matrix, else numbers from 0.
    fn labels(&mut self, vertices: usize) -> Result<Labels, Problem> {
        let has = |name| self.0.index_for_name(name).is_some();
        let labels = if has("labels.npy") {
            labels_of_numbers(self.integers("labels")?)
        } else if has("label_offsets.npy") {
            let offsets: Vec<u64> = self.integers("label_offsets")?;
            let bytes: Vec<u64> = self.integers("label_bytes")?;
            let fits = offsets.first() == Some(&0)
                && offsets.is_sorted()
                && offsets.last() == Some(&(bytes.len() as u64));
            let offsets = offsets.into_iter().filter(|_| fits);
            Labels::Names {
                bytes: bytes.into_iter().map(|byte| byte as u8).collect(),
                offsets: offsets.map(|offset| offset as usize).collect(),
            }
        } else {
            Labels::consecutive(0, vertices)
        };
        if labels.len() != vertices {
            return Err(unfit!(
                "the labels beside the matrix do not fit it (write the file again with 'brandes \
                 convert')"
            ));
        }
        Ok(labels)
    }

    fn entries(&mut self, format: Layout, vertices: usize) -> Result<Entries, Problem> {
        let last = vertices.saturating_sub(1) as u32;
        if let Layout::Coo = format {
            let tails = self.positions("row", last)?;
            let heads = self.positions("col", last)?;
            if tails.len() != heads.len() {
                return Err(unfit!(
                    "the matrix has more rows than columns of entries ({DAMAGED})"
                ));
            }
            return Ok(Entries::Pairs { tails, heads });
        }
        let offsets = self.positions("indptr", u32::MAX)?;
        let targets = self.positions("indices", last)?;
        if !rows_follow(&offsets, vertices, targets.len()) {
            return Err(unfit!(
                "the rows of the matrix do not follow each other (indptr) ({DAMAGED})"
            ));
        }
        Ok(match format {
            Layout::Csc => Entries::Columns { offsets, targets },
            _ => Entries::Rows { offsets, targets },
        })
    }

    /// All values of an array of integers that are not negative.
    fn integers(&mut self, name: &str) -> Result<Vec<u64>, Problem> {
        let numbers = self.required(name)?.numbers(false)?;
        numbers.collect(0, |_, number| {
            let value = number.integer().and_then(|value| value.try_into().ok());
            let negative = || unfit!("{number} in the array {name} is negative ({DAMAGED})");
            value.ok_or_else(negative)
        })
    }

    /// An array of integers from 0 to `last`.
    fn positions(&mut self, name: &str, last: u32) -> Result<Vec<u32>, Problem> {
        let array = self.required(name)?;
        if array.count > u32::MAX as usize {
            let arcs = array.count;
            return Err(BuildError::TooManyArcs { arcs }.into());
        }
        let wrong = |number: Number| {
            unfit!("{number} in the array {name} is no position in the matrix ({DAMAGED})")
        };
        if !(array.is_integer() && array.width == size_of::<u32>()) {
            return array.numbers(false)?.collect(0, |_, number| {
                let value = number.integer().and_then(|value| value.try_into().ok());
                let position = value.filter(|&value: &u32| value <= last);
                position.ok_or_else(|| wrong(number))
            });
        }
        // What is negative is above this if it is taken as unsigned.
        let signed = array.kind == Some(TypeChar::Int);
        let most = last.min(if signed { i32::MAX as u32 } else { u32::MAX });
        let mut largest = 0;
        let larger = |largest: u32, &position: &u32| largest.max(position);
        let positions = array.read(|piece| largest = piece.iter().fold(largest, larger))?;
        let first = || positions.iter().find(|&&position| position > most);
        match (largest > most).then(first).flatten() {
            None => Ok(positions),
            Some(&first) if signed => Err(wrong((first as i32).into())),
            Some(&first) => Err(wrong(first.into())),
        }
    }

    /// The weights of all entries if they are asked for; if not, whether there are some, and how
    /// many of them are zeros.
    fn weights(
        &mut self,
        entries: &Entries,
        weights: Option<&WeightOptions>,
    ) -> Result<(Option<Weights>, bool, u64), Problem> {
        let array = self.required("data")?;
        if array.count != entries.count() {
            return Err(unfit!(
                "the matrix has another number of values than of positions ({DAMAGED})"
            ));
        }
        if weights.is_some() && array.kind == Some(TypeChar::Bool) {
            return Err(Problem::no_weights());
        }
        let numbers = array.numbers(true)?;
        let at = |entry, problem| entries.problem_at(entry, problem);
        if let Some(options) = weights {
            let list = numbers.collect(Weight::Float(0.0), |entry, number| {
                number.weight().map_err(|problem| at(entry, problem))
            })?;
            return Ok((Some((list, options.meaning)), false, 0));
        }
        // Of ones there is nothing to drop.
        if numbers.are_ones {
            return Ok((None, false, 0));
        }
        let are_zeros = numbers.collect(false, |entry, number| match number.is_finite() {
            true => Ok(number.is(0)),
            false => Err(at(entry, malformed!("the value {number} is not a number"))),
        })?;
        let zeros = are_zeros.into_iter().filter(|&is_zero| is_zero).count();
        Ok((None, true, zeros as u64))
    }
}
