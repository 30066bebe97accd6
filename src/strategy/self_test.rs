//! A self-test: searches with known scores, run before the real ones.
//!
//! Drivers finish loading and compiling code at the first launch. The self-test makes that launch
//! while the graph is still being read, and detects drivers that compute wrong results.

use std::ops::Range;

use super::device_strategy::features_of_programs;
use super::{LengthType, NumericOption, Strategy};
use crate::device::{DeviceError, Session};
use crate::graph::{Lengths, generate};
use crate::prepare::{Order, PrepareOptions, Reductions, prepare};

/// The number of vertices of the path: more than 32, so that bits for all levels, or for a lane per
/// vertex, take more than one word.
const VERTICES: u32 = 36;
const LAST: u32 = VERTICES - 1;
/// Strategies without lanes search only from every fifth vertex, including the first and the last,
/// because `virtual` launches hundreds of kernels for each root.
const ROOT_STEP: usize = 5;

/// Tests a strategy; for [`Strategy::Auto`], all strategies that it usually chooses from. In a
/// session for weighted graphs, the path has lengths of this type.
///
/// # Errors
/// [`DeviceError::Failed`] if the scores are wrong, or the error of the device.
pub fn run(session: &Session, strategy: Strategy, lengths: LengthType) -> Result<(), DeviceError> {
    let needed = features_of_programs(&session.options);
    strategy
        .candidates(session.options.weighted)
        .iter()
        .filter(|candidate| candidate.covers(&needed))
        .try_for_each(|&candidate| search_path(session, candidate, lengths))
}

/// Searches a path, and compares the sums with their closed form.
fn search_path(
    session: &Session,
    strategy: Strategy,
    lengths: LengthType,
) -> Result<(), DeviceError> {
    let path = generate::path(VERTICES).map_err(|error| DeviceError::Failed(error.to_string()))?;
    let options = PrepareOptions {
        reduce: Reductions::NONE,
        order: Order::None,
        ..PrepareOptions::default()
    };
    let prepared = prepare(&path, &options);
    let mut prepared = prepared.map_err(|error| DeviceError::Failed(error.to_string()))?;
    prepared.roots.sort_by_key(|root| root.vertex);
    if !strategy.has(NumericOption::Lanes) {
        prepared.roots = prepared.roots.iter().copied().step_by(ROOT_STEP).collect();
    }
    if session.options.weighted {
        let arcs = prepared.graph.arcs();
        prepared.lengths = Some(match lengths {
            LengthType::U32 => Lengths::U32(vec![3; arcs]),
            LengthType::U64 => Lengths::U64(vec![3 << 40; arcs]),
            LengthType::F64 => Lengths::F64(vec![0.3; arcs]),
        });
    }
    prepared.count_edges = session.options.count_edges;

    let wrong = || {
        DeviceError::Failed(format!(
            "{}: the self-test gave wrong scores; its driver cannot be trusted",
            session.info.name
        ))
    };
    let mut sums = prepared.zero_sums();
    let mut engine = strategy.engine(session, &prepared)?.engine;
    engine
        .search(&prepared.roots)
        .and_then(|()| engine.collect(&mut sums.lend()))
        .map_err(|error| error.device_error().cloned().unwrap_or_else(wrong))?;
    let roots_in = |range: Range<u32>| {
        let roots = prepared.roots.iter();
        let inside = roots.filter(|root| range.contains(&root.vertex));
        inside.count() as f64
    };
    // A vertex lies between each root on one side of it and each vertex on the other side. An arc
    // also counts for the root at its tail, and for the target at its head.
    let of_vertices = (0..VERTICES)
        .map(|v| roots_in(0..v) * f64::from(LAST - v) + roots_in(v + 1..VERTICES) * f64::from(v));
    let csr = path.csr();
    let arcs = csr.tails().into_iter().zip(csr.targets());
    let of_arcs = arcs.map(|(v, &w)| match w > v {
        true => roots_in(0..v + 1) * f64::from(LAST - v),
        false => roots_in(v..VERTICES) * f64::from(v),
    });
    let is_close = |(&sum, expected): (&f64, f64)| (sum - expected).abs() <= 1e-4 * expected;
    let arcs = sums.arcs.unwrap_or_default();
    let is_right = sums.vertices.iter().zip(of_vertices).all(is_close)
        && arcs.iter().zip(of_arcs).all(is_close);
    if is_right { Ok(()) } else { Err(wrong()) }
}
