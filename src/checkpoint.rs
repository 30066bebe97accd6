//! Checkpoints: what a search has done so far, in a file that the same search goes on from.
//!
//! Where several processes search together, each keeps what it has done in a file of its own,
//! beside that of rank 0, which has what was done in earlier runs too. All of these are of one run;
//! files of other runs mean nothing.
//!
//! The file holds numbers of 64 bits, the lowest byte first, behind a line of text: the fingerprint
//! of the search, a number of the run, whether chains were served, how many ranges of roots,
//! vertices and arcs there are, the first and last-but-one root of each range, the sums of vertices
//! and of arcs, and a checksum (XXH3) of all before it.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{ErrorKind, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::engine::OwnSums;
use crate::error::Error;
use crate::graph::Lengths;
use crate::output::{Output, OutputError};
use crate::plan::Wishes;
use crate::prepare::Prepared;
use crate::runner::{Committed, joined};

/// The first line; another one for another layout.
const MAGIC: &[u8; 24] = b"brandes checkpoint, 1.1\n";
/// What the names of files of other ranks have behind that of the first one, and before the rank.
const OF_RANK: &str = ".rank-";
/// Names of files in a folder have so many hexadecimal digits, of the fingerprint, and end so.
const DIGITS: usize = 16;
const SUFFIX: &str = ".checkpoint";
/// Bytes of a number.
const WORD: usize = 8;
/// Numbers behind the line that are always there.
const HEAD: usize = 6;

/// Where a search keeps what it has done.
#[derive(Debug, Clone)]
pub(crate) struct Checkpoints {
    pub(crate) place: Place,
    /// How often.
    pub(crate) every: Duration,
    /// How long a search is expected to take that keeps anything.
    pub(crate) least: Duration,
}

/// The file, or a folder where each search has a file of its own without being asked.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    File(Checkpoint),
    Folder(PathBuf),
}

/// The file of a search.
#[derive(Debug, Clone)]
pub(crate) struct Checkpoint(pub(crate) PathBuf);

/// What was kept of a search that no other went on with is removed after this time.
const FORGOTTEN: Duration = Duration::from_secs(30 * 24 * 3600);

/// Whether there is a checkpoint of a search in a folder. Those that are too old are removed; all
/// other files are left alone, since the folder may be one of the user's.
pub(crate) fn any(folder: &Path) -> bool {
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

impl Place {
    /// Where the search with this fingerprint is kept.
    pub(crate) fn of(&self, fingerprint: impl FnOnce() -> u64) -> Checkpoint {
        match self {
            Place::File(file) => file.clone(),
            Place::Folder(folder) => {
                // Without the folder the file cannot be written either, which says why.
                let _ = fs::create_dir_all(folder);
                Checkpoint(folder.join(format!("{:0DIGITS$x}{SUFFIX}", fingerprint())))
            }
        }
    }
}

/// Whether [`Place::of`] may have given a file this name.
fn is_own_name(name: &OsStr) -> bool {
    let stem = name.as_encoded_bytes().strip_suffix(SUFFIX.as_bytes());
    let is_digit = |digit: &u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    stem.is_some_and(|stem| stem.len() == DIGITS && stem.iter().all(is_digit))
}

/// What a checkpoint is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    /// That of the search.
    pub(crate) fingerprint: u64,
    /// A number of the run.
    pub(crate) run: u64,
    /// Whether sources inside chains were served.
    pub(crate) contracted: bool,
}

/// What was kept.
pub(crate) struct Kept {
    pub(crate) of: Origin,
    committed: Committed,
}

impl Checkpoint {
    /// What is in the file; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Checkpoint`] if it cannot be read, or is no whole checkpoint.
    pub(crate) fn load(&self) -> Result<Option<Kept>, Error> {
        // Others, such as devices, may never end.
        if fs::metadata(&self.0).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(self.error("is no file (name one)".into()));
        }
        let bytes = match fs::read(&self.0) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                // Where nothing can be kept, that is to be known now.
                let tried = Output::open(&self.0).map_err(Error::NoCheckpoint);
                return tried.map(|_| None);
            }
            Err(error) => return Err(self.error(format!("cannot be read: {error}"))),
        };
        let kept = parse(&bytes).ok_or_else(|| {
            self.error("is no whole checkpoint (remove it, or name another file)".into())
        });
        let mut kept = kept?;
        for path in of_ranks(&self.0) {
            let bytes = fs::read(&path).map_err(|e| self.error(format!("cannot be read: {e}")))?;
            let part = parse(&bytes).filter(|part| part.of.run == kept.of.run);
            // Others are of runs before, which the first file has.
            if let Some(part) = part {
                kept.add(part).ok_or_else(|| {
                    let what = format!("does not go with {}; remove that file", path.display());
                    self.error(what)
                })?;
            }
        }
        Ok(Some(kept))
    }

    /// The file of another rank.
    pub(crate) fn of_rank(&self, rank: usize) -> Checkpoint {
        let mut path = self.0.clone().into_os_string();
        if rank > 0 {
            path.push(format!("{OF_RANK}{rank}"));
        }
        Checkpoint(path.into())
    }

    /// What counts of `kept` for a search with this fingerprint.
    ///
    /// # Errors
    /// [`Error::Checkpoint`] if it is of another search.
    pub(crate) fn take(
        &self,
        kept: Kept,
        fingerprint: u64,
        prepared: &Prepared,
    ) -> Result<Committed, Error> {
        let Committed { roots, sums } = &kept.committed;
        if kept.of.fingerprint == fingerprint
            && sizes(sums) == sizes(&prepared.zero_sums())
            && roots
                .last()
                .is_none_or(|last| last.end <= prepared.roots.len())
        {
            return Ok(kept.committed);
        }
        Err(self.error(
            "is of another graph, of other options, or of another version (use those it was made \
             with, remove it, or name another file)"
                .into(),
        ))
    }

    fn error(&self, what: String) -> Error {
        Error::Checkpoint {
            path: self.0.display().to_string(),
            what,
        }
    }

    /// The run that wrote the file, if there is one.
    pub(crate) fn run(&self) -> Option<u64> {
        let mut head = [0; MAGIC.len() + 2 * WORD];
        File::open(&self.0).ok()?.read_exact(&mut head).ok()?;
        let words = head.strip_prefix(MAGIC)?;
        words.last_chunk().map(|&word| u64::from_le_bytes(word))
    }

    /// Writes what is committed. The file is replaced when the new one is whole and on the disk.
    fn write(&self, of: Origin, committed: &Committed) -> Result<(), OutputError> {
        let Committed { roots, sums } = committed;
        let arcs = sums.arcs.as_deref().unwrap_or_default();
        let counts = [roots.len(), sums.vertices.len(), arcs.len()].map(|count| count as u64);
        let head = [of.fingerprint, of.run, of.contracted.into()];
        let ends = roots.iter().flat_map(|range| [range.start, range.end]);
        let numbers = head.into_iter().chain(counts);
        let numbers = numbers.chain(ends.map(|end| end as u64));
        let numbers: Vec<[u8; WORD]> = numbers.map(u64::to_le_bytes).collect();
        let mut output = Output::open(&self.0)?;
        output.write(|out| {
            let mut hash = Xxh3::new();
            let mut put = |bytes: &[u8]| {
                hash.update(bytes);
                out.write_all(bytes)
            };
            put(MAGIC)?;
            put(numbers.as_flattened())?;
            for part in sums.vertices.chunks(PIECE).chain(arcs.chunks(PIECE)) {
                let bytes: Vec<_> = part.iter().map(|number| number.to_le_bytes()).collect();
                put(bytes.as_flattened())?;
            }
            let checksum = hash.digest().to_le_bytes();
            out.write_all(&checksum)
        })?;
        output.finish()
    }
}

/// The files of other ranks than the first one, whose file this is.
fn of_ranks(first: &Path) -> Vec<PathBuf> {
    let folder = match first.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut start = first.file_name().unwrap_or_default().to_owned();
    start.push(OF_RANK);
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_of_rank = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        let rank = name.strip_prefix(start.as_encoded_bytes());
        rank.is_some_and(|rank| !rank.is_empty() && rank.iter().all(u8::is_ascii_digit))
    };
    files.map(|file| file.path()).filter(is_of_rank).collect()
}

/// Removes what was kept, since the scores are there. A file that stays is whole, and all that it
/// is good for is to be fast.
pub(crate) fn remove(first: &Path) {
    // A link that leads to it stays.
    let written = fs::canonicalize(first).unwrap_or(first.to_path_buf());
    // Without the first one the others mean nothing.
    for path in std::iter::once(written).chain(of_ranks(first)) {
        let _ = fs::remove_file(path);
    }
}

/// Numbers written at a time.
const PIECE: usize = 1 << 14;

/// A search that keeps what it has done.
pub(crate) struct Recorder {
    checkpoint: Checkpoint,
    of: Origin,
    /// The run whose file it was when this one began.
    before: Option<u64>,
    /// Why it could not be written when it was tried last.
    failure: RefCell<Option<String>>,
}

impl Recorder {
    pub(crate) fn new(checkpoint: Checkpoint, of: Origin, before: Option<u64>) -> Self {
        Recorder {
            checkpoint,
            of,
            before,
            failure: RefCell::default(),
        }
    }

    pub(crate) fn keep(&self, committed: &Committed) {
        let failure = match self.is_own() {
            true => self.checkpoint.write(self.of, committed).err(),
            false => None,
        };
        *self.failure.borrow_mut() = match failure {
            Some(error) => Some(error.to_string()),
            None if !self.is_own() => Some(format!(
                "{} is written by another run (give each run a file of its own)",
                self.path().display()
            )),
            None => None,
        };
    }

    /// Whether no other run has written the file meanwhile.
    pub(crate) fn is_own(&self) -> bool {
        let run = self.checkpoint.run();
        run.is_none_or(|run| run == self.of.run || Some(run) == self.before)
    }

    /// Where it is kept.
    pub(crate) fn path(&self) -> &Path {
        &self.checkpoint.0
    }

    /// Why what was kept last is not in the file.
    pub(crate) fn failure(&self) -> Option<String> {
        let failure = self.failure.borrow();
        let failure = failure.as_ref()?;
        Some(format!("the checkpoint was not written: {failure}"))
    }
}

/// What there is in a file of these bytes, if it is whole.
fn parse(bytes: &[u8]) -> Option<Kept> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (checked, checksum) = bytes.split_at_checked(bytes.len().checked_sub(WORD)?)?;
    if xxh3_64(checked).to_le_bytes() != checksum {
        return None;
    }
    let (words, []) = rest.as_chunks::<WORD>() else {
        return None;
    };
    let (words, _) = words.split_at_checked(words.len().checked_sub(1)?)?;
    let (head, words) = words.split_at_checked(HEAD)?;
    let mut numbers = head.iter().map(|&word| u64::from_le_bytes(word));
    let of = Origin {
        fingerprint: numbers.next()?,
        run: numbers.next()?,
        contracted: numbers.next()? == 1,
    };
    let mut count = || usize::try_from(numbers.next()?).ok();
    let (ranges, vertices, arcs) = (count()?, count()?, count()?);
    let (ends, words) = words.split_at_checked(ranges.checked_mul(2)?)?;
    let (of_vertices, of_arcs) = words.split_at_checked(vertices)?;
    let doubles = |words: &[[u8; WORD]]| words.iter().map(|&w| f64::from_le_bytes(w)).collect();
    let (ends, _) = ends.as_chunks::<2>();
    let roots: Vec<Range<usize>> = ends
        .iter()
        .map(|&[start, end]| u64::from_le_bytes(start) as usize..u64::from_le_bytes(end) as usize)
        .collect();
    let rising = roots.iter().all(|range| range.start < range.end) && are_apart(&roots);
    let sums = OwnSums {
        vertices: doubles(of_vertices),
        arcs: (arcs > 0).then(|| doubles(of_arcs)),
    };
    let committed = Committed { roots, sums };
    (rising && of_arcs.len() == arcs).then_some(Kept { of, committed })
}

impl Kept {
    /// Adds what another rank kept; `None` if that is of another run or search.
    fn add(&mut self, other: Kept) -> Option<()> {
        let Committed { roots, sums } = &mut self.committed;
        if self.of != other.of || sizes(sums) != sizes(&other.committed.sums) {
            return None;
        }
        roots.extend(other.committed.roots);
        *roots = joined(std::mem::take(roots));
        sums.add_copy(&other.committed.sums);
        // Roots must not count twice.
        are_apart(roots).then_some(())
    }
}

/// How many sums there are, of vertices and of arcs.
fn sizes(sums: &OwnSums) -> (usize, Option<usize>) {
    (sums.vertices.len(), sums.arcs.as_ref().map(Vec::len))
}

/// Whether ranges are in rising order, and no two of them touch.
fn are_apart(ranges: &[Range<usize>]) -> bool {
    ranges.windows(2).all(|pair| pair[0].end < pair[1].start)
}

/// Another number for each run.
pub(crate) fn new_run() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// A hash of all that the sums of a search depend on: the prepared graph, its roots, and how they
/// are counted. Which processors search does not matter, unless bits have to be the same.
pub(crate) fn fingerprint(prepared: &Prepared, wishes: &Wishes) -> u64 {
    let mut hash = Xxh3::new();
    let mut number = |value: u64| hash.update(&value.to_le_bytes());
    number(wishes.device.precision as u64);
    if wishes.reproducible {
        number(wishes.fingerprint());
    }
    number(u64::from(prepared.count_edges));
    number(u64::from(prepared.count_endpoints));
    number(u64::from(prepared.chains.is_some()));
    number(prepared.sources as u64);
    number(prepared.tie_tolerance.to_bits());
    number(prepared.roots.len() as u64);
    for root in &prepared.roots {
        number(u64::from(root.vertex) << 32 | u64::from(root.sources));
    }
    hash.update(bytemuck::cast_slice(prepared.graph.offsets()));
    hash.update(bytemuck::cast_slice(prepared.graph.targets()));
    hash.update(&[u8::from(prepared.reverse.is_some())]);
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

/// A hash of all that the scores of a part depend on, for parts of the same search: [`fingerprint`]
/// of the whole, and which vertices of the input were prepared.
pub(crate) fn fingerprint_of_part(whole: &Prepared, wishes: &Wishes) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(&fingerprint(whole, wishes).to_le_bytes());
    whole.input_hash(&mut hash);
    hash.digest()
}

#[cfg(test)]
mod tests;
