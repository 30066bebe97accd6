//! Runs the program as a user does.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::{Command, cargo_bin_cmd};
use serde_json::Value;
use tempfile::TempDir;

pub const KARATE: &str = "bench-graphs/karate.txt";
pub const RMAT: &str = "bench-graphs/rmat-10.txt.gz";

/// Returns `brandes` in the folder of the project.
pub fn brandes() -> Command {
    let mut command = cargo_bin_cmd!("brandes");
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// Returns `brandes` with arguments, in the folder of the project.
pub fn brandes_with(arguments: &[&str]) -> Command {
    let mut command = brandes();
    command.args(arguments);
    command
}

/// Returns `brandes run GRAPH --device none` with more arguments.
pub fn run(graph: &str, more: &[&str]) -> Command {
    let mut command = brandes();
    command.args(["run", graph, "--device", "none"]).args(more);
    command
}

/// Returns the output of a command, which must succeed.
pub fn stdout(command: &mut Command) -> String {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

/// Reads a JSON file.
pub fn read_json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Returns the path of a graph that a word names, or the word.
fn spelled(word: &str) -> PathBuf {
    let graph = match word {
        "KARATE" => KARATE,
        "RMAT" => RMAT,
        "FLORENTINE" => "bench-graphs/florentine.txt",
        "TREE" => "bench-graphs/random-tree-1000.graph.gz",
        other => return other.into(),
    };
    Path::new(env!("CARGO_MANIFEST_DIR")).join(graph)
}

/// A folder of its own, in which commands run. A command is a line of words: the arguments of the
/// program. `KARATE`, `RMAT`, `FLORENTINE` and `TREE` are graphs of the project.
pub struct Place {
    folder: TempDir,
    variables: Vec<(&'static str, PathBuf)>,
}

impl Place {
    pub fn new() -> Place {
        Place::with(&[])
    }

    /// Returns a folder with files of these names and texts.
    pub fn with(files: &[(&str, &str)]) -> Place {
        let folder = tempfile::tempdir().unwrap();
        let place = Place {
            folder,
            variables: Vec::new(),
        };
        for (name, text) in files {
            place.write(name, text);
        }
        place
    }

    /// Sets a variable of the environment to the path of a file or folder.
    pub fn set(&mut self, variable: &'static str, path: &str) {
        self.variables.push((variable, self.at(path)));
    }

    /// Hides all OpenCL drivers from the commands.
    pub fn without_opencl(mut self) -> Place {
        self.set("OCL_ICD_VENDORS", "no drivers");
        self.variables.push(("OCL_ICD_FILENAMES", PathBuf::new()));
        self
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.at(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).unwrap()
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.at(name)).unwrap()
    }

    pub fn json(&self, name: &str) -> Value {
        read_json(&self.at(name))
    }

    /// Returns the names of all files, sorted.
    pub fn names(&self) -> Vec<String> {
        names(self.folder.path())
    }

    pub fn command(&self, line: &str) -> Command {
        let mut command = cargo_bin_cmd!("brandes");
        command.current_dir(&self.folder);
        command.envs(self.variables.iter().map(|(name, path)| (name, path)));
        command.args(line.split_whitespace().map(spelled));
        command
    }

    /// Runs a command, which must succeed.
    pub fn run(&self, line: &str) -> Ran {
        self.pipe("", line)
    }

    /// Runs a command with this standard input.
    pub fn pipe(&self, input: impl Into<Vec<u8>>, line: &str) -> Ran {
        let assert = self.command(line).write_stdin(input).assert();
        let output = assert.success().get_output().clone();
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        Ran {
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    /// Runs a line of bash, which must succeed. `brandes` is the program that was built.
    pub fn bash(&self, line: &str) -> Ran {
        let built = Path::new(env!("CARGO_BIN_EXE_brandes")).parent().unwrap();
        let path = format!("{}:{}", built.display(), std::env::var("PATH").unwrap());
        let mut bash = std::process::Command::new("bash");
        bash.args(["-euo", "pipefail", "-c", line])
            .env("PATH", path);
        bash.envs(self.variables.iter().map(|(name, path)| (name, path)));
        let output = bash.current_dir(&self.folder).output().unwrap();
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{line}\n{out}{err}");
        Ran { out, err }
    }

    /// Runs the commands of a table, which must fail and leave no file. A row has the exit code, the
    /// words after `start`, and words of the message, with ` | ` between them. Failures other than
    /// usage errors have one line.
    pub fn refuse(&self, start: &str, table: &str) {
        let before = self.names();
        for row in table.lines().filter(|row| !row.trim().is_empty()) {
            let parts: Vec<&str> = row.split(" | ").map(str::trim).collect();
            let [code, options, message] = parts[..] else {
                panic!("not three parts: {row}");
            };
            let mut command = self.command(&format!("{start} {options}"));
            let output = command.write_stdin("").output().unwrap();
            let text = String::from_utf8_lossy(&output.stderr);
            let found = output.status.code().map(|code| code.to_string());
            assert_eq!(found.as_deref(), Some(code), "{row}: {text}");
            assert!(text.contains(message), "{row}: {text}");
            assert!(output.stdout.is_empty(), "{row}");
            let own = text.starts_with("brandes: ");
            assert!(!own || !text.contains("  "), "{row}: {text}");
            let lines = text.lines().filter(|line| !line.contains("warning: "));
            assert!(code != "1" || own && lines.count() == 1, "{row}: {text}");
            assert_eq!(self.names(), before, "{row}");
        }
    }
}

/// The texts that a command printed.
pub struct Ran {
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Panics unless standard output has all these texts.
    pub fn has(&self, texts: &[&str]) -> &Ran {
        for text in texts {
            assert!(
                self.out.contains(text),
                "{text} is missing in\n{}",
                self.out
            );
        }
        self
    }

    /// Panics if standard output has one of these texts.
    pub fn lacks(&self, texts: &[&str]) -> &Ran {
        for text in texts {
            assert!(!self.out.contains(text), "{text} is in\n{}", self.out);
        }
        self
    }

    /// Panics unless standard error has all these texts.
    pub fn warns(&self, texts: &[&str]) -> &Ran {
        for text in texts {
            assert!(
                self.err.contains(text),
                "{text} is missing in\n{}",
                self.err
            );
        }
        self
    }

    /// Panics if standard error has anything.
    pub fn quiet(&self) -> &Ran {
        assert_eq!(self.err, "");
        self
    }

    /// Returns the lines of standard output with blanks between them.
    pub fn lines(&self) -> String {
        self.out.lines().collect::<Vec<_>>().join(" ")
    }

    /// Returns the words of the lines of standard output that begin with the word `first`.
    pub fn rows(&self, first: &str) -> Vec<Vec<&str>> {
        let lines = self
            .out
            .lines()
            .map(|line| line.split_whitespace().collect());
        lines
            .filter(|words: &Vec<_>| words.first() == Some(&first))
            .collect()
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap()
    }
}

/// Returns the names of the files in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Sends a signal to a child that was not waited for yet.
#[cfg(unix)]
pub fn send(child: &std::process::Child, signal: i32) {
    // SAFETY: `kill` only sends the signal.
    assert_eq!(unsafe { libc::kill(child.id() as i32, signal) }, 0);
}

/// Panics unless `value` has the parts that the lines of `table` list: a JSON pointer and the JSON
/// there, with ` = ` between them.
pub fn expect(value: &Value, table: &str) {
    for row in table.lines().filter(|row| !row.trim().is_empty()) {
        let (place, part) = row.split_once(" = ").expect("a pointer and a value");
        let expected: Value = serde_json::from_str(part).expect("JSON");
        let found = value.pointer(place.trim());
        assert_eq!(found, Some(&expected), "{place} in\n{value:#}");
    }
}

/// Returns the list at a JSON pointer.
pub fn list<'v>(value: &'v Value, place: &str) -> &'v [Value] {
    let found = value.pointer(place).and_then(Value::as_array);
    found.unwrap_or_else(|| panic!("no list {place} in\n{value:#}"))
}

/// Returns the number at a JSON pointer.
pub fn number(value: &Value, place: &str) -> f64 {
    let found = value.pointer(place).and_then(Value::as_f64);
    found.unwrap_or_else(|| panic!("no number {place} in\n{value:#}"))
}
