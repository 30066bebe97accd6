//! Cuts text into rows and columns, and finds headers and preambles.

pub(super) mod attributes;
pub(crate) mod cells;
pub(crate) mod header;
pub(super) mod preamble;
pub(super) mod sample;

use std::str::FromStr;

/// The sign between columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Delimiter {
    /// Any number of blanks and tabs.
    #[default]
    Blanks,
    /// One character.
    Byte(u8),
}

impl FromStr for Delimiter {
    type Err = String;

    /// Reads the name of a delimiter, or the character itself.
    fn from_str(text: &str) -> Result<Delimiter, String> {
        match text {
            "blanks" | "blank" | " " => Ok(Delimiter::Blanks),
            "comma" => Ok(Delimiter::Byte(b',')),
            "semicolon" => Ok(Delimiter::Byte(b';')),
            "tab" | "\\t" => Ok(Delimiter::Byte(b'\t')),
            _ => match *text.as_bytes() {
                [byte] if byte != b'"' && !byte.is_ascii_alphanumeric() => {
                    Ok(Delimiter::Byte(byte))
                }
                _ => Err(format!(
                    "'{text}' is neither comma, semicolon, tab, blanks nor a single character"
                )),
            },
        }
    }
}

/// Returns whether a comment may be a row whose first label starts with `#`: it has as many parts
/// between single separators as there are columns, and the first is like `#name`.
pub(super) fn looks_like_row(line: &[u8], columns: usize) -> bool {
    let line = line.trim_ascii();
    let word = matches!(line, [b'#', next, ..] if next.is_ascii_alphanumeric() || *next >= 0x80);
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || b",;|".contains(byte);
    word && line.split(is_between).count() == columns
}
