//! What looks like an edge list and is something else, or could be read in several ways.

use super::columns::{Value, cut, is_integer, is_number};
use super::header;
use super::options::{Delimiter, EdgeListOptions};
use super::problems::column_unknown;
use super::sample::{Row, SAMPLE};
use crate::graph::error::Problem;
use crate::graph::tokens::{Tokens, shown};

/// The most columns of rows that nothing describes: two ends, a weight and a time.
const MOST_COLUMNS: usize = 4;

/// Refuses lines that start with `#` and are no comments: of LGL, where each starts a block, and of
/// TGF, where the edges stand below one of them.
///
/// `comment` is the last comment in front of `text`, empty if there is none.
pub(super) fn refuse_blocks<'t>(comment: &'t [u8], text: &'t [u8]) -> Result<(), Problem> {
    let before = (!comment.is_empty()).then_some(comment);
    let lines = text.split(|&byte| byte == b'\n').take(SAMPLE);
    let lines = before.into_iter().chain(lines);
    let lines: Vec<&[u8]> = lines.map(<[u8]>::trim_ascii).collect();
    let count = |line: &[u8]| line.split(u8::is_ascii_whitespace).count();
    let starts_block = |line: &&[u8]| line.starts_with(b"# ") && count(line) == 2;
    let starts = lines.iter().filter(|line| starts_block(line)).count();
    let behind_row = |pair: &[&[u8]]| !pair[0].starts_with(b"#") && starts_block(&pair[1]);
    if starts > 1
        && lines.windows(2).any(behind_row)
        && (starts_block(&lines[0]) || count(lines[0]) < 3)
    {
        refuse!(
            "lines as '# name' stand between the rows, as in LGL files (say --format lgl if it is \
             one; else remove these lines)"
        );
    }
    let Some(hash) = lines.iter().position(|&line| line == b"#") else {
        return Ok(());
    };
    let first_two = |line: &&'t [u8]| {
        let mut tokens = Tokens::new(line);
        tokens.token().zip(tokens.token())
    };
    let nodes: Vec<_> = lines[..hash].iter().filter_map(first_two).collect();
    let edges: Vec<_> = lines[hash + 1..].iter().filter_map(first_two).collect();
    let is_node = |name: &[u8]| nodes.iter().any(|&(id, _)| id == name);
    let all = edges.iter().all(|(a, b)| is_node(a) && is_node(b));
    let labelled = nodes.iter().all(|(_, label)| !is_node(label));
    if !nodes.is_empty() && !edges.is_empty() && all && labelled {
        refuse!(
            "a line '#' stands between vertices and edges, as in TGF files (keep the rows behind \
             it: sed '1,/^#/d' g.tgf > g.txt)"
        );
    }
    Ok(())
}

/// Refuses files whose comments in front say that they are no lists of edges.
pub(super) fn refuse_comment(comment: &[u8]) -> Result<(), Problem> {
    if comment.starts_with(b"% bip") {
        refuse!(
            "the comment says that this is a bipartite graph of KONECT, whose two kinds of \
             vertices have the same numbers (tell them apart: awk '!/^%/ {{print \"a\" $1, \"b\" \
             $2}}' OLD > NEW)"
        );
    }
    if comment.starts_with(b"# GMT ") {
        refuse!(
            "the comment is that of an adjacency list of networkx (write an edge list: \
             nx.write_edgelist(G, FILE, data=False); if it is one, remove the comment)"
        );
    }
    Ok(())
}

/// Refuses a comment that may be the header, or a row. It is the last one in front of rows that are
/// cut into so many `columns` and whose ends are said to be in columns `ends`.
pub(super) fn refuse_comment_as_row(
    comment: &[u8],
    (delimiter, columns): (Delimiter, usize),
    ends: (usize, usize),
) -> Result<(), Problem> {
    let mut values = Vec::new();
    if delimiter == Delimiter::Byte(b';') && is_row(comment, (delimiter, columns), &mut values) {
        refuse!(
            "the comment in front of it, {}, has as many columns as the rows (remove it, or put \
             its first value in quotes)",
            shown(comment.trim_ascii())
        );
    }
    let text = behind_marks(comment);
    if text.is_empty() || !is_row(text, (delimiter, columns), &mut values) {
        return Ok(());
    }
    let words: Vec<&[u8]> = values.iter().map(|value| &value.text[..]).collect();
    match header::ends(&words).pair() {
        Some(pair) if pair.columns != ends => {
            let (source, target) = (pair.columns.0 + 1, pair.columns.1 + 1);
            refuse!(
                "the comment in front of it, {}, calls other columns the ends of edges (say which \
                 they are: --columns source={source},target={target} or --columns \
                 source=1,target=2)",
                shown(text)
            );
        }
        _ => Ok(()),
    }
}

/// What a comment says.
fn behind_marks(comment: &[u8]) -> &[u8] {
    let marks = |byte: &&u8| b"#%!/; \t".contains(byte);
    &comment[comment.iter().take_while(marks).count()..]
}

/// Refuses a row of numbers that is said to be the header, below a comment that is one.
pub(super) fn refuse_second_header(
    comment: &[u8],
    (delimiter, columns): (Delimiter, usize),
) -> Result<(), Problem> {
    let text = behind_marks(comment);
    let mut values = Vec::new();
    let cuts = cut(text, delimiter, &mut values).is_ok();
    let words: Vec<&[u8]> = values.iter().map(|value| &value.text[..]).collect();
    if cuts && words.len() <= columns && header::ends(&words) != header::Said::Nothing {
        refuse!(
            "the comment in front of it, {}, may be the header already (leave --header out, or \
             remove the comment)",
            shown(comment.trim_ascii())
        );
    }
    Ok(())
}

/// Whether a line can be cut into so many values.
fn is_row<'a>(
    line: &'a [u8],
    (delimiter, columns): (Delimiter, usize),
    values: &mut Vec<Value<'a>>,
) -> bool {
    cut(line, delimiter, values).is_ok() && values.len() == columns
}

/// Refuses a comment behind the first row that has as many delimiters as rows have. (Of blanks any
/// text may have as many.)
pub(super) fn refuse_commented_row(
    line: &[u8],
    (delimiter, columns): (Delimiter, usize),
) -> Result<(), Problem> {
    let is_row = || columns > 1 && is_row(line, (delimiter, columns), &mut Vec::new());
    if delimiter != Delimiter::Blanks && is_row() {
        return Err(comment_or_row(line));
    }
    Ok(())
}

fn comment_or_row(line: &[u8]) -> Problem {
    malformed!(
        "{} starts as a comment does, but has as many columns as the rows (remove it, or put its \
         first value in quotes)",
        shown(line.trim_ascii())
    )
}

/// Refuses what looks like a list of edges and is something else.
pub(super) fn refuse_other_things(
    first: &Row<'_>,
    rows: &[Row<'_>],
    texts: &[&[u8]],
    (delimiter, names): (Delimiter, bool),
    options: &EdgeListOptions,
) -> Result<(), Problem> {
    let start = first.values.first().filter(|value| !value.quoted);
    let starts = |value: &Value<'_>| matches!(value.text.first(), Some(b'(' | b'[' | b'{' | b'<'));
    if (start.is_some_and(starts) && !names)
        || (first.values.is_empty() && first.attributes.is_some())
    {
        let token = texts.first().copied().unwrap_or_default();
        refuse!(
            "{} is no row of an edge list (write an edge as two vertices with a blank between \
             them, or convert the file; if vertices are called so: --format labels)",
            shown(token.trim_ascii())
        );
    }
    if let Some(text) = texts.first()
        && text.starts_with(b"sep=")
        && text.trim_ascii().len() <= 5
    {
        refuse!(
            "{} is a line for Excel (remove it)",
            shown(text.trim_ascii())
        );
    }
    let others = rows.get(1..).unwrap_or_default();
    let one_more = |row: &Row<'_>| row.values.len() == first.values.len() + 1;
    if first.values.len() > 1
        && !first.values.iter().all(|value| is_number(&value.text))
        && !others.is_empty()
        && others.iter().all(one_more)
    {
        refuse!(
            "the first row has one column less than all others, as where R or pandas writes names \
             of rows without a header for them (write the file without them: row.names = FALSE, \
             index=False; or remove the first row, and name the columns: --columns \
             source=2,target=3)"
        );
    }
    if options.columns.is_some() {
        return Ok(());
    }
    let letter = |row: &Row<'_>| match &row.values[..] {
        [letter, tail, head, ..] if is_integer(tail) && is_integer(head) => match letter.text[..] {
            [letter] if letter.is_ascii_alphabetic() => Some(letter),
            _ => None,
        },
        _ => None,
    };
    if let Some(start) = letter(first)
        && rows.len() > 1
        && rows.iter().all(|row| letter(row) == Some(start))
    {
        refuse!(
            "each row starts with {} and two numbers, as lines of DIMACS files do (say which \
             columns are the ends: --columns source=2,target=3; or add the problem line: p sp \
             vertices arcs)",
            shown(&[start])
        );
    }
    // As in: 3 -> 0
    let between = |row: &Row<'_>| match &row.values[..] {
        [_, middle, _, ..] if !middle.quoted => Some(middle.text.to_vec()),
        _ => None,
    };
    let ends_are_numbers = |row: &Row<'_>| is_integer(&row.values[0]) && is_integer(&row.values[2]);
    let is_word = |row: &Row<'_>| {
        between(row).is_some_and(|middle| !middle.is_empty() && !is_number(&middle))
    };
    let same = |row: &Row<'_>| between(row) == between(first);
    if options.header != Some(true)
        && let Some(middle) = between(first)
        && rows.iter().all(is_word)
        && (rows.len() > 1 && rows.iter().all(ends_are_numbers)
            || middle.iter().all(u8::is_ascii_punctuation) && rows.iter().all(same))
    {
        refuse!(
            "{} stands between two others in the first row, and something like it in all (say \
             which columns are the ends: --columns source=1,target=3)",
            shown(&middle)
        );
    }
    // As in: 0: 1
    let colon = |row: &Row<'_>| {
        let first = row.values.first().filter(|value| !value.quoted);
        first.is_some_and(|value| value.text.len() > 1 && value.text.ends_with(b":"))
    };
    if rows.iter().all(colon) {
        refuse!(
            "each row starts with a vertex and a colon, as in adjacency lists (write an edge in a \
             row; if vertices are called so, say --columns source=1,target=2)"
        );
    }
    if options.delimiter.is_some() {
        return Ok(());
    }
    // As in: a b 1,5 or a|b|1,5 or 1:2,5
    let decimal = |text: &&[u8]| {
        let other = |byte: &u8| byte.is_ascii_whitespace() || b"|:>".contains(byte);
        let tokens = text.split(other).filter(|token| !token.is_empty());
        let tokens: Vec<&[u8]> = tokens.collect();
        let (last, others) = tokens.split_last()?;
        let [whole, part] = last.split(|&b| b == b',').collect::<Vec<_>>()[..] else {
            return None;
        };
        let digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
        let plain = others.iter().all(|token| !token.contains(&b','));
        let blanks = text.iter().any(u8::is_ascii_whitespace);
        let enough = others.len() > usize::from(blanks);
        (plain && digits(whole) && digits(part) && enough).then_some(tokens.len())
    };
    let decimals = texts.first().and_then(decimal);
    if delimiter == Delimiter::Byte(b',')
        && let (Some(columns), Some(text)) = (decimals, texts.first())
        && texts.iter().all(|text| decimal(text) == Some(columns))
    {
        refuse!(
            "the comma of {} may be a decimal one (write 1.5 and not 1,5, or say what separates \
             columns: --delimiter)",
            shown(text.trim_ascii())
        );
    }
    // Numbers that both tabs and blanks, or commas and blanks, stand between.
    for (row, text) in rows.iter().zip(texts) {
        let text = text.trim_ascii();
        let numbers = |value: &Value<'_>| {
            let mut parts = value.text.split(|&byte| byte == b' ');
            !value.quoted
                && value.text.contains(&b' ')
                && parts.all(|p| !p.is_empty() && is_number(p))
        };
        let mixed = text.contains(&b'\t') || delimiter == Delimiter::Byte(b'\t');
        if mixed && text.contains(&b' ') && words(text).all(is_number) {
            refuse!(
                "numbers are separated by tabs and by blanks (say what separates columns: \
                 --delimiter tab or --delimiter blanks)"
            );
        }
        if matches!(delimiter, Delimiter::Byte(b',' | b';')) && row.values.iter().any(numbers) {
            refuse!(
                "{} has both blanks and commas or semicolons between digits (write numbers without \
                 thousands separators, or say what separates columns: --delimiter)",
                shown(text)
            );
        }
    }
    let odd = |value: &Value<'_>| {
        let mut ends = value.text.first().into_iter().chain(value.text.last());
        !value.quoted && ends.any(|byte| b",;|".contains(byte))
    };
    if let Some(value) = first.values.iter().find(|value| odd(value)) {
        refuse!(
            "{} has a delimiter of another kind at its end (say what separates columns: \
             --delimiter comma, semicolon, tab or blanks)",
            shown(&value.text)
        );
    }
    Ok(())
}

/// What blanks and tabs separate.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let words = text.split(u8::is_ascii_whitespace);
    words.filter(|word| !word.is_empty())
}

/// Refuses columns whose meaning nothing tells.
pub(super) fn refuse_unknown_columns(
    rows: &[Row<'_>],
    width: usize,
    weight: Option<usize>,
) -> Result<(), Problem> {
    let of_width = rows.iter().filter(|row| row.values.len() == width);
    let of_width: Vec<&Row<'_>> = of_width.collect();
    if width > MOST_COLUMNS {
        refuse!(
            "rows have {width} columns and no header (name those of the ends: --columns \
             source=1,target=2; a matrix or an adjacency list is no edge list)"
        );
    }
    let unknown = |row: &&Row<'_>| first_unknown(&row.values, weight);
    if let Some(token) = of_width.first().and_then(unknown) {
        return Err(column_unknown(&token));
    }
    if width > 2 && rows.len() == width && of_width.len() == width && is_matrix(&of_width) {
        refuse!(
            "these are {width} rows of {width} numbers: a matrix (if it is an edge list, say \
             --columns source=1,target=2; else convert it)"
        );
    }
    Ok(())
}

/// The first value behind the ends, other than a weight, that is no number.
pub(super) fn first_unknown(values: &[Value<'_>], weight: Option<usize>) -> Option<String> {
    let mut others = values.iter().enumerate().skip(2);
    let odd = others.find(|(column, value)| {
        Some(*column) != weight && !value.text.is_empty() && !is_number(&value.text)
    });
    odd.map(|(_, value)| shown(&value.text))
}

/// Whether as many rows as columns are an adjacency matrix: symmetric, or without loops.
fn is_matrix(rows: &[&Row<'_>]) -> bool {
    let entry = |i: usize, j: usize| &rows[i].values[j].text;
    let all = |fits: &dyn Fn(usize, usize) -> bool| {
        (0..rows.len()).all(|i| (0..rows.len()).all(|j| fits(i, j)))
    };
    all(&|i, j| is_number(entry(i, j)))
        && (all(&|i, j| entry(i, j) == entry(j, i))
            || all(&|i, j| i != j || **entry(i, i) == *b"0"))
}
