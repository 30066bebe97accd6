//! Sparse matrices of SciPy, CSR. Beside the members that `scipy.sparse.load_npz` wants there are
//! labels, unless they are numbers from 0, and whether the graph is directed; it ignores them.

use std::io::{self, Write};
use std::iter;

use super::lengths::LengthTexts;
use crate::output::NpzWriter;
use crate::{Graph, Labels};

pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let csr = graph.csr();
    let (n, arcs) = (csr.vertices(), csr.arcs());
    let mut archive = NpzWriter::new(out);
    archive.shaped("format", "|S3", "()", iter::once(*b"csr"))?;
    archive.array(
        "shape",
        "<i8",
        [n as i64; 2].map(i64::to_le_bytes).into_iter(),
    )?;
    positions(&mut archive, "indptr", csr.offsets(), arcs)?;
    positions(&mut archive, "indices", csr.targets(), n)?;
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
    write_labels(&mut archive, graph.labels())?;
    let directed = iter::once([u8::from(graph.directed())]);
    archive.shaped("directed", "|b1", "()", directed)?;
    archive.finish()
}

/// The labels of vertices, unless they are numbers from 0: an array of numbers, or the bytes of
/// names and where each starts.
pub fn write_labels(archive: &mut NpzWriter, labels: &Labels) -> io::Result<()> {
    match labels {
        Labels::Consecutive { first: 0, .. } => Ok(()),
        &Labels::Consecutive { first, count } => {
            let labels = (0..count).map(|v| (first + v as u64).to_le_bytes());
            archive.array("labels", "<u8", labels)
        }
        Labels::Numbers(numbers) => archive.numbers("labels", numbers),
        Labels::Names { bytes, offsets } => {
            archive.array("label_bytes", "|u1", bytes.iter().map(|&byte| [byte]))?;
            let starts = offsets.iter().map(|&offset| (offset as u64).to_le_bytes());
            archive.array("label_offsets", "<u8", starts)
        }
    }
}

/// An array of unsigned integers, in 32 bits and signed if they fit, as SciPy has its
/// positions.
fn positions(
    archive: &mut NpzWriter,
    name: &str,
    values: &[u32],
    largest: usize,
) -> io::Result<()> {
    if i32::try_from(largest).is_ok() {
        archive.array(name, "<i4", values.iter().map(|value| value.to_le_bytes()))
    } else {
        let wide = values.iter().map(|&value| i64::from(value));
        archive.array(name, "<i8", wide.map(i64::to_le_bytes))
    }
}
