//! Output files: made before the long work, filled, and put in place at the end.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Stdout, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

/// Where an output goes.
pub enum Output {
    /// Standard output.
    Standard(BufWriter<Stdout>),
    /// A temporary file beside the wanted one, renamed when it is whole.
    File {
        /// Not yet whole.
        temporary: BufWriter<NamedTempFile>,
        /// Where it will be.
        path: PathBuf,
    },
    /// Something that is no regular file (a device, a pipe): written as it is.
    Special(BufWriter<File>),
}

impl Output {
    /// Opens `path` (`-` is standard output), so that a path that cannot be written to fails now.
    pub fn open(path: &Path) -> Result<Output> {
        let shown = || format!("{}: cannot be written to", path.display());
        if path == Path::new("-") {
            return Ok(Output::Standard(BufWriter::new(io::stdout())));
        }
        // A link is followed: the file it leads to is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        if let Ok(meta) = fs::metadata(&path) {
            if meta.is_dir() {
                anyhow::bail!("{}: is a directory, not a file", path.display());
            }
            if !meta.is_file() {
                let file = OpenOptions::new().write(true).open(&path);
                return Ok(Output::Special(BufWriter::new(file.with_context(shown)?)));
            }
        }
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        // Asked first: what goes wrong later would name the temporary file.
        fs::metadata(folder).with_context(shown)?;
        let temporary = tempfile::Builder::new()
            .prefix(".brandes-")
            .suffix(".part")
            // As any new file: the umask takes away what it should.
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)
            .with_context(shown)?;
        Ok(Output::File {
            temporary: BufWriter::new(temporary),
            path,
        })
    }

    /// Writes what is buffered and puts the file in place.
    pub fn finish(self) -> Result<()> {
        match self {
            Output::Standard(mut out) => out.flush()?,
            Output::Special(mut out) => out.flush()?,
            Output::File { temporary, path } => {
                let shown = || format!("{}: cannot be written to", path.display());
                let temporary = temporary
                    .into_inner()
                    .map_err(io::IntoInnerError::into_error)
                    .with_context(shown)?;
                temporary
                    .persist(&path)
                    .map_err(|e| e.error)
                    .with_context(shown)?;
            }
        }
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Standard(out) => out.write(bytes),
            Output::File { temporary, .. } => temporary.write(bytes),
            Output::Special(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Standard(out) => out.flush(),
            Output::File { temporary, .. } => temporary.flush(),
            Output::Special(out) => out.flush(),
        }
    }
}
