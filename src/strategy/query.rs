//! The columns of a query on a device: the parameters of `cl/query.cl`.

use super::LengthType;
use crate::device::buffers::{BufferId, BufferSet, Buffers};
use crate::device::launch::Arg;
use crate::engine::Root;
use crate::graph::Vertex;
use crate::prepare::{DistanceSum, Pass, Prepared};

/// The text of the functions of queries.
pub const QUERY: &str = include_str!("../../cl/query.cl");

// The kinds of columns in `cl/query.cl`.
const DECAYED: u32 = 0;
const PATHS: u32 = 1;
const DISTANCE: u32 = 2;
const INVERSE: u32 = 3;
const SQUARES: u32 = 4;

/// The parameters of a query, planned as buffers.
pub struct DeviceQuery {
    /// The largest level that counts in each backward phase, for searches without lengths.
    pub levels: Vec<usize>,
    /// The most levels below a root, for searches without lengths.
    pub deepest: usize,
    /// Whether all roots have weight 1.
    pub is_unweighted: bool,
    /// The number of columns of vertices.
    pub columns: usize,
    buffers: [BufferId; 4],
}

/// Returns the largest distance of a type that is at most `limit`, as a word.
fn word(limit: f64, lengths: Option<LengthType>) -> u64 {
    match lengths {
        // These conversions saturate, and the largest integer is beyond all distances.
        None | Some(LengthType::U32) => (limit as u32).into(),
        Some(LengthType::U64) => limit as u64,
        Some(LengthType::F64) => limit.to_bits(),
    }
}

impl DeviceQuery {
    /// Plans the buffers for a graph with lengths of this type, or without. A graph without a query
    /// is searched for the betweenness of all pairs. `vertices` are in the order of the kernels'
    /// numbers.
    pub fn plan(
        set: &mut BufferSet,
        prepared: &Prepared,
        lengths: Option<LengthType>,
        vertices: impl Iterator<Item = Vertex>,
    ) -> Self {
        let query = prepared.query.as_deref();
        let passes = query.map_or(&[Pass::ALL_PAIRS][..], |query| &query.passes[..]);
        let distances = query.map_or(&[][..], |query| &query.distances[..]);
        let of_pass = |pass: &Pass| match pass.stress {
            true => (PATHS, pass.limit, pass.decay),
            false if pass.squares => (SQUARES, pass.limit, pass.decay),
            false => (DECAYED, pass.limit, pass.decay),
        };
        let mut columns: Vec<(u32, f64, f64)> = passes.iter().map(of_pass).collect();
        columns.extend(distances.iter().map(|column| match column.sum {
            DistanceSum::Count => (DECAYED, column.limit, 0.0),
            DistanceSum::Decayed(decay) => (DECAYED, column.limit, decay),
            DistanceSum::Distance => (DISTANCE, column.limit, 0.0),
            DistanceSum::Inverse => (INVERSE, column.limit, 0.0),
            // No strategy takes it, and this adds nothing.
            DistanceSum::Eccentricity => (DECAYED, 0.0, 0.0),
        }));
        let kinds: Vec<u32> = columns.iter().map(|&(kind, ..)| kind).collect();
        let farthest = query.map_or(f64::INFINITY, |query| query.limit);
        let limits = columns.iter().map(|&(_, limit, _)| limit);
        let limits = limits.chain([farthest]).map(|limit| word(limit, lengths));
        let decays: Vec<f64> = columns.iter().map(|&(.., decay)| decay).collect();
        let weights = vertices.map(|vertex| prepared.factor(Root { vertex, sources: 1 }));
        let is_long = matches!(lengths, Some(LengthType::U64 | LengthType::F64));
        DeviceQuery {
            levels: passes.iter().map(|pass| pass.limit as usize).collect(),
            deepest: query.map_or(usize::MAX, |query| query.deepest()),
            is_unweighted: prepared
                .roots
                .iter()
                .all(|&root| prepared.factor(root) == 1.0),
            columns: columns.len(),
            buffers: [
                set.filled("kinds of columns", kinds),
                match is_long {
                    true => set.filled("radii of columns", limits.collect::<Vec<u64>>()),
                    false => {
                        let limits = limits.map(|limit| limit as u32);
                        set.filled("radii of columns", limits.collect::<Vec<u32>>())
                    }
                },
                set.reals("decays of columns", decays),
                set.reals("weights of sources", weights.collect::<Vec<f64>>()),
            ],
        }
    }

    /// Returns the arguments, in the order of the kernels' parameters.
    pub fn args<'b>(&self, buffers: &'b Buffers) -> Vec<Arg<'b>> {
        let mut args = vec![Arg::count(self.levels.len()), Arg::count(self.columns)];
        args.extend(buffers.args(self.buffers));
        args
    }
}
