//! The page of `brandes report`: one HTML file of charts and tables, made of the JSON files that
//! other commands write. It loads nothing, and is the same for the same files.

mod escape;
mod figures;
mod html;
mod number;
mod overview;
mod read;
mod svg;
mod table;

use anyhow::{Result, bail};
use clap::ValueEnum;
use escape::escape;
pub use figures::ChartKind;
use figures::Reports;
pub use read::Document;

/// The whole page.
pub fn page(documents: &[Document]) -> String {
    html::page(documents, &Reports::new(documents))
}

/// One chart as an SVG file.
///
/// # Errors
///
/// If the files hold no chart of this kind, or several.
pub fn chart(documents: &[Document], kind: ChartKind) -> Result<String> {
    let reports = Reports::new(documents);
    let name = kind.name();
    match &kind.figures(&reports).0[..] {
        [figure] => Ok(figure.svg.file()),
        [] => {
            let mut kinds = ChartKind::value_variants().to_vec();
            kinds.retain(|kind| !kind.figures(&reports).0.is_empty());
            let names: Vec<String> = kinds.into_iter().map(ChartKind::name).collect();
            let names = match &names[..] {
                [] => "none".into(),
                names => names.join(", "),
            };
            bail!("the files hold nothing for chart '{name}'; there is {names}")
        }
        several => {
            let titles: Vec<&str> = several.iter().map(|f| f.title.as_str()).collect();
            let (count, titles) = (several.len(), titles.join("; "));
            bail!(
                "chart '{name}' is there {count} times in these files; give fewer files ({titles})"
            )
        }
    }
}
