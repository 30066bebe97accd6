//! Options about weights, which several commands have.

use clap::Args;

use crate::graph::{WeightChoice, WeightIs, WeightOptions};

/// Which weights to read.
#[derive(Debug, Clone, Copy, Args)]
pub struct WeightArgs {
    /// Read weights of edges: the third column of an edge list, or COLUMN (from 1); values, edge weights or
    /// lengths of other formats
    #[arg(long, value_name = "COLUMN", num_args = 0..=1, default_missing_value = "auto", value_parser = column)]
    pub weighted: Option<WeightColumn>,
    /// What weights mean: lengths, or similarities, whose inverses are lengths
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = WeightIs::Length, requires = "weighted")]
    pub weight_is: WeightIs,
}

impl WeightArgs {
    /// For the readers.
    pub fn options(self) -> Option<WeightOptions> {
        self.weighted.map(|WeightColumn(column)| WeightOptions {
            choice: column.map_or(WeightChoice::Usual, WeightChoice::Column),
            meaning: self.weight_is,
        })
    }
}

/// `--weighted`: `None` is the usual column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeightColumn(Option<usize>);

fn column(text: &str) -> Result<WeightColumn, String> {
    match (text, text.parse::<usize>()) {
        ("auto", _) => Ok(WeightColumn(None)),
        (_, Ok(column)) if column >= 3 => Ok(WeightColumn(Some(column))),
        (_, Ok(_)) => Err("columns 1 and 2 are the vertices; weights come behind them".into()),
        _ => Err(format!(
            "'{text}' is no column; write the graph before --weighted, or --weighted auto"
        )),
    }
}

/// Reads `--tie-tolerance`.
pub(super) fn tie_tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if (0.0..1.0).contains(&x) => Ok(x),
        _ => Err(format!("'{text}' is not a number from 0 to below 1")),
    }
}
