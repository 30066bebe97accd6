//! Validates real reports against the JSON Schemas in `docs/schema/`, which allow only the fields
//! that they list.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::program::{KARATE, RMAT, brandes_with};
use assert_cmd::Command;
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

/// Returns the JSON that a command prints.
fn json_of(command: &mut Command) -> Value {
    let output = command.assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

fn run(graph: &str, options: &[&str]) -> Value {
    let mut command = brandes_with(&["run", graph, "--quiet", "--report", "-"]);
    json_of(command.args(options))
}

fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn reports_of_runs() {
    let schema = Schema::named("run-report");
    let device = ["--device", "0", "--cpu-workers", "0"];
    for strategy in [
        "auto",
        "virtual",
        "lanes",
        "work-efficient",
        "warp",
        "local",
        "hierarchy",
    ] {
        let report = run(KARATE, &[&device[..], &["--strategy", strategy]].concat());
        assert_eq!(report["devices"][0]["state"], "worked");
        schema.check(&report, strategy);
    }
    schema.check_and_refuse_changes(&run(RMAT, &["--device", "0", "--cpu-workers", "1"]));
    let folder = tempfile::tempdir().unwrap();
    let chain: String = (0..150)
        .flat_map(|i| {
            [1, 2].map(|side| format!("{0} {1}\n{1} {2}\n", 3 * i, 3 * i + side, 3 * i + 3))
        })
        .collect();
    let chain = file(&folder, "diamonds.txt", &chain);
    let narrow = ["--strategy", "work-efficient", "--precision", "f32"];
    let narrow = [&device[..], &narrow, &["--reduce", "fold"]].concat();
    let stopped = run(chain.to_str().unwrap(), &narrow);
    assert_eq!(stopped["devices"][0]["state"], "path-counts");
    schema.check(&stopped, "a device that cannot count");
}

#[test]
fn reports_of_runs_on_cores() {
    let schema = Schema::named("run-report");
    let folder = tempfile::tempdir().unwrap();
    let weighted = "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.5\n2 3 1.5\n";
    let weighted = file(&folder, "weighted.mtx", weighted);
    let decimals = file(&folder, "decimals.txt", "a b 0.1\nb c 0.2\na c 0.3\n");
    let floats = file(
        &folder,
        "floats.txt",
        "a b 0.1234567890123456789012345\nb c 0.2\na c 0.3\n",
    );
    for graph in [&decimals, &floats] {
        let graph = graph.to_str().unwrap();
        let edges = folder.path().join("edges.csv");
        let options = ["--device", "none", "--weighted", "--edges"];
        let report = run(graph, &[&options[..], &[edges.to_str().unwrap()]].concat());
        assert_eq!(report["weights"]["meaning"], "length");
        schema.check(&report, "lengths");
    }
    let ring: String = (0..10).map(|v| format!("{v} {}\n", (v + 1) % 10)).collect();
    let ring = file(&folder, "ring.txt", &ring);
    for (what, graph, options) in [
        ("lanes", KARATE, &[][..]),
        (
            "plain",
            KARATE,
            &["--cpu-engine", "plain", "--order", "none"],
        ),
        ("partial", KARATE, &["--roots", "5"]),
        (
            "directed",
            RMAT,
            &["--directed", "--endpoints", "--normalized"],
        ),
        (
            "nothing to search",
            "bench-graphs/random-tree-1000.graph.gz",
            &[],
        ),
        ("weights", weighted.to_str().unwrap(), &[]),
        ("chains", ring.to_str().unwrap(), &["--reduce", "chains"]),
        (
            "names",
            "bench-graphs/florentine.txt",
            &["--reduce", "none", "--cpu-workers", "1"],
        ),
    ] {
        let report = run(graph, &[&["--device", "none"], options].concat());
        assert_eq!(report["prepared"]["partial"], what == "partial");
        assert_eq!(report["prepared"]["chains"].is_u64(), what == "chains");
        assert_eq!(report["input"]["weights_ignored"], what == "weights");
        schema.check(&report, what);
    }
}

#[test]
fn reports_of_bench() {
    let schema = Schema::named("bench-report");
    let mut command = brandes_with(&["bench", RMAT, KARATE, "--device", "0"]);
    command.args(["--strategy", "virtual,auto,cpu", "--repeat", "1"]);
    command.args(["--roots", "0..30", "--ablation", "--limit", "0"]);
    let report = json_of(command.args(["--json", "-"]));
    assert_eq!(report["graphs"][0]["strategies"][1]["strategy"], "auto");
    schema.check_and_refuse_changes(&report);
    let cpu = ["bench", KARATE, "--device", "none", "--json", "-"];
    schema.check(&json_of(&mut brandes_with(&cpu)), "no device");
}

#[test]
fn output_of_info() {
    let schema = Schema::named("info");
    let info =
        |graph: &str, more: &[&str]| json_of(brandes_with(&["info", graph, "--json"]).args(more));
    schema.check_and_refuse_changes(&info(KARATE, &[]));
    schema.check(&info(RMAT, &["--directed"]), "directed");
    let cpu = info(RMAT, &["--device", "none", "--budget", "0.2"]);
    assert_eq!(cpu["predictions"][0]["who"], "run");
    schema.check_and_refuse_changes(&cpu);
    let tree = info("bench-graphs/random-tree-1000.graph.gz", &[]);
    assert!(tree["depth"].is_null());
    schema.check(&tree, "nothing to search");
}

#[test]
fn reports_and_profiles_of_tune() {
    let folder = tempfile::tempdir().unwrap();
    let profile = folder.path().join("profile.json");
    let mut command = brandes_with(&["tune", KARATE, "--strategy", "virtual,local,cpu"]);
    command.args(["--device", "0", "--budget", "5", "--no-cache"]);
    command.args(["--json", "-", "--profile"]).arg(&profile);
    let report = json_of(&mut command);
    assert!(report["graphs"][0]["strategies"].as_array().unwrap().len() > 2);
    Schema::named("tune-report").check_and_refuse_changes(&report);

    let text = fs::read_to_string(&profile).unwrap();
    let profile = serde_json::from_str(&text).unwrap();
    Schema::named("profile").check(&profile, "a profile");
    let mut extended = profile.clone();
    extended["undocumented"] = json!(1);
    assert!(!Schema::named("profile").allows(&extended));
}
