//! The JSON Schemas in `docs/schema/` equal those derived from the types of the reports. With
//! `BRANDES_WRITE_SCHEMAS=1` this test writes them.

use std::path::Path;
use std::{env, fs};

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::bench_schema::{BenchReport, TuneReport};
use super::info::Info;
use crate::app::tune::TunedProfile;
use brandes::report::Report;

/// Returns the schema of a report as written: every field is required, no other field is allowed,
/// and numbers are not negative unless their field says so.
fn schema_of<T: JsonSchema>(kind: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with_transform(RecursiveTransform(strict));
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = schema.to_value();
    if let Some(field) = schema.pointer_mut("/properties/kind") {
        *field = json!({"description": "The kind of this file.", "const": kind});
    }
    schema
}

fn strict(schema: &mut Schema) {
    schema.remove("format");
    schema.remove("default");
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().for_each(not_negative);
        schema.insert("additionalProperties".into(), json!(false));
    }
}

fn not_negative(schema: &mut Value) {
    let number = json!("number");
    let is_number = match &schema["type"] {
        Value::Array(types) => types.contains(&number),
        one => *one == number,
    };
    if is_number && schema["minimum"].is_null() {
        schema["minimum"] = json!(0);
    }
    if let Some(items) = schema.get_mut("items") {
        not_negative(items);
    }
}

#[test]
fn the_documented_schemas_are_those_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema");
    for (name, schema) in [
        ("run-report", schema_of::<Report>("run")),
        ("bench-report", schema_of::<BenchReport>("bench")),
        ("tune-report", schema_of::<TuneReport>("tune")),
        ("info", schema_of::<Info>("info")),
        ("profile", schema_of::<TunedProfile>("profile")),
    ] {
        let path = folder.join(format!("{name}.schema.json"));
        let text = format!("{schema:#}\n");
        if env::var_os("BRANDES_WRITE_SCHEMAS").is_some() {
            fs::write(&path, &text).unwrap();
        }
        let documented = fs::read_to_string(&path).unwrap();
        assert!(
            documented == text,
            "{name}: run this test once with BRANDES_WRITE_SCHEMAS=1 set, and look at the changes"
        );
    }
}
