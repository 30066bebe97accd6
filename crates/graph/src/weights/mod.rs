//! Weights of edges, which become lengths that are compared exactly where possible.
//!
//! Whether two paths are equally short decides betweenness, and 0.1 + 0.2 is not 0.3 in binary
//! floats. So weights stay decimals, as in the file, until all are read ([`Weight`]). Only computed
//! values, such as 0.3333333333333333, whose last digits are rounded, become doubles at once. If
//! there are no computed values and the longest path fits in 63 bits, all weights become integers
//! on a common scale ([`scale`]). Otherwise all become doubles, which searches compare with a
//! tolerance.

mod decimal;
mod scale;

pub(super) use decimal::{Weight, decimal_to_f64, default_weight};
pub(super) use scale::{longest_path, scaled};

/// The meaning of the weights of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WeightIs {
    /// A weight is the length of its edge.
    #[default]
    Length,
    /// A weight says how close the ends are: the length is 1 / weight.
    Similarity,
}

/// The place of weights in an input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum WeightChoice {
    /// The usual place of the format: the third column of an edge list, or the attribute `weight`.
    #[default]
    Usual,
    /// A column of an edge list, from 1.
    Column(usize),
    /// The column or attribute of this name.
    Named(String),
}

/// Options for reading weights.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WeightOptions {
    /// The place of weights.
    pub choice: WeightChoice,
    /// The meaning of weights.
    pub meaning: WeightIs,
    /// The weight of an edge for which the input has none; without it such an edge is an error.
    pub default: Option<f64>,
}

/// A description of the weights of a graph.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WeightInfo {
    /// The meaning of weights in the input.
    pub meaning: WeightIs,
    /// The length of one unit if lengths are integers; `None` if they are doubles.
    pub unit: Option<f64>,
    /// The length of the shortest edge, in units of the input; `None` without edges.
    pub min: Option<f64>,
    /// The length of the longest edge.
    pub max: Option<f64>,
}
