//! What vertices are called in the input, and how names become vertex numbers while reading.

use std::fmt;
use std::hash::Hasher;
use std::io;

use rustc_hash::{FxHashMap, FxHasher};

use super::Vertex;

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

/// Numbers vertices in the order in which their ids first appear.
///
/// Ids below the size of a table are looked up in it. The table grows with the number of vertices
/// seen, so that it stays in proportion to the graph; ids beyond it are in a hash map.
#[derive(Debug, Default)]
pub(super) struct NumberInterner {
    /// Entry `id` is 1 + the vertex of `id`, or 0 when `id` has not appeared.
    table: Vec<u32>,
    sparse: FxHashMap<u64, Vertex>,
    ids: Vec<u64>,
}

impl NumberInterner {
    /// The table may always reach this far: it then takes 4 MiB.
    const SMALL: u64 = 1 << 20;

    /// The table may have this many entries for each vertex seen. Ids with gaps are still far
    /// quicker to look up in it than in the hash map.
    const ENTRIES_PER_VERTEX: u64 = 32;

    /// The vertex called `id`; `None` when 32 bits cannot count the vertices.
    #[inline]
    pub fn intern(&mut self, id: u64) -> Option<Vertex> {
        match self.table.get(id as usize) {
            Some(&entry) if entry != 0 => Some(entry - 1),
            _ => self.intern_slowly(id),
        }
    }

    #[inline(never)]
    fn intern_slowly(&mut self, id: u64) -> Option<Vertex> {
        let affordable = (self.ids.len() as u64 * Self::ENTRIES_PER_VERTEX).max(Self::SMALL);
        if id >= self.table.len() as u64 && id < affordable {
            self.grow(affordable.min((id + 1).next_power_of_two()));
        }
        let new = u32::try_from(self.ids.len())
            .ok()
            .filter(|&v| v < u32::MAX)?;
        if id < self.table.len() as u64 {
            self.table[id as usize] = new + 1;
        } else {
            let vertex = *self.sparse.entry(id).or_insert(new);
            if vertex != new {
                return Some(vertex);
            }
        }
        self.ids.push(id);
        Some(new)
    }

    /// Extends the table to `size` entries and moves the ids it now covers out of the map.
    fn grow(&mut self, size: u64) {
        self.table.resize(size as usize, 0);
        let table = &mut self.table;
        self.sparse.retain(|&id, &mut vertex| {
            if id < size {
                table[id as usize] = vertex + 1;
            }
            id >= size
        });
    }

    /// The labels of all vertices seen.
    pub fn into_labels(self) -> Labels {
        let first = self.ids.first().copied().unwrap_or(0);
        let consecutive = self
            .ids
            .iter()
            .enumerate()
            .all(|(v, &id)| first.checked_add(v as u64) == Some(id));
        if consecutive {
            Labels::consecutive(first, self.ids.len())
        } else {
            Labels::Numbers(self.ids)
        }
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

    /// The vertex called `name`; `None` when 32 bits cannot count the vertices.
    pub fn intern(&mut self, name: &[u8]) -> Option<Vertex> {
        let mut hasher = FxHasher::default();
        hasher.write(name);
        self.intern_hashed(name, hasher.finish())
    }

    fn intern_hashed(&mut self, name: &[u8], hash: u64) -> Option<Vertex> {
        let newest = self.newest.get(&hash).copied().unwrap_or(Self::NONE);
        let mut vertex = newest;
        while vertex != Self::NONE {
            let v = vertex as usize;
            if &self.bytes[self.offsets[v]..self.offsets[v + 1]] == name {
                return Some(vertex);
            }
            vertex = self.older[v];
        }
        let new = u32::try_from(self.older.len())
            .ok()
            .filter(|&v| v != Self::NONE)?;
        self.newest.insert(hash, new);
        self.older.push(newest);
        self.bytes.extend_from_slice(name);
        self.offsets.push(self.bytes.len());
        Some(new)
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
    use proptest::prelude::*;

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
            names.intern(name.as_bytes());
        }
        assert_eq!(written(&names.into_labels()), ["Zoë", "a", "007"]);
    }

    #[test]
    fn numbers_without_gaps_become_consecutive() {
        let mut numbers = NumberInterner::default();
        for id in [5, 6, 5, 7] {
            numbers.intern(id);
        }
        assert_eq!(numbers.into_labels(), Labels::consecutive(5, 3));
        assert_eq!(NumberInterner::default().into_labels().len(), 0);
    }

    #[test]
    fn ids_move_from_the_map_to_the_table_as_it_grows() {
        let far = NumberInterner::SMALL + 10;
        let mut numbers = NumberInterner::default();
        assert_eq!(numbers.intern(far), Some(0));
        for id in 0..NumberInterner::SMALL / 16 {
            assert_eq!(numbers.intern(id), Some(id as Vertex + 1));
        }
        assert_eq!(numbers.sparse.len(), 1);
        let next = numbers.ids.len() as Vertex;
        assert_eq!(numbers.intern(far + 1), Some(next));
        assert!(numbers.sparse.is_empty());
        assert_eq!(numbers.intern(far), Some(0));
        assert_eq!(numbers.intern(u64::MAX), Some(next + 1));
        assert_eq!(numbers.intern(u64::MAX), Some(next + 1));
    }

    #[test]
    fn names_with_equal_hashes_stay_apart() {
        let mut names = NameInterner::new();
        for _ in 0..2 {
            for (v, name) in [b"a", b"b", b"c"].into_iter().enumerate() {
                assert_eq!(names.intern_hashed(name, 1), Some(v as Vertex));
            }
        }
    }

    proptest! {
        #[test]
        fn numbering_is_by_first_appearance(
            ids in prop::collection::vec(prop_oneof![0..9u64, 0..3_000_000u64, any::<u64>()], 0..60)
        ) {
            let mut numbers = NumberInterner::default();
            let mut names = NameInterner::new();
            let mut order: Vec<u64> = Vec::new();
            for &id in &ids {
                let expected = order.iter().position(|&known| known == id).unwrap_or_else(|| {
                    order.push(id);
                    order.len() - 1
                });
                prop_assert_eq!(numbers.intern(id), Some(expected as Vertex));
                prop_assert_eq!(names.intern(id.to_string().as_bytes()), Some(expected as Vertex));
            }
            let order: Vec<String> = order.iter().map(u64::to_string).collect();
            prop_assert_eq!(written(&numbers.into_labels()), order.clone());
            prop_assert_eq!(written(&names.into_labels()), order);
        }
    }
}
