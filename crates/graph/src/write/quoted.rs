//! Writes labels in columns, with quotes as in RFC 4180 where they would be misread otherwise.

use std::io::{self, Write};

use crate::{Labels, Vertex};

/// Writes the label of `v`.
pub(super) fn write_label(labels: &Labels, v: Vertex, mut out: &mut dyn Write) -> io::Result<()> {
    if !matches!(labels, Labels::Names { .. }) {
        return labels.write(v, &mut out);
    }
    let name = labels.name(v);
    if name.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
        let text = format!(
            "a row cannot hold the name '{}', which has a line end (write .graphml or .npz)",
            name.escape_ascii()
        );
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    if name.is_empty() {
        let text = "a row cannot hold an empty name (write .graphml or .npz)";
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    match needs_quotes(name) {
        true => write_quoted(name, out),
        false => out.write_all(name),
    }
}

/// Writes a name in quotes and doubles the quotes inside.
///
/// # Errors
/// Those of `out`.
pub fn write_quoted(name: &[u8], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"\"")?;
    for part in name.split_inclusive(|&byte| byte == b'"') {
        out.write_all(part)?;
        if part.ends_with(b"\"") {
            out.write_all(b"\"")?;
        }
    }
    out.write_all(b"\"")
}

/// Returns whether a name contains a delimiter, consists of punctuation, starts like a comment or
/// another format, ends with a colon as the first name of a row of an adjacency list does, or looks
/// like a number.
fn needs_quotes(name: &[u8]) -> bool {
    let delimiter =
        |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0x0b | b',' | b';' | b'"' | b'|');
    // The last byte starts a byte order mark.
    let start = b"#%!/;([{<*'\xef";
    name.iter().any(delimiter)
        || name.iter().all(u8::is_ascii_punctuation)
        || name.first().is_some_and(|first| start.contains(first))
        || name.ends_with(b":")
        || std::str::from_utf8(name).is_ok_and(|name| name.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_need_them_have_quotes() {
        for (name, text) in [
            ("ann", "ann"),
            ("Zoë", "Zoë"),
            ("7a", "7a"),
            ("007", "\"007\""),
            ("-1.5", "\"-1.5\""),
            ("#1", "\"#1\""),
            ("a b", "\"a b\""),
            ("a,b", "\"a,b\""),
            ("a:", "\"a:\""),
            ("a:b", "a:b"),
            ("a\"b", "\"a\"\"b\""),
            ("\"", "\"\"\"\""),
        ] {
            let labels = Labels::Names {
                bytes: name.into(),
                offsets: vec![0, name.len()],
            };
            let mut out = Vec::new();
            write_label(&labels, 0, &mut out).expect("memory can be written");
            assert_eq!(String::from_utf8_lossy(&out), text);
        }
    }
}
