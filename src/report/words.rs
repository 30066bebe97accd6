//! The texts of numbers and times in messages. Reports in JSON have all digits.

use serde::Serialize;

/// Returns a time in a suitable unit: `0.8 ms`, `1.2 s`, `4.2 min`, `5.2 h`, `3.1 days`.
pub fn duration(seconds: f64) -> String {
    // The seconds of each unit, and the shortest time that is given in it.
    let units = [
        (86_400.0, 1.5 * 86_400.0, "days"),
        (3_600.0, 1.5 * 3_600.0, "h"),
        (60.0, 90.0, "min"),
        (1.0, 0.9995, "s"),
        (1e-3, 0.0, "ms"),
    ];
    let fits = |&&(_, least, _): &&(f64, f64, &str)| seconds >= least;
    let &(size, _, unit) = units.iter().find(fits).unwrap_or(&(1e-3, 0.0, "ms"));
    let number = seconds / size;
    let decimals = usize::from(number < 9.95);
    format!("{number:.decimals$} {unit}")
}

/// Returns a remaining time: `12 s left`, `less than 1 s left`.
pub fn time_left(seconds: f64) -> String {
    match seconds < 1.0 {
        true => "less than 1 s left".into(),
        false => format!("{} left", duration(seconds)),
    }
}

/// Returns the rate of searches that take `seconds_each`: `12,540/s`, `3.2/s`, `20 s a search`.
pub fn rate(seconds_each: f64) -> String {
    let per_second = 1.0 / seconds_each.max(1e-12);
    if per_second >= 9.95 {
        format!("{}/s", grouped(per_second.round() as u64))
    } else if per_second >= 0.095 {
        format!("{per_second:.1}/s")
    } else {
        format!("{} a search", duration(seconds_each))
    }
}

/// Returns a number with separators: `1,234,567`.
pub fn grouped(number: u64) -> String {
    match number / 1000 {
        0 => number.to_string(),
        thousands => format!("{},{:03}", grouped(thousands), number % 1000),
    }
}

/// Returns a number with a noun, given in the singular: `1 vertex`, `34 vertices`, `1,024 roots`.
pub fn counted(number: usize, one: &str) -> String {
    let noun = match one {
        _ if number == 1 => one.to_string(),
        _ if one.ends_with("vertex") => format!("{}ices", &one[..one.len() - 2]),
        _ if one.ends_with("ch") => format!("{one}es"),
        _ => format!("{one}s"),
    };
    format!("{} {noun}", grouped(number as u64))
}

/// Returns a number of bytes in a suitable unit: `1023 B`, `1.5 KiB`, `161.4 MiB`.
pub fn size(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB"];
    let unit = (bytes.max(1).ilog2() as usize / 10).min(3);
    let number = bytes as f64 / f64::from(1 << (10 * unit));
    let decimals = usize::from(unit > 0);
    format!("{number:.decimals$} {}", units[unit])
}

/// Returns the name that a value of an enum has in reports.
pub fn named(value: impl Serialize) -> String {
    let name = serde_json::to_value(value).ok();
    let name = name.and_then(|name| name.as_str().map(String::from));
    name.unwrap_or_default()
}

/// Returns a number with at most twelve significant digits: 0.1 + 0.2 is `0.3`.
pub fn number(value: f64) -> String {
    rounded(value, 12)
}

/// Returns a number with two significant digits: `0.5`, `120000`, `4.4e-16`.
pub fn about(value: f64) -> String {
    rounded(value, 2)
}

/// Returns seconds without unit and exponent, with four significant digits.
pub fn seconds(seconds: f64) -> String {
    let digits = 3 - seconds.abs().max(1e-7).log10().floor() as i32;
    format!("{seconds:.*}", digits.clamp(0, 9) as usize)
}

/// Returns a number with `digits` significant digits, and without an exponent if that is short.
fn rounded(value: f64, digits: usize) -> String {
    let decimals = digits - 1;
    let value: f64 = format!("{value:.decimals$e}").parse().unwrap_or(value);
    if value == 0.0 || (1e-2..1e15).contains(&value.abs()) || !value.is_finite() {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_rates_have_few_digits() {
        let words = [0.0, 0.0123, 0.9997, 1.2, 12.3, 80.0, 100.0, 18_720.0, 1e6].map(duration);
        let expected = "0.0 ms,12 ms,1.0 s,1.2 s,12 s,80 s,1.7 min,5.2 h,12 days";
        assert_eq!(words.join(","), expected);
        let left = [0.0, 7.0].map(time_left);
        assert_eq!(left, ["less than 1 s left", "7.0 s left"]);
        let rates = [1.0 / 12_540.168_6, 1.0 / 3.21, 1.0 / 9.96, 20.0].map(rate);
        assert_eq!(rates, ["12,540/s", "3.2/s", "10/s", "20 s a search"]);
        let sizes = [0, 1023, 1536, 169_201_664, 3 << 40].map(size);
        assert_eq!(sizes.join(","), "0 B,1023 B,1.5 KiB,161.4 MiB,3072.0 GiB");
    }

    #[test]
    fn one_is_no_plural() {
        for (count, noun, words) in [
            (1, "edge", "1 edge"),
            (0, "edge", "0 edges"),
            (1, "vertex", "1 vertex"),
            (1_234, "vertex", "1,234 vertices"),
            (2, "virtual vertex", "2 virtual vertices"),
            (2, "batch", "2 batches"),
        ] {
            assert_eq!(counted(count, noun), words);
        }
    }

    #[test]
    fn digits_from_rounding_are_left_out() {
        let numbers = [0.1 + 0.2, 123_456_789.125, 1e-7].map(number);
        assert_eq!(numbers, ["0.3", "123456789.125", "1e-7"]);
        let numbers = [4.440_892_098_500_626e-16, 0.5, 1.2345e-3, 0.0].map(about);
        assert_eq!(numbers, ["4.4e-16", "0.5", "1.2e-3", "0"]);
    }
}
