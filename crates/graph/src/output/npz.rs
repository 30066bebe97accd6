//! Writes archives of NumPy arrays (.npz) one array after the other. Arrays are not compressed, and
//! each starts at a multiple of 64 bytes.

use std::io::{self, BufWriter, Write};

use npyz::{AutoSerialize, DType, Serialize, WriteOptions, WriterBuilder};
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, ZipWriter};

/// The alignment of arrays in bytes, which is that of NumPy's headers.
const ALIGNMENT: u16 = 64;

/// The number of bytes written at a time.
const BUFFER: usize = 1 << 17;

/// An archive that is being written.
pub struct NpzWriter<'o>(ZipWriter<StreamWriter<&'o mut dyn Write>>);

impl<'o> NpzWriter<'o> {
    /// Starts an archive.
    pub fn new(out: &'o mut dyn Write) -> Self {
        NpzWriter(ZipWriter::new_stream(out))
    }

    /// Adds a one-dimensional array.
    pub fn array<T: AutoSerialize>(
        &mut self,
        name: &str,
        values: impl ExactSizeIterator<Item = T>,
    ) -> io::Result<()> {
        self.shaped_array(name, T::default_dtype(), &[values.len() as u64], values)
    }

    /// Adds an array of this shape, which is empty for a single value.
    pub fn shaped_array<T: Serialize>(
        &mut self,
        name: &str,
        dtype: DType,
        shape: &[u64],
        values: impl ExactSizeIterator<Item = T>,
    ) -> io::Result<()> {
        let width = dtype.num_bytes().unwrap_or(size_of::<T>());
        // The header has less than 64 KiB.
        let bytes = (values.len() as u64 * width as u64).saturating_add(1 << 16);
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .large_file(bytes >= u32::MAX.into())
            .with_alignment(ALIGNMENT);
        self.0.start_file(format!("{name}.npy"), options)?;
        let mut out = BufWriter::with_capacity(BUFFER, &mut self.0);
        let options = WriteOptions::new().dtype(dtype).shape(shape);
        let mut array = options.writer(&mut out).begin_nd()?;
        array.extend(values)?;
        array.finish()?;
        out.flush()
    }

    /// Ends the archive.
    pub fn finish(self) -> io::Result<()> {
        self.0.finish()?;
        Ok(())
    }
}
