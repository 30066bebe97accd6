//! `brandes compare`.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use anyhow::{Result, bail};

use super::args::CompareArgs;
use super::scores::{self, Rows, Scores};
use brandes::report::words::{about, counted, grouped};

/// Compares two score files by label. Exit code 0: all agree; 1: some do not.
pub fn compare(args: &CompareArgs) -> Result<i32> {
    let (a, b) = named(args)?;
    let mut of_a: HashMap<&str, f64> = HashMap::with_capacity(a.len());
    for (label, score) in &a {
        if of_a.insert(label, *score).is_some() {
            bail!("{}: '{label}' appears twice", args.a.display());
        }
    }

    let mut compared = Compared::default();
    let mut only_b = 0usize;
    let mut of_b = HashSet::with_capacity(b.len());
    for (label, y) in &b {
        if !of_b.insert(label) {
            bail!("{}: '{label}' appears twice", args.b.display());
        }
        match of_a.remove(label.as_str()) {
            Some(x) => compared.pair(label, x, *y, args),
            None => only_b += 1,
        }
    }
    let only_a = of_a.len();

    let mut out = io::stdout().lock();
    writeln!(out, "{}", compared.words())?;
    if only_a + only_b > 0 {
        writeln!(
            out,
            "{} only in {}, {} only in {}",
            counted(only_a, "score"),
            args.a.display(),
            counted(only_b, "score"),
            args.b.display()
        )?;
    }
    if compared.seen + only_a + only_b == 0 {
        bail!(
            "there are no scores in {} and {}",
            args.a.display(),
            args.b.display()
        );
    }
    Ok(i32::from(compared.outside + only_a + only_b > 0))
}

/// What the pairs of scores have shown so far.
#[derive(Default)]
struct Compared<'a> {
    seen: usize,
    /// Pairs that differ by more than is allowed.
    outside: usize,
    /// The largest differences of all pairs.
    most: f64,
    most_relative: f64,
    /// The pair outside that differs most: by how much, where, and the scores.
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
        // Written so that NaN is outside, and an infinite score unless both are.
        let agrees = difference.is_finite() && difference <= args.atol + args.rtol * size;
        if agrees {
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

    /// In a line: that all agree, or how many do not, and where most.
    fn words(&self) -> String {
        let Some((by, label, x, y)) = self.worst else {
            return format!(
                "{} compared, all agree (largest difference {}, relative {})",
                counted(self.seen, "score"),
                about(self.most),
                about(self.most_relative)
            );
        };
        let differ = if self.outside == 1 {
            "differs"
        } else {
            "differ"
        };
        // Scores of edges are called by both ends.
        let vertex = if label.contains([',', '\t']) {
            ""
        } else {
            "vertex "
        };
        let by = match by.is_finite() {
            true => format!(
                "{} (relative {})",
                about(by),
                about(by / x.abs().max(y.abs()))
            ),
            false => "no number".to_string(),
        };
        format!(
            "{} of {} {differ}; the largest difference is {by} at {vertex}{label}: {x} and {y}",
            grouped(self.outside as u64),
            counted(self.seen, "score"),
        )
    }
}

/// The scores of both files under names: those of the vertices, or positions if neither has names.
fn named(args: &CompareArgs) -> Result<(Rows, Rows)> {
    let by_position = |scores: Vec<f64>| {
        let rows = scores.into_iter().enumerate();
        rows.map(|(v, score)| (v.to_string(), score)).collect()
    };
    match (scores::read(&args.a)?, scores::read(&args.b)?) {
        (Scores::Named(a), Scores::Named(b)) => Ok((a, b)),
        (Scores::Array(a), Scores::Array(b)) => Ok((by_position(a), by_position(b))),
        (a, _) => {
            let (array, other) = match a {
                Scores::Array(_) => (&args.a, &args.b),
                Scores::Named(_) => (&args.b, &args.a),
            };
            bail!(
                "{}: is an array without names of vertices, and {} has names; compare two arrays, \
                 or write CSV, TSV or JSON",
                array.display(),
                other.display()
            )
        }
    }
}
