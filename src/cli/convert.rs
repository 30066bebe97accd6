//! `brandes convert`.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::convert_args::ConvertArgs;
use crate::graph::{Graph, ReadOptions, WriteFormat, read, write_graph_as};

/// Reads a graph and writes it in another format.
pub fn convert(args: &ConvertArgs) -> Result<i32> {
    let standard = args.output == Path::new("-");
    let name = args.output.display().to_string();
    // What cannot be written is told before a long time of reading.
    let format = match args.to {
        Some(format) => format,
        None if standard => WriteFormat::Edgelist,
        None => WriteFormat::of(&name)?,
    };
    if is_same_file(&args.input, &args.output) {
        bail!("{name}: is the input too; write to another file");
    }
    let options = ReadOptions {
        format: args.format,
        directed: args.directed,
        weights: args.weights.options(),
        edge_list: args.edge_list.options(),
        ..ReadOptions::default()
    };
    let (graph, source) = read(&args.input, &options)?;
    for note in &source.notes {
        eprintln!("{}: {note}", source.path);
    }
    if graph.simplified().weights_dropped {
        warn("the input has weights, which are left out; --weighted keeps them");
    }
    for loss in format.losses(&graph) {
        warn(&loss);
    }
    if standard {
        to_standard_output(&graph, format)?;
    } else {
        write_graph_as(&graph, &args.output, format).context("the graph was not written")?;
    }
    let kind = if graph.directed() { "arcs" } else { "edges" };
    eprintln!(
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
    );
    Ok(0)
}

/// One line about something that is lost.
pub(super) fn warn(text: &str) {
    eprintln!("warning: {text}");
}

/// Writes a graph to standard output, not compressed.
pub(super) fn to_standard_output(graph: &Graph, format: WriteFormat) -> Result<()> {
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    format.write(graph, &mut out)?;
    out.flush()?;
    Ok(())
}

/// Whether two paths lead to one regular file.
fn is_same_file(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(a), Ok(b)) = (fs::metadata(a), fs::metadata(b)) else {
        return false;
    };
    a.is_file() && (a.dev(), a.ino()) == (b.dev(), b.ino())
}
