//! Which report a file is, and reading it.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::files::{Bench, Run, Tune};

/// The `schema_version` of all reports that this module understands.
const KNOWN_SCHEMA: u64 = 1;
const WRITERS: &str = "a report is what --report of 'brandes run', 'brandes bench' or \
                       'brandes tune' writes";

/// One file: where it came from, and what it holds.
#[derive(Debug)]
pub struct Document {
    /// Its name, as the page shows it.
    pub name: String,
    /// What it holds.
    pub content: Content,
}

/// What a file holds.
#[derive(Debug)]
pub enum Content {
    /// A report of `brandes run`.
    Run(Box<Run>),
    /// A report of `brandes bench`.
    Bench(Box<Bench>),
    /// A report of `brandes tune`.
    Tune(Box<Tune>),
}

/// Why a file is no report that could be shown. Whoever shows it puts the file's name in front.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is no JSON.
    #[error("not JSON ({0}); {WRITERS}")]
    Json(serde_json::Error),
    /// It is JSON, but of something else.
    #[error("not a report of brandes: {0}; {WRITERS}")]
    Unknown(String),
    /// It has another shape than this version knows.
    #[error(
        "schema_version {found} is not known, only {KNOWN_SCHEMA}; make the page with the version \
         of brandes that wrote the file ({writer})"
    )]
    Schema {
        /// What the file has.
        found: String,
        /// What wrote it.
        writer: String,
    },
    /// It says that it is a report, but something is missing or of a wrong type.
    #[error("not a whole report of 'brandes {kind}': {error}; write it again")]
    Shape {
        /// What it says it is.
        kind: &'static str,
        /// What is wrong.
        error: serde_json::Error,
    },
}

impl Document {
    /// Reads the text of a file.
    pub fn read(name: &str, text: &[u8]) -> Result<Document, ReadError> {
        // Read to the end first: what the file is decides what it has to have.
        let value: Value = serde_json::from_slice(text).map_err(ReadError::Json)?;
        let kind = kind(&value)?;
        check_schema(&value)?;
        let content = match kind {
            Kind::Run => Content::Run(parse("run", text)?),
            Kind::Bench => Content::Bench(parse("bench", text)?),
            Kind::Tune => Content::Tune(parse("tune", text)?),
        };
        Ok(Document {
            name: name.into(),
            content,
        })
    }
}

enum Kind {
    Run,
    Bench,
    Tune,
}

/// From the field `kind`; reports of before there was one are known by their parts.
fn kind(value: &Value) -> Result<Kind, ReadError> {
    let unknown = |text: &str| Err(ReadError::Unknown(text.into()));
    let Value::Object(fields) = value else {
        return unknown("it is no JSON object");
    };
    let has = |names: &[&str]| names.iter().all(|name| fields.contains_key(*name));
    match fields.get("kind") {
        Some(Value::String(kind)) => match kind.as_str() {
            "run" => Ok(Kind::Run),
            "bench" => Ok(Kind::Bench),
            "tune" => Ok(Kind::Tune),
            other => unknown(&format!("its kind is '{other}'")),
        },
        Some(_) => unknown("its kind is no text"),
        None if has(&["timeline", "workers", "totals"]) => Ok(Kind::Run),
        None if has(&["graphs", "options"]) => Ok(Kind::Bench),
        None if has(&["traceEvents"]) => {
            unknown("it is a trace (--trace), which https://ui.perfetto.dev shows")
        }
        None => unknown("it has no field 'kind'"),
    }
}

fn check_schema(value: &Value) -> Result<(), ReadError> {
    let found = &value["schema_version"];
    if found.as_u64() == Some(KNOWN_SCHEMA) {
        return Ok(());
    }
    Err(ReadError::Schema {
        found: match found {
            Value::Null => "(none)".into(),
            other => other.to_string(),
        },
        writer: value["program"]["version"]
            .as_str()
            .unwrap_or("unknown")
            .into(),
    })
}

fn parse<T: DeserializeOwned>(kind: &'static str, text: &[u8]) -> Result<Box<T>, ReadError> {
    // From the text and not from the value, so that the error has line and column.
    serde_json::from_slice(text)
        .map(Box::new)
        .map_err(|error| ReadError::Shape { kind, error })
}

/// The last part of a path: what charts call a graph.
pub fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Document::read("x.json", text.as_bytes())
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn what_is_no_report_is_said_in_one_line() {
        for (text, expected) in [
            ("", "not JSON (EOF"),
            ("vertex,score\na,1\n", "not JSON"),
            ("[]", "it is no JSON object"),
            ("{}", "it has no field 'kind'"),
            (r#"{"kind": "info"}"#, "its kind is 'info'"),
            (r#"{"traceEvents": []}"#, "perfetto"),
            (
                r#"{"kind": "run", "schema_version": 2, "program": {"version": "9.1.0"}}"#,
                "schema_version 2 is not known, only 1; make the page with the version of brandes \
                 that wrote the file (9.1.0)",
            ),
            (r#"{"kind": "bench"}"#, "schema_version (none)"),
            (
                r#"{"kind": "tune", "schema_version": 1}"#,
                "not a whole report of 'brandes tune': missing field",
            ),
        ] {
            let got = error(text);
            assert!(got.contains(expected), "{text}: {got}");
            assert!(!got.contains('\n'), "{got}");
        }
    }
}
