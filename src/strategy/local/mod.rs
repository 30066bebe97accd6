//! Strategy `local`: one work-group per root, with the levels of all vertices in local memory and
//! as little as possible elsewhere. It is for graphs of many levels, like roads and meshes.
//! `cl/local/local.cl` describes the search.
//!
//! One work-group per root with an explicit frontier is an idea of McLaughlin and Bader. The rest
//! follows from measurements on an H200, where such searches are limited by the number of memory
//! lines that they access.

use super::frontier::search::Parts;
use super::frontier::workspaces::{Rows, Workspaces};
use super::{
    About, CLAIM, DeviceEngine, DeviceQuery, DeviceStrategy, EnginePlan, Feature, QUERY, Strategy,
};
use crate::device::buffers::BufferSet;
use crate::device::launch::Arg;
use crate::device::{DeviceError, DeviceInfo, DeviceOptions, Session, Source};
use crate::graph::{Csr, Vertex};
use crate::prepare::{Prepared, WeightedGraph, depth};

const TEXT: &str = include_str!("../../../cl/local/local.cl");
/// The fewest and the most work-items of a work-group; the first divides all sizes. On an H200, the
/// second was the best of 128 to 1024 for levels of more vertices than that.
const WORK_GROUP: (usize, usize) = (64, 384);
/// Work-items for each vertex of a mean level. More than 1, since some levels are wider.
const ITEMS: f64 = 1.5;

/// Bits of the number of a record.
const ID_BITS: u32 = 18;
/// Bits of the number of twins of a vertex in each of the first four words of its first record.
const TWIN_BITS: u32 = 5;
/// A vertex stands for fewer twins than this.
const TWINS: u32 = 1 << (4 * TWIN_BITS);
/// A bit of the first word of a record: the vertex has another record.
const MORE: u32 = 1 << 23;
/// Bytes of local memory for the variables that the kernel declares.
const LOCAL_BYTES: usize = 1024;

/// The arcs of a graph in records of 4 or 8 arcs, which `cl/local/local.cl` describes.
struct Records {
    /// Arcs of a record.
    arcs: usize,
    /// First record of each vertex.
    first: Vec<u32>,
    /// `arcs` words for each record.
    words: Vec<u32>,
}

impl Records {
    /// Returns the number of arcs of a record (4 if the mean degree is at most 4, otherwise 8), the
    /// first record of each vertex, and the number of records.
    fn numbers(graph: &Csr) -> (usize, Vec<u32>, usize) {
        let n = graph.vertices();
        let arcs = if graph.arcs() <= 4 * n { 4 } else { 8 };
        let mut count = 0;
        let first = (0..n as Vertex).map(|v| {
            let first = count;
            count += graph.degree(v).div_ceil(arcs).max(1);
            first as u32
        });
        let first = first.collect();
        (arcs, first, count)
    }

    /// Makes the records of a graph, at most 2^ID_BITS.
    fn new(searched: &WeightedGraph) -> Records {
        let (graph, n) = (&searched.graph, searched.graph.vertices());
        let (arcs, first, count) = Self::numbers(graph);
        debug_assert!(count <= 1 << ID_BITS);
        let mut words = Vec::with_capacity(arcs * count);
        for v in 0..n {
            let own = first[v];
            let row = graph.neighbours(v as Vertex);
            let start = words.len();
            words.extend(row.iter().map(|&u| first[u as usize]));
            words.resize(start + arcs * row.len().div_ceil(arcs).max(1), own);
            // Weights are numbers of input vertices, of which there are fewer than 2^32.
            let bytes = (searched.weight[v] as u32).to_le_bytes();
            let mut twins = searched.multiplicity_of(v) as u32;
            for (word, byte) in words[start..].iter_mut().zip(bytes) {
                *word |= u32::from(byte) << 24 | (twins % (1 << TWIN_BITS)) << ID_BITS;
                twins >>= TWIN_BITS;
            }
            let end = words.len();
            for record in words[start..end - arcs].chunks_mut(arcs) {
                record[0] |= MORE;
            }
        }
        Records { arcs, first, words }
    }

    /// Returns the number of records.
    fn len(&self) -> usize {
        self.words.len() / self.arcs
    }

    /// Returns the position in `words` of each arc of the graph.
    fn word_of_arc(&self, graph: &Csr) -> Vec<u32> {
        let rows = self.first.iter().zip(0..);
        let words = |(&first, v): (&u32, Vertex)| {
            let start = first * self.arcs as u32;
            start..start + graph.degree(v) as u32
        };
        rows.flat_map(words).collect()
    }

    /// Returns the vertex of each record.
    fn owners(&self) -> Vec<Vertex> {
        let owner = |record| self.first.partition_point(|&first| first <= record) as Vertex - 1;
        (0..self.len() as u32).map(owner).collect()
    }
}

/// Returns the number of records whose state, three bits each, fits into the local memory of a
/// work-group.
fn room(info: &DeviceInfo) -> usize {
    let bytes = (info.local_memory as usize).saturating_sub(LOCAL_BYTES);
    (8 * bytes / 3).min(1 << ID_BITS)
}

/// Returns the work-items of a work-group for a graph: no more than a level keeps busy, because
/// smaller work-groups let more searches run at a time.
fn work_group(prepared: &Prepared) -> usize {
    let median = f64::from(depth::median(prepared.depths()));
    let levels = median.min(prepared.search_limit().floor()) + 1.0;
    let (graph, (least, most)) = (&prepared.graph, WORK_GROUP);
    let reached = prepared.arcs_per_root / graph.arcs().max(1) as f64;
    let width = reached * graph.vertices() as f64 / levels;
    // The conversion saturates.
    ((ITEMS * width) as usize)
        .min(most)
        .next_multiple_of(least)
        .max(least)
}

/// Strategy `local`.
pub struct Local;

impl Local {
    fn source(options: &DeviceOptions, info: &DeviceInfo, work_group: usize) -> Source {
        Source {
            name: "local".into(),
            texts: vec![
                CLAIM,
                QUERY,
                "#define RECORD 4\n",
                TEXT,
                "#undef RECORD\n#define RECORD 8\n",
                TEXT,
            ],
            work_group: options.work_group_of(work_group, info),
            ..Source::default()
        }
    }
}

impl DeviceStrategy for Local {
    fn about(&self) -> About {
        use Feature::*;
        About {
            name: "local",
            line: "On devices: one work-group per root, its state in local memory; for roads and \
                   meshes",
            takes: &[Edges, Twins, Squares, Query],
            numbers: &[],
        }
    }

    fn kernels(&self, options: &DeviceOptions, info: &DeviceInfo) -> Vec<Source> {
        vec![Self::source(options, info, WORK_GROUP.1)]
    }

    fn engine<'s>(
        &'static self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError> {
        let (graph, info) = (&prepared.graph, &session.info);
        let (arcs, _, needed) = Records::numbers(graph);
        let room = room(info);
        if needed > room {
            return Err(DeviceError::Refused(format!(
                "strategy local has room for {room} records of {arcs} arcs in the local memory of \
                 {}, but the graph has {needed}; use another --strategy",
                info.name
            )));
        }
        let twins = prepared.multiplicities().iter().copied();
        let most = twins.fold(1.0, f64::max);
        if most >= f64::from(TWINS) {
            return Err(DeviceError::Refused(format!(
                "strategy local counts fewer than {TWINS} twins, but {most} are merged; leave \
                 twins out of --reduce, or use another --strategy"
            )));
        }
        let records = Records::new(prepared);
        let count = records.len();
        let (words, level_room) = (records.words.len(), graph.vertices() + 2);
        // Bytes of local memory for codes of levels and for visited vertices.
        let [codes, visited] = [16, 32].map(|records| 4 * count.div_ceil(records));
        let edges = session.options.count_edges;
        let [columns, passes] = prepared.sum_columns();

        let mut set = BufferSet::new(session);
        let quads = set.filled("records of arcs", &records.words);
        // Returns the rows of sums in all columns, which have `rows` rows each.
        let in_columns = |columns: usize, rows: usize, row_of: &[u32]| -> Vec<u32> {
            let column = |column| row_of.iter().map(move |&row| (column * rows) as u32 + row);
            (0..columns).flat_map(column).collect()
        };
        let first = set.filled("first records", in_columns(columns, count, &records.first));
        let query = session.options.query.then(|| {
            let owners = records.owners();
            let weights = owners.iter().map(|&v| prepared.weight[v as usize]);
            let weights = set.reals("weights", weights.collect::<Vec<f64>>());
            let query = DeviceQuery::plan(&mut set, prepared, None, owners.iter().copied());
            (weights, query)
        });
        let real = set.real_bytes();
        let mut workspace = vec![
            ("vertices of workspaces", 2 * real * count),
            ("frontiers", 4 * count),
            ("level ends", 4 * level_room),
        ];
        // The buffer of scores, and the number of columns of its rows.
        let mut scores = (0, 2);
        if query.is_some() {
            scores = (workspace.len(), 1);
            workspace.push(("scores of workspaces", real * columns * count));
        }
        let of_arcs = workspace.len();
        if edges {
            workspace.push(("sums of arcs of workspaces", real * passes * words));
        }
        let words_of_arcs = edges.then(|| {
            let word_of_arc = records.word_of_arc(graph);
            set.filled("words of arcs", in_columns(passes, words, &word_of_arc))
        });
        let source = Self::source(&session.options, info, work_group(prepared));
        let spaces = Workspaces::plan(&mut set, source.work_group, prepared, &workspace);
        let bytes = set.total();
        let kernels = session.build(&source)?;
        set.make()?;

        let own = &spaces.buffers;
        let mut args = vec![Arg::Uint(0), Arg::Count(count)];
        args.extend(Arg::buffers(&[&spaces.roots, &spaces.status, &quads]));
        args.push(Arg::Count(level_room));
        args.extend(Arg::buffers(&[&own[1], &own[0], &own[2]]));
        args.extend([Arg::Local(codes), Arg::Local(visited)]);
        args.extend(own[of_arcs..].iter().map(Arg::Buffer));
        if let Some((weights, query)) = &query {
            args.extend(Arg::buffers(&[&own[scores.0], weights]));
            args.extend(query.args());
        }
        let mut rows: Vec<Rows> = vec![(&own[scores.0], [columns * count, scores.1], Some(&first))];
        let words_of_arcs = words_of_arcs.as_ref();
        rows.extend(words_of_arcs.map(|row_of| (&own[of_arcs], [passes * words, 1], Some(row_of))));
        let why = format!(
            "records of {} arcs, {} bytes of local memory for each of {} searches",
            records.arcs,
            codes + visited,
            spaces.count
        );
        let parts = Parts {
            search: kernels.launcher(&format!("search_{}", records.arcs), &args)?,
            adders: spaces.adders(&kernels, &rows)?,
            spaces,
            sampling: None,
            kernel_numbers: Some(records.first),
        };
        let plan = EnginePlan {
            why,
            ..EnginePlan::new(Strategy::new(self), source.work_group, bytes)
        };
        Ok(parts.engine(session, prepared, plan))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::generate;

    #[test]
    fn records_hold_all_arcs_and_weights() {
        // A star of five leaves: records of four, two for the centre.
        let mut star = Prepared::bare(generate::star(6).unwrap().csr().clone());
        star.weight[1] = 300.0;
        star.multiplicity = Some(vec![1.0, 1.0, 1.0, 1.0, 1.0, 33.0]);
        let records = Records::new(&star);
        assert_eq!((records.arcs, records.len()), (4, 7));
        assert_eq!(records.first, [0, 2, 3, 4, 5, 6]);
        let once = 1 << ID_BITS;
        assert_eq!(records.words[..4], [2 | once | MORE | 1 << 24, 3, 4, 5]);
        assert_eq!(records.words[4..8], [6, 0, 0, 0]);
        // 300 = 44 + 256, 33 = 1 + 32
        assert_eq!(records.words[8..12], [once | 44 << 24, 2 | 1 << 24, 2, 2]);
        assert_eq!(records.words[24..], [once | 1 << 24, 6 | once, 6, 6]);
        assert_eq!(records.owners(), [0, 0, 1, 2, 3, 4, 5]);
        let words = records.word_of_arc(&star.graph);
        assert_eq!(words, [0, 1, 2, 3, 4, 8, 12, 16, 20, 24]);
    }

    #[test]
    fn narrow_levels_have_small_work_groups_and_dense_graphs_larger_records() {
        // Levels of one vertex; of about 50; of more than the work-items; no arcs.
        for (graph, size, arcs, count) in [
            (generate::path(1000).unwrap(), 64, 4, 1000),
            (generate::grid(40, 400, 0.0, 1).unwrap(), 128, 4, 16_000),
            (generate::complete(1000).unwrap(), 384, 8, 125_000),
            (generate::erdos_renyi(9, 0, 1).unwrap(), 64, 4, 9),
        ] {
            assert_eq!(work_group(&Prepared::bare(graph.csr().clone())), size);
            let (record, _, records) = Records::numbers(graph.csr());
            assert_eq!((record, records), (arcs, count));
        }
    }
}
