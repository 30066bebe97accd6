//! What a search of some roots tells about a search of more.
//!
//! An engine that takes roots in batches (lanes, or a work-group per root) needs as long for a few
//! roots as for a batch, or nearly. How much longer a full batch takes is not known before one was
//! measured. So a time for more roots is an interval; it closes when samples reach whole batches.
//!
//! The model is T(s) = a + f(b1) + f(b2) + ..., with a fixed cost a >= 0, batches b of at most
//! `unit` roots, and f that does not fall, but rises less than in proportion. The bounds hold for
//! every such T.

/// One engine on a graph: what was measured last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Basis {
    /// Seconds of a single root.
    pub single: f64,
    /// Seconds of `roots`.
    pub seconds: f64,
    /// Roots of the last sample.
    pub roots: usize,
    /// Roots that the engine takes together, at least 1.
    pub unit: usize,
}

/// Seconds that a search may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// At least.
    pub least: f64,
    /// By whole batches: as long as the batches of the sample took.
    pub likely: f64,
    /// At most.
    pub most: f64,
}

impl Basis {
    /// For a search of at least as many `roots` as there were in the sample.
    pub fn predict(&self, roots: usize) -> Estimate {
        if roots <= self.roots {
            let seconds = self.seconds;
            return Estimate {
                least: seconds,
                likely: seconds,
                most: seconds,
            };
        }
        let unit = self.unit.max(1);
        let batches = |roots: usize| roots.max(1).div_ceil(unit) as f64;
        let growth = batches(roots) / batches(self.roots);
        // What the roots of the last, partial batch cost is not known either.
        let full = if roots <= unit {
            roots as f64
        } else {
            batches(roots) * unit as f64
        };
        // Of the last batch nothing is known, and of the sample's how much is fixed cost.
        let whole = (roots / unit) as f64 / batches(self.roots);
        let least = (self.seconds - self.single).max(0.0) * whole;
        let least = least.max(self.seconds);
        let most = (self.seconds * full / self.roots.max(1) as f64).max(least);
        Estimate {
            least,
            likely: (self.seconds * growth).clamp(least, most),
            most,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn samples_below_a_batch_leave_the_time_open() {
        let basis = |roots, seconds| Basis {
            single: 0.9,
            seconds,
            roots,
            unit: 1000,
        };
        let few = basis(10, 1.0).predict(4000);
        assert!((few.least - 1.0).abs() < 1e-9, "{few:?}");
        assert_eq!((few.likely, few.most), (4.0, 400.0));
        let many = basis(2000, 3.0).predict(4000);
        assert_eq!((many.likely, many.most), (6.0, 6.0));
        assert!(many.least > 4.0);
        let all = basis(4000, 5.0).predict(4000);
        assert_eq!((all.least, all.likely, all.most), (5.0, 5.0, 5.0));
    }

    proptest! {
        #[test]
        fn what_fits_the_model_is_within_the_bounds(
            fixed in 0.0..2.0f64,
            base in 0.0..2.0f64,
            per_root in 0.0..0.1f64,
            unit in 1usize..600,
            sample in 1usize..2000,
            more in 0usize..4000,
        ) {
            let batch = |roots: usize| if roots == 0 { 0.0 } else { base + per_root * roots as f64 };
            let time = |roots: usize| {
                fixed + (roots / unit) as f64 * batch(unit) + batch(roots % unit)
            };
            let basis = Basis { single: time(1), seconds: time(sample), roots: sample, unit };
            let roots = sample + more;
            let bounds = basis.predict(roots);
            let close = 1e-9 * (1.0 + time(roots));
            prop_assert!(bounds.least <= time(roots) + close, "{bounds:?} {}", time(roots));
            prop_assert!(bounds.most >= time(roots) - close, "{bounds:?} {}", time(roots));
            prop_assert!(bounds.least <= bounds.likely && bounds.likely <= bounds.most);
        }
    }
}
