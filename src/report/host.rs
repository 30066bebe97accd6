//! What the operating system says of the machine and of this process.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};

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
