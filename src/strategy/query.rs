//! The parameters of a query (radii, decay, weights of sources, several measures) on a device,
//! which `cl/query.cl` reads: the kind, radius and decay of each column of sums, and the weights of
//! sources.

use super::LengthType;
use crate::device::buffers::{BufferSet, DeviceBuffer};
use crate::device::launch::Arg;
use crate::engine::Root;
use crate::graph::Vertex;
use crate::prepare::{Amount, DistanceSum, Pass, Prepared};

/// The source of the OpenCL functions for queries.
pub const QUERY: &str = include_str!("../../cl/query.cl");

// The kinds of columns, as `cl/query.cl` defines them.
const DECAYED: u32 = 0;
const PATHS: u32 = 1;
const DISTANCE: u32 = 2;
const INVERSE: u32 = 3;
const SQUARES: u32 = 4;

/// The parameters of a query, planned as buffers.
pub struct DeviceQuery {
    passes: usize,
    columns: usize,
    buffers: [DeviceBuffer; 4],
}

impl DeviceQuery {
    /// Plans the buffers. `lengths` is the type of the graph's lengths, if it has any. Without a
    /// query, the parameters describe the betweenness of all pairs. `vertices` lists the vertices
    /// in the order in which the kernels number them.
    pub fn plan(
        set: &mut BufferSet,
        prepared: &Prepared,
        lengths: Option<LengthType>,
        vertices: impl Iterator<Item = Vertex>,
    ) -> Self {
        let column_of_pass = |pass: &Pass| match (pass.stress, pass.squares) {
            (true, _) => (PATHS, pass.limit, pass.decay),
            (_, true) => (SQUARES, pass.limit, pass.decay),
            _ => (DECAYED, pass.limit, pass.decay),
        };
        let column_of_sum = |sum: &DistanceSum| match sum.amount {
            Amount::Decayed(decay) => (DECAYED, sum.limit, decay),
            Amount::Distance => (DISTANCE, sum.limit, 0.0),
            Amount::Inverse => (INVERSE, sum.limit, 0.0),
        };
        let (passes, sums) = (prepared.passes(), &prepared.any_query().distances);
        let sums = sums.iter().map(column_of_sum);
        // The limit 0 keeps distances out of the column of squares, which follows its pass.
        let squares = passes.iter().filter(|pass| pass.squares);
        let squares = squares.map(|_| (SQUARES, 0.0, 0.0));
        let all = passes.iter().map(column_of_pass).chain(squares).chain(sums);
        let columns: Vec<(u32, f64, f64)> = all.collect();
        // Kernels find their workspaces by this number; buffers have this many columns for each.
        debug_assert_eq!(columns.len(), prepared.sum_columns()[0]);
        let kinds = columns.iter().map(|&(kind, ..)| kind);
        let kinds: Vec<u32> = kinds.chain([prepared.zero_bits]).collect();
        let decays: Vec<f64> = columns.iter().map(|&(.., decay)| decay).collect();
        let limits = columns.iter().map(|&(_, limit, _)| limit);
        let limits = limits.chain([prepared.search_limit()]);
        let limits = match lengths {
            Some(LengthType::F64) => set.filled("radii of columns", limits.collect::<Vec<f64>>()),
            // Casts to integers saturate: an infinite radius becomes the largest integer, which no
            // distance exceeds.
            Some(LengthType::U64) => {
                let limits = limits.map(|limit| limit as u64);
                set.filled("radii of columns", limits.collect::<Vec<u64>>())
            }
            None | Some(LengthType::U32) => {
                let limits = limits.map(|limit| limit as u32);
                set.filled("radii of columns", limits.collect::<Vec<u32>>())
            }
        };
        let weights = vertices.map(|vertex| prepared.factor(Root { vertex, sources: 1 }));
        DeviceQuery {
            passes: passes.len(),
            columns: columns.len(),
            buffers: [
                set.filled("kinds of columns", kinds),
                limits,
                set.reals("decays of columns", decays),
                set.reals("weights of sources", weights.collect::<Vec<f64>>()),
            ],
        }
    }

    /// Returns the arguments, in the order of the kernels' parameters.
    pub fn args(&self) -> Vec<Arg<'_>> {
        let mut args = vec![Arg::Count(self.passes), Arg::Count(self.columns)];
        args.extend(self.buffers.iter().map(Arg::Buffer));
        args
    }
}
