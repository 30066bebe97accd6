//! Times in words.

/// Seconds in the unit that suits them: `0.8 ms`, `12 s`, `4.2 min`, `5.2 h`, `3.1 days`.
pub fn duration(seconds: f64) -> String {
    let units = [
        (86_400.0, "days"),
        (3_600.0, "h"),
        (60.0, "min"),
        (1.0, "s"),
        (1e-3, "ms"),
    ];
    // A unit is used from 1.5 on, so that there are two digits.
    let fits = |&&(size, _): &&(f64, &str)| seconds >= 1.5 * size;
    let &(size, unit) = units.iter().find(fits).unwrap_or(&(1e-3, "ms"));
    let number = seconds / size;
    if number < 9.95 {
        format!("{number:.1} {unit}")
    } else {
        format!("{number:.0} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        let words = [0.0, 0.0123, 1.2, 1.6, 12.3, 80.0, 100.0, 18_720.0, 1e6].map(duration);
        let expected = [
            "0.0 ms", "12 ms", "1200 ms", "1.6 s", "12 s", "80 s", "1.7 min", "5.2 h", "12 days",
        ];
        assert_eq!(words, expected);
    }
}
