//! Plausibility checks of the sums that a device returns. They take little time.
//!
//! A sum is neither negative nor larger than twice the number of pairs of a searched root and
//! another vertex; queries have no upper bound. In a connected undirected graph, every shortest
//! path from a root to a vertex that is not its neighbour has at least one inner vertex, so the
//! total of all sums is at least the number of such pairs. Errors within these bounds remain
//! undetected; option `verify` finds more of them.

use std::ops::Range;

use crate::device::DeviceError;
use crate::engine::{OwnSums, Precision};
use crate::prepare::Prepared;

/// Bounds allow this many times the difference that rounding may cause in a score, and at least
/// [`MIN_TOLERANCE`].
const SLACK: f64 = 10.0;
const MIN_TOLERANCE: f64 = 1e-6;

/// Checks sums over the roots in these ranges, of a device of this precision.
///
/// # Errors
/// [`DeviceError::Spoiled`] if they cannot be right.
pub(super) fn check(
    prepared: &Prepared,
    precision: Precision,
    sums: &OwnSums,
    group: &[Range<usize>],
) -> Result<(), DeviceError> {
    let tolerance = (SLACK * precision.tolerance()).max(MIN_TOLERANCE);
    let weight: f64 = prepared.weight.iter().sum();
    let roots = group.iter();
    let roots = roots.flat_map(|range| &prepared.roots[range.clone()]);
    let sources: f64 = match prepared.chains {
        // A search from a junction, which is the end of chains, also serves sources inside
        // them.
        Some(_) => prepared.sources as f64,
        None => (roots.clone()).map(|root| f64::from(root.sources)).sum(),
    };
    let spoiled = |what: String| Err(DeviceError::Spoiled(what));
    let impossible = |value: &f64| spoiled(format!("{value} is no possible sum"));
    if let Some(query) = &prepared.query {
        // Weights have no upper bound, so only NaN and negative sums are wrong. With stress
        // nothing is checked, because path counts may overflow to infinity and NaN.
        let mut values = sums.vertices.iter();
        let wrong = values.find(|value| value.is_nan() || **value < 0.0);
        let wrong = wrong.filter(|_| query.passes.iter().all(|pass| !pass.stress));
        return wrong.map_or(Ok(()), impossible);
    }
    // A pair counts at most once for a vertex, as inner vertex or as end; 2 is a margin.
    let most = 2.0 * sources * weight * (1.0 + tolerance);
    let least = -tolerance * most;
    let arcs = sums.arcs.iter().flatten();
    // NaN is in no range.
    let wrong = |value: &&f64| !(least..=most).contains(*value);
    if let Some(value) = sums.vertices.iter().chain(arcs).find(wrong) {
        return impossible(value);
    }
    let is_split = prepared.components != 1 || prepared.blocks().is_some();
    if prepared.chains.is_some() || prepared.reverse.is_some() || is_split {
        return Ok(());
    }
    let mut needed = 0.0;
    for root in roots {
        let near = prepared.graph.neighbours(root.vertex).iter();
        let near: f64 = near.map(|&v| prepared.weight[v as usize]).sum();
        let own = prepared.weight[root.vertex as usize];
        needed += f64::from(root.sources) * (weight - own - near).max(0.0);
    }
    let total: f64 = sums.vertices.iter().sum();
    if total < needed * (1.0 - tolerance) {
        return spoiled(format!(
            "they add up to {total}, but cannot be less than {needed}"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::CpuEngine;
    use crate::cpu::tests::{collected, fast};
    use crate::graph::generate;
    use crate::prepare::{PrepareOptions, prepare};

    #[test]
    fn right_sums_pass_and_spoiled_ones_do_not() {
        let graph = generate::grid(9, 9, 0.0, 1).unwrap();
        for edges in [false, true] {
            let options = PrepareOptions {
                edges,
                ..PrepareOptions::default()
            };
            let prepared = prepare(&graph, &options).unwrap();
            let mut engine = fast(&prepared, CpuEngine::Auto);
            let group = [3..7, 10..12];
            for range in group.clone() {
                engine.search(&prepared.roots[range]).unwrap();
            }
            let sums = collected(engine, &prepared);
            let check = |sums: &_| check(&prepared, Precision::F64, sums, &group);
            assert_eq!(check(&sums), Ok(()));
            let spoilers: [fn(f64) -> f64; 5] =
                [|_| 0.0, |x| -x, |x| x / 0.0, |_| f64::NAN, |x| x * 1e9];
            for spoil in spoilers {
                let mut spoiled = sums.clone();
                let arcs = spoiled.arcs.iter_mut().flatten();
                let all = spoiled.vertices.iter_mut().chain(arcs);
                all.for_each(|x| *x = spoil(*x));
                assert!(check(&spoiled).is_err());
            }
        }
    }
}
