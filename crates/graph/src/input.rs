//! Opens an input, decompresses it and splits it into lines.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use memchr::{memchr, memchr_iter};

use super::error::Problem;
use crate::output;
pub(super) use crate::output::Stream;

/// The path that stands for standard input.
const STDIN: &str = "-";

/// The size of the buffer in bytes, unless a line is longer.
const BUFFER: usize = 256 << 10;

/// The largest number of bytes in a line. Long lines occur in formats that list all neighbours of a
/// vertex in a line, such as METIS.
pub(super) const LONGEST_LINE: usize = 512 << 20;

/// Opens a file, or standard input for `-`. Nothing is decompressed yet.
pub(super) fn open(path: &Path) -> Result<Stream<'static>, Problem> {
    if path.as_os_str() == STDIN {
        return Ok(Box::new(io::stdin()));
    }
    let file = File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => unfit!("no such file (check the path)"),
        // Windows does not open folders.
        _ if path.is_dir() => Problem::of_decoder(&io::ErrorKind::IsADirectory.into(), ""),
        _ => unfit!("cannot be opened: {error} (check the path and the permissions)"),
    })?;
    Ok(Box::new(file))
}

/// Returns the name of the input at `path` in messages.
pub(super) fn name(path: &Path) -> String {
    match path.as_os_str() == STDIN {
        true => "<stdin>".into(),
        false => path.display().to_string(),
    }
}

/// A stream that counts the bytes taken from it.
struct Counted<R> {
    stream: R,
    bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// A decompressed stream, and the name of its compression for messages.
pub(super) struct Decoded<'a> {
    stream: Stream<'a>,
    kind: &'static str,
    /// Whether the end of the stream was read.
    pub ended: bool,
}

impl Decoded<'_> {
    /// Reads into `buffer` from `start` on until the buffer is full or the stream ends. Returns the
    /// end of the text in the buffer.
    pub fn read_to(&mut self, buffer: &mut [u8], start: usize) -> Result<usize, Problem> {
        let mut end = start;
        while end < buffer.len() && !self.ended {
            match self.stream.read(&mut buffer[end..]) {
                Ok(0) => self.ended = true,
                Ok(count) => end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Problem::of_decoder(&error, self.kind)),
            }
        }
        Ok(end)
    }
}

/// Splits a stream into lines. Its buffer grows only for a line that does not fit into it.
pub(super) struct LineReader<'a> {
    stream: Decoded<'a>,
    buffer: Vec<u8>,
    /// The start of the line last returned.
    last_start: usize,
    /// The start of the next line.
    next_start: usize,
    /// The end of the text read so far.
    end: usize,
    /// The number of the line last returned, from 1; 0 before the first. Messages about the current
    /// line name this one.
    pub number: u64,
}

impl<'a> LineReader<'a> {
    /// Reads `stream`, which may be compressed, from its first byte after a UTF-8 byte order mark.
    /// `count` grows by the number of bytes that are read from `stream`, before decompression.
    ///
    /// # Errors
    /// [`Problem`] if the first bytes cannot be read, or the stream is empty.
    pub fn new(stream: Stream<'a>, count: Arc<AtomicU64>) -> Result<Self, Problem> {
        Self::with_buffer(stream, count, BUFFER)
    }

    fn with_buffer(
        stream: Stream<'a>,
        bytes: Arc<AtomicU64>,
        size: usize,
    ) -> Result<Self, Problem> {
        let read = output::decompressed(Counted { stream, bytes });
        let (stream, kind) = read.map_err(|error| Problem::of_stream(&error))?;
        let mut lines = LineReader {
            stream: Decoded {
                stream,
                kind,
                ended: false,
            },
            buffer: vec![0; size],
            last_start: 0,
            next_start: 0,
            end: 0,
            number: 0,
        };
        lines.fill()?;
        if lines.end == 0 {
            return Err(unfit!(
                "the file is empty (check the path, or write the file again)"
            ));
        }
        if lines.buffer[..lines.end].starts_with(b"\xef\xbb\xbf") {
            lines.next_start = 3;
        }
        Ok(lines)
    }

    /// Returns the text that was read but not returned yet: at first, the start of the input.
    pub fn buffered(&self) -> &[u8] {
        &self.buffer[self.next_start..self.end]
    }

    /// Returns whether the rest of the input is [buffered](Self::buffered).
    pub fn exhausted(&self) -> bool {
        self.stream.ended
    }

    /// Returns the next line without its end, which is LF, CR LF or the end of the input.
    ///
    /// # Errors
    /// [`Problem`] when reading or decompressing fails.
    #[inline]
    pub fn line(&mut self) -> Result<Option<&[u8]>, Problem> {
        let mut searched = self.next_start;
        let end = loop {
            if let Some(length) = memchr(b'\n', &self.buffer[searched..self.end]) {
                break searched + length;
            }
            if self.exhausted() {
                if self.next_start == self.end {
                    return Ok(None);
                }
                break self.end;
            }
            let unread = self.end - self.next_start;
            if unread >= LONGEST_LINE {
                self.number += 1;
                return Err(Problem::line_too_long(LONGEST_LINE));
            }
            self.fill()?;
            searched = self.next_start + unread;
        };
        self.last_start = self.next_start;
        self.next_start = (end + 1).min(self.end);
        self.number += 1;
        let line = &self.buffer[self.last_start..end];
        Ok(Some(line.strip_suffix(b"\r").unwrap_or(line)))
    }

    /// Returns the next line for which `is_skipped` is false, or an empty line if there is none.
    ///
    /// # Errors
    /// As for [`Self::line`].
    pub fn line_unless(&mut self, is_skipped: impl Fn(&[u8]) -> bool) -> Result<Vec<u8>, Problem> {
        while let Some(line) = self.line()? {
            if !is_skipped(line) {
                return Ok(line.to_vec());
            }
        }
        Ok(Vec::new())
    }

    /// Makes the next call of [`Self::line`] return the same line again.
    pub fn step_back(&mut self) {
        if self.next_start != self.last_start {
            self.next_start = self.last_start;
            self.number -= 1;
        }
    }

    /// Moves the text that was not returned yet to the front of the buffer, and reads until the
    /// buffer is full or the input ends. [`Self::step_back`] has no effect until the next line.
    ///
    /// # Errors
    /// [`Problem`] when reading or decompressing fails.
    pub fn fill(&mut self) -> Result<(), Problem> {
        self.buffer.copy_within(self.next_start..self.end, 0);
        self.end -= self.next_start;
        (self.last_start, self.next_start) = (0, 0);
        if self.end == self.buffer.len() {
            self.buffer.resize(2 * self.end, 0);
        }
        self.end = self.stream.read_to(&mut self.buffer, self.end)?;
        Ok(())
    }

    /// Returns all text that was not returned yet.
    ///
    /// # Errors
    /// [`Problem`] when reading or decompressing fails.
    pub fn whole_text(&mut self) -> Result<Vec<u8>, Problem> {
        let (mut text, rest) = self.take_rest();
        if !mem::replace(&mut rest.ended, true) {
            let read = rest.stream.read_to_end(&mut text);
            read.map_err(|error| Problem::of_decoder(&error, rest.kind))?;
        }
        Ok(text)
    }

    /// Takes the [buffered](Self::buffered) text, and returns it with the stream that continues it,
    /// which has to be read to its end.
    pub fn take_rest(&mut self) -> (Vec<u8>, &mut Decoded<'a>) {
        let mut rest = mem::take(&mut self.buffer);
        rest.truncate(self.end);
        rest.drain(..self.next_start);
        (self.last_start, self.next_start, self.end) = (0, 0, 0);
        (rest, &mut self.stream)
    }
}

/// Reads the text as a stream, for parsers that ignore line ends. [`LineReader::number`] is the
/// line of the next byte.
impl BufRead for LineReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.next_start == self.end {
            self.fill()?;
        }
        Ok(self.buffered())
    }

    fn consume(&mut self, count: usize) {
        let taken = &self.buffer[self.next_start..self.next_start + count];
        self.number = self.number.max(1) + memchr_iter(b'\n', taken).count() as u64;
        self.next_start += count;
        self.last_start = self.next_start;
    }
}

impl Read for LineReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests;
