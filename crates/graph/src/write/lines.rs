//! Writes formats with a line for each edge or vertex. An edge list and CSV have no place for
//! vertices without edges.

use std::io::{self, Write};

use super::lengths::LengthTexts;
use super::quoted::write_label;
use crate::formats::text::Delimiter;
use crate::formats::text::cells::{decimal, number};
use crate::formats::text::header;
use crate::{Graph, Labels, Vertex};

/// Writes a line for each edge: its ends, as `ends` writes them, and `separator` and its length, if
/// edges have lengths.
fn edges(
    graph: &Graph,
    out: &mut dyn Write,
    separator: char,
    ends: impl Fn(&mut dyn Write, Vertex, Vertex) -> io::Result<()>,
) -> io::Result<()> {
    let lengths = LengthTexts::from_graph(graph);
    for (tail, head, arc) in graph.edges_and_arcs() {
        ends(out, tail, head)?;
        match &lengths {
            Some(lengths) => writeln!(out, "{separator}{}", lengths.text(arc))?,
            None => out.write_all(b"\n")?,
        }
    }
    Ok(())
}

/// Writes edges as the labels of their ends.
fn labelled_edges(graph: &Graph, out: &mut dyn Write, separator: char) -> io::Result<()> {
    let labels = graph.labels();
    edges(graph, out, separator, |out, tail, head| {
        // Readers skip rows that repeat the header. Quotes make this row differ from it.
        match (labels.name(tail), labels.name(head)) {
            (b"source", b"target") => out.write_all(b"\"source\"")?,
            _ => write_label(labels, tail, out)?,
        }
        write!(out, "{separator}")?;
        write_label(labels, head, out)
    })
}

/// Writes an edge list, `label label [length]`, below a comment with the counts. A header is added
/// if the first edge may be read as one, or a name looks like a number.
pub(super) fn edgelist(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let (direction, vertices, edges) = (graph.direction(), graph.vertices(), graph.edges());
    writeln!(
        out,
        "# {direction} graph: {vertices} vertices, {edges} edges"
    )?;
    let is_read_as_number =
        |v| number(&decimal(graph.labels().name(v), Delimiter::Blanks)).is_some();
    if let (Labels::Names { .. }, Some((tail, head, _))) =
        (graph.labels(), graph.edges_and_arcs().next())
        && (!header::pairs(&[tail, head].map(|v| graph.labels().name(v))).is_empty()
            || (0..vertices as Vertex).any(is_read_as_number))
    {
        let weight = graph.lengths().map_or("", |_| " weight");
        writeln!(out, "source target{weight}")?;
    } else if graph.lengths().is_some() {
        // Numbers of vertices and lengths look alike.
        writeln!(out, "# source target weight")?;
    }
    labelled_edges(graph, out, ' ')
}

/// Writes CSV: an edge list with commas and a header.
pub(super) fn csv(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let weight = graph.lengths().map_or("", |_| ",weight");
    writeln!(out, "source,target{weight}")?;
    labelled_edges(graph, out, ',')
}

/// Writes Matrix Market: the lower triangle of an undirected graph, or all arcs of a directed one,
/// with values if edges have lengths.
pub(super) fn mtx(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let (n, m, directed) = (graph.vertices(), graph.edges(), graph.directed());
    let symmetry = if directed { "general" } else { "symmetric" };
    let field = match LengthTexts::from_graph(graph) {
        None => "pattern",
        Some(lengths) if lengths.are_integers() => "integer",
        Some(_) => "real",
    };
    writeln!(out, "%%MatrixMarket matrix coordinate {field} {symmetry}")?;
    writeln!(out, "{n} {n} {m}")?;
    edges(graph, out, ' ', |out, tail, head| {
        let (row, column) = if directed { (tail, head) } else { (head, tail) };
        write!(out, "{} {}", u64::from(row) + 1, u64::from(column) + 1)
    })
}

/// Writes DIMACS for shortest paths: every arc with its length, which is 1 if edges have none.
pub(super) fn dimacs(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let csr = graph.csr();
    let lengths = LengthTexts::from_graph(graph);
    writeln!(out, "p sp {} {}", csr.vertices(), csr.arcs())?;
    let arcs = csr.tails().into_iter().zip(csr.targets());
    for (arc, (tail, &head)) in arcs.enumerate() {
        let (tail, head) = (u64::from(tail) + 1, u64::from(head) + 1);
        let length = lengths.as_ref().map_or("1".into(), |l| l.text(arc));
        writeln!(out, "a {tail} {head} {length}")?;
    }
    Ok(())
}

/// Writes METIS: a line of neighbours for each vertex, with the lengths of edges if there are any.
pub(super) fn metis(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    if graph.directed() {
        let text = "a METIS file cannot hold a directed graph (write .npz, .graphml, .mtx, .gr or \
                    an edge list)";
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    let lengths = LengthTexts::from_graph(graph);
    let code = if lengths.is_some() { " 1" } else { "" };
    writeln!(out, "{} {}{code}", graph.vertices(), graph.edges())?;
    let mut arc = 0;
    for v in 0..graph.vertices() as Vertex {
        let mut blank = "";
        for &u in graph.csr().neighbours(v) {
            write!(out, "{blank}{}", u64::from(u) + 1)?;
            if let Some(lengths) = &lengths {
                write!(out, " {}", lengths.text(arc))?;
            }
            (arc, blank) = (arc + 1, " ");
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}
