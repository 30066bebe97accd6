//! The arrays of an .npz file, which is a zip archive of .npy files.

use std::io::{self, Read, Seek};
use std::sync::atomic::{AtomicUsize, Ordering};

use bytemuck::Pod;
use npyz::{DType, Endianness, NpyHeader, TypeChar};
use rayon::prelude::*;
use zip::ZipArchive;
use zip::result::ZipError;

use super::number::Number;
use crate::BuildError;
use crate::error::Problem;
use crate::pages::zeroed;
use crate::tokens::shown;

/// How messages call the compression.
const KIND: &str = "zip";

/// Most bytes that stand before the values of an array.
const LONGEST_HEADER: u64 = 1 << 16;

/// What an archive is read from.
pub(crate) trait Input: Read + Seek + Send {}

impl<T: Read + Seek + Send> Input for T {}

/// A zip archive.
pub(super) type Archive<'s> = ZipArchive<&'s mut dyn Input>;

/// An array, its values not read yet.
pub(super) struct Array<'s> {
    stream: Box<dyn Read + Send + 's>,
    name: String,
    /// The type as NumPy writes it.
    type_name: String,
    /// `None`: several numbers in one, or others that NumPy makes up.
    pub kind: Option<TypeChar>,
    endianness: Endianness,
    /// Bytes of a value.
    pub width: usize,
    pub count: usize,
}

/// All values of an array of numbers.
pub(super) struct Numbers {
    pub count: usize,
    pub are_ones: bool,
    at: Box<dyn Fn(usize) -> Number + Send + Sync>,
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

fn broken(error: io::Error) -> Problem {
    Problem::of_decoder(&error, KIND)
}

/// Reads what stands before the values of an array, if it is no longer than such things are: the
/// library would ask for memory of whatever length it declares.
fn header(head: &mut impl Read) -> Option<NpyHeader> {
    // The length stands behind the magic number and the version, in 16 bits in version 1, and in 32
    // in later ones.
    let mut start = [0; 12];
    head.read_exact(&mut start).ok()?;
    let is_long = start[6] != 1 && start[10..] != [0, 0];
    let header = || NpyHeader::from_reader(start.chain(head)).ok();
    (!is_long).then(header)?
}

pub(super) fn open(input: &mut dyn Input) -> Result<Archive<'_>, Problem> {
    ZipArchive::new(input).map_err(problem)
}

/// Returns the array of this name, if there is one.
pub(super) fn array<'a>(
    archive: &'a mut Archive<'_>,
    name: &str,
) -> Result<Option<Array<'a>>, Problem> {
    let member = format!("{name}.npy");
    let mut stream = match archive.by_name(&member) {
        Ok(stream) => stream,
        Err(ZipError::FileNotFound) => return Ok(None),
        Err(error) => return Err(problem(error)),
    };
    let damaged = |what| Problem::damaged(KIND, format!("{member} {what}"));
    let size = stream.size();
    let mut head = stream.by_ref().take(LONGEST_HEADER);
    let header = header(&mut head).ok_or_else(|| damaged("is no NumPy array"))?;
    let values = size.saturating_sub(LONGEST_HEADER - head.limit());
    let dtype = header.dtype();
    let (kind, endianness) = match &dtype {
        DType::Plain(kind) => (Some(kind.type_char()), kind.endianness()),
        _ => (None, Endianness::Irrelevant),
    };
    let width = dtype.num_bytes().unwrap_or(0);
    let mut lengths = header.shape().iter();
    let count = lengths.try_fold(1u64, |product, &length| product.checked_mul(length));
    let fits = |&count: &u64| count.checked_mul(width as u64) == Some(values);
    let count = match width {
        // Readers refuse the type.
        0 => 0,
        _ => (count.filter(fits)).ok_or_else(|| damaged("has another size than it says"))?,
    };
    Ok(Some(Array {
        stream: Box::new(stream),
        name: name.into(),
        type_name: dtype.descr().trim_matches('\'').to_string(),
        kind,
        endianness,
        width,
        count: count as usize,
    }))
}

impl Array<'_> {
    pub fn is_integer(&self) -> bool {
        matches!(self.kind, Some(TypeChar::Int | TypeChar::Uint))
    }

    /// Reads all values, each of which is one or several `T`. Calls `look` with some of them at a
    /// time, while the next ones are read.
    ///
    /// # Errors
    /// [`Problem`] if the array cannot be read, or there is too little memory.
    pub fn read<T: Pod + Send + Sync>(
        mut self,
        mut look: impl FnMut(&[T]) + Send,
    ) -> Result<Vec<T>, Problem> {
        /// Bytes that stay in a core's cache.
        const PIECE: usize = 1 << 20;
        // The archive says that it has so many.
        let bytes = self.count * self.width;
        let memory = || BuildError::Memory {
            bytes: bytes as u64,
        };
        let mut values = zeroed(bytes / size_of::<T>()).ok_or_else(memory)?;
        let turned = ![Endianness::Irrelevant, Endianness::of_machine()].contains(&self.endianness);
        let mut pieces = values.chunks_mut(PIECE / size_of::<T>());
        let (mut last, mut next) = (&[][..], pieces.next());
        while let Some(piece) = next {
            next = pieces.next();
            let read = || {
                let bytes = bytemuck::cast_slice_mut(piece);
                self.stream.read_exact(bytes)?;
                if turned {
                    bytes
                        .chunks_exact_mut(size_of::<T>())
                        .for_each(<[u8]>::reverse);
                }
                Ok(())
            };
            let prepare = || {
                look(last);
                // So that the system provides the memory meanwhile.
                next.iter_mut().for_each(|next| next.fill(T::zeroed()));
            };
            rayon::join(read, prepare).0.map_err(broken)?;
            last = piece;
        }
        look(last);
        // At the end the library looks at the checksum.
        self.stream.read(&mut [0]).map_err(broken)?;
        Ok(values)
    }

    /// Reads all values, which have to be numbers, integers if there are to be no `floats`.
    ///
    /// # Errors
    /// [`Problem`] if they are none, or the array cannot be read.
    pub fn numbers(self, floats: bool) -> Result<Numbers, Problem> {
        match (self.kind, self.width) {
            (Some(TypeChar::Int), 1) => self.numbers_of::<i8>(),
            (Some(TypeChar::Int), 2) => self.numbers_of::<i16>(),
            (Some(TypeChar::Int), 4) => self.numbers_of::<i32>(),
            (Some(TypeChar::Int), 8) => self.numbers_of::<i64>(),
            (Some(TypeChar::Uint), 1) => self.numbers_of::<u8>(),
            (Some(TypeChar::Uint), 2) => self.numbers_of::<u16>(),
            (Some(TypeChar::Uint), 4) => self.numbers_of::<u32>(),
            (Some(TypeChar::Uint), 8) => self.numbers_of::<u64>(),
            (Some(TypeChar::Bool), 1) if floats => self.numbers_of::<u8>(),
            (Some(TypeChar::Float), 4) if floats => self.numbers_of::<f32>(),
            (Some(TypeChar::Float), 8) if floats => self.numbers_of::<f64>(),
            _ => Err(unfit!(
                "the array {} is of type {}, where {} are expected (convert it with .astype(), and \
                 save it with scipy.sparse.save_npz)",
                self.name,
                shown(self.type_name.as_bytes()),
                if floats {
                    "integers or floats"
                } else {
                    "integers"
                }
            )),
        }
    }

    fn numbers_of<T: Pod + Into<Number> + Send + Sync>(self) -> Result<Numbers, Problem> {
        let mut are_ones = true;
        let one = |ones: bool, &value: &T| ones & value.into().is(1);
        let values = self.read(|piece| are_ones = piece.iter().fold(are_ones, one))?;
        Ok(Numbers {
            count: values.len(),
            are_ones,
            at: Box::new(move |at| values[at].into()),
        })
    }
}

impl Numbers {
    /// Collects what `f` makes of the positions and the numbers in them, on all cores. The filler
    /// is not returned.
    ///
    /// # Errors
    /// The first [`Problem`] of `f`.
    pub fn collect<T: Copy + Send + Sync>(
        &self,
        filler: T,
        f: impl Fn(usize, Number) -> Result<T, Problem> + Sync,
    ) -> Result<Vec<T>, Problem> {
        let f = |position| f(position, (self.at)(position));
        let failed = AtomicUsize::new(usize::MAX);
        let value = |position| {
            f(position).unwrap_or_else(|_| {
                failed.fetch_min(position, Ordering::Relaxed);
                filler
            })
        };
        let all = (0..self.count).into_par_iter().map(value).collect();
        match failed.into_inner() {
            usize::MAX => Ok(all),
            first => f(first).map(|_| all),
        }
    }
}
