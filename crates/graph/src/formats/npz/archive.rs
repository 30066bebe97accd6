//! Reads the arrays of an .npz file, which is a zip archive of .npy files.

use std::io::{self, BufRead, BufReader, Read, Seek};

use npyz::NpyFile;
use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

use super::number::Number;
use crate::BuildError;
use crate::error::Problem;
use crate::memory::fallible;
use crate::tokens::shown;

/// The remedy for an archive that is damaged or not a matrix of SciPy.
pub(super) const SAVE_AGAIN: &str = "save the matrix again with scipy.sparse.save_npz";

/// The name of the compressed data in messages.
const ZIP: &str = "zip";

/// The largest number of bytes in an array of text, such as the name of SciPy's format.
const LONGEST_TEXT: u64 = 1 << 16;

/// A zip archive of arrays.
pub(super) struct Archive<R>(ZipArchive<R>);

/// Explains an error of the archive's structure.
fn zip_problem(error: ZipError) -> Problem {
    match error {
        ZipError::Io(error) => read_problem(error),
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            unfit!("the zip archive cannot be read: {error} ({SAVE_AGAIN})")
        }
        other => Problem::damaged(ZIP, other),
    }
}

/// Explains an error of reading or decompressing a file in the archive.
fn read_problem(error: io::Error) -> Problem {
    Problem::of_decoder(&error, ZIP)
}

impl<R: Read + Seek> Archive<R> {
    pub fn open(input: R) -> Result<Self, Problem> {
        ZipArchive::new(input).map(Archive).map_err(zip_problem)
    }

    /// Returns whether there is an array of this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.index_for_name(&format!("{name}.npy")).is_some()
    }

    /// Opens the array of this name and calls `read` with its header and the stream of its values.
    fn array<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(NpyFile<&mut BufReader<ZipFile<'_, R>>>) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let member = format!("{name}.npy");
        let stream = match self.0.by_name(&member) {
            Err(ZipError::FileNotFound) => {
                return Err(unfit!("the matrix has no array '{name}' ({SAVE_AGAIN})"));
            }
            stream => stream.map_err(zip_problem)?,
        };
        let damaged = |what| Problem::damaged(ZIP, format!("{member} {what}"));
        let size = stream.size();
        let mut stream = BufReader::with_capacity(1 << 16, stream);
        // Byte 6 is the version. Versions above 1 have a header length of four bytes, 8 to 11.
        // Lengths of 2^16 and more are refused, because npyz reserves as much memory as the file
        // declares.
        let start = stream.fill_buf().map_err(read_problem)?;
        let is_long = start.get(6) != Some(&1) && start.get(10..12) != Some(&[0, 0]);
        let file = (!is_long).then(|| NpyFile::new(&mut stream).ok()).flatten();
        let file = file.ok_or_else(|| damaged("is not a NumPy array"))?;
        let width = file.dtype().num_bytes().unwrap_or(0) as u64;
        let lengths = file.shape().iter();
        let bytes = lengths.copied().try_fold(width, u64::checked_mul);
        if bytes.is_none_or(|bytes| bytes > size) {
            return Err(damaged("does not have the size that its header declares"));
        }
        let value = read(file)?;
        // Crate zip compares the checksum when the end of the file is read.
        match stream.read(&mut [0]).map_err(read_problem)? {
            0 => Ok(value),
            _ => Err(damaged("does not have the size that its header declares")),
        }
    }

    /// Returns the text in an array, without zero bytes: some versions of SciPy write four bytes
    /// per character.
    pub fn text(&mut self, name: &str) -> Result<Vec<u8>, Problem> {
        self.array(name, |file| {
            let mut text = Vec::new();
            let mut stream = file.into_inner().take(LONGEST_TEXT);
            stream.read_to_end(&mut text).map_err(read_problem)?;
            text.retain(|&byte| byte != 0);
            Ok(text)
        })
    }

    /// Calls `convert` with the position and the value of each number in an array, and returns the
    /// results in this order.
    ///
    /// # Errors
    /// [`Problem`] if the array cannot be read or its values are no numbers, and the first
    /// [`Problem`] that `convert` returns.
    pub fn values<T>(
        &mut self,
        name: &str,
        mut convert: impl FnMut(usize, Number) -> Result<T, Problem>,
    ) -> Result<Vec<T>, Problem> {
        self.array(name, |file| {
            // If the values have one of these types, converts them and returns from the closure.
            // Otherwise gives the file back for the next attempt.
            macro_rules! read_any {
                ($file:ident, $number:ident; $($type:ty),*) => {{
                    $(let $file = match $file.try_data::<$type>() {
                        Err(file) => file,
                        Ok(values) => {
                            let bytes = values.len().saturating_mul(size_of::<T>() as u64);
                            let memory = |_| BuildError::Memory(bytes);
                            let mut results = Vec::new();
                            let reserve = || results.try_reserve_exact(values.len() as usize);
                            fallible(reserve).map_err(memory)?;
                            for (position, value) in values.enumerate() {
                                let value = value.map_err(read_problem);
                                let value = Number::$number(value?.into());
                                results.push(convert(position, value)?);
                            }
                            return Ok(results);
                        }
                    };)*
                    $file
                }};
            }
            let file = read_any!(file, Integer; i32, i64, i8, i16, u8, u16, u32, u64);
            let file = read_any!(file, Double; f64);
            let file = read_any!(file, Single; f32);
            let file = read_any!(file, Truth; bool);
            Err(unfit!(
                "the array '{name}' is of type {}, where integers, floats or booleans are expected \
                 (convert it with .astype(), and save it with scipy.sparse.save_npz)",
                shown(file.dtype().descr().trim_matches('\'').as_bytes())
            ))
        })
    }
}
