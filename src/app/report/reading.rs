//! Shows how much of a file has been read, on a terminal only.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressState, ProgressStyle};

use super::progress::{QUIET_FOR, Shown, Status};

/// Calls `read` with a counter, to which it adds the bytes read from the file at `path`
/// (compressed, if the file is). Shows their number after a second, if there is a terminal.
pub fn watched<T>(path: &Path, shown: Shown, read: impl FnOnce(Arc<AtomicU64>) -> T) -> T {
    let name = match path.as_os_str() == "-" {
        true => "standard input".into(),
        false => path
            .file_name()
            .unwrap_or(path.as_os_str())
            .to_string_lossy(),
    };
    let (name, start) = (name.into_owned(), Instant::now());
    let size = fs::metadata(path).ok().filter(fs::Metadata::is_file);
    let size = size.map(|metadata| format!(" of {}", HumanBytes(metadata.len())));
    let size = size.unwrap_or_default();
    let counter = Arc::new(AtomicU64::new(0));
    let bytes = Arc::clone(&counter);
    let write = move |_: &ProgressState, out: &mut dyn Write| {
        let time = start.elapsed();
        if time >= QUIET_FOR {
            let _ = out.write_str(&words(&name, bytes.load(Ordering::Relaxed), &size, time));
        }
    };
    let style = ProgressStyle::with_template("{shown}");
    let style = style.map(|style| style.with_key("shown", write));
    let _line = Status::styled(shown, style).animated();
    read(counter)
}

/// Returns the text to show: the bytes read of the file's `size`, or the time if none are counted.
fn words(name: &str, bytes: u64, size: &str, time: Duration) -> String {
    match bytes {
        0 => format!("reading {name}, {} s", time.as_secs()),
        _ => format!("reading {name}: {}{size}", HumanBytes(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_has_the_size_if_it_is_known() {
        let shown = |bytes, size| words("graph.txt", bytes, size, Duration::from_secs(3));
        assert_eq!(shown(0, " of 6 B"), "reading graph.txt, 3 s");
        let text = "reading graph.txt: 3.00 MiB of 6.00 MiB";
        assert_eq!(shown(3 << 20, " of 6.00 MiB"), text);
        assert_eq!(shown(3 << 20, ""), "reading graph.txt: 3.00 MiB");
    }

    #[test]
    fn without_a_terminal_bytes_are_only_counted() {
        let counted = watched(Path::new("-"), Shown::Never, |counter| {
            counter.fetch_add(7, Ordering::Relaxed);
            counter
        });
        assert_eq!(counted.load(Ordering::Relaxed), 7);
    }
}
