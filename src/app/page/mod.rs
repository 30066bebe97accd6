//! The page of `brandes report`: one HTML file of charts and tables, made of the JSON files that
//! other commands write. It loads nothing, and is the same for the same files.

mod escape;
mod figures;
mod files;
mod html;
mod number;
mod overview;
mod read;
mod svg;
mod table;

use escape::escape;
pub use figures::ChartKind;
use figures::Reports;
pub use read::Document;
use svg::Width;

/// The whole page.
pub fn page(documents: &[Document]) -> String {
    html::page(documents, &Reports::new(documents))
}

/// Why there is no single chart to write.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// Nothing in the files is for it.
    #[error("the files hold nothing for chart '{0}'; there is {1}")]
    None(&'static str, String),
    /// There are several.
    #[error("chart '{0}' is there {1} times in these files; give fewer files ({2})")]
    Several(&'static str, usize, String),
}

/// One chart as an SVG file.
///
/// # Errors
///
/// If the files hold no chart of this kind, or several.
pub fn chart(documents: &[Document], kind: ChartKind) -> Result<String, ChartError> {
    let reports = Reports::new(documents);
    let figures = kind.figures(&reports);
    match &figures[..] {
        [figure] => Ok(figure.drawing.draw(Width::Wide).file()),
        [] => {
            let there = ChartKind::ALL.into_iter();
            let there = there.filter(|kind| !kind.figures(&reports).is_empty());
            let names: Vec<&str> = there.map(ChartKind::name).collect();
            let names = match names.is_empty() {
                true => "none".into(),
                false => names.join(", "),
            };
            Err(ChartError::None(kind.name(), names))
        }
        several => {
            let titles: Vec<&str> = several.iter().map(|f| f.title.as_str()).collect();
            let titles = titles.join("; ");
            Err(ChartError::Several(kind.name(), several.len(), titles))
        }
    }
}
