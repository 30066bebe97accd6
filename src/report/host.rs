//! The time of a report.

use std::time::SystemTime;

/// Returns the time in UTC by RFC 3339, in whole seconds.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_has_a_fixed_form() {
        let (now, form) = (now(), "0000-00-00T00:00:00Z");
        let digits = now.replace(|letter: char| letter.is_ascii_digit(), "0");
        assert_eq!(digits, form);
    }

    #[test]
    fn the_machine_has_a_name_and_a_system() {
        let (name, os) = crate::os::name_and_os().unwrap();
        assert!(!name.is_empty() && os.split(' ').count() >= 3, "{os}");
    }
}
