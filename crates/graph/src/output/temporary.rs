//! Temporary files and a list of them, so that a process that is stopped can remove them.

use std::fs::{self, File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use crate::os;

/// The outputs of this process. The lock is held while a file is made, renamed or removed.
static OUTPUTS: Mutex<Outputs> = Mutex::new(Outputs {
    paths: Vec::new(),
    finished: 0,
});

struct Outputs {
    /// The paths of temporary files, some of which may have been removed.
    paths: Vec<PathBuf>,
    /// The number of files that were renamed to their final names.
    finished: usize,
}

fn lock_outputs() -> MutexGuard<'static, Outputs> {
    OUTPUTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files and prevents new ones: the process has to end after this call. It
/// allocates nothing, except for paths of more than 300 bytes. Returns the number of files that
/// were removed and the number of files that were finished before, or `None` if `wait` is false and
/// a thread, perhaps this one, holds the lock.
pub fn remove_all(wait: bool) -> Option<(usize, usize)> {
    let outputs = match (wait, OUTPUTS.try_lock()) {
        (_, Ok(outputs)) => outputs,
        (true, Err(_)) => lock_outputs(),
        (false, Err(TryLockError::Poisoned(outputs))) => outputs.into_inner(),
        (false, Err(TryLockError::WouldBlock)) => return None,
    };
    let removed = outputs.paths.iter().map(fs::remove_file);
    let counts = (removed.filter(Result::is_ok).count(), outputs.finished);
    // The lock stays taken, so that no other file is made.
    std::mem::forget(outputs);
    Some(counts)
}

/// Returns the folder that a path is in.
pub fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// A file under a temporary name, which is removed when it is dropped.
#[derive(Debug)]
pub(super) struct Temporary {
    pub file: File,
    path: PathBuf,
}

impl Temporary {
    /// Makes a file in `folder` with these permissions, or those that any new file has.
    pub fn new(folder: &Path, permissions: Option<Permissions>) -> io::Result<Temporary> {
        let mut outputs = lock_outputs();
        let mut builder = tempfile::Builder::new();
        builder.prefix(".brandes-").suffix(".part");
        os::set_usual_mode(&mut builder);
        let created = builder.tempfile_in(folder)?;
        let (file, path) = created.keep()?;
        outputs.paths.push(path.clone());
        drop(outputs);
        // From here on the file is removed when `temporary` is dropped.
        let temporary = Temporary { file, path };
        if let Some(permissions) = permissions {
            temporary.file.set_permissions(permissions)?;
        }
        Ok(temporary)
    }

    /// Waits until the file is on the disk, and renames it to `path`.
    pub fn persist(self, path: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        {
            let mut outputs = lock_outputs();
            os::rename(&self.path, path)?;
            outputs.paths.retain(|path| *path != self.path);
            outputs.finished += 1;
        }
        // Writes the name to the disk too, where the file system supports that.
        if let Ok(folder) = File::open(folder(path)) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _lock = lock_outputs();
        // A file that was renamed is not there any more.
        let _ = fs::remove_file(&self.path);
    }
}
