//! Validates real reports against the JSON Schemas in `docs/schema/`, which allow only the fields
//! that they list.

use crate::common::program::{Place, read_json};
use regex::Regex;
use serde_json::{Value, json};
use std::path::Path;

/// A schema with its definitions.
struct Schema {
    root: Value,
}

impl Schema {
    fn named(name: &str) -> Schema {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema");
        let root = read_json(&folder.join(format!("{name}.schema.json")));
        Schema { root }
    }

    fn allows(&self, report: &Value) -> bool {
        self.validate(&self.root, report, "").is_ok()
    }

    fn check(&self, report: &Value, what: &str) {
        if let Err(error) = self.validate(&self.root, report, "") {
            panic!("{what}: {error}\n{report:#}");
        }
    }

    /// Validates the value at a place. An error names the place and the broken rule. Panics at
    /// keywords of JSON Schema that no schema of this project has.
    fn validate(&self, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
        let valid = |schema: &&Value| self.validate(schema, value, place).is_ok();
        let some = |list: &Value| list.as_array().unwrap().iter().filter(valid).count();
        let items = value.as_array();
        let fields = value.as_object();
        for (keyword, rule) in schema.as_object().unwrap() {
            let limit = rule.as_f64();
            let holds = match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" => true,
                "$ref" => {
                    let pointer = rule.as_str().unwrap().strip_prefix('#').unwrap();
                    self.validate(self.root.pointer(pointer).unwrap(), value, place)?;
                    true
                }
                "type" => match rule.as_array() {
                    Some(kinds) => kinds.iter().any(|kind| is_of(kind, value)),
                    None => is_of(rule, value),
                },
                "const" => value == rule,
                "enum" => rule.as_array().unwrap().contains(value),
                "anyOf" => some(rule) > 0,
                "oneOf" => some(rule) == 1,
                "properties" => {
                    for (name, rule) in rule.as_object().unwrap() {
                        if let Some(field) = value.get(name) {
                            self.validate(rule, field, &format!("{place}/{name}"))?;
                        }
                    }
                    true
                }
                "required" => {
                    let mut names = rule.as_array().unwrap().iter();
                    fields.is_none_or(|_| {
                        names.all(|name| value.get(name.as_str().unwrap()).is_some())
                    })
                }
                "additionalProperties" => {
                    assert_eq!(rule, false);
                    fields.is_none_or(|has| {
                        has.keys()
                            .all(|name| schema["properties"].get(name).is_some())
                    })
                }
                "items" | "prefixItems" => {
                    for (i, item) in items.into_iter().flatten().enumerate() {
                        let rule = rule.get(i).unwrap_or(rule);
                        self.validate(rule, item, &format!("{place}/{i}"))?;
                    }
                    true
                }
                "minItems" => items.is_none_or(|items| items.len() as f64 >= limit.unwrap()),
                "maxItems" => items.is_none_or(|items| items.len() as f64 <= limit.unwrap()),
                "minimum" => value.as_f64().is_none_or(|value| value >= limit.unwrap()),
                "maximum" => value.as_f64().is_none_or(|value| value <= limit.unwrap()),
                "pattern" => {
                    let pattern = Regex::new(rule.as_str().unwrap()).unwrap();
                    value.as_str().is_none_or(|text| pattern.is_match(text))
                }
                _ => panic!("{place}: an unknown keyword {keyword}"),
            };
            if !holds {
                return Err(format!("{place}: {value} breaks {keyword}: {rule}"));
            }
        }
        Ok(())
    }

    /// Checks a report, and that the schema refuses it if any object lacks a field, or has an
    /// additional field or a field of another type.
    fn check_and_refuse_changes(&self, report: &Value) {
        self.check(report, "the unchanged report");
        let mut places = Vec::new();
        objects(report, String::new(), &mut places);
        assert!(places.len() > 4);
        for place in places {
            let changed = |change: &dyn Fn(&mut serde_json::Map<String, Value>)| {
                let mut report = report.clone();
                let object = report.pointer_mut(&place).unwrap();
                change(object.as_object_mut().unwrap());
                self.allows(&report)
            };
            let allows_extra = changed(&|object| {
                object.insert("undocumented".into(), json!(1));
            });
            assert!(!allows_extra, "an additional field at {place}");
            let fields = report.pointer(&place).unwrap().as_object().unwrap();
            for field in fields.keys() {
                let allows_missing = changed(&|object| {
                    object.remove(field);
                });
                assert!(!allows_missing, "{place}: without {field}");
                let allows_mistyped = changed(&|object| {
                    object.insert(field.clone(), json!({"of": ["another", "type"]}));
                });
                assert!(!allows_mistyped, "{place}: {field} of another type");
            }
        }
    }
}

/// Returns whether a value has a type of JSON Schema.
fn is_of(kind: &Value, value: &Value) -> bool {
    match kind.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("an unknown type {other}"),
    }
}

/// Adds to `found` the JSON pointers of all objects in `value`, which is at `place`.
fn objects(value: &Value, place: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                objects(value, format!("{place}/{name}"), found);
            }
            found.push(place);
        }
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                objects(value, format!("{place}/{index}"), found);
            }
        }
        _ => {}
    }
}

/// Returns the report that `brandes run` prints.
fn run(place: &Place, line: &str) -> Value {
    place.run(&format!("run {line} --quiet --report -")).json()
}

const STRATEGIES: &str = "auto virtual lanes work-efficient warp local hierarchy";

#[test]
fn reports_of_runs() {
    let schema = Schema::named("run-report");
    let place = Place::new();
    let device = "--device 0 --cpu-workers 0";
    for strategy in STRATEGIES.split(' ') {
        let report = run(&place, &format!("KARATE {device} --strategy {strategy}"));
        assert_eq!(report["devices"][0]["state"], "worked");
        schema.check(&report, strategy);
    }
    schema.check_and_refuse_changes(&run(&place, "RMAT --device 0 --cpu-workers 1"));
    place.run("generate diamonds --count 150 -o d.txt");
    let narrow = "--strategy work-efficient --precision f32 --reduce fold";
    let stopped = run(&place, &format!("d.txt {device} {narrow}"));
    assert_eq!(stopped["devices"][0]["state"], "path-counts");
    schema.check(&stopped, "a device that cannot count");
}

#[test]
fn reports_of_runs_on_cores() {
    let schema = Schema::named("run-report");
    let weighted = "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.5\n2 3 1.5\n";
    let floats = "a b 0.1234567890123456789012345\nb c 0.2\na c 0.3\n";
    let place = Place::with(&[
        ("weighted.mtx", weighted),
        ("decimals.txt", "a b 0.1\nb c 0.2\na c 0.3\n"),
        ("floats.txt", floats),
    ]);
    place.run("generate watts-strogatz --vertices 10 --neighbours 2 --rewire 0 -o ring.txt");
    for (what, line) in [
        ("lengths", "decimals.txt --weighted --edges e.csv"),
        ("lengths", "floats.txt --weighted --edges e.csv"),
        ("lanes", "KARATE"),
        ("plain", "KARATE --cpu-engine plain --order none"),
        ("partial", "KARATE --roots 5"),
        ("directed", "RMAT --directed --endpoints --normalized"),
        ("nothing to search", "TREE"),
        ("weights", "weighted.mtx"),
        ("chains", "ring.txt --reduce chains"),
        ("names", "FLORENTINE --reduce none --cpu-workers 1"),
    ] {
        let report = run(&place, &format!("{line} --device none"));
        assert_eq!(report["prepared"]["partial"], what == "partial");
        assert_eq!(report["input"]["weights_ignored"], what == "weights");
        assert!(what != "lengths" || report["weights"]["meaning"] == "length");
        schema.check(&report, what);
    }
}

#[test]
fn reports_of_bench_and_output_of_info() {
    let schema = Schema::named("bench-report");
    let place = Place::new();
    let options = "--strategy virtual,auto,cpu --repeat 1 --roots 0..30 --ablation --limit 0";
    let line = format!("bench RMAT KARATE --device 0 {options} --json -");
    let report = place.run(&line).json();
    assert_eq!(report["graphs"][0]["strategies"][1]["strategy"], "auto");
    schema.check_and_refuse_changes(&report);
    let cores = place.run("bench KARATE --device none --json -").json();
    schema.check(&cores, "no device");
    // Several values, as in a list of degrees.
    let values = "bench KARATE --device 0 --strategy virtual --degree 4,8 --repeat 1 --json -";
    schema.check(&place.run(values).json(), "values");

    let schema = Schema::named("info");
    let info = |line: &str| place.run(&format!("info {line} --json")).json();
    schema.check_and_refuse_changes(&info("KARATE"));
    schema.check(&info("RMAT --directed"), "directed");
    let cores = info("RMAT --device none --budget 0.2");
    assert_eq!(cores["predictions"][0]["who"], "run");
    schema.check_and_refuse_changes(&cores);
    let tree = info("TREE");
    assert!(tree["depth"].is_null());
    schema.check(&tree, "nothing to search");
}

#[test]
fn reports_and_profiles_of_tune() {
    let place = Place::new();
    let options = "--strategy virtual,local,cpu --device 0 --budget 5 --no-cache";
    let line = format!("tune KARATE {options} --json - --profile p.json");
    let report = place.run(&line).json();
    assert!(report["graphs"][0]["strategies"].as_array().unwrap().len() > 2);
    Schema::named("tune-report").check_and_refuse_changes(&report);
    let mut profile = place.json("p.json");
    let schema = Schema::named("profile");
    schema.check(&profile, "a profile");
    profile["undocumented"] = json!(1);
    assert!(!schema.allows(&profile));
}
