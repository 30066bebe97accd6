//! The choice of vector instructions at run time. Searches of batches are compiled once for each
//! instruction set.

use super::vectors::Portable;
pub(super) use super::vectors::Vectors;
#[cfg(target_arch = "x86_64")]
use super::vectors::{Avx2, Avx512};
use crate::engine::{EngineError, Root};

/// The vector instructions that searches of batches are compiled for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Simd {
    /// The instructions that every machine of the target has: SSE2 on x86-64, NEON on AArch64.
    Portable,
    /// Vectors of 256 bits, and instructions of the same generation (x86-64).
    Avx2,
    /// Vectors of 512 bits (x86-64).
    Avx512,
}

impl Simd {
    /// Returns whether this machine has the instructions: all those in the `enable` lists below.
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        use std::arch::is_x86_feature_detected as has;
        match self {
            Simd::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => has!("avx2") && has!("bmi1") && has!("popcnt"),
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => Simd::Avx2.is_available() && has!("avx512f") && has!("avx512bw"),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// Returns the kinds that this machine has, the widest last.
    pub fn available() -> Vec<Simd> {
        let all = [Simd::Portable, Simd::Avx2, Simd::Avx512].into_iter();
        all.filter(|simd| simd.is_available()).collect()
    }

    /// Returns the widest kind that this machine has.
    pub fn best() -> Simd {
        Self::available().pop().unwrap_or(Simd::Portable)
    }

    /// Calls [`BatchSearch::batch`], compiled for these instructions.
    ///
    /// # Panics
    /// If this machine does not have the instructions.
    pub(super) fn batch<S: BatchSearch>(
        self,
        search: &mut S,
        roots: &[Root],
    ) -> Result<u64, EngineError> {
        assert!(self.is_available(), "this machine does not have {self:?}");
        match self {
            // SAFETY: the processor has these instructions.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => unsafe { avx2(search, roots) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => unsafe { avx512(search, roots) },
            _ => search.batch::<Portable>(roots),
        }
    }
}

/// A search from several roots together.
pub(super) trait BatchSearch {
    /// Searches from these roots, at most one for each lane. Returns the lanes that could not be
    /// searched, a bit for each; if there are any, nothing is added. Implementations, and all
    /// functions that they call, must be inlined, since only the function into which they are
    /// inlined is compiled for the vector instructions.
    fn batch<V: Vectors>(&mut self, roots: &[Root]) -> Result<u64, EngineError>;
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn avx2<S: BatchSearch>(search: &mut S, roots: &[Root]) -> Result<u64, EngineError> {
    search.batch::<Avx2>(roots)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx2,bmi1,popcnt")]
fn avx512<S: BatchSearch>(search: &mut S, roots: &[Root]) -> Result<u64, EngineError> {
    search.batch::<Avx512>(roots)
}
