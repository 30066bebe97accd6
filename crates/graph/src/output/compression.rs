//! Compressing what is written, as the name of the file asks, and decompressing what is read.

use std::io::{self, BufRead, BufReader, BufWriter, Cursor, Read, Write};

use bzip2::bufread::MultiBzDecoder;
use bzip2::write::BzEncoder;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use liblzma::bufread::XzDecoder;
use liblzma::write::XzEncoder;

/// Bytes that show how a file is compressed.
const LOOK_AT: u64 = 5;

/// Bytes of a compressed stream that are read at a time.
const BUFFER: usize = 256 << 10;

/// How hard all of them compress, of 1 to 9.
const LEVEL: u32 = 6;

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

/// What is read from.
pub type Stream<'a> = Box<dyn Read + Send + 'a>;

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

    /// How messages call it; `None` for what is not compressed.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Compression::None => None,
            Compression::Gzip => Some("gzip"),
            Compression::Bzip2 => Some("bzip2"),
            Compression::Xz => Some("xz"),
            Compression::Zstd => Some("zstd"),
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
        let mut recorded = Recorded { file, error: None };
        {
            let file = &mut recorded;
            let layer: Box<dyn Write + '_> = match self {
                Compression::None => Box::new(file),
                Compression::Gzip => {
                    Box::new(GzEncoder::new(file, flate2::Compression::new(LEVEL)))
                }
                Compression::Bzip2 => {
                    Box::new(BzEncoder::new(file, bzip2::Compression::new(LEVEL)))
                }
                Compression::Xz => Box::new(XzEncoder::new(file, LEVEL)),
                Compression::Zstd => {
                    Box::new(zstd::Encoder::new(file, LEVEL as i32)?.auto_finish())
                }
            };
            let mut out = BufWriter::with_capacity(1 << 16, layer);
            write(&mut out)?;
            out.flush()?;
        }
        recorded.flush()?;
        recorded.error.map_or(Ok(()), Err)
    }
}

/// Takes away what compresses a stream, if its first bytes show that something does, and returns
/// what does.
///
/// # Errors
/// Those of the stream.
pub fn decompressed<'a>(
    mut stream: impl Read + Send + 'a,
) -> io::Result<(Stream<'a>, Compression)> {
    let mut head = Vec::new();
    stream.by_ref().take(LOOK_AT).read_to_end(&mut head)?;
    let compression = match head[..] {
        [0x1f, 0x8b, ..] => Compression::Gzip,
        // A frame, or one to be skipped, as tools of several threads put in front.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Compression::Zstd,
        [0xfd, b'7', b'z', b'X', ..] => Compression::Xz,
        [b'B', b'Z', b'h', b'1'..=b'9'] | [b'B', b'Z', b'h', b'1'..=b'9', b'1' | 0x17] => {
            Compression::Bzip2
        }
        _ => Compression::None,
    };
    let whole = BufReader::with_capacity(BUFFER, Cursor::new(head).chain(stream));
    let stream: Stream<'a> = match compression {
        Compression::None => Box::new(whole.into_inner()),
        Compression::Gzip => Box::new(Gzip(Some(GzDecoder::new(whole)))),
        Compression::Bzip2 => Box::new(MultiBzDecoder::new(whole)),
        Compression::Xz => Box::new(XzDecoder::new_multi_decoder(whole)),
        Compression::Zstd => Box::new(zstd::Decoder::with_buffer(whole)?),
    };
    Ok((stream, compression))
}

/// All members of a gzip file, one after the other. What follows the last one has to be zeros, as
/// tapes leave them. The member is taken out only while it gives way to the next.
struct Gzip<R>(Option<GzDecoder<R>>);

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(mut member) = self.0.take() {
            let count = member.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                self.0 = Some(member);
                return Ok(count);
            }
            let mut rest = member.into_inner();
            match rest.fill_buf()?.first() {
                None => {}
                Some(0x1f) => self.0 = Some(GzDecoder::new(rest)),
                Some(_) => only_zeros(rest)?,
            }
        }
        Ok(0)
    }
}

fn only_zeros(mut rest: impl BufRead) -> io::Result<()> {
    loop {
        let bytes = rest.fill_buf()?;
        if bytes.iter().any(|&byte| byte != 0) {
            let text = "other bytes follow its end";
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        let count = bytes.len();
        if count == 0 {
            return Ok(());
        }
        rest.consume(count);
    }
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
