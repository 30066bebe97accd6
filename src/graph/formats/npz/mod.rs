//! Sparse matrices of SciPy, as `scipy.sparse.save_npz` writes them: CSR, CSC and COO, compressed
//! or not.
//!
//! The entry in row i, column j is the arc from i to j; vertices are numbered from 0. What this
//! program writes has labels beside the matrix. A matrix whose rows are as a graph has them becomes
//! the graph as it is; any other goes through a list of its entries.

mod matrix;
mod member;
mod number;

use rayon::prelude::*;

use super::foreign::{self, Foreign};
use super::names::consecutive_or;
use crate::graph::error::Problem;
use crate::graph::tokens::shown;
use crate::graph::weights::Weight;
use crate::graph::{BuildError, Graph, Labels, WeightChoice, WeightOptions};

use matrix::{Matrix, Weights, built};
pub(in crate::graph) use member::Archive;
use member::{Array, Kind, Member};
use number::{Number, number};

const SAVE: &str =
    "save the adjacency matrix: scipy.sparse.save_npz('g.npz', scipy.sparse.csr_array(A))";
const DAMAGED: &str = "save the matrix again with scipy.sparse.save_npz";

/// Reads the graph in `archive`.
pub(in crate::graph) fn read(
    archive: &Archive,
    weights: Option<&WeightOptions>,
    directed: bool,
) -> Result<Graph, Problem> {
    if weights.is_some_and(|weights| weights.choice != WeightChoice::Usual) {
        return Err(Problem::weight_column());
    }
    let members = archive.members()?;
    let file = File {
        archive,
        members: &members,
    };
    let format = file.format()?;
    let vertices = file.vertices()?;
    let labels = file.labels(vertices)?;
    let matrix = match format {
        Layout::Csr | Layout::Csc => file.compressed(vertices)?,
        Layout::Coo => file.coordinates(vertices)?,
    };
    let (weights, weights_dropped) = file.weights(&matrix, weights)?;
    let transposed = format == Layout::Csc;
    Ok(built(
        matrix,
        weights,
        weights_dropped,
        transposed,
        labels,
        directed,
    )?)
}

/// How a matrix is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    Csr,
    Csc,
    Coo,
}

struct File<'s> {
    archive: &'s Archive,
    members: &'s [Member],
}

impl<'s> File<'s> {
    fn array(&self, name: &str) -> Result<Option<Array<'s>>, Problem> {
        let same = |member: &&Member| member.name.strip_suffix(".npy") == Some(name);
        let member = self.members.iter().find(same);
        member.map(|member| member.array(self.archive)).transpose()
    }

    fn required(&self, name: &str) -> Result<Array<'s>, Problem> {
        self.array(name)?
            .ok_or_else(|| unfit!("the matrix has no array {name} ({DAMAGED})"))
    }

    /// The layout, if this is a sparse matrix at all.
    fn format(&self) -> Result<Layout, Problem> {
        let Some(array) = self.array("format")? else {
            return Err(self.something_else());
        };
        let unknown = || unfit!("the matrix has no layout that is known ({DAMAGED})");
        if !matches!(array.kind, Kind::Bytes | Kind::Text) || array.width > 64 || array.count != 1 {
            return Err(unknown());
        }
        // Some versions of SciPy write text of four bytes per character.
        let texts = array.values([0; 64], |bytes| {
            let mut text = [0; 64];
            let letters = bytes.iter().filter(|&&byte| byte != 0);
            text.iter_mut()
                .zip(letters)
                .for_each(|(slot, &letter)| *slot = letter);
            Ok(text)
        });
        let texts = texts.map_err(|(_, problem)| problem)?;
        let text = texts.first().copied().unwrap_or([0; 64]);
        let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
        match text {
            b"csr" => Ok(Layout::Csr),
            b"csc" => Ok(Layout::Csc),
            b"coo" => Ok(Layout::Coo),
            other => Err(unfit!(
                "sparse matrices of layout {} are not read (convert it: python3 -c \"import \
                 scipy.sparse as sp; sp.save_npz('csr.npz', sp.load_npz('g.npz').tocsr())\")",
                shown(other)
            )),
        }
    }

    /// What an archive without a matrix is.
    fn something_else(&self) -> Problem {
        const MOST: usize = 4;
        let names: Vec<&str> = self.members.iter().map(|m| &m.name[..]).collect();
        if names.iter().any(|name| name.starts_with("xl/")) {
            return foreign::of_suffix("xlsx").map_or_else(Problem::binary, Foreign::problem);
        }
        let shown: Vec<String> = names
            .iter()
            .take(MOST)
            .map(|n| shown(n.as_bytes()))
            .collect();
        let more = if names.len() > MOST { ", ..." } else { "" };
        let list = match names.len() {
            0 => "nothing".to_string(),
            _ => format!("{}{more}", shown.join(", ")),
        };
        if names.iter().any(|name| name.ends_with(".npy")) {
            return unfit!("this .npz file holds no sparse matrix of SciPy, but {list} ({SAVE})");
        }
        unfit!(
            "this zip archive is no matrix; it holds {list} (unpack it: unzip g.zip, and give the \
             graph in it)"
        )
    }

    fn vertices(&self) -> Result<usize, Problem> {
        let array = self.required("shape")?;
        let shape = integers(&array, "shape")?;
        let [rows, columns] = shape[..] else {
            return Err(unfit!(
                "an array of {} dimensions is no adjacency matrix (use a square matrix)",
                shape.len()
            ));
        };
        if rows != columns {
            return Err(Problem::not_square(rows, columns));
        }
        super::parsed::check_vertices(rows)?;
        Ok(rows as usize)
    }

    /// The labels that stand beside the matrix, else numbers from 0.
    fn labels(&self, vertices: usize) -> Result<Labels, Problem> {
        let wrong = || {
            unfit!(
                "the labels beside the matrix do not fit it (write the file again with 'brandes \
                 convert')"
            )
        };
        if let Some(array) = self.array("labels")? {
            let numbers = integers(&array, "labels")?;
            if numbers.len() != vertices {
                return Err(wrong());
            }
            return Ok(consecutive_or(numbers));
        }
        if let Some(array) = self.array("label_offsets")? {
            let offsets = integers(&array, "label_offsets")?;
            let bytes = self.required("label_bytes")?;
            if bytes.width != 1 {
                return Err(wrong());
            }
            let bytes = bytes.values(0, |bytes| Ok(bytes[0])).map_err(|(_, p)| p)?;
            let fits = offsets.len() == vertices + 1
                && offsets.first() == Some(&0)
                && offsets.is_sorted()
                && offsets.last() == Some(&(bytes.len() as u64));
            if !fits {
                return Err(wrong());
            }
            let offsets = offsets.into_iter().map(|offset| offset as usize).collect();
            return Ok(Labels::Names { bytes, offsets });
        }
        Ok(Labels::consecutive(0, vertices))
    }

    fn compressed(&self, vertices: usize) -> Result<Matrix, Problem> {
        let offsets = self.positions("indptr", u32::MAX)?;
        let targets = self.positions("indices", last(vertices))?;
        let ends = offsets.len() == vertices + 1
            && offsets.first() == Some(&0)
            && offsets.last() == Some(&(targets.len() as u32))
            && offsets.par_windows(2).all(|ends| ends[0] <= ends[1]);
        if !ends {
            return Err(unfit!(
                "the rows of the matrix do not follow each other (indptr) ({DAMAGED})"
            ));
        }
        Ok(Matrix::Compressed { offsets, targets })
    }

    fn coordinates(&self, vertices: usize) -> Result<Matrix, Problem> {
        let rows = self.positions("row", last(vertices))?;
        let columns = self.positions("col", last(vertices))?;
        if rows.len() != columns.len() {
            return Err(unfit!(
                "the matrix has more rows than columns of entries ({DAMAGED})"
            ));
        }
        Ok(Matrix::Coordinates { rows, columns })
    }

    /// An array of integers from 0 to `last`.
    fn positions(&self, name: &str, last: u32) -> Result<Vec<u32>, Problem> {
        let array = self.required(name)?;
        if array.count > u32::MAX as usize {
            let arcs = array.count;
            return Err(BuildError::TooManyArcs { arcs }.into());
        }
        let checked = |value: Number| match value {
            Number::Integer(value) if (0..=last.into()).contains(&value) => Ok(value as u32),
            other => Err(unfit!(
                "{other} in the array {name} is no position in the matrix ({DAMAGED})"
            )),
        };
        let number = number(&array).filter(|_| matches!(array.width, 4 | 8));
        let Some(number) = number.filter(|_| array.is_integer()) else {
            return Err(other_kind(&array, name, "int32 or int64"));
        };
        if array.width == 4 {
            // Negative numbers are above it.
            let most = if array.kind == Kind::Signed {
                i32::MAX as u32
            } else {
                u32::MAX
            };
            let most = most.min(last);
            let (words, above) = array.words(most)?;
            if above && let Some(word) = words.iter().find(|&&word| word > most) {
                checked(number(&word.to_le_bytes()))?;
            }
            return Ok(words);
        }
        let values = array.values(0, |bytes| checked(number(bytes)));
        values.map_err(|(_, problem)| problem)
    }

    /// The weights of all entries if they are asked for, and whether there are some that were not.
    fn weights(
        &self,
        matrix: &Matrix,
        weights: Option<&WeightOptions>,
    ) -> Result<(Option<Weights>, bool), Problem> {
        let array = self.required("data")?;
        if array.count != matrix.entries() {
            return Err(unfit!(
                "the matrix has another number of values than of positions ({DAMAGED})"
            ));
        }
        let Some(number) = number(&array) else {
            return Err(other_kind(&array, "data", "integers or floats"));
        };
        let at = |(entry, problem): (Option<usize>, Problem)| match entry {
            Some(entry) => {
                let (row, column) = matrix.position(entry);
                problem.at_entry(row, column)
            }
            None => problem,
        };
        let Some(options) = weights else {
            // Of ones there is nothing to drop.
            let all_one = match (array.kind, array.width) {
                (Kind::Float, 4) => array.all_are(&1f32.to_le_bytes())?,
                (Kind::Float, 8) => array.all_are(&1f64.to_le_bytes())?,
                (_, width) => array.all_are(&1u64.to_le_bytes()[..width])?,
            };
            if !all_one {
                let zeros = array.values((), |bytes| match number(bytes) {
                    Number::Integer(0) | Number::Float(0.0) | Number::Single(0.0) => {
                        Err(explicit_zero())
                    }
                    _ => Ok(()),
                });
                zeros.map_err(at)?;
            }
            return Ok((None, !all_one));
        };
        if array.kind == Kind::Bool {
            return Err(Problem::no_weights());
        }
        let list = array.values(Weight::Float(0.0), |bytes| number(bytes).weight());
        Ok((Some((list.map_err(at)?, options.meaning)), false))
    }
}

/// The largest number of a vertex.
fn last(vertices: usize) -> u32 {
    vertices.saturating_sub(1) as u32
}

fn explicit_zero() -> Problem {
    unfit!(
        "the entry is a zero, which is an edge for some programs and none for others (remove such \
         entries: A.eliminate_zeros())"
    )
}

fn other_kind(array: &Array<'_>, name: &str, wanted: &str) -> Problem {
    unfit!(
        "the array {name} is of type {}, where {wanted} are expected (convert it with .astype(), \
         and save it with scipy.sparse.save_npz)",
        shown(array.kind_name.as_bytes())
    )
}

/// All values of an array of integers that are not negative.
fn integers(array: &Array<'_>, name: &str) -> Result<Vec<u64>, Problem> {
    let number = number(array)
        .filter(|_| array.is_integer())
        .ok_or_else(|| other_kind(array, name, "integers"))?;
    let values = array.values(0, |bytes| match number(bytes) {
        Number::Integer(value) => u64::try_from(value)
            .map_err(|_| unfit!("{value} in the array {name} is negative ({DAMAGED})")),
        Number::Float(_) | Number::Single(_) => Ok(0),
    });
    values.map_err(|(_, problem)| problem)
}
