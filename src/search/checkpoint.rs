//! Checkpoints: files with the committed roots of a search and their sums, from which the same
//! search resumes.
//!
//! If several processes (ranks) search together, rank 0 writes the file that the user named, with
//! the results of earlier runs, and each other rank writes a file beside it. The files of a run
//! have the same random number; files of other runs are ignored.
//!
//! The format is that of [`super::sums_file`]. The array `checkpoint` has the fields of [`Origin`];
//! `roots` (u64) has the start and the end of each committed range.

use std::cell::{Cell, OnceCell, RefCell};
use std::ffi::OsStr;
use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use xxhash_rust::xxh3::Xxh3;

use super::sums_file::{self, LAYOUT, SumsFile};
use crate::engine::OwnSums;
use crate::error::Error;
use crate::output::temporary::folder;
use crate::output::{Output, OutputError};
use crate::plan::SearchOptions;
use crate::prepare::Prepared;
use crate::runner::{Committed, merged, total};

/// The kind of [`super::sums_file`].
const KIND: &str = "checkpoint";
/// The file name of another rank is that of rank 0, followed by this text and the rank.
const RANK_SUFFIX: &str = ".rank-";
/// The program removes checkpoints in its folder that have not changed for this time.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 3600);

/// The place and the interval of a search's checkpoints.
#[derive(Debug, Clone)]
pub(crate) struct Checkpoints {
    pub(crate) path: CheckpointPath,
    pub(crate) every: Duration,
    /// The least expected time of a search that writes checkpoints.
    pub(crate) least: Duration,
}

/// The path of checkpoints: a file that the user named, or a folder with a file for each search.
#[derive(Debug, Clone)]
pub(crate) enum CheckpointPath {
    File(PathBuf),
    Folder(PathBuf),
}

/// The search and the run that a checkpoint belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The [`fingerprint`] of the search.
    pub(crate) fingerprint: u64,
    /// A random number of the run.
    pub(crate) run: u64,
    /// Whether the searches serve sources inside chains; see [`crate::prepare::chains`].
    pub(crate) serves_chains: bool,
}

/// The contents of a checkpoint.
pub(crate) struct LoadedCheckpoint {
    pub(crate) origin: Origin,
    committed: Committed,
}

impl LoadedCheckpoint {
    /// Adds the checkpoint of another rank. Returns `None` if it belongs to another search, or if
    /// both have sums of the same root.
    fn add(&mut self, other: LoadedCheckpoint) -> Option<()> {
        let Committed { roots, sums } = &mut self.committed;
        if self.origin != other.origin || sizes(sums) != sizes(&other.committed.sums) {
            return None;
        }
        roots.extend(other.committed.roots);
        *roots = merged(std::mem::take(roots));
        sums.add_copy(&other.committed.sums);
        are_apart(roots).then_some(())
    }
}

/// Reads a checkpoint as [`load`] does, and checks that the next one can be written.
///
/// # Errors
/// Those of [`load`], and [`Error::NoCheckpoint`] if no checkpoint can be written.
pub(crate) fn load_writable(path: &Path) -> Result<Option<LoadedCheckpoint>, Error> {
    let loaded = load(path)?;
    Output::open(path).map_err(Error::NoCheckpoint)?;
    Ok(loaded)
}

/// Reads a checkpoint and those of the other ranks of its run. Returns `None` if there is no file.
///
/// # Errors
/// [`Error::Checkpoint`] if the file cannot be read, or is not a complete checkpoint.
fn load(path: &Path) -> Result<Option<LoadedCheckpoint>, Error> {
    match fs::metadata(path) {
        // Reading a file such as /dev/zero would never end.
        Ok(metadata) if !metadata.is_file() => {
            let what = "is not a regular file; pass the path of a file";
            return Err(refusal(path, what.into()));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        _ => {}
    }
    let mut checkpoint = read(path)
        .map_err(|what| refusal(path, format!("{what} (remove it, or name another file)")))?;
    for other in files_of_ranks(path) {
        if let Ok(part) = read(&other)
            && part.origin.run == checkpoint.origin.run
        {
            checkpoint.add(part).ok_or_else(|| {
                let what = format!(
                    "is not compatible with {other}, which belongs to another search or repeats \
                     roots; remove {other}",
                    other = other.display()
                );
                refusal(path, what)
            })?;
        }
    }
    Ok(Some(checkpoint))
}

/// Returns the error of an unusable checkpoint; `what` is the rest of a message that begins with
/// the file.
fn refusal(path: &Path, what: String) -> Error {
    Error::Checkpoint(format!("{} {what}", path.display()))
}

/// Reads one file. An error is the rest of a message about the file.
fn read(path: &Path) -> Result<LoadedCheckpoint, String> {
    let mut file = SumsFile::open(path)?;
    let [_, fingerprint, run, serves_chains] = file.head(KIND)?;
    let ends = file.required::<u64>("roots")?;
    let ends = ends.as_chunks::<2>().0.iter();
    let roots = ends.map(|&[start, end]| start as usize..end as usize);
    let roots: Vec<_> = roots.collect();
    if !are_apart(&roots) {
        return Err("is damaged: its ranges of roots overlap or are out of order".into());
    }
    Ok(LoadedCheckpoint {
        origin: Origin {
            fingerprint,
            run,
            serves_chains: serves_chains == 1,
        },
        committed: Committed {
            roots,
            sums: file.sums()?,
        },
    })
}

/// Writes a checkpoint. It replaces the file at `path` once it is complete and on the disk.
fn write(path: &Path, origin: Origin, committed: &Committed) -> Result<(), OutputError> {
    let mut output = Output::open(path)?;
    let serves_chains = origin.serves_chains.into();
    let head = [LAYOUT, origin.fingerprint, origin.run, serves_chains];
    let ends = (committed.roots.iter()).flat_map(|range| [range.start, range.end]);
    let ends: Vec<u64> = ends.map(|end| end as u64).collect();
    output.write(|out| {
        sums_file::write(out, (KIND, &head), &committed.sums, |archive| {
            archive.array("roots", ends.iter().copied())
        })
    })?;
    output.finish()
}

/// Returns the path of a rank's file, beside that of rank 0.
pub(crate) fn file_of_rank(first: &Path, rank: usize) -> PathBuf {
    let mut path = first.as_os_str().to_owned();
    if rank > 0 {
        path.push(format!("{RANK_SUFFIX}{rank}"));
    }
    path.into()
}

/// Returns the existing files of the other ranks beside the file of rank 0.
fn files_of_ranks(first: &Path) -> Vec<PathBuf> {
    let mut start = first.file_name().unwrap_or_default().to_owned();
    start.push(RANK_SUFFIX);
    let files = fs::read_dir(folder(first)).into_iter().flatten().flatten();
    let is_of_rank = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        let rank = name.strip_prefix(start.as_encoded_bytes());
        rank.is_some_and(|rank| !rank.is_empty() && rank.iter().all(u8::is_ascii_digit))
    };
    files.map(|file| file.path()).filter(is_of_rank).collect()
}

/// Removes a checkpoint and the files of all other ranks.
pub(crate) fn remove(first: &Path) {
    // If the path is a symbolic link, this is the file to which it points; the link stays.
    let written = fs::canonicalize(first).unwrap_or(first.to_path_buf());
    // The file of rank 0 is removed first: without it, the others are ignored.
    for path in std::iter::once(written).chain(files_of_ranks(first)) {
        let _ = fs::remove_file(path);
    }
}

/// Returns the file name in a folder for the search with this fingerprint.
fn file_name(fingerprint: u64) -> String {
    format!("{fingerprint:016x}.{KIND}")
}

/// Returns whether a name has the form of [`file_name`].
fn is_own_name(name: &OsStr) -> bool {
    let stem = Path::new(name).file_stem().and_then(OsStr::to_str);
    let fingerprint = stem.and_then(|stem| u64::from_str_radix(stem, 16).ok());
    fingerprint.is_some_and(|fingerprint| name == &file_name(fingerprint)[..])
}

/// Removes checkpoints that are too old from a folder, but no other files, since the folder may
/// contain files of the user. Returns whether a checkpoint is left.
fn remove_old_and_find_any(folder: &Path) -> bool {
    let mut any = false;
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    for file in files.filter(|file| is_own_name(&file.file_name())) {
        let changed = file.metadata().and_then(|data| data.modified());
        let age = changed.ok().and_then(|time| time.elapsed().ok());
        if age.is_some_and(|age| age > MAX_AGE) {
            let _ = fs::remove_file(file.path());
        } else {
            any = true;
        }
    }
    any
}

/// Resumes a search from its checkpoint, and writes further checkpoints.
pub(crate) struct Recorder<'s> {
    location: &'s CheckpointPath,
    prepared: &'s Prepared,
    options: &'s SearchOptions,
    /// Computed on demand, since hashing a large graph takes time.
    fingerprint: OnceCell<u64>,
    /// The random number of this run, which all ranks share.
    pub(crate) run: u64,
    /// The path of the file, once it is written or read.
    file: OnceCell<PathBuf>,
    /// The number of roots in the file.
    pub(crate) done: Cell<usize>,
    /// A message about the last write, if it failed.
    failure: RefCell<Option<String>>,
}

impl<'s> Recorder<'s> {
    pub(crate) fn new(
        location: &'s CheckpointPath,
        prepared: &'s Prepared,
        options: &'s SearchOptions,
    ) -> Self {
        Recorder {
            location,
            prepared,
            options,
            fingerprint: OnceCell::new(),
            run: RandomState::new().build_hasher().finish(),
            file: OnceCell::new(),
            done: Cell::new(0),
            failure: RefCell::default(),
        }
    }

    fn fingerprint(&self) -> u64 {
        let hash = || fingerprint(self.prepared, self.options);
        *self.fingerprint.get_or_init(hash)
    }

    /// Returns the path of the checkpoint.
    pub(crate) fn path(&self) -> PathBuf {
        match self.location {
            CheckpointPath::File(path) => path.clone(),
            CheckpointPath::Folder(folder) => folder.join(file_name(self.fingerprint())),
        }
    }

    /// Returns the roots and sums that earlier runs committed, from the `loaded` file or from the
    /// folder; empty if there are none.
    ///
    /// # Errors
    /// [`Error::Checkpoint`] if the loaded file belongs to another search.
    pub(crate) fn resume(&self, loaded: Option<LoadedCheckpoint>) -> Result<Committed, Error> {
        let fits = |checkpoint: &LoadedCheckpoint| {
            let last = checkpoint.committed.roots.last();
            checkpoint.origin.fingerprint == self.fingerprint()
                && sizes(&checkpoint.committed.sums) == sizes(&self.prepared.zero_sums())
                && last.is_none_or(|last| last.end <= self.prepared.roots.len())
        };
        let loaded = match self.location {
            // A checkpoint that the user did not ask for is ignored if it does not fit.
            CheckpointPath::Folder(folder) if remove_old_and_find_any(folder) => {
                load(&self.path()).ok().flatten().filter(fits)
            }
            _ => loaded,
        };
        let Some(checkpoint) = loaded else {
            return Ok(Committed::default());
        };
        if !fits(&checkpoint) {
            let what = "is of another graph, of other options, or of another version (use the same \
                        as the run that wrote it, remove it, or name another file)";
            return Err(refusal(&self.path(), what.into()));
        }
        let _ = self.file.set(self.path());
        self.done.set(total(&checkpoint.committed.roots));
        Ok(checkpoint.committed)
    }

    /// Writes a checkpoint.
    pub(crate) fn save(&self, committed: &Committed) {
        if let CheckpointPath::Folder(folder) = self.location {
            // If this fails, the write below fails too, with a message.
            let _ = fs::create_dir_all(folder);
        }
        let origin = Origin {
            fingerprint: self.fingerprint(),
            run: self.run,
            serves_chains: self.prepared.chains.is_some(),
        };
        let path = self.path();
        let written = write(&path, origin, committed);
        if written.is_ok() {
            let _ = self.file.set(path);
            self.done.set(total(&committed.roots));
        }
        let message = |error| format!("the checkpoint was not written: {error}");
        *self.failure.borrow_mut() = written.err().map(message);
    }

    /// Returns the path of the file, once it is written or read.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.get().map(PathBuf::as_path)
    }

    /// Returns a message about the last write, if it failed.
    pub(crate) fn failure(&self) -> Option<String> {
        self.failure.borrow().clone()
    }
}

/// Returns the number of sums of vertices, and that of arcs.
fn sizes(sums: &OwnSums) -> (usize, Option<usize>) {
    (sums.vertices.len(), sums.arcs.as_ref().map(Vec::len))
}

/// Returns whether ranges are in rising order, disjoint, not empty and not adjacent.
fn are_apart(ranges: &[Range<usize>]) -> bool {
    ranges.iter().all(|range| range.start < range.end)
        && ranges.windows(2).all(|pair| pair[0].end < pair[1].start)
}

/// Returns a hash of all data that the sums of a search depend on: the prepared graph, its roots,
/// and the options that change the sums. If the search is reproducible, these include all options
/// that change rounding errors, such as the devices.
pub(crate) fn fingerprint(prepared: &Prepared, options: &SearchOptions) -> u64 {
    let reproducible = options.reproducible.then(|| options.fingerprint());
    let numbers = [
        options.device.precision as u64,
        reproducible.unwrap_or(0),
        prepared.count_edges.into(),
        prepared.count_endpoints.into(),
        prepared.chains.is_some().into(),
        prepared.reverse.is_some().into(),
        prepared.sources as u64,
        prepared.tie_tolerance.to_bits(),
        prepared.roots.len() as u64,
    ];
    let roots = (prepared.roots.iter()).map(|root| [root.vertex, root.sources]);
    let mut hash = Xxh3::new();
    hash.update(bytemuck::cast_slice(&numbers));
    hash.update(bytemuck::cast_slice(&roots.collect::<Vec<_>>()));
    hash.update(bytemuck::cast_slice(prepared.graph.offsets()));
    hash.update(bytemuck::cast_slice(prepared.graph.targets()));
    hash.update(bytemuck::cast_slice(&prepared.weight));
    hash.update(bytemuck::cast_slice(prepared.multiplicities()));
    if let Some(query) = &prepared.query {
        query.hash(&mut hash, &prepared.source);
    }
    match &prepared.lengths {
        None => hash.update(b"none"),
        Some(lengths) => hash.update(lengths.as_bytes()),
    }
    hash.digest()
}

/// Returns a hash of all data that the scores of a part of a search depend on: the [`fingerprint`]
/// of the whole search, and the mapping of its sums to scores of the input.
pub(crate) fn fingerprint_of_part(whole: &Prepared, options: &SearchOptions) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(&fingerprint(whole, options).to_le_bytes());
    whole.input_hash(&mut hash);
    hash.digest()
}

#[cfg(test)]
mod tests;
