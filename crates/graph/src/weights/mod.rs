//! Weights of edges: from decimals in a file to lengths that are compared exactly where that is
//! possible.
//!
//! Whether two paths are equally short decides betweenness, and 0.1 + 0.2 is not 0.3 in binary
//! floats. So weights are kept as the decimals that the file has until all of them are read
//! ([`Weight`]). They then become integers on a common scale if the longest path still fits in
//! 63 bits ([`scale`]) and none of them is a computed value, such as 0.3333333333333333, whose last
//! digits are rounded; else doubles, and ties are what
//! those who compare them take for one.

mod decimal;
mod scale;

use super::error::Problem;
pub(super) use decimal::Weight;
pub(super) use scale::{Scaled, longest_path, scaled};

/// What a weight in the input means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WeightOptions {
    /// Where they are.
    pub choice: WeightChoice,
    /// What they mean.
    pub meaning: WeightIs,
    /// The weight of an edge for which the input has none; without it such an edge is an error.
    pub default: Option<f64>,
}

/// Returns the weight of an edge for which the input has none, if one is asked for.
///
/// # Errors
/// [`Problem`] if it is not a positive number.
pub(super) fn default_weight(asked: Option<&WeightOptions>) -> Result<Option<Weight>, Problem> {
    let Some(given) = asked.and_then(|asked| asked.default) else {
        return Ok(None);
    };
    let weight = Weight::parse(given.to_string().as_bytes());
    let wrong = |_| unfit!("the default weight is {given} (give a number above zero)");
    weight.map(Some).map_err(wrong)
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
