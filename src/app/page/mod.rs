//! The page of `brandes report`: one HTML file that holds the reports as JSON, and a script that
//! draws them. It loads nothing from anywhere, and the same files give the same page.

mod read;

pub use read::Document;

/// Colours and lines of charts, which the script copies into charts that are saved.
const CHART_STYLE: &str = include_str!("chart.css");
const PAGE_STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Returns the whole page.
pub fn page(documents: &[Document]) -> String {
    let reports: Vec<String> = documents.iter().map(Document::json).collect();
    let reports = escape(&reports.join(",\n"));
    format!(
        include_str!("page.html"),
        version = env!("CARGO_PKG_VERSION"),
        chart_style = CHART_STYLE,
        page_style = PAGE_STYLE,
        reports = reports,
        script = SCRIPT,
    )
}

/// Escapes JSON so that HTML and JavaScript see nothing of their own in it: no `</script>`, no
/// comment and no end of line. These characters occur only within the strings of valid JSON.
fn escape(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                escaped.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    proptest! {
        #[test]
        fn any_name_comes_back_from_the_page_and_ends_no_element(
            name in "(</script>|<!--|&lt;|\u{2028}|\u{2029}|\\PC|[\0-\u{1f}]){0,8}",
        ) {
            let text = format!("[{}]", json!({ "name": name }));
            let escaped = escape(&text);
            prop_assert!(!escaped.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "not escaped");
            let read: Value = serde_json::from_str(&escaped).unwrap();
            prop_assert_eq!(read[0]["name"].as_str(), Some(&*name));
        }
    }
}
