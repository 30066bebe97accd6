//! Reads a graph, and shows how much of the file has been read, on a terminal only.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressState, ProgressStyle};

use super::display::{ProgressMode, QUIET_FOR, Status};
use brandes::graph::{Graph, ReadError, ReadOptions, Source, read};

/// Reads the graph at `path`. After a second, shows the number of bytes read (compressed, if the
/// file is), if there is a terminal.
pub fn read_with_progress(
    path: &Path,
    options: &ReadOptions,
    mode: ProgressMode,
) -> Result<(Graph, Source), ReadError> {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = match path.as_os_str() == "-" {
        true => "standard input".to_string(),
        false => name.to_string_lossy().into_owned(),
    };
    let start = Instant::now();
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
    let style = ProgressStyle::with_template("{text}");
    let style = style.map(|style| style.with_key("text", write));
    let _line = Status::styled(mode, style).animated();
    let mut options = options.clone();
    options.progress = Some(counter);
    read(path, &options)
}

/// Returns the text to show: the bytes read, followed by `size`, or the time if no bytes are
/// counted.
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
        let text = |bytes, size| words("graph.txt", bytes, size, Duration::from_secs(3));
        assert_eq!(text(0, " of 6 B"), "reading graph.txt, 3 s");
        let expected = "reading graph.txt: 3.00 MiB of 6.00 MiB";
        assert_eq!(text(3 << 20, " of 6.00 MiB"), expected);
        assert_eq!(text(3 << 20, ""), "reading graph.txt: 3.00 MiB");
    }
}
