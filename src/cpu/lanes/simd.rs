//! Which vector instructions a batch is searched with.

/// Vector instructions that the searches are compiled for; the machine decides at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
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

    /// Whether this machine can run it. Must imply the `enable` lists in `lanes/mod.rs`.
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
            Simd::Avx512 => avx2() && is_x86_feature_detected!("avx512f"),
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
