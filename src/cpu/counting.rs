//! The engine of a CPU worker: a fast one, and one with wide numbers for roots that the fast one
//! cannot count.

use super::wide;
use crate::engine::{Engine, EngineError, Root, Sums};
use crate::prepare::Prepared;

/// Engines that together search from every root of a graph, unless it is contracted.
pub struct CpuSearch<'g> {
    prepared: &'g Prepared,
    fast: Box<dyn Engine + 'g>,
    /// Made when it is first needed: hardly any graph does.
    wide: Option<Box<dyn Engine + 'g>>,
    wide_roots: usize,
    /// Whether all roots given last had too many paths for the fast engine.
    all_wide: bool,
}

impl<'g> CpuSearch<'g> {
    pub(super) fn new(prepared: &'g Prepared, fast: Box<dyn Engine + 'g>) -> Self {
        CpuSearch {
            prepared,
            fast,
            wide: None,
            wide_roots: 0,
            all_wide: false,
        }
    }

    /// How many roots so far had more shortest paths than f64 can count.
    pub fn wide_roots(&self) -> usize {
        self.wide_roots
    }
}

impl Engine for CpuSearch<'_> {
    fn roots_wanted(&self) -> usize {
        match &self.wide {
            // The fast engine does not know how long they take.
            Some(wide) if self.all_wide => wide.roots_wanted(),
            _ => self.fast.roots_wanted(),
        }
    }

    fn roots_together(&self) -> usize {
        match &self.wide {
            Some(wide) if self.all_wide => wide.roots_together(),
            _ => self.fast.roots_together(),
        }
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        self.all_wide = false;
        match self.fast.search(roots) {
            Err(EngineError::Uncounted { roots: uncounted }) => {
                let wide = self.wide.get_or_insert_with(|| wide::engine(self.prepared));
                wide.search(&uncounted)?;
                self.wide_roots += uncounted.len();
                self.all_wide = uncounted.len() == roots.len();
                Ok(())
            }
            result => result,
        }
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        self.fast.collect(sums)?;
        match &mut self.wide {
            Some(wide) => wide.collect(sums),
            None => Ok(()),
        }
    }
}
