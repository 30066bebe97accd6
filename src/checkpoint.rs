//! Checkpoints: the committed roots of a search and their sums, in a file that the same search goes
//! on from.
//!
//! Where several processes search together, each keeps what it has done in a file of its own,
//! beside that of rank 0, which also has what earlier runs did. Files of other runs are ignored.
//!
//! The file is one of [`crate::sums_file`]. Its array `checkpoint` has the fields of [`Origin`];
//! `roots` (u64) has the first root of each committed range and the first one behind it.

use std::cell::{Cell, OnceCell, RefCell};
use std::ffi::OsStr;
use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use xxhash_rust::xxh3::Xxh3;

use crate::engine::OwnSums;
use crate::error::Error;
use crate::graph::Lengths;
use crate::output::temporary::folder;
use crate::output::{Output, OutputError};
use crate::plan::Wishes;
use crate::prepare::Prepared;
use crate::runner::{Committed, joined, total};
use crate::sums_file::{self, LAYOUT, SumsFile};

/// The kind of [`crate::sums_file`].
const KIND: &str = "checkpoint";
/// The name of a rank's file is that of rank 0, this, and the rank.
const OF_RANK: &str = ".rank-";
/// Checkpoints in a folder that no search went on with are removed after this time.
const FORGOTTEN: Duration = Duration::from_secs(30 * 24 * 3600);

/// Where and how often a search keeps what it has done.
#[derive(Debug, Clone)]
pub(crate) struct Checkpoints {
    pub(crate) place: Place,
    pub(crate) every: Duration,
    /// Shorter searches keep nothing.
    pub(crate) least: Duration,
}

/// The file, or a folder where each search has a file of its own without being asked.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    File(PathBuf),
    Folder(PathBuf),
}

/// What a checkpoint belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    /// That of the search.
    pub(crate) fingerprint: u64,
    /// A number of the run.
    pub(crate) run: u64,
    /// Whether sources inside chains were served.
    pub(crate) contracted: bool,
}

/// The content of a checkpoint.
pub(crate) struct Kept {
    pub(crate) origin: Origin,
    committed: Committed,
}

impl Kept {
    /// Adds what another rank kept; `None` if that is of another search, or has the same roots.
    fn add(&mut self, other: Kept) -> Option<()> {
        let Committed { roots, sums } = &mut self.committed;
        if self.origin != other.origin || sizes(sums) != sizes(&other.committed.sums) {
            return None;
        }
        roots.extend(other.committed.roots);
        *roots = joined(std::mem::take(roots));
        sums.add_copy(&other.committed.sums);
        are_apart(roots).then_some(())
    }
}

/// Reads a checkpoint and those of the other ranks of its run; `None` if there is no file.
///
/// # Errors
/// [`Error::Checkpoint`] if it cannot be read, or is no whole checkpoint;
/// [`Error::NoCheckpoint`] if there is none and none can be written.
pub(crate) fn load(path: &Path) -> Result<Option<Kept>, Error> {
    match fs::metadata(path) {
        // Reading a device file may never end.
        Ok(metadata) if !metadata.is_file() => {
            return Err(refusal(
                path,
                "is not a regular file; pass the path of a file".into(),
            ));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let tried = Output::open(path).map_err(Error::NoCheckpoint);
            return tried.map(|_| None);
        }
        _ => {}
    }
    let mut kept = read(path)
        .map_err(|what| refusal(path, format!("{what} (remove it, or name another file)")))?;
    for other in files_of_ranks(path) {
        if let Ok(part) = read(&other)
            && part.origin.run == kept.origin.run
        {
            kept.add(part).ok_or_else(|| {
                let what = format!(
                    "does not go with {other}, which belongs to another search or repeats roots; \
                     remove {other}",
                    other = other.display()
                );
                refusal(path, what)
            })?;
        }
    }
    Ok(Some(kept))
}

fn refusal(path: &Path, what: String) -> Error {
    let path = path.display().to_string();
    Error::Checkpoint { path, what }
}

fn read(path: &Path) -> Result<Kept, String> {
    let mut file = SumsFile::open(path)?;
    let [_, fingerprint, run, contracted] = file.head(KIND)?;
    let ends = file.required::<u64>("roots")?;
    let (ends, _) = ends.as_chunks::<2>();
    let roots = ends
        .iter()
        .map(|&[start, end]| start as usize..end as usize);
    let roots: Vec<_> = roots.collect();
    if !are_apart(&roots) {
        return Err("is damaged: its ranges of roots overlap".into());
    }
    let sums = file.sums()?;
    Ok(Kept {
        origin: Origin {
            fingerprint,
            run,
            contracted: contracted == 1,
        },
        committed: Committed { roots, sums },
    })
}

/// Writes a checkpoint. The file is replaced when the new one is whole and on the disk.
fn write(path: &Path, origin: Origin, committed: &Committed) -> Result<(), OutputError> {
    let mut output = Output::open(path)?;
    let Origin {
        fingerprint,
        run,
        contracted,
    } = origin;
    let head = [LAYOUT, fingerprint, run, contracted.into()];
    let ends = committed
        .roots
        .iter()
        .flat_map(|range| [range.start, range.end]);
    let ends: Vec<u64> = ends.map(|end| end as u64).collect();
    output.write(|out| {
        sums_file::write(out, (KIND, &head), &committed.sums, |archive| {
            archive.array("roots", ends.iter().copied())
        })
    })?;
    output.finish()
}

/// Returns the file of a rank, beside that of the first one.
pub(crate) fn file_of_rank(first: &Path, rank: usize) -> PathBuf {
    let mut path = first.as_os_str().to_owned();
    if rank > 0 {
        path.push(format!("{OF_RANK}{rank}"));
    }
    path.into()
}

/// Returns the files of other ranks than the first one, whose file this is.
fn files_of_ranks(first: &Path) -> Vec<PathBuf> {
    let mut start = first.file_name().unwrap_or_default().to_owned();
    start.push(OF_RANK);
    let files = fs::read_dir(folder(first)).into_iter().flatten().flatten();
    let is_of_rank = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        let rank = name.strip_prefix(start.as_encoded_bytes());
        rank.is_some_and(|rank| !rank.is_empty() && rank.iter().all(u8::is_ascii_digit))
    };
    files.map(|file| file.path()).filter(is_of_rank).collect()
}

/// Removes a checkpoint, since the scores are there.
pub(crate) fn remove(first: &Path) {
    // A link that leads to it stays.
    let written = fs::canonicalize(first).unwrap_or(first.to_path_buf());
    // Files of ranks are ignored without the first one, which therefore goes first.
    for path in std::iter::once(written).chain(files_of_ranks(first)) {
        let _ = fs::remove_file(path);
    }
}

/// Returns the name of the file in a folder of the search with this fingerprint.
fn file_name(fingerprint: u64) -> String {
    format!("{fingerprint:016x}.{KIND}")
}

/// Returns whether [`file_name`] may have given a file this name.
fn is_own_name(name: &OsStr) -> bool {
    let stem = Path::new(name).file_stem().and_then(OsStr::to_str);
    let fingerprint = stem.and_then(|stem| u64::from_str_radix(stem, 16).ok());
    fingerprint.is_some_and(|fingerprint| name == &file_name(fingerprint)[..])
}

/// Returns whether there is a checkpoint of a search in a folder. Those that are too old are
/// removed; all other files are left alone, since the folder may be one of the user's.
fn has_any(folder: &Path) -> bool {
    let mut any = false;
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    for file in files.filter(|file| is_own_name(&file.file_name())) {
        let changed = file.metadata().and_then(|data| data.modified());
        let age = changed.ok().and_then(|time| time.elapsed().ok());
        if age.is_some_and(|age| age > FORGOTTEN) {
            let _ = fs::remove_file(file.path());
        } else {
            any = true;
        }
    }
    any
}

/// Goes on from the checkpoint of a search, and keeps what is committed since.
pub(crate) struct Recorder<'s> {
    place: &'s Place,
    prepared: &'s Prepared,
    wishes: &'s Wishes,
    /// Hashing a large graph takes its time.
    fingerprint: OnceCell<u64>,
    /// The number of this run, which all ranks share.
    pub(crate) run: u64,
    /// The file, once anything has been written to it.
    file: OnceCell<PathBuf>,
    /// How many roots are in the file.
    pub(crate) done: Cell<usize>,
    /// Why it could not be written when it was tried last.
    failure: RefCell<Option<String>>,
}

impl<'s> Recorder<'s> {
    pub(crate) fn new(place: &'s Place, prepared: &'s Prepared, wishes: &'s Wishes) -> Self {
        Recorder {
            place,
            prepared,
            wishes,
            fingerprint: OnceCell::new(),
            run: RandomState::new().build_hasher().finish(),
            file: OnceCell::new(),
            done: Cell::new(0),
            failure: RefCell::default(),
        }
    }

    fn fingerprint(&self) -> u64 {
        let hash = || fingerprint(self.prepared, self.wishes);
        *self.fingerprint.get_or_init(hash)
    }

    /// Returns the path of the checkpoint.
    pub(crate) fn path(&self) -> PathBuf {
        match self.place {
            Place::File(path) => path.clone(),
            Place::Folder(folder) => folder.join(file_name(self.fingerprint())),
        }
    }

    /// Returns what earlier runs have committed: what was `loaded` from a named file, or is in the
    /// folder.
    ///
    /// # Errors
    /// [`Error::Checkpoint`] if that is of another search.
    pub(crate) fn resume(&self, loaded: Option<Kept>) -> Result<Committed, Error> {
        let fits = |kept: &Kept| {
            let last = kept.committed.roots.last();
            kept.origin.fingerprint == self.fingerprint()
                && sizes(&kept.committed.sums) == sizes(&self.prepared.zero_sums())
                && last.is_none_or(|last| last.end <= self.prepared.roots.len())
        };
        let loaded = match self.place {
            // A checkpoint that nobody asked for is ignored if it cannot be used.
            Place::Folder(folder) if has_any(folder) => {
                load(&self.path()).ok().flatten().filter(fits)
            }
            _ => loaded,
        };
        let Some(kept) = loaded else {
            return Ok(Committed::default());
        };
        if !fits(&kept) {
            let what = "is of another graph, of other options, or of another version (use those it \
                        was made with, remove it, or name another file)";
            return Err(refusal(&self.path(), what.into()));
        }
        let _ = self.file.set(self.path());
        self.done.set(total(&kept.committed.roots));
        Ok(kept.committed)
    }

    /// Writes what is committed.
    pub(crate) fn keep(&self, committed: &Committed) {
        if let Place::Folder(folder) = self.place {
            // Without the folder the file cannot be written either, which says why.
            let _ = fs::create_dir_all(folder);
        }
        let origin = Origin {
            fingerprint: self.fingerprint(),
            run: self.run,
            contracted: self.prepared.chains.is_some(),
        };
        let path = self.path();
        let written = write(&path, origin, committed);
        if written.is_ok() {
            let _ = self.file.set(path);
            self.done.set(total(&committed.roots));
        }
        *self.failure.borrow_mut() = written.err().map(|error| error.to_string());
    }

    /// Returns the file if anything is in it.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.get().map(PathBuf::as_path)
    }

    /// Returns why the last write failed.
    pub(crate) fn failure(&self) -> Option<String> {
        let failure = self.failure.borrow();
        let failure = failure.as_ref()?;
        Some(format!("the checkpoint was not written: {failure}"))
    }
}

/// Returns how many sums there are, of vertices and of arcs.
fn sizes(sums: &OwnSums) -> (usize, Option<usize>) {
    (sums.vertices.len(), sums.arcs.as_ref().map(Vec::len))
}

/// Returns whether ranges are not empty, in rising order, and no two of them touch.
fn are_apart(ranges: &[Range<usize>]) -> bool {
    ranges.iter().all(|range| range.start < range.end)
        && ranges.windows(2).all(|pair| pair[0].end < pair[1].start)
}

/// Returns a hash of all that the sums of a search depend on: the prepared graph, its roots, and
/// how they are counted. Which processors search does not matter, unless bits have to be the same.
pub(crate) fn fingerprint(prepared: &Prepared, wishes: &Wishes) -> u64 {
    let reproducible = match wishes.reproducible {
        true => wishes.fingerprint(),
        false => 0,
    };
    let options = [
        wishes.device.precision as u64,
        reproducible,
        prepared.count_edges.into(),
        prepared.count_endpoints.into(),
        prepared.chains.is_some().into(),
        prepared.reverse.is_some().into(),
        prepared.sources as u64,
        prepared.tie_tolerance.to_bits(),
        prepared.roots.len() as u64,
    ];
    let roots = prepared
        .roots
        .iter()
        .map(|root| [root.vertex, root.sources]);
    let mut hash = Xxh3::new();
    hash.update(bytemuck::cast_slice(&options));
    hash.update(bytemuck::cast_slice(&roots.collect::<Vec<_>>()));
    hash.update(bytemuck::cast_slice(prepared.graph.offsets()));
    hash.update(bytemuck::cast_slice(prepared.graph.targets()));
    hash.update(bytemuck::cast_slice(&prepared.weight));
    hash.update(bytemuck::cast_slice(prepared.multiplicities()));
    match &prepared.lengths {
        None => hash.update(b"none"),
        Some(Lengths::U32(lengths)) => hash.update(bytemuck::cast_slice(lengths)),
        Some(Lengths::U64(lengths)) => hash.update(bytemuck::cast_slice(lengths)),
        Some(Lengths::F64(lengths)) => hash.update(bytemuck::cast_slice(lengths)),
    }
    hash.digest()
}

/// Returns a hash of all that the scores of a part depend on, for parts of the same search:
/// [`fingerprint`] of the whole, and all that maps its sums to scores of the input.
pub(crate) fn fingerprint_of_part(whole: &Prepared, wishes: &Wishes) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(&fingerprint(whole, wishes).to_le_bytes());
    whole.input_hash(&mut hash);
    hash.digest()
}

#[cfg(test)]
mod tests;
