//! GML: nested lists of keys and values, of which `graph [ node [ ... ] edge [ ... ] ]` are read.
//!
//! Vertices are called by their label or name if each has one of its own, else by their ids. A
//! graph is undirected unless it says `directed 1`. Everything else is skipped, however deep it is
//! nested.

use std::io::BufRead;

use quick_xml::escape::unescape;

use super::attributes::AttributedGraph;
use super::parsed::Parsed;
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::shown;
use crate::weights::Weight;
use crate::{LabelChoice, WeightOptions};

/// Keys that vertices are called by, the preferred one first.
const NAMES: [&str; 2] = ["label", "name"];

/// A piece of the text.
enum Token {
    /// A key, or a value without quotes; it is in [`Scanner::text`].
    Word,
    /// A value in quotes; it is in [`Scanner::text`].
    Text,
    Open,
    Close,
    End,
}

/// Cuts the text into tokens. Where lines end does not matter.
struct Scanner<'r, 'a> {
    stream: &'r mut LineReader<'a>,
    text: Vec<u8>,
}

impl Scanner<'_, '_> {
    /// The line that has been read last.
    fn line(&self) -> u64 {
        self.stream.number()
    }

    /// Replaces the text by the bytes in front of the first one that is not such, and returns that.
    fn take(&mut self, is_such: impl Fn(u8) -> bool) -> Result<Option<u8>, Problem> {
        self.text.clear();
        loop {
            let bytes = (self.stream.fill_buf()).map_err(|error| Problem::of_stream(&error))?;
            let count = bytes.iter().take_while(|&&byte| is_such(byte)).count();
            self.text.extend_from_slice(&bytes[..count]);
            let (next, is_end) = (bytes.get(count).copied(), bytes.is_empty());
            self.stream.consume(count);
            if next.is_some() || is_end {
                return Ok(next);
            }
        }
    }

    fn next(&mut self) -> Result<Token, Problem> {
        loop {
            match self.take(is_space)? {
                None => return Ok(Token::End),
                Some(b'#') => {
                    self.take(|byte| byte != b'\n')?;
                }
                Some(mark @ (b'[' | b']' | b'"')) => {
                    self.stream.consume(1);
                    return match mark {
                        b'[' => Ok(Token::Open),
                        b']' => Ok(Token::Close),
                        _ => self.string(),
                    };
                }
                Some(_) => {
                    self.take(|byte| !is_space(byte) && !b"[]\"".contains(&byte))?;
                    return Ok(Token::Word);
                }
            }
        }
    }

    /// Reads the rest of a string, which may go over several lines.
    fn string(&mut self) -> Result<Token, Problem> {
        let start = self.line();
        if self.take(|byte| byte != b'"')?.is_none() {
            let problem = malformed!("a string has no end (close it with a quotation mark)");
            return Err(problem.at(start));
        }
        self.stream.consume(1);
        let raw = std::mem::take(&mut self.text);
        resolve(&raw, &mut self.text);
        Ok(Token::Text)
    }
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// Resolves `&quot;` and the like, and `&#8217;`. What is none of them stays as it is.
fn resolve(raw: &[u8], out: &mut Vec<u8>) {
    let mut rest = raw;
    while let Some(start) = rest.iter().position(|&byte| byte == b'&') {
        out.extend_from_slice(&rest[..start]);
        rest = &rest[start..];
        let end = rest.iter().take(12).position(|&byte| byte == b';');
        let (entity, behind) = rest.split_at(end.map_or(1, |end| end + 1));
        match str::from_utf8(entity).map(unescape) {
            Ok(Ok(character)) => {
                out.extend_from_slice(character.as_bytes());
                rest = behind;
            }
            _ => {
                out.push(b'&');
                rest = &rest[1..];
            }
        }
    }
    out.extend_from_slice(rest);
}

/// The list that the reader is in.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Top,
    Graph,
    Node,
    Edge,
    /// Any other list, or one in it.
    Skipped,
}

/// What a node or an edge has said of itself so far.
#[derive(Default)]
struct Item {
    id: Option<Vec<u8>>,
    /// Labels, each with the position of its key among those that vertices may be called by.
    labels: Vec<(usize, Vec<u8>)>,
    source: Option<Vec<u8>>,
    target: Option<Vec<u8>>,
    weight: Option<Vec<u8>>,
}

/// Everything that was read.
struct Body {
    graph: AttributedGraph,
    item: Item,
}

/// Reads the one graph of the file.
pub(crate) fn read(
    lines: &mut LineReader<'_>,
    weights: Option<&WeightOptions>,
    labels: &LabelChoice,
) -> Result<Parsed, Problem> {
    let mut body = Body {
        graph: AttributedGraph::new(weights, labels, &NAMES)?,
        item: Item::default(),
    };
    let mut scanner = Scanner {
        stream: lines,
        text: Vec::new(),
    };
    // Lists that are open, and the lines where they start.
    let mut places: Vec<(Place, u64)> = Vec::new();
    let mut key = Vec::new();
    loop {
        let token = scanner.next()?;
        let line = scanner.line();
        let place = places.last().map_or(Place::Top, |&(place, _)| place);
        match token {
            Token::End => break,
            Token::Close => match places.pop() {
                None => refuse!("a ']' closes nothing (remove it, or add the '[' that is missing)"),
                Some((Place::Node, _)) => body.end_node()?,
                Some((Place::Edge, _)) => body.end_edge(line)?,
                Some(_) => {}
            },
            Token::Open | Token::Text => {
                refuse!("a value stands where a key is due (write a key before each value)")
            }
            Token::Word => {
                std::mem::swap(&mut key, &mut scanner.text);
                match scanner.next()? {
                    Token::Open => {
                        let place = body.open(place, &key)?;
                        places.push((place, scanner.line()));
                    }
                    Token::Word | Token::Text => body.attribute(place, &key, &scanner.text)?,
                    Token::Close | Token::End => refuse!(
                        "the key {} has no value (write a value behind each key)",
                        shown(&key)
                    ),
                }
            }
        }
    }
    let mut skipped = places.iter().filter(|(place, _)| *place == Place::Skipped);
    if let Some(&(_, line)) = skipped.next().or(places.last()) {
        let problem = malformed!(
            "the file ends within a list that starts here (add the ']' that is missing, or fetch \
             the file again)"
        );
        return Err(problem.at(line));
    }
    if body.graph.directed == Some(false) {
        body.graph.edges.set_both_ways();
    }
    body.graph
        .finish("GML", "write: graph [ node [ id 1 ] ... ]")
}

impl Body {
    /// What the list behind `key` is.
    fn open(&mut self, place: Place, key: &[u8]) -> Result<Place, Problem> {
        Ok(match (place, key) {
            (Place::Top, b"graph") if self.graph.directed.is_some() => {
                refuse!("there is a second graph (keep one graph per file)")
            }
            (Place::Top, b"graph") => {
                self.graph.directed = Some(false);
                Place::Graph
            }
            (Place::Graph | Place::Node | Place::Edge, b"graph") => refuse!(
                "there is a graph within the graph (export a flat graph, without nodes in nodes)"
            ),
            (Place::Graph, b"node") => Place::Node,
            (Place::Graph, b"edge") => Place::Edge,
            _ => Place::Skipped,
        })
    }

    fn attribute(&mut self, place: Place, key: &[u8], value: &[u8]) -> Result<(), Problem> {
        let slot = match (place, key) {
            (Place::Graph, b"directed") => {
                self.graph.directed = Some(match value {
                    b"0" => false,
                    b"1" => true,
                    _ => refuse!("directed is {} (write 0 or 1)", shown(value)),
                });
                return Ok(());
            }
            (Place::Node, b"id") => &mut self.item.id,
            (Place::Node, _) => {
                let candidate = self.graph.vertices.candidate(key);
                let known = |(other, _): &(usize, Vec<u8>)| Some(*other) == candidate;
                if self.item.labels.iter().any(known) {
                    refuse!("there is a second {} (state it once)", shown(key));
                }
                let label = candidate.map(|candidate| (candidate, value.to_vec()));
                self.item.labels.extend(label);
                return Ok(());
            }
            (Place::Edge, b"source") => &mut self.item.source,
            (Place::Edge, b"target") => &mut self.item.target,
            (Place::Edge, _) if self.graph.is_weight(key) => &mut self.item.weight,
            // What Newman's collection calls them.
            (Place::Edge, b"value") if !self.graph.weights_asked() && !Weight::is_one(value) => {
                self.graph.edges.set_weights_dropped();
                return Ok(());
            }
            _ => return Ok(()),
        };
        if slot.replace(value.to_vec()).is_some() {
            refuse!("there is a second {} (state it once)", shown(key));
        }
        Ok(())
    }

    fn end_node(&mut self) -> Result<(), Problem> {
        let item = std::mem::take(&mut self.item);
        let Some(id) = item.id else {
            refuse!("the node has no id (write: node [ id 1 ])");
        };
        let vertex = self.graph.vertices.declare(&id)?;
        for (candidate, label) in item.labels {
            self.graph.vertices.label(vertex, candidate, &label);
        }
        Ok(())
    }

    fn end_edge(&mut self, line: u64) -> Result<(), Problem> {
        let item = std::mem::take(&mut self.item);
        let (Some(source), Some(target)) = (item.source, item.target) else {
            refuse!("the edge has no source or no target (write: edge [ source 1 target 2 ])");
        };
        let weight = item.weight.as_deref();
        self.graph.edge([&source, &target], weight, false, line)
    }
}
