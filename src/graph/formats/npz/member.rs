//! The arrays of an .npz file, which is a zip archive of .npy files.

use std::io::{self, Read, Seek};
use std::mem::swap;

use npyz::{DType, Endianness, NpyHeader, TypeChar};
use rayon::prelude::*;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::graph::error::Problem;
use crate::graph::formats::parsed::reserve;

/// How messages call the compression.
const KIND: &str = "zip";

/// Values of an array that are in memory as the file has them.
const PIECE: usize = 1 << 18;

/// Most bytes that stand before the values of an array.
const LONGEST_HEADER: u64 = 1 << 16;

/// What an archive is read from.
pub(in crate::graph) trait Input: Read + Seek + Send {}

impl<T: Read + Seek + Send> Input for T {}

/// A zip archive.
pub(super) struct Archive<'s>(ZipArchive<&'s mut dyn Input>);

/// An array, its values not read yet.
pub(super) struct Array<'s> {
    stream: Box<dyn Read + Send + 's>,
    /// The type as NumPy writes it.
    pub kind_name: String,
    /// `None`: several numbers in one, or others that NumPy makes up.
    pub kind: Option<TypeChar>,
    big_endian: bool,
    /// Bytes of a value.
    pub width: usize,
    pub count: usize,
}

fn problem(error: ZipError) -> Problem {
    match error {
        ZipError::Io(error) => broken(error),
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => unfit!(
            "the zip archive cannot be read: {error} (save the matrix again with \
             scipy.sparse.save_npz)"
        ),
        other => Problem::damaged(KIND, other),
    }
}

/// What stands before the values of an array, if it is no longer than such things are. Its reader
/// would ask for memory of whatever length it declares.
fn header(head: &mut impl Read) -> Option<NpyHeader> {
    // Behind the magic number: version, and length by 16 or 32 bits.
    let mut start = [0; 12];
    head.read_exact(&mut start).ok()?;
    let [.., version, _, a, b, c, d] = start;
    let length = match version {
        1 => u32::from_le_bytes([a, b, 0, 0]),
        _ => u32::from_le_bytes([a, b, c, d]),
    };
    if u64::from(length) > LONGEST_HEADER {
        return None;
    }
    NpyHeader::from_reader(start.chain(head)).ok()
}

impl<'s> Archive<'s> {
    pub fn new(input: &'s mut dyn Input) -> Result<Archive<'s>, Problem> {
        ZipArchive::new(input).map(Archive).map_err(problem)
    }

    /// What its members are called.
    pub fn names(&self) -> Vec<String> {
        let names = self.0.file_names_raw();
        names
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect()
    }

    /// Whether there is an array of this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.index_for_name(&format!("{name}.npy")).is_some()
    }

    /// The array of this name, if there is one.
    pub fn array(&mut self, name: &str) -> Result<Option<Array<'_>>, Problem> {
        let name = format!("{name}.npy");
        let mut stream = match self.0.by_name(&name) {
            Ok(stream) => stream,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(problem(error)),
        };
        let size = stream.size();
        let mut head = stream.by_ref().take(LONGEST_HEADER);
        let header = header(&mut head)
            .ok_or_else(|| Problem::damaged(KIND, format!("{name} is no NumPy array")))?;
        let values = size.saturating_sub(LONGEST_HEADER - head.limit());
        let dtype = header.dtype();
        let (kind, big_endian) = match &dtype {
            DType::Plain(kind) => (Some(kind.type_char()), kind.endianness() == Endianness::Big),
            _ => (None, false),
        };
        let width = dtype.num_bytes().unwrap_or(0);
        let mut lengths = header.shape().iter();
        let count = lengths.try_fold(1u64, |product, &length| product.checked_mul(length));
        let fits = |&count: &u64| count.checked_mul(width as u64) == Some(values);
        let count = match count.filter(fits) {
            Some(count) => count,
            None if width == 0 => 0,
            None => {
                let text = format!("{name} has another size than it says");
                return Err(Problem::damaged(KIND, text));
            }
        };
        Ok(Some(Array {
            stream: Box::new(stream),
            kind_name: dtype.descr().trim_matches('\'').to_string(),
            kind,
            big_endian,
            width,
            count: count as usize,
        }))
    }
}

impl Array<'_> {
    pub fn is_integer(&self) -> bool {
        matches!(self.kind, Some(TypeChar::Int | TypeChar::Uint))
    }

    /// Calls `piece` with the bytes of all values, some values at a time, each value's lowest byte
    /// first. Meanwhile the next ones are read.
    ///
    /// # Errors
    /// [`Problem`] if the array cannot be read, or that of `piece`.
    pub fn pieces(
        mut self,
        mut piece: impl FnMut(&[u8]) -> Result<(), Problem> + Send,
    ) -> Result<(), Problem> {
        let (mut text, mut next) = (Vec::new(), Vec::new());
        let mut rest = self.count;
        while rest > 0 || !text.is_empty() {
            let count = rest.min(PIECE);
            rest -= count;
            next.resize(count * self.width, 0);
            let (read, seen) = rayon::join(
                || self.stream.read_exact(&mut next),
                || {
                    if text.is_empty() {
                        Ok(())
                    } else {
                        piece(&text)
                    }
                },
            );
            seen.and(read.map_err(broken))?;
            if self.big_endian {
                let values = next.chunks_exact_mut(self.width);
                values.for_each(<[u8]>::reverse);
            }
            swap(&mut text, &mut next);
        }
        // At the end the library looks at the checksum.
        self.stream.read(&mut [0]).map_err(broken)?;
        Ok(())
    }

    /// All values, each made of its position and its bytes by `value`.
    ///
    /// # Errors
    /// [`Problem`] if the array cannot be read, or that of the first value that has one.
    pub fn values<T: Copy + Send + Sync>(
        self,
        filler: T,
        value: impl Fn(usize, &[u8]) -> Result<T, Problem> + Sync + Send,
    ) -> Result<Vec<T>, Problem> {
        const AT_A_TIME: usize = 1 << 14;
        let mut values = Vec::new();
        let width = self.width.max(1);
        reserve(&mut values, self.count)?;
        self.pieces(|bytes| {
            let start = values.len();
            values.resize(start + bytes.len() / width, filler);
            let slots = values[start..].par_chunks_mut(AT_A_TIME);
            let parts = slots.zip(bytes.par_chunks(AT_A_TIME * width)).enumerate();
            let problem = parts.find_map_first(|(part, (slots, bytes))| {
                let first = start + part * AT_A_TIME;
                let mut pairs = slots.iter_mut().zip(bytes.chunks_exact(width)).zip(first..);
                let filled = pairs.try_for_each(|((slot, bytes), position)| {
                    *slot = value(position, bytes)?;
                    Ok(())
                });
                filled.err()
            });
            problem.map_or(Ok(()), Err)
        })?;
        Ok(values)
    }
}

fn broken(error: io::Error) -> Problem {
    Problem::of_decoder(&error, KIND)
}
