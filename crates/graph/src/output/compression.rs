//! Compresses outputs as the suffixes of their names ask, and decompresses inputs.

use std::io::{self, BufReader, BufWriter, Cursor, Read, Write};

use bzip2::bufread::MultiBzDecoder;
use bzip2::write::BzEncoder;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use liblzma::bufread::XzDecoder;
use liblzma::write::XzEncoder;

/// The number of bytes at the start of a file that show how it is compressed.
const MAGIC_LENGTH: u64 = 5;

/// The number of bytes of a compressed stream that are read at a time.
const BUFFER: usize = 256 << 10;

/// The level of compression of all formats, from 1 to 9.
const LEVEL: u32 = 6;

/// The suffixes of [`Compression`], for messages.
pub const SUFFIXES: &str = ".gz, .bz2, .xz or .zst";

/// A format of compressed files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// No compression.
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

/// A buffered writer that may compress.
pub type Sink<'a> = BufWriter<Box<dyn Write + 'a>>;

/// A reader that may decompress.
pub type Stream<'a> = Box<dyn Read + Send + 'a>;

impl Compression {
    /// Returns the compression that the suffix of a file name asks for, and the name without this
    /// suffix.
    pub fn split(name: &str) -> (&str, Compression) {
        let (stem, suffix) = name.rsplit_once('.').unwrap_or_default();
        let compression = match &suffix.to_ascii_lowercase()[..] {
            "gz" => Compression::Gzip,
            "bz2" => Compression::Bzip2,
            "xz" => Compression::Xz,
            "zst" => Compression::Zstd,
            _ => return (name, Compression::None),
        };
        (stem, compression)
    }

    /// Runs `write` on a compressing writer over `file`, and finishes and flushes both.
    ///
    /// # Errors
    /// Those of `write` and of `file`.
    pub fn write(
        self,
        file: &mut dyn Write,
        write: impl FnOnce(&mut Sink) -> io::Result<()>,
    ) -> io::Result<()> {
        match self {
            Compression::None => write_buffered(&mut *file, write)?,
            Compression::Gzip => {
                let level = flate2::Compression::new(LEVEL);
                write_buffered(GzEncoder::new(&mut *file, level), write)?.finish()?
            }
            Compression::Bzip2 => {
                let level = bzip2::Compression::new(LEVEL);
                write_buffered(BzEncoder::new(&mut *file, level), write)?.finish()?
            }
            Compression::Xz => {
                write_buffered(XzEncoder::new(&mut *file, LEVEL), write)?.finish()?
            }
            Compression::Zstd => {
                write_buffered(zstd::Encoder::new(&mut *file, LEVEL as i32)?, write)?.finish()?
            }
        };
        file.flush()
    }
}

/// Runs `write` on a buffer over `layer`, flushes the buffer and returns `layer`.
fn write_buffered<W: Write>(
    mut layer: W,
    write: impl FnOnce(&mut Sink) -> io::Result<()>,
) -> io::Result<W> {
    let mut out: Sink = BufWriter::with_capacity(1 << 16, Box::new(&mut layer));
    write(&mut out)?;
    out.flush()?;
    drop(out);
    Ok(layer)
}

/// Decompresses a stream if its first bytes show that it is compressed. Returns the name of the
/// compression for messages too, or `compressed` if no format is found.
///
/// # Errors
/// Those of the stream.
pub fn decompressed<'a>(
    mut stream: impl Read + Send + 'a,
) -> io::Result<(Stream<'a>, &'static str)> {
    let mut head = Vec::new();
    stream.by_ref().take(MAGIC_LENGTH).read_to_end(&mut head)?;
    let whole = Cursor::new(head.clone()).chain(stream);
    let buffered = |whole| BufReader::with_capacity(BUFFER, whole);
    Ok(match head[..] {
        [0x1f, 0x8b, ..] => (Box::new(MultiGzDecoder::new(buffered(whole))), "gzip"),
        // The second pattern is a skippable frame, which multi-threaded tools write first.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => (
            Box::new(zstd::Decoder::with_buffer(buffered(whole))?),
            "zstd",
        ),
        [0xfd, b'7', b'z', b'X', ..] => (
            Box::new(XzDecoder::new_multi_decoder(buffered(whole))),
            "xz",
        ),
        [b'B', b'Z', b'h', b'1'..=b'9'] | [b'B', b'Z', b'h', b'1'..=b'9', b'1' | 0x17] => {
            (Box::new(MultiBzDecoder::new(buffered(whole))), "bzip2")
        }
        _ => (Box::new(whole), "compressed"),
    })
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
            assert_eq!(Compression::split(name), (stem, compression));
        }
    }

    /// A file on a disk without free space.
    struct FullDisk;

    impl Write for FullDisk {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_noticed_even_at_the_last_compressed_byte() {
        for name in ["a", "a.gz", "a.bz2", "a.xz", "a.zst"] {
            let (_, compression) = Compression::split(name);
            let result = compression.write(&mut FullDisk, |out| out.write_all(b"0 1"));
            let kind = result.map_err(|error| error.kind());
            assert_eq!(kind, Err(io::ErrorKind::StorageFull), "{compression:?}");
        }
    }
}
