//! What the operating system says of the machine and of this process.

use std::ffi::{CStr, c_char};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::mem::MaybeUninit;
use std::time::{SystemTime, UNIX_EPOCH};

/// The name of the machine; and its operating system, release and architecture, as in
/// "Linux 6.1.0 x86_64".
pub fn name_and_os() -> Option<(String, String)> {
    let mut names = MaybeUninit::<libc::utsname>::uninit();
    // SAFETY: the call writes to its argument, which is large enough.
    if unsafe { libc::uname(names.as_mut_ptr()) } != 0 {
        return None;
    }
    // SAFETY: a call that succeeds has filled it.
    let names = unsafe { names.assume_init() };
    let text = |field: &[c_char]| {
        let bytes: &[u8] = bytemuck::cast_slice(field);
        let text = CStr::from_bytes_until_nul(bytes).ok()?;
        Some(text.to_string_lossy().into_owned())
    };
    let os = [&names.sysname, &names.release, &names.machine].map(|field| text(field));
    let os: Vec<String> = os.into_iter().flatten().collect();
    Some((text(&names.nodename)?, os.join(" ")))
}

/// The time in UTC as RFC 3339 has it.
pub fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date_and_time(since.map_or(0, |since| since.as_secs()))
}

fn date_and_time(since_1970: u64) -> String {
    let (mut days, second) = (since_1970 / 86400, since_1970 % 86400);
    let is_leap = |year: u64| year.is_multiple_of(4) && (year % 100 != 0 || year % 400 == 0);
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (day, hour, minute) = (days + 1, second / 3600, second / 60 % 60);
    format!(
        "{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}Z",
        second % 60
    )
}

/// The CPU's model name, if the system tells.
pub fn cpu_model() -> Option<String> {
    // To the first of them only: on a machine of many cores, all of it takes milliseconds.
    let lines = BufReader::new(File::open("/proc/cpuinfo").ok()?).lines();
    let mut lines = lines.map_while(Result::ok);
    let line = lines.find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_string())
}

/// Largest resident memory of this process so far, in bytes, if the system tells.
pub fn peak_rss() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(date_and_time(seconds), date);
        }
    }

    #[test]
    fn the_machine_has_a_name_and_a_system() {
        let (name, os) = name_and_os().unwrap();
        assert!(!name.is_empty() && os.split(' ').count() >= 3, "{os}");
    }
}
