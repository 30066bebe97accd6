//! What a vertex stands for.

/// What a vertex stands for, or what is in a branch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mass {
    /// Chosen sources.
    pub sources: u64,
    /// Input vertices.
    pub size: u64,
}

impl Mass {
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
