//! `brandes convert`.

use std::path::Path;

use anyhow::Result;

use super::convert_args::ConvertArgs;
use super::{UsageError, check_outputs, say};
use brandes::graph::{WriteFormat, read, write_graph_as};

/// Reads a graph and writes it in another format.
pub fn convert(args: &ConvertArgs) -> Result<i32> {
    let standard = args.output == Path::new("-");
    let name = args.output.display().to_string();
    // What cannot be written is told before a long time of reading.
    let format = match args.to {
        Some(format) => format,
        None if standard => WriteFormat::Edgelist,
        None => WriteFormat::of(&name).map_err(|error| UsageError(error.to_string()))?,
    };
    check_outputs(
        &[("the graph", &args.graph)],
        [("the output", &Some(args.output.clone()))],
    )?;
    let (graph, source) = read(&args.graph, &args.input.options())?;
    for note in &source.notes {
        say(format_args!("note: {}: {note}", source.path));
    }
    if graph.simplified().weights_dropped {
        warn("the input has weights, which are left out; --weighted keeps them");
    }
    for loss in format.losses(&graph) {
        warn(&loss);
    }
    write_graph_as(&graph, &args.output, format)?;
    let kind = if graph.directed() { "arcs" } else { "edges" };
    say(format_args!(
        "{}: {} vertices, {} {kind}{}, as {}",
        if standard { "<stdout>" } else { &name },
        graph.vertices(),
        graph.edges(),
        if graph.lengths().is_some() {
            " with lengths"
        } else {
            ""
        },
        format.name()
    ));
    Ok(0)
}

/// One line about something that is lost.
pub(super) fn warn(text: &str) {
    say(format_args!("warning: {text}"));
}
