//! The rows of an adjacency matrix that is written as text, one number for each pair of vertices.

use crate::error::Problem;
use crate::tokens::shown;
use crate::{EdgeList, Vertex};

/// Takes the numbers of a matrix, row by row. A line need not be a whole row.
#[derive(Default)]
pub(super) struct MatrixRows {
    vertices: u64,
    /// Numbers so far.
    count: u64,
}

impl MatrixRows {
    /// A matrix of so many rows and columns.
    pub fn new(vertices: u64) -> Self {
        MatrixRows { vertices, count: 0 }
    }

    /// Takes the next number: an edge, if it is not zero.
    ///
    /// # Errors
    /// [`Problem`] for what is no number, or no weight where those are asked for.
    pub fn number(&mut self, token: &[u8], edges: &mut EdgeList) -> Result<(), Problem> {
        if self.count == self.size() {
            return Err(self.wrong_size("more"));
        }
        let [row, column] = [self.count / self.vertices, self.count % self.vertices];
        self.count += 1;
        let text = str::from_utf8(token).unwrap_or_default();
        let value: f64 = match text.parse() {
            Ok(value) if f64::is_finite(value) => value,
            _ => refuse!(
                "{} is no number (write a matrix of numbers, 0 where there is no edge)",
                shown(token)
            ),
        };
        if value != 0.0 {
            let weight = edges.weight_of(Some(token))?;
            edges.push_mixed([row as Vertex, column as Vertex], weight, false);
        }
        Ok(())
    }

    /// Checks that the matrix is whole.
    pub fn finish(&self) -> Result<(), Problem> {
        match self.count == self.size() {
            true => Ok(()),
            false => Err(self.wrong_size("fewer")),
        }
    }

    fn size(&self) -> u64 {
        // Both are below 2^32.
        self.vertices * self.vertices
    }

    fn wrong_size(&self, found: &str) -> Problem {
        let n = self.vertices;
        malformed!(
            "the matrix has {found} numbers than {n} rows of {n} (write one for each pair of \
             vertices)"
        )
    }
}
