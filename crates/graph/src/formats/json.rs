//! JSON: node-link data of networkx and D3, networks of Cytoscape (`.cyjs`), the JSON Graph Format,
//! and edges in a list or in lines.
//!
//! Vertices and edges are objects. Their members are their attributes, and so are the members of
//! the objects `data`, `metadata` and `attributes` in them. The ends of edges are ids of vertices,
//! or their positions from 0 if an end is no id, as in files for D3.

use std::sync::LazyLock;

use indexmap::IndexMap;
use memchr::{memchr_iter, memmem};
use regex::bytes::{Captures, Regex};
use rustc_hash::{FxBuildHasher, FxHashSet};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Deserializer, Value, from_str};

use super::attributes::AttributedGraph;
use super::parsed::Parsed;
use crate::ReadOptions;
use crate::error::Problem;
use crate::input::LineReader;

/// The members of an object.
type Members<'t> = IndexMap<String, &'t RawValue, FxBuildHasher>;

/// The parts of a file that make up its graph.
#[derive(Default)]
struct Lists<'t> {
    /// The vertices, each with its id if that is not a member of the vertex.
    vertices: Vec<(Option<String>, &'t RawValue)>,
    edges: Vec<&'t RawValue>,
    /// Whether edges are arcs, if the file states it.
    directed: Option<bool>,
}

/// Reads the one graph of the file.
pub(crate) fn read(lines: &mut LineReader<'_>, options: &ReadOptions) -> Result<Parsed, Problem> {
    let text = without_nan(lines.whole_text()?);
    let values = Deserializer::from_slice(&text).into_iter();
    let values: Result<Vec<&RawValue>, _> = values.collect();
    let lists = lists(values.map_err(|error| {
        let problem = malformed!("this is not JSON: {error} (correct it, or export it again)");
        problem.at(error.line() as u64)
    })?)?;
    let ids = lists.ids();
    let mut graph = AttributedGraph::new(options, &["name", "label"])?;
    graph.directed = Some(lists.directed == Some(true));
    let vertices = lists.vertices.iter().map(|&(_, vertex)| vertex);
    for ((vertex, line), id) in with_lines(&text, vertices).zip(&ids) {
        lines.number = line;
        let index = graph.declare(id.as_bytes())?;
        graph.set_attributes(index, &texts(item(vertex)));
    }
    let known = FxHashSet::from_iter(&ids);
    let position = |end: &String| end.parse().ok().filter(|&index: &usize| index < ids.len());
    let edges = || lists.edges.iter().copied();
    let all_ends = || edges().filter_map(|edge| ends(&mut item(edge))).flatten();
    let are_positions = all_ends().any(|end| !known.contains(&end))
        && all_ends().all(|end| position(&end).is_some());
    if are_positions && ids.iter().any(|id| position(id).is_some()) {
        let text = "the ends of edges are positions from 0, as some are no ids (correct these)";
        graph.warnings.push(text.into());
    }
    let mut states_directions = false;
    for (edge, line) in with_lines(&text, edges()) {
        lines.number = line;
        let mut members = item(edge);
        let Some(ends) = ends(&mut members) else {
            let form = r#"{"source": 1, "target": 2}"#;
            refuse!("the edge has no source or no target (write: {form})");
        };
        // Without a list of vertices, edges declare them.
        let first_line = if ids.is_empty() { 0 } else { line };
        let [source, target] = ends.map(|end| {
            let index = position(&end).filter(|_| are_positions);
            let id = index.map_or(&end, |index| &ids[index]);
            graph.mention(id.as_bytes(), first_line)
        });
        let directed = members.get("directed").and_then(|stated| parsed(stated));
        let directed: Option<bool> = directed.or(lists.directed);
        states_directions |= directed.is_some();
        let texts = texts(members);
        let weight = graph.weight(&texts)?;
        graph.add_edge([source?, target?], weight, directed == Some(false), line)?;
    }
    graph.edges.has_arcs &= states_directions;
    graph.finish("JSON", "export it again")
}

/// Finds the lists of vertices and edges in the values of a file.
///
/// # Errors
/// [`Problem`] if there are none, or those of several graphs.
fn lists<'t>(mut values: Vec<&'t RawValue>) -> Result<Lists<'t>, Problem> {
    let no_edges = || {
        let remedy =
            "keep one graph; in networkx: json.dump(nx.node_link_data(G), open(FILE, 'w'))";
        unfit!("this JSON file has no list of edges, or those of several graphs ({remedy})")
    };
    let mut lists = Lists::default();
    if let [one] = values[..] {
        values = parsed(one).unwrap_or(values);
    }
    loop {
        let mut object: Members<'t> = match values[..] {
            [one] if ends(&mut item(one)).is_none() => parsed(one).ok_or_else(no_edges)?,
            _ => {
                for value in values {
                    match ends(&mut item(value)) {
                        Some(_) => lists.edges.push(value),
                        None => lists.vertices.push((None, value)),
                    }
                }
                let has_edges = !lists.edges.is_empty();
                return has_edges.then_some(lists).ok_or_else(no_edges);
            }
        };
        let stated = object.get("directed").and_then(|stated| parsed(stated));
        lists.directed = stated.or(lists.directed);
        if object.contains_key("hyperedges") {
            return Err(unfit!("hyperedges are not supported (write them as edges)"));
        }
        let mut take = |name: &str| object.swap_remove(name);
        if let Some(edges) = take("edges").or_else(|| take("links")).and_then(parsed) {
            lists.edges = edges;
            lists.vertices = take("nodes").map(vertices).unwrap_or_default();
            return Ok(lists);
        }
        let inner = take("elements").or_else(|| {
            // The JSON Graph Format, in which edges are arcs by default.
            lists.directed = lists.directed.or(Some(true));
            take("graph").or_else(|| take("graphs"))
        });
        let inner = inner.ok_or_else(no_edges)?;
        values = parsed(inner).unwrap_or_else(|| vec![inner]);
    }
}

/// Returns the vertices in a list, or in an object with their ids as names of its members.
fn vertices(value: &RawValue) -> Vec<(Option<String>, &RawValue)> {
    let by_id: Option<Members<'_>> = parsed(value);
    let by_id = by_id.map(|members| members.into_iter().map(|(id, vertex)| (Some(id), vertex)));
    by_id.map(Iterator::collect).unwrap_or_else(|| {
        let list: Vec<&RawValue> = parsed(value).unwrap_or_default();
        list.into_iter().map(|vertex| (None, vertex)).collect()
    })
}

impl Lists<'_> {
    /// Returns the ids of all vertices: what they are called or, if they have no names or some are
    /// equal, their positions.
    fn ids(&self) -> Vec<String> {
        let called = |name: &str| {
            let vertices = self.vertices.iter();
            let ids =
                vertices.map(|(id, vertex)| id.clone().or_else(|| text(item(vertex).get(name)?)));
            ids.collect::<Option<Vec<String>>>()
        };
        let differ = |names: &Vec<String>| FxHashSet::from_iter(names).len() == names.len();
        let ids = called("id").or_else(|| called("key"));
        let ids = ids.or_else(|| called("name").filter(differ));
        ids.unwrap_or_else(|| (0..self.vertices.len()).map(|id| id.to_string()).collect())
    }
}

/// Returns the value if it is of this type.
fn parsed<'t, T: Deserialize<'t>>(value: &'t RawValue) -> Option<T> {
    from_str(value.get()).ok()
}

/// Returns the members of a vertex or an edge, and those of the objects that hold its attributes. A
/// vertex that is no object is an id.
fn item(value: &RawValue) -> Members<'_> {
    let id = || Members::from_iter([("id".to_string(), value)]);
    let mut members: Members<'_> = parsed(value).unwrap_or_else(id);
    for holder in ["data", "metadata", "attributes"] {
        let inner = members.swap_remove(holder);
        for (name, value) in inner.and_then(parsed::<Members<'_>>).unwrap_or_default() {
            members.entry(name).or_insert(value);
        }
    }
    members
}

/// Removes the ends of an edge and returns them as texts, unless it lacks one.
fn ends(edge: &mut Members<'_>) -> Option<[String; 2]> {
    let mut end = |name: &str, other: &str| {
        let end = edge.swap_remove(name);
        text(end.or_else(|| edge.swap_remove(other))?)
    };
    Some([end("source", "from")?, end("target", "to")?])
}

/// Returns a value as text: the id of an object, and no text for null.
fn text(value: &RawValue) -> Option<String> {
    let json = value.get();
    match json.as_bytes().first()? {
        b'n' => None,
        b'"' => Some(parsed(value).unwrap_or_else(|| json.into())),
        b'{' => {
            let id = *parsed::<Members<'_>>(value)?.get("id")?;
            (!id.get().starts_with('{')).then(|| text(id))?
        }
        b'[' => Some(parsed::<Value>(value)?.to_string()),
        // Columns of pandas with gaps have integers with a fraction.
        _ => Some(json.strip_suffix(".0").unwrap_or(json).into()),
    }
}

/// Returns the names and values of all members that have a text.
fn texts(members: Members<'_>) -> Vec<(String, String)> {
    let named = |(name, value)| Some((name, text(value)?));
    members.into_iter().filter_map(named).collect()
}

/// Returns values in the order of the text that holds them, each with the line in which it starts.
fn with_lines<'t>(
    text: &[u8],
    values: impl Iterator<Item = &'t RawValue>,
) -> impl Iterator<Item = (&'t RawValue, u64)> {
    let (mut offset, mut line) = (0, 1);
    values.map(move |value| {
        let start = value.get().as_ptr().addr() - text.as_ptr().addr();
        line += memchr_iter(b'\n', &text[start.min(offset)..start]).count() as u64;
        offset = start;
        (value, line)
    })
}

/// Replaces NaN and Infinity, which Python writes although JSON does not have them, by null.
fn without_nan(json: Vec<u8>) -> Vec<u8> {
    static STRING_OR_NAN: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"(?s-u)"(\\.|[^"\\])*"|-?\b(NaN|Infinity)\b"#).ok());
    let occurs = |word: &str| memmem::find(&json, word.as_bytes()).is_some();
    match &*STRING_OR_NAN {
        Some(expression) if occurs("NaN") || occurs("Infinity") => {
            let null = |found: &Captures<'_>| match &found[0] {
                string @ [b'"', ..] => string.to_vec(),
                _ => b"null".to_vec(),
            };
            expression.replace_all(&json, null).into_owned()
        }
        _ => json,
    }
}
