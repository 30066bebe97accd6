//! The time of a report.

use std::time::SystemTime;

/// Returns the time in UTC by RFC 3339, in whole seconds.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}
