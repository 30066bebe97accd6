//! Parts of a search, each in a file, and the scores that they make together.
//!
//! A file is an archive of NumPy arrays (.npz). Scores of a part are sums over pairs, and those of
//! all parts add up to the scores of the graph: the first part has the closed forms. Beside
//! `vertices` (f64, shape (n,)) it has the labels, as in sparse matrices that [`crate::graph`]
//! writes; of edges, if they are wanted, `tails` and `heads` (u32, shape (m,), numbers of vertices)
//! and their scores `edges`; `normalize` (f64, shape (2,)), which normalised scores of vertices and
//! edges are these times; and `part` (u64), see [`Head`].

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use npyz::{Deserialize, NpyFile};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use crate::error::Error;
use crate::graph::{Graph, Labels, Vertex, write_labels};
use crate::output::{NpzWriter, Output};
use crate::prepare::{Part, Scale};
use crate::scores::Scores;

/// The layout of files; another one for another layout.
const VERSION: u64 = 1;

/// What is known of a part without its sums.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Head {
    part: Part,
    /// Its roots.
    roots: u64,
    /// What it is a part of.
    whole: Whole,
}

/// A search of which there are parts.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Whole {
    fingerprint: u64,
    roots: u64,
    /// Vertices that are sources.
    sources: u64,
    directed: bool,
}

/// The sums of a part of a search ([`crate::Betweenness::part`]).
pub struct PartSums {
    head: Head,
    normalize: [f64; 2],
    labels: Labels,
    vertices: Vec<f64>,
    edges: Option<EdgeSums>,
}

/// Sums of edges.
struct EdgeSums {
    /// Both ends of each.
    ends: [Vec<Vertex>; 2],
    scores: Vec<f64>,
}

/// The scores that all parts of a search make together.
pub struct Merged {
    sums: PartSums,
}

impl Scores {
    /// The sums of the part that was searched; `None` if it was the whole.
    pub fn part(&self, graph: &Graph) -> Option<PartSums> {
        let prepared = &self.record().prepared;
        let of = prepared.part?;
        let edges = self.edges().map(|scores| {
            let (tails, heads) = graph.ends().map(|[tail, head]| (tail, head)).unzip();
            EdgeSums {
                ends: [tails, heads],
                scores: scores.to_vec(),
            }
        });
        Some(PartSums {
            head: Head {
                part: of.part,
                roots: prepared.roots.len() as u64,
                whole: Whole {
                    fingerprint: of.fingerprint,
                    roots: of.roots as u64,
                    sources: prepared.sources as u64,
                    directed: graph.directed(),
                },
            },
            normalize: prepared.normalizing(),
            labels: graph.labels().clone(),
            vertices: self.vertices().to_vec(),
            edges,
        })
    }
}

impl PartSums {
    /// Which part it is.
    pub fn part(&self) -> Part {
        self.head.part
    }

    /// Opens a file for sums, whose name ends in `.npz` or has no suffix.
    ///
    /// # Errors
    /// [`Error::Settings`] for other names, [`Error::Unwritten`] if it cannot be written.
    pub fn create(path: &Path) -> Result<Output, Error> {
        if path.extension().is_some_and(|suffix| suffix != "npz") {
            return Err(Error::Settings(format!(
                "{}: sums are an archive of NumPy arrays; let its name end in .npz",
                path.display()
            )));
        }
        Output::open(path).map_err(Error::Unwritten)
    }

    /// Writes them to a file.
    ///
    /// # Errors
    /// As [`PartSums::create`].
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let mut output = PartSums::create(path)?;
        let written = output.write(|out| self.write_to(out));
        written
            .and_then(|()| output.finish())
            .map_err(Error::Unwritten)
    }

    /// Writes them.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        let Head { part, roots, whole } = self.head;
        let head = [
            VERSION,
            part.number().into(),
            part.of().into(),
            roots,
            whole.fingerprint,
            whole.roots,
            whole.sources,
            whole.directed.into(),
        ];
        let mut archive = NpzWriter::new(out);
        archive.array(
            "part",
            "<u8",
            head.iter().map(|number| number.to_le_bytes()),
        )?;
        let doubles = |archive: &mut NpzWriter, name: &str, values: &[f64]| {
            archive.array(name, "<f8", values.iter().map(|value| value.to_le_bytes()))
        };
        doubles(&mut archive, "normalize", &self.normalize)?;
        write_labels(&mut archive, &self.labels)?;
        doubles(&mut archive, "vertices", &self.vertices)?;
        if let Some(EdgeSums { ends, scores }) = &self.edges {
            for (name, ends) in ["tails", "heads"].into_iter().zip(ends) {
                archive.array(name, "<u4", ends.iter().map(|end| end.to_le_bytes()))?;
            }
            doubles(&mut archive, "edges", scores)?;
        }
        archive.finish()
    }

    /// Reads them.
    ///
    /// # Errors
    /// [`Error::Part`] if the file cannot be read, or is not whole.
    pub fn read(path: &Path) -> Result<PartSums, Error> {
        let mut file = Archive::open(path)?;
        let head = file.head()?;
        let vertices: Vec<f64> = file.some("vertices")?;
        let labels = file.labels(vertices.len())?;
        let edges = match file.array("edges")? {
            None => None,
            Some(scores) => Some(EdgeSums {
                ends: [file.some("tails")?, file.some("heads")?],
                scores,
            }),
        };
        let normalize = file.some("normalize")?;
        let fits = |edges: &EdgeSums| {
            let counted = |ends: &Vec<Vertex>| {
                ends.len() == edges.scores.len()
                    && ends.iter().all(|&end| (end as usize) < vertices.len())
            };
            edges.ends.iter().all(counted) && edges.scores.iter().all(|score| score.is_finite())
        };
        match <[f64; 2]>::try_from(normalize) {
            Ok(normalize)
                if labels.len() == vertices.len()
                    && vertices.iter().all(|score| score.is_finite())
                    && edges.as_ref().is_none_or(fits) =>
            {
                Ok(PartSums {
                    head,
                    normalize,
                    labels,
                    vertices,
                    edges,
                })
            }
            _ => Err(file.damaged("its arrays do not fit each other")),
        }
    }

    /// Adds another part.
    fn add(&mut self, other: &PartSums) {
        let add = |to: &mut [f64], from: &[f64]| {
            to.iter_mut().zip(from).for_each(|(sum, part)| *sum += part);
        };
        add(&mut self.vertices, &other.vertices);
        if let (Some(edges), Some(others)) = (&mut self.edges, &other.edges) {
            add(&mut edges.scores, &others.scores);
        }
    }

    /// Whether the sums of another part of the same search belong to the same vertices and edges.
    fn alike(&self, other: &PartSums) -> bool {
        let ends = |sums: &PartSums| sums.edges.as_ref().map(|edges| edges.scores.len());
        self.labels == other.labels && ends(self) == ends(other)
    }
}

impl Merged {
    /// Adds the parts in these files up, in whatever order they are given; two of them are in
    /// memory at a time. The graph is not needed.
    ///
    /// # Errors
    /// [`Error::Part`] if a file cannot be read, or is of another search than the first one, and
    /// [`Error::Parts`] if not each part is there once.
    pub fn of(paths: &[PathBuf]) -> Result<Merged, Error> {
        let mut heads = Vec::new();
        for path in paths {
            heads.push((Archive::open(path)?.head()?, path));
        }
        let Some(&(first, first_path)) = heads.first() else {
            return Err(Error::Parts("there are no parts to merge".into()));
        };
        let other = |path: &Path| {
            let what = format!(
                "is of another search than {}: another graph or other settings (where only one of \
                 them served chains, give all parts the same `reduce`)",
                first_path.display()
            );
            error(path, what)
        };
        for (head, path) in &heads {
            if head.whole != first.whole || head.part.of() != first.part.of() {
                return Err(other(path));
            }
        }
        heads.sort_by_key(|(head, _)| head.part.number());
        let mut pairs = heads.iter().zip(heads.iter().skip(1));
        if let Some(((head, a), (_, b))) = pairs.find(|((a, _), (b, _))| a.part == b.part) {
            return Err(Error::Parts(format!(
                "part {} is there twice: {} and {}; leave one of them out",
                head.part,
                a.display(),
                b.display()
            )));
        }
        missing(&heads, first.part.of())?;
        let mut sums = None::<PartSums>;
        for (_, path) in &heads {
            let part = PartSums::read(path)?;
            match &mut sums {
                None => sums = Some(part),
                Some(sums) if sums.alike(&part) => sums.add(&part),
                Some(_) => return Err(other(path)),
            }
        }
        let roots: u64 = heads.iter().map(|(head, _)| head.roots).sum();
        match sums {
            Some(sums) if roots == first.whole.roots => Ok(Merged { sums }),
            _ => Err(Error::Parts(format!(
                "the parts have {roots} roots, and the search {}; please report this defect",
                first.whole.roots
            ))),
        }
    }

    /// What the vertices are called.
    pub fn labels(&self) -> &Labels {
        &self.sums.labels
    }

    /// Whether edges have a direction.
    pub fn directed(&self) -> bool {
        self.sums.head.whole.directed
    }

    /// How many parts there were.
    pub fn parts(&self) -> u32 {
        self.sums.head.part.of()
    }

    /// How many vertices are sources; if these are not all, scores are partial.
    pub fn sources(&self) -> u64 {
        self.sums.head.whole.sources
    }

    /// Scores of vertices, as [`Scores::vertices`].
    pub fn vertices(&self, scale: Scale) -> Vec<f64> {
        let [factor, _] = self.factors(scale);
        self.sums.vertices.iter().map(|sum| sum * factor).collect()
    }

    /// Each edge, as the numbers of its ends and its score, if parts were searched for edges too.
    pub fn edges(&self, scale: Scale) -> Option<impl Iterator<Item = ([Vertex; 2], f64)>> {
        let EdgeSums { ends, scores } = self.sums.edges.as_ref()?;
        let ([tails, heads], [_, factor]) = (ends, self.factors(scale));
        let ends = tails.iter().zip(heads).map(|(&tail, &head)| [tail, head]);
        Some(ends.zip(scores.iter().map(move |score| score * factor)))
    }

    fn factors(&self, scale: Scale) -> [f64; 2] {
        match scale {
            Scale::Pairs => [1.0; 2],
            Scale::Normalized => self.sums.normalize,
        }
    }
}

/// Refuses parts, by number, of which some are not there.
fn missing(heads: &[(Head, &PathBuf)], of: u32) -> Result<(), Error> {
    const SHOWN: usize = 10;
    let there = |number: &u32| {
        let found = heads.binary_search_by_key(number, |(head, _)| head.part.number());
        found.is_ok()
    };
    let count = of as usize - heads.len();
    let missing = (1..=of).filter(|number| !there(number)).take(SHOWN);
    let names: Vec<_> = missing.map(|number| format!("{number}/{of}")).collect();
    let names = names.join(", ");
    match count {
        0 => Ok(()),
        1 => Err(Error::Parts(format!("part {names} is missing"))),
        count => {
            let more = if count > SHOWN { ", ..." } else { "" };
            let text = format!("{count} of {of} parts are missing: {names}{more}");
            Err(Error::Parts(text))
        }
    }
}

fn error(path: &Path, what: impl Into<String>) -> Error {
    Error::Part {
        path: path.display().to_string(),
        what: what.into(),
    }
}

/// A file of sums that is being read.
struct Archive<'p> {
    zip: ZipArchive<BufReader<File>>,
    path: &'p Path,
}

impl Archive<'_> {
    fn open(path: &Path) -> Result<Archive<'_>, Error> {
        let file = File::open(path).map_err(|e| error(path, format!("cannot be read: {e}")))?;
        let zip = ZipArchive::new(BufReader::new(file)).map_err(|_| {
            error(
                path,
                "holds no sums, or not all of them (it is no whole .npz archive)",
            )
        })?;
        Ok(Archive { zip, path })
    }

    fn damaged(&self, how: &str) -> Error {
        error(self.path, format!("is damaged: {how}"))
    }

    /// The array of this name, if there is one.
    fn array<T: Deserialize>(&mut self, name: &str) -> Result<Option<Vec<T>>, Error> {
        let mut bytes = Vec::new();
        let read = match self.zip.by_name(&format!("{name}.npy")) {
            Err(ZipError::FileNotFound) => return Ok(None),
            // Nothing is longer than the file then.
            Ok(mut entry) if entry.compression() == CompressionMethod::Stored => {
                entry.read_to_end(&mut bytes).map(drop)
            }
            Ok(_) => Err(io::ErrorKind::Unsupported.into()),
            Err(error) => Err(error.into()),
        };
        read.map_err(|e| self.damaged(&format!("{name} cannot be read: {e}")))?;
        let array = NpyFile::new(&bytes[..]).and_then(NpyFile::into_vec);
        array
            .map(Some)
            .map_err(|_| self.damaged(&format!("{name} is another array than it should be")))
    }

    /// The array of this name, which has to be there.
    fn some<T: Deserialize>(&mut self, name: &str) -> Result<Vec<T>, Error> {
        let array = self.array(name)?;
        array.ok_or_else(|| self.damaged(&format!("it has no array {name}")))
    }

    fn head(&mut self) -> Result<Head, Error> {
        let Some(numbers) = self.array::<u64>("part")? else {
            return Err(error(self.path, "holds no sums of a part of a search"));
        };
        if numbers.first() != Some(&VERSION) {
            return Err(error(
                self.path,
                "was written by another version of the program",
            ));
        }
        let head = <[u64; 8]>::try_from(numbers).ok().and_then(|numbers| {
            let [_, number, of, own, fingerprint, roots, sources, directed] = numbers;
            Some(Head {
                part: Part::new(number.try_into().ok()?, of.try_into().ok()?)?,
                roots: own,
                whole: Whole {
                    fingerprint,
                    roots,
                    sources,
                    directed: directed == 1,
                },
            })
        });
        head.ok_or_else(|| self.damaged("it names no part"))
    }

    fn labels(&mut self, vertices: usize) -> Result<Labels, Error> {
        if let Some(numbers) = self.array("labels")? {
            return Ok(Labels::Numbers(numbers));
        }
        let Some(bytes) = self.array::<u8>("label_bytes")? else {
            return Ok(Labels::consecutive(0, vertices));
        };
        let offsets: Vec<u64> = self.some("label_offsets")?;
        let offsets: Vec<usize> = offsets.iter().map(|&offset| offset as usize).collect();
        if offsets.is_sorted()
            && offsets.first() == Some(&0)
            && offsets.last() == Some(&bytes.len())
        {
            return Ok(Labels::Names { bytes, offsets });
        }
        Err(self.damaged("its labels are no names"))
    }
}
