//! Which vector instructions a batch is searched with.

/// Vector instructions that the searches are compiled for; the machine decides at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "app", derive(clap::ValueEnum, schemars::JsonSchema))]
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

/// A method `batch`: `batch_body`, with all that is inlined into it, compiled for the instructions
/// `self.simd`. Who makes a `self` sees to it that the machine has them. `Portable`, `Avx2` and
/// `Avx512` are those in scope.
macro_rules! batch_by_simd {
    ($(#[$doc:meta])* -> $result:ty) => {
        $(#[$doc])*
        fn batch(&mut self, roots: &[Root]) -> $result {
            match self.simd {
                Simd::Portable => self.batch_body::<Portable>(roots),
                // SAFETY: the processor has these instructions; nothing else is asked.
                #[cfg(target_arch = "x86_64")]
                Simd::Avx2 => unsafe { self.batch_avx2(roots) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                Simd::Avx512 => unsafe { self.batch_avx512(roots) },
                #[cfg(not(target_arch = "x86_64"))]
                _ => self.batch_body::<Portable>(roots),
            }
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,bmi1,popcnt")]
        fn batch_avx2(&mut self, roots: &[Root]) -> $result {
            self.batch_body::<Avx2>(roots)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx2,bmi1,popcnt")]
        fn batch_avx512(&mut self, roots: &[Root]) -> $result {
            self.batch_body::<Avx512>(roots)
        }
    };
}
pub(in crate::cpu) use batch_by_simd;
