//! What vertices are called in the input, and how names become vertex numbers while reading.

use std::fmt;
use std::hash::Hasher;
use std::io;

use rustc_hash::{FxHashMap, FxHasher};

use super::{BuildError, Vertex};

/// What vertices of a file are called that have ids and attributes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum LabelChoice {
    /// Their attribute `name` or `label`, if each has one of its own; else their ids.
    #[default]
    Usual,
    /// Their ids, or their numbers.
    Id,
    /// Their attribute of this name, which has to be there, and different for each.
    Named(String),
}

/// More vertices than 32 bits can count.
pub(super) fn too_many() -> BuildError {
    BuildError::TooManyVertices { vertices: 1 << 32 }
}

/// The label of every vertex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Labels {
    /// Vertex `v` is called `first + v`.
    Consecutive {
        /// Label of vertex 0.
        first: u64,
        /// Number of vertices.
        count: usize,
    },
    /// Vertex `v` is called by the number at position `v`.
    Numbers(Vec<u64>),
    /// Vertex `v` is called `bytes[offsets[v]..offsets[v + 1]]`, which need not be UTF-8.
    Names {
        /// All names, one after the other.
        bytes: Vec<u8>,
        /// Where names start; one entry more than there are names.
        offsets: Vec<usize>,
    },
}

impl Labels {
    /// Labels `first`, `first + 1`, ... for `count` vertices.
    pub fn consecutive(first: u64, count: usize) -> Self {
        Labels::Consecutive { first, count }
    }

    /// Number of labels, which is the number of vertices.
    pub fn len(&self) -> usize {
        match self {
            Labels::Consecutive { count, .. } => *count,
            Labels::Numbers(numbers) => numbers.len(),
            Labels::Names { offsets, .. } => offsets.len() - 1,
        }
    }

    /// Whether there are no vertices.
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
        match self {
            Labels::Consecutive { first, .. } => write!(out, "{}", first + u64::from(v)),
            Labels::Numbers(numbers) => write!(out, "{}", numbers[v as usize]),
            Labels::Names { .. } => out.write_all(self.name(v)),
        }
    }

    /// The label of `v` for messages; bytes that are not UTF-8 are replaced.
    pub fn display(&self, v: Vertex) -> impl fmt::Display {
        match self {
            Labels::Consecutive { first, .. } => (first + u64::from(v)).to_string(),
            Labels::Numbers(numbers) => numbers[v as usize].to_string(),
            Labels::Names { .. } => String::from_utf8_lossy(self.name(v)).into_owned(),
        }
    }

    /// The labels of these vertices.
    pub(super) fn reordered(&self, order: &[Vertex]) -> Labels {
        match self {
            Labels::Consecutive { first, .. } => {
                Labels::Numbers(order.iter().map(|&v| first + u64::from(v)).collect())
            }
            Labels::Numbers(numbers) => {
                Labels::Numbers(order.iter().map(|&v| numbers[v as usize]).collect())
            }
            Labels::Names { .. } => order.iter().map(|&v| self.name(v)).collect(),
        }
    }

    /// The bytes of a name; none for labels that are numbers.
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
    /// Names.
    fn from_iter<I: IntoIterator<Item = &'n [u8]>>(names: I) -> Labels {
        let (mut bytes, mut offsets) = (Vec::new(), vec![0]);
        for name in names {
            bytes.extend_from_slice(name);
            offsets.push(bytes.len());
        }
        Labels::Names { bytes, offsets }
    }
}

/// Numbers vertices in the order in which their names first appear.
///
/// The map goes from a name's hash to the newest vertex with that hash, and `older` from there to
/// the others, so each name is stored once and none needs an allocation of its own.
#[derive(Debug)]
pub(super) struct NameInterner {
    newest: FxHashMap<u64, Vertex>,
    /// Per vertex: the next older vertex whose name has the same hash, or [`Self::NONE`].
    older: Vec<Vertex>,
    bytes: Vec<u8>,
    offsets: Vec<usize>,
}

impl NameInterner {
    const NONE: Vertex = Vertex::MAX;

    pub fn new() -> Self {
        NameInterner {
            newest: FxHashMap::default(),
            older: Vec::new(),
            bytes: Vec::new(),
            offsets: vec![0],
        }
    }

    /// The vertex called `name`.
    ///
    /// # Errors
    /// [`BuildError`] when 32 bits cannot count the vertices.
    pub fn intern(&mut self, name: &[u8]) -> Result<Vertex, BuildError> {
        let mut hasher = FxHasher::default();
        hasher.write(name);
        self.intern_hashed(name, hasher.finish())
    }

    fn intern_hashed(&mut self, name: &[u8], hash: u64) -> Result<Vertex, BuildError> {
        let newest = self.newest.get(&hash).copied().unwrap_or(Self::NONE);
        let mut vertex = newest;
        while vertex != Self::NONE {
            if self.get(vertex) == name {
                return Ok(vertex);
            }
            vertex = self.older[vertex as usize];
        }
        let new = self.older.len() as Vertex;
        if new == Self::NONE {
            return Err(too_many());
        }
        self.newest.insert(hash, new);
        self.older.push(newest);
        self.bytes.extend_from_slice(name);
        self.offsets.push(self.bytes.len());
        Ok(new)
    }

    fn get(&self, v: Vertex) -> &[u8] {
        &self.bytes[self.offsets[v as usize]..self.offsets[v as usize + 1]]
    }

    /// The number of names seen.
    pub fn len(&self) -> usize {
        self.older.len()
    }

    /// The names of all vertices seen.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.older.len() as Vertex).map(|v| self.get(v))
    }

    /// The labels of all vertices seen.
    pub fn into_labels(self) -> Labels {
        Labels::Names {
            bytes: self.bytes,
            offsets: self.offsets,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(labels: &Labels) -> Vec<String> {
        (0..labels.len() as Vertex)
            .map(|v| {
                let mut bytes = Vec::new();
                labels.write(v, &mut bytes).expect("memory can be written");
                assert_eq!(labels.display(v).to_string().as_bytes(), bytes);
                String::from_utf8(bytes).expect("test labels are UTF-8")
            })
            .collect()
    }

    #[test]
    fn labels_are_written_as_the_input_had_them() {
        assert_eq!(written(&Labels::consecutive(7, 3)), ["7", "8", "9"]);
        assert_eq!(written(&Labels::Numbers(vec![30, 2])), ["30", "2"]);
        let mut names = NameInterner::new();
        for name in ["Zoë", "a", "Zoë", "007"] {
            names.intern(name.as_bytes()).expect("four are few");
        }
        assert_eq!(written(&names.into_labels()), ["Zoë", "a", "007"]);
    }

    #[test]
    fn names_with_equal_hashes_stay_apart() {
        let mut names = NameInterner::new();
        for _ in 0..2 {
            for (v, name) in [b"a", b"b", b"c"].into_iter().enumerate() {
                assert_eq!(names.intern_hashed(name, 1), Ok(v as Vertex));
            }
        }
    }
}
