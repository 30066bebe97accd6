//! Words by which a header calls the ends of edges.

/// Words for the two ends.
const PAIRS: [(&str, &str); 17] = [
    ("source", "target"),
    ("source", "destination"),
    ("source", "dest"),
    ("source", "sink"),
    ("src", "dst"),
    ("src", "dest"),
    ("src", "tgt"),
    ("src", "trg"),
    ("from", "to"),
    ("tail", "head"),
    ("start", "end"),
    ("origin", "destination"),
    ("citing", "cited"),
    ("follower", "followee"),
    ("parent", "child"),
    // With something in front, as node1 and node2.
    ("1", "2"),
    ("a", "b"),
];

/// Short ones, which vertices may be called too.
const LETTERS: [(&str, &str); 3] = [("u", "v"), ("i", "j"), ("v", "w")];

/// Two columns of a header that are called as ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pair {
    /// Source and target, from 0.
    pub columns: (usize, usize),
    /// Whether hardly any vertex is called so.
    pub likely: bool,
}

/// The first columns that are called as the ends of edges.
pub(super) fn ends(words: &[&[u8]]) -> Option<Pair> {
    let words: Vec<String> = words.iter().map(|word| normal(word)).collect();
    let find = |is_pair: &dyn Fn(&str, &str) -> bool| {
        words.iter().enumerate().find_map(|(i, a)| {
            let j = words.iter().position(|b| is_pair(a, b))?;
            Some((i, j))
        })
    };
    let strong = |a: &str, b: &str| fits(a, b, |p| p.len() > 1);
    let weak = |a: &str, b: &str| fits(a, b, |p| p.len() == 1);
    let letters = |a: &str, b: &str| LETTERS.contains(&(a, b));
    let pair = |columns, likely| Pair { columns, likely };
    find(&strong)
        .map(|columns| pair(columns, true))
        .or_else(|| find(&weak).map(|columns| pair(columns, false)))
        .or_else(|| find(&letters).map(|columns| pair(columns, false)))
}

/// Whether the first two columns are the ends, since there are no others or only a weight.
pub(super) fn says_ends_first(words: &[&[u8]]) -> bool {
    match words {
        [_, _] => true,
        [_, _, weight] => matches!(&normal(weight)[..], "weight" | "weights" | "w"),
        _ => false,
    }
}

/// Whether two words are a pair, with the same before or behind both, as in `from_node` and `to_node`.
fn fits(a: &str, b: &str, wanted: impl Fn(&str) -> bool) -> bool {
    PAIRS.iter().filter(|(p, _)| wanted(p)).any(|(p, q)| {
        let front = a.strip_prefix(p).zip(b.strip_prefix(q));
        let back = a.strip_suffix(p).zip(b.strip_suffix(q));
        let same = |rests: Option<(&str, &str)>| {
            rests.is_some_and(|(x, y)| x == y && (p.len() > 1 || !x.is_empty()))
        };
        same(back) || (p.len() > 1 && same(front))
    })
}

/// Letters and digits alone, in lower case; what stands in parentheses does not count.
fn normal(word: &[u8]) -> String {
    let word = String::from_utf8_lossy(word);
    let word = word.split('(').next().unwrap_or_default();
    let letters = word.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_found_by_their_names() {
        let of = |text: &str| {
            let words: Vec<&[u8]> = text.split(',').map(str::as_bytes).collect();
            ends(&words).map(|pair| (pair.columns, pair.likely))
        };
        assert_eq!(of("Source,Target,Type,Id"), Some(((0, 1), true)));
        assert_eq!(of(",source,target"), Some(((1, 2), true)));
        assert_eq!(of("FromNodeId,ToNodeId"), Some(((0, 1), true)));
        assert_eq!(
            of(":START_ID(User),:END_ID(User),:TYPE"),
            Some(((0, 1), true))
        );
        assert_eq!(
            of("SOURCE_SUBREDDIT,TARGET_SUBREDDIT"),
            Some(((0, 1), true))
        );
        assert_eq!(of("to,from"), Some(((1, 0), true)));
        assert_eq!(
            of("protein1,protein2,combined_score"),
            Some(((0, 1), false))
        );
        assert_eq!(of("osmid,u,v,key,length"), Some(((1, 2), false)));
        for none in [
            "a,b",
            "1,2",
            "x,y,weight",
            "alice,bob",
            "from,tom",
            "source",
        ] {
            assert_eq!(of(none), None, "{none}");
        }
    }
}
