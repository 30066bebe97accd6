//! Compressing what is written, as the name of the file asks.

use std::io::{self, BufWriter, Read, Write};

use niffler::basic::compression::Format;

/// Bytes that show how a file is compressed.
const LOOK_AT: u64 = 5;

/// Suffixes of [`Compression`], for messages.
pub const SUFFIXES: &str = ".gz, .bz2, .xz or .zst";

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip: `.gz`.
    Gzip,
    /// bzip2: `.bz2`.
    Bzip2,
    /// xz: `.xz`.
    Xz,
    /// zstd: `.zst`.
    Zstd,
}

/// What is written to: it compresses, or not, what it gets.
pub type Sink<'a> = BufWriter<Box<dyn Write + 'a>>;

impl Compression {
    /// What the suffix of a file name asks for.
    pub fn of(name: &str) -> Compression {
        let suffix = name.rsplit_once('.').map(|(_, suffix)| suffix);
        match suffix.map(str::to_ascii_lowercase).as_deref() {
            Some("gz") => Compression::Gzip,
            Some("bz2") => Compression::Bzip2,
            Some("xz") => Compression::Xz,
            Some("zst") => Compression::Zstd,
            _ => Compression::None,
        }
    }

    /// A file name without the suffix that asks for compression, if it has one.
    pub fn stem(name: &str) -> &str {
        match (Compression::of(name), name.rsplit_once('.')) {
            (Compression::None, _) | (_, None) => name,
            (_, Some((stem, _))) => stem,
        }
    }

    /// Runs `write` on a compressing layer over `file` and makes sure that all of it arrived.
    ///
    /// # Errors
    /// Those of `write`, and those of `file`, as they are.
    pub fn write(
        self,
        file: &mut dyn Write,
        write: impl FnOnce(&mut Sink) -> io::Result<()>,
    ) -> io::Result<()> {
        let format = match self {
            Compression::None => Format::No,
            Compression::Gzip => Format::Gzip,
            Compression::Bzip2 => Format::Bzip,
            Compression::Xz => Format::Lzma,
            Compression::Zstd => Format::Zstd,
        };
        let mut recorded = Recorded { file, error: None };
        {
            let layer =
                niffler::basic::get_writer(Box::new(&mut recorded), format, niffler::Level::Six)
                    .map_err(io::Error::other)?;
            let mut out = BufWriter::with_capacity(1 << 16, layer);
            write(&mut out)?;
            out.flush()?;
        }
        recorded.flush()?;
        recorded.error.map_or(Ok(()), Err)
    }
}

/// Takes away what compresses a stream, if anything does.
///
/// # Errors
/// Those of the stream.
pub fn decompressed<'a>(mut stream: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let mut head = Vec::new();
    stream.by_ref().take(LOOK_AT).read_to_end(&mut head)?;
    let short = head.len() < LOOK_AT as usize;
    let whole = Box::new(io::Cursor::new(head).chain(stream));
    if short {
        return Ok(whole);
    }
    let reader = niffler::basic::get_reader(whole).map_err(io::Error::other)?;
    Ok(reader.0)
}

/// Remembers the first error of the file: the compressors write their last bytes when they are
/// dropped, and would swallow it.
struct Recorded<'a> {
    file: &'a mut dyn Write,
    error: Option<io::Error>,
}

impl Recorded<'_> {
    fn note<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        if let (Err(error), None) = (&result, &self.error) {
            self.error = Some(match error.raw_os_error() {
                Some(code) => io::Error::from_raw_os_error(code),
                None => error.kind().into(),
            });
        }
        result
    }
}

impl Write for Recorded<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.file.write(bytes);
        self.note(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.file.flush();
        self.note(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suffix_decides() {
        for (name, compression, stem) in [
            ("a.csv", Compression::None, "a.csv"),
            ("a.csv.GZ", Compression::Gzip, "a.csv"),
            ("a.zst", Compression::Zstd, "a"),
            ("a.txt.Bz2", Compression::Bzip2, "a.txt"),
            ("a.xz", Compression::Xz, "a"),
            ("gz", Compression::None, "gz"),
        ] {
            assert_eq!(Compression::of(name), compression);
            assert_eq!(Compression::stem(name), stem);
        }
    }

    #[test]
    fn a_full_disk_is_noticed_even_at_the_last_compressed_byte() {
        for compression in [
            Compression::None,
            Compression::Gzip,
            Compression::Bzip2,
            Compression::Xz,
            Compression::Zstd,
        ] {
            let full = std::fs::File::options().write(true).open("/dev/full");
            let result = compression.write(&mut full.unwrap(), |out| out.write_all(b"0 1"));
            let kind = result.map_err(|error| error.kind());
            assert_eq!(kind, Err(io::ErrorKind::StorageFull), "{compression:?}");
        }
    }
}
