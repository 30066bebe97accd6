//! What all that is decided of an edge list is decided by: its first rows and the options.

use super::options::EdgeListOptions;
use crate::formats::text::sample::{Row, Sample};

/// The first rows while their layout is decided.
pub(super) struct Finder<'s> {
    pub sample: &'s Sample<'s>,
    pub options: &'s EdgeListOptions,
    /// The words of the header; none without a header.
    pub words: Vec<&'s [u8]>,
    /// The rows behind the header.
    pub rows: &'s [Row<'s>],
    pub columns: usize,
    pub notes: Vec<String>,
}

impl Finder<'_> {
    pub fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    /// Returns whether all texts in a column are such.
    pub fn all(&self, column: usize, is: impl Fn(&[u8]) -> bool) -> bool {
        self.rows.iter().all(|row| is(row.text(column)))
    }
}
