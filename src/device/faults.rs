//! Planned failures, so that tests can see what a failing device does to a run.

use std::fmt;
use std::str::FromStr;

use super::DeviceError;

/// A point at which a device can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Looking for platforms.
    Platform,
    /// Making context and queue.
    Context,
    /// Building the kernels.
    Build,
    /// The self-test.
    WarmUp,
    /// Allocating and filling buffers.
    Allocate,
    /// In mid-run, at the search call of this number (from 1).
    Search(u32),
    /// Reading the scores back.
    Collect,
    /// The driver thread panics at its first search.
    Panic,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Platform => f.write_str("platform"),
            Step::Context => f.write_str("context"),
            Step::Build => f.write_str("build"),
            Step::WarmUp => f.write_str("warm-up"),
            Step::Allocate => f.write_str("allocate"),
            Step::Search(call) => write!(f, "search:{call}"),
            Step::Collect => f.write_str("collect"),
            Step::Panic => f.write_str("panic"),
        }
    }
}

impl FromStr for Step {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "platform" => Step::Platform,
            "context" => Step::Context,
            "build" => Step::Build,
            "warm-up" => Step::WarmUp,
            "allocate" => Step::Allocate,
            "collect" => Step::Collect,
            "panic" => Step::Panic,
            other => match other.strip_prefix("search:").map(str::parse) {
                Some(Ok(call)) => Step::Search(call),
                _ => {
                    return Err(format!(
                        "'{other}' is none of platform, context, build, warm-up, allocate, search:N, collect, panic"
                    ));
                }
            },
        })
    }
}

/// The failure planned for the devices of a run, if any.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Faults(pub Option<Step>);

impl Faults {
    /// Fails if a failure is planned here.
    pub fn check(self, step: Step) -> Result<(), DeviceError> {
        if self.0 == Some(step) {
            Err(DeviceError::Planned(step))
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_read_as_they_print() {
        for step in [
            Step::Platform,
            Step::Context,
            Step::Build,
            Step::WarmUp,
            Step::Allocate,
            Step::Search(3),
            Step::Collect,
            Step::Panic,
        ] {
            assert_eq!(step.to_string().parse(), Ok(step));
        }
        assert!("search:x".parse::<Step>().is_err());
    }
}
