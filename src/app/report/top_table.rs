//! The table of the highest scores.

use super::columns::{aligned, cell, terminal_width, with_header};
use brandes::Estimated;
use brandes::graph::{Graph, Labels, NamedScores, Vertex};
use brandes::report::top;
use brandes::report::words::{counted, grouped};

/// The width in which columns have to fit if there is no terminal.
const WIDTH: u16 = 100;
/// The number of letters of a name that columns leave room for.
const NAME: usize = 20;

/// Returns a table of the `count` vertices with the highest scores in the first column of `scores`,
/// and an empty line after it; if there are no vertices, an empty text. The last columns of
/// `scores` are left out if they do not fit. A column of the degrees in `graph` follows, if it is
/// given. An estimate has a first and a last rank for each vertex.
pub fn top_table(
    labels: &Labels,
    scores: &[NamedScores],
    estimated: Option<&Estimated>,
    count: usize,
    graph: Option<&Graph>,
) -> String {
    let best = scores.first().map(|(_, first)| top(first, count));
    let Some(best) = best.filter(|best| !best.is_empty()) else {
        return String::new();
    };
    let ranks = estimated.map(|all| all.ranks(&best));
    let table = |shown: usize, letters: usize| {
        let row = |(&v, rank): (&Vertex, usize)| {
            let name = printable(&labels.display(v).to_string());
            let name: String = name.chars().take(letters).collect();
            let score = |(name, all): &NamedScores| cell(name, number(all[v as usize]));
            let rank = match ranks.as_ref().map(|ranks| ranks[rank - 1]) {
                Some([first, last]) if first < last => format!("{first}-{last}"),
                _ => rank.to_string(),
            };
            let mut row = vec![cell("rank", rank), cell("vertex", name)];
            row.extend(scores[..shown].iter().map(score));
            row.extend(graph.map(|graph| {
                let name = ["degree", "out-degree"][usize::from(graph.directed())];
                cell(name, grouped(graph.csr().degree(v) as u64))
            }));
            row
        };
        with_header(&best.iter().zip(1..).map(row).collect::<Vec<_>>())
    };
    let width = terminal_width();
    let most = usize::from(width.unwrap_or(WIDTH));
    let fits = |shown: &usize| {
        let text = aligned(&table(*shown, NAME), &[], &[], None);
        text.lines().all(|line| line.chars().count() <= most)
    };
    let shown = (2..=scores.len()).rev().find(fits).unwrap_or(1);
    let others = counted(scores.len() - shown, "other column");
    let left_out = match shown < scores.len() {
        true => format!("--scores FILE writes {others} too\n"),
        false => String::new(),
    };
    aligned(&table(shown, usize::MAX), &[], &[1], width) + &left_out + "\n"
}

/// Returns a score with six digits after the point, or with an exponent if it is very large.
fn number(score: f64) -> String {
    match score < 1e17 {
        true => format!("{score:.6}"),
        false => format!("{score:.6e}"),
    }
}

/// Escapes the control characters of a name, which a terminal would obey.
fn printable(name: &str) -> String {
    let shown = |c: char| match c.is_control() {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    name.chars().map(shown).collect()
}
