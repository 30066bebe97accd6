//! Opening an input, decompressing it and cutting it into lines.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, Cursor, Read};
use std::path::Path;
use std::rc::Rc;

use memchr::{memchr, memchr_iter};
use niffler::basic::compression::Format as Compression;

use super::error::Problem;

/// The path that stands for standard input.
const STDIN: &str = "-";

/// Bytes of text held at a time, unless one line is longer.
const BUFFER: usize = 256 << 10;

/// Bytes that tell compressed data from text.
const MAGIC: usize = 5;

/// Opens a file, or standard input for `-`. Nothing is decompressed yet.
pub(super) fn open(path: &Path) -> Result<Box<dyn Read>, Problem> {
    if path.as_os_str() == STDIN {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Problem::NotFound,
        kind => Problem::Open {
            reason: kind.to_string(),
        },
    })?;
    // Opening a directory succeeds; only reading it would fail.
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(Problem::Directory);
    }
    Ok(Box::new(file))
}

/// How messages call the input at `path`.
pub(super) fn name(path: &Path) -> String {
    if path.as_os_str() == STDIN {
        "<stdin>".into()
    } else {
        path.display().to_string()
    }
}

/// Counts the bytes that pass.
struct Counted<R> {
    stream: R,
    bytes: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.bytes.set(self.bytes.get() + count as u64);
        Ok(count)
    }
}

/// Wraps `stream` in a decompressor if its first bytes ask for one. Short and empty streams, which
/// are too short to be told by the library, are text.
fn decompressed<'a>(mut stream: Box<dyn Read + 'a>) -> Result<Box<dyn Read + 'a>, Problem> {
    let broken = |error: io::Error| Problem::of_stream(&error);
    let mut magic = Vec::with_capacity(MAGIC);
    stream
        .by_ref()
        .take(MAGIC as u64)
        .read_to_end(&mut magic)
        .map_err(broken)?;
    if magic.len() < MAGIC {
        let compressed = magic.starts_with(b"\x1f\x8b") || magic.starts_with(b"\x28\xb5\x2f\xfd");
        return if compressed {
            Err(Problem::Truncated)
        } else {
            Ok(Box::new(Cursor::new(magic)))
        };
    }
    // The library takes any text that starts with BZ for bzip2.
    let bzip = magic.starts_with(b"BZh") && magic[4] == b'1';
    let whole = Box::new(Cursor::new(magic).chain(stream));
    let library = |error| match error {
        niffler::Error::IOError(error) => Problem::of_stream(&error),
        other => Problem::Damaged {
            reason: other.to_string(),
        },
    };
    let (whole, compression) = niffler::basic::sniff(whole).map_err(library)?;
    match compression {
        Compression::Gzip | Compression::Zstd => {
            Ok(niffler::basic::get_reader(whole).map_err(library)?.0)
        }
        Compression::Lzma => Err(Problem::Compression { name: "xz" }),
        Compression::Bzip if bzip => Err(Problem::Compression { name: "bzip2" }),
        Compression::Bzip | Compression::No => Ok(whole),
    }
}

/// Cuts a stream into lines through one buffer, which grows only for a line that it cannot hold.
pub(super) struct LineReader<'a> {
    stream: Box<dyn Read + 'a>,
    compressed_bytes: Rc<Cell<u64>>,
    buffer: Vec<u8>,
    /// Where the line last returned starts.
    last: usize,
    /// Where the next line starts.
    next: usize,
    /// Where the text read so far ends.
    end: usize,
    /// Number of the line last returned, from 1.
    number: u64,
    exhausted: bool,
}

impl<'a> LineReader<'a> {
    /// Starts at the first byte of `stream`, which may be compressed; a UTF-8 byte order mark is
    /// skipped.
    ///
    /// # Errors
    /// [`Problem`] when the first bytes cannot be read, or there are none.
    pub fn new(stream: Box<dyn Read + 'a>) -> Result<Self, Problem> {
        Self::with_buffer(stream, BUFFER)
    }

    fn with_buffer(stream: Box<dyn Read + 'a>, size: usize) -> Result<Self, Problem> {
        let compressed_bytes = Rc::new(Cell::new(0));
        let counted = Counted {
            stream,
            bytes: Rc::clone(&compressed_bytes),
        };
        let mut lines = LineReader {
            stream: decompressed(Box::new(counted))?,
            compressed_bytes,
            buffer: vec![0; size],
            last: 0,
            next: 0,
            end: 0,
            number: 0,
            exhausted: false,
        };
        lines.fill()?;
        if lines.end == 0 {
            return Err(Problem::Empty);
        }
        if lines.buffer[..lines.end].starts_with(b"\xef\xbb\xbf") {
            lines.next = 3;
        }
        Ok(lines)
    }

    /// The text that is buffered but not yet returned: at the start, the head of the input.
    pub fn buffered(&self) -> &[u8] {
        &self.buffer[self.next..self.end]
    }

    /// Number of the line last returned, from 1; 0 before the first.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Bytes taken from the input so far, before decompression.
    pub fn bytes(&self) -> u64 {
        self.compressed_bytes.get()
    }

    /// The next line without its end, which is LF, CR LF or the end of the input.
    ///
    /// # Errors
    /// [`Problem`] when reading or decompressing fails.
    #[inline]
    pub fn line(&mut self) -> Result<Option<&[u8]>, Problem> {
        let mut searched = self.next;
        let end = loop {
            if let Some(length) = memchr(b'\n', &self.buffer[searched..self.end]) {
                break searched + length;
            }
            if self.exhausted {
                if self.next == self.end {
                    return Ok(None);
                }
                break self.end;
            }
            let unread = self.end - self.next;
            self.fill()?;
            searched = self.next + unread;
        };
        self.last = self.next;
        self.next = (end + 1).min(self.end);
        self.number += 1;
        let line = &self.buffer[self.last..end];
        Ok(Some(line.strip_suffix(b"\r").unwrap_or(line)))
    }

    /// Makes the next call of [`Self::line`] return the same line again.
    pub fn step_back(&mut self) {
        if self.next != self.last {
            self.next = self.last;
            self.number -= 1;
        }
    }

    /// Moves the unread text to the front, and reads until the buffer is full or the input ends.
    fn fill(&mut self) -> Result<(), Problem> {
        self.buffer.copy_within(self.next..self.end, 0);
        self.end -= self.next;
        (self.last, self.next) = (0, 0);
        if self.end == self.buffer.len() {
            self.buffer.resize(2 * self.end, 0);
        }
        while self.end < self.buffer.len() {
            match self.stream.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    self.exhausted = true;
                    break;
                }
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Problem::of_stream(&error)),
            }
        }
        Ok(())
    }
}

/// The text as a stream, for readers that do not go by lines. [`LineReader::number`] is the line of the
/// byte that was taken last.
pub(super) struct Stream<'r, 'a>(pub &'r mut LineReader<'a>);

impl BufRead for Stream<'_, '_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let lines = &mut *self.0;
        if lines.next == lines.end && !lines.exhausted {
            lines.fill().map_err(io::Error::other)?;
        }
        Ok(lines.buffered())
    }

    fn consume(&mut self, count: usize) {
        let lines = &mut *self.0;
        let taken = &lines.buffer[lines.next..lines.next + count];
        lines.number = lines.number.max(1) + memchr_iter(b'\n', taken).count() as u64;
        lines.next += count;
        lines.last = lines.next;
    }
}

impl Read for Stream<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;

    fn lines(bytes: &[u8], buffer: usize) -> Result<Vec<Vec<u8>>, Problem> {
        let mut reader = LineReader::with_buffer(Box::new(bytes), buffer)?;
        let mut lines = Vec::new();
        while let Some(line) = reader.line()? {
            lines.push(line.to_vec());
        }
        assert_eq!(reader.number(), lines.len() as u64);
        assert_eq!(reader.bytes(), bytes.len() as u64);
        Ok(lines)
    }

    fn compressed(bytes: &[u8], format: Compression) -> Vec<u8> {
        let mut out = Vec::new();
        niffler::basic::get_writer(Box::new(&mut out), format, niffler::Level::One)
            .expect("both formats are built in")
            .write_all(bytes)
            .expect("memory can be written");
        out
    }

    #[test]
    fn lines_end_at_lf_cr_lf_or_the_end() {
        let expected = [&b"a"[..], b"", b"b\rc", b"d"];
        assert_eq!(lines(b"a\n\r\nb\rc\r\nd", 4).expect("plain"), expected);
        assert_eq!(lines(b"a\n\nb\rc\nd\n", 4).expect("plain"), expected);
        assert_eq!(lines(b"\xef\xbb\xbfa\n", 9).expect("plain"), [b"a"]);
    }

    #[test]
    fn a_line_can_be_had_twice() {
        let mut reader = LineReader::with_buffer(Box::new(&b"ab\ncd"[..]), 2).expect("plain");
        reader.step_back();
        for (line, number) in [(b"ab", 1), (b"cd", 2)] {
            for _ in 0..2 {
                assert_eq!(reader.line(), Ok(Some(&line[..])));
                assert_eq!(reader.number(), number);
                reader.step_back();
            }
            reader.line().expect("plain");
        }
        assert_eq!(reader.line(), Ok(None));
    }

    #[test]
    fn as_a_stream_it_counts_the_lines_that_were_taken() {
        let mut reader = LineReader::with_buffer(Box::new(&b"ab\ncd\n\ne"[..]), 3).expect("plain");
        let mut text = vec![0; 5];
        Stream(&mut reader)
            .read_exact(&mut text)
            .expect("memory can be read");
        assert_eq!((&text[..], reader.number()), (&b"ab\ncd"[..], 2));
        let mut text = String::new();
        Stream(&mut reader)
            .read_to_string(&mut text)
            .expect("memory can be read");
        assert_eq!((&text[..], reader.number()), ("\n\ne", 4));
    }

    #[test]
    fn inputs_shorter_than_any_magic_number_are_text() {
        assert_eq!(lines(b"", 8), Err(Problem::Empty));
        assert_eq!(lines(b"1 2", 8).expect("plain"), [b"1 2"]);
        assert_eq!(lines(b"\n", 8).expect("plain"), [b""]);
        assert_eq!(lines(b"\x1f\x8b", 8), Err(Problem::Truncated));
        assert_eq!(lines(b"\x28\xb5\x2f\xfd", 8), Err(Problem::Truncated));
    }

    #[test]
    fn members_of_a_compressed_file_are_read_one_after_the_other() {
        for format in [Compression::Gzip, Compression::Zstd] {
            let mut bytes = compressed(b"a b\nc", format);
            bytes.extend(compressed(b" d\n", format));
            assert_eq!(lines(&bytes, 4).expect("whole"), [b"a b", b"c d"]);
            assert_eq!(lines(&compressed(b"", format), 4), Err(Problem::Empty));
        }
    }

    #[test]
    fn cut_compressed_data_is_noticed_wherever_it_is_cut() {
        let text: Vec<u8> = (0..2000u32)
            .flat_map(|i| i.to_string().into_bytes())
            .collect();
        for format in [Compression::Gzip, Compression::Zstd] {
            let bytes = compressed(&text, format);
            for length in (4..bytes.len()).step_by(7).chain([bytes.len() - 1]) {
                assert_eq!(
                    lines(&bytes[..length], 64),
                    Err(Problem::Truncated),
                    "{format:?} cut to {length} of {} bytes",
                    bytes.len()
                );
            }
        }
    }

    #[test]
    fn damaged_compressed_data_is_noticed() {
        let text: Vec<u8> = (0..2000u32)
            .flat_map(|i| i.to_string().into_bytes())
            .collect();
        let mut bytes = compressed(&text, Compression::Gzip);
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x55;
        let result = lines(&bytes, 64);
        assert!(matches!(result, Err(Problem::Damaged { .. })), "{result:?}");
    }

    #[test]
    fn other_compression_is_named_and_text_is_not_mistaken_for_it() {
        let bzip = Problem::Compression { name: "bzip2" };
        assert_eq!(lines(b"BZh91AY&SY", 64), Err(bzip));
        let xz = Problem::Compression { name: "xz" };
        assert_eq!(lines(b"\xfd7zXZ\0\0", 64), Err(xz));
        assert_eq!(lines(b"BZ1 A\n", 64).expect("plain"), [b"BZ1 A"]);
    }

    #[test]
    fn what_cannot_be_opened_is_explained() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert_eq!(open(folder.path()).err(), Some(Problem::Directory));
        let missing = folder.path().join("missing");
        assert_eq!(open(&missing).err(), Some(Problem::NotFound));
        assert_eq!(name(Path::new("-")), "<stdin>");
    }

    proptest! {
        #[test]
        fn any_buffer_size_gives_the_same_lines(
            text in "[ab\n\r]{1,40}",
            buffer in 1usize..12,
        ) {
            let mut expected: Vec<&str> = text.split('\n').collect();
            if text.ends_with('\n') {
                expected.pop();
            }
            let expected: Vec<Vec<u8>> = expected
                .into_iter()
                .map(|line| line.strip_suffix('\r').unwrap_or(line).as_bytes().to_vec())
                .collect();
            prop_assert_eq!(lines(text.as_bytes(), buffer), Ok(expected));
        }
    }
}
