//! The options of `brandes run` that compute estimates in place of exact scores.

use std::time::Duration;

use clap::{ArgGroup, Args};

use super::UsageError;
use super::values::above_zero;
use brandes::Estimate;
use brandes::prepare::RootSelection;

/// The options of estimates.
#[derive(Debug, Clone, Args)]
#[command(
    group = ArgGroup::new("estimates").args(["epsilon", "time"]).multiple(true),
    group = ArgGroup::new("draws").args(["epsilon", "time", "rescale"]).multiple(true)
)]
pub struct EstimateArgs {
    /// Estimate normalised scores to within E, by few searches (docs/estimates.md)
    ///
    /// With the probability of --confidence, all scores are in their intervals (columns lower and
    /// upper), which are at most 2 E wide. With --top K the search also ends when the K highest
    /// scores are separated from all others.
    #[arg(long, value_name = "E", value_parser = inside)]
    pub epsilon: Option<f64>,
    /// The least probability that all scores are in their intervals [default: 0.9]
    #[arg(long, value_name = "P", requires = "estimates", value_parser = inside)]
    pub confidence: Option<f64>,
    /// The number that fixes the order in which sources are drawn [default: 1]
    #[arg(long, value_name = "N", requires = "draws")]
    pub seed: Option<u64>,
    /// Search for this long, as in 60, 60s, 5m or 1h, and write the intervals reached
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
    /// Draw the K sources of --roots at random, and multiply scores by n / K
    ///
    /// This is the sampling of networkx and cuGraph. It has no error bound; --epsilon gives one.
    #[arg(long, conflicts_with_all = ["estimates", "part"])]
    pub rescale: bool,
}

impl EstimateArgs {
    /// Returns the options of the estimate, if one is requested. `top` is the value of `--top`.
    pub(super) fn estimate(&self, top: Option<usize>) -> Option<Estimate> {
        let wanted = self.epsilon.is_some() || self.time.is_some();
        let usual = Estimate::default();
        wanted.then(|| Estimate {
            epsilon: self.epsilon.unwrap_or(0.0),
            confidence: self.confidence.unwrap_or(usual.confidence),
            seed: self.seed.unwrap_or(usual.seed),
            top: top.filter(|&count| count > 0),
            time: self.time,
        })
    }

    /// Returns the sources: those of `--roots`, drawn at random with `--rescale`.
    pub(super) fn roots(&self, roots: RootSelection) -> Result<RootSelection, UsageError> {
        match roots {
            _ if !self.rescale => Ok(roots),
            RootSelection::Sample(count) => Ok(RootSelection::Random {
                count,
                seed: self.seed.unwrap_or(Estimate::default().seed),
            }),
            _ => Err(UsageError(
                "--rescale multiplies the scores of a sample of sources; give its size with \
                 --roots K"
                    .into(),
            )),
        }
    }
}

/// Reads a number between 0 and 1.
fn inside(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&x: &f64| x > 0.0 && x < 1.0);
    number.ok_or_else(|| format!("'{text}' is not a number between 0 and 1"))
}

/// Reads a time in seconds, minutes or hours.
fn time(text: &str) -> Result<Duration, String> {
    let units = [("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let with_unit = units.iter().find_map(|(unit, seconds)| {
        let number = text.strip_suffix(unit)?;
        Some((number, *seconds))
    });
    let (number, unit) = with_unit.unwrap_or((text, 1.0));
    let seconds = above_zero(number).ok().map(|number| number * unit);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| format!("'{text}' is not a time above 0, such as 60, 60s, 5m or 1h"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, seconds) in [("60", 60.0), ("1.5s", 1.5), ("5m", 300.0), ("2h", 7200.0)] {
            assert_eq!(time(text), Ok(Duration::from_secs_f64(seconds)), "{text}");
        }
        for text in ["", "s", "0", "-1", "5 m", "1d", "inf", "1e300h"] {
            assert!(time(text).unwrap_err().contains("5m or 1h"), "{text}");
        }
    }
}
