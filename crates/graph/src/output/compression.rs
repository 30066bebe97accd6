//! Compressing what is written, as the name of the file asks, and decompressing what is read.

use std::io::{self, BufRead, BufReader, BufWriter, Cursor, Read, Write};

use bzip2::bufread::BzDecoder;
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
    /// Those of `write` and of `file`.
    pub fn write(
        self,
        file: &mut dyn Write,
        write: impl FnOnce(&mut Sink) -> io::Result<()>,
    ) -> io::Result<()> {
        match self {
            Compression::None => filled(&mut *file, write)?,
            Compression::Gzip => {
                let level = flate2::Compression::new(LEVEL);
                filled(GzEncoder::new(&mut *file, level), write)?.finish()?
            }
            Compression::Bzip2 => {
                let level = bzip2::Compression::new(LEVEL);
                filled(BzEncoder::new(&mut *file, level), write)?.finish()?
            }
            Compression::Xz => filled(XzEncoder::new(&mut *file, LEVEL), write)?.finish()?,
            Compression::Zstd => {
                filled(zstd::Encoder::new(&mut *file, LEVEL as i32)?, write)?.finish()?
            }
        };
        file.flush()
    }
}

/// Runs `write` on a buffer over `layer`, and returns the layer with all that was written.
fn filled<W: Write>(
    mut layer: W,
    write: impl FnOnce(&mut Sink) -> io::Result<()>,
) -> io::Result<W> {
    let mut out: Sink = BufWriter::with_capacity(1 << 16, Box::new(&mut layer));
    write(&mut out)?;
    out.flush()?;
    drop(out);
    Ok(layer)
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
    let start = head.first().copied().unwrap_or_default();
    let whole = BufReader::with_capacity(BUFFER, Cursor::new(head).chain(stream));
    let stream: Stream<'a> = match compression {
        Compression::None => Box::new(whole.into_inner()),
        Compression::Gzip => members(whole, start, GzDecoder::new, GzDecoder::into_inner),
        Compression::Bzip2 => members(whole, start, BzDecoder::new, BzDecoder::into_inner),
        Compression::Xz => members(whole, start, XzDecoder::new, XzDecoder::into_inner),
        Compression::Zstd => Box::new(zstd::Decoder::with_buffer(whole)?),
    };
    Ok((stream, compression))
}

/// All members of a compressed file, one after the other. Zeros may follow a member, as tapes leave
/// them.
struct Members<R, D> {
    /// The member that is read; none behind the last one.
    member: Option<D>,
    /// The first byte of every member.
    start: u8,
    open: fn(R) -> D,
    close: fn(D) -> R,
}

fn members<'a, R: BufRead + Send + 'a, D: Read + Send + 'a>(
    stream: R,
    start: u8,
    open: fn(R) -> D,
    close: fn(D) -> R,
) -> Stream<'a> {
    let member = Some(open(stream));
    Box::new(Members {
        member,
        start,
        open,
        close,
    })
}

impl<R: BufRead, D: Read> Read for Members<R, D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let count = member.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let mut rest = self.member.take().map(self.close);
            match rest.as_mut().map_or(Ok(None), skip_zeros)? {
                None => {}
                Some(byte) if byte == self.start => self.member = rest.map(self.open),
                Some(_) => {
                    let text = "other bytes follow its end";
                    return Err(io::Error::new(io::ErrorKind::InvalidData, text));
                }
            }
        }
        Ok(0)
    }
}

/// Skips zeros, and returns the first other byte, if there is one.
fn skip_zeros(stream: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        let bytes = match stream.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        let (next, is_end) = (bytes.get(zeros).copied(), bytes.is_empty());
        stream.consume(zeros);
        if next.is_some() || is_end {
            return Ok(next);
        }
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
