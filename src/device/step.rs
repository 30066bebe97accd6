//! The steps in the use of a device. Tests simulate failures at each of them.

use std::fmt;
use std::str::FromStr;

/// A point at which a device can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The search for platforms.
    Platform,
    /// The creation of context and queue.
    Context,
    /// The build of the kernels.
    Build,
    /// The self-test.
    WarmUp,
    /// The allocation and filling of buffers.
    Allocate,
    /// The call of this number (from 1) that searches.
    Search(u32),
    /// The reading of the sums.
    Collect,
    /// The driver thread panics at its first search.
    Panic,
    /// The driver thread never returns from its first search.
    Hang,
}

/// The names of all steps without a number.
const NAMES: [(&str, Step); 8] = [
    ("platform", Step::Platform),
    ("context", Step::Context),
    ("build", Step::Build),
    ("warm-up", Step::WarmUp),
    ("allocate", Step::Allocate),
    ("collect", Step::Collect),
    ("panic", Step::Panic),
    ("hang", Step::Hang),
];

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, NAMES.iter().find(|(_, step)| step == self)) {
            (Step::Search(call), _) => write!(f, "search:{call}"),
            (_, Some((name, _))) => f.write_str(name),
            (_, None) => Err(fmt::Error),
        }
    }
}

impl FromStr for Step {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let call = text.strip_prefix("search:").map(str::parse);
        if let Some(Ok(call)) = call {
            return Ok(Step::Search(call));
        }
        let known = NAMES.iter().find(|(name, _)| *name == text);
        known.map(|&(_, step)| step).ok_or_else(|| {
            let names = NAMES.map(|(name, _)| name).join(", ");
            format!("'{text}' is none of {names}, search:N")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_read_as_they_print() {
        for step in NAMES
            .map(|(_, step)| step)
            .into_iter()
            .chain([Step::Search(3)])
        {
            assert_eq!(step.to_string().parse(), Ok(step));
        }
        assert!("search:x".parse::<Step>().is_err());
    }
}
