//! A description of weights, for reports and messages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::number;
use crate::graph::{Graph, Lengths, WeightIs};
use crate::prepare::TIE_TOLERANCE;

/// The weights of a graph.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct WeightsPart {
    /// The meaning of the input's weights.
    #[schemars(with = "String")]
    #[schemars(extend("enum" = ["length", "similarity"]))]
    pub meaning: WeightIs,
    /// The kind of numbers in which lengths are added and compared: `integers` or `floats`.
    #[schemars(extend("enum" = ["integers", "floats"]))]
    pub kind: String,
    /// The number of bits of such a number.
    #[schemars(extend("enum" = [32, 64]))]
    pub bits: usize,
    /// The length that the integer 1 stands for; null for floats.
    pub unit: Option<f64>,
    /// The length of the shortest edge, in units of the input.
    pub min: Option<f64>,
    /// The length of the longest edge.
    pub max: Option<f64>,
    /// The rule for two paths to be equally short.
    pub ties: Ties,
}

/// The rule for two paths to be equally short.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Ties {
    /// Their lengths are equal.
    Exact,
    /// Their lengths, as doubles, have at most this relative difference.
    Tolerance(f64),
}

impl WeightsPart {
    /// Describes the lengths of a weighted graph as they are searched with this
    /// [tolerance](crate::prepare::PrepareOptions::tie_tolerance).
    pub fn new(graph: &Graph, tolerance: Option<f64>) -> Option<WeightsPart> {
        let info = graph.weights()?;
        let bits = match graph.lengths()? {
            Lengths::U32(_) => Some(32),
            Lengths::U64(_) => Some(64),
            Lengths::F64(_) => None,
        };
        // A tolerance turns integers into floats.
        let bits = bits.filter(|_| tolerance.is_none_or(|tolerance| tolerance <= 0.0));
        let of_floats = Ties::Tolerance(tolerance.unwrap_or(TIE_TOLERANCE));
        let (kind, ties) = match bits {
            Some(_) => ("integers", Ties::Exact),
            None => ("floats", of_floats),
        };
        Some(WeightsPart {
            meaning: info.meaning,
            kind: kind.into(),
            bits: bits.unwrap_or(64),
            unit: info.unit.filter(|_| bits.is_some()),
            min: info.min,
            max: info.max,
            ties,
        })
    }

    /// Returns a description, such as "lengths from 0.5 to 3 as integers of 32 bits; ties are
    /// exact".
    pub fn words(&self) -> String {
        let lengths = match self.meaning {
            WeightIs::Length => "lengths",
            WeightIs::Similarity => "inverse similarities",
        };
        let range = match (self.min, self.max) {
            (Some(min), Some(max)) => format!(" from {} to {}", number(min), number(max)),
            _ => String::new(),
        };
        let ties = match self.ties {
            Ties::Exact => "ties are exact".to_string(),
            Ties::Tolerance(0.0) => "ties are equal doubles".to_string(),
            Ties::Tolerance(tolerance) => format!("ties are within {tolerance:e} relative"),
        };
        let (kind, bits) = (&self.kind, self.bits);
        format!("{lengths}{range} as {kind} of {bits} bits; {ties}")
    }
}
