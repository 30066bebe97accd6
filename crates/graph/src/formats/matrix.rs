//! The rows of an adjacency matrix in a text, with a number for each pair of vertices.

use super::text::cells::number;
use crate::Vertex;
use crate::error::Problem;
use crate::tokens::shown;

/// A matrix whose numbers are read row by row, regardless of line ends.
#[derive(Default)]
pub(super) struct MatrixRows {
    vertices: u64,
    /// The number of values read so far, and of those that are left out before the next one.
    pub count: u64,
    /// If only the upper triangle is stored, the number of its diagonals that are left out.
    triangle: Option<u64>,
}

impl MatrixRows {
    /// Starts a matrix of this many rows and columns, or its upper `triangle` without this many
    /// diagonals.
    pub fn new(vertices: u64, triangle: Option<u64>) -> Self {
        let count = triangle.unwrap_or(0).min(vertices);
        MatrixRows {
            vertices,
            count,
            triangle,
        }
    }

    /// Reads the next number. Returns its row and column if it is not zero.
    ///
    /// # Errors
    /// [`Problem`] if the token is not a number, or the matrix is complete.
    pub fn read_number(&mut self, token: &[u8]) -> Result<Option<[Vertex; 2]>, Problem> {
        if self.count == self.size() {
            return Err(self.wrong_size("more"));
        }
        let place = [self.count / self.vertices, self.count % self.vertices];
        self.count += 1;
        if let (0, Some(triangle)) = (self.count % self.vertices, self.triangle) {
            let row = self.count / self.vertices;
            self.count = (self.count + row + triangle).min(self.size());
        }
        let Some(value) = number(token).filter(|value| value.is_finite()) else {
            let token = shown(token);
            refuse!(
                "{token} is not a number (write a matrix of numbers, 0 where there is no edge)"
            );
        };
        Ok((value != 0.0).then(|| place.map(|index| index as Vertex)))
    }

    /// Checks that no number is missing.
    pub fn finish(&self) -> Result<(), Problem> {
        match self.count == self.size() {
            true => Ok(()),
            false => Err(self.wrong_size("fewer")),
        }
    }

    fn size(&self) -> u64 {
        // This does not overflow: there are fewer than 2^32 vertices.
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
