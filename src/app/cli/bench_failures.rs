//! Reasons for which `brandes bench` fails after it has printed all tables.

use crate::app::bench::results::Measured;
use crate::app::report::bench_schema::{Comparison, GraphPart};
use crate::app::report::percent;

/// Returns what is wrong with the results of a graph, in one line: scores that differ, or that no
/// search succeeded.
pub(super) fn failure(part: &GraphPart) -> Option<String> {
    let failed = |m: &Measured| m.check.as_ref()?.failure(&m.asked.words());
    if let Some(failure) = part.measured().find_map(failed) {
        return Some(format!("{}: {failure}", part.path));
    }
    if part.measured().any(|measured| measured.spread.is_some()) {
        return None;
    }
    let measured = part.measured().next()?;
    let reason = measured.failure.as_deref().unwrap_or("no search ended");
    Some(format!(
        "{}: nothing could be measured: {reason}",
        part.path
    ))
}

/// Returns the strategies that are slower than in the baseline, in one line.
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
            spread: crate::app::bench::timing::Spread::from_times(&[1.0]),
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
