//! How much of a file was read, on a terminal only.

use std::fs;
use std::io::{IsTerminal, stderr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam::channel::{RecvTimeoutError, Sender, bounded};
use indicatif::HumanBytes;

use super::progress::drawn;

/// A file that is read sooner is not shown.
const QUIET_FOR: Duration = Duration::from_secs(1);
/// How often the count is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// Watches a counter of bytes read, and shows it after a second, until it is dropped.
pub struct Reading {
    counter: Arc<AtomicU64>,
    /// Hung up to end the thread, and the thread.
    shown: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Reading {
    /// Of the file at `path`; never shows if not `wanted` or without a terminal.
    pub fn start(path: &Path, wanted: bool) -> Reading {
        let counter = Arc::new(AtomicU64::new(0));
        let shown = (wanted && stderr().is_terminal()).then(|| {
            let name = path.file_name().unwrap_or(path.as_os_str());
            let name = match path.as_os_str() == "-" {
                true => "standard input".to_string(),
                false => name.to_string_lossy().into_owned(),
            };
            let size = fs::metadata(path).ok().filter(fs::Metadata::is_file);
            let size = size.map(|metadata| metadata.len());
            let (hang_up, ended) = bounded(0);
            let counter = Arc::clone(&counter);
            let thread = thread::spawn(move || {
                let start = Instant::now();
                if ended.recv_timeout(QUIET_FOR) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                let line = drawn(None, "{spinner} {wide_msg}");
                while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                    let bytes = counter.load(Ordering::Relaxed);
                    line.set_message(words(&name, bytes, size, start.elapsed()));
                    line.tick();
                }
                line.finish_and_clear();
            });
            (hang_up, thread)
        });
        Reading { counter, shown }
    }

    /// To be counted up by the reader: bytes of the file, before they are decompressed.
    pub fn counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.counter)
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        if let Some((hang_up, thread)) = self.shown.take() {
            drop(hang_up);
            // A display that failed changes nothing.
            let _ = thread.join();
        }
    }
}

/// What is shown; where nothing is counted, for how long the file has been read.
fn words(name: &str, bytes: u64, size: Option<u64>, time: Duration) -> String {
    match size {
        _ if bytes == 0 => format!("reading {name}, {} s", time.as_secs()),
        // What is done with the last bytes takes time too.
        Some(size) if bytes >= size => format!("reading {name}: all of {} read", HumanBytes(size)),
        Some(size) => format!(
            "reading {name}: {} of {} ({} %)",
            HumanBytes(bytes),
            HumanBytes(size),
            100 * bytes / size.max(1)
        ),
        None => format!("reading {name}: {}", HumanBytes(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_the_size_is_said() {
        let said = |bytes, size| words("graph.txt", bytes, size, Duration::from_secs(3));
        assert_eq!(said(0, Some(5)), "reading graph.txt, 3 s");
        let (part, all) = (3 << 20, 6 << 20);
        assert_eq!(
            said(part, Some(all)),
            "reading graph.txt: 3.00 MiB of 6.00 MiB (50 %)"
        );
        assert_eq!(
            said(all, Some(all)),
            "reading graph.txt: all of 6.00 MiB read"
        );
        assert_eq!(said(part, None), "reading graph.txt: 3.00 MiB");
    }

    #[test]
    fn without_a_terminal_bytes_are_only_counted() {
        let reading = Reading::start(Path::new("-"), false);
        reading.counter().fetch_add(7, Ordering::Relaxed);
        assert_eq!(reading.counter().load(Ordering::Relaxed), 7);
    }
}
