//! Options about weights, which several commands have.

use clap::Args;

use brandes::graph::{WeightChoice, WeightIs, WeightOptions};

/// Which weights to read.
#[derive(Debug, Clone, Args)]
pub struct WeightArgs {
    /// Read weights of edges: the third column of an edge list, the column or attribute 'weight',
    /// values or lengths of other formats; or the column of this number (from 1) or name
    #[arg(long, value_name = "WHICH", num_args = 0..=1, default_missing_value = "auto")]
    #[arg(value_parser = weight_column)]
    pub weighted: Option<WeightChoice>,
    /// What weights mean: lengths, or similarities, whose inverses are lengths
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = WeightIs::Length)]
    #[arg(requires = "weighted")]
    pub weight_is: WeightIs,
}

impl WeightArgs {
    /// For the readers.
    pub fn options(&self) -> Option<WeightOptions> {
        self.weighted.clone().map(|choice| WeightOptions {
            choice,
            meaning: self.weight_is,
        })
    }
}

fn weight_column(text: &str) -> Result<WeightChoice, String> {
    match (text, text.parse::<usize>()) {
        ("auto", _) => Ok(WeightChoice::Usual),
        ("", _) => Err("a column has a number or a name".into()),
        (_, Ok(column)) if column >= 3 => Ok(WeightChoice::Column(column)),
        (_, Ok(_)) => Err(
            "columns 1 and 2 are the vertices; where they are not, say --columns \
             source=2,target=3,weight=1"
                .into(),
        ),
        _ => Ok(WeightChoice::Named(text.into())),
    }
}

/// Reads `--tie-tolerance`.
pub(super) fn tie_tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|x| (0.0..1.0).contains(x));
    number.ok_or_else(|| format!("'{text}' is not a number from 0 to below 1"))
}
