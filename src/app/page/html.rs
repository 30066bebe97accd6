//! The HTML around the charts.

use std::fmt::Write;

use clap::ValueEnum;

use super::escape;
use super::figures::{ChartKind, Figure, Reports};
use super::overview;
use super::read::Document;
use super::svg::STYLE;

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
         <title>{}</title>\n<style>\n{STYLE}{PAGE_STYLE}</style>\n</head>\n<body>\n<main>\n",
        env!("CARGO_PKG_VERSION"),
        escape(&title)
    );
    let kinds = ChartKind::value_variants().iter();
    let sections = kinds.map(|kind| (kind.name(), kind.heading(), kind.figures(reports)));
    let mut sections: Vec<_> = sections.collect();
    sections.retain(|(.., (figures, _))| !figures.is_empty());
    let _ = writeln!(html, "<header>\n<h1>{}</h1>", escape(&title));
    html.push_str(&overview::key_figures(documents));
    if sections.len() > 1 {
        html.push_str("<nav aria-label=\"Charts\"><ul>\n");
        for (name, heading, _) in &sections {
            let _ = writeln!(html, "<li><a href=\"#{name}\">{heading}</a></li>");
        }
        html.push_str("</ul></nav>\n");
    }
    html.push_str("</header>\n");
    for (name, heading, (figures, explanation)) in &sections {
        let _ = write!(
            html,
            "<section id=\"{name}\">\n<h2>{heading}</h2>\n<p class=\"explanation\">{}</p>\n",
            escape(explanation)
        );
        for figure in figures {
            draw(&mut html, heading, figure);
        }
        html.push_str("</section>\n");
    }
    html.push_str(&overview::files(documents));
    let _ = write!(
        html,
        "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    );
    html
}

fn draw(html: &mut String, heading: &str, figure: &Figure) {
    let title = &figure.title;
    let (shown, caption) = match title.is_empty() {
        true => (String::new(), heading.to_string()),
        false => (
            format!("<h3>{}</h3>\n", escape(title)),
            format!("{heading}: {title}"),
        ),
    };
    let paragraph = |note: &String| format!("<p>{}</p>\n", escape(note));
    let notes: String = figure.notes.iter().map(paragraph).collect();
    let _ = write!(
        html,
        "<figure>\n{shown}<div class=\"pan\">\n{}</div>\n<figcaption>\n{notes}</figcaption>\n\
         <details class=\"data\">\n<summary>Table</summary>\n{}</details>\n</figure>\n",
        figure.svg.inline(),
        figure.table.html(&caption)
    );
}
