//! `brandes compare`.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Result, bail};

use super::UsageError;
use super::args::CompareArgs;
use super::scores::{self, Rows};
use brandes::report::words::{about, counted, grouped};

/// Compares two score files by label. Exit code 0: all agree; 1: some do not.
pub fn compare(args: &CompareArgs) -> Result<i32> {
    if args.a == args.b && args.a == Path::new("-") {
        bail!(UsageError(
            "standard input can be read only once; give - once".into()
        ));
    }
    let (a, b) = named(args)?;
    let of_a = by_label(&a, &args.a)?;
    by_label(&b, &args.b)?;
    let mut compared = Compared::default();
    for (label, y) in &b {
        if let Some(x) = of_a.get(label.as_str()) {
            compared.pair(label, *x, *y, args);
        }
    }
    let (only_a, only_b) = (a.len() - compared.seen, b.len() - compared.seen);

    let (path_a, path_b) = (args.a.display(), args.b.display());
    let mut out = io::stdout().lock();
    writeln!(out, "{}", compared.words())?;
    if only_a + only_b > 0 {
        let (a, b) = (counted(only_a, "score"), counted(only_b, "score"));
        writeln!(out, "{a} only in {path_a}, {b} only in {path_b}")?;
    }
    if a.is_empty() && b.is_empty() {
        bail!("there are no scores in {path_a} and {path_b}");
    }
    Ok(i32::from(compared.outside + only_a + only_b > 0))
}

fn by_label<'a>(rows: &'a Rows, path: &Path) -> Result<HashMap<&'a str, f64>> {
    let mut scores = HashMap::with_capacity(rows.len());
    for (label, score) in rows {
        if scores.insert(label.as_str(), *score).is_some() {
            bail!("{}: '{label}' appears twice", path.display());
        }
    }
    Ok(scores)
}

/// The result of comparing the pairs of scores so far.
#[derive(Default)]
struct Compared<'a> {
    seen: usize,
    /// The number of pairs that differ by more than the tolerance.
    outside: usize,
    /// The largest difference of all pairs, absolute and relative.
    most: f64,
    most_relative: f64,
    /// The pair outside the tolerance that differs most: difference, label, both scores.
    worst: Option<(f64, &'a str, f64, f64)>,
}

impl<'a> Compared<'a> {
    fn pair(&mut self, label: &'a str, x: f64, y: f64, args: &CompareArgs) {
        self.seen += 1;
        let difference = if x == y { 0.0 } else { (x - y).abs() };
        let size = x.abs().max(y.abs());
        self.most = self.most.max(difference);
        if size > 0.0 {
            self.most_relative = self.most_relative.max(difference / size);
        }
        // NaN is outside, and an infinite score is unless both are infinite.
        if difference.is_finite() && difference <= args.atol + args.rtol * size {
            return;
        }
        self.outside += 1;
        let by = match difference.is_nan() {
            true => f64::INFINITY,
            false => difference,
        };
        if self.worst.is_none_or(|(most, ..)| by > most) {
            self.worst = Some((by, label, x, y));
        }
    }

    /// Returns a line: all scores agree, or how many differ, and the largest difference.
    fn words(&self) -> String {
        let compared = counted(self.seen, "score");
        let Some((by, label, x, y)) = self.worst else {
            if self.seen == 0 {
                return "the files have no vertex in common".into();
            }
            let (most, relative) = (about(self.most), about(self.most_relative));
            return format!(
                "{compared} compared, all agree (largest difference {most}, relative {relative})"
            );
        };
        let differ = match self.outside {
            1 => "differs",
            _ => "differ",
        };
        // The label of an edge has both ends.
        let vertex = match label.contains([',', '\t']) {
            true => "",
            false => "vertex ",
        };
        let relative = about(by / x.abs().max(y.abs()));
        let by = match by.is_finite() {
            true => format!("{} (relative {relative})", about(by)),
            false => "not a number".to_string(),
        };
        format!(
            "{} of {compared} {differ}; the largest difference is {by} at {vertex}{label}: {x} and \
             {y}",
            grouped(self.outside as u64),
        )
    }
}

/// Reads the scores of both files, with the names of vertices, or with positions if neither file
/// has names.
fn named(args: &CompareArgs) -> Result<(Rows, Rows)> {
    let (a, b) = (scores::read(&args.a)?, scores::read(&args.b)?);
    if a.is_array != b.is_array {
        let (array, other) = match a.is_array {
            true => (&args.a, &args.b),
            false => (&args.b, &args.a),
        };
        bail!(
            "{}: is an array without names of vertices, and {} has names; compare two arrays, or \
             write CSV, TSV or JSON",
            array.display(),
            other.display()
        )
    }
    Ok((a.rows, b.rows))
}
