//! Ranges of roots.

use std::ops::Range;

/// Returns the number of roots in these ranges.
pub(crate) fn total(ranges: &[Range<usize>]) -> usize {
    ranges.iter().map(Range::len).sum()
}

/// Returns the ranges in rising order, with adjacent ones merged.
pub(crate) fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_by_key(|range| range.start);
    let runs = ranges.chunk_by(|range, next| range.end == next.start);
    let merged = runs.map(|run| run[0].start..run[run.len() - 1].end);
    merged.collect()
}

/// Returns the parts of `0..total` outside of `ranges`. The ranges and the result are in rising
/// order.
pub(crate) fn gaps(ranges: &[Range<usize>], total: usize) -> Vec<Range<usize>> {
    let starts = [0].into_iter().chain(ranges.iter().map(|range| range.end));
    let ends = ranges.iter().map(|range| range.start).chain([total]);
    let gaps = starts.zip(ends).map(|(start, end)| start..end);
    gaps.filter(|gap| !gap.is_empty()).collect()
}
