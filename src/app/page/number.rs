//! Numbers as the page shows them: few digits, units beside them.

use brandes::report::words::grouped;

/// 0.00123 s as "1.23 ms": three digits that count.
pub fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds.abs() {
        0.0 => return "0 s".into(),
        s if s < 0.999_5e-3 => (seconds * 1e6, "µs"),
        s if s < 0.999_5 => (seconds * 1e3, "ms"),
        s if s < 9_999.5 => (seconds, "s"),
        _ => return format!("{} s", grouped(seconds.round() as u64)),
    };
    format!("{} {unit}", trimmed(value, 3))
}

/// A count: in full up to 9,999, then 12.3k, 4.5M, 6G.
pub fn short(value: f64) -> String {
    let (value, unit) = match value.abs() {
        v if v < 9_999.5 => return trimmed(value, 4),
        v if v < 999_500.0 => (value / 1e3, "k"),
        v if v < 999.5e6 => (value / 1e6, "M"),
        v if v < 999.5e9 => (value / 1e9, "G"),
        _ => return scientific(value),
    };
    format!("{}{unit}", trimmed(value, 3))
}

/// A positive number of any size: 0.001 to 9,999 as it is, powers of ten around it.
pub fn plain(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-3 {
        scientific(value)
    } else {
        short(value)
    }
}

/// With an exponent.
fn scientific(value: f64) -> String {
    let exponent = value.abs().log10().floor();
    format!("{}e{exponent}", trimmed(value / 10f64.powf(exponent), 3))
}

/// A part of a whole: 0.25 as "25%".
pub fn share(part: f64) -> String {
    format!("{:.0}%", 100.0 * part)
}

/// -0.38 as "−38%".
pub fn percent(part: f64) -> String {
    let text = format!("{:+.0}%", 100.0 * part);
    if text == "+0%" || text == "-0%" {
        return "0%".into();
    }
    text.replace('-', "\u{2212}")
}

/// So many digits that count, zeros at the end of a fraction left out.
fn trimmed(value: f64, digits: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0".into();
    }
    let fraction = digits - 1 - value.abs().log10().floor() as i32;
    let text = format!("{value:.*}", fraction.clamp(0, 12) as usize);
    if text.contains('.') {
        return text.trim_end_matches('0').trim_end_matches('.').into();
    }
    text.parse().map_or(text, grouped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_three_digits_and_a_unit() {
        for (seconds, text) in [
            (0.0, "0 s"),
            (1e-5, "10 µs"),
            (0.001, "1 ms"),
            (0.9994, "999 ms"),
            (0.9996, "1 s"),
            (1.5, "1.5 s"),
            (41.23, "41.2 s"),
            (1234.5, "1,234 s"),
            (86_400.0, "86,400 s"),
        ] {
            assert_eq!(duration(seconds), text);
        }
    }

    #[test]
    fn counts_get_short_and_small_numbers_an_exponent() {
        for (value, text) in [
            (0.0, "0"),
            (12.0, "12"),
            (1000.0, "1,000"),
            (10_000.0, "10k"),
            (2.5e6, "2.5M"),
            (1e9, "1G"),
            (3e12, "3e12"),
        ] {
            assert_eq!(short(value), text);
            assert_eq!(plain(value), text);
        }
        assert_eq!(plain(2e-5), "2e-5");
        assert_eq!(plain(0.25), "0.25");
    }

    #[test]
    fn parts() {
        assert_eq!(percent(-0.384), "\u{2212}38%");
        assert_eq!(percent(0.05), "+5%");
        assert_eq!(percent(-0.001), "0%");
    }
}
