//! Tests correct and malformed graph files of users. `tests/data/inputs/table.tsv` lists the
//! required result of each.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::table::{self, Case};
use rayon::prelude::*;

fn run(file: &Path, case: &Case, form: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_brandes"))
        .arg("run")
        .arg(file)
        .args(case.options.split_whitespace())
        .args(["--device", "none", "--cpu-workers", "1", "--quiet"])
        .args(["--scores", "-", "--score-format", form])
        .output()
        .expect("the program was built")
}

/// Returns a label in the spelling of the table: bytes other than `!` to `~`, and `%` and `=`, as
/// `%XX`.
fn encoded(name: &[u8]) -> String {
    name.iter()
        .map(|&byte| match byte {
            b'%' | b'=' => format!("%{byte:02X}"),
            b'!'..=b'~' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

/// Returns the labels and scores of a JSON output.
fn parse_json(text: &[u8]) -> Option<Vec<(String, f64)>> {
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

/// Returns the labels and scores of a TSV output, whose labels may have any bytes.
fn parse_tsv(text: &[u8]) -> Option<Vec<(String, f64)>> {
    let lines = text.split(|&byte| byte == b'\n').skip(1);
    let rows = lines.filter(|line| !line.is_empty()).map(|line| {
        let mut values = line.split(|&byte| byte == b'\t');
        let name = encoded(values.next()?);
        let score = str::from_utf8(values.next()?).ok()?.parse().ok()?;
        Some((name, score))
    });
    rows.collect()
}

/// Returns the defect of a case's result, or `None`.
fn defect(file: &Path, case: &Case) -> Option<String> {
    let output = run(file, case, "json");
    let errors = String::from_utf8_lossy(&output.stderr);
    let message = errors.trim_end();
    if !case.expects_scores {
        let (line, words) = case.detail.split_once(' ').unwrap_or((&case.detail, ""));
        return match output.status.code() {
            Some(1 | 2) if !output.stdout.is_empty() => Some("scores beside an error".into()),
            // The message about an option is followed by a reference to the help.
            Some(1) if message.lines().filter(|l| !l.contains("warning:")).count() != 1 => {
                Some(format!("not one line: {message}"))
            }
            Some(1 | 2) if line != "-" && !message.contains(line) => {
                Some(format!("not {line}: {message}"))
            }
            Some(1 | 2) if !message.contains(words) => {
                Some(format!("without '{words}': {message}"))
            }
            Some(1 | 2) => None,
            other => Some(format!("{other:?} in place of an error: {message}")),
        };
    }
    let found = if errors.contains("JSON cannot hold") {
        parse_tsv(&run(file, case, "tsv").stdout)
    } else if output.status.success() {
        parse_json(&output.stdout)
    } else {
        return Some(format!("{:?}: {message}", output.status.code()));
    };
    let Some(found) = found else {
        return Some("no scores".into());
    };
    let expected: Vec<(String, f64)> = case
        .detail
        .split_whitespace()
        .map(|part| part.rsplit_once('=').expect("name=score"))
        .map(|(name, score)| (name.into(), score.parse().expect("a number")))
        .collect();
    let close = |(a, b): (&(String, f64), &(String, f64))| {
        a.0 == b.0 && (a.1 - b.1).abs() <= 1e-9 * (1.0 + b.1.abs())
    };
    let same = found.len() == expected.len() && found.iter().zip(&expected).all(close);
    (!same).then(|| format!("expected {expected:?}, found {found:?}"))
}

#[test]
fn every_input_has_the_listed_result() {
    let cases = table::cases();
    assert!(cases.len() >= 120, "{}", cases.len());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let wrong = cases.par_iter().enumerate().filter_map(|(number, case)| {
        let mut file = table::folder().join(&case.file);
        if let Some(text) = &case.text {
            file = folder.path().join(format!("{number}-{}", case.file));
            fs::write(&file, text).expect("a writable folder");
        }
        let what = defect(&file, case)?;
        Some(format!("{} {}: {what}\n", case.file, case.options))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.concat()
    );
}

const PATH: &str = "k=0 m=1 n=0";
const NUMBERS: &str = "1=0 2=1 3=0";

/// All refusals of edge lists whose hints can be followed without another file: a file, its text,
/// options, the hint that the message must contain, what follows it (options or a shell command, if
/// it is not the hint itself), and the scores after that.
const HINTS: &str = r#"
ragged.txt|1 2 3\n2 1\n3 1\n4 1 2 3\n|--format edgelist|--format adjlist||1=0.5 2=0 3=0 4=0.5
old-mac.txt|k m\rm n\r||tr '\r' '\n' < OLD > NEW||PATH
bip.txt|% bip unweighted\n1 1\n2 1\n||awk '!/^%/ {print "a" $1, "b" $2}' OLD > NEW||a1=0 b1=1 a2=0
blocks.txt|# k\nm\n# m\nn\n||--format lgl||PATH
g.txt|k\nm\nn\n#\nk m x\nm n y z\n||awk 'p {print $1, $2} /^#/ {p = 1}' g.tgf > g.txt||PATH
nodes.csv|id,label,size\nk,x,5\nm,y,7\nn,z,9\n||--columns 1,2||k=0 x=0 m=0 y=0 n=0 z=0
two.sif|k m\nm n\n||--format edgelist||PATH
column.txt|k m 1\nm n 1\n|--weighted cost|name a number from 1 to 3|--weighted 3|PATH
w.csv|far,source,target,kind\n1,k,m,x\n1,m,n,y\n|--weighted|name one of 'far'|--weighted far|PATH
none.txt|1 2\n2 3\n|--weighted|leave --weighted out| |NUMBERS
more.txt|1 2 1\n2 3 1\n|COLUMNS|add --weighted|COLUMNS --weighted|NUMBERS
colons.txt|k:m\nm:n\n||--delimiter ':'|--delimiter :|PATH
counted.txt|1 2\n2 3\n|--vertices 2|give a larger number|--vertices 3|NUMBERS
named.txt|k m\nm n\n|--vertices 9|leave --vertices out| |PATH
"#;

#[test]
fn hints_work_on_their_files() {
    for row in HINTS.lines().skip(1) {
        let row = row.replace("COLUMNS", "--columns source=1,target=2,weight=3");
        let row = row.replace("PATH", PATH).replace("NUMBERS", NUMBERS);
        let columns: Vec<&str> = row.split('|').collect();
        let [name, text, options, hint, remedy, scores] = columns[..] else {
            panic!("not six columns: {row}");
        };
        let remedy = if remedy.is_empty() { hint } else { remedy };
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut file = folder.path().join(name);
        let text = text.replace("\\n", "\n").replace("\\r", "\r");
        fs::write(&file, text).expect("a writable folder");
        let mut case = Case {
            file: name.into(),
            text: None,
            options: options.into(),
            expects_scores: false,
            detail: format!("- {hint}"),
        };
        assert_eq!(defect(&file, &case), None, "{row}");
        case.options = remedy.into();
        if let Some((_, new)) = remedy.split_once(" > ") {
            let old = file.display().to_string();
            file = folder.path().join(new);
            let command = remedy.replace("OLD", &old).replace("g.tgf", "copy.tgf");
            fs::copy(&old, folder.path().join("copy.tgf")).expect("a copy");
            let mut shell = Command::new("sh");
            shell.args(["-c", &command]).current_dir(folder.path());
            assert!(shell.status().expect("a shell").success(), "{command}");
            case.options = String::new();
        }
        case.expects_scores = true;
        case.detail = scores.into();
        assert_eq!(defect(&file, &case), None, "{row}");
    }
}
