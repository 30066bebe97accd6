//! The file format of sums of a set of roots, which checkpoints and parts of a search share.
//!
//! A file is an archive of NumPy arrays (.npz). The array `checkpoint` or `part` (u64) begins with
//! [`LAYOUT`] and says what the sums belong to; `vertices` and, where edges are counted, `edges`
//! (f64) are the sums. The checksums of the archive tell whether a file is whole.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use npyz::{Deserialize, NpyFile};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use crate::engine::OwnSums;
use crate::output::NpzWriter;

/// The number of the layout of files; another layout has another number.
pub(crate) const LAYOUT: u64 = 2;

/// Every checkpoint of version 0.2.0 begins with this.
const OLD_CHECKPOINT: &[u8] = b"brandes checkpoint";

/// What is said of files of earlier layouts.
const OLD: &str = "has an earlier layout, that of version 0.2.0 or before; search again";

/// Writes sums and, before them, what they belong to: the array `kind` and those of `others`.
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

/// A file of sums that is being read. Errors say what is wrong with it.
pub(crate) struct SumsFile(ZipArchive<BufReader<File>>);

impl SumsFile {
    /// Opens a file.
    pub(crate) fn open(path: &Path) -> Result<SumsFile, String> {
        if path.is_dir() {
            return Err("is a folder".into());
        }
        let file = File::open(path).map_err(|error| format!("cannot be read: {error}"))?;
        let archive = ZipArchive::new(BufReader::new(file));
        archive.map(SumsFile).map_err(|_| {
            let old = fs::read(path).is_ok_and(|bytes| bytes.starts_with(OLD_CHECKPOINT));
            let what = if old {
                OLD
            } else {
                "holds no sums, or not all of them"
            };
            what.into()
        })
    }

    /// Returns the array of this name, if there is one.
    pub(crate) fn array<T: Deserialize>(&mut self, name: &str) -> Result<Option<Vec<T>>, String> {
        let mut bytes = Vec::new();
        let read = match self.0.by_name(&format!("{name}.npy")) {
            Err(ZipError::FileNotFound) => return Ok(None),
            // A stored array is no longer than the file, whatever size it claims.
            Ok(mut entry) if entry.compression() == CompressionMethod::Stored => {
                entry.read_to_end(&mut bytes).map(drop)
            }
            Ok(_) => Err(io::ErrorKind::Unsupported.into()),
            Err(error) => Err(error.into()),
        };
        let array = read.and_then(|()| NpyFile::new(&bytes[..])?.into_vec());
        array
            .map(Some)
            .map_err(|error| format!("is damaged: array {name}: {error}"))
    }

    /// Returns the array of this name, which has to be there.
    pub(crate) fn required<T: Deserialize>(&mut self, name: &str) -> Result<Vec<T>, String> {
        let array = self.array(name)?;
        array.ok_or_else(|| format!("is damaged: there is no array {name}"))
    }

    /// Returns what the sums belong to.
    pub(crate) fn head<const N: usize>(&mut self, kind: &str) -> Result<[u64; N], String> {
        let head = self.array::<u64>(kind)?;
        let head = head.ok_or_else(|| format!("holds no {kind} of a search"))?;
        match head.first() {
            Some(1) => Err(OLD.into()),
            Some(&LAYOUT) if head.len() == N => Ok(std::array::from_fn(|at| head[at])),
            _ => Err("was written by another version of the program".into()),
        }
    }

    /// Returns the sums.
    pub(crate) fn sums(&mut self) -> Result<OwnSums, String> {
        let (vertices, arcs) = (
            self.required::<f64>("vertices")?,
            self.array::<f64>("edges")?,
        );
        let mut all = vertices.iter().chain(arcs.iter().flatten());
        match all.all(|sum| sum.is_finite()) {
            true => Ok(OwnSums { vertices, arcs }),
            false => Err("is damaged: some sums are not finite".into()),
        }
    }
}
