//! Where the program was built without MPI, a process is alone.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use super::{RankRecord, settings, started};
use crate::engine::OwnSums;
use crate::error::Error;
use crate::runner::Supply;

/// The processes that search together: there are none.
#[derive(Debug)]
pub struct World(Infallible);

impl World {
    /// `None`.
    ///
    /// # Errors
    /// [`Error::Settings`] if several processes were started together, each of which would search
    /// everything and write the same files.
    pub fn join() -> Result<Option<World>, Error> {
        match started() {
            Some((_, size)) if size > 1 => settings(format!(
                "{size} processes were started together, but this program was built without MPI \
                 (build it with --features mpi, or share the search by `part`)"
            )),
            _ => Ok(None),
        }
    }

    pub(super) fn end(self) {
        match self.0 {}
    }

    /// The number of this process, from 0.
    pub fn rank(&self) -> usize {
        match self.0 {}
    }

    /// How many processes there are.
    pub fn size(&self) -> usize {
        match self.0 {}
    }

    /// The number of this process among those of its machine, and how many these are.
    pub fn local(&self) -> (usize, usize) {
        match self.0 {}
    }

    /// The name of the machine.
    pub fn host(&self) -> String {
        match self.0 {}
    }

    /// How long messages have been waited for.
    pub fn waited(&self) -> Duration {
        match self.0 {}
    }

    pub(super) fn broadcast<T>(&self, _: &mut Vec<T>) {
        match self.0 {}
    }

    pub(crate) fn agree(&self, _: u64) -> bool {
        match self.0 {}
    }

    pub(crate) fn tell(&self, _: &mut u64) {
        match self.0 {}
    }

    pub(crate) fn wait_for_all(&self) {
        match self.0 {}
    }

    pub(crate) fn sum(&self, _: &mut OwnSums) {
        match self.0 {}
    }

    pub(crate) fn gather(&self, _: &RankRecord) -> Vec<RankRecord> {
        match self.0 {}
    }

    pub(crate) fn dealt(&self) {
        match self.0 {}
    }

    pub(crate) fn supply(
        self: &Arc<Self>,
        _: usize,
        _: &[Range<usize>],
        _: usize,
    ) -> Arc<dyn Supply> {
        match self.0 {}
    }
}
