//! Cuts text into rows and columns, and finds headers and preambles.

pub(crate) mod cells;
pub(crate) mod header;
pub(super) mod preamble;
pub(super) mod sample;

/// The sign between columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Delimiter {
    /// Any number of blanks and tabs.
    #[default]
    Blanks,
    /// One character.
    Byte(u8),
}

/// Returns whether a comment may be a row whose first label starts with `#`.
pub(super) fn looks_like_row(line: &[u8]) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte >= 0x80;
    matches!(line.trim_ascii(), [b'#', next, ..] if is_letter(*next))
}
