//! Words by which headers name the ends of edges.

use super::Delimiter;
use super::cells::{Value, cut};

/// Words for the source, each with those for the target after a colon. They may be parts of longer
/// words that are otherwise equal, such as `from_node` and `to_node`.
const PAIRS: &str = "source:target,destination,dest,sink src:dst,dest,tgt,trg from:to tail:head \
    start:end origin:destination,dest departure:arrival citing:cited follower:followee,followed \
    parent:child sender:recipient,receiver giver:receiver caller:callee ego:alter buyer:seller \
    lender:borrower exporter:importer payer:payee user:friend subject:object \
    predecessor:successor node:neighbor,neighbour vertex:neighbor,neighbour tf:target,gene \
    regulator:target,gene ligand:receptor";

/// Pairs that are whole words. Vertices may have these names too.
const LETTERS: [(&str, &str); 3] = [("u", "v"), ("i", "j"), ("v", "w")];

/// Pairs of endings after a common word, as in `node1` and `node2`, or `truster` and `trustee`.
const COUNTERS: [(&str, &str); 5] = [("1", "2"), ("a", "b"), ("x", "y"), ("i", "j"), ("er", "ee")];

/// Words before [`COUNTERS`] that make a header even in capitals. Other words in capitals may be
/// names of vertices, such as genes.
const COUNTED: &str = "v n id node nodeid vertex gene protein name author";

/// Endings that make two adjacent columns a pair, as in `user_id` and `friend_id`.
const ENDINGS: [&str; 6] = ["id", "name", "code", "node", "key", "symbol"];

/// Names of columns of row numbers.
const INDEX: &str = "index id row rowid rownames unnamed0 x";

/// Names of columns of vertices.
const VERTEX: &str = "id node nodeid vertex vertexid name";

/// Names of columns of properties of vertices.
const PROPERTY: &str = "label score betweenness degree rank value group class type";

/// Names of columns of weights, the likeliest first.
pub(in crate::formats) const WEIGHTS: &str =
    "weight weights w wt value length distance dist cost count strength";

/// Two columns that a header names as the ends of edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::formats) struct Pair {
    /// Source and target, from 0.
    pub columns: [usize; 2],
    /// Whether these words are hardly ever names of vertices.
    pub is_certain: bool,
}

/// Returns the pairs of columns that these words name as ends, ordered by the column of the source.
pub(in crate::formats) fn pairs(words: &[&[u8]]) -> Vec<Pair> {
    /// The number of columns that are searched for the ends.
    const MOST: usize = 64;
    let texts: Vec<String> = words
        .iter()
        .take(MOST)
        .map(|word| normalized(word))
        .collect();
    let mut found = Vec::new();
    for (i, a) in texts.iter().enumerate() {
        for (j, b) in texts.iter().enumerate() {
            let capitals = !words[i].iter().any(u8::is_ascii_lowercase);
            let is_certain = is_pair(a, b);
            if i != j && is_certain
                || i < j && (LETTERS.contains(&(a, b)) || are_counted(a, b, capitals))
                || i + 1 == j && end_alike(words[i], words[j])
            {
                let columns = [i, j];
                found.push(Pair {
                    columns,
                    is_certain,
                });
            }
        }
    }
    found
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

/// Returns whether an edge between two vertices of these names may be read as a header.
pub(crate) fn looks_like_header(tail: &[u8], head: &[u8]) -> bool {
    !pairs(&[tail, head]).is_empty() || are_of_vertices(tail, head)
}

/// Returns whether a word names a column of row numbers.
pub(in crate::formats) fn is_index(word: &[u8]) -> bool {
    word.is_empty() || position_in(word, INDEX).is_some()
}

/// Returns whether two words head a table of vertices, such as `Id,Label`.
pub(in crate::formats) fn are_of_vertices(first: &[u8], second: &[u8]) -> bool {
    position_in(first, VERTEX).is_some() && position_in(second, PROPERTY).is_some()
}

/// Returns the column whose word comes earliest in `list`, except the `excluded` columns.
pub(in crate::formats) fn first_listed(
    words: &[&[u8]],
    list: &str,
    excluded: &[usize],
) -> Option<usize> {
    let columns = (0..words.len()).filter(|column| !excluded.contains(column));
    let places = columns.filter_map(|column| Some((position_in(words[column], list)?, column)));
    places.min().map(|(_, column)| column)
}

/// Returns the position of a word in a list whose words are separated by blanks.
fn position_in(word: &[u8], list: &str) -> Option<usize> {
    let word = normalized(word);
    list.split(' ').position(|known| known == word)
}

/// Returns whether two words may name ids of different kinds of vertices: `user_id`, `item_id`, or
/// words of Neo4j with different id spaces, such as `:START_ID(User)`.
pub(in crate::formats) fn may_be_two_kinds(a: &[u8], b: &[u8]) -> bool {
    let id_space = |word: &[u8]| word.split(|&byte| byte == b'(').nth(1).map(<[u8]>::to_vec);
    id_space(a) != id_space(b) || end_alike(a, b) && !is_pair(&normalized(a), &normalized(b))
}

/// Returns whether two words are those of [`PAIRS`] with the same text around them.
fn is_pair(a: &str, b: &str) -> bool {
    PAIRS.split(' ').any(|pair| {
        let (source, targets) = pair.split_once(':').unwrap_or_default();
        let rest = a.split_once(source);
        rest.is_some()
            && targets
                .split(',')
                .any(|target| b.split_once(target) == rest)
    })
}

/// Returns whether two words are equal except for their endings from [`COUNTERS`].
fn are_counted(a: &str, b: &str, capitals: bool) -> bool {
    COUNTERS.iter().any(|(p, q)| {
        let stems = a.strip_suffix(p).zip(b.strip_suffix(q));
        stems.is_some_and(|(stem, other)| {
            stem == other
                && (COUNTED.split(' ').any(|known| known == stem) || stem.len() > 1 && !capitals)
        })
    })
}

/// Returns whether different words end with the same one of [`ENDINGS`], set apart by a sign or by
/// a capital letter.
fn end_alike(a: &[u8], b: &[u8]) -> bool {
    let ending = |word: &[u8]| {
        ENDINGS.iter().position(|ending| {
            let (front, back) = word.split_at(word.len().saturating_sub(ending.len()));
            let is_apart = match front.last() {
                Some(byte) if byte.is_ascii_lowercase() => back[0].is_ascii_uppercase(),
                Some(byte) => b"_ .-".contains(byte),
                None => false,
            };
            is_apart && back.eq_ignore_ascii_case(ending.as_bytes())
        })
    };
    a != b && ending(a).is_some() && ending(a) == ending(b)
}

/// Returns a word's letters and digits in lower case, up to the first opening parenthesis.
fn normalized(word: &[u8]) -> String {
    let word = String::from_utf8_lossy(word);
    let word = word.split('(').next().unwrap_or_default();
    let letters = word.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_name_the_ends_by_known_words() {
        let found = |text: &str| {
            let words: Vec<&[u8]> = text.split(',').map(str::as_bytes).collect();
            let first = pairs(&words).first().copied();
            first.map(|pair| (pair.columns[0], pair.columns[1], pair.is_certain))
        };
        for (text, expected) in [
            ("source,target", (0, 1, true)),
            ("Target,Source,Weight", (1, 0, true)),
            ("id,From_Node,To_Node", (1, 2, true)),
            ("FromNodeId,ToNodeId", (0, 1, true)),
            (":START_ID(Person),role,:END_ID(Person)", (0, 2, true)),
            ("sender,recipient", (0, 1, true)),
            ("user_id,friend_id", (0, 1, true)),
            ("buyerId,sellerId", (0, 1, true)),
            ("protein1,protein2,score", (0, 1, false)),
            ("V1,V2", (0, 1, false)),
            ("nodeA,nodeB", (0, 1, false)),
            ("author_id,paper_id", (0, 1, false)),
            ("memberId,clubId", (0, 1, false)),
            ("truster,trustee", (0, 1, false)),
            ("TF,target,mode", (0, 1, true)),
            ("node,neighbor", (0, 1, true)),
            ("u,v,key", (0, 1, false)),
            ("source,target,from,to", (0, 1, true)),
        ] {
            assert_eq!(found(text), Some(expected), "{text}");
        }
        for none in [
            "alice,bob",
            "a,b",
            "MT1,MT2",
            "id,label",
            "source",
            "1,2",
            "from,tom",
        ] {
            assert_eq!(found(none), None, "{none}");
        }
    }
}
