//! The first rows of an edge list and the options, by which its layout is decided.

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

    /// Returns whether a condition holds for all texts in a column.
    pub fn all(&self, column: usize, is: impl Fn(&[u8]) -> bool) -> bool {
        self.rows.iter().all(|row| is(row.text(column)))
    }
}
