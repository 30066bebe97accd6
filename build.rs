//! Sets `BRANDES_COMMIT` to the commit that is built, for reports, and `BRANDES_BUILD` to the version
//! and the level of optimisation, for profiles.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let [version, level] = ["CARGO_PKG_VERSION", "OPT_LEVEL"].map(env::var);
    let (version, level) = (version.unwrap_or_default(), level.unwrap_or_default());
    let build = match &level[..] {
        "3" => version,
        _ => format!("{version} with opt-level {level}"),
    };
    println!("cargo:rustc-env=BRANDES_BUILD={build}");
    let git = Command::new("git")
        .args(["rev-parse", "--show-prefix", "--git-path", "HEAD"])
        .args(["--git-path", "logs/HEAD", "--short=12", "HEAD"])
        .output();
    let output = git.ok().filter(|output| output.status.success());
    let text = output.and_then(|output| String::from_utf8(output.stdout).ok());
    let lines: Vec<&str> = text.iter().flat_map(|text| text.lines()).collect();
    // The prefix is the path within the repository. If it is not empty, the repository is another
    // project's, which contains a copy of this one.
    if let ["", head, log, commit] = lines[..] {
        println!("cargo:rustc-env=BRANDES_COMMIT={commit}");
        // Cargo would rerun this script in every build for a file that does not exist.
        let mut files = vec![head, log];
        files.retain(|file| Path::new(file).exists());
        for file in files {
            println!("cargo:rerun-if-changed={file}");
        }
    }
}
