//! Recognises headers that name the ends of edges: two words that are alike but for a direction.

use super::Delimiter;
use super::cells::{Value, cut, is_integer};

/// Words for the source of an edge, each with those for the target after a colon. The rest of both
/// headers has to be the same, as in `from_node` and `to_node`.
///
/// Words before the first bar hardly ever name anything but ends: alone they decide that a row is a
/// header, and which columns are the ends. Words after the last bar may also be parts of names of
/// vertices, such as `node1`.
const DIRECTIONS: &str = "source:target,destination,dest,dst,sink from:to \
    src:dst,dest,tgt,trg,target sender:receiver,recipient origin:destination,dest orig:dest \
    tail:head caller:callee citing:cited follower:followee,followed predecessor:successor \
    subject:object subj:obj ego:alter buyer:seller lender:borrower node:neighbor,neighbour \
    vertex:neighbor,neighbour quelle:ziel von:nach origen:destino u:v \
    | start:end,stop begin:end beg:end init:term initial:terminal,final first:second,last \
    departure:arrival dep:arr entry:exit prev:next upstream:downstream up:down,dn on:off \
    left:right board:alight boarding:alighting pickup:dropoff orig:resp send:recv \
    sending:receiving parent:child,subsidiary reporter:partner supplier:customer,buyer,client \
    creditor:debtor donor:recipient,acceptor giver:receiver winner:loser home:away user:friend \
    manager:employee ligand:receptor regulator:target,gene tf:target,gene bait:prey predator:prey \
    enzyme:substrate kinase:substrate drug:target package:dependency module:dependency \
    primary:secondary question:answer referrer:target \
    | 1:2 0:1 a:b i:j v:w f:t o:d h:t s:o s:t er:ee er:ed or:ee ing:ed ex:im exp:imp fr:to pu:do \
    hv:lv";

/// The number of columns that are searched for the ends.
pub(crate) const MOST_COLUMNS: usize = 64;

/// Two columns that a header names as the ends of edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pair {
    /// Source and target, from 0.
    pub columns: [usize; 2],
    /// Whether these are two [`DIRECTIONS`] and nothing else.
    pub is_plain: bool,
    /// Whether these words decide which columns are the ends.
    pub decides: bool,
    /// Whether these words are hardly ever names of vertices.
    pub is_certain: bool,
}

/// Returns the pairs of columns that these words name as ends, ordered by the column of the source.
pub(crate) fn pairs(words: &[&[u8]]) -> Vec<Pair> {
    let words = &words[..words.len().min(MOST_COLUMNS)];
    let words: Vec<&[u8]> = words.iter().map(|word| bare(word)).collect();
    let both = (0..words.len()).flat_map(|i| (0..words.len()).map(move |j| [i, j]));
    both.filter_map(|columns| pair(&words, columns)).collect()
}

/// Returns a word without marks of comments and of Neo4j before it and without parentheses behind
/// it, as in `:START_ID(Person)`.
fn bare(word: &[u8]) -> &[u8] {
    let marks = word.iter().take_while(|&byte| b"#%:! ".contains(byte));
    let word = &word[marks.count()..];
    let open = word.iter().rposition(|&byte| byte == b'(');
    &word[..open.filter(|_| word.ends_with(b")")).unwrap_or(word.len())]
}

/// Returns these columns as a pair if their words are alike but for two [`DIRECTIONS`].
fn pair(words: &[&[u8]], columns: [usize; 2]) -> Option<Pair> {
    let word = words[columns[0]];
    let [one, two] = columns.map(|column| words[column].to_ascii_lowercase());
    let groups = DIRECTIONS.split('|').enumerate();
    let mut directions = groups.flat_map(|(group, text)| {
        let lists = text.split_whitespace().filter_map(|s| s.split_once(':'));
        lists.flat_map(move |(p, qs)| qs.split(',').map(move |q| (group, p, q)))
    });
    directions.find_map(|(group, p, q)| {
        let length = one.len().checked_sub(p.len())?;
        let is_at = |&at: &usize| {
            let end = at + p.len();
            one[at..].starts_with(p.as_bytes())
                && [&one[..at], q.as_bytes(), &one[end..]].concat() == two
                && (is_boundary(word, at) || is_boundary(word, end))
        };
        let at = (0..=length).find(is_at).filter(|_| !is_integer(word))?;
        // Three words such as `x1 x2 x3` are a list, not a pair.
        let mut next = two.clone();
        next[at] += 1;
        let mut others = words.iter().filter(|_| ["0", "1", "a"].contains(&p));
        if others.any(|other| other.eq_ignore_ascii_case(&next)) {
            return None;
        }
        Some(Pair {
            columns,
            is_plain: length == 0,
            decides: group == 0 && length == 0,
            is_certain: group == 0 && p.len() > 1,
        })
    })
}

/// Returns whether a part of a word starts or ends at a position: a sign, a capital letter or a
/// digit sets it apart.
fn is_boundary(word: &[u8], at: usize) -> bool {
    let (Some(before), Some(behind)) = (word[..at].last(), word.get(at)) else {
        return true;
    };
    let kinds = [before, behind].map(|&byte| kind(byte));
    kinds[0] != kinds[1] || !before.is_ascii_alphanumeric()
}

/// Returns a letter for each kind of letters, a digit for digits, and other characters themselves.
pub(in crate::formats) fn kind(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => b'0',
        b'A'..=b'Z' => b'A',
        b'a'..=b'z' | 0x80.. => b'a',
        _ => byte,
    }
}

/// Returns whether a word names a column of weights.
pub(in crate::formats) fn is_weight(word: &[u8]) -> bool {
    let word = word.to_ascii_lowercase();
    word.windows(6).any(|part| part == b"weight")
}

/// Returns the words of a comment before rows with this many columns, if it is their header.
pub(in crate::formats) fn in_comment(
    comment: &[u8],
    columns: usize,
    delimiter: Delimiter,
) -> Option<Vec<Value<'_>>> {
    let mut values = Vec::new();
    let is_mark = |byte: &&u8| b"#%!/ ".contains(byte);
    let text = &comment[comment.iter().take_while(is_mark).count()..];
    cut(text, delimiter, &mut values).ok()?;
    if values.len() != columns {
        cut(text, Delimiter::Blanks, &mut values).ok()?;
    }
    let words: Vec<&[u8]> = values.iter().map(|value| &value.text[..]).collect();
    (words.len() == columns && !pairs(&words).is_empty()).then_some(values)
}
