//! Predictions of the times of runs, for `brandes info`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::bench::predict::Rate;
use brandes::report::words::duration;

/// The seconds from which a run is long: `brandes info` gives advice, and `brandes run` warns.
pub const LONG_RUN: f64 = 3600.0;

/// The participants of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Searchers {
    /// CPU workers and devices as `brandes run` uses them with the same `--device`.
    #[default]
    Run,
    /// CPU workers, without devices (`--device none`).
    Cpu,
    /// A device alone (`--cpu-workers 0`).
    Device,
}

/// The predicted time of one way to run.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Prediction {
    /// The participants.
    pub who: Searchers,
    /// Strategy as on the command line: `cpu` without a device; null if the devices of a run use
    /// different strategies.
    pub strategy: Option<&'static str>,
    /// Number of the device, for a device alone.
    pub device: Option<usize>,
    /// CPU workers.
    pub cpu_workers: usize,
    /// The participants in words.
    pub how: String,
    /// Seconds of the whole search; null if it could not be measured.
    pub seconds: Option<f64>,
    /// Whether the time is an upper bound: the samples were too small to keep the engine busy.
    pub at_most: bool,
    /// Seconds that do not depend on the number of roots.
    pub fixed_seconds: Option<f64>,
    /// Seconds per root.
    pub root_seconds: Option<f64>,
    /// Roots of the graph as prepared for it.
    pub roots: usize,
    /// Roots of the largest sample.
    pub roots_measured: usize,
    /// Seconds of the largest sample.
    pub seconds_measured: f64,
    /// Bytes of the buffers on the device.
    pub device_bytes: Option<u64>,
    /// Why there is no prediction.
    pub failure: Option<String>,
}

impl Prediction {
    /// Returns a prediction without a measurement or a device.
    pub fn new(who: Searchers, how: String, cpu_workers: usize, roots: usize) -> Prediction {
        Prediction {
            who,
            how,
            cpu_workers,
            roots,
            ..Prediction::default()
        }
    }

    /// Returns the prediction with a measured rate.
    pub fn measured(mut self, rate: &Rate) -> Prediction {
        self.seconds = Some(rate.seconds());
        self.at_most = rate.at_most;
        self.fixed_seconds = Some(rate.fixed);
        self.root_seconds = Some(rate.per_root);
        self.roots = rate.roots;
        self.roots_measured = rate.roots_measured;
        self.seconds_measured = rate.seconds_measured;
        self
    }

    /// Returns the prediction with the reason why it could not be measured.
    pub fn failed(mut self, reason: impl ToString) -> Prediction {
        self.failure = Some(reason.to_string());
        self
    }

    /// Returns the time in words, if there is one.
    pub fn words(&self) -> Option<String> {
        let at_most = if self.at_most { "at most " } else { "" };
        Some(format!("{at_most}{}", duration(self.seconds?)))
    }
}

/// Returns the prediction of the shortest time.
pub fn best(predictions: &[Prediction]) -> Option<&Prediction> {
    let timed = predictions.iter().filter_map(|p| Some((p, p.seconds?)));
    let first = timed.min_by(|(_, a), (_, b)| a.total_cmp(b));
    first.map(|(prediction, _)| prediction)
}

/// Returns the number of sources that a run finishes in about a minute at `root_seconds` per root,
/// rounded down to two digits. With `contracted`, searches serve sources inside chains (paths of
/// degree-2 vertices), and a source needs the searches from both ends of its chain.
pub fn roots_of_a_minute(root_seconds: f64, contracted: bool) -> u64 {
    let sources = 60.0 / root_seconds.max(1e-9) / if contracted { 2.0 } else { 1.0 };
    let digits = 10f64.powf((sources.max(1.0).log10().floor() - 1.0).max(0.0));
    ((sources / digits).floor() * digits).max(1.0) as u64
}

/// Returns advice for a run that is predicted to take [`LONG_RUN`] or more; none for other runs.
pub fn advice(predictions: &[Prediction], contracted: bool) -> Vec<String> {
    let long = |p: &&Prediction| p.who == Searchers::Run && p.seconds >= Some(LONG_RUN);
    let Some(run) = predictions.iter().find(long) else {
        return Vec::new();
    };
    let mut advice = Vec::new();
    let enough = run.seconds.map(|seconds| 0.8 * seconds);
    let faster = best(predictions).filter(|best| best.seconds < enough);
    if let Some((best, words)) = faster.and_then(|best| Some((best, best.words()?))) {
        advice.push(format!("{} would take {words}", best.how));
    }
    if predictions.iter().all(|p| p.who != Searchers::Device) {
        advice.push("a GPU would be faster; 'brandes devices' lists the devices".into());
    }
    advice.extend(run.root_seconds.map(|root_seconds| {
        format!(
            "'brandes run' with --roots {} takes about a minute, and gives partial scores",
            roots_of_a_minute(root_seconds, contracted)
        )
    }));
    advice
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prediction(who: Searchers, how: &str, per_root: f64) -> Prediction {
        Prediction::new(who, how.into(), 2, 0).measured(&Rate {
            roots: 1_000_000,
            fixed: 0.0,
            per_root,
            at_most: who == Searchers::Device,
            roots_measured: 10,
            seconds_measured: 1.0,
        })
    }

    #[test]
    fn long_runs_get_advice_and_short_ones_none() {
        let run = prediction(Searchers::Run, "run", 0.02);
        let lines = advice(std::slice::from_ref(&run), false);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("a GPU would be faster"));
        assert!(
            lines[1].contains("--roots 3000 takes about a minute"),
            "{lines:?}"
        );
        let device = prediction(Searchers::Device, "--strategy warp", 0.001);
        let lines = advice(&[run, device], false);
        assert_eq!(lines[0], "--strategy warp would take at most 17 min");
        assert_eq!(lines.len(), 2);
        assert!(advice(&[prediction(Searchers::Run, "run", 0.001)], false).is_empty());
        assert!(advice(&[], true).is_empty());
    }

    #[test]
    fn samples_have_two_digits_and_at_least_a_root() {
        let roots = |seconds| roots_of_a_minute(seconds, false);
        assert_eq!(roots(0.0131), 4500);
        assert_eq!(roots(7.0), 8);
        assert_eq!(roots(1000.0), 1);
        assert_eq!(roots_of_a_minute(0.02, true), 1500);
    }
}
