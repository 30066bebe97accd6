//! The HTML around the charts.

use std::fmt::Write;

use super::escape;
use super::figures::{ChartKind, Figure, Reports};
use super::overview;
use super::read::Document;
use super::svg::Width;

/// Colours and lines of charts; a chart that is a file of its own has it too.
pub const CHART_STYLE: &str = include_str!("chart.css");
const PAGE_STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// The browser itself refuses to load anything. `data:` is for an icon that is none, since some
/// browsers look for one.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data:; base-uri 'none'; form-action 'none'";

// Writing to a String cannot fail.

/// The whole page.
pub fn page(documents: &[Document], reports: &Reports) -> String {
    let title = overview::title(documents);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"generator\" content=\"brandes {}\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{}</title>\n<style>\n{CHART_STYLE}{PAGE_STYLE}</style>\n</head>\n<body>\n<main>\n",
        env!("CARGO_PKG_VERSION"),
        escape(&title)
    );
    let sections: Vec<(ChartKind, Vec<Figure>)> = ChartKind::ALL
        .into_iter()
        .map(|kind| (kind, kind.figures(reports)))
        .filter(|(_, figures)| !figures.is_empty())
        .collect();
    let _ = writeln!(html, "<header>\n<h1>{}</h1>", escape(&title));
    html.push_str(&overview::key_figures(documents));
    if sections.len() > 1 {
        html.push_str("<nav aria-label=\"Charts\"><ul>\n");
        for (kind, _) in &sections {
            let (name, heading) = (kind.name(), kind.heading());
            let _ = writeln!(html, "<li><a href=\"#{name}\">{heading}</a></li>");
        }
        html.push_str("</ul></nav>\n");
    }
    html.push_str("</header>\n");
    for (kind, figures) in &sections {
        section(&mut html, *kind, figures);
    }
    html.push_str(&overview::files(documents));
    let _ = write!(
        html,
        "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    );
    html
}

fn section(html: &mut String, kind: ChartKind, figures: &[Figure]) {
    let _ = write!(
        html,
        "<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"explanation\">{}</p>\n",
        kind.name(),
        kind.heading(),
        escape(kind.explanation())
    );
    for figure in figures {
        html.push_str("<figure>\n");
        if !figure.title.is_empty() {
            let _ = writeln!(html, "<h3>{}</h3>", escape(&figure.title));
        }
        for width in [Width::Wide, Width::Narrow] {
            html.push_str(&figure.drawing.draw(width).inline());
        }
        if !figure.notes.is_empty() {
            html.push_str("<figcaption>\n");
            for note in &figure.notes {
                let _ = writeln!(html, "<p>{}</p>", escape(note));
            }
            html.push_str("</figcaption>\n");
        }
        let caption = match figure.title.as_str() {
            "" => kind.heading().to_string(),
            title => format!("{}: {title}", kind.heading()),
        };
        let table = figure.table.html(&caption);
        let _ = write!(
            html,
            "<details class=\"data\">\n<summary>Table</summary>\n{table}</details>\n</figure>\n"
        );
    }
    html.push_str("</section>\n");
}
