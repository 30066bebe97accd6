//! Validates real reports against the JSON Schemas in `docs/schema/`, which allow only the fields
//! that they list.

use std::path::Path;

use crate::common::program::Place;
use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::{Value, json};

/// A compiled schema.
struct Schema {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Schema {
    fn named(name: &str) -> Schema {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema");
        let path = folder.join(format!("{name}.schema.json"));
        let mut schemas = Schemas::new();
        let compiled = Compiler::new().compile(path.to_str().unwrap(), &mut schemas);
        let index = compiled.unwrap_or_else(|error| panic!("{name}: {error:#}"));
        Schema { schemas, index }
    }

    fn allows(&self, report: &Value) -> bool {
        self.schemas.validate(report, self.index).is_ok()
    }

    fn check(&self, report: &Value, what: &str) {
        if let Err(error) = self.schemas.validate(report, self.index) {
            panic!("{what}: {error}\n{report:#}");
        }
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
        assert_eq!(report["prepared"]["chains"].is_u64(), what == "chains");
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
