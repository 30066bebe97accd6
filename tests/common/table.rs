//! Reads the table of inputs, `tests/data/inputs/table.tsv`; its README describes the columns.

use std::fs;
use std::path::{Path, PathBuf};

/// A line of the table.
pub struct Case {
    /// The path of the input, or the name of the file that has the [text](Self::text).
    pub file: String,
    /// The input, if it is in the line itself.
    pub text: Option<String>,
    pub options: String,
    /// Whether scores are expected, not an error.
    pub expects_scores: bool,
    pub detail: String,
}

/// Returns the folder of the table and of its files.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/inputs")
}

/// Returns all lines of the table.
pub fn cases() -> Vec<Case> {
    let table = fs::read_to_string(folder().join("table.tsv")).expect("the table");
    let case = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [input, options, expect, detail] = columns[..] else {
            panic!("not four columns: {line}");
        };
        assert!(matches!(expect, "scores" | "error"), "{line}");
        let (file, text) = match input.split_once(" \"") {
            Some((file, _)) => {
                let text = serde_json::from_str(&input[file.len() + 1..]);
                (file, Some(text.expect("a JSON string")))
            }
            None => (input, None),
        };
        Case {
            file: file.into(),
            text,
            options: options.into(),
            expects_scores: expect == "scores",
            detail: detail.into(),
        }
    };
    table.lines().skip(1).map(case).collect()
}
