//! Sets of vertices as bitmaps, small enough for caches.

use crate::graph::Vertex;

/// A set of vertices.
pub(super) struct Bits {
    /// The vertices in order, 64 in a word from its lowest bit on.
    pub(super) words: Vec<u64>,
    /// How many vertices there are, in the set or not.
    pub(super) n: usize,
}

impl Bits {
    /// The empty set among `n` vertices.
    pub(super) fn new(n: usize) -> Bits {
        Bits {
            words: vec![0; n.div_ceil(64)],
            n,
        }
    }

    /// All of `n` vertices.
    pub(super) fn full(n: usize) -> Bits {
        Bits {
            words: vec![u64::MAX; n.div_ceil(64)],
            n,
        }
    }

    /// Takes a vertex out.
    #[inline]
    pub(super) fn remove(&mut self, v: Vertex) {
        self.words[v as usize / 64] &= !(1 << (v % 64));
    }

    /// Whether `v` is in the set.
    #[inline]
    pub(super) fn contains(&self, v: Vertex) -> bool {
        self.words[v as usize / 64] >> (v % 64) & 1 == 1
    }

    /// Adds a vertex; whether it was not there before.
    #[inline]
    pub(super) fn insert(&mut self, v: Vertex) -> bool {
        let word = &mut self.words[v as usize / 64];
        let before = *word;
        *word |= 1 << (v % 64);
        *word != before
    }

    /// Those in the set, ascending.
    pub(super) fn vertices(&self) -> impl Iterator<Item = Vertex> {
        let words = self.words.iter().enumerate();
        words.flat_map(|(i, &word)| ones(word).map(move |bit| 64 * i as Vertex + bit))
    }
}

/// Positions of the bits that are set, ascending.
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(bit)
    })
}
