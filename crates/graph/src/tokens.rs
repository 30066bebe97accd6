//! Splits a line into tokens separated by white space, parses numbers, and quotes texts of the
//! input for messages.

use std::iter;

use memchr::memchr_iter;
use regex::bytes::Regex;

/// The part of a line that has not been read. White space is blank, tab, vertical tab, form feed
/// and carriage return.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tokens<'a> {
    rest: &'a [u8],
}

/// Returns whether a byte is white space, line ends included.
pub(super) fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

impl<'a> Tokens<'a> {
    pub fn new(line: &'a [u8]) -> Self {
        Tokens { rest: line }
    }

    #[inline]
    fn skip_space(&mut self) {
        while let [first, rest @ ..] = self.rest
            && is_space(*first)
        {
            self.rest = rest;
        }
    }

    /// Returns the next token, if there is one.
    pub fn token(&mut self) -> Option<&'a [u8]> {
        self.skip_space();
        let end = self.rest.iter().position(|&byte| is_space(byte));
        let (token, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        (!token.is_empty()).then_some(token)
    }

    /// Returns the next token, if there is one, as a number without sign and leading zeros, or as
    /// its text if it is no such number or does not fit in 64 bits.
    #[inline]
    pub fn number(&mut self) -> Option<Result<u64, &'a [u8]>> {
        self.skip_space();
        match plain_number(self.rest, 0) {
            Some((value, end)) if self.rest.get(end).is_none_or(|&byte| is_space(byte)) => {
                self.rest = &self.rest[end..];
                Some(Ok(value))
            }
            _ => self.not_plain(),
        }
    }

    /// Implements [`Self::number`] for all tokens except plain numbers of at most 19 digits.
    #[cold]
    fn not_plain(&mut self) -> Option<Result<u64, &'a [u8]>> {
        let token = self.token()?;
        Some(whole_number(token).ok_or(token))
    }

    /// Returns the unread text.
    pub fn rest(self) -> &'a [u8] {
        self.rest
    }

    /// Returns whether only white space is left.
    pub fn at_end(mut self) -> bool {
        self.skip_space();
        self.rest.is_empty()
    }
}

/// Returns the tokens of a text, each with the line in which it starts. The expression begins with
/// `\A`, so that it matches at the start of the unread text only, and matches at least one byte of
/// every text that does not start with white space.
pub(super) fn find_tokens<'t>(
    expression: &'static Option<Regex>,
    text: &'t [u8],
) -> impl Iterator<Item = (&'t [u8], u64)> {
    let (mut rest, mut line) = (text, 1);
    iter::from_fn(move || {
        while let [first, others @ ..] = rest
            && is_space(*first)
        {
            line += u64::from(*first == b'\n');
            rest = others;
        }
        let (token, others) = rest.split_at(expression.as_ref()?.find(rest)?.end());
        let first_line = line;
        line += memchr_iter(b'\n', token).count() as u64;
        rest = others;
        Some((token, first_line))
    })
}

/// Returns a token for messages: quoted, at most 32 characters, and printable.
pub(super) fn shown(token: &[u8]) -> String {
    const LONGEST: usize = 32;
    // A character has at most four bytes.
    let head = &token[..token.len().min(4 * LONGEST + 4)];
    let text = String::from_utf8_lossy(head);
    let mut characters = text.chars();
    let start: String = characters.by_ref().take(LONGEST).map(printable).collect();
    let dots = characters.next().map_or("", |_| "...");
    format!("'{start}{dots}'")
}

/// Returns a character, or its escape sequence if it is invisible or looks like a blank.
pub(super) fn printable(character: char) -> String {
    let hidden = ('\u{200b}'..='\u{200f}').contains(&character) || character == '\u{feff}';
    let blank = character.is_whitespace() && character != ' ';
    match character.is_control() || blank || hidden {
        true => character.escape_default().to_string(),
        false => character.to_string(),
    }
}

/// Implements [`plain_number`] for numbers of up to seven digits, which are parsed in one word.
#[inline]
fn short_number(text: &[u8], position: usize) -> Option<(u64, usize)> {
    const HIGH: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    const ZEROS: u64 = 0x3030_3030_3030_3030;
    let word = u64::from_le_bytes(*text.get(position..)?.first_chunk()?);
    // Bytes that are digits are zero in `other`: the upper half of a digit is 3, and stays 3 when 6
    // is added. Only other bytes may carry into the next byte, so `other` is correct up to its
    // first nonzero byte.
    let other =
        ((word & HIGH) ^ ZEROS) | ((word.wrapping_add(0x0606_0606_0606_0606) & HIGH) ^ ZEROS);
    let digits = other.trailing_zeros() as usize / 8;
    let leading_zero = digits > 1 && word as u8 == b'0';
    if digits == 0 || digits > 7 || leading_zero {
        return None;
    }
    // The shift puts zeros before the digits. Groups of two, four and then eight digits become
    // numbers.
    let word = (word ^ ZEROS) << (64 - 8 * digits);
    let pairs = (word.wrapping_mul(10) + (word >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs.wrapping_mul(100) + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    let value = (fours.wrapping_mul(10_000) + (fours >> 32)) & 0xffff_ffff;
    Some((value, position + digits))
}

/// Returns the number without sign and leading zeros at `position`, and the position of its end;
/// `None` if there is none, or it has more than 19 digits.
#[inline]
pub(super) fn plain_number(text: &[u8], position: usize) -> Option<(u64, usize)> {
    /// Any number with this many digits fits in 64 bits.
    const SAFE_DIGITS: usize = 19;
    if let Some(number) = short_number(text, position) {
        return Some(number);
    }
    let (mut value, mut end) = (0u64, position);
    while let Some(&byte) = text.get(end) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        end += 1;
    }
    let digits = end - position;
    let plain = digits == 1 || (digits > 1 && digits <= SAFE_DIGITS && text[position] != b'0');
    plain.then_some((value, end))
}

/// Parses a text as a number without sign and leading zeros; `None` if it is not one, or does not
/// fit in 64 bits.
#[inline]
pub(super) fn whole_number(text: &[u8]) -> Option<u64> {
    match plain_number(text, 0) {
        Some((number, end)) => (end == text.len()).then_some(number),
        // The largest 64-bit numbers have 20 digits.
        None if matches!(text, [b'1', ..]) => str::from_utf8(text).ok()?.parse().ok(),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_plain_unsigned_decimals() {
        let mut tokens = Tokens::new(b" 0\t12 18446744073709551615 18446744073709551616 ");
        assert_eq!(tokens.number(), Some(Ok(0)));
        assert_eq!(tokens.number(), Some(Ok(12)));
        assert_eq!(tokens.number(), Some(Ok(u64::MAX)));
        assert_eq!(tokens.number(), Some(Err(&b"18446744073709551616"[..])));
        assert!(tokens.at_end());
        assert_eq!(tokens.number(), None);
        for other in ["-5", "+5", "007", "00", "1.5", "1e3", "x", "0x1"] {
            let number = Tokens::new(other.as_bytes()).number();
            assert_eq!(number, Some(Err(other.as_bytes())));
        }
    }

    #[test]
    fn messages_show_short_printable_tokens() {
        assert_eq!(shown("Zoë".as_bytes()), "'Zoë'");
        assert_eq!(shown(b"a\x00\xff"), "'a\\u{0}\u{fffd}'");
        let long = shown(&[b'x'; 1000]);
        assert_eq!(long, format!("'{}...'", "x".repeat(32)));
    }
}
