//! Text that is safe between tags and in quoted attributes, in HTML and in XML.

/// Names of files and devices, errors and command lines come from outside: all of them go through
/// here. What XML does not allow at all becomes U+FFFD.
pub fn escape(text: &str) -> String {
    let allowed = |c: char| match c {
        '\t' | '\n' | '\r' => ' ',
        '\u{fffe}' | '\u{ffff}' => char::REPLACEMENT_CHARACTER,
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    let text: String = text.chars().map(allowed).collect();
    quick_xml::escape::escape(text.as_str()).into_owned()
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
