//! Graph files as people have them, right and wrong: `tests/data/inputs/table.tsv` says what each
//! must give.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A line of the table.
struct Case<'a> {
    file: &'a str,
    options: &'a str,
    scores: bool,
    detail: &'a str,
}

fn run(folder: &Path, case: &Case<'_>, form: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_brandes"))
        .arg("run")
        .arg(folder.join(case.file))
        .args(case.options.split_whitespace())
        .args(["--device", "none", "--cpu-workers", "1", "--quiet"])
        .args(["--scores", "-", "--format-out", form])
        .output()
        .expect("the program was built")
}

/// A name as the table has it: bytes other than `!` to `~`, and `%` and `=`, as `%XX`.
fn encoded(name: &[u8]) -> String {
    name.iter()
        .map(|&byte| match byte {
            b'%' | b'=' => format!("%{byte:02X}"),
            b'!'..=b'~' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

/// Names and scores of a JSON output.
fn of_json(text: &[u8]) -> Option<Vec<(String, f64)>> {
    let rows: Vec<HashMap<String, serde_json::Value>> = serde_json::from_slice(text).ok()?;
    let score = |row: &HashMap<String, serde_json::Value>| {
        let name = match &row["vertex"] {
            serde_json::Value::String(name) => encoded(name.as_bytes()),
            other => other.to_string(),
        };
        (name, row["score"].as_f64().unwrap_or(f64::NAN))
    };
    Some(rows.iter().map(score).collect())
}

/// Those of a TSV output, whose names may be of any bytes.
fn of_tsv(text: &[u8]) -> Option<Vec<(String, f64)>> {
    let lines = text.split(|&byte| byte == b'\n').skip(1);
    let rows = lines.filter(|line| !line.is_empty()).map(|line| {
        let mut values = line.split(|&byte| byte == b'\t');
        let name = encoded(values.next()?);
        let score = str::from_utf8(values.next()?).ok()?.parse().ok()?;
        Some((name, score))
    });
    rows.collect()
}

/// What is wrong with the result of a case, if something is.
fn difference(folder: &Path, case: &Case<'_>) -> Option<String> {
    let output = run(folder, case, "json");
    let errors = String::from_utf8_lossy(&output.stderr);
    let said = errors.trim_end();
    if !case.scores {
        let (line, words) = case.detail.split_once(' ').unwrap_or((case.detail, ""));
        return match output.status.code() {
            Some(1 | 2) if !output.stdout.is_empty() => Some("scores beside an error".into()),
            // That of an option is followed by where to find help.
            Some(1) if said.lines().filter(|l| !l.contains("warning:")).count() != 1 => {
                Some(format!("not one line: {said}"))
            }
            Some(1 | 2) if line != "-" && !said.contains(line) => {
                Some(format!("not {line}: {said}"))
            }
            Some(1 | 2) if !said.contains(words) => Some(format!("without '{words}': {said}")),
            Some(1 | 2) => None,
            other => Some(format!("{other:?} in place of an error: {said}")),
        };
    }
    let got = if errors.contains("JSON cannot hold") {
        of_tsv(&run(folder, case, "tsv").stdout)
    } else if output.status.success() {
        of_json(&output.stdout)
    } else {
        return Some(format!("{:?}: {said}", output.status.code()));
    };
    let Some(got) = got else {
        return Some("no scores".into());
    };
    let expected: Vec<(String, f64)> = case
        .detail
        .split(' ')
        .filter(|part| !part.is_empty())
        .map(|part| {
            let (name, score) = part.rsplit_once('=').expect("name=score");
            (name.to_string(), score.parse().expect("a number"))
        })
        .collect();
    let same = got.len() == expected.len()
        && got
            .iter()
            .zip(&expected)
            .all(|((a, x), (b, y))| a == b && (x - y).abs() <= 1e-9 * (1.0 + y.abs()));
    (!same).then(|| format!("expected {expected:?}, got {got:?}"))
}

#[test]
fn every_input_is_read_right_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/inputs");
    let table = fs::read_to_string(folder.join("table.tsv")).expect("the table");
    let cases: Vec<Case<'_>> = table
        .lines()
        .skip(1)
        .map(|line| {
            let [file, options, expect, detail] = line
                .split('\t')
                .collect::<Vec<_>>()
                .try_into()
                .expect("four columns");
            assert!(matches!(expect, "scores" | "error"), "{line}");
            Case {
                file,
                options,
                scores: expect == "scores",
                detail,
            }
        })
        .collect();
    assert!(cases.len() >= 120, "{}", cases.len());
    let next = AtomicUsize::new(0);
    let check = || {
        let mut wrong = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(what) = difference(&folder, case) {
                wrong.push(format!("{} {}: {what}", case.file, case.options));
            }
        }
        wrong
    };
    let wrong: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(check)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("no panic"))
            .collect()
    });
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
