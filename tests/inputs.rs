//! Tests correct and malformed graph files of users. `tests/data/inputs/table.tsv` lists the
//! required result of each.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::common::table::{self, Case};

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
        .split(' ')
        .filter(|part| !part.is_empty())
        .map(|part| {
            let (name, score) = part.rsplit_once('=').expect("name=score");
            (name.to_string(), score.parse().expect("a number"))
        })
        .collect();
    let same = found.len() == expected.len()
        && found
            .iter()
            .zip(&expected)
            .all(|((a, x), (b, y))| a == b && (x - y).abs() <= 1e-9 * (1.0 + y.abs()));
    (!same).then(|| format!("expected {expected:?}, found {found:?}"))
}

#[test]
fn every_input_has_the_listed_result() {
    let cases = table::cases();
    assert!(cases.len() >= 120, "{}", cases.len());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let next_case = AtomicUsize::new(0);
    let check = || {
        let mut wrong = Vec::new();
        loop {
            let number = next_case.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(number) else {
                return wrong;
            };
            let mut file = table::folder().join(&case.file);
            if let Some(text) = &case.text {
                file = folder.path().join(format!("{number}-{}", case.file));
                fs::write(&file, text).expect("a writable folder");
            }
            if let Some(what) = defect(&file, case) {
                wrong.push(format!("{} {}: {what}", case.file, case.options));
            }
        }
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

/// An input that is refused, and the result of following the hint in the message.
struct Hint {
    /// The name of the file and its text.
    input: (&'static str, &'static str),
    options: &'static str,
    /// The hint that the message must contain: options, or a shell command.
    hint: &'static str,
    /// The scores after the hint was followed.
    scores: &'static [(&'static str, f64)],
}

const PATH: &[(&str, f64)] = &[("k", 0.0), ("m", 1.0), ("n", 0.0)];
const NUMBERS: &[(&str, f64)] = &[("1", 0.0), ("2", 1.0), ("3", 0.0)];

/// All refusals of edge lists whose hints can be followed without another file.
const HINTS: [Hint; 14] = [
    Hint {
        input: ("ragged.txt", "1 2 3\n2 1\n3 1\n4 1 2 3\n"),
        options: "--format edgelist",
        hint: "--format adjlist",
        scores: &[("1", 0.5), ("2", 0.0), ("3", 0.0), ("4", 0.5)],
    },
    Hint {
        input: ("old-mac.txt", "k m\rm n\r"),
        options: "",
        hint: "tr '\\r' '\\n' < OLD > NEW",
        scores: PATH,
    },
    Hint {
        input: ("bipartite.txt", "% bip unweighted\n1 1\n2 1\n"),
        options: "",
        hint: "awk '!/^%/ {print \"a\" $1, \"b\" $2}' OLD > NEW",
        scores: &[("a1", 0.0), ("b1", 1.0), ("a2", 0.0)],
    },
    Hint {
        input: ("blocks.txt", "# k\nm\n# m\nn\n"),
        options: "",
        hint: "--format lgl",
        scores: PATH,
    },
    Hint {
        input: ("g.txt", "k\nm\nn\n#\nk m knows\nm n likes a lot\n"),
        options: "",
        hint: "awk 'p {print $1, $2} /^#/ {p = 1}' g.tgf > g.txt",
        scores: PATH,
    },
    Hint {
        input: ("nodes.csv", "id,label,size\nk,x,5\nm,y,7\nn,z,9\n"),
        options: "",
        hint: "--columns id,label",
        scores: &[
            ("k", 0.0),
            ("x", 0.0),
            ("m", 0.0),
            ("y", 0.0),
            ("n", 0.0),
            ("z", 0.0),
        ],
    },
    Hint {
        input: ("two.sif", "k m\nm n\n"),
        options: "",
        hint: "--format edgelist",
        scores: PATH,
    },
    Hint {
        input: ("column.txt", "k m 1\nm n 1\n"),
        options: "--weighted cost",
        hint: "name a number from 1 to 3",
        scores: PATH,
    },
    Hint {
        input: ("weight.csv", "far,source,target,kind\n1,k,m,x\n1,m,n,y\n"),
        options: "--weighted",
        hint: "name one of 'far' 'source' 'target' 'kind'",
        scores: PATH,
    },
    Hint {
        input: ("none.txt", "1 2\n2 3\n"),
        options: "--weighted",
        hint: "leave --weighted out",
        scores: NUMBERS,
    },
    Hint {
        input: ("added.txt", "1 2 1\n2 3 1\n"),
        options: "--columns source=1,target=2,weight=3",
        hint: "add --weighted",
        scores: NUMBERS,
    },
    Hint {
        input: ("colons.txt", "k:m\nm:n\n"),
        options: "",
        hint: "--delimiter ':'",
        scores: PATH,
    },
    Hint {
        input: ("counted.txt", "1 2\n2 3\n"),
        options: "--vertices 2",
        hint: "give a larger number",
        scores: NUMBERS,
    },
    Hint {
        input: ("named.txt", "k m\nm n\n"),
        options: "--vertices 9",
        hint: "leave --vertices out",
        scores: PATH,
    },
];

/// Returns the options, or the shell command, that follow a hint.
fn remedy(hint: &Hint) -> &str {
    match hint.hint {
        "name a number from 1 to 3" => "--weighted 3",
        "name one of 'far' 'source' 'target' 'kind'" => "--weighted far",
        "leave --weighted out" | "leave --vertices out" => "",
        "add --weighted" => "--weighted --columns source=1,target=2,weight=3",
        "--delimiter ':'" => "--delimiter :",
        "give a larger number" => "--vertices 3",
        options => options,
    }
}

#[test]
fn hints_work_on_their_files() {
    for hint in &HINTS {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (name, text) = hint.input;
        let mut file = folder.path().join(name);
        fs::write(&file, text).expect("a writable folder");
        let mut case = Case {
            file: name.into(),
            text: None,
            options: hint.options.into(),
            expects_scores: false,
            detail: format!("- {}", hint.hint),
        };
        assert_eq!(defect(&file, &case), None, "{name}");
        let options = remedy(hint);
        if let Some((_, new)) = options.split_once(" > ") {
            let old = file.display().to_string();
            file = folder.path().join(new);
            let command = options.replace("OLD", &old).replace("g.tgf", "copy.tgf");
            fs::copy(&old, folder.path().join("copy.tgf")).expect("a copy");
            let mut shell = Command::new("sh");
            let status = shell
                .args(["-c", &command])
                .current_dir(folder.path())
                .status();
            assert!(status.expect("a shell").success(), "{command}");
            case.options = String::new();
        } else {
            case.options = options.into();
        }
        case.expects_scores = true;
        let scores = hint
            .scores
            .iter()
            .map(|(name, score)| format!("{name}={score}"));
        case.detail = scores.collect::<Vec<_>>().join(" ");
        assert_eq!(defect(&file, &case), None, "{name} {options}");
    }
}
