//! From numbers to places on an axis.

/// A straight or logarithmic scale.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    log: bool,
    /// The numbers at both ends.
    from: f64,
    to: f64,
    /// Where they are drawn.
    pub ends: (f64, f64),
}

impl Scale {
    /// From zero, or the smallest number if that is negative, to a round number that holds all.
    pub fn linear(values: impl Iterator<Item = f64>, ends: (f64, f64)) -> Scale {
        let (mut from, mut to) = (0f64, 0f64);
        for value in values.filter(|value| value.is_finite()) {
            // So that rounding up, and the difference of the ends, stay finite.
            let value = value.clamp(-1e300, 1e300);
            from = from.min(value);
            to = to.max(value);
        }
        if from == to {
            to = 1.0;
        }
        let step = step((to - from) / 5.0);
        Scale {
            log: false,
            from: (from / step).floor() * step,
            to: (to / step - 1e-9).ceil() * step,
            ends,
        }
    }

    /// Exactly from 0 to `to`.
    pub fn exact(to: f64, ends: (f64, f64)) -> Scale {
        Scale {
            log: false,
            from: 0.0,
            to: if to > 0.0 && to.is_finite() { to } else { 1.0 },
            ends,
        }
    }

    /// Logarithmic; numbers that are not positive have no place on it. At least `least` times
    /// from end to end.
    pub fn log(values: impl Iterator<Item = f64>, least: f64, ends: (f64, f64)) -> Scale {
        let (mut from, mut to) = (f64::INFINITY, 0f64);
        for value in values.filter(|value| value.is_finite() && *value > 0.0) {
            from = from.min(value);
            to = to.max(value);
        }
        if to == 0.0 {
            (from, to) = (1.0, 1.0);
        }
        // A little air at both ends; within what floats can hold.
        let air = 1.08 * (least * from / to).max(1.0).sqrt();
        from = (from / air).max(f64::MIN_POSITIVE);
        to = (to * air).min(f64::MAX);
        if to / from < 100.0 {
            // To numbers that ticks can stand at, so that there are several of them.
            let below = steps(from).into_iter().rfind(|step| *step <= from);
            let above = steps(to).into_iter().find(|step| *step >= to);
            from = below.filter(|step| *step > 0.0).unwrap_or(from);
            to = above.filter(|step| step.is_finite()).unwrap_or(to);
        }
        Scale {
            log: true,
            from,
            to,
            ends,
        }
    }

    /// Where a number is drawn; numbers beyond an end are drawn there.
    pub fn place(&self, value: f64) -> f64 {
        let part = match self.log {
            true => (value.ln() - self.from.ln()) / (self.to.ln() - self.from.ln()),
            false => (value - self.from) / (self.to - self.from),
        };
        let part = if part.is_nan() { 0.0 } else { part };
        let (start, end) = self.ends;
        start + part.clamp(0.0, 1.0) * (end - start)
    }

    /// Whether the number has a place of its own.
    pub fn holds(&self, value: f64) -> bool {
        value.is_finite() && (value > 0.0 || !self.log)
    }

    /// Round numbers within, at most about `most` of them.
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        let most = most.max(2);
        if !self.log {
            let step = step((self.to - self.from) / most as f64);
            let first = (self.from / step - 1e-9).ceil() as i64;
            let count = ((self.to - self.from) / step + 1e-9).floor() as i64;
            // A product, not a sum: 3 * 0.1 has less to round than 0.1 + 0.1 + 0.1.
            let ticks = (first..=first + count).map(|k| k as f64 * step);
            return ticks
                .filter(|tick| *tick <= self.to + step * 1e-6)
                .collect();
        }
        let decades = |every: i32, multiples: &[f64]| -> Vec<f64> {
            let (low, high) = (self.from.log10().floor(), self.to.log10().ceil());
            (low as i32..=high as i32)
                .filter(|exponent| exponent.rem_euclid(every) == 0)
                .flat_map(|exponent| multiples.iter().map(move |m| power(*m, exponent)))
                .filter(|tick| (self.from..=self.to).contains(tick))
                .collect()
        };
        // All multiples only where fewer would be hardly any; powers of ten at growing distances
        // where even those would be too many.
        let all: Vec<f64> = (1..10).map(f64::from).collect();
        let multiples = [(1, &[1.0, 2.0, 5.0][..], 3), (1, &all, 2)].into_iter();
        let powers = (1..32).map(|every| (every, &[1.0][..], 0));
        let tried = multiples
            .chain(powers)
            .map(|(every, m, least)| (decades(every, m), least));
        let mut good = tried.filter(|(ticks, least)| (*least..=most).contains(&ticks.len()));
        good.next().unwrap_or_default().0
    }
}

/// m * 10^exponent, as near to it as a decimal number in source code.
fn power(m: f64, exponent: i32) -> f64 {
    format!("{m}e{exponent}").parse().unwrap_or(0.0)
}

/// 1, 2, 5 and 10 times the power of ten that is the largest up to `value`.
fn steps(value: f64) -> [f64; 4] {
    let exponent = value.log10().floor() as i32;
    [1.0, 2.0, 5.0, 10.0].map(|m| power(m, exponent))
}

/// The round number 1, 2 or 5 times a power of ten that is at least `least`.
fn step(least: f64) -> f64 {
    let mut steps = steps(least.max(1e-300)).into_iter();
    let step = steps.find(|step| *step >= least * (1.0 - 1e-9));
    step.unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ENDS: (f64, f64) = (0.0, 100.0);

    #[test]
    fn linear_scales_begin_at_zero_and_end_at_round_numbers() {
        let scale = Scale::linear([3.0, 87.0].into_iter(), ENDS);
        assert_eq!(scale.place(0.0), 0.0);
        assert_eq!(scale.place(100.0), 100.0);
        assert_eq!(scale.ticks(5), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        let below = Scale::linear([-0.3, 0.1].into_iter(), ENDS);
        assert_eq!(
            below.ticks(5),
            [-0.3, -0.2, -0.1, 0.0, 0.1].map(|x: f64| (x * 10.0).round() * 0.1)
        );
        let none = Scale::linear([].into_iter(), ENDS);
        assert_eq!(none.place(0.0), 0.0);
    }

    #[test]
    fn logarithmic_scales_have_round_ticks_too() {
        let scale = Scale::log([0.001, 10.0].into_iter(), 1.0, ENDS);
        assert_eq!(scale.ticks(6), [0.001, 0.01, 0.1, 1.0, 10.0]);
        let short = Scale::log([0.9, 6.0].into_iter(), 1.0, ENDS);
        assert_eq!(short.ticks(6), [0.5, 1.0, 2.0, 5.0, 10.0]);
        let rounded = Scale::log([0.23, 4.5].into_iter(), 1.0, ENDS);
        assert_eq!(rounded.ticks(6), [0.2, 0.5, 1.0, 2.0, 5.0]);
        assert!(!scale.holds(0.0) && !scale.holds(f64::INFINITY));
    }

    proptest! {
        #[test]
        fn all_numbers_have_a_place_between_the_ends(
            values in prop::collection::vec(any::<f64>(), 0..6),
            most in 0usize..12,
        ) {
            for scale in [
                Scale::linear(values.iter().copied(), ENDS),
                Scale::log(values.iter().copied(), 2.0, ENDS),
            ] {
                for &value in &values {
                    prop_assert!((0.0..=100.0).contains(&scale.place(value)));
                }
                prop_assert!(scale.ticks(most).len() <= 40);
            }
        }
    }
}
