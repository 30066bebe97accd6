//! Reads report files, and checks their kind and fields.

use std::collections::BTreeMap;

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde_json::{Value, json};

use crate::app::report::bench_schema::{BenchReport, TuneReport};
use brandes::report::{Report, SCHEMA_VERSION};

const WRITERS: &str = "a report is what 'brandes run --report', 'brandes bench --json' or \
                       'brandes tune --json' writes";

/// The ends of the headers of what `brandes remove` writes.
const REMOVALS: [&[u8]; 2] = [b",removed,components,largest", b",largest,modularity"];
/// About the most rows of such a file that the page draws.
const REMOVAL_ROWS: usize = 60;

/// A report for the page, as JSON: the name of its file, its kind, and the report as it was
/// written, with all digits and fields that this version does not know.
#[derive(Debug)]
pub struct Document(pub String);

impl Document {
    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// The file is not a report that the page can show. The caller adds the name of the file.
    pub fn read(name: &str, text: Vec<u8>) -> Result<Document> {
        let header = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        if header.ends_with(REMOVALS[0]) || header.ends_with(REMOVALS[1]) {
            let rows = csv::Reader::from_reader(&text[..]).into_deserialize();
            let rows: Result<Vec<BTreeMap<String, Value>>, _> = rows.collect();
            let rows = rows.context("not a complete file of 'brandes remove'")?;
            // The last row is drawn.
            let step = rows.len().div_ceil(REMOVAL_ROWS).max(1);
            let drawn: Vec<_> = rows.iter().rev().step_by(step).rev().collect();
            let document = json!({ "name": name, "kind": "remove", "report": drawn });
            return Ok(Document(document.to_string()));
        }
        // The kind of the report decides which fields it must have.
        let value: Value = serde_json::from_slice(&text)
            .map_err(|error| anyhow!("not JSON ({error}); {WRITERS}"))?;
        let kind = known_kind(&value)?;
        // The text is parsed again, because errors then have a line and a column.
        let error = match kind {
            "run" => serde_json::from_slice::<Report>(&text).err(),
            "bench" => serde_json::from_slice::<BenchReport>(&text).err(),
            _ => serde_json::from_slice::<TuneReport>(&text).err(),
        };
        if let Some(error) = error {
            bail!("not a complete report of 'brandes {kind}': {error}; write it again");
        }
        let (name, report) = (Value::from(name), String::from_utf8(text)?);
        let json = format!(r#"{{"name": {name}, "kind": "{kind}", "report": {report}}}"#);
        Ok(Document(json))
    }
}

/// Returns the kind of a report of this version.
///
/// # Errors
/// The value is not a report, or another version wrote it. The message is one line.
fn known_kind(value: &Value) -> Result<&'static str> {
    let mut kinds = ["run", "bench", "tune"].into_iter();
    let Some(kind) = kinds.find(|kind| value["kind"] == **kind) else {
        let reason = match value["kind"].as_str() {
            Some(other) => format!("its kind is '{other}'"),
            None => "it has no field 'kind'".into(),
        };
        bail!("not a report of brandes: {reason}; {WRITERS}");
    };
    let version = &value["schema_version"];
    let writer = value["program"]["version"].as_str().unwrap_or("unknown");
    // A missing version is reported like other missing fields.
    ensure!(
        version.is_null() || *version == SCHEMA_VERSION,
        "schema_version {version} is not known, only {SCHEMA_VERSION}; use the version of brandes \
         that wrote the file ({writer})"
    );
    Ok(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_refused_in_one_line() {
        for (text, expected) in [
            ("", "not JSON (EOF"),
            (
                "[]",
                "it has no field 'kind'; a report is what 'brandes run --report', 'brandes bench \
                 --json' or 'brandes tune --json' writes",
            ),
            (r#"{"kind": "info"}"#, "its kind is 'info'"),
            (
                r#"{"kind": "run", "schema_version": 3, "program": {"version": "9.1.0"}}"#,
                "schema_version 3 is not known, only 2; use the version of brandes that wrote the \
                 file (9.1.0)",
            ),
            (
                r#"{"kind": "tune", "schema_version": 2}"#,
                "not a complete report of 'brandes tune': missing field",
            ),
        ] {
            let error = Document::read("x.json", text.into()).unwrap_err();
            let error = error.to_string();
            assert!(error.contains(expected) && !error.contains('\n'), "{error}");
        }
    }
}
