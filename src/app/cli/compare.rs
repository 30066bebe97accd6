//! `brandes compare`.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Result, bail};

use super::args::CompareArgs;
use super::check_outputs;
use super::scores::{self, Scores};
use brandes::report::words::{about, counted, grouped};

/// Compares two score files by label. Exit code 0: all agree; 1: some do not.
pub fn compare(args: &CompareArgs) -> Result<i32> {
    check_outputs(&[("a", &args.a), ("b", &args.b)], &[])?;
    let (a, b) = (scores::read(&args.a)?, scores::read(&args.b)?);
    let (path_a, path_b) = (args.a.display(), args.b.display());
    let in_a = rows_by_label(&a, &args.a)?;
    // Refuses labels that appear twice in b.
    rows_by_label(&b, &args.b)?;
    if a.labels.is_empty() && b.labels.is_empty() {
        bail!("there are no scores in {path_a} and {path_b}");
    }
    let columns = common_columns(&a, &b);
    if columns.is_empty() {
        let (a, b) = (names(a.columns.iter()), names(b.columns.iter()));
        bail!("the files have no column in common: {path_a} has {a}, and {path_b} has {b}");
    }
    // The rows in a and in b of each label that both files have.
    let rows = b.labels.iter().enumerate();
    let pairs = rows.filter_map(|(row, label)| Some((*in_a.get(&label[..])?, row)));
    let pairs: Vec<(usize, usize)> = pairs.collect();

    let mut out = io::stdout().lock();
    let mut differing = 0;
    for (x, y) in &columns {
        let mut compared = Compared::default();
        for &(row_a, row_b) in &pairs {
            compared.add(&b.labels[row_b], x.1[row_a], y.1[row_b], args);
        }
        if columns.len() > 1 {
            write!(out, "{}: ", x.0)?;
        }
        writeln!(out, "{}", compared.words())?;
        differing += compared.differing;
    }
    let (only_a, only_b) = (a.labels.len() - pairs.len(), b.labels.len() - pairs.len());
    if only_a + only_b > 0 {
        let (a, b) = (counted(only_a, "score"), counted(only_b, "score"));
        writeln!(out, "{a} only in {path_a}, {b} only in {path_b}")?;
    }
    for (file, other, path) in [(&a, &b, &path_a), (&b, &a, &path_b)] {
        let columns = file.columns.iter();
        let alone = names(columns.filter(|column| find(other, &column.0).is_none()));
        if !alone.is_empty() && a.columns.len() + b.columns.len() > 2 {
            writeln!(out, "only in {path}, not compared: {alone}")?;
        }
    }
    Ok(i32::from(differing + only_a + only_b > 0))
}

/// Returns the row of each label. It is an error if a label appears twice.
fn rows_by_label<'a>(scores: &'a Scores, path: &Path) -> Result<HashMap<&'a str, usize>> {
    let mut rows = HashMap::with_capacity(scores.labels.len());
    for (row, label) in scores.labels.iter().enumerate() {
        if rows.insert(label.as_str(), row).is_some() {
            bail!("{}: '{label}' appears twice", path.display());
        }
    }
    Ok(rows)
}

/// The name and the numbers of a column.
type NamedNumbers = (String, Vec<f64>);

/// Returns the columns that have the same name in both files. If each file has only one column, the
/// names may differ.
fn common_columns<'a>(a: &'a Scores, b: &'a Scores) -> Vec<(&'a NamedNumbers, &'a NamedNumbers)> {
    if let ([x], [y]) = (&a.columns[..], &b.columns[..]) {
        return vec![(x, y)];
    }
    let columns = a.columns.iter();
    columns.filter_map(|x| Some((x, find(b, &x.0)?))).collect()
}

fn find<'a>(file: &'a Scores, name: &str) -> Option<&'a NamedNumbers> {
    file.columns.iter().find(|column| column.0 == name)
}

fn names<'a>(columns: impl Iterator<Item = &'a NamedNumbers>) -> String {
    let names: Vec<&str> = columns.map(|(name, _)| &name[..]).collect();
    names.join(", ")
}

/// The result of comparing the pairs of scores so far.
#[derive(Default)]
struct Compared<'a> {
    /// The number of pairs.
    pairs: usize,
    /// The number of pairs that differ by more than the tolerance.
    differing: usize,
    /// The largest absolute difference of all pairs.
    largest: f64,
    /// The largest relative difference of all pairs.
    largest_relative: f64,
    /// The pair outside the tolerance that differs most: difference, label, both scores.
    worst: Option<(f64, &'a str, f64, f64)>,
}

impl<'a> Compared<'a> {
    /// Adds the scores `x` and `y` of the vertex or edge `label`.
    fn add(&mut self, label: &'a str, x: f64, y: f64, args: &CompareArgs) {
        self.pairs += 1;
        let difference = if x == y { 0.0 } else { (x - y).abs() };
        let size = x.abs().max(y.abs());
        self.largest = self.largest.max(difference);
        if size > 0.0 {
            self.largest_relative = self.largest_relative.max(difference / size);
        }
        // A NaN is outside the tolerance, and so is an infinite score unless the other is equal.
        if x == y || difference.is_finite() && difference <= args.atol + args.rtol * size {
            return;
        }
        self.differing += 1;
        // NaN is above all other numbers in this order.
        let is_worse = |(worst, ..): (f64, _, _, _)| difference.total_cmp(&worst).is_gt();
        if self.worst.is_none_or(is_worse) {
            self.worst = Some((difference, label, x, y));
        }
    }

    /// Returns a line: all scores agree, or how many differ, and the largest difference.
    fn words(&self) -> String {
        let compared = counted(self.pairs, "score");
        let Some((by, label, x, y)) = self.worst else {
            if self.pairs == 0 {
                return "the files have no vertex in common".into();
            }
            let (largest, relative) = (about(self.largest), about(self.largest_relative));
            return format!(
                "{compared} compared, all agree (largest difference {largest}, relative {relative})"
            );
        };
        let differ = match self.differing {
            1 => "differs",
            _ => "differ",
        };
        let (by, relative) = (about(by), about(by / x.abs().max(y.abs())));
        format!(
            "{} of {compared} {differ}; the largest difference is {by} (relative {relative}) at \
             {label}: {x} and {y}",
            grouped(self.differing as u64),
        )
    }
}
