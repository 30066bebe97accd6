//! What a user may say of an edge list.

use crate::formats::text::Delimiter;

/// A column of an edge list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    /// Counted from 1.
    Number(usize),
    /// As the header calls it.
    Name(String),
}

/// Which columns of an edge list are taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// Where edges start.
    pub source: Column,
    /// Where they lead to.
    pub target: Column,
    /// Their weights, if those are not where they usually are.
    pub weight: Option<Column>,
}

impl Columns {
    /// Returns whether some columns are called as the header calls them.
    pub(super) fn has_names(&self) -> bool {
        let is_name = |column: &Column| matches!(column, Column::Name(_));
        let ends = is_name(&self.source) || is_name(&self.target);
        ends || self.weight.as_ref().is_some_and(is_name)
    }
}

/// What is known of an edge list beyond what it shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EdgeListOptions {
    /// What separates columns.
    pub delimiter: Option<Delimiter>,
    /// Whether the first row is a header.
    pub header: Option<bool>,
    /// Which columns are taken.
    pub columns: Option<Columns>,
    /// Vertices are the numbers from 0 or 1 on, so many, whether edges mention them or not.
    pub vertices: Option<u64>,
}

impl EdgeListOptions {
    /// The first option that is given, as the command line calls it.
    pub(crate) fn given(&self) -> Option<&'static str> {
        [
            ("--delimiter", self.delimiter.is_some()),
            ("--header", self.header.is_some()),
            ("--columns", self.columns.is_some()),
            ("--vertices", self.vertices.is_some()),
        ]
        .into_iter()
        .find_map(|(option, given)| given.then_some(option))
    }
}
