//! Kinds of vector instructions, as types that traits are implemented for.

/// What the compiler makes of plain loops.
pub(super) struct Portable;

/// 256 bits.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx2;

/// 512 bits.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx512;
