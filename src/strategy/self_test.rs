//! Warm-up: searches whose scores are known, run once before the real ones.
//!
//! Drivers load and compile the last of their code at the first launch; this gets that out of the
//! way while the graph is still being read, and finds drivers that compute nonsense.

use std::cmp::Ordering;

use super::{LengthType, Number, Strategy};
use crate::device::{DeviceError, Session, Step};
use crate::engine::{OwnSums, Root};
use crate::graph::{Csr, Lengths};
use crate::prepare::Prepared;

/// Vertices of the path. More than 32, so that levels do not fit into a word of bits, nor lanes if
/// there is one per vertex.
const VERTICES: u32 = 36;
/// Roots where they have no lanes: the first vertex, every fifth after it, and so the last.
/// `virtual` launches hundreds of kernels for each.
const ROOT_STEP: usize = 5;

/// Tests what a strategy will launch: for [`Strategy::Auto`], all that it usually chooses from. On
/// a device for weighted graphs, with lengths of this type.
pub fn run(session: &Session, strategy: Strategy, lengths: LengthType) -> Result<(), DeviceError> {
    session.options.faults.check(Step::WarmUp)?;
    let count_edges = session.options.count_edges;
    strategy
        .candidates(session.options.weighted)
        .iter()
        .filter(|candidate| !count_edges || candidate.takes().edges)
        .try_for_each(|&candidate| test(session, candidate, lengths))
}

/// Searches in a path.
fn test(session: &Session, strategy: Strategy, lengths: LengthType) -> Result<(), DeviceError> {
    let step = if strategy.has(Number::Lanes) {
        1
    } else {
        ROOT_STEP
    };
    let (mut prepared, expected) = path(step);
    if session.options.weighted {
        let arcs = prepared.graph.arcs();
        prepared.lengths = Some(match lengths {
            LengthType::U32 => Lengths::U32(vec![3; arcs]),
            LengthType::U64 => Lengths::U64(vec![3 << 40; arcs]),
            LengthType::F64 => Lengths::F64(vec![0.3; arcs]),
        });
    }
    prepared.count_edges = session.options.count_edges;
    check(session, strategy, &prepared, &expected)
}

/// `expected`: sums over ordered pairs; those of arcs are looked at if edges are counted.
fn check(
    session: &Session,
    strategy: Strategy,
    prepared: &Prepared,
    expected: &OwnSums,
) -> Result<(), DeviceError> {
    let mut made = strategy.engine(session, prepared)?;
    let mut sums = prepared.zero_sums();
    let wrong = || DeviceError::SelfTest {
        device: session.info.name.clone(),
    };
    made.engine
        .search(&prepared.roots)
        .and_then(|()| made.engine.collect(&mut sums.lend()))
        .map_err(|error| error.device_error().cloned().unwrap_or_else(wrong))?;
    let close = |(score, expected): (&f64, &f64)| {
        let error = (score - expected).abs();
        !error.is_nan() && error <= 1e-4 * expected
    };
    let right = sums.vertices.iter().zip(&expected.vertices).all(close)
        && match (&sums.arcs, &expected.arcs) {
            (Some(arcs), Some(expected)) => arcs.iter().zip(expected).all(close),
            _ => true,
        };
    if right { Ok(()) } else { Err(wrong()) }
}

/// A path with every `step`-th vertex a root. A vertex lies between each root before it and the
/// vertices behind it, and between each root behind it and the vertices before it. An arc also
/// counts for the root at its tail, and for the target at its head.
fn path(step: usize) -> (Prepared, OwnSums) {
    let edges: Vec<_> = (1..VERTICES).map(|v| (v - 1, v)).collect();
    let mut prepared = Prepared::bare(csr(VERTICES as usize, &edges));
    prepared.roots = prepared.roots.iter().copied().step_by(step).collect();
    let met = |v: u32| {
        let pairs = |root: &Root| match root.vertex.cmp(&v) {
            Ordering::Less => VERTICES - 1 - v,
            Ordering::Equal => 0,
            Ordering::Greater => v,
        };
        f64::from(prepared.roots.iter().map(pairs).sum::<u32>())
    };
    let vertices = (0..VERTICES).map(met).collect();
    let arcs = (0..VERTICES).flat_map(|v| {
        let rows = prepared.graph.neighbours(v).iter();
        let (roots, last) = (&prepared.roots, VERTICES - 1);
        rows.map(move |&w| {
            let (behind, beyond) = if w < v {
                (roots.iter().filter(|root| root.vertex >= v).count(), v)
            } else {
                (
                    roots.iter().filter(|root| root.vertex <= v).count(),
                    last - v,
                )
            };
            behind as f64 * f64::from(beyond)
        })
    });
    let arcs = Some(arcs.collect());
    (prepared, OwnSums { vertices, arcs })
}

fn csr(n: usize, edges: &[(u32, u32)]) -> Csr {
    let mut neighbours = vec![Vec::new(); n];
    for &(u, v) in edges {
        neighbours[u as usize].push(v);
        neighbours[v as usize].push(u);
    }
    let mut offsets = vec![0];
    let mut targets = Vec::new();
    for mut row in neighbours {
        row.sort_unstable();
        targets.append(&mut row);
        offsets.push(targets.len() as u32);
    }
    Csr::new(offsets, targets)
}
