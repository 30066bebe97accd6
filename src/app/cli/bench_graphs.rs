//! The graphs that `brandes bench` measures: those named on the command line, and those of a
//! catalog that have been downloaded.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::UsageError;
use super::bench_args::BenchArgs;
use crate::app::bench::catalog::{Catalog, Entry, downloads};
use crate::app::report::bench_schema::Skipped;

/// A graph to measure.
pub(super) struct Target {
    pub(super) path: PathBuf,
    /// Whether edges are read as arcs.
    pub(super) directed: bool,
}

/// The graphs to measure, and those that are missing.
#[derive(Default)]
pub(super) struct Chosen {
    pub(super) targets: Vec<Target>,
    /// Graphs of the catalog that have not been downloaded.
    pub(super) skipped: Vec<Skipped>,
    /// One line about the skipped graphs.
    pub(super) note: Option<String>,
}

/// Chooses the graphs. Opens each file once, so that a missing one is an error before the first
/// measurement.
pub(super) fn choose(args: &BenchArgs) -> Result<Chosen> {
    let mut chosen = Chosen::default();
    chosen.targets.extend(args.graphs.iter().map(|path| Target {
        path: path.clone(),
        directed: args.input.directed,
    }));
    if let Some(path) = &args.catalog {
        from_catalog(args, path, &mut chosen)?;
    }
    let files = chosen.targets.iter().map(|target| &target.path);
    for path in files.filter(|path| *path != Path::new("-")) {
        File::open(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    }
    Ok(chosen)
}

fn from_catalog(args: &BenchArgs, path: &Path, chosen: &mut Chosen) -> Result<()> {
    let catalog = Catalog::read(path)?;
    if let Some(name) = args.only.iter().find(|name| catalog.entry(name).is_none()) {
        let names: Vec<&str> = catalog.graphs.iter().map(|g| g.name.as_str()).collect();
        let (catalog, names) = (path.display(), names.join(", "));
        let text = format!("--only: {catalog} has no graph called '{name}'; it has {names}");
        return Err(UsageError(text).into());
    }
    let folder = args.graphs_dir.clone().unwrap_or_else(|| downloads(path));
    let wanted = |entry: &&Entry| args.only.is_empty() || args.only.contains(&entry.name);
    let (shown, into) = (path.display(), folder.display());
    let fetch = format!("scripts/fetch-graphs --catalog {shown} --into {into}");
    for entry in catalog.graphs.iter().filter(wanted) {
        let file = folder.join(&entry.file);
        if file.is_file() {
            chosen.targets.push(Target {
                path: file,
                directed: args.input.directed && entry.directed,
            });
            continue;
        }
        chosen.skipped.push(Skipped {
            name: entry.name.clone(),
            path: file.display().to_string(),
            get: format!("{fetch} {}", entry.name),
        });
    }
    let missing: Vec<&str> = chosen.skipped.iter().map(|graph| &*graph.name).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let (names, words) = (missing.join(", "), missing.join(" "));
    let note = format!("skipped, not in {into}: {names}; '{fetch} {words}' gets them");
    ensure!(!chosen.targets.is_empty(), "nothing to measure: {note}");
    chosen.note = Some(note);
    Ok(())
}
