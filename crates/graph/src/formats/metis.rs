//! METIS adjacency files: a header, then one line of neighbours for each vertex.
//!
//! Vertices are numbered from 1, comments start with `%`, and an empty line is a vertex without
//! edges. Each edge has to be listed at both its ends. Vertex weights are skipped, and so are edge
//! weights unless the user asks for them.

use memchr::{memchr_iter, memmem};

use super::parsed::{Parsed, declared_vertex};
use super::symmetry::Balance;
use crate::blocks::{self, line_at};
use crate::builder::{Piece, check_vertices};
use crate::error::Problem;
use crate::input::{LONGEST_LINE, LineReader};
use crate::tokens::Tokens;
use crate::weights::Weight;
use crate::{EdgeList, ReadOptions, Vertex, WeightIs};

/// The header line, and how its file is read.
#[derive(Debug, PartialEq, Eq)]
struct Header {
    vertices: u64,
    edges: u64,
    /// The number of sizes and weights of a vertex before its neighbours.
    skipped: u64,
    /// Whether each neighbour is followed by the weight of its edge.
    has_edge_weights: bool,
    /// The meaning of weights, if they are read.
    meaning: Option<WeightIs>,
}

/// The rows of a block.
#[derive(Default)]
struct Rows {
    /// The edges, each of them listed at its smaller end.
    piece: Piece,
    /// The number of neighbours listed, without self-loops.
    listed: u64,
    /// The number of self-loops listed.
    loops: u64,
    balance: Balance,
    /// The number of rows, without comments.
    count: u64,
}

/// Reads all rows and checks them against the header.
pub(crate) fn read(lines: &mut LineReader<'_>, options: &ReadOptions) -> Result<Parsed, Problem> {
    let weights = options.weights.as_ref();
    let header = read_header(lines, weights.map(|options| options.meaning))?;
    if weights.is_some() && !header.has_edge_weights {
        return Err(Problem::no_weights());
    }
    let parse = |text: &[u8], before| read_rows(text, before, &header);
    let blocks = blocks::parse(lines, LONGEST_LINE, count_rows, parse)?;
    let sum = |count: fn(&Rows) -> u64| blocks.iter().map(count).sum::<u64>();
    let (found, listed, loops) = (sum(|r| r.count), sum(|r| r.listed), sum(|r| r.loops));

    // The format has no self-loops, but some files list them, once or twice.
    let expected = 2 * u128::from(header.edges);
    let neighbours = u128::from(listed) + u128::from(loops);
    let counts_match = neighbours == expected || neighbours + u128::from(loops) == expected;
    // An editor may have dropped the empty lines at the end.
    if found < header.vertices && !counts_match {
        return Err(unfit!(
            "the header declares {} vertices, but there are only {found} lines of neighbours (add \
             an empty line for a vertex without edges)",
            header.vertices
        ));
    }
    if !counts_match {
        return Err(unfit!(
            "the header declares {} edges, so {expected} neighbours, but the file lists \
             {neighbours} (correct the header or the rows)",
            header.edges
        ));
    }
    let balances = blocks.iter().map(|rows| rows.balance);
    let balance = balances.fold(Balance::default(), Balance::and);
    if !balance.is_symmetric() {
        return Err(unfit!(
            "some edge is listed at one of its ends only, or with different weights (list each \
             edge at both ends, with the same weight)"
        ));
    }
    let mut pieces: Vec<Piece> = blocks.into_iter().map(|rows| rows.piece).collect();
    if let Some(piece) = pieces.first_mut() {
        // The header counts each loop once.
        piece.loops = header.edges - listed / 2;
    }
    let mut edges = EdgeList::of_pieces(pieces, weights, header.has_edge_weights);
    edges.both_ways = true;
    Ok(Parsed::numbered(edges, header.vertices))
}

/// Reads the header: `n m [format [weights]]`.
fn read_header(lines: &mut LineReader<'_>, meaning: Option<WeightIs>) -> Result<Header, Problem> {
    let line = lines.line_unless(|line| is_comment(line) || Tokens::new(line).at_end())?;
    let header = parse_header(&line, meaning).ok_or_else(|| {
        let form = "write: vertices edges [format [weights]]";
        malformed!("the METIS header is missing or malformed ({form})").in_row(&line)
    })?;
    check_vertices(header.vertices)?;
    Ok(header)
}

fn parse_header(line: &[u8], meaning: Option<WeightIs>) -> Option<Header> {
    let mut tokens = Tokens::new(line);
    let (Some(Ok(vertices)), Some(Ok(edges))) = (tokens.number(), tokens.number()) else {
        return None;
    };
    // The bits, from the lowest: edges have weights, vertices have weights, vertices have sizes.
    let code = match tokens.token() {
        Some(code) => u8::from_str_radix(str::from_utf8(code).ok()?, 2).ok()?,
        None => 0,
    };
    let constraints = tokens.number().unwrap_or(Ok(1)).ok()?;
    let weights = if code & 2 == 0 { 0 } else { constraints };
    (tokens.at_end() && code < 8).then_some(Header {
        vertices,
        edges,
        skipped: weights.saturating_add(u64::from(code / 4)),
        has_edge_weights: code & 1 == 1,
        meaning,
    })
}

fn is_comment(line: &[u8]) -> bool {
    line.first() == Some(&b'%')
}

/// Returns the number of rows in a text, without comments.
fn count_rows(text: &[u8]) -> u64 {
    let ends = memchr_iter(b'\n', text).count();
    let lines = ends + usize::from(!text.is_empty() && !text.ends_with(b"\n"));
    let comments = memmem::find_iter(text, b"\n%").count() + usize::from(is_comment(text));
    (lines - comments) as u64
}

/// Reads the rows of a block. `before` is the number of rows before the block.
fn read_rows(text: &[u8], before: u64, header: &Header) -> blocks::ParsedBlock<Rows> {
    let mut rows = Rows::default();
    let lines = blocks::read_lines(text, |position| {
        let (line, next) = line_at(text, position);
        if is_comment(line) {
            return Ok(next);
        }
        let row = before + rows.count;
        if row < header.vertices {
            rows.read_row(line, row as Vertex, header)?;
            rows.count += 1;
        } else if !Tokens::new(line).at_end() {
            refuse!(
                "there are more lines of neighbours than the {} vertices that the header declares \
                 (correct the header)",
                header.vertices
            );
        }
        Ok(next)
    })?;
    rows.piece.edges.shrink_to_fit();
    Ok((rows, lines))
}

impl Rows {
    /// Reads the neighbours of a vertex.
    fn read_row(&mut self, line: &[u8], vertex: Vertex, header: &Header) -> Result<(), Problem> {
        let mut tokens = Tokens::new(line);
        // An empty line is a vertex without edges, even if vertices have weights.
        if tokens.at_end() {
            return Ok(());
        }
        let due = |token: Option<_>| {
            token.ok_or_else(|| {
                malformed!(
                    "the line ends where a weight is due (check the format code in the header)"
                )
            })
        };
        for _ in 0..header.skipped {
            due(tokens.token())?;
        }
        let not_a_number = |token: &str| {
            malformed!("{token} is not a number (list the neighbours as numbers from 1)")
        };
        while let Some(neighbour) = declared_vertex(&mut tokens, header.vertices, not_a_number)? {
            let mut weight = None;
            if header.has_edge_weights {
                let token = due(tokens.token())?;
                let parse = |meaning| Weight::parse(token, meaning);
                weight = header.meaning.map(parse).transpose()?;
            }
            if vertex == neighbour {
                self.loops += 1;
                continue;
            }
            self.listed += 1;
            let arc = Balance::of_arc([vertex, neighbour], weight);
            self.balance = self.balance.and(arc);
            // The edge is stored at one end only, because both ends list it.
            if vertex < neighbour {
                self.piece.edges.push([vertex, neighbour]);
                self.piece.weights.extend(weight);
            }
        }
        Ok(())
    }
}
