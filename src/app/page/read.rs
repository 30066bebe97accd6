//! Reads report files, and checks their kind and fields.

use anyhow::{Result, anyhow, bail, ensure};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::app::report::bench_schema::BenchReport;
use crate::app::report::tune_schema::TuneReport;
use brandes::report::{Report, SCHEMA_VERSION};

const WRITERS: &str = "a report is what 'brandes run --report', 'brandes bench --json' or \
                       'brandes tune --json' writes";

/// A file that is a report.
#[derive(Debug)]
pub struct Document {
    /// File name for the page.
    name: String,
    /// The command that wrote it.
    kind: &'static str,
    /// The report, valid JSON.
    report: String,
}

impl Document {
    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// The file is not a report that the page can show. The caller adds the name of the file.
    pub fn read(name: &str, text: Vec<u8>) -> Result<Document> {
        // The kind of the report decides which fields it must have.
        let value: Value = serde_json::from_slice(&text)
            .map_err(|error| anyhow!("not JSON ({error}); {WRITERS}"))?;
        let kind = known_kind(&value)?;
        match kind {
            "run" => check::<Report>(kind, &text)?,
            "bench" => check::<BenchReport>(kind, &text)?,
            _ => check::<TuneReport>(kind, &text)?,
        }
        Ok(Document {
            name: name.into(),
            kind,
            report: String::from_utf8(text)?,
        })
    }

    /// Returns the file as JSON, with the report as it was written: all digits, and fields that
    /// this version does not know.
    pub fn json(&self) -> String {
        let (name, kind) = (Value::from(&*self.name), Value::from(self.kind));
        format!(
            "{{\"name\": {name}, \"kind\": {kind}, \"report\": {}}}",
            self.report
        )
    }
}

/// Returns the kind of a report of this version.
///
/// # Errors
/// The value is not a report, or another version wrote it. The message is one line.
pub fn known_kind(value: &Value) -> Result<&'static str> {
    let kind =
        kind(value).map_err(|reason| anyhow!("not a report of brandes: {reason}; {WRITERS}"))?;
    let found = &value["schema_version"];
    let writer = value["program"]["version"].as_str().unwrap_or("unknown");
    if writer.starts_with("0.1.") || writer.starts_with("0.2.") {
        bail!(
            "version {writer} of brandes wrote this report, but reports are read since version \
             0.3.0 only; write it again"
        );
    }
    if *found != SCHEMA_VERSION {
        ensure!(
            !found.is_null(),
            "not a complete report of 'brandes {kind}': missing field `schema_version`; write it \
             again"
        );
        bail!(
            "schema_version {found} is not known, only {SCHEMA_VERSION}; use the version of \
             brandes that wrote the file ({writer})"
        );
    }
    Ok(kind)
}

/// Returns the kind of a report from field `kind`. The error says why the file is not a report.
fn kind(value: &Value) -> Result<&'static str, String> {
    let Value::Object(fields) = value else {
        return Err("it is not a JSON object".into());
    };
    match fields.get("kind").map(Value::as_str) {
        Some(Some("run")) => Ok("run"),
        Some(Some("bench")) => Ok("bench"),
        Some(Some("tune")) => Ok("tune"),
        Some(Some(other)) => Err(format!("its kind is '{other}'")),
        Some(None) => Err("its kind is not a string".into()),
        None if fields.contains_key("traceEvents") => {
            Err("it is a trace (--trace), which https://ui.perfetto.dev shows".into())
        }
        None => Err("it has no field 'kind'".into()),
    }
}

/// Checks that a report has all fields of its type.
fn check<T: DeserializeOwned>(kind: &str, text: &[u8]) -> Result<()> {
    // The text is parsed again, because errors then have a line and a column.
    serde_json::from_slice::<T>(text)
        .map(drop)
        .map_err(|error| {
            anyhow!("not a complete report of 'brandes {kind}': {error}; write it again")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Document::read("x.json", text.into())
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn other_files_are_refused_in_one_line() {
        for (text, expected) in [
            ("", "not JSON (EOF"),
            ("vertex,score\na,1\n", "not JSON"),
            (
                "[]",
                "it is not a JSON object; a report is what 'brandes run --report', 'brandes bench \
                 --json' or 'brandes tune --json' writes",
            ),
            ("{}", "it has no field 'kind'"),
            (r#"{"kind": "info"}"#, "its kind is 'info'"),
            (r#"{"traceEvents": []}"#, "perfetto"),
            (
                r#"{"kind": "run", "schema_version": 2, "program": {"version": "9.1.0"}}"#,
                "schema_version 2 is not known, only 1; use the version of brandes that wrote the \
                 file (9.1.0)",
            ),
            (
                r#"{"kind": "bench", "program": {"version": "0.3.0"}}"#,
                "not a complete report of 'brandes bench': missing field `schema_version`",
            ),
            (
                r#"{"kind": "run", "schema_version": 1, "program": {"version": "0.2.0"}}"#,
                "version 0.2.0 of brandes wrote this report, but reports are read since version \
                 0.3.0 only; write it again",
            ),
            (
                r#"{"kind": "tune", "schema_version": 1}"#,
                "not a complete report of 'brandes tune': missing field",
            ),
        ] {
            let got = error(text);
            assert!(got.contains(expected), "{text}: {got}");
            assert!(!got.contains('\n'), "{got}");
        }
    }
}
