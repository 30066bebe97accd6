//! Decides which columns hold the ends of edges: by the words of a header, and by names that recur
//! on both sides of a table, as those of vertices do, and ids, dates, weights and types do not.

use std::cmp::Reverse;
use std::sync::LazyLock;

use regex::bytes::Regex;
use rustc_hash::FxHashSet;

use crate::formats::dense::cell;
use crate::formats::text::header::{self, Pair};
use crate::formats::text::sample::{Row, Sample};

/// Matches the start of a date or of a time of day.
const TIME: &str = r"(?x-u) ^( \d{4} [-/.] \d\d? ([-/.] \d\d?)? | \d\d? [-/.] \d\d? [-/.] \d{4}
    | \d\d? / \d\d? / \d\d | \d\d?:\d\d ) ([T\ ,:.]|$)";

/// The columns of sources and targets, from 0, and whether it is doubtful that these are the ends.
pub(super) type FoundEnds = ([usize; 2], bool);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Words,
    Integers,
    /// No names of vertices: fractions, times, or nothing.
    Others,
}

/// The values in a column.
struct ColumnValues<'r> {
    kind: Kind,
    names: FxHashSet<&'r [u8]>,
    /// Whether the values may be names of ends: neither constant nor mostly empty.
    varies: bool,
    /// Whether the values are consecutive numbers.
    counts: bool,
    /// Whether no value is less than the one before.
    is_sorted: bool,
    /// Whether all values are 0, 1 or missing.
    are_flags: bool,
    /// Whether no value occurs twice.
    is_unique: bool,
}

/// Two columns of one kind that may be the ends.
struct Overlap {
    columns: [usize; 2],
    /// The number of names that both columns have; 0 if chance may explain it.
    shared: usize,
    /// The ratio of shared names to all names.
    similarity: f64,
}

/// The columns of a sample.
pub(super) struct Table<'r> {
    rows: &'r [Row<'r>],
    columns: Vec<ColumnValues<'r>>,
    /// The words of the header; none without a header.
    words: &'r [&'r [u8]],
    /// All pairs that may be the ends, in the order of the columns.
    overlaps: Vec<Overlap>,
}

impl<'r> Table<'r> {
    /// Examines the first `width` columns of `rows`. A header has `words`.
    pub fn new(
        sample: &Sample<'_>,
        rows: &'r [Row<'r>],
        width: usize,
        words: &'r [&'r [u8]],
    ) -> Self {
        let width = width.min(header::MOST_COLUMNS);
        // pandas writes numbers in place of missing words, and an empty one above an index.
        let is_word = |word: &&[u8]| !word.is_empty() && !sample.is_number(word);
        let has_words = words.iter().any(is_word);
        let has_index = matches!(words, [[], next, ..] if !next.is_empty());
        let column = |i| {
            let mut column = ColumnValues::new(sample, rows, i);
            let is_weight = words.get(i).is_some_and(|word| header::is_weight(word));
            let are_flags = column.are_flags && (has_words && width > 2 || width > 4);
            column.varies &= !(are_flags || is_weight || has_index && i == 0);
            column
        };
        let mut table = Self {
            rows,
            columns: (0..width).map(column).collect(),
            words: if has_words { words } else { &[] },
            overlaps: Vec::new(),
        };
        let pairs = (0..width).flat_map(|i| (i + 1..width).map(move |j| [i, j]));
        table.overlaps = pairs.filter_map(|pair| table.overlap(pair)).collect();
        // A column that counts the rows is no end if others may be.
        if has_words && width > 2 || width > 3 {
            let columns = &table.columns;
            let counts = |pair: &Overlap| pair.columns.iter().any(|&i| columns[i].counts);
            table.overlaps.retain(|pair| !counts(pair));
        }
        table
    }

    /// Compares two columns; `None` if both cannot be the ends.
    fn overlap(&self, columns: [usize; 2]) -> Option<Overlap> {
        let [a, b] = columns.map(|i| &self.columns[i]);
        let are_equal = |row: &Row<'_>| row.text(columns[0]) == row.text(columns[1]);
        let may_be_ends = a.varies && b.varies && a.kind == b.kind && a.kind != Kind::Others;
        if !may_be_ends || self.rows.iter().all(are_equal) {
            return None;
        }
        let shared = a.names.intersection(&b.names).count();
        let (a_count, b_count) = (a.names.len(), b.names.len());
        let similarity = shared as f64 / (a_count + b_count - shared) as f64;
        let are_many = 10 * shared >= 3 * a_count.min(b_count);
        let is_strong = are_many && (a.kind == Kind::Words || similarity >= 0.1);
        Some(Overlap {
            columns,
            shared: if is_strong { shared } else { 0 },
            similarity,
        })
    }

    fn is_integer(&self, columns: [usize; 2]) -> bool {
        columns.map(|i| self.columns[i].kind) == [Kind::Integers; 2]
    }

    /// Returns the ends, if two columns seem to be these.
    pub fn ends(&self) -> Option<FoundEnds> {
        let pairs = header::pairs(&self.words[..self.words.len().min(self.columns.len())]);
        let is_name = |&i: &usize| self.columns[i].kind != Kind::Others || self.rows.is_empty();
        let named = pairs.iter().filter(|pair| pair.columns.iter().all(is_name));
        let named: Vec<&Pair> = named.collect();
        let shared = |pair: &Pair| self.overlap(pair.columns).map_or(0, |found| found.shared);
        let most = named.iter().map(|pair| shared(pair)).fold(1, usize::max);
        let has_most = |pair: &&&Pair| 2 * shared(pair) >= most;
        // BioGRID has four names for each gene, of which symbols are the usual ones.
        let is_symbol = |pair: &Pair| self.words[pair.columns[0]].ends_with(b"Symbol Interactor A");
        let best = named.iter().filter(|pair| pair.decides || has_most(pair));
        let best = best.min_by_key(|pair| (!pair.decides, !is_symbol(pair), !pair.is_plain));
        match (best, self.by_names(), named.first()) {
            (Some(pair), ..) | (None, None, Some(pair)) => Some((pair.columns, false)),
            (None, None, None) => self.first_two(),
            (None, Some(found), Some(_)) => Some((found.columns, true)),
            (_, Some(found), _) if self.are_weights(found.columns) => Some(([0, 1], true)),
            (None, Some(found), None) => self.judged(found),
        }
    }

    /// Returns whether `found` includes a column of weights although the first two columns are the
    /// ends. Rows of a few hubs look like this: one of the two columns is constant and the other
    /// one unique, or they share names, and `found` omits one that is not sorted, unlike ids and
    /// times, and has more different values than a column of types or layers.
    fn are_weights(&self, found: [usize; 2]) -> bool {
        let [one, two] = [&self.columns[0], &self.columns[1]];
        if found == [0, 1] || !self.words.is_empty() || !self.is_integer([0, 1]) {
            return false;
        }
        let is_star =
            |a: &ColumnValues<'_>, b: &ColumnValues<'_>| a.names.len() == 1 && b.is_unique;
        let [a, b] = found.map(|i| self.columns[i].names.len());
        let is_end = |i: &usize| {
            let column = &self.columns[*i];
            !found.contains(i) && !column.is_sorted && column.names.len() > a.min(b)
        };
        let shared = one.names.intersection(&two.names).count();
        let share_names = 2 * shared >= one.names.len().min(two.names.len());
        found[1] == 2 && (is_star(one, two) || is_star(two, one))
            || share_names && [0, 1].iter().any(is_end)
    }

    /// Returns the columns that share most names, unless that may be by chance. The first two are
    /// preferred if they share names.
    fn by_names(&self) -> Option<&Overlap> {
        let first = self.overlaps.first()?;
        let overlaps = self.overlaps.iter();
        let best = overlaps.min_by_key(|pair| Reverse(pair.shared))?;
        let is_better = match (self.is_integer(best.columns), first.shared) {
            (false, shared) => best.shared > shared,
            (true, 0) => best.similarity >= 0.3 && best.shared > 2,
            (true, shared) => best.similarity >= 0.5 && best.shared >= 4.max(2 * shared),
        };
        Some(if is_better { best } else { first }).filter(|pair| pair.shared > 0)
    }

    /// Returns columns that share names; `None` if these are rather properties of the vertices in
    /// the first column.
    fn judged(&self, found: &Overlap) -> Option<FoundEnds> {
        let (ends, has_header) = (found.columns, !self.words.is_empty());
        let are_integers = self.is_integer(ends);
        let are_first = !has_header && ends == [0, 1];
        // Integers after the first two columns may be weights.
        let least = match are_first && are_integers {
            true => 4.max(found.shared + 1),
            false => found.shared.div_ceil(2),
        };
        let is_rival = |pair: &Overlap| {
            let is_alike = pair.shared >= least && 2.0 * pair.similarity >= found.similarity;
            is_alike && pair.columns != ends
        };
        let has_rivals = self.overlaps.iter().any(is_rival);
        let first = &self.columns[0];
        let is_unique = first.is_unique && first.varies && ends[0] > 0;
        if has_rivals && is_unique && are_integers && has_header {
            return None;
        }
        // Ids of two kinds of vertices may be equal: `user_id` and `item_id`.
        let may_be_equal = are_integers && has_header || are_first && first.counts;
        Some((ends, has_rivals || may_be_equal))
    }

    /// Returns the first two columns that may be ends although they share no names; `None` below a
    /// header, unless these are next to each other and the first one repeats its names, and if
    /// there are many columns of numbers.
    fn first_two(&self) -> Option<FoundEnds> {
        let (width, has_header) = (self.columns.len(), !self.words.is_empty());
        let kind = |i: usize| self.columns[i].kind;
        let names: Vec<usize> = (0..width).filter(|&i| kind(i) != Kind::Others).collect();
        let mut pairs = names.windows(2).map(|pair| [pair[0], pair[1]]);
        let alike = pairs.clone().find(|&[i, j]| kind(i) == kind(j));
        let alike = alike.filter(|_| !has_header);
        let ends = alike.or(pairs.next()).unwrap_or([0, 1]);
        let is_list = names.len() < 2 || ends[0] + 1 < ends[1] || self.columns[ends[0]].is_unique;
        if has_header && is_list || width > 4 && self.overlaps.is_empty() {
            return None;
        }
        let mut others = names.iter().filter(|i| !ends.contains(i));
        let has_other = others.any(|&i| i < ends[0] || ends.iter().any(|&j| kind(i) == kind(j)));
        let is_doubtful = has_header && width > 2 || self.rows.len() > 2 && has_other;
        Some((ends, is_doubtful))
    }
}

impl<'r> ColumnValues<'r> {
    fn new(sample: &Sample<'_>, rows: &'r [Row<'r>], column: usize) -> Self {
        static TIMES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(TIME).ok());
        let texts = rows.iter().map(|row| row.text(column));
        let texts: Vec<&[u8]> = texts.filter(|text| !text.is_empty()).collect();
        // A missing value may stand in a column of numbers.
        let missing = |text| cell(text, sample.delimiter).map(|_| f64::NAN);
        let number = |text| sample.number(text).or_else(|| missing(text));
        let numbers: Option<Vec<f64>> = texts.iter().map(|text| number(text)).collect();
        let is_time = |text: &&[u8]| TIMES.as_ref().is_some_and(|times| times.is_match(text));
        let kind = match &numbers {
            _ if texts.is_empty() => Kind::Others,
            None if texts.iter().all(is_time) => Kind::Others,
            None => Kind::Words,
            Some(numbers) if numbers.iter().any(|x| x.fract() != 0.0 && !x.is_nan()) => {
                Kind::Others
            }
            Some(_) => Kind::Integers,
        };
        let numbers = numbers.unwrap_or_default();
        let follow = |pair: &[f64]| pair[1] - pair[0] == 1.0;
        let names: FxHashSet<&[u8]> = texts.iter().copied().collect();
        ColumnValues {
            kind,
            varies: (names.len() > 1 || rows.len() == 1) && 2 * texts.len() >= rows.len(),
            counts: rows.len() > 2 && numbers.len() == rows.len() && numbers.windows(2).all(follow),
            is_sorted: numbers.is_sorted(),
            are_flags: numbers.iter().all(|x| [0.0, 1.0].contains(x) || x.is_nan())
                && kind == Kind::Integers,
            is_unique: names.len() == texts.len(),
            names,
        }
    }
}
