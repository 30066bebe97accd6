//! Writes sparse matrices of SciPy in layout CSR. Beside the members that `scipy.sparse.load_npz`
//! needs, an archive holds labels, unless they are numbers from 0, and whether the graph is
//! directed. SciPy ignores both.

use std::io::{self, Write};
use std::iter;

use npyz::{AutoSerialize, DType, TypeStr};

use super::lengths::LengthTexts;
use crate::output::NpzWriter;
use crate::{Graph, Labels};

pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let csr = graph.csr();
    let (n, arcs) = (csr.vertices(), csr.arcs());
    let mut archive = NpzWriter::new(out);
    let text: TypeStr = "|S3".parse().map_err(io::Error::other)?;
    let layout = iter::once(b"csr".to_vec());
    archive.shaped_array("format", DType::new_scalar(text), &[], layout)?;
    archive.array("shape", [n as i64; 2].into_iter())?;
    positions(&mut archive, "indptr", csr.offsets(), arcs)?;
    positions(&mut archive, "indices", csr.targets(), n)?;
    match LengthTexts::from_graph(graph) {
        None => archive.array("data", iter::repeat_n(1i8, arcs))?,
        Some(lengths) if lengths.are_integers() => {
            let integers = (0..arcs).map(|arc| lengths.integer(arc).unwrap_or(0));
            archive.array("data", integers)?;
        }
        Some(lengths) => archive.array("data", (0..arcs).map(|arc| lengths.double(arc)))?,
    }
    write_labels(&mut archive, graph.labels())?;
    let directed = iter::once(graph.directed());
    archive.shaped_array("directed", bool::default_dtype(), &[], directed)?;
    archive.finish()
}

/// Writes the labels of vertices, unless they are numbers from 0: an array of numbers, or the bytes
/// of names and where each starts.
pub fn write_labels(archive: &mut NpzWriter, labels: &Labels) -> io::Result<()> {
    match labels {
        Labels::Consecutive { first: 0, .. } => Ok(()),
        &Labels::Consecutive { first, count } => {
            archive.array("labels", (0..count).map(|v| first + v as u64))
        }
        Labels::Numbers(numbers) => archive.array("labels", numbers.iter().copied()),
        Labels::Names { bytes, offsets } => {
            archive.array("label_bytes", bytes.iter().copied())?;
            archive.array("label_offsets", offsets.iter().map(|&start| start as u64))
        }
    }
}

/// Writes an array of unsigned integers as signed ones of 32 bits if `largest` fits, as SciPy does,
/// else of 64 bits.
fn positions(
    archive: &mut NpzWriter,
    name: &str,
    values: &[u32],
    largest: usize,
) -> io::Result<()> {
    match i32::try_from(largest) {
        Ok(_) => archive.array(name, values.iter().map(|&value| value as i32)),
        Err(_) => archive.array(name, values.iter().map(|&value| i64::from(value))),
    }
}
