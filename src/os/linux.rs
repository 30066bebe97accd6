//! Threads, and facts about machine and process, from the files of Linux in `/proc`.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};

use rustix::process::{Pid, setpriority_process};
use rustix::thread::gettid;

/// The lowest priority of a thread.
const LOWEST: i32 = 19;

/// Gives the lowest priority to the calling thread and threads that it will start, or to all others
/// of this process with this name, which threads inherit.
pub fn lower_priority(name: Option<&str>) {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten();
    let threads = threads.flatten().filter(|thread| {
        let found = fs::read_to_string(thread.path().join("comm"));
        found.is_ok_and(|found| Some(found.trim_end()) == name)
    });
    let numbers = threads.filter_map(|thread| thread.file_name().to_str()?.parse().ok());
    let others = numbers.filter(|&number| number != gettid().as_raw_nonzero().get());
    let chosen = others
        .map(Pid::from_raw)
        .chain(name.is_none().then_some(None));
    // A failure only slows other threads down.
    chosen.for_each(|thread| _ = setpriority_process(thread, LOWEST));
}

/// Returns the model name of the CPU, if it is known.
pub fn cpu_model() -> Option<String> {
    // Reads only up to the first name, since the whole file takes milliseconds on a machine with
    // many cores.
    let mut lines = BufReader::new(File::open("/proc/cpuinfo").ok()?)
        .lines()
        .map_while(Result::ok);
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
