//! Signs of formats: what the first bytes of their files look like.

use regex::bytes::{RegexSet, RegexSetBuilder};

/// Matches nothing.
pub(super) const NO_SIGN: &str = "[a&&b]";

/// All signs of a table: expressions that match the first bytes of a file, in any case.
pub(super) fn signs(all: impl Iterator<Item = &'static str>) -> RegexSet {
    let set = RegexSetBuilder::new(all.map(|sign| format!(r"\A(?:{sign})")))
        .unicode(false)
        .case_insensitive(true)
        .dot_matches_new_line(true)
        .build();
    // Never an error: all are literals, of which tests recognise a file each.
    set.unwrap_or_default()
}
