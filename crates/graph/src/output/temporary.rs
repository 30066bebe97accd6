//! Files that are not yet whole, all of them known, so that none stays when the process is stopped.

use std::ffi::{CString, OsStr};
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// What there is, and what there has been. The lock is held while a file is made, renamed or
/// removed.
static KNOWN: Mutex<Known> = Mutex::new(Known {
    paths: Vec::new(),
    placed: 0,
});

struct Known {
    paths: Vec<CString>,
    /// Files put in place.
    placed: usize,
}

impl Known {
    /// Whether the path was known until now.
    fn forget(&mut self, path: &Path) -> bool {
        let before = self.paths.len();
        self.paths
            .retain(|other| other.as_bytes() != path.as_os_str().as_bytes());
        self.paths.len() < before
    }
}

fn known() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What became of the outputs of a process that is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// Files that were not yet whole, and are gone.
    pub files: usize,
    /// Files that were whole before.
    pub placed: usize,
}

/// Removes all temporary files for good: the process has to end behind this. It allocates nothing,
/// and returns `None` if this very thread may be busy with them.
pub fn remove_all(wait: bool) -> Option<Removed> {
    let known = match (wait, KNOWN.try_lock()) {
        (_, Ok(known)) => known,
        (true, Err(_)) => known(),
        (false, Err(TryLockError::Poisoned(known))) => known.into_inner(),
        (false, Err(TryLockError::WouldBlock)) => return None,
    };
    for path in &known.paths {
        // SAFETY: a string that ends with a zero.
        unsafe { libc::unlink(path.as_ptr()) };
    }
    let removed = Removed {
        files: known.paths.len(),
        placed: known.placed,
    };
    // The lock stays taken, so that no other file is made.
    std::mem::forget(known);
    Some(removed)
}

/// The folder that a path is in.
pub fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder.as_os_str() != OsStr::new("") => folder,
        _ => Path::new("."),
    }
}

/// A file with another name than it will have.
#[derive(Debug)]
pub(super) struct Temporary {
    pub file: File,
    path: PathBuf,
}

impl Temporary {
    /// In `folder`, with these permissions, or those that any new file has.
    pub fn new(folder: &Path, permissions: Option<Permissions>) -> io::Result<Temporary> {
        let mut known = known();
        let made = tempfile::Builder::new()
            .prefix(".brandes-")
            .suffix(".part")
            // The umask takes away what it should.
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)?;
        let name = CString::new(made.path().as_os_str().as_bytes())?;
        let (file, path) = made.keep()?;
        known.paths.push(name);
        drop(known);
        // From here on it is removed when it is dropped.
        let temporary = Temporary { file, path };
        if let Some(permissions) = permissions {
            temporary.file.set_permissions(permissions)?;
        }
        Ok(temporary)
    }

    /// Waits until all of it is on the disk, and puts it in place of what was there.
    pub fn persist(self, path: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        {
            let mut known = known();
            fs::rename(&self.path, path)?;
            known.forget(&self.path);
            known.placed += 1;
        }
        // Its name is to survive too. Not every file system can do that.
        if let Ok(folder) = File::open(folder(path)) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut known = known();
        if known.forget(&self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}
