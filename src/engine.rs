//! What every engine, on CPU or device, offers the runner.

use std::time::{Duration, Instant};

use crate::graph::Vertex;

/// A vertex to search from, and how many chosen sources it stands for (folded ones included).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Root {
    /// Prepared vertex number.
    pub vertex: Vertex,
    /// Factor of its dependencies; 0 for ends of chains that are searched from once more, for the
    /// sources inside the chains.
    pub sources: u32,
}

/// The largest path count (sigma) that engines work with in f64: the coefficient (weight + delta) /
/// sigma must stay a normal number, or its last digits are lost without notice.
pub const SIGMA_LIMIT_F64: f64 = f64::from_bits(((1023 + 1022) as u64) << 52); // 2^1022

/// In what numbers paths and dependencies are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// 64 bits; the default.
    #[default]
    F64,
    /// 64 bits, but what strategy `lanes` on devices, and engine `lanes` on cores, store for each
    /// root and vertex has 32, which is faster; the report says how large the error can be.
    Mixed,
    /// 32 bits on devices: about six digits, path counts up to 2^126.
    F32,
}

impl Precision {
    /// Whether a device has to compute in doubles.
    pub fn is_double(self) -> bool {
        self != Precision::F32
    }

    /// Bytes of a number that is computed with.
    pub fn bytes(self) -> usize {
        if self.is_double() { 8 } else { 4 }
    }

    /// The type and the path counts it is used for, for messages.
    pub fn paths(self) -> &'static str {
        match self.is_double() {
            true => "f64 (2^1022)",
            false => "f32 (2^126)",
        }
    }
}

/// Searches with more levels behind the root are not [`Precision::Mixed`].
pub const MIXED_DEEPEST: usize = 255;

/// How far sums of [`Precision::Mixed`] may be from the true ones, relative to them, where searches
/// have so many levels behind the root: by 6 (depth + 1) roundings to 24 bits, which
/// docs/internals.md counts.
pub fn mixed_error(depth: usize) -> f64 {
    let roundings = 6.0 * (depth + 1) as f64 * f64::from(f32::EPSILON) / 2.0;
    roundings / (1.0 - roundings)
}

/// Why an engine stopped.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// More shortest paths than the number type can count. The engine cannot go on: what has been
    /// collected is right, what has not is lost.
    #[error("there are more shortest paths than {} can count", .precision.paths())]
    PathCount {
        /// Prepared number of the root, where a single one is known.
        root: Option<Vertex>,
        /// The type that was too small.
        precision: Precision,
    },
    /// From some of the roots given there are more shortest paths than f64 can count. The engine
    /// has added nothing for these, has searched all others, and can go on.
    #[error("there are more shortest paths than {} can count", Precision::F64.paths())]
    Uncounted {
        /// Those roots.
        roots: Vec<Root>,
    },
    /// Some length is so small beside a distance that adding it changes nothing in a double.
    #[error("some length is too small to change the distances it is added to, as f64")]
    LengthLost {
        /// Prepared number of the root.
        root: Vertex,
    },
    /// The search was stopped before its end, since its result is not needed any more.
    #[error("the search was stopped")]
    Stopped,
    /// The device failed; its unfinished roots can be searched by other engines.
    #[error(transparent)]
    Device(Box<dyn std::error::Error + Send + Sync>),
}

impl EngineError {
    /// What a search ends with that found these roots to be [`EngineError::Uncounted`].
    pub fn of_uncounted(roots: Vec<Root>) -> Result<(), EngineError> {
        if roots.is_empty() {
            Ok(())
        } else {
            Err(EngineError::Uncounted { roots })
        }
    }
}

/// Where engines add what they have summed.
#[derive(Debug)]
pub struct Sums<'a> {
    /// Dependencies of vertices, one entry per prepared vertex.
    pub vertices: &'a mut [f64],
    /// Dependencies of arcs, one entry per arc of the prepared graph, beside its targets: for (v,
    /// w) on a shortest path, sources * sigma(v) * coefficient(w). `Some` if and only if
    /// [`crate::prepare::Prepared::count_edges`] says that they are wanted.
    pub arcs: Option<&'a mut [f64]>,
}

impl<'a> Sums<'a> {
    /// Of vertices only.
    pub fn of_vertices(vertices: &'a mut [f64]) -> Self {
        Sums {
            vertices,
            arcs: None,
        }
    }

    /// Adds an engine's own sums and makes those zero; `arcs` is empty if they are not wanted.
    pub fn take(&mut self, vertices: &mut [f64], arcs: &mut [f64]) {
        let add = |to: &mut [f64], from: &mut [f64]| {
            for (sum, own) in to.iter_mut().zip(from) {
                *sum += std::mem::take(own);
            }
        };
        add(self.vertices, vertices);
        if let Some(sums) = &mut self.arcs {
            add(sums, arcs);
        }
    }
}

/// Sums that are kept.
#[derive(Debug, Clone, Default)]
pub struct OwnSums {
    /// As [`Sums::vertices`].
    pub vertices: Vec<f64>,
    /// As [`Sums::arcs`].
    pub arcs: Option<Vec<f64>>,
}

impl OwnSums {
    /// To add to.
    pub fn lend(&mut self) -> Sums<'_> {
        Sums {
            vertices: &mut self.vertices,
            arcs: self.arcs.as_deref_mut(),
        }
    }

    /// Adds all to `sums` and makes it zero here.
    pub fn move_to(&mut self, sums: &mut Sums<'_>) {
        let arcs = self.arcs.as_deref_mut().unwrap_or_default();
        sums.take(&mut self.vertices, arcs);
    }

    /// Adds all of `other`, which may be empty.
    pub fn add_copy(&mut self, other: &OwnSums) {
        let add = |to: &mut [f64], from: &[f64]| {
            for (sum, &own) in to.iter_mut().zip(from) {
                *sum += own;
            }
        };
        add(&mut self.vertices, &other.vertices);
        if let Some((to, from)) = self.arcs.as_mut().zip(other.arcs.as_ref()) {
            add(to, from);
        }
    }
}

/// Adds the dependencies of roots to a score vector of its own.
pub trait Engine {
    /// How many roots the engine wants to be given at a time.
    fn roots_wanted(&self) -> usize;

    /// How many roots, searched together, take about as long as one alone.
    fn roots_together(&self) -> usize {
        1
    }

    /// Of the roots given so far, how many may still be under way.
    fn roots_in_flight(&self) -> usize {
        0
    }

    /// Searches from `roots`. Work may still be in flight when this returns. After any error but
    /// [`EngineError::Uncounted`] the engine is of no more use.
    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError>;

    /// How far each sum collected so far may be from the true one, relative to it, where the
    /// engine rounds more than computing in f64 does; 0 where it does not, or cannot say.
    fn error_bound(&self) -> f64 {
        0.0
    }

    /// How long the last [`Engine::collect`] took beside what it waited for, where that is so long
    /// that sums should be collected less often.
    fn collect_time(&self) -> Duration {
        Duration::ZERO
    }

    /// Forgets what searches have taught it about the graph, so that the bits of the next sums
    /// depend on their roots alone. To be called when all sums are collected.
    fn forget(&mut self) {}

    /// Finishes what is in flight and adds all dependencies since the last call to `sums`. After an
    /// error `sums` is as before the call.
    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError>;
}

/// Searches from all `roots`, in claims of the size that the engine wants, and adds to `sums`.
/// Returns seconds from the first root to the last sum.
///
/// # Errors
/// Those of the engine.
pub fn feed(
    engine: &mut dyn Engine,
    roots: &[Root],
    sums: &mut OwnSums,
) -> Result<f64, EngineError> {
    let start = Instant::now();
    let mut rest = roots;
    while !rest.is_empty() {
        let (now, later) = rest.split_at(engine.roots_wanted().clamp(1, rest.len()));
        engine.search(now)?;
        rest = later;
    }
    engine.collect(&mut sums.lend())?;
    Ok(start.elapsed().as_secs_f64())
}
