//! DOT, the language of Graphviz: `digraph { a -> b -> {c d} [weight=2] }`.
//!
//! The vertices of a subgraph are vertices of the one graph, and an edge from or to a subgraph is
//! an edge for each vertex in it. Ports are skipped. `--` and `->` mean the same.

use std::iter::Peekable;
use std::slice::from_ref;
use std::sync::LazyLock;

use indexmap::IndexSet;
use regex::bytes::Regex;
use rustc_hash::FxBuildHasher;

use super::attributes::AttributedGraph;
use super::parsed::Parsed;
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::{find_tokens, shown};
use crate::{ReadOptions, Vertex};

/// Tokens, each with the line in which it starts.
type TokenStream<'t> = Peekable<Box<dyn Iterator<Item = (&'t [u8], u64)> + 't>>;

/// The names and values of the attributes of a vertex or an edge.
type Item = Vec<(Vec<u8>, Vec<u8>)>;

/// A graph while its file is read.
struct Dot<'t> {
    tokens: TokenStream<'t>,
    /// The line of the last token.
    line: u64,
    /// The number of open braces, each of which takes space on the stack.
    depth: usize,
    graph: AttributedGraph,
    /// The weight of edges that state none.
    weight: Option<Vec<u8>>,
    /// The last name of a vertex.
    name: Vec<u8>,
}

/// Reads the one graph of the file.
pub(crate) fn read(lines: &mut LineReader<'_>, options: &ReadOptions) -> Result<Parsed, Problem> {
    let text = lines.whole_text()?;
    let mut dot = Dot {
        tokens: tokens(&text),
        line: 1,
        depth: 0,
        graph: AttributedGraph::new(options, &["label", "name"])?,
        weight: None,
        name: Vec::new(),
    };
    dot.read().map_err(|problem| problem.at(dot.line))?;
    dot.graph.finish("DOT", "write: graph { a -- b }")
}

impl Dot<'_> {
    fn read(&mut self) -> Result<(), Problem> {
        while self.tokens.peek().is_some() {
            if self.skip(b"strict") || self.skip(b";") {
                continue;
            }
            let is_digraph = self.skip(b"digraph");
            if !is_digraph && !self.skip(b"graph") {
                return Err(self.unexpected());
            }
            if self.graph.directed.replace(is_digraph).is_some() {
                refuse!("there is a second graph (keep one graph per file)");
            }
            self.body()?;
        }
        Ok(())
    }

    /// Reads the name of a graph or a subgraph, if it has one, and all between its braces.
    fn body(&mut self) -> Result<Vec<Vertex>, Problem> {
        if !self.skip(b"{") {
            self.name()?;
            if !self.skip(b"{") {
                return Err(self.unexpected());
            }
        }
        self.statements()
    }

    /// Reads statements up to the end of the braces, and returns the vertices that they name.
    fn statements(&mut self) -> Result<Vec<Vertex>, Problem> {
        let outer_weight = self.weight.clone();
        self.depth += 1;
        if self.depth > 200 {
            refuse!("more than 200 braces are open (write subgraphs beside each other)");
        }
        let mut vertices: IndexSet<Vertex, FxBuildHasher> = IndexSet::default();
        while !self.skip(b"}") {
            if self.skip(b"graph") || self.skip(b"node") {
                self.attributes()?;
            } else if self.skip(b"edge") {
                let attributes = self.attributes()?;
                let weight = self.graph.weight(&attributes)?;
                self.weight = weight.map(<[u8]>::to_vec).or(self.weight.take());
            } else if !self.skip(b";") && !self.skip(b",") {
                vertices.extend(self.edges()?);
            }
        }
        (self.depth, self.weight) = (self.depth - 1, outer_weight);
        Ok(vertices.into_iter().collect())
    }

    /// Reads vertices or subgraphs that edges join, and returns their vertices.
    fn edges(&mut self) -> Result<Vec<Vertex>, Problem> {
        let mut ends = vec![self.end()?];
        while self.skip(b"--") || self.skip(b"->") {
            ends.push(self.end()?);
        }
        let attributes = self.attributes()?;
        if let [vertices] = &ends[..] {
            for (key, value) in &attributes {
                // Labels are read as Graphviz shows them, but in one line.
                let value = unescaped(value, |byte| match byte {
                    b'N' => Some(&self.name),
                    b'n' | b'l' | b'r' => Some(b" "),
                    _ => Some(from_ref(byte)),
                });
                if let Some(attribute) = self.graph.attribute(key) {
                    for &vertex in vertices {
                        let value = value.trim_ascii();
                        self.graph.replace_attribute(vertex, attribute, value);
                    }
                }
            }
            return Ok(ends.concat());
        }
        let weight = self.graph.weight(&attributes)?.or(self.weight.as_deref());
        let undirected = self.graph.directed == Some(false);
        for pair in ends.windows(2) {
            for &source in &pair[0] {
                for &target in &pair[1] {
                    let ends = [source, target];
                    self.graph.add_edge(ends, weight, undirected, self.line)?;
                }
            }
        }
        Ok(ends.concat())
    }

    /// Reads a vertex or a subgraph, and returns its vertices; none for an attribute of the graph.
    fn end(&mut self) -> Result<Vec<Vertex>, Problem> {
        if self.skip(b"{") {
            return self.statements();
        }
        if self.skip(b"subgraph") {
            return self.body();
        }
        self.name = self.name()?;
        if self.skip(b"=") {
            return self.name().map(|_| Vec::new());
        }
        while self.skip(b":") {
            self.name()?;
        }
        Ok(vec![self.graph.mention(&self.name, 0)?])
    }

    /// Reads lists of attributes in brackets.
    fn attributes(&mut self) -> Result<Item, Problem> {
        let mut attributes = Item::new();
        while self.skip(b"[") {
            while !self.skip(b"]") {
                if !self.skip(b";") && !self.skip(b",") {
                    let key = self.name()?;
                    if self.skip(b"=") {
                        attributes.push((key, self.name()?));
                    }
                }
            }
        }
        Ok(attributes)
    }

    /// Skips the next token if it is this one, in lower or upper case. Returns whether it is.
    fn skip(&mut self, token: &[u8]) -> bool {
        let skipped = (self.tokens).next_if(|(next, _)| next.eq_ignore_ascii_case(token));
        self.line = skipped.map_or(self.line, |(_, line)| line);
        skipped.is_some()
    }

    /// Reads a name, which a plus may join to another one.
    fn name(&mut self) -> Result<Vec<u8>, Problem> {
        let mut name = Vec::new();
        loop {
            match self.tokens.peek().map_or(&b""[..], |(token, _)| token) {
                [b'"', text @ .., b'"'] => name.append(&mut unescaped(text, |byte| match byte {
                    b'"' => Some(b"\""),
                    b'\r' | b'\n' => Some(b""),
                    _ => None,
                })),
                []
                | [b'-', b'-' | b'>']
                | [b'\0'..=b'/' | b':'..=b'@' | b'['..=b'^' | b'`' | b'{'..=b'\x7f'] => {
                    return Err(self.unexpected());
                }
                token => name.extend_from_slice(token),
            }
            self.line = self.tokens.next().map_or(self.line, |(_, line)| line);
            if !self.skip(b"+") {
                return Ok(name);
            }
        }
    }

    /// Returns the error for the next token, which the syntax does not allow there.
    fn unexpected(&mut self) -> Problem {
        let Some((token, line)) = self.tokens.next() else {
            return malformed!("the file ends within braces (close them, or fetch the file again)");
        };
        let remedy = "dot -Tcanon FILE shows what Graphviz reads";
        malformed!("{} is not expected here ({remedy})", shown(token)).at(line)
    }
}

/// Returns the tokens of a text without comments: names with their quotes or angle brackets, words,
/// numbers, `--`, `->` and other bytes.
fn tokens(text: &[u8]) -> TokenStream<'_> {
    static TOKEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let names = r#""(?:[^"\\]|\\.)*"|<(?:[^<>]|<[^<>]*>)*>|[\w.\x80-\xff]+|-[\d.]+"#;
        let comments = r"(?:\#|//)[^\n]*|/\*.*?\*/";
        Regex::new(&format!(r"(?s-u)\A(?:{names}|{comments}|-[->]|[^\t-\r ])")).ok()
    });
    let is_token = |(token, _): &(&[u8], u64)| !matches!(token, [b'#', ..] | [b'/', _, ..]);
    let tokens: Box<dyn Iterator<Item = _>> = Box::new(find_tokens(&TOKEN, text).filter(is_token));
    tokens.peekable()
}

/// Returns a text in which replacements stand for escaped bytes that have one.
fn unescaped<'t>(text: &'t [u8], replacement: impl Fn(&'t u8) -> Option<&'t [u8]>) -> Vec<u8> {
    let (mut bytes, mut unescaped) = (text.iter(), Vec::with_capacity(text.len()));
    while let Some(byte) = bytes.next() {
        let escaped = if *byte == b'\\' { bytes.next() } else { None };
        match escaped.and_then(&replacement) {
            Some(text) => unescaped.extend(text),
            None => unescaped.extend([byte].into_iter().chain(escaped)),
        }
    }
    unescaped
}
