//! Weights of edges: from decimals in a file to lengths that are compared exactly where that is
//! possible.
//!
//! Whether two paths are equally short decides betweenness, and 0.1 + 0.2 is not 0.3 in binary
//! floats. So weights are kept as the decimals that the file has until all of them are read
//! ([`Weight`]). They then become integers on a common scale if the longest path still fits in
//! 63 bits ([`scale`]) and none of them is a computed value, such as 0.3333333333333333, whose last
//! digits are rounded; else doubles, and ties are what
//! [`crate::prepare::PrepareOptions::tie_tolerance`] takes for one.

mod decimal;
mod scale;

pub(super) use decimal::Weight;
pub(super) use scale::{Scaled, longest_path, scaled};

/// What a weight in the input means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "app", derive(clap::ValueEnum, schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WeightIs {
    /// The length of its edge.
    #[default]
    Length,
    /// How close the ends are: the length is 1 / weight.
    Similarity,
}

/// Where the weights of an input are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum WeightChoice {
    /// Where the format has them: the third column of an edge list, the attribute `weight`.
    #[default]
    Usual,
    /// In a column of an edge list, from 1.
    Column(usize),
    /// In the column or attribute of this name.
    Named(String),
}

/// Which weights to read, and what they mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WeightOptions {
    /// Where they are.
    pub choice: WeightChoice,
    /// What they mean.
    pub meaning: WeightIs,
}

/// What became of the weights of a graph.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WeightInfo {
    /// What the input's weights mean.
    pub meaning: WeightIs,
    /// Of integers: the length that one unit stands for. `None`: lengths are doubles.
    pub unit: Option<f64>,
    /// The shortest edge, in lengths of the input; `None` without edges.
    pub min: Option<f64>,
    /// The longest edge.
    pub max: Option<f64>,
}
