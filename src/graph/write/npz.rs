//! Sparse matrices of SciPy: CSR, not compressed, each array at a multiple of 64 bytes. Beside the
//! members that `scipy.sparse.load_npz` wants there are labels, unless they are numbers from 0, and
//! whether the graph is directed; it ignores them.

use std::io::{self, Write};

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
    /// Adds an array of `count` values of `kind`, as NumPy writes types, with `shape`.
    fn array<const WIDTH: usize>(
        &mut self,
        name: &str,
        kind: &str,
        shape: &str,
        values: impl IntoIterator<Item = [u8; WIDTH]>,
        count: usize,
    ) -> io::Result<()> {
        let dictionary =
            format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
        // Magic, version and length take 10 bytes; a line end comes last.
        let length = (10 + dictionary.len() + 1).next_multiple_of(ALIGNMENT.into());
        let large = length as u64 + count as u64 * WIDTH as u64 >= u64::from(u32::MAX);
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
        let shape = format!("({},)", values.len());
        let values_of = values.iter();
        if i32::try_from(largest).is_ok() {
            let bytes = values_of.map(|value| value.to_le_bytes());
            self.array(name, "<i4", &shape, bytes, values.len())
        } else {
            let bytes = values_of.map(|&value| i64::from(value).to_le_bytes());
            self.array(name, "<i8", &shape, bytes, values.len())
        }
    }
}

pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let csr = graph.csr();
    let (n, arcs) = (csr.vertices(), csr.arcs());
    let mut archive = Archive {
        zip: ZipWriter::new_stream(out),
    };
    archive.array("format", "|S3", "()", [*b"csr"], 1)?;
    let shape = [n as i64; 2].map(i64::to_le_bytes);
    archive.array("shape", "<i8", "(2,)", shape, 2)?;
    archive.positions("indptr", csr.offsets(), arcs)?;
    archive.positions("indices", csr.targets(), n)?;
    let shape = format!("({arcs},)");
    match LengthTexts::of(graph) {
        None => {
            let ones = std::iter::repeat_n([1u8], arcs);
            archive.array("data", "|i1", &shape, ones, arcs)?;
        }
        Some(lengths) if lengths.integers() => {
            let lengths = (0..arcs).map(|arc| lengths.integer(arc).unwrap_or(0).to_le_bytes());
            archive.array("data", "<i8", &shape, lengths, arcs)?;
        }
        Some(lengths) => {
            let lengths = (0..arcs).map(|arc| lengths.double(arc).to_le_bytes());
            archive.array("data", "<f8", &shape, lengths, arcs)?;
        }
    }
    let shape = format!("({n},)");
    match graph.labels() {
        Labels::Consecutive { first: 0, .. } => {}
        &Labels::Consecutive { first, .. } => {
            let labels = (0..n as u64).map(|v| (first + v).to_le_bytes());
            archive.array("labels", "<u8", &shape, labels, n)?;
        }
        Labels::Numbers(numbers) => {
            let labels = numbers.iter().map(|number| number.to_le_bytes());
            archive.array("labels", "<u8", &shape, labels, n)?;
        }
        Labels::Names { bytes, offsets } => {
            let shape = format!("({},)", bytes.len());
            let text = bytes.iter().map(|&byte| [byte]);
            archive.array("label_bytes", "|u1", &shape, text, bytes.len())?;
            let shape = format!("({},)", offsets.len());
            let starts = offsets.iter().map(|&offset| (offset as u64).to_le_bytes());
            archive.array("label_offsets", "<u8", &shape, starts, offsets.len())?;
        }
    }
    let directed = [[u8::from(graph.directed())]];
    archive.array("directed", "|b1", "()", directed, 1)?;
    archive.zip.finish()?;
    Ok(())
}
