//! Labels of vertices, and the numbering of names while a file is read.

use std::fmt;
use std::hash::Hasher;
use std::{io, iter, mem};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;

use super::{BuildError, Vertex};

/// The choice between ids and attributes as labels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum LabelChoice {
    /// The attribute `name` or `label` if each vertex has a different one, otherwise the ids.
    #[default]
    Usual,
    /// The ids, or the numbers of vertices in formats that number them.
    Id,
    /// The attribute of this name, which must have a different value for each vertex.
    Named(String),
}

/// Returns the error for more vertices than 32 bits can count.
pub(super) fn too_many() -> BuildError {
    BuildError::TooMany(1 << 32, "vertices")
}

/// The label of every vertex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Labels {
    /// The label of vertex `v` is `first + v`.
    Consecutive {
        /// The label of vertex 0.
        first: u64,
        /// The number of vertices.
        count: usize,
    },
    /// The label of vertex `v` is the number at position `v`.
    Numbers(Vec<u64>),
    /// The label of vertex `v` is `bytes[offsets[v]..offsets[v + 1]]`, which need not be UTF-8.
    Names {
        /// All names, one after the other.
        bytes: Vec<u8>,
        /// The start of each name, and the end of the last one.
        offsets: Vec<usize>,
    },
}

impl Labels {
    /// Returns the labels `first`, `first + 1`, ... of `count` vertices.
    pub fn consecutive(first: u64, count: usize) -> Self {
        Labels::Consecutive { first, count }
    }

    /// Returns the number of labels, which is the number of vertices.
    pub fn len(&self) -> usize {
        match self {
            Labels::Consecutive { count, .. } => *count,
            Labels::Numbers(numbers) => numbers.len(),
            Labels::Names { offsets, .. } => offsets.len() - 1,
        }
    }

    /// Returns whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the label of `v` exactly as the input had it.
    ///
    /// # Errors
    /// Those of `out`.
    ///
    /// # Panics
    /// If there is no vertex `v`.
    pub fn write(&self, v: Vertex, out: &mut impl io::Write) -> io::Result<()> {
        match self.number(v) {
            Some(number) => write!(out, "{number}"),
            None => out.write_all(self.name(v)),
        }
    }

    /// Returns the label of `v` for messages; bytes that are not UTF-8 are replaced.
    pub fn display(&self, v: Vertex) -> impl fmt::Display {
        match self.number(v) {
            Some(number) => number.to_string(),
            None => String::from_utf8_lossy(self.name(v)).into_owned(),
        }
    }

    /// Returns the labels of the vertices in `order`.
    pub(super) fn reordered(&self, order: &[Vertex]) -> Labels {
        if let Labels::Names { .. } = self {
            return order.iter().map(|&v| self.name(v)).collect();
        }
        let mut numbers = Vec::with_capacity(order.len());
        numbers.extend(order.iter().filter_map(|&v| self.number(v)));
        Labels::Numbers(numbers)
    }

    /// Returns the label of `v` if it is a number.
    #[inline]
    fn number(&self, v: Vertex) -> Option<u64> {
        match self {
            Labels::Consecutive { first, .. } => Some(first + u64::from(v)),
            Labels::Numbers(numbers) => Some(numbers[v as usize]),
            Labels::Names { .. } => None,
        }
    }

    /// Returns the label of `v` if it is a name; an empty slice if labels are numbers.
    pub(super) fn name(&self, v: Vertex) -> &[u8] {
        match self {
            Labels::Names { bytes, offsets } => {
                &bytes[offsets[v as usize]..offsets[v as usize + 1]]
            }
            Labels::Consecutive { .. } | Labels::Numbers(_) => &[],
        }
    }
}

impl<'n> FromIterator<&'n [u8]> for Labels {
    /// Collects names.
    fn from_iter<I: IntoIterator<Item = &'n [u8]>>(names: I) -> Labels {
        let (mut bytes, mut offsets) = (Vec::new(), vec![0]);
        for name in names {
            bytes.extend_from_slice(name);
            offsets.push(bytes.len());
        }
        Labels::Names { bytes, offsets }
    }
}

/// Numbers vertices in the order in which their names first appear. Each name is stored once, in a
/// buffer for all names.
#[derive(Debug, Default)]
pub(super) struct NameInterner {
    vertices: HashTable<Vertex>,
    bytes: Vec<u8>,
    /// The end of each name.
    ends: Vec<usize>,
}

impl NameInterner {
    /// Returns the vertex called `name`.
    ///
    /// # Errors
    /// [`BuildError`] if 32 bits cannot count the vertices.
    pub fn intern(&mut self, name: &[u8]) -> Result<Vertex, BuildError> {
        let hash = |name: &[u8]| {
            let mut hasher = FxHasher::default();
            hasher.write(name);
            hasher.finish()
        };
        let new = self.ends.len() as Vertex;
        let (bytes, ends) = (&self.bytes, &self.ends);
        let start = |v: Vertex| v.checked_sub(1).map_or(0, |before| ends[before as usize]);
        let name_of = |v: Vertex| &bytes[start(v)..ends[v as usize]];
        let is_name = |&v: &Vertex| name_of(v) == name;
        match (self.vertices).entry(hash(name), is_name, |&v| hash(name_of(v))) {
            Entry::Occupied(entry) => return Ok(*entry.get()),
            Entry::Vacant(_) if new == Vertex::MAX => return Err(too_many()),
            Entry::Vacant(entry) => entry.insert(new),
        };
        self.bytes.extend_from_slice(name);
        self.ends.push(self.bytes.len());
        Ok(new)
    }

    /// Returns the names of all vertices, in their order.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        let ends = self.ends.iter();
        ends.scan(0, |start, &end| {
            Some(&self.bytes[mem::replace(start, end)..end])
        })
    }

    /// Returns the names as labels.
    pub fn into_labels(self) -> Labels {
        Labels::Names {
            bytes: self.bytes,
            offsets: iter::once(0).chain(self.ends).collect(),
        }
    }
}
