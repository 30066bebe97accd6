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

/// Returns whether a comment may be a row whose first label starts with `#`: it has as many parts
/// between single separators as there are columns, and the first is like `#name`.
pub(super) fn looks_like_row(line: &[u8], columns: usize) -> bool {
    let line = line.trim_ascii();
    let word = matches!(line, [b'#', next, ..] if next.is_ascii_alphanumeric() || *next >= 0x80);
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || b",;|".contains(byte);
    word && line.split(is_between).count() == columns
}
