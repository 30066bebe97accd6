//! Text that is safe between tags and in quoted attributes, in HTML and in XML.

/// Names of files and devices, errors and command lines come from outside: all of them go through
/// here. What XML does not allow at all becomes U+FFFD.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                safe.push('\u{fffd}');
            }
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_comes_back_from_between_tags_and_from_attributes(text in any::<String>()) {
            let safe = escape(&text);
            let xml = format!("<a b=\"{safe}\">{safe}</a>");
            let parsed = roxmltree::Document::parse(&xml).expect("well-formed");
            let read = parsed.root_element().text().unwrap_or_default();
            prop_assert_eq!(read.chars().count(), text.chars().count());
            prop_assert_eq!(parsed.root_element().attribute("b"), Some(read));
            for (read, written) in read.chars().zip(text.chars()) {
                let stands_for = ['\u{fffd}', ' '].contains(&read);
                prop_assert!(read == written || stands_for);
            }
        }
    }
}
