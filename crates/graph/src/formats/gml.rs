//! GML: nested lists of keys and values, of which `graph [ node [ ... ] edge [ ... ] ]` are read.
//!
//! The labels of vertices are their values of `label` or `name` if each has a different one, else
//! their ids. A graph is undirected unless it says `directed 1`. Everything else is skipped,
//! however deep it is nested.

use std::io::BufRead;
use std::sync::LazyLock;

use quick_xml::escape::unescape;
use regex::bytes::{Captures, Regex};

use super::attributes::{Asked, AttributedGraph};
use super::parsed::Parsed;
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::shown;
use crate::weights::Weight;

/// Keys whose values are the labels of vertices, the preferred one first.
const NAMES: [&str; 2] = ["label", "name"];

/// A piece of the text.
enum Token {
    /// A key, or a value without quotes.
    Word(Vec<u8>),
    /// A value in quotes.
    Text(Vec<u8>),
    Open,
    Close,
    End,
}

/// Reads the one graph of the file.
pub(crate) fn read(lines: &mut LineReader<'_>, asked: Asked<'_>) -> Result<Parsed, Problem> {
    let mut graph = AttributedGraph::new(asked, &NAMES)?;
    let mut scanner = Scanner(lines);
    while let Some(key) = scanner.key(None)? {
        match (&key[..], scanner.value(&key)?) {
            (b"graph", None) if graph.directed.is_some() => {
                refuse!("there is a second graph (keep one graph per file)")
            }
            (b"graph", None) => read_graph(&mut scanner, &mut graph)?,
            (_, None) => scanner.skip()?,
            _ => {}
        }
    }
    if graph.directed == Some(false) {
        graph.edges.set_both_ways();
    }
    graph.finish("GML", "write: graph [ node [ id 1 ] ... ]")
}

fn read_graph(scanner: &mut Scanner<'_, '_>, graph: &mut AttributedGraph) -> Result<(), Problem> {
    let start = scanner.line();
    graph.directed = Some(false);
    while let Some(key) = scanner.key(Some(start))? {
        match (&key[..], scanner.value(&key)?) {
            (b"directed", Some(value)) => {
                graph.directed = Some(match &value[..] {
                    b"0" => false,
                    b"1" => true,
                    _ => refuse!("directed is {} (write 0 or 1)", shown(&value)),
                });
            }
            (b"node", None) => add_vertex(scanner.item()?, graph)?,
            (b"edge", None) => add_edge(scanner.item()?, graph, scanner.line())?,
            (b"graph", None) => return Err(nested_graph()),
            (_, None) => scanner.skip()?,
            _ => {}
        }
    }
    Ok(())
}

fn nested_graph() -> Problem {
    malformed!("there is a graph within the graph (export a flat graph, without nodes in nodes)")
}

fn add_vertex(mut item: Item, graph: &mut AttributedGraph) -> Result<(), Problem> {
    let Some(id) = item.take(b"id")? else {
        refuse!("the node has no id (write: node [ id 1 ])");
    };
    let vertex = graph.declare(&id)?;
    for (key, value) in item.0 {
        if let Some(attribute) = graph.attribute(&key) {
            graph.set_attribute(vertex, attribute, &value);
        }
    }
    Ok(())
}

fn add_edge(mut item: Item, graph: &mut AttributedGraph, line: u64) -> Result<(), Problem> {
    let (Some(source), Some(target)) = (item.take(b"source")?, item.take(b"target")?) else {
        refuse!("the edge has no source or no target (write: edge [ source 1 target 2 ])");
    };
    let mut weight = None;
    for (key, value) in item.0 {
        if graph.is_weight(&key) {
            if weight.replace(value).is_some() {
                return Err(second(&key));
            }
        } else if key == b"value" && !graph.weights_asked() && !Weight::is_one(&value) {
            // Newman's collection calls weights so.
            graph.edges.set_weights_dropped();
        }
    }
    graph.edge([&source, &target], weight.as_deref(), false, line)
}

fn second(key: &[u8]) -> Problem {
    malformed!("there is a second {} (state it once)", shown(key))
}

/// The keys and plain values of a node or an edge.
struct Item(Vec<(Vec<u8>, Vec<u8>)>);

impl Item {
    /// Removes the value of a key, if there is one.
    ///
    /// # Errors
    /// [`Problem`] if there are two.
    fn take(&mut self, key: &[u8]) -> Result<Option<Vec<u8>>, Problem> {
        let mut values = self.0.extract_if(.., |(other, _)| other == key);
        let value = values.next().map(|(_, value)| value);
        match values.next() {
            Some(_) => Err(second(key)),
            None => Ok(value),
        }
    }
}

/// Cuts the text into tokens, wherever lines end.
struct Scanner<'r, 'a>(&'r mut LineReader<'a>);

impl Scanner<'_, '_> {
    /// The line of the last token.
    fn line(&self) -> u64 {
        self.0.number()
    }

    /// Returns the next key of a list that starts in this line, or of the file; `None` at the end.
    fn key(&mut self, start: Option<u64>) -> Result<Option<Vec<u8>>, Problem> {
        match (self.next()?, start) {
            (Token::Word(key), _) => Ok(Some(key)),
            (Token::Open | Token::Text(_), _) => {
                refuse!("a value stands where a key is due (write a key before each value)")
            }
            (Token::Close, None) => {
                refuse!("a ']' closes nothing (remove it, or add the '[' that is missing)")
            }
            (Token::End, Some(start)) => Err(ends_in_list(start)),
            (Token::Close, Some(_)) | (Token::End, None) => Ok(None),
        }
    }

    /// Returns the value of a key; `None` if it is a list, which is open then.
    fn value(&mut self, key: &[u8]) -> Result<Option<Vec<u8>>, Problem> {
        match self.next()? {
            Token::Word(value) | Token::Text(value) => Ok(Some(value)),
            Token::Open => Ok(None),
            Token::Close | Token::End => refuse!(
                "the key {} has no value (write a value behind each key)",
                shown(key)
            ),
        }
    }

    /// Reads the rest of a node or an edge, and skips the lists in it.
    fn item(&mut self) -> Result<Item, Problem> {
        let start = self.line();
        let mut values = Vec::new();
        while let Some(key) = self.key(Some(start))? {
            match self.value(&key)? {
                Some(value) => values.push((key, value)),
                None if key == b"graph" => return Err(nested_graph()),
                None => self.skip()?,
            }
        }
        Ok(Item(values))
    }

    /// Skips the rest of a list.
    fn skip(&mut self) -> Result<(), Problem> {
        let (start, mut depth) = (self.line(), 1);
        while depth > 0 {
            match self.next()? {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::End => return Err(ends_in_list(start)),
                Token::Word(_) | Token::Text(_) => {}
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Token, Problem> {
        loop {
            self.take_while(is_space)?;
            let first = self.0.fill_buf().map(|bytes| bytes.first().copied());
            let Some(first) = first.map_err(|error| Problem::of_stream(&error))? else {
                return Ok(Token::End);
            };
            if first == b'#' {
                self.take_while(|byte| byte != b'\n')?;
                continue;
            }
            if !b"[]\"".contains(&first) {
                let word = self.take_while(|byte| !is_space(byte) && !b"[]\"".contains(&byte));
                return word.map(Token::Word);
            }
            self.0.consume(1);
            return match first {
                b'[' => Ok(Token::Open),
                b']' => Ok(Token::Close),
                _ => self.string().map(Token::Text),
            };
        }
    }

    /// Reads the rest of a string, which may go over several lines.
    fn string(&mut self) -> Result<Vec<u8>, Problem> {
        let start = self.line();
        let text = self.take_while(|byte| byte != b'"')?;
        if self.0.buffered().is_empty() {
            let problem = malformed!("a string has no end (close it with a quotation mark)");
            return Err(problem.at(start));
        }
        self.0.consume(1);
        Ok(resolved(text))
    }

    /// Returns the bytes in front of the first one that is not `such`.
    fn take_while(&mut self, such: impl Fn(u8) -> bool) -> Result<Vec<u8>, Problem> {
        let mut text = Vec::new();
        loop {
            let bytes = (self.0.fill_buf()).map_err(|error| Problem::of_stream(&error))?;
            let count = bytes.iter().take_while(|&&byte| such(byte)).count();
            let is_end = count < bytes.len() || bytes.is_empty();
            text.extend_from_slice(&bytes[..count]);
            self.0.consume(count);
            if is_end {
                return Ok(text);
            }
        }
    }
}

fn ends_in_list(start: u64) -> Problem {
    let problem = malformed!(
        "the file ends within a list that starts here (add the ']' that is missing, or fetch the \
         file again)"
    );
    problem.at(start)
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
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
