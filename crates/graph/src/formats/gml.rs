//! GML: nested lists of keys and values, of which `graph [ node [ ... ] edge [ ... ] ]` are read.
//!
//! The labels of vertices are their values of `label` or `name` if each has a different one, else
//! their ids. A graph is undirected unless it says `directed 1`. Weights of edges and attributes of
//! vertices are read if the user asks for them. Other keys and lists are skipped, however deep they
//! are nested, but a graph within the graph is refused.

use std::io::BufRead;
use std::mem;
use std::sync::LazyLock;

use quick_xml::escape::unescape;
use regex::bytes::{Captures, Regex};

use super::attributes::{AttributedGraph, Item, repeated};
use super::parsed::Parsed;
use crate::ReadOptions;
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::{is_space, shown};

/// Keys whose values are the labels of vertices, the preferred one first.
const NAMES: [&str; 2] = ["label", "name"];

/// A token of the text.
enum Token {
    /// A key, or a value without quotes.
    Word(Vec<u8>),
    /// A value in quotes.
    Text(Vec<u8>),
    Open,
    Close,
    End,
}

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
    let mut graph = AttributedGraph::new(options, &NAMES)?;
    // The lists that are open, each with the line where it starts.
    let mut open: Vec<(List, u64)> = Vec::new();
    let mut item = Item::default();
    loop {
        let is_skipped = matches!(open.last(), Some((List::Other, _)));
        let key = match next_token(lines)? {
            Token::Open if is_skipped => {
                open.push((List::Other, lines.number));
                continue;
            }
            Token::Word(_) | Token::Text(_) if is_skipped => continue,
            Token::Word(key) => key,
            Token::Close => {
                match open.pop() {
                    None => {
                        refuse!("a ']' closes nothing (remove it, or add the '[' that is missing)")
                    }
                    Some((List::Node, _)) => add_vertex(mem::take(&mut item), &mut graph)?,
                    Some((List::Edge, _)) => {
                        add_edge(mem::take(&mut item), &mut graph, lines.number)?;
                    }
                    Some((List::Graph | List::Other, _)) => {}
                }
                continue;
            }
            Token::End => break,
            Token::Text(_) | Token::Open => {
                refuse!("a value stands where a key is due (write a key before each value)")
            }
        };
        let value = match next_token(lines)? {
            Token::Word(value) | Token::Text(value) => Some(value),
            Token::Open => None,
            Token::Close | Token::End => refuse!(
                "the key {} has no value (write a value after each key)",
                shown(&key)
            ),
        };
        let start = lines.number;
        match (open.last().map(|&(list, _)| list), &key[..], value) {
            (None, b"graph", None) if graph.directed.is_some() => {
                refuse!("there is a second graph (keep one graph per file)")
            }
            (None, b"graph", None) => {
                graph.directed = Some(false);
                open.push((List::Graph, start));
            }
            (Some(_), b"graph", None) => refuse!(
                "there is a graph within the graph (export a flat graph, without nodes in nodes)"
            ),
            (Some(List::Graph), b"node", None) => open.push((List::Node, start)),
            (Some(List::Graph), b"edge", None) => open.push((List::Edge, start)),
            (_, _, None) => open.push((List::Other, start)),
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

fn add_vertex(mut item: Item, graph: &mut AttributedGraph) -> Result<(), Problem> {
    let Some(id) = take(&mut item, b"id")? else {
        refuse!("the node has no id (write: node [ id 1 ])");
    };
    let vertex = graph.declare(&id)?;
    graph.set_attributes(vertex, &item);
    Ok(())
}

fn add_edge(mut item: Item, graph: &mut AttributedGraph, line: u64) -> Result<(), Problem> {
    let (Some(source), Some(target)) = (take(&mut item, b"source")?, take(&mut item, b"target")?)
    else {
        refuse!("the edge has no source or no target (write: edge [ source 1 target 2 ])");
    };
    let ends = [graph.mention(&source, line)?, graph.mention(&target, line)?];
    let weight = graph.weight(&item)?;
    graph.add_edge(ends, weight, false, line)
}

/// Removes the value of a key, if there is one.
///
/// # Errors
/// [`Problem`] if there are two.
fn take(item: &mut Item, key: &[u8]) -> Result<Option<Vec<u8>>, Problem> {
    let mut values = item.extract_if(.., |(other, _)| other == key);
    let value = values.next().map(|(_, value)| value);
    match values.next() {
        Some(_) => Err(repeated(key)),
        None => Ok(value),
    }
}

/// Returns the next token. Line ends separate tokens as spaces do.
fn next_token(lines: &mut LineReader<'_>) -> Result<Token, Problem> {
    let failed = |error| Problem::of_stream(&error);
    loop {
        take_while(lines, is_space)?;
        let Some(&first) = lines.fill_buf().map_err(failed)?.first() else {
            return Ok(Token::End);
        };
        match first {
            b'#' => lines.skip_until(b'\n').map(drop).map_err(failed)?,
            b'"' => return string(lines).map(Token::Text),
            b'[' | b']' => {
                lines.consume(1);
                return Ok(if first == b'[' {
                    Token::Open
                } else {
                    Token::Close
                });
            }
            _ => {
                let word = take_while(lines, |byte| !is_space(byte) && !b"[]\"".contains(&byte));
                return word.map(Token::Word);
            }
        }
    }
}

/// Returns a string, which may go over several lines.
fn string(lines: &mut LineReader<'_>) -> Result<Vec<u8>, Problem> {
    lines.consume(1);
    let (start, mut text) = (lines.number, Vec::new());
    let read = lines.read_until(b'"', &mut text);
    read.map_err(|error| Problem::of_stream(&error))?;
    match text.pop() {
        Some(b'"') => Ok(resolved(text)),
        _ => Err(malformed!("a string has no end (close it with a quotation mark)").at(start)),
    }
}

/// Consumes and returns the bytes before the first one for which `is_of_kind` is false.
fn take_while(lines: &mut LineReader<'_>, is_of_kind: fn(u8) -> bool) -> Result<Vec<u8>, Problem> {
    let mut text = Vec::new();
    loop {
        let bytes = (lines.fill_buf()).map_err(|error| Problem::of_stream(&error))?;
        let count = bytes.iter().take_while(|&&byte| is_of_kind(byte)).count();
        let is_end = count < bytes.len() || bytes.is_empty();
        text.extend_from_slice(&bytes[..count]);
        lines.consume(count);
        if is_end {
            return Ok(text);
        }
    }
}

/// Replaces `&quot;`, `&#8217;` and the like by their characters; unknown ones stay as they are.
fn resolved(text: Vec<u8>) -> Vec<u8> {
    static ENTITY: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("&[^&;]{1,10};").ok());
    let Some(entity) = ENTITY.as_ref().filter(|_| text.contains(&b'&')) else {
        return text;
    };
    let character = |found: &Captures<'_>| match str::from_utf8(&found[0]).map(unescape) {
        Ok(Ok(character)) => character.into_owned().into_bytes(),
        _ => found[0].to_vec(),
    };
    entity.replace_all(&text, character).into_owned()
}
