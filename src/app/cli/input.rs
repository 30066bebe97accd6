//! Reads the graph of a command, with progress on a terminal, and writes warnings and notes about
//! it.

use std::path::Path;

use crate::app::report::{Shown, watched};
use brandes::graph::{Graph, ReadError, ReadOptions, Source, read};

/// Reads the graph at `path`, and shows the progress on a terminal.
pub(super) fn read_shown(
    path: &Path,
    options: &ReadOptions,
    shown: Shown,
) -> Result<(Graph, Source), ReadError> {
    watched(path, shown, |counter| {
        let progress = Some(counter);
        let options = options.clone();
        read(
            path,
            &ReadOptions {
                progress,
                ..options
            },
        )
    })
}

/// Returns the warnings that every command gives about a graph.
pub(super) fn warnings(graph: &Graph, source: &Source) -> Vec<String> {
    let path = &source.path;
    let mut warnings = Vec::new();
    if graph.simplified().weights_dropped {
        warnings.push("the input has weights; without --weighted they are not used".into());
    }
    if graph.simplified().symmetrised {
        warnings.push(
            "the input has directed edges; without --directed their directions are not used".into(),
        );
    }
    if graph.vertices() == 0 {
        warnings.push(format!(
            "{path}: the graph has no vertices; is this the right file?"
        ));
    } else if graph.edges() == 0 {
        warnings.push(format!(
            "{path}: the graph has no edges, so that all scores are 0"
        ));
    }
    warnings
}

/// Writes the warnings about a graph, and the notes on how its file was read, to standard error.
pub(super) fn say(graph: &Graph, source: &Source) {
    for warning in warnings(graph, source) {
        super::warn(warning);
    }
    say_notes(source);
}

/// Writes the notes on how a file was read to standard error.
pub(super) fn say_notes(source: &Source) {
    for note in &source.notes {
        super::say(format_args!("note: {}: {note}", source.path));
    }
}
