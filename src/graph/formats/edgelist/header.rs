//! Words by which a header calls the ends of edges.

/// Words for the two ends; those that are the same for the first stand together.
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

/// What a header says of the ends of edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    Nothing,
    /// Which columns they are.
    Ends(Pair),
    /// Several things, or what one of them is and not the other.
    Unclear,
}

impl Said {
    /// The columns, if it says one thing.
    pub fn pair(self) -> Option<Pair> {
        match self {
            Said::Ends(pair) => Some(pair),
            Said::Nothing | Said::Unclear => None,
        }
    }
}

/// Whether two vertices are called as the columns of a header are.
pub(in crate::graph) fn looks_like_header(tail: &[u8], head: &[u8]) -> bool {
    ends(&[tail, head]) != Said::Nothing
}

/// Which columns are called as the ends of edges.
pub(super) fn ends(words: &[&[u8]]) -> Said {
    /// Headers that say it say it within so many columns.
    const MOST: usize = 256;
    let words: Vec<String> = words.iter().take(MOST).map(|word| normal(word)).collect();
    let (mut strong, mut weak, mut letters) = (Vec::new(), Vec::new(), Vec::new());
    for (i, a) in words.iter().enumerate() {
        for (j, b) in words.iter().enumerate() {
            match stem(a, b) {
                Some(stem) if stem.len() > 1 => strong.push((i, j, stem)),
                Some(_) => weak.push((i, j)),
                None if LETTERS.contains(&(a, b)) => letters.push((i, j)),
                None => {}
            }
        }
    }
    if let Some(&(source, target, first)) = strong.first() {
        // Of two pairs it has to be plain which one the vertices are called by.
        let tells = |column: usize| {
            let mut told = ["name", "label", "title"].iter();
            told.any(|word| words[column].ends_with(word))
        };
        // source_name and target_name beside source_id and target_id are about the same ends.
        let is_apart = |&(i, j, stem): &(usize, usize, &str)| {
            let other = i != source && j != target && stem == first;
            other && tells(i) && tells(j) && !tells(source)
        };
        let clear =
            strong[1..].iter().all(is_apart) && letters.iter().all(|&(i, _)| words[i] == "v");
        let ends = Said::Ends(Pair {
            columns: (source, target),
            likely: true,
        });
        return if clear { ends } else { Said::Unclear };
    }
    let known = |word: &String| {
        let mut pairs = PAIRS.iter().filter(|(p, _)| p.len() > 1);
        pairs.any(|(p, q)| word == p || word == q)
    };
    if words.iter().any(known) {
        return Said::Unclear;
    }
    match [weak, letters].concat()[..] {
        [] => Said::Nothing,
        [columns] => Said::Ends(Pair {
            columns,
            likely: false,
        }),
        _ => Said::Unclear,
    }
}

/// Words for a vertex, and for what is told of one.
const VERTEX: [&str; 6] = ["id", "node", "nodeid", "vertex", "vertexid", "name"];
const TOLD: [&str; 10] = [
    "label",
    "name",
    "score",
    "betweenness",
    "degree",
    "rank",
    "value",
    "group",
    "class",
    "type",
];

/// Whether the first two columns are the ends, since there are no others or only a weight, and they
/// are not called as those of a table of vertices.
pub(super) fn says_ends_first(words: &[&[u8]]) -> bool {
    match words {
        [vertex, told, ..]
            if VERTEX.contains(&&normal(vertex)[..]) && TOLD.contains(&&normal(told)[..]) =>
        {
            false
        }
        [_, _] => true,
        [_, _, weight] => matches!(&normal(weight)[..], "weight" | "weights" | "w"),
        _ => false,
    }
}

/// Whether two words, which are not a [pair](PAIRS), are those for the numbers of two kinds of
/// things, as `user_id` and `item_id`.
pub(super) fn are_two_kinds(a: &[u8], b: &[u8]) -> bool {
    let kind = |word: &[u8]| {
        let word = normal(word);
        let kind = word.strip_suffix("id").filter(|kind| kind.len() > 1);
        kind.map(|kind| kind.trim_end_matches(char::is_numeric).to_string())
    };
    let other = |(a, b)| a != b;
    kind(a).zip(kind(b)).is_some_and(other) && ends(&[a, b]) == Said::Nothing
}

/// What tells the first of two words that are a pair, with the same before or behind both, as in
/// `from_node` and `to_node`.
fn stem(a: &str, b: &str) -> Option<&'static str> {
    let is_pair = |&&(p, q): &&(&str, &str)| {
        let front = a.strip_prefix(p).zip(b.strip_prefix(q));
        let back = a.strip_suffix(p).zip(b.strip_suffix(q));
        let same = |rests: Option<(&str, &str)>| {
            rests.is_some_and(|(x, y)| x == y && (p.len() > 1 || !x.is_empty()))
        };
        same(back) || (p.len() > 1 && same(front))
    };
    PAIRS.iter().find(is_pair).map(|(p, _)| *p)
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
    fn what_names_the_ends_in_several_ways_is_unclear() {
        let of = |text: &str| {
            let words: Vec<&[u8]> = text.split(',').map(str::as_bytes).collect();
            ends(&words)
        };
        for unclear in [
            "source,target,source",
            "source,target,from,to",
            "source_id,target_id,from,to",
            "u,v,from,to",
            "u,v,lat1,lat2",
            "x1,y1,x2,y2",
            "target,node",
            "source",
            "source_id,target_id,source,target",
            "from,to,from_id,to_id",
            "source_name,target_name,source_id,target_id",
        ] {
            assert_eq!(of(unclear), Said::Unclear, "{unclear}");
        }
        for clear in ["source,target,source_name,target_name", "from,to,v,w"] {
            let columns = of(clear).pair().map(|pair| pair.columns);
            assert_eq!(columns, Some((0, 1)), "{clear}");
        }
        for clear in [
            "source_id,source_name,target_id,target_name",
            "source_id,x,target_id",
        ] {
            let columns = of(clear).pair().map(|pair| pair.columns);
            assert_eq!(columns, Some((0, 2)), "{clear}");
        }
        assert_eq!(of("alice,bob"), Said::Nothing);
    }

    #[test]
    fn ends_are_found_by_their_names() {
        let of = |text: &str| {
            let words: Vec<&[u8]> = text.split(',').map(str::as_bytes).collect();
            let pair = ends(&words).pair();
            pair.map(|pair| (pair.columns, pair.likely))
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
