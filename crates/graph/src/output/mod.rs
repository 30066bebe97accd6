//! Output files, which are opened before a long computation and renamed to their final names at its
//! end.
//!
//! A file is written under a temporary name in the same folder, and renamed when it is complete and
//! on the disk ([`temporary`]). Until then, an old file stays unchanged: no program ever sees a
//! part of the new one. The suffix of its name says how it is compressed ([`Compression`]).
//! [`check_distinct`] finds files that would overwrite each other.

mod compression;
mod error;
mod identity;
mod npz;
pub mod temporary;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf, is_separator};

pub use compression::{Compression, SUFFIXES, Sink, Stream, decompressed};
pub use error::OutputError;
pub use identity::{Named, check_distinct};
pub use npz::NpzWriter;
use temporary::{Temporary, folder};

/// A destination of output.
pub struct Output {
    destination: Destination,
    /// The name that the user gave.
    name: String,
    compression: Compression,
}

enum Destination {
    /// Standard output, a device or a pipe, which is written to directly.
    Direct(Box<dyn Write + Send>),
    /// A temporary file and its final path.
    File(Temporary, PathBuf),
}

impl Output {
    /// Opens `path`, or standard output for `-`. A path that cannot be written to fails at once.
    ///
    /// # Errors
    /// [`OutputError`], also if an existing file is not writable.
    pub fn open(path: &Path) -> Result<Output, OutputError> {
        let name = path.display().to_string();
        let destination = open(path).map_err(|error| OutputError::new(&name, error))?;
        Ok(Output {
            destination,
            compression: Compression::split(&name).1,
            name,
        })
    }

    /// Runs `fill` on a writer that compresses as the name asks.
    ///
    /// # Errors
    /// Those of `fill` and of the file.
    pub fn write(
        &mut self,
        fill: impl FnOnce(&mut Sink) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        let out: &mut dyn Write = match &mut self.destination {
            Destination::Direct(out) => out,
            Destination::File(temporary, _) => &mut temporary.file,
        };
        let written = self.compression.write(out, fill);
        written.map_err(|error| OutputError::new(&self.name, error))
    }

    /// Renames the file to its final name.
    ///
    /// # Errors
    /// [`OutputError`] if the file cannot be flushed to the disk or renamed; it is removed then.
    pub fn finish(self) -> Result<(), OutputError> {
        let renamed = match self.destination {
            Destination::Direct(_) => Ok(()),
            Destination::File(temporary, path) => temporary.persist(&path),
        };
        renamed.map_err(|error| OutputError::new(&self.name, error))
    }
}

fn open(path: &Path) -> io::Result<Destination> {
    if path == Path::new("-") {
        return Ok(Destination::Direct(Box::new(io::stdout())));
    }
    let open = || OpenOptions::new().write(true).open(path);
    let direct = |file: File| Destination::Direct(Box::new(file));
    let existing = match fs::metadata(path) {
        Ok(meta) => Some(meta),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        // Devices of Windows, such as NUL, have no metadata.
        Err(error) => return open().map(direct).map_err(|_| error),
    };
    if let Some(meta) = &existing {
        if meta.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // A file that is not writable must not be replaced either.
        let file = open()?;
        if !meta.is_file() {
            return Ok(direct(file));
        }
    }
    let path = destination(path)?;
    let permissions = existing.map(|meta| meta.permissions());
    let temporary = Temporary::new(folder(&path), permissions)?;
    Ok(Destination::File(temporary, path))
}

/// Returns the suffix of a path in lower case, before any suffix of compression. Returns `None` if
/// there is none, and for standard output, devices and pipes.
pub fn suffix(path: &Path) -> Option<String> {
    if fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
        return None;
    }
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    let (stem, suffix) = Compression::split(&name).0.rsplit_once('.')?;
    (!stem.is_empty()).then(|| suffix.to_string())
}

/// Returns the decompressed bytes of a file.
///
/// # Errors
/// Those of the file.
pub fn read_back(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    decompressed(File::open(path)?)?.0.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the absolute path of a regular file that exists or can be made. Links are followed, also
/// to a file that does not exist yet: the link stays, and the file is made where it leads to.
fn destination(path: &Path) -> io::Result<PathBuf> {
    if let Err(error) = fs::metadata(path)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(error);
    }
    if let Ok(target) = fs::read_link(path) {
        return destination(&folder(path).join(target));
    }
    let last = path.as_os_str().as_encoded_bytes().last();
    let is_folder = last.is_some_and(|&byte| is_separator(byte.into()));
    let name = path.file_name().filter(|_| !is_folder);
    Ok(fs::canonicalize(folder(path))?.join(name.ok_or(io::ErrorKind::IsADirectory)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(out: &mut Sink) -> io::Result<()> {
        out.write_all(b"new")
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn only_regular_files_have_a_suffix() {
        let json = Some("json".to_string());
        assert_eq!(suffix(Path::new("scores.JSON.gz")), json);
        assert_eq!(suffix(Path::new("/dev/shm/a-new-file.json")), json);
        assert_eq!(suffix(Path::new("/dev/null")), None);
    }

    #[test]
    fn an_unfinished_output_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "old").unwrap();
        let mut out = Output::open(&path).unwrap();
        out.write(text).unwrap();
        assert_eq!(names(folder.path()).len(), 2);
        drop(out);
        assert_eq!(names(folder.path()), ["file"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    }

    #[test]
    fn errors_name_the_wanted_file() {
        let folder = tempfile::tempdir().unwrap();
        let message = |path: &Path| {
            let result = Output::open(path).and_then(|mut out| out.write(text));
            result.unwrap_err().to_string()
        };
        let missing = folder.path().join("missing/file");
        let expected = format!(
            "{}: cannot be written: there is no such folder (make it, or write elsewhere)",
            missing.display()
        );
        assert_eq!(message(&missing), expected);
        assert!(
            message(folder.path())
                .ends_with(": cannot be written: it is a folder (name a file in it)")
        );
        assert!(message(&folder.path().join("file/")).contains("is a folder"));
        assert_eq!(names(folder.path()).len(), 0);
    }
}
