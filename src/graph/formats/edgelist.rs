//! Edge lists as SNAP and the Network Repository publish them: two columns, one edge per line.
//!
//! Blank lines and lines that start with `#` or `%` are skipped. If weights are asked for, they are in
//! the third column or the one that was named; other columns after the second are ignored. Vertices are numbered in the order in which they first appear.

use super::parsed::Parsed;
use crate::graph::error::Problem;
use crate::graph::input::LineReader;
use crate::graph::labels::{NameInterner, NumberInterner};
use crate::graph::tokens::{Scan, Tokens, shown};
use crate::graph::weights::Weight;
use crate::graph::{BuildError, EdgeList, Labels, Vertex, WeightChoice, WeightOptions};

/// The column of weights unless another is named, from 1.
const WEIGHT_COLUMN: usize = 3;

/// How the vertices of a list are told apart.
trait Interner {
    /// The vertex that the next token names; `Ok(None)` at the end of the line.
    fn vertex(&mut self, tokens: &mut Tokens<'_>) -> Result<Option<Vertex>, Problem>;

    fn into_labels(self) -> Labels;
}

/// The interners give up at 2^32 - 1 vertices; one more was wanted.
const TOO_MANY: Problem = Problem::Build(BuildError::TooManyVertices { vertices: 1 << 32 });

impl Interner for NumberInterner {
    #[inline]
    fn vertex(&mut self, tokens: &mut Tokens<'_>) -> Result<Option<Vertex>, Problem> {
        match tokens.number() {
            Scan::Number(id) => self.intern(id).map(Some).ok_or(TOO_MANY),
            Scan::End => Ok(None),
            Scan::TooLarge(token) => Err(Problem::VertexTooLarge {
                token: shown(token),
            }),
            Scan::Other(token) if is_negative(token) => Err(Problem::NegativeVertex {
                token: shown(token),
            }),
            Scan::Other(token) => Err(Problem::NotAVertexNumber {
                token: shown(token),
            }),
        }
    }

    fn into_labels(self) -> Labels {
        NumberInterner::into_labels(self)
    }
}

impl Interner for NameInterner {
    fn vertex(&mut self, tokens: &mut Tokens<'_>) -> Result<Option<Vertex>, Problem> {
        match tokens.token() {
            Some(name) => self.intern(name).map(Some).ok_or(TOO_MANY),
            None => Ok(None),
        }
    }

    fn into_labels(self) -> Labels {
        NameInterner::into_labels(self)
    }
}

/// Reads all edges. Without `names`, the first edge decides whether vertices are numbers.
pub(in crate::graph) fn read(
    lines: &mut LineReader<'_>,
    names: bool,
    weights: Option<&WeightOptions>,
) -> Result<Parsed, Problem> {
    if names || !starts_with_numbers(lines)? {
        read_with(lines, NameInterner::new(), weights)
    } else {
        read_with(lines, NumberInterner::default(), weights)
    }
}

/// Whether a line holds no edge.
#[inline]
fn is_skipped(line: &[u8]) -> bool {
    match line.first() {
        Some(b'0'..=b'9') => false,
        Some(b'#' | b'%') => true,
        _ => Tokens::new(line).at_end(),
    }
}

/// Looks at the first edge, which the next call of [`LineReader::line`] returns again.
fn starts_with_numbers(lines: &mut LineReader<'_>) -> Result<bool, Problem> {
    while let Some(line) = lines.line()? {
        if !is_skipped(line) {
            let mut tokens = Tokens::new(line);
            let mut numeric = || match tokens.number() {
                Scan::Number(_) | Scan::TooLarge(_) => true,
                Scan::Other(token) => is_negative(token),
                Scan::End => false,
            };
            let both = numeric() && numeric();
            lines.step_back();
            return Ok(both);
        }
    }
    Ok(true)
}

/// Whether a token is a number below zero: never meant as a name, so worth its own message.
fn is_negative(token: &[u8]) -> bool {
    matches!(token, [b'-', digits @ ..] if matches!(Tokens::new(digits).number(), Scan::Number(_)))
}

/// The weight of a line whose vertices have been read.
fn weight(mut tokens: Tokens<'_>, column: usize) -> Result<Weight, Problem> {
    let before = column.saturating_sub(WEIGHT_COLUMN);
    let token = (0..before)
        .try_for_each(|_| tokens.token().map(|_| ()))
        .and_then(|()| tokens.token());
    Weight::parse(token.ok_or(Problem::WeightMissing { column })?)
}

fn read_with<I: Interner>(
    lines: &mut LineReader<'_>,
    mut interner: I,
    weights: Option<&WeightOptions>,
) -> Result<Parsed, Problem> {
    let mut edges = EdgeList::default();
    if let Some(weights) = weights {
        edges.take_weights(weights.meaning);
    }
    let column = match weights.map(|weights| &weights.choice) {
        None => None,
        Some(WeightChoice::Usual) => Some(WEIGHT_COLUMN),
        Some(WeightChoice::Column(column)) => Some(*column),
        Some(WeightChoice::Named(_)) => return Err(Problem::WeightColumn),
    };
    while let Some(line) = lines.line()? {
        if is_skipped(line) {
            continue;
        }
        let mut tokens = Tokens::new(line);
        let tail = interner.vertex(&mut tokens)?;
        let head = interner.vertex(&mut tokens)?;
        let (Some(tail), Some(head)) = (tail, head) else {
            let token = Tokens::new(line).token().unwrap_or_default();
            return Err(Problem::OneColumn {
                token: shown(token),
            });
        };
        // One look is enough: files either have a third column or they do not.
        if edges.entries() == 0 {
            match (column, tokens.at_end()) {
                (None, false) => edges.set_weights_dropped(),
                (Some(_), true) => return Err(Problem::NoWeights),
                _ => {}
            }
        }
        match column {
            None => edges.push(tail, head),
            Some(column) => edges.push_weighted(tail, head, Some(weight(tokens, column)?)),
        }
    }
    Ok(Parsed::new(edges, interner.into_labels()))
}
