//! Archives of NumPy arrays (.npz), written one after the other: not compressed, each array at a
//! multiple of 64 bytes.

use std::io::{self, BufWriter, Write};

use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, ZipWriter};

/// Arrays start at multiples of this, which also is what NumPy aligns its headers to.
const ALIGNMENT: u16 = 64;

/// Bytes written at a time.
const PIECE: usize = 1 << 17;

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
        let bytes = numbers.iter().map(|number| number.to_le_bytes());
        self.array(name, "<u8", bytes)
    }

    /// Adds an array of doubles.
    pub fn doubles(&mut self, name: &str, numbers: &[f64]) -> io::Result<()> {
        let bytes = numbers.iter().map(|number| number.to_le_bytes());
        self.array(name, "<f8", bytes)
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
        let mut out = BufWriter::with_capacity(PIECE, &mut self.zip);
        out.write_all(b"\x93NUMPY\x01\x00")?;
        out.write_all(&((length - 10) as u16).to_le_bytes())?;
        writeln!(out, "{dictionary:<0$}", length - 11)?;
        for value in values {
            out.write_all(&value)?;
        }
        out.flush()
    }

    /// Ends the archive.
    pub fn finish(self) -> io::Result<()> {
        self.zip.finish()?;
        Ok(())
    }
}
