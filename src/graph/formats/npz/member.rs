//! The arrays of an .npz file, which is a zip archive of .npy files: where they are, and their
//! values.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::os::unix::fs::FileExt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use flate2::Crc;
use flate2::read::DeflateDecoder;
use npyz::NpyHeader;
use rayon::prelude::*;
use zip::{CompressionMethod, ZipArchive};

use crate::graph::error::Problem;

/// How messages call the compression.
const KIND: &str = "zip";

/// Values of a piece of an array, the unit of reading.
const PIECE: usize = 1 << 18;

/// Most bytes that stand before the values of an array.
const LONGEST_HEADER: u64 = 1 << 16;

/// Where an archive is.
#[derive(Debug)]
pub(in crate::graph) enum Archive {
    /// In a file that can be read from anywhere.
    File(File),
    /// In memory, having come as a stream.
    Memory(Vec<u8>),
}

impl Archive {
    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<()> {
        match self {
            Archive::File(file) => file.read_exact_at(buffer, position),
            Archive::Memory(bytes) => {
                let start = usize::try_from(position).ok();
                let from = start.and_then(|start| bytes.get(start..)?.get(..buffer.len()));
                let from = from.ok_or(io::ErrorKind::UnexpectedEof)?;
                buffer.copy_from_slice(from);
                Ok(())
            }
        }
    }

    /// Bytes of all.
    pub fn len(&self) -> io::Result<u64> {
        match self {
            Archive::File(file) => Ok(file.metadata()?.len()),
            Archive::Memory(bytes) => Ok(bytes.len() as u64),
        }
    }

    /// All members.
    pub(super) fn members(&self) -> Result<Vec<Member>, Problem> {
        match self {
            Archive::File(file) => directory(BufReader::new(file), self),
            Archive::Memory(bytes) => directory(Cursor::new(&bytes[..]), self),
        }
    }
}

/// A file in the archive.
#[derive(Debug)]
pub(super) struct Member {
    pub name: String,
    start: u64,
    /// Bytes in the archive.
    compressed: u64,
    size: u64,
    deflated: bool,
    crc: u32,
}

fn damaged(reason: impl Into<String>) -> Problem {
    Problem::damaged(KIND, reason.into())
}

fn directory(reader: impl Read + Seek, archive: &Archive) -> Result<Vec<Member>, Problem> {
    let broken = |error: zip::result::ZipError| match error {
        zip::result::ZipError::Io(error) => Problem::of_decoder(&error, KIND),
        other => damaged(other.to_string()),
    };
    let bytes = archive
        .len()
        .map_err(|error| Problem::of_decoder(&error, KIND))?;
    let mut zip = ZipArchive::new(reader).map_err(broken)?;
    let mut members = Vec::new();
    for i in 0..zip.len() {
        let file = zip.by_index_raw(i).map_err(broken)?;
        let name = file.name().map_err(broken)?.into_owned();
        let deflated = match file.compression() {
            CompressionMethod::Stored => false,
            CompressionMethod::Deflated => true,
            other => {
                return Err(unfit!(
                    "{name} is compressed by {other} (save the matrix again with \
                     scipy.sparse.save_npz)"
                ));
            }
        };
        if file.encrypted() {
            return Err(unfit!(
                "the archive is encrypted (decrypt it: unzip, and zip again)"
            ));
        }
        let start = file
            .data_start()
            .ok_or_else(|| damaged("a member has no place"))?;
        let member = Member {
            start,
            compressed: file.compressed_size(),
            size: file.size(),
            deflated,
            crc: file.crc32(),
            name,
        };
        let fits = start
            .checked_add(member.compressed)
            .is_some_and(|end| end <= bytes);
        if !fits || !deflated && member.compressed != member.size {
            return Err(Problem::truncated(KIND));
        }
        members.push(member);
    }
    Ok(members)
}

/// What kind of number the values of an array are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Signed,
    Unsigned,
    Float,
    /// Text of one byte per character.
    Bytes,
    /// Text of four bytes per character.
    Text,
    Other,
}

/// An array, its values not read yet.
pub(super) struct Array<'s> {
    archive: &'s Archive,
    member: &'s Member,
    /// The type as NumPy writes it.
    pub kind_name: String,
    pub kind: Kind,
    big_endian: bool,
    /// Bytes of a value.
    pub width: usize,
    pub count: usize,
    /// Bytes that stand before the values.
    header: usize,
}

/// Part of the archive as a stream.
struct Part<'s> {
    archive: &'s Archive,
    position: u64,
    end: u64,
}

impl Read for Part<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self.end - self.position;
        let count = usize::try_from(rest).map_or(buffer.len(), |rest| rest.min(buffer.len()));
        self.archive.read_at(&mut buffer[..count], self.position)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl Member {
    /// Its text.
    fn stream<'s>(&'s self, archive: &'s Archive) -> Box<dyn Read + 's> {
        let part = Part {
            archive,
            position: self.start,
            end: self.start + self.compressed,
        };
        if self.deflated {
            Box::new(DeflateDecoder::new(BufReader::with_capacity(1 << 16, part)).take(self.size))
        } else {
            Box::new(part)
        }
    }

    /// The array in it.
    pub fn array<'s>(&'s self, archive: &'s Archive) -> Result<Array<'s>, Problem> {
        let mut bytes = Vec::new();
        let malformed = || damaged(format!("{} is no NumPy array", self.name));
        let mut stream = self.stream(archive).take(LONGEST_HEADER);
        // Version 1 has two bytes of length, later ones have four.
        stream
            .by_ref()
            .take(12)
            .read_to_end(&mut bytes)
            .map_err(|error| Problem::of_decoder(&error, KIND))?;
        let header = match bytes[..] {
            [0x93, b'N', b'U', b'M', b'P', b'Y', 1, _, a, b, ..] => {
                10 + usize::from(u16::from_le_bytes([a, b]))
            }
            [0x93, b'N', b'U', b'M', b'P', b'Y', _, _, a, b, c, d] => {
                12 + u32::from_le_bytes([a, b, c, d]) as usize
            }
            _ => return Err(malformed()),
        };
        let more = header.saturating_sub(bytes.len()) as u64;
        stream
            .take(more)
            .read_to_end(&mut bytes)
            .map_err(|error| Problem::of_decoder(&error, KIND))?;
        let parsed = NpyHeader::from_reader(&bytes[..]).map_err(|_| malformed())?;
        let kind_name = parsed.dtype().descr().trim_matches('\'').to_string();
        let mut letters = kind_name.chars();
        let big_endian = letters.next() == Some('>');
        let kind = match letters.next() {
            Some('b') => Kind::Bool,
            Some('i') => Kind::Signed,
            Some('u') => Kind::Unsigned,
            Some('f') => Kind::Float,
            Some('S') => Kind::Bytes,
            Some('U') => Kind::Text,
            _ => Kind::Other,
        };
        let width = letters.as_str().parse().unwrap_or(0);
        let width = match kind {
            Kind::Text => 4usize.saturating_mul(width),
            _ => width,
        };
        let shape = parsed.shape();
        let count = shape
            .iter()
            .try_fold(1u64, |product, &length| product.checked_mul(length))
            .filter(|&count| {
                let bytes = count.checked_mul(width as u64);
                bytes.and_then(|bytes| bytes.checked_add(header as u64)) == Some(self.size)
            });
        let whole = kind == Kind::Other || width == 0;
        let count = match count {
            Some(count) => count,
            None if whole => 0,
            None => {
                return Err(damaged(format!(
                    "{} has another size than it says",
                    self.name
                )));
            }
        };
        Ok(Array {
            archive,
            member: self,
            kind_name,
            kind,
            big_endian,
            width,
            count: count as usize,
            header,
        })
    }
}

/// The first value that did not do, and why.
type First = Mutex<Option<(usize, Problem)>>;

impl Array<'_> {
    pub fn is_integer(&self) -> bool {
        matches!(self.kind, Kind::Signed | Kind::Unsigned)
    }

    /// All values, each made of its bytes, which are turned to have the lowest first. A value that
    /// does not do is told by its position.
    ///
    /// # Errors
    /// [`Problem`] if the array cannot be read, or that of the first value that does not do, with
    /// its position.
    pub fn values<T: Copy + Send + Sync>(
        &self,
        filler: T,
        value: impl Fn(&[u8]) -> Result<T, Problem> + Sync,
    ) -> Result<Vec<T>, (Option<usize>, Problem)> {
        let width = self.width.max(1);
        let first: First = Mutex::new(None);
        let values = self.filled(filler, |bytes, start, slots| {
            for (i, (slot, bytes)) in slots.iter_mut().zip(bytes.chunks_exact(width)).enumerate() {
                match value(bytes) {
                    Ok(value) => *slot = value,
                    Err(problem) => {
                        let mut first = first.lock().unwrap_or_else(|e| e.into_inner());
                        if first.as_ref().is_none_or(|&(at, _)| start + i < at) {
                            *first = Some((start + i, problem));
                        }
                        return;
                    }
                }
            }
        });
        let values = values.map_err(|problem| (None, problem))?;
        match first.into_inner().unwrap_or_else(|e| e.into_inner()) {
            Some((position, problem)) => Err((Some(position), problem)),
            None => Ok(values),
        }
    }

    /// All values of four bytes, and whether one of them, taken as unsigned, is above `last`.
    pub fn words(&self, last: u32) -> Result<(Vec<u32>, bool), Problem> {
        let above = AtomicBool::new(false);
        let words = self.filled(0u32, |bytes, _, slots| {
            let mut largest = 0;
            for (slot, bytes) in slots.iter_mut().zip(bytes.as_chunks::<4>().0) {
                *slot = u32::from_le_bytes(*bytes);
                largest = largest.max(*slot);
            }
            if largest > last {
                above.store(true, Ordering::Relaxed);
            }
        })?;
        Ok((words, above.into_inner()))
    }

    /// Whether each value has these bytes.
    pub fn all_are(&self, value: &[u8]) -> Result<bool, Problem> {
        let other = AtomicBool::new(false);
        self.filled((), |bytes, _, _| {
            let same = match value {
                [byte] => !bytes.iter().fold(false, |other, b| other | (b != byte)),
                value => bytes.chunks_exact(value.len().max(1)).all(|b| b == value),
            };
            if !same {
                other.store(true, Ordering::Relaxed);
            }
        })?;
        Ok(!other.into_inner())
    }

    /// Calls `fill` with the bytes of a piece, each value's lowest first, its start and its values.
    fn filled<T: Copy + Send + Sync>(
        &self,
        filler: T,
        fill: impl Fn(&[u8], usize, &mut [T]) + Sync,
    ) -> Result<Vec<T>, Problem> {
        let width = self.width.max(1);
        let fill = |bytes: &mut [u8], start: usize, slots: &mut [T]| {
            if self.big_endian {
                bytes.chunks_exact_mut(width).for_each(<[u8]>::reverse);
            }
            fill(bytes, start, slots);
        };
        if self.member.deflated {
            self.streamed(filler, &fill)
        } else {
            self.positioned(filler, &fill)
        }
    }

    /// Pieces are read by all threads, each from its own position.
    fn positioned<T: Copy + Send + Sync>(
        &self,
        filler: T,
        fill: &(impl Fn(&mut [u8], usize, &mut [T]) + Sync),
    ) -> Result<Vec<T>, Problem> {
        let broken = |error: io::Error| Problem::of_decoder(&error, KIND);
        let mut head = vec![0; self.header];
        let start = self.member.start;
        self.archive.read_at(&mut head, start).map_err(broken)?;
        let mut sum = Crc::new();
        sum.update(&head);
        let mut values = vec![filler; self.count];
        let pieces: Result<Vec<Crc>, Problem> = values
            .par_chunks_mut(PIECE)
            .enumerate()
            .map_init(Vec::new, |buffer: &mut Vec<u8>, (piece, slots)| {
                buffer.resize(slots.len() * self.width, 0);
                let position = (piece * PIECE * self.width + self.header) as u64;
                self.archive
                    .read_at(buffer, start + position)
                    .map_err(broken)?;
                let mut crc = Crc::new();
                crc.update(buffer);
                fill(buffer, piece * PIECE, slots);
                Ok(crc)
            })
            .collect();
        for crc in pieces? {
            sum.combine(&crc);
        }
        self.check(&sum)?;
        Ok(values)
    }

    /// One piece after the other; memory is taken as the values really come.
    fn streamed<T: Copy + Send + Sync>(
        &self,
        filler: T,
        fill: &(impl Fn(&mut [u8], usize, &mut [T]) + Sync),
    ) -> Result<Vec<T>, Problem> {
        let broken = |error: io::Error| Problem::of_decoder(&error, KIND);
        let mut stream = self.member.stream(self.archive);
        let mut buffer = vec![0; self.header];
        stream.read_exact(&mut buffer).map_err(broken)?;
        let mut sum = Crc::new();
        sum.update(&buffer);
        let mut values = Vec::new();
        while values.len() < self.count {
            let start = values.len();
            let count = PIECE.min(self.count - start);
            buffer.resize(count * self.width, 0);
            stream.read_exact(&mut buffer).map_err(broken)?;
            sum.update(&buffer);
            values.resize(start + count, filler);
            fill(&mut buffer, start, &mut values[start..]);
        }
        self.check(&sum)?;
        Ok(values)
    }

    fn check(&self, sum: &Crc) -> Result<(), Problem> {
        if sum.sum() == self.member.crc {
            return Ok(());
        }
        Err(damaged(format!(
            "{} has another checksum than it says",
            self.member.name
        )))
    }
}
