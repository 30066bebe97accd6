//! The numbers of sources and input vertices that a vertex stands for.

/// The mass of a vertex or of a branch: its sources and input vertices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mass {
    /// The number of chosen sources.
    pub sources: u64,
    /// The number of input vertices.
    pub size: u64,
}

impl Mass {
    /// Returns the number of pairs of a source of this mass and an input vertex of the other.
    pub fn pairs(self, other: Mass) -> u64 {
        self.sources * other.size
    }

    pub fn add(&mut self, other: Mass) {
        self.sources += other.sources;
        self.size += other.size;
    }

    pub fn less(self, other: Mass) -> Mass {
        Mass {
            sources: self.sources - other.sources,
            size: self.size - other.size,
        }
    }
}
