//! Strategy `local`: one work-group per root, the state of all vertices in local memory, as little
//! as possible elsewhere. For graphs of many levels, like roads and meshes: `cl/local.cl` says how.
//!
//! The idea of a root per work-group with an explicit frontier is McLaughlin and Bader's; the rest
//! follows from what was measured on an H200, where such searches are bound by lines of memory
//! touched.

use super::root_per_group::{Knob, Parts, SlotSums, Slots};
use super::{DeviceEngine, EnginePlan, Strategy};
use crate::device::buffers::{BufferPlan, DeviceBuffer};
use crate::device::launch::{Arg, Launcher};
use crate::device::{DeviceError, DeviceInfo, Session};
use crate::graph::{Csr, Vertex};
use crate::prepare::Prepared;

/// Work-items of a work-group, the best of 128 to 1024 on an H200.
pub const WORK_GROUP: usize = 384;

/// Numbers of records have this many bits.
const ID_BITS: u32 = 18;
/// In the first word of a record: the vertex has another one.
const MORE: u32 = 1 << 23;
/// Local memory that the kernel uses beside what is given to it.
const LOCAL_BYTES: usize = 1024;

/// The arcs of a graph in records of 4 or 8, as `cl/local.cl` describes them.
struct Records {
    /// Arcs of a record.
    arcs: usize,
    /// First record of each vertex.
    first: Vec<u32>,
    /// `arcs` words for each record.
    words: Vec<u32>,
}

impl Records {
    /// Arcs of a record that suit a graph, and how many records it then needs: 4 arcs up to a mean
    /// degree of four.
    fn sizes(graph: &Csr) -> (usize, usize) {
        let n = graph.vertices();
        let arcs = if graph.arcs() <= 4 * n { 4 } else { 8 };
        let records = |v: Vertex| graph.degree(v).div_ceil(arcs).max(1);
        (arcs, (0..n as Vertex).map(records).sum())
    }

    /// The records of a graph that needs no more of them than have numbers.
    fn new(graph: &Csr, weight: &[f64]) -> Records {
        let n = graph.vertices();
        let (arcs, count) = Self::sizes(graph);
        debug_assert!(count <= 1 << ID_BITS);
        let mut first = Vec::with_capacity(n);
        let mut next = 0;
        for v in 0..n as Vertex {
            first.push(next);
            next += graph.degree(v).div_ceil(arcs).max(1) as u32;
        }
        let mut words = Vec::with_capacity(arcs * count);
        for v in 0..n {
            let own = first[v];
            let row = graph.neighbours(v as Vertex);
            let start = words.len();
            words.extend(row.iter().map(|&u| first[u as usize]));
            words.resize(start + arcs * row.len().div_ceil(arcs).max(1), own);
            // Weights are whole numbers of input vertices, of which there are less than 2^32.
            let bytes = (weight[v] as u32).to_le_bytes();
            for (word, byte) in words[start..].iter_mut().zip(bytes) {
                *word |= u32::from(byte) << 24;
            }
            let end = words.len();
            for record in words[start..end - arcs].chunks_mut(arcs) {
                record[0] |= MORE;
            }
        }
        Records { arcs, first, words }
    }

    /// Number of records.
    fn len(&self) -> usize {
        self.words.len() / self.arcs
    }

    /// Which word each arc of the graph is, in the order of its targets.
    fn word_of_arc(&self, graph: &Csr) -> Vec<u32> {
        let rows = self.first.iter().zip(0..);
        let words = |(&first, v): (&u32, Vertex)| {
            let start = first * self.arcs as u32;
            start..start + graph.degree(v) as u32
        };
        rows.flat_map(words).collect()
    }

    /// Bytes of local memory for codes of levels and for visited vertices.
    fn local_bytes(&self) -> [usize; 2] {
        [4 * self.len().div_ceil(16), 4 * self.len().div_ceil(32)]
    }
}

/// Records that a work-group's local memory has room for: three bits each.
fn room(info: &DeviceInfo) -> usize {
    let bytes = (info.local_memory as usize).saturating_sub(LOCAL_BYTES);
    (8 * bytes / 3).min(1 << ID_BITS)
}

/// What scores of edges need.
struct Arcs {
    word_of_arc: DeviceBuffer,
    sums: SlotSums,
}

impl Arcs {
    fn new(
        session: &Session,
        graph: &Csr,
        records: &Records,
        (slots, of_slots): (usize, &DeviceBuffer),
    ) -> Result<Self, DeviceError> {
        let word_of_arc = DeviceBuffer::filled(session, &records.word_of_arc(graph))?;
        let sums = SlotSums::new(session, Strategy::Local, graph.arcs(), |sums| {
            let args = [
                Arg::Uint(graph.arcs() as u32),
                Arg::Uint(slots as u32),
                Arg::Buffer(&word_of_arc),
                Arg::Uint(records.words.len() as u32),
                Arg::Buffer(of_slots),
                Arg::Buffer(sums),
            ];
            Launcher::new(session, "local_add_arcs", &args)
        })?;
        Ok(Arcs { word_of_arc, sums })
    }
}

/// Makes the engine; see [`Strategy::engine`].
pub fn engine<'s>(
    session: &'s Session,
    prepared: &Prepared,
) -> Result<DeviceEngine<'s>, DeviceError> {
    let graph = &prepared.graph;
    let name = Strategy::Local.name();
    if prepared.reverse.is_some() {
        return Err(DeviceError::Directed { strategy: name });
    }
    let info = &session.info;
    let (arcs, needed) = Records::sizes(graph);
    if needed > room(info) {
        return Err(DeviceError::LocalMemory {
            device: info.name.clone(),
            arcs,
            needed,
            limit: room(info),
        });
    }
    let records = Records::new(graph, &prepared.weight);
    let n = graph.vertices();
    let ids = records.len();
    let options = &session.options;
    let work_group = session.work_group(Strategy::Local);
    let score = options.score_precision(info);
    let words = |count: usize| 4 * count as u64;
    let level_room = n + 2;
    let mut needs = vec![
        ("frontiers of all slots", words(ids)),
        (
            "path counts and scores of all slots",
            (2 * options.precision.bytes() * ids) as u64,
        ),
        ("level ends of all slots", words(level_room)),
    ];
    let mut plan = BufferPlan(vec![
        ("records of arcs", words(records.words.len())),
        ("first records", words(n)),
        ("scores", (score.bytes() * n) as u64),
    ]);
    if options.count_edges {
        plan.0.extend([
            ("words of arcs", words(graph.arcs())),
            SlotSums::of_arcs(session, graph.arcs()),
        ]);
        needs.push(SlotSums::of_arcs_in_slot(session, records.words.len()));
    }
    let slots = Slots::plan(session, work_group, prepared, &mut plan, needs)?;

    let quads = DeviceBuffer::filled(session, &records.words)?;
    let first = DeviceBuffer::filled(session, &records.first)?;
    // Frontiers, values, level ends and, if edges are counted, their sums in the order of the words
    // of records.
    let of_slots = slots.make(session)?;
    let values = &of_slots[1];
    let claims = slots.make_claims(session)?;
    let arcs = of_slots
        .get(3)
        .map(|arc_sums| Arcs::new(session, graph, &records, (slots.count, arc_sums)))
        .transpose()?;

    let (uint, buffer) = (|x: usize| Arg::Uint(x as u32), Arg::Buffer);
    let [codes, visited] = records.local_bytes();
    let kernel = match records.arcs {
        4 => "local_search_4",
        _ => "local_search_8",
    };
    let mut args = vec![
        Arg::Uint(0),
        uint(ids),
        buffer(&claims.roots),
        buffer(&claims.status),
        buffer(&quads),
        uint(level_room),
    ];
    args.extend(of_slots[..3].iter().map(buffer));
    args.extend([Arg::Local(codes), Arg::Local(visited)]);
    args.extend(of_slots[3..].iter().map(buffer));
    let search = Launcher::new(session, kernel, &args)?;
    let vertex_sums = SlotSums::new(session, Strategy::Local, n, |sums| {
        let args = [
            uint(n),
            uint(slots.count),
            Arg::Buffer(&first),
            uint(ids),
            Arg::Buffer(values),
            Arg::Buffer(sums),
        ];
        Launcher::new(session, "local_add_slots", &args)
    })?;
    let mut engine_plan = EnginePlan::new(Strategy::Local, session, plan.total());
    engine_plan.why = format!(
        "records of {} arcs, {} bytes of local memory for each of {} searches",
        records.arcs,
        codes + visited,
        slots.count
    );
    engine_plan.slots = Some(slots.count);
    let mut buffers = vec![quads, first];
    buffers.extend(of_slots);
    let arc_sums = arcs.map(|arcs| {
        buffers.push(arcs.word_of_arc);
        arcs.sums
    });
    let parts = Parts {
        search,
        work_group,
        claims,
        vertex_sums,
        arc_sums,
        _buffers: buffers,
        n,
        slots: slots.count,
        knob: Knob::Fixed(ids as u32),
        names: Some(records.first),
    };
    Ok(DeviceEngine {
        plan: engine_plan,
        engine: parts.engine(session),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_hold_all_arcs_and_weights() {
        // A star of five leaves: records of four, two for the centre.
        let star = Csr::new(
            vec![0, 5, 6, 7, 8, 9, 10],
            vec![1, 2, 3, 4, 5, 0, 0, 0, 0, 0],
        );
        let records = Records::new(&star, &[1.0, 300.0, 1.0, 1.0, 1.0, 1.0]);
        assert_eq!((records.arcs, records.len()), (4, 7));
        assert_eq!(records.first, [0, 2, 3, 4, 5, 6]);
        assert_eq!(records.words[..4], [2 | MORE | 1 << 24, 3, 4, 5]);
        assert_eq!(records.words[4..8], [6, 0, 0, 0]);
        // 300 = 44 + 256
        assert_eq!(records.words[8..12], [44 << 24, 2 | 1 << 24, 2, 2]);
        assert_eq!(records.local_bytes(), [4, 4]);
        // The centre's arcs, then one of each leaf.
        assert_eq!(
            records.word_of_arc(&star),
            [0, 1, 2, 3, 4, 8, 12, 16, 20, 24]
        );
    }

    #[test]
    fn dense_graphs_have_larger_records() {
        let complete = crate::graph::generate::complete(10).unwrap();
        let records = Records::new(complete.csr(), &[1.0; 10]);
        assert_eq!((records.arcs, records.len()), (8, 20));
        assert_eq!(Records::sizes(complete.csr()), (8, 20));
        let path = crate::graph::generate::path(1000).unwrap();
        assert_eq!(Records::sizes(path.csr()), (4, 1000));
    }
}
