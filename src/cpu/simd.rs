//! Which vector instructions a batch is searched with: code that is compiled for each kind of them,
//! and chosen when the program runs.

use super::vectors::Portable;
pub(super) use super::vectors::Vectors;
#[cfg(target_arch = "x86_64")]
use super::vectors::{Avx2, Avx512};
use crate::engine::{EngineError, Root};

/// Vector instructions that the searches are compiled for; the machine decides at run time.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Simd {
    /// What the target always has: SSE2 on x86-64, NEON on AArch64.
    Portable,
    /// 256 bits and what came with them (x86-64).
    Avx2,
    /// 512 bits (x86-64).
    Avx512,
}

impl Simd {
    /// All there are, the widest last.
    const ALL: [Simd; 3] = [Simd::Portable, Simd::Avx2, Simd::Avx512];

    /// Whether this machine can run it. Must imply the `enable` lists below.
    #[cfg(target_arch = "x86_64")]
    pub fn is_available(self) -> bool {
        let avx2 = || {
            is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("popcnt")
        };
        match self {
            Simd::Portable => true,
            Simd::Avx2 => avx2(),
            Simd::Avx512 => {
                avx2()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
            }
        }
    }

    /// Whether this machine can run it.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn is_available(self) -> bool {
        self == Simd::Portable
    }

    /// Those that this machine can run, the widest last.
    pub fn available() -> Vec<Simd> {
        Self::ALL
            .into_iter()
            .filter(|simd| simd.is_available())
            .collect()
    }

    /// The widest that this machine can run.
    pub fn best() -> Simd {
        let mut available = Self::available().into_iter();
        available.next_back().unwrap_or(Simd::Portable)
    }
}

/// A search from several roots together.
pub(super) trait BatchSearch {
    /// What there is to say about a batch.
    type Answer;

    /// Searches from these roots, which are as many as the search has lanes at most. To be inlined,
    /// with all it calls, into a function per kind of vector instructions.
    fn batch<V: Vectors>(&mut self, roots: &[Root]) -> Result<Self::Answer, EngineError>;
}

/// Searches with vector instructions that the machine has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Available(Simd);

impl Available {
    /// # Panics
    /// If this machine does not have `simd`.
    pub(super) fn new(simd: Simd) -> Self {
        assert!(simd.is_available(), "this machine does not have {simd:?}");
        Available(simd)
    }

    /// [`BatchSearch::batch`], compiled for these instructions.
    pub(super) fn batch<S: BatchSearch>(
        self,
        search: &mut S,
        roots: &[Root],
    ) -> Result<S::Answer, EngineError> {
        match self.0 {
            Simd::Portable => search.batch::<Portable>(roots),
            // SAFETY: the processor has these instructions; nothing else is asked.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => unsafe { avx2(search, roots) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => unsafe { avx512(search, roots) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => search.batch::<Portable>(roots),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn avx2<S: BatchSearch>(search: &mut S, roots: &[Root]) -> Result<S::Answer, EngineError> {
    search.batch::<Avx2>(roots)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx2,bmi1,popcnt")]
fn avx512<S: BatchSearch>(search: &mut S, roots: &[Root]) -> Result<S::Answer, EngineError> {
    search.batch::<Avx512>(roots)
}
