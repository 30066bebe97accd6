//! What makes `brandes bench` fail after all tables are printed, in one line each.

use crate::app::bench::baseline::Comparison;
use crate::app::bench::results::Measured;
use crate::app::report::bench_schema::GraphPart;
use crate::app::report::percent;
use brandes::report::words::counted;

/// What is wrong with the results of a graph, in one line: scores that differ, or no result.
pub(super) fn failure(part: &GraphPart) -> Option<String> {
    let ablation = part.ablation.as_deref().unwrap_or_default();
    for measured in part.strategies.iter().chain(ablation) {
        if let Some(check) = measured.check.as_ref().filter(|check| !check.passed) {
            return Some(format!(
                "{}: the scores of '{}' differ from those of '{}' by {:.1e} relative over {}; one \
                 of the two is wrong ({:e} is allowed)",
                part.path,
                measured.asked.words(),
                check.reference,
                check.largest_difference,
                counted(check.roots, "root"),
                check.allowed,
            ));
        }
    }
    // Without the first row of an ablation, the others say nothing.
    let groups = [&part.strategies[..], &ablation[..ablation.len().min(1)]];
    let failed = |group: &&&[Measured]| {
        !group.is_empty() && group.iter().all(|measured| measured.spread.is_none())
    };
    let group = groups.iter().find(failed)?;
    let reason = group
        .iter()
        .find_map(|measured| measured.failure.as_deref());
    let reason = reason.unwrap_or("no search ended");
    Some(format!(
        "{}: nothing could be measured: {reason}",
        part.path
    ))
}

/// What got worse since the baseline, in one line.
pub(super) fn slower(comparison: &Comparison) -> Option<String> {
    let worse = comparison.rows.iter().filter(|row| row.verdict.is_worse());
    let worse = worse.map(|row| {
        let how = row.change.map_or("cannot search any more".into(), percent);
        format!("{} on {} ({how})", row.asked.words(), row.graph)
    });
    let worse = worse.collect::<Vec<_>>().join(", ");
    (!worse.is_empty()).then(|| format!("slower than in {}: {worse}", comparison.path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::bench::results::{Asked, Check};

    #[test]
    fn scores_that_differ_are_one_line_with_both_names() {
        let measured = |check| Measured {
            asked: Asked {
                strategy: "virtual".into(),
                ..Asked::default()
            },
            spread: crate::app::bench::timing::Spread::of(&[1.0]),
            check,
            ..Measured::default()
        };
        let part = |check| GraphPart {
            path: "some/graph.txt".into(),
            directed: false,
            weighted: false,
            vertices: 3,
            edges: 3,
            prepared_vertices: 3,
            prepared_arcs: 6,
            roots: 3,
            strategies: vec![measured(check)],
            auto: None,
            ablation: None,
        };
        let check = |passed| Check {
            reference: "cpu".into(),
            roots: 3,
            largest_difference: 0.25,
            allowed: 1e-9,
            passed,
        };
        assert_eq!(failure(&part(None)), None);
        assert_eq!(failure(&part(Some(check(true)))), None);
        assert_eq!(
            failure(&part(Some(check(false)))).unwrap(),
            "some/graph.txt: the scores of 'virtual' differ from those of 'cpu' by 2.5e-1 relative \
             over 3 roots; one of the two is wrong (1e-9 is allowed)"
        );
    }
}
