//! Options of edge lists.

use crate::formats::text::Delimiter;

/// A column of an edge list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    /// Counted from 1.
    Number(usize),
    /// By its name in the header.
    Name(String),
}

/// The columns of an edge list that are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// The column of sources.
    pub source: Column,
    /// The column of targets.
    pub target: Column,
    /// The column of weights, if the reader should not find it by itself.
    pub weight: Option<Column>,
}

impl Columns {
    /// Returns whether some columns are named by the header.
    pub(super) fn has_names(&self) -> bool {
        let is_name = |column: &Column| matches!(column, Column::Name(_));
        let ends = is_name(&self.source) || is_name(&self.target);
        ends || self.weight.as_ref().is_some_and(is_name)
    }
}

/// Properties of an edge list that the user states.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EdgeListOptions {
    /// The sign between columns.
    pub delimiter: Option<Delimiter>,
    /// Whether the first row is a header.
    pub header: Option<bool>,
    /// The columns that are read.
    pub columns: Option<Columns>,
    /// The number of vertices, with and without edges. Their labels are the numbers from 0 or 1.
    pub vertices: Option<u64>,
}

impl EdgeListOptions {
    /// Returns the first option that is given, by its name on the command line.
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
