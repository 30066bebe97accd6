//! TNTP: the links of a road network for traffic assignment, below tags such as `<NUMBER OF NODES>`
//! and a line of names: `~ init_node term_node capacity length free_flow_time ... ;`.
//!
//! Links are arcs. Their usual weight is `length`.

use super::attributes::AttributedGraph;
use super::parsed::Parsed;
use crate::ReadOptions;
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::{Tokens, shown};

/// Reads all links.
pub(crate) fn read(lines: &mut LineReader<'_>, options: &ReadOptions) -> Result<Parsed, Problem> {
    let mut graph = AttributedGraph::new(options, &[])?;
    graph.directed = Some(true);
    let is_usual = !options.names_weights();
    let mut names: Vec<String> = Vec::new();
    while let Some(line) = lines.line()? {
        let line = line.split(|&byte| byte == b';').next().unwrap_or_default();
        let line = &line.to_vec();
        let mut tokens = Tokens::new(line);
        let (source, target) = match (tokens.token(), tokens.token()) {
            (None | Some([b'<', ..]), _) => continue,
            (Some([b'~', ..]), _) => {
                // Names may hold blanks, as in `Free Flow Time`.
                let text = String::from_utf8_lossy(&line.trim_ascii()[1..]).to_lowercase();
                let columns = text.split('\t').map(|name| name.trim().replace(' ', "_"));
                names = columns.filter(|name| !name.is_empty()).collect();
                if let Some(length) = names.iter_mut().find(|name| is_usual && *name == "length") {
                    *length = "weight".into();
                }
                continue;
            }
            (Some(source), Some(target)) if !names.is_empty() => (source, target),
            _ => refuse!(
                "{} is no link below a line of names (give the file of the network, not of trips \
                 or nodes: ~ init_node term_node ... ;)",
                shown(line.trim_ascii())
            ),
        };
        let values = std::iter::from_fn(|| tokens.token());
        let item: Vec<_> = names.iter().skip(2).zip(values).collect();
        let ends = [graph.mention(source, 0)?, graph.mention(target, 0)?];
        let weight = graph.weight(&item)?;
        graph.add_edge(ends, weight, false, lines.number)?;
    }
    graph.finish("TNTP", "export it again")
}
