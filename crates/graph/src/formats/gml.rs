//! GML: nested lists of keys and values, of which `graph [ node [ ... ] edge [ ... ] ]` are read.
//!
//! The labels of vertices are their values of `label` or `name` if each has a different one, else
//! their ids. A graph is undirected unless it says `directed 1`. Weights of edges and attributes of
//! vertices are read if the user asks for them. Other keys and lists are skipped, however deep they
//! are nested, but a graph within the graph is refused.

use std::borrow::Cow;
use std::sync::LazyLock;

use quick_xml::escape::unescape;
use regex::bytes::Regex;

use super::attributes::{AttributedGraph, repeated};
use super::parsed::Parsed;
use crate::ReadOptions;
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::{find_tokens, shown};

/// The keys and values of a vertex or an edge.
type Item<'t> = Vec<(&'t [u8], Cow<'t, [u8]>)>;

/// A list that is open.
#[derive(Clone, Copy)]
enum List {
    Graph,
    Node,
    Edge,
    /// A list that is skipped with all lists in it.
    Other,
}

/// Reads the one graph of the file.
pub(crate) fn read(lines: &mut LineReader<'_>, options: &ReadOptions) -> Result<Parsed, Problem> {
    /// Matches a string, a comment, a bracket, and a key or a value without quotes.
    static TOKEN: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"(?-u)\A(?:"[^"]*"?|#[^\n]*|[\[\]]|[^\s\[\]"]+)"#).ok());
    let mut graph = AttributedGraph::new(options, &["label", "name"])?;
    let text = lines.whole_text()?;
    let mut tokens = find_tokens(&TOKEN, &text).filter(|(token, _)| token[0] != b'#');
    // The lists that are open, each with the line where it starts.
    let mut open: Vec<(List, u64)> = Vec::new();
    let mut item = Item::new();
    while let Some((key, line)) = tokens.next() {
        lines.number = line;
        let list = open.last().map(|&(list, _)| list);
        let is_skipped = matches!(list, Some(List::Other));
        match (list, key) {
            (None, b"]") => {
                refuse!("a ']' has no matching '[' (remove it, or add the '[' that is missing)")
            }
            (Some(List::Node), b"]") => add_vertex(&mut item, &mut graph)?,
            (Some(List::Edge), b"]") => add_edge(&mut item, &mut graph, line)?,
            (Some(List::Other), b"[") => open.push((List::Other, line)),
            _ => drop(unquoted(key)?),
        }
        if key == b"]" {
            open.pop();
        }
        if key == b"]" || is_skipped {
            continue;
        }
        if matches!(key, [b'[' | b'"', ..]) {
            refuse!("expected a key, found a value (write a key before each value)");
        }
        // The end of the file acts as ']'.
        let (value, line) = tokens.next().unwrap_or((b"]", line));
        lines.number = line;
        let value = match value {
            b"[" => None,
            b"]" => refuse!(
                "the key {} has no value (write a value after each key)",
                shown(key)
            ),
            _ => Some(unquoted(value)?),
        };
        match (list, key, value) {
            (None, b"graph", None) if graph.directed.is_some() => {
                refuse!("there is a second graph (keep one graph per file)")
            }
            (None, b"graph", None) => {
                graph.directed = Some(false);
                open.push((List::Graph, line));
            }
            (Some(_), b"graph", None) => refuse!(
                "there is a graph within the graph (export a flat graph, without nodes in nodes)"
            ),
            (Some(List::Graph), b"node", None) => open.push((List::Node, line)),
            (Some(List::Graph), b"edge", None) => open.push((List::Edge, line)),
            (_, _, None) => open.push((List::Other, line)),
            (Some(List::Graph), b"directed", Some(value)) => {
                graph.directed = Some(match &value[..] {
                    b"0" => false,
                    b"1" => true,
                    _ => refuse!("directed is {} (write 0 or 1)", shown(&value)),
                });
            }
            (Some(List::Node | List::Edge), _, Some(value)) => item.push((key, value)),
            _ => {}
        }
    }
    if let Some((_, start)) = open.pop() {
        let problem = malformed!(
            "the file ends within a list that starts here (add the ']' that is missing, or fetch \
             the file again)"
        );
        return Err(problem.at(start));
    }
    graph.edges.both_ways = graph.directed == Some(false);
    graph.finish("GML", "write: graph [ node [ id 1 ] ... ]")
}

/// Adds the vertex and empties `item`.
fn add_vertex(item: &mut Item<'_>, graph: &mut AttributedGraph) -> Result<(), Problem> {
    let Some(id) = take(item, b"id")? else {
        refuse!("the node has no id (write: node [ id 1 ])");
    };
    let vertex = graph.declare(&id)?;
    graph.set_attributes(vertex, item);
    item.clear();
    Ok(())
}

/// Adds the edge and empties `item`.
fn add_edge(item: &mut Item<'_>, graph: &mut AttributedGraph, line: u64) -> Result<(), Problem> {
    let (Some(source), Some(target)) = (take(item, b"source")?, take(item, b"target")?) else {
        refuse!("the edge has no source or no target (write: edge [ source 1 target 2 ])");
    };
    let ends = [graph.mention(&source, line)?, graph.mention(&target, line)?];
    let weight = graph.weight(item)?;
    graph.add_edge(ends, weight, false, line)?;
    item.clear();
    Ok(())
}

/// Removes the value of a key, if there is one.
///
/// # Errors
/// [`Problem`] if there are two.
fn take<'t>(item: &mut Item<'t>, key: &[u8]) -> Result<Option<Cow<'t, [u8]>>, Problem> {
    let mut values = item.extract_if(.., |(other, _)| *other == key);
    let value = values.next().map(|(_, value)| value);
    match values.next() {
        Some(_) => Err(repeated(key)),
        None => Ok(value),
    }
}

/// Returns a word or the text of a string, which may go over several lines. In a string, `&quot;`,
/// `&#8217;` and the like are replaced by their characters, unless some are unknown.
fn unquoted(token: &[u8]) -> Result<Cow<'_, [u8]>, Problem> {
    match token {
        [b'"', text @ .., b'"'] => Ok(match str::from_utf8(text).map(unescape) {
            Ok(Ok(Cow::Owned(unescaped))) => Cow::Owned(unescaped.into_bytes()),
            _ => Cow::Borrowed(text),
        }),
        [b'"', ..] => refuse!("a string has no end (close it with a quotation mark)"),
        word => Ok(Cow::Borrowed(word)),
    }
}
