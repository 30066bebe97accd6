//! The file format of checkpoints and of parts of a search: the sums of a set of roots.
//!
//! A file is an archive of NumPy arrays (.npz). The array `checkpoint` or `part` (u64), called the
//! head, begins with [`LAYOUT`] and identifies the search. `vertices` and, if edges are counted,
//! `edges` (f64) are the sums. The checksums of the archive show whether a file is complete.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use npyz::{Deserialize, NpyFile};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use crate::engine::OwnSums;
use crate::output::NpzWriter;

/// The number of the present layout of files.
pub(crate) const LAYOUT: u64 = 2;

/// Writes three things: the head, as the array named `kind`; the arrays that `others` adds; and the
/// sums.
pub(crate) fn write(
    out: &mut dyn Write,
    (kind, head): (&str, &[u64]),
    sums: &OwnSums,
    others: impl FnOnce(&mut NpzWriter) -> io::Result<()>,
) -> io::Result<()> {
    let mut archive = NpzWriter::new(out);
    archive.array(kind, head.iter().copied())?;
    others(&mut archive)?;
    archive.array("vertices", sums.vertices.iter().copied())?;
    if let Some(edges) = &sums.arcs {
        archive.array("edges", edges.iter().copied())?;
    }
    archive.finish()
}

/// A file of sums that is being read. An error is the rest of a sentence that begins with the name
/// of the file, such as "is a folder".
pub(crate) struct SumsFile(ZipArchive<BufReader<File>>);

impl SumsFile {
    /// Opens a file.
    pub(crate) fn open(path: &Path) -> Result<SumsFile, String> {
        if path.is_dir() {
            return Err("is a folder".into());
        }
        let file = File::open(path).map_err(|error| format!("cannot be read: {error}"))?;
        let archive = ZipArchive::new(BufReader::new(file));
        let archive = archive.map_err(|_| "holds no sums, or not all of them")?;
        Ok(SumsFile(archive))
    }

    /// Returns the array of this name, if there is one.
    pub(crate) fn array<T: Deserialize>(&mut self, name: &str) -> Result<Option<Vec<T>>, String> {
        let mut bytes = Vec::new();
        let read = match self.0.by_name(&format!("{name}.npy")) {
            Err(ZipError::FileNotFound) => return Ok(None),
            // The length of an uncompressed array is limited by that of the file, whatever size it
            // declares.
            Ok(mut entry) if entry.compression() == CompressionMethod::Stored => {
                entry.read_to_end(&mut bytes).map(drop)
            }
            Ok(_) => Err(io::ErrorKind::Unsupported.into()),
            Err(error) => Err(error.into()),
        };
        let array = read.and_then(|()| NpyFile::new(&bytes[..])?.into_vec().map(Some));
        array.map_err(|error| format!("is damaged: array {name}: {error}"))
    }

    /// Returns the array of this name. It is an error if there is none.
    pub(crate) fn required<T: Deserialize>(&mut self, name: &str) -> Result<Vec<T>, String> {
        let array = self.array(name)?;
        array.ok_or_else(|| format!("is damaged: there is no array {name}"))
    }

    /// Returns the head of a file of this kind.
    pub(crate) fn head<const N: usize>(&mut self, kind: &str) -> Result<[u64; N], String> {
        let head = self.array::<u64>(kind)?;
        let head = head.ok_or_else(|| format!("holds no {kind} of a search"))?;
        match head.first() {
            Some(&LAYOUT) if head.len() == N => Ok(std::array::from_fn(|at| head[at])),
            _ => Err("was written by another version of the program".into()),
        }
    }

    /// Returns the sums.
    pub(crate) fn sums(&mut self) -> Result<OwnSums, String> {
        let vertices = self.required::<f64>("vertices")?;
        let arcs = self.array::<f64>("edges")?;
        let mut all = vertices.iter().chain(arcs.iter().flatten());
        match all.all(|sum| sum.is_finite()) {
            true => Ok(OwnSums { vertices, arcs }),
            false => Err("is damaged: some sums are not finite".into()),
        }
    }
}
