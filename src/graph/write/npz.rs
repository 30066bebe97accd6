//! Sparse matrices of SciPy: CSR, not compressed, each array at a multiple of 64 bytes. Beside the
//! members that `scipy.sparse.load_npz` wants there are labels, unless they are numbers from 0, and
//! whether the graph is directed; it ignores them.

use std::io::{self, Write};
use std::iter;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::lengths::LengthTexts;
use crate::graph::{Graph, Labels};

/// Arrays start at multiples of this, which also is what NumPy aligns its headers to.
const ALIGNMENT: u16 = 64;

/// Values turned to bytes at a time.
const PIECE: usize = 1 << 14;

struct Archive<'o> {
    zip: ZipWriter<zip::write::StreamWriter<&'o mut dyn Write>>,
}

impl Archive<'_> {
    /// Adds an array of values of `kind`, as NumPy writes types.
    fn array<const WIDTH: usize>(
        &mut self,
        name: &str,
        kind: &str,
        values: impl ExactSizeIterator<Item = [u8; WIDTH]>,
    ) -> io::Result<()> {
        let shape = format!("({},)", values.len());
        self.shaped(name, kind, &shape, values)
    }

    fn shaped<const WIDTH: usize>(
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

    /// An array of unsigned integers, in 32 bits and signed if they fit, as SciPy has its
    /// positions.
    fn positions(&mut self, name: &str, values: &[u32], largest: usize) -> io::Result<()> {
        if i32::try_from(largest).is_ok() {
            self.array(name, "<i4", values.iter().map(|value| value.to_le_bytes()))
        } else {
            let wide = values.iter().map(|&value| i64::from(value));
            self.array(name, "<i8", wide.map(i64::to_le_bytes))
        }
    }
}

pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let csr = graph.csr();
    let (n, arcs) = (csr.vertices(), csr.arcs());
    let mut archive = Archive {
        zip: ZipWriter::new_stream(out),
    };
    archive.shaped("format", "|S3", "()", iter::once(*b"csr"))?;
    archive.array(
        "shape",
        "<i8",
        [n as i64; 2].map(i64::to_le_bytes).into_iter(),
    )?;
    archive.positions("indptr", csr.offsets(), arcs)?;
    archive.positions("indices", csr.targets(), n)?;
    match LengthTexts::of(graph) {
        None => archive.array("data", "|i1", iter::repeat_n([1], arcs))?,
        Some(lengths) if lengths.integers() => {
            let lengths = (0..arcs).map(|arc| lengths.integer(arc).unwrap_or(0).to_le_bytes());
            archive.array("data", "<i8", lengths)?;
        }
        Some(lengths) => {
            let lengths = (0..arcs).map(|arc| lengths.double(arc).to_le_bytes());
            archive.array("data", "<f8", lengths)?;
        }
    }
    match graph.labels() {
        Labels::Consecutive { first: 0, .. } => {}
        &Labels::Consecutive { first, .. } => {
            let labels = (0..n).map(|v| (first + v as u64).to_le_bytes());
            archive.array("labels", "<u8", labels)?;
        }
        Labels::Numbers(numbers) => {
            let labels = numbers.iter().map(|number| number.to_le_bytes());
            archive.array("labels", "<u8", labels)?;
        }
        Labels::Names { bytes, offsets } => {
            archive.array("label_bytes", "|u1", bytes.iter().map(|&byte| [byte]))?;
            let starts = offsets.iter().map(|&offset| (offset as u64).to_le_bytes());
            archive.array("label_offsets", "<u8", starts)?;
        }
    }
    let directed = iter::once([u8::from(graph.directed())]);
    archive.shaped("directed", "|b1", "()", directed)?;
    archive.zip.finish()?;
    Ok(())
}
