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
use rayon::prelude::*;

use super::foreign::{self, Foreign};
use super::parsed::stored_zeros;
use crate::graph::error::Problem;
use crate::graph::numbering::labels_of_numbers;
use crate::graph::tokens::shown;
use crate::graph::weights::Weight;
use crate::graph::{BuildError, Graph, Labels, WeightOptions};

pub use matrix::Entries;
use matrix::Weights;
pub(in crate::graph) use matrix::{Adjacency, rows_follow};
pub(in crate::graph) use member::Input;
use member::{Archive, Array};
pub(in crate::graph) use number::Number;
use number::{ToNumber, number};

const SAVE: &str =
    "save the adjacency matrix: scipy.sparse.save_npz('g.npz', scipy.sparse.csr_array(A))";
/// Values that a task looks at.
const VALUES_PER_TASK: usize = 1 << 14;

const DAMAGED: &str = "save the matrix again with scipy.sparse.save_npz";

/// Reads the graph in the archive `input`.
pub(in crate::graph) fn read(
    input: &mut dyn Input,
    weights: Option<&WeightOptions>,
    directed: bool,
) -> Result<(Graph, Option<String>), Problem> {
    let mut file = File(Archive::new(input)?);
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
        self.0.array(name)?.ok_or_else(missing)
    }

    /// The layout, if this is a sparse matrix at all.
    fn format(&mut self) -> Result<Layout, Problem> {
        let Some(array) = self.0.array("format")? else {
            return Err(self.something_else());
        };
        let text = matches!(array.kind, Some(TypeChar::ByteStr | TypeChar::UnicodeStr));
        if !text || array.width > 64 || array.count != 1 {
            return Err(unfit!("the matrix has no layout that is known ({DAMAGED})"));
        }
        // Some versions of SciPy write text of four bytes per character.
        let mut text = Vec::new();
        array.pieces(|bytes| {
            text.extend(bytes.iter().filter(|&&byte| byte != 0));
            Ok(())
        })?;
        match &text[..] {
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
        let names = self.0.names();
        if names.iter().any(|name| name.starts_with("xl/")) {
            return foreign::of_suffix("xlsx").map_or_else(Problem::binary, Foreign::problem);
        }
        let mut list: Vec<String> = names.iter().map(|name| shown(name.as_bytes())).collect();
        match list.len() {
            0 => list.push("nothing".into()),
            count if count > MOST => list.splice(MOST.., ["...".into()]).for_each(drop),
            _ => {}
        }
        let list = list.join(", ");
        if names.iter().any(|name| name.ends_with(".npy")) {
            unfit!("this .npz file holds no sparse matrix of SciPy, but {list} ({SAVE})")
        } else {
            unfit!(
                "this zip archive is no matrix; it holds {list} (unpack it: unzip g.zip, and give \
                 the graph in it)"
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
        super::parsed::check_vertices(rows)?;
        Ok(rows as usize)
    }

    /// The labels that stand beside the matrix, else numbers from 0.
    fn labels(&mut self, vertices: usize) -> Result<Labels, Problem> {
        let labels = if self.0.has("labels") {
            labels_of_numbers(self.integers("labels")?)
        } else if self.0.has("label_offsets") {
            let offsets = self.integers("label_offsets")?;
            let bytes = self.integers("label_bytes")?;
            let bytes: Vec<u8> = bytes.into_iter().map(|byte| byte as u8).collect();
            let fits = offsets.first() == Some(&0)
                && offsets.is_sorted()
                && offsets.last() == Some(&(bytes.len() as u64));
            let offsets = offsets.into_iter().filter(|_| fits);
            let offsets = offsets.map(|offset| offset as usize).collect();
            Labels::Names { bytes, offsets }
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

    /// An array of integers, and what each value is.
    fn array_of_integers(&mut self, name: &str) -> Result<(Array<'_>, ToNumber), Problem> {
        let array = self.required(name)?;
        match number(&array) {
            Some(number) if array.is_integer() => Ok((array, number)),
            _ => Err(other_kind(&array, name, "integers")),
        }
    }

    /// All values of an array of integers that are not negative.
    fn integers(&mut self, name: &str) -> Result<Vec<u64>, Problem> {
        let (array, number) = self.array_of_integers(name)?;
        array.values(0, |_, bytes| match number(bytes) {
            Number::Integer(value) if value >= 0 => Ok(value as u64),
            other => Err(unfit!(
                "{other} in the array {name} is negative ({DAMAGED})"
            )),
        })
    }

    /// An array of integers from 0 to `last`.
    fn positions(&mut self, name: &str, last: u32) -> Result<Vec<u32>, Problem> {
        let (array, number) = self.array_of_integers(name)?;
        if array.count > u32::MAX as usize {
            let arcs = array.count;
            return Err(BuildError::TooManyArcs { arcs }.into());
        }
        // What is negative is above this if it is taken as unsigned.
        let plain = if array.kind == Some(TypeChar::Uint) {
            last
        } else {
            last.min(i32::MAX as u32)
        };
        array.values(0, |_, bytes| {
            if let &[a, b, c, d] = bytes
                && let word = u32::from_le_bytes([a, b, c, d])
                && word <= plain
            {
                return Ok(word);
            }
            match number(bytes) {
                Number::Integer(value) if (0..=last.into()).contains(&value) => Ok(value as u32),
                other => Err(unfit!(
                    "{other} in the array {name} is no position in the matrix ({DAMAGED})"
                )),
            }
        })
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
        let Some(number) = number(&array) else {
            return Err(other_kind(&array, "data", "integers or floats"));
        };
        if let Some(options) = weights {
            if array.kind == Some(TypeChar::Bool) {
                return Err(Problem::no_weights());
            }
            let list = array.values(Weight::Float(0.0), |entry, bytes| {
                let weight = number(bytes).weight();
                weight.map_err(|problem| entries.problem_at(entry, problem))
            })?;
            return Ok((Some((list, options.meaning)), false, 0));
        }
        // Of ones there is nothing to drop.
        let (width, kind) = (array.width, array.kind);
        let one: &[u8] = match (kind, width) {
            (Some(TypeChar::Float), 4) => &1f32.to_le_bytes(),
            (Some(TypeChar::Float), _) => &1f64.to_le_bytes(),
            (_, width) => &1u64.to_le_bytes()[..width],
        };
        // Whether a value is another, and how many zeros it is.
        let look_at = |(entry, bytes): (usize, &[u8])| match number(bytes) {
            _ if bytes == one => Ok((false, 0)),
            Number::Integer(0) | Number::Float(0.0) | Number::Single(0.0) => Ok((true, 1)),
            Number::Float(value) if !value.is_finite() => Err(infinite(entries, entry, value)),
            Number::Single(value) if !value.is_finite() => {
                Err(infinite(entries, entry, value.into()))
            }
            _ => Ok((true, 0)),
        };
        let (mut first, mut dropped, mut zeros) = (0, false, 0);
        array.pieces(|bytes| {
            let parts = bytes.par_chunks(VALUES_PER_TASK * width).enumerate();
            let others = parts.map(|(part, bytes)| {
                // Nearly always all are ones, which is told much faster of all at once.
                if bytes.starts_with(one) && bytes[width..] == bytes[..bytes.len() - width] {
                    return Ok((false, 0));
                }
                let values = bytes.chunks_exact(width);
                let numbered = (first + part * VALUES_PER_TASK..).zip(values);
                numbered.map(look_at).try_fold((false, 0), |sum, found| {
                    let (other, zero) = found?;
                    Ok((sum.0 | other, sum.1 + zero))
                })
            });
            // The first problem is told, whichever is found first.
            for found in others.collect::<Vec<Result<(bool, u64), Problem>>>() {
                let (other, zero) = found?;
                dropped |= other;
                zeros += zero;
            }
            first += bytes.len() / width;
            Ok(())
        })?;
        Ok((None, dropped, zeros))
    }
}

fn infinite(entries: &Entries, entry: usize, value: f64) -> Problem {
    entries.problem_at(entry, malformed!("the value {value} is not a number"))
}

fn other_kind(array: &Array<'_>, name: &str, wanted: &str) -> Problem {
    unfit!(
        "the array {name} is of type {}, where {wanted} are expected (convert it with .astype(), \
         and save it with scipy.sparse.save_npz)",
        shown(array.kind_name.as_bytes())
    )
}
