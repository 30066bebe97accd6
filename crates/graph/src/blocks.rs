//! Parses lines on all cores. A thread that needs a block of whole lines reads, decompresses and
//! cuts it while the other threads parse theirs.

use std::iter;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam::queue::SegQueue;
use memchr::{memchr, memrchr};
use rayon::prelude::*;

use super::error::Problem;
use super::input::{Decoded, LineReader};

/// The size of a block in bytes: a block stays in a core's cache while it is parsed.
const BLOCK: usize = 1 << 20;

/// The limit of [`parse`] for the bytes of a line if each line has one edge.
pub(super) const LONGEST_ROW: usize = 1 << 20;

/// Reads the lines of a block one by one, and returns their number. `read` reads the line at a
/// position and returns where the next one starts.
///
/// # Errors
/// The [`Problem`] of the first line for which `read` returns one, with the line of the block.
#[inline]
pub(super) fn read_lines(
    text: &[u8],
    mut read: impl FnMut(usize) -> Result<usize, Problem>,
) -> Result<u64, Problem> {
    let (mut position, mut line) = (0, 0);
    while position < text.len() {
        line += 1;
        position = read(position).map_err(|problem| problem.at(line))?;
    }
    Ok(line)
}

/// Returns the line at a position, without its end, and where the next one starts.
pub(super) fn line_at(text: &[u8], position: usize) -> (&[u8], usize) {
    let rest = &text[position..];
    let length = memchr(b'\n', rest).unwrap_or(rest.len());
    let line = rest[..length].strip_suffix(b"\r");
    (line.unwrap_or(&rest[..length]), position + length + 1)
}

/// The parsed value of a block and the number of its lines, or its first problem.
pub(super) type ParsedBlock<T> = Result<(T, u64), Problem>;

/// Parses the rest of `lines` in blocks and returns the parsed values in the order of the text.
/// `parse` receives the text of a block, whose last line may lack its end, and the number of rows
/// before it, which `count_rows` counts. It returns a value and the number of lines of the block. A
/// line of more than `longest` bytes may be refused, so that memory is limited.
///
/// # Errors
/// The first [`Problem`] of the text.
pub(super) fn parse<T: Send>(
    lines: &mut LineReader<'_>,
    longest: usize,
    count_rows: fn(&[u8]) -> u64,
    parse: impl Fn(&[u8], u64) -> ParsedBlock<T> + Sync,
) -> Result<Vec<T>, Problem> {
    let mut number = lines.number;
    let (mut carry, stream) = lines.take_rest();
    // After a failure, no thread gets another block. Blocks are handed out in order, so the earlier
    // ones are parsed nevertheless.
    let failed = AtomicBool::new(false);
    // Buffers of parsed blocks, for reuse.
    let free = SegQueue::new();
    let mut rows = 0;
    // Threads take turns at reading and cutting the next block.
    let blocks = iter::from_fn(|| {
        let text = free.pop().unwrap_or_default();
        let text = next_block(stream, longest, &mut carry, text).transpose()?;
        let before = rows;
        rows += text.as_ref().map_or(0, |text| count_rows(text));
        (!failed.load(Ordering::Relaxed)).then_some((before, text))
    });
    let parse_block = |(index, (before, text)): (usize, (u64, Result<Vec<u8>, Problem>))| {
        let result = text.and_then(|text| {
            let result = parse(&text, before);
            free.push(text);
            result
        });
        failed.fetch_or(result.is_err(), Ordering::Relaxed);
        (index, result)
    };
    let blocks = blocks.enumerate().par_bridge().map(parse_block);
    let mut blocks: Vec<(usize, ParsedBlock<T>)> = blocks.collect();
    blocks.sort_unstable_by_key(|&(index, _)| index);
    let mut values = Vec::with_capacity(blocks.len());
    for (_, block) in blocks {
        let (value, count) = block.map_err(|problem| problem.after(number))?;
        values.push(value);
        number += count;
    }
    lines.number = number;
    Ok(values)
}

/// Returns the next block of a stream, cut after the end of a line; `None` at the end. `carry`
/// holds text that was read but is not in a block yet.
fn next_block(
    stream: &mut Decoded<'_>,
    longest: usize,
    carry: &mut Vec<u8>,
    mut text: Vec<u8>,
) -> Result<Option<Vec<u8>>, Problem> {
    if stream.ended {
        return Ok(Some(mem::take(carry)).filter(|text| !text.is_empty()));
    }
    let mut end = carry.len();
    // A reused buffer keeps its old text, which is overwritten: only the added part is cleared.
    text.resize(BLOCK.max(2 * end), 0);
    text[..end].copy_from_slice(carry);
    carry.clear();
    loop {
        text.resize(BLOCK.max(2 * end), 0);
        end = stream.read_to(&mut text, end)?;
        if stream.ended {
            text.truncate(end);
            return Ok((end > 0).then_some(text));
        }
        if let Some(last) = memrchr(b'\n', &text) {
            carry.extend_from_slice(&text[last + 1..]);
            text.truncate(last + 1);
            return Ok(Some(text));
        }
        if end > longest {
            return Err(Problem::line_too_long(longest).at(1));
        }
    }
}
