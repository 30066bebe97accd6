//! How much room a text takes. Which font there will be is not known: widths are those of a rather
//! wide one (DejaVu Sans), so that what fits here fits elsewhere.

/// Size of all text.
pub const TEXT: f64 = 13.0;
const ELLIPSIS: char = '\u{2026}';

/// Width of a text in user units, about.
pub fn width(text: &str) -> f64 {
    text.chars().map(em).sum::<f64>() * TEXT
}

/// The width of the widest.
pub fn widest(texts: impl Iterator<Item = impl AsRef<str>>) -> f64 {
    texts.fold(0.0, |widest, text| width(text.as_ref()).max(widest))
}

fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | ' ' | '.' | ',' | ':' | ';' | '\'' | '|' => 0.33,
        'f' | 'r' | 't' | '(' | ')' | '-' | '/' | '"' => 0.41,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '+' | '\u{2212}' => 0.95,
        'A'..='Z' => 0.7,
        c if c.is_ascii() => 0.63,
        c if (c as u32) < 0x2e80 => 0.75,
        _ => 1.05,
    }
}

/// The text, or as much of it as fits into `room`, with an ellipsis in its middle: names of files
/// differ at both ends.
pub fn cut(text: &str, room: f64) -> String {
    // Room is often made for just this text, and then differs by rounding.
    if width(text) <= room + 0.1 {
        return text.to_string();
    }
    let chars: Vec<char> = text.chars().collect();
    let shorter = (2..chars.len()).rev().map(|kept| {
        let (head, tail) = (&chars[..kept.div_ceil(2)], &chars[chars.len() - kept / 2..]);
        head.iter().chain(&[ELLIPSIS]).chain(tail).collect()
    });
    let mut fitting = shorter.filter(|text: &String| width(text) <= room);
    fitting.next().unwrap_or(ELLIPSIS.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_in_their_middle() {
        assert_eq!(cut("karate.txt", 200.0), "karate.txt");
        let text = cut("a-very-long-name-of-a-graph.mtx.gz", 120.0);
        assert!(
            text.starts_with("a-very") && text.ends_with("mtx.gz"),
            "{text}"
        );
        assert!(width(&text) <= 120.0);
        assert_eq!(cut("abc", 1.0), "\u{2026}");
        assert_eq!(cut("", 0.0), "");
    }
}
