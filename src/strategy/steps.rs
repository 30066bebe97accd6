//! How far kernels can count.
//!
//! Kernels step unsigned integers of 32 bits through the vertices and arcs of a graph, as in
//! `for (uint arc = first; arc < end; arc += step)`. The last step, which leads past the end, must
//! not lead past the largest integer: it would begin anew from zero.

use crate::device::{DeviceError, Session};
use crate::graph::{Csr, Vertex};
use crate::prepare::Prepared;

/// How many different values a `uint` of OpenCL has.
const VALUES: u64 = 1 << 32;

/// Whether an integer with so many values can be stepped through all numbers below `end`.
fn is_countable(end: usize, step: usize, values: u64) -> bool {
    end as u64 + step as u64 <= values
}

/// Refuses graphs whose vertices or arcs kernels cannot step through with integers of so many
/// `values`. Steps are as long as a work-group at most, or as there are virtual vertices of a
/// vertex, which are no more than its arcs. Strategy `lanes` has an arc for a vertex without any.
pub(super) fn check<'g>(
    graphs: impl Iterator<Item = &'g Csr>,
    work_group: usize,
    values: u64,
) -> Result<(), DeviceError> {
    for graph in graphs {
        let (n, arcs) = (graph.vertices(), graph.arcs());
        let fits =
            |alone: usize, row: usize| is_countable(arcs + alone, row.max(work_group), values);
        let degrees = || (0..n as Vertex).map(|v| graph.degree(v));
        let alone = || degrees().filter(|&degree| degree == 0).count();
        // There are no more than n of both, which saves looking at nearly all graphs.
        if !fits(n, n) && !fits(alone(), degrees().max().unwrap_or(0)) {
            return Err(DeviceError::Refused(format!(
                "kernels count to {values}, which is not enough for {n} vertices and {arcs} arcs; \
                 use --device none"
            )));
        }
    }
    Ok(())
}

/// [`check`]s a prepared graph.
pub(super) fn check_prepared(session: &Session, prepared: &Prepared) -> Result<(), DeviceError> {
    let graphs = std::iter::once(&prepared.graph).chain(&prepared.reverse);
    check(graphs, session.info.max_work_group, VALUES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::generate;

    #[test]
    fn steps_do_not_wrap_in_graphs_that_are_accepted() {
        // With integers of 8 bits, as kernels step those of 32.
        let values = 1 << u8::BITS;
        for end in 1..=u8::MAX {
            for step in 1..=u8::MAX {
                let wraps = |first: u8| {
                    let mut i = first;
                    while i < end {
                        let next = i.wrapping_add(step);
                        if next <= i {
                            return true;
                        }
                        i = next;
                    }
                    false
                };
                let any = (0..step.min(end)).any(wraps);
                let accepted = is_countable(end.into(), step.into(), values);
                assert!(!(accepted && any), "{end} {step}");
                // Not more is refused than has to be.
                assert!(accepted || (0..end).any(wraps), "{end} {step}");
            }
        }
    }

    #[test]
    fn graphs_are_refused_when_their_largest_row_is_too_long() {
        // 198 arcs, of which the centre has 99.
        let star = generate::star(100).unwrap();
        let check = |work_group, values| check([star.csr()].into_iter(), work_group, values);
        assert!(check(1, 198 + 99).is_ok() && check(1, 198 + 98).is_err());
        assert!(check(128, 198 + 128).is_ok() && check(128, 198 + 127).is_err());
        assert!(check(1024, VALUES).is_ok());
        let alone = Csr::new(vec![0; 11], Vec::new());
        let check = |values| super::check([&alone].into_iter(), 1, values);
        assert!(check(10 + 1).is_ok() && check(10).is_err());
    }
}
