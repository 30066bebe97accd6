//! `brandes compare`.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use anyhow::{Result, bail};

use super::args::CompareArgs;
use super::scores::{self, Rows, Scores};

/// Compares two score files by label. Exit code 0: all agree; 1: some do not.
pub fn compare(args: &CompareArgs) -> Result<i32> {
    let (a, b) = named(args)?;
    let mut of_a: HashMap<&str, f64> = HashMap::with_capacity(a.len());
    for (label, score) in &a {
        if of_a.insert(label, *score).is_some() {
            bail!("{}: '{label}' appears twice", args.a.display());
        }
    }

    let (mut max_abs, mut max_rel, mut outside) = (0f64, 0f64, 0usize);
    let mut only_b = 0usize;
    let mut worst: Option<(f64, &str, f64, f64)> = None;
    let mut seen = 0usize;
    let mut of_b = HashSet::with_capacity(b.len());
    for (label, y) in &b {
        if !of_b.insert(label) {
            bail!("{}: '{label}' appears twice", args.b.display());
        }
        let Some(x) = of_a.remove(label.as_str()) else {
            only_b += 1;
            continue;
        };
        seen += 1;
        let y = *y;
        let difference = if x == y { 0.0 } else { (x - y).abs() };
        let size = x.abs().max(y.abs());
        max_abs = max_abs.max(difference);
        if difference > args.atol {
            max_rel = max_rel.max(difference / size);
        }
        // Written so that NaN is outside.
        let agrees = difference <= args.atol + args.rtol * size;
        if !agrees {
            outside += 1;
            let by = if difference.is_nan() {
                f64::INFINITY
            } else {
                difference
            };
            if worst.is_none_or(|(most, ..)| by > most) {
                worst = Some((by, label, x, y));
            }
        }
    }
    let only_a = of_a.len();

    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{seen} compared, {outside} differ; largest difference {max_abs:e} absolute, {max_rel:e} relative"
    )?;
    if let Some((_, label, x, y)) = worst {
        writeln!(out, "worst: {label}: {x} and {y}")?;
    }
    if only_a + only_b > 0 {
        writeln!(
            out,
            "{only_a} only in {}, {only_b} only in {}",
            args.a.display(),
            args.b.display()
        )?;
    }
    Ok(i32::from(outside + only_a + only_b > 0))
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
                "{}: is an array without names of vertices, and {} has names; compare two arrays, or \
                 write CSV, TSV or JSON",
                array.display(),
                other.display()
            )
        }
    }
}
