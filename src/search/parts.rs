//! Parts of a search, each in a file, and their sum.
//!
//! Scores of a part are sums over pairs, and those of all parts add up to the scores of the graph:
//! the first part includes the pairs that no search counts. The format is that of
//! [`super::sums_file`]. The array `part` has the fields of [`Head`]. Further arrays are the
//! labels, as in sparse matrices that [`crate::graph`] writes; `tails` and `heads` (u32, shape
//! (m,), numbers of vertices) if there are scores of edges; and `normalize` (f64, shape (2,)), the
//! factors that normalise scores of vertices and of edges.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::sums_file::{self, LAYOUT, SumsFile};
use crate::engine::OwnSums;
use crate::error::{Error, refuse_if};
use crate::graph::{Graph, Labels, Vertex, write_labels};
use crate::output::Output;
use crate::prepare::{Part, Scale};
use crate::scores::Scores;

/// The kind of [`super::sums_file`].
const KIND: &str = "part";
/// The largest number of missing parts that a message names.
const MOST_NAMED: usize = 10;

/// Identifies the part that sums belong to, and its search.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Head {
    part: Part,
    /// A hash of the whole search.
    fingerprint: u64,
    /// The number of vertices that are sources of the whole search.
    sources: u64,
    directed: bool,
}

impl Head {
    fn read(file: &mut SumsFile) -> Result<Head, String> {
        let [_, number, count, fingerprint, sources, directed] = file.head(KIND)?;
        let part = u32::try_from(number).ok().zip(u32::try_from(count).ok());
        let part = part.and_then(|(number, count)| Part::new(number, count));
        Ok(Head {
            part: part.ok_or("is damaged: it names no part")?,
            fingerprint,
            sources,
            directed: directed == 1,
        })
    }
}

/// The sums of a part of a search ([`crate::Betweenness::part`]).
pub struct PartSums {
    head: Head,
    /// The factors that normalise scores of vertices and of edges.
    normalize: [f64; 2],
    labels: Labels,
    /// The sums of vertices and edges of the graph.
    sums: OwnSums,
    /// The tails and the heads of edges, if there are sums of edges.
    ends: Option<[Vec<Vertex>; 2]>,
}

/// The scores from all parts of a search.
pub struct Merged {
    total: PartSums,
}

impl Scores {
    /// Returns the sums of the searched part; `None` if the whole was searched.
    pub fn part(&self, graph: &Graph) -> Option<PartSums> {
        let prepared = &self.record().prepared;
        let searched = prepared.part?;
        let ends = self.edges().map(|_| {
            let (tails, heads) = graph.ends().map(|[tail, head]| (tail, head)).unzip();
            [tails, heads]
        });
        Some(PartSums {
            head: Head {
                part: searched.part,
                fingerprint: searched.fingerprint,
                sources: prepared.sources as u64,
                directed: graph.directed(),
            },
            normalize: prepared.normalizing_factors(),
            labels: graph.labels().clone(),
            sums: OwnSums {
                vertices: self.vertices().to_vec(),
                arcs: self.edges().map(<[f64]>::to_vec),
            },
            ends,
        })
    }
}

impl PartSums {
    /// Returns the part.
    pub fn part(&self) -> Part {
        self.head.part
    }

    /// Opens a file for sums. Its name ends in `.npz` or has no suffix.
    ///
    /// # Errors
    /// [`Error::Settings`] for other names, [`Error::Unwritten`] if the file cannot be written.
    pub fn create(path: &Path) -> Result<Output, Error> {
        let has_other_suffix = path.extension().is_some_and(|suffix| suffix != "npz");
        let text = "sums are written as an archive of NumPy arrays; use a name that ends in .npz";
        refuse_if(has_other_suffix, format_args!("{}: {text}", path.display()))?;
        Output::open(path).map_err(Error::Unwritten)
    }

    /// Writes the sums to a file.
    ///
    /// # Errors
    /// As [`PartSums::create`].
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let mut output = PartSums::create(path)?;
        let written = output.write(|out| self.write_to(out));
        let written = written.and_then(|()| output.finish());
        written.map_err(Error::Unwritten)
    }

    /// Writes the sums.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = &self.head;
        let [number, count] = [head.part.number(), head.part.count()].map(u64::from);
        let (fingerprint, directed) = (head.fingerprint, head.directed.into());
        let head = [LAYOUT, number, count, fingerprint, head.sources, directed];
        sums_file::write(out, (KIND, &head), &self.sums, |archive| {
            archive.array("normalize", self.normalize.into_iter())?;
            write_labels(archive, &self.labels)?;
            for (name, ends) in ["tails", "heads"].iter().zip(self.ends.iter().flatten()) {
                archive.array(name, ends.iter().copied())?;
            }
            Ok(())
        })
    }

    /// Reads sums.
    ///
    /// # Errors
    /// [`Error::Parts`] if the file cannot be read, or is incomplete.
    pub fn read(path: &Path) -> Result<PartSums, Error> {
        let read = SumsFile::open(path).and_then(|mut file| {
            let (head, sums) = (Head::read(&mut file)?, file.sums()?);
            let vertices = sums.vertices.len();
            let labels = read_labels(&mut file, vertices)?;
            let ends = match &sums.arcs {
                Some(_) => Some([file.required("tails")?, file.required("heads")?]),
                None => None,
            };
            let normalize = <[f64; 2]>::try_from(file.required::<f64>("normalize")?);
            let edges = sums.arcs.as_ref().map_or(0, Vec::len);
            let fits = |ends: &Vec<Vertex>| {
                ends.len() == edges && ends.iter().all(|&end| (end as usize) < vertices)
            };
            match normalize {
                Ok(normalize) if labels.len() == vertices && ends.iter().flatten().all(fits) => {
                    Ok(PartSums {
                        head,
                        normalize,
                        labels,
                        sums,
                        ends,
                    })
                }
                _ => Err("is damaged: its arrays do not fit each other".into()),
            }
        });
        read.map_err(|what| error(path, what))
    }
}

impl Merged {
    /// Adds the parts in these files, given in any order. Two parts are in memory at a time. The
    /// graph is not needed.
    ///
    /// # Errors
    /// [`Error::Parts`] if a file cannot be read, or belongs to another search than the first
    /// file, or if a part is missing or given twice.
    pub fn read(paths: &[PathBuf]) -> Result<Merged, Error> {
        let mut heads = Vec::new();
        for path in paths {
            let head = SumsFile::open(path).and_then(|mut file| Head::read(&mut file));
            heads.push((head.map_err(|what| error(path, what))?, path));
        }
        let Some(&(first, first_path)) = heads.first() else {
            return Err(Error::Parts("there are no parts to merge".into()));
        };
        let of_another_search = |path: &Path| {
            let what = format!(
                "is of another search than {}: another graph or other settings (if only one of \
                 the two served chains, give all parts the same `reduce`)",
                first_path.display()
            );
            error(path, what)
        };
        let parts = first.part.count();
        for (head, path) in &heads {
            let part = first.part;
            if head.part.count() != parts || (Head { part, ..*head }) != first {
                return Err(of_another_search(path));
            }
        }
        heads.sort_by_key(|(head, _)| head.part.number());
        let mut pairs = heads.iter().zip(heads.iter().skip(1));
        if let Some(((head, a), (_, b))) = pairs.find(|(a, b)| a.0 == b.0) {
            return Err(Error::Parts(format!(
                "part {} is there twice: {} and {}; leave one of them out",
                head.part,
                a.display(),
                b.display()
            )));
        }
        let missing = parts as usize - heads.len();
        if missing > 0 {
            let is_missing =
                |number: &u32| !heads.iter().any(|(head, _)| head.part.number() == *number);
            let shown = (1..=parts).filter(is_missing).take(MOST_NAMED);
            let names: Vec<_> = shown.map(|number| format!("{number}/{parts}")).collect();
            let names = names.join(", ");
            let more = if missing > MOST_NAMED { ", ..." } else { "" };
            let text = format!("these parts are missing: {names}{more}");
            return Err(Error::Parts(text));
        }
        let mut total = PartSums::read(heads[0].1)?;
        for (_, path) in &heads[1..] {
            let part = PartSums::read(path)?;
            if (&total.labels, &total.ends) != (&part.labels, &part.ends) {
                return Err(of_another_search(path));
            }
            total.sums.add_copy(&part.sums);
        }
        Ok(Merged { total })
    }

    /// Returns the labels of the vertices.
    pub fn labels(&self) -> &Labels {
        &self.total.labels
    }

    /// Returns whether edges have a direction.
    pub fn directed(&self) -> bool {
        self.total.head.directed
    }

    /// Returns the number of parts.
    pub fn parts(&self) -> u32 {
        self.total.head.part.count()
    }

    /// Returns the number of sources. If they are not all vertices, scores are partial.
    pub fn sources(&self) -> u64 {
        self.total.head.sources
    }

    /// Returns the scores of vertices, as [`Scores::vertices`].
    pub fn vertices(&self, scale: Scale) -> Vec<f64> {
        let [factor, _] = self.factors(scale);
        let sums = self.total.sums.vertices.iter();
        sums.map(|sum| (sum * factor).max(0.0)).collect()
    }

    /// Returns the ends and the score of each edge, if parts have scores of edges.
    pub fn edges(&self, scale: Scale) -> Option<impl Iterator<Item = ([Vertex; 2], f64)>> {
        let PartSums { ends, sums, .. } = &self.total;
        let ([tails, heads], sums) = ends.as_ref().zip(sums.arcs.as_ref())?;
        let [_, factor] = self.factors(scale);
        let ends = tails.iter().zip(heads).map(|(&tail, &head)| [tail, head]);
        Some(ends.zip(sums.iter().map(move |sum| (sum * factor).max(0.0))))
    }

    fn factors(&self, scale: Scale) -> [f64; 2] {
        match scale {
            Scale::Pairs => [1.0; 2],
            Scale::Normalized => self.total.normalize,
        }
    }
}

fn error(path: &Path, what: String) -> Error {
    Error::Parts(format!("{} {what}", path.display()))
}

fn read_labels(file: &mut SumsFile, vertices: usize) -> Result<Labels, String> {
    if let Some(numbers) = file.array("labels")? {
        return Ok(Labels::Numbers(numbers));
    }
    let Some(bytes) = file.array::<u8>("label_bytes")? else {
        return Ok(Labels::consecutive(0, vertices));
    };
    let offsets: Vec<u64> = file.required("label_offsets")?;
    let offsets: Vec<usize> = offsets.iter().map(|&offset| offset as usize).collect();
    if offsets.is_sorted() && offsets.first() == Some(&0) && offsets.last() == Some(&bytes.len()) {
        return Ok(Labels::Names { bytes, offsets });
    }
    Err("is damaged: its label_offsets do not fit its label_bytes".into())
}
