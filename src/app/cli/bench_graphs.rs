//! Which graphs `brandes bench` measures: those named, and those of a catalog that are there.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::UsageError;
use super::bench_args::BenchArgs;
use crate::app::bench::catalog::{Catalog, Entry, downloads};
use crate::app::report::bench_schema::Skipped;

/// A graph to measure.
pub(super) struct Target {
    pub(super) path: PathBuf,
    /// Whether its arcs count in one direction only.
    pub(super) directed: bool,
}

/// What is measured and what cannot be.
pub(super) struct Chosen {
    pub(super) targets: Vec<Target>,
    /// Graphs of the catalog that are not there.
    pub(super) skipped: Vec<Skipped>,
    /// One line about those.
    pub(super) note: Option<String>,
}

/// Looks for the graphs. Those that cannot be read are found now rather than after an hour of
/// others.
pub(super) fn choose(args: &BenchArgs) -> Result<Chosen> {
    let stdin = Path::new("-");
    if args.graphs.iter().filter(|path| *path == stdin).count() > 1 {
        let text = "standard input can be read only once; give the graph once";
        return Err(UsageError(text.into()).into());
    }
    let mut chosen = Chosen {
        targets: Vec::new(),
        skipped: Vec::new(),
        note: None,
    };
    for path in &args.graphs {
        chosen.targets.push(Target {
            path: path.clone(),
            directed: args.directed,
        });
    }
    if let Some(path) = &args.catalog {
        from_catalog(args, path, &mut chosen)?;
    }
    for path in chosen.targets.iter().map(|target| &target.path) {
        if path != stdin {
            File::open(path).with_context(|| format!("{}: cannot be read", path.display()))?;
        }
    }
    Ok(chosen)
}

fn from_catalog(args: &BenchArgs, path: &Path, chosen: &mut Chosen) -> Result<()> {
    let catalog = Catalog::read(path)?;
    if let Some(name) = args.only.iter().find(|name| catalog.entry(name).is_none()) {
        let names: Vec<&str> = catalog.graphs.iter().map(|g| g.name.as_str()).collect();
        let text = format!(
            "--only: {} has no graph called '{name}'; it has {}",
            path.display(),
            names.join(", ")
        );
        return Err(UsageError(text).into());
    }
    let folder = args.graphs_dir.clone().unwrap_or_else(|| downloads(path));
    let wanted = |entry: &&Entry| args.only.is_empty() || args.only.contains(&entry.name);
    let fetch = fetch_command(args, path);
    for entry in catalog.graphs.iter().filter(wanted) {
        let file = folder.join(&entry.file);
        if file.is_file() {
            chosen.targets.push(Target {
                path: file,
                directed: args.directed && entry.directed,
            });
        } else {
            chosen.skipped.push(Skipped {
                name: entry.name.clone(),
                path: file.display().to_string(),
                get: format!("{fetch} {}", entry.name),
            });
        }
    }
    let names: Vec<&str> = chosen.skipped.iter().map(|s| s.name.as_str()).collect();
    if !names.is_empty() {
        let note = format!(
            "skipped, not in {}: {}; '{fetch} {}' gets them",
            folder.display(),
            names.join(", "),
            names.join(" ")
        );
        if chosen.targets.is_empty() {
            bail!("nothing to measure: {note}");
        }
        chosen.note = Some(note);
    }
    Ok(())
}

/// How the catalog's graphs get to where they are looked for, names left out.
fn fetch_command(args: &BenchArgs, path: &Path) -> String {
    let mut command = "scripts/fetch-graphs".to_string();
    // The script has its own idea of the catalog: that of the sources it is part of.
    let shipped = path.canonicalize().is_ok_and(|path| {
        path.ends_with("bench-graphs/catalog.json")
            && path
                .ancestors()
                .nth(2)
                .is_some_and(|root| root.join(&command).is_file())
    });
    if !shipped {
        command.push_str(&format!(" --catalog {}", path.display()));
    }
    let into = args.graphs_dir.clone();
    if let Some(folder) = into.or((!shipped).then(|| downloads(path))) {
        command.push_str(&format!(" --into {}", folder.display()));
    }
    command
}
