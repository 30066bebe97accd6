//! The interface of all engines, on cores and devices.

use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::graph::{Csr, Vertex};

/// A vertex to search from, and the number of sources that it stands for (folded ones included).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Root {
    /// Prepared vertex number.
    pub vertex: Vertex,
    /// The factor of its dependencies; 0 for a root that is searched once more only to serve the
    /// sources inside chains.
    pub sources: u32,
}

/// The largest path count (sigma) of engines that count in f64: the coefficient (weight + delta) /
/// sigma must stay a normal number, or its last digits are lost silently.
pub const SIGMA_LIMIT_F64: f64 = f64::from_bits(((1023 + 1022) as u64) << 52); // 2^1022

/// The number type of path counts and dependencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// 64 bits.
    #[default]
    F64,
    /// 64 bits, but strategies `lanes` and `hierarchy` on devices, and engine `lanes` on cores,
    /// store a value for each root and vertex in 32 bits where it fits, which is faster. The report
    /// has a bound of the error.
    Mixed,
    /// 32 bits on devices: about six digits, path counts up to 2^126.
    F32,
}

impl Precision {
    /// Returns whether a device has to compute in doubles.
    pub fn is_double(self) -> bool {
        self != Precision::F32
    }

    /// Returns the bytes of a number in computations.
    pub fn bytes(self) -> usize {
        if self.is_double() { 8 } else { 4 }
    }

    /// Returns the largest relative difference of scores that rounding may cause.
    pub fn tolerance(self) -> f64 {
        match self {
            Precision::F64 => 1e-9,
            Precision::Mixed => 1e-4,
            Precision::F32 => 1e-3,
        }
    }

    /// Returns the name of the type and its largest path count, for messages.
    pub fn paths(self) -> &'static str {
        match self.is_double() {
            true => "f64 (2^1022)",
            false => "f32 (2^126)",
        }
    }
}

/// The largest depth of searches with [`Precision::Mixed`]; deeper ones use 64 bits.
pub const MIXED_DEEPEST: usize = 255;

/// Returns the largest relative error of a number after this many roundings to 24 bits.
pub fn rounding_error(roundings: usize) -> f64 {
    let error = roundings as f64 * f64::from(f32::EPSILON) / 2.0;
    error / (1.0 - error)
}

/// Returns the largest relative error of sums of strategy and engine `lanes` with
/// [`Precision::Mixed`], for searches with `depth` levels below the root: that of 6 (depth + 1)
/// roundings.
///
/// Each operation in 32 bits has a relative error of at most u = 2^-24, a division in OpenCL 5u.
/// All terms are positive, so errors of sums are no larger than those of their terms. With E for
/// the error of the coefficients one level deeper:
///
/// - four coefficients are added as floats (3u), then as doubles; the sum becomes a float again
///   (u);
/// - omega / sigma has u of omega and 5u of the division;
/// - the two are added (u) and multiplied by the twins (u): `max(6u, E + 4u) + 2u`, at most
///   `E + 6u`.
///
/// The deepest coefficients have no sum and thus 7u, those of level 2 at most `6(D - 1)u + u` for
/// the deepest level D. A score adds products of sources (u), sigma and a sum of coefficients of
/// level 2 or deeper (4u): 2u of two products, 3u of adding four lanes, u of adding work-items.
/// That is at most `6(D + 1)u`. The engine on cores has fewer roundings.
pub fn mixed_error(depth: usize) -> f64 {
    rounding_error(6 * (depth + 1))
}

/// An error of an engine.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// There are more shortest paths than the number type can count. The engine cannot be used any
    /// more: sums that were collected before are valid, and the others are lost.
    #[error("there are more shortest paths than {} can count", .precision.paths())]
    PathCount {
        /// The prepared number of the root, if a single one is known.
        root: Option<Vertex>,
        /// The type that was too small.
        precision: Precision,
    },
    /// From some roots there are more shortest paths than f64 can count. The engine has added
    /// nothing for these roots and has searched from all others. It can be used further.
    #[error("there are more shortest paths than {} can count", Precision::F64.paths())]
    Uncounted(Vec<Root>),
    /// A length is so small compared to a distance that adding it does not change the f64; with the
    /// prepared number of the root.
    #[error(
        "a length is so small that adding it to a distance does not change the distance (64-bit \
         floats)"
    )]
    LengthLost(Vertex),
    /// The search was stopped, because its result is not needed any more.
    #[error("the search was stopped")]
    Stopped,
    /// The device failed. Other engines can search from its unfinished roots.
    #[error(transparent)]
    Device(Box<dyn std::error::Error + Send + Sync>),
}

impl EngineError {
    /// Returns [`EngineError::Uncounted`] if there are any roots with too many paths.
    pub fn of_uncounted(roots: Vec<Root>) -> Result<(), EngineError> {
        match roots.is_empty() {
            true => Ok(()),
            false => Err(EngineError::Uncounted(roots)),
        }
    }
}

/// The sums to which engines add dependencies.
#[derive(Debug)]
pub struct Sums<'a> {
    /// Dependencies of vertices, one entry per prepared vertex. A
    /// [query](crate::prepare::PreparedQuery) has several columns of such entries, one after
    /// another.
    pub vertices: &'a mut [f64],
    /// Dependencies of arcs, one entry per arc of the prepared graph, in the order of its targets:
    /// for (v, w) on a shortest path, sources * sigma(v) * coefficient(w). A query has a column of
    /// entries for each backward phase. `Some` if and only if
    /// [`crate::prepare::Prepared::count_edges`] says that they are wanted.
    pub arcs: Option<&'a mut [f64]>,
}

impl Sums<'_> {
    /// Lends the sums of one backward phase of a query for this prepared graph: the first column of
    /// vertices is that of the phase.
    pub fn of_pass(&mut self, pass: usize, graph: &Csr) -> Sums<'_> {
        let (n, arcs) = (graph.vertices(), graph.arcs());
        Sums {
            vertices: &mut self.vertices[pass * n..],
            arcs: (self.arcs.as_mut()).map(|sums| &mut sums[pass * arcs..][..arcs]),
        }
    }
}

/// Sums with arrays of their own.
#[derive(Debug, Clone, Default)]
pub struct OwnSums {
    /// As [`Sums::vertices`].
    pub vertices: Vec<f64>,
    /// As [`Sums::arcs`].
    pub arcs: Option<Vec<f64>>,
}

impl OwnSums {
    /// Borrows the sums.
    pub fn lend(&mut self) -> Sums<'_> {
        Sums {
            vertices: &mut self.vertices,
            arcs: self.arcs.as_deref_mut(),
        }
    }

    /// Adds these sums to `sums`, and sets them to zero.
    pub fn move_to(&mut self, sums: &mut Sums<'_>) {
        self.add_to(sums);
        self.vertices.fill(0.0);
        self.arcs.iter_mut().for_each(|arcs| arcs.fill(0.0));
    }

    /// Adds the sums of `other`, which may be empty.
    pub fn add_copy(&mut self, other: &OwnSums) {
        other.add_to(&mut self.lend());
    }

    fn add_to(&self, sums: &mut Sums<'_>) {
        let add = |to: &mut [f64], from: &[f64]| {
            for (sum, own) in to.iter_mut().zip(from) {
                *sum += own;
            }
        };
        add(sums.vertices, &self.vertices);
        if let (Some(to), Some(from)) = (&mut sums.arcs, &self.arcs) {
            add(to, from);
        }
    }
}

/// An engine: it adds the dependencies of roots to its own sums.
pub trait Engine {
    /// Returns the best number of roots for a call of [`Engine::search`].
    fn roots_wanted(&self) -> usize;

    /// Returns how many roots, searched together, take about as long as one alone.
    fn roots_together(&self) -> usize {
        1
    }

    /// Returns the largest number of roots that may still be in flight.
    fn roots_in_flight(&self) -> usize {
        0
    }

    /// Searches from `roots`. Work may still be in flight when this returns.
    ///
    /// # Errors
    /// After any error but [`EngineError::Uncounted`] the engine cannot be used any more.
    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError>;

    /// Returns the largest relative error of a collected sum from rounding to 32 bits; 0 if the
    /// engine computes in f64, or if no bound is known.
    fn error_bound(&self) -> f64 {
        0.0
    }

    /// Returns the time that the last [`Engine::collect`] took, without its wait for the search. If
    /// it is long, the runner collects sums less often.
    fn collect_time(&self) -> Duration {
        Duration::ZERO
    }

    /// Resets all state that adapts to earlier searches, so that the bits of the next sums depend
    /// on their roots alone. Call this when all sums are collected.
    fn forget(&mut self) {}

    /// Waits for work in flight, and adds to `sums` all dependencies since the last call.
    ///
    /// # Errors
    /// After an error `sums` is unchanged.
    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError>;
}

/// Searches from all `roots`, in batches of the best size for the engine, and adds the dependencies
/// to `sums`. Returns the seconds that this took.
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
        let (batch, later) = rest.split_at(engine.roots_wanted().clamp(1, rest.len()));
        engine.search(batch)?;
        rest = later;
    }
    engine.collect(&mut sums.lend())?;
    Ok(start.elapsed().as_secs_f64())
}
