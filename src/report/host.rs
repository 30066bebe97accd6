//! Facts about the machine and this process, from the operating system.

use std::env;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::time::SystemTime;

/// Returns the name of the machine, and its operating system, release and architecture, as in
/// "Linux 6.1.0 x86_64".
pub fn name_and_os() -> Option<(String, String)> {
    let read = |name: &str| fs::read_to_string(format!("/proc/sys/kernel/{name}")).ok();
    let [name, kind, release] = ["hostname", "ostype", "osrelease"].map(read);
    let os = format!("{} {} {}", kind?.trim(), release?.trim(), env::consts::ARCH);
    Some((name?.trim().to_string(), os))
}

/// Returns the time in UTC by RFC 3339, in whole seconds.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// Returns the model name of the CPU, if it is known.
pub fn cpu_model() -> Option<String> {
    // Reads only up to the first name, since the whole file takes milliseconds on a machine with
    // many cores.
    let lines = BufReader::new(File::open("/proc/cpuinfo").ok()?).lines();
    let mut lines = lines.map_while(Result::ok);
    let line = lines.find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_string())
}

/// Returns the peak resident memory of this process in bytes, if it is known.
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
    fn the_date_has_a_fixed_form() {
        let (now, form) = (now(), "0000-00-00T00:00:00Z");
        let digits = now.replace(|letter: char| letter.is_ascii_digit(), "0");
        assert_eq!(digits, form);
    }

    #[test]
    fn the_machine_has_a_name_and_a_system() {
        let (name, os) = name_and_os().unwrap();
        assert!(!name.is_empty() && os.split(' ').count() >= 3, "{os}");
    }
}
