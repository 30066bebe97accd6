//! The page of `brandes report`: one HTML file with the reports as JSON, and a script that draws
//! them. The page loads no other file, and the same reports give the same page.

mod read;

pub use read::Document;

/// The style of charts, which the script copies into charts that are saved.
const CHART_STYLE: &str = include_str!("chart.css");
const PAGE_STYLE: &str = include_str!("page.css");
/// The script. Each file uses functions of the earlier ones.
const SCRIPT: &str = concat!(
    include_str!("reports.js"),
    "\n",
    include_str!("charts.js"),
    "\n",
    include_str!("figures.js"),
    "\n",
    include_str!("page.js"),
);

/// Returns the whole page.
pub fn page(documents: &[Document]) -> String {
    let reports: Vec<&str> = documents.iter().map(|document| &*document.0).collect();
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

/// Escapes JSON so that it contains no syntax of HTML: no `</script>` and no comment. Valid JSON
/// has `<` only within strings.
fn escape(json: &str) -> String {
    json.replace('<', "\\u003c")
}
