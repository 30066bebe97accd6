//! Archives of NumPy arrays (.npz), written one after the other: not compressed, each array at a
//! multiple of 64 bytes.

use std::io::{self, Write};

use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, ZipWriter};

/// Arrays start at multiples of this, which also is what NumPy aligns its headers to.
const ALIGNMENT: u16 = 64;

/// Values turned to bytes at a time.
const PIECE: usize = 1 << 14;

/// An archive that is being written.
pub struct NpzWriter<'o> {
    zip: ZipWriter<StreamWriter<&'o mut dyn Write>>,
}

impl<'o> NpzWriter<'o> {
    pub fn new(out: &'o mut dyn Write) -> Self {
        NpzWriter {
            zip: ZipWriter::new_stream(out),
        }
    }

    /// Adds an array of values of `kind`, as NumPy writes types.
    pub fn array<const WIDTH: usize>(
        &mut self,
        name: &str,
        kind: &str,
        values: impl ExactSizeIterator<Item = [u8; WIDTH]>,
    ) -> io::Result<()> {
        let shape = format!("({},)", values.len());
        self.shaped(name, kind, &shape, values)
    }

    /// Adds an array of unsigned integers.
    pub fn numbers(&mut self, name: &str, numbers: &[u64]) -> io::Result<()> {
        self.array(
            name,
            "<u8",
            numbers.iter().map(|number| number.to_le_bytes()),
        )
    }

    /// Adds an array of doubles.
    pub fn doubles(&mut self, name: &str, numbers: &[f64]) -> io::Result<()> {
        self.array(
            name,
            "<f8",
            numbers.iter().map(|number| number.to_le_bytes()),
        )
    }

    /// The same of another shape than a row.
    pub fn shaped<const WIDTH: usize>(
        &mut self,
        name: &str,
        kind: &str,
        shape: &str,
        values: impl ExactSizeIterator<Item = [u8; WIDTH]>,
    ) -> io::Result<()> {
        let dictionary =
            format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
        // Magic, version and length take 10 bytes; a line end comes last.
        let length = (10 + dictionary.len() + 1).next_multiple_of(ALIGNMENT.into());
        let bytes = length as u64 + values.len() as u64 * WIDTH as u64;
        let large = bytes >= u64::from(u32::MAX);
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .large_file(large)
            .with_alignment(ALIGNMENT);
        self.zip.start_file(format!("{name}.npy"), options)?;
        let mut buffer = Vec::with_capacity(PIECE * WIDTH);
        buffer.extend_from_slice(b"\x93NUMPY\x01\x00");
        buffer.extend_from_slice(&((length - 10) as u16).to_le_bytes());
        buffer.extend_from_slice(dictionary.as_bytes());
        buffer.resize(length - 1, b' ');
        buffer.push(b'\n');
        self.zip.write_all(&buffer)?;
        buffer.clear();
        for value in values {
            buffer.extend_from_slice(&value);
            if buffer.len() >= PIECE * WIDTH {
                self.zip.write_all(&buffer)?;
                buffer.clear();
            }
        }
        self.zip.write_all(&buffer)
    }

    /// Ends the archive.
    pub fn finish(self) -> io::Result<()> {
        self.zip.finish()?;
        Ok(())
    }
}
