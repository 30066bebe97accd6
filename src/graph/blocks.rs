//! Parsing lines on all cores: one thread reads and decompresses the input and cuts it into blocks
//! of whole lines, which the others parse.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Builder};

use crossbeam::channel::{Receiver, Sender, bounded, unbounded};
use memchr::memrchr;

use super::error::Problem;
use super::input::{LineReader, Stream, read_to};

/// Bytes of text in a block: it stays in a core's cache while it is parsed.
const BLOCK: usize = 1 << 20;

/// What is wrong in a block.
#[derive(Debug)]
pub(super) struct Failure {
    /// Line of the block, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub problem: Problem,
}

/// How an input is cut.
pub(super) struct Cut {
    /// Bytes of the longest line that is parsed; a longer one is refused.
    pub longest: usize,
    /// Counts the rows of a text, for parsers that have to know how many came before.
    pub rows: fn(&[u8]) -> u64,
}

impl Cut {
    /// At lines as most formats have them.
    pub const LINES: Cut = Cut {
        longest: 1 << 20,
        rows: |_| 0,
    };
}

/// A block on its way to a parser.
struct Block {
    index: usize,
    text: Vec<u8>,
    /// Rows in the blocks before.
    rows: u64,
}

/// What became of a block: what was parsed and the lines it has, or what is wrong.
pub(super) type Parsed<T> = Result<(T, u64), Failure>;

/// What became of a block, and which one it was.
type Numbered<T> = (usize, Parsed<T>);

/// Parses all lines that `lines` has left, in blocks. `parse` is given the text of a block, whose
/// last line may lack its end, and the rows before it; it returns what it made of them and how many
/// lines there are. What it made comes back in the order of the text.
///
/// # Errors
/// The first [`Problem`] of the text, of which [`LineReader::number`] is then the line.
pub(super) fn parse<T: Send>(
    lines: &mut LineReader<'_>,
    cut: &Cut,
    parse: impl Fn(&[u8], u64) -> Parsed<T> + Sync,
) -> Result<Vec<T>, Problem> {
    let before = lines.number();
    let exhausted = lines.exhausted();
    let (rest, stream) = lines.take_rest();
    let (mut blocks, end) = if exhausted {
        (vec![(0, parse(&rest, 0))], Ok(()))
    } else {
        on_all_cores(rest, stream, cut, parse)
    };
    blocks.sort_unstable_by_key(|&(index, _)| index);
    let mut number = before;
    let mut values = Vec::with_capacity(blocks.len());
    for (_, block) in blocks {
        match block {
            Ok((value, count)) => {
                values.push(value);
                number += count;
            }
            Err(Failure { line, problem }) => {
                lines.set_number(number + line);
                return Err(problem);
            }
        }
    }
    lines.set_number(number + 1);
    end?;
    lines.set_number(number);
    Ok(values)
}

/// Parses `rest` and what `stream` has left; also returns what ended the reading.
fn on_all_cores<T: Send>(
    rest: Vec<u8>,
    stream: &mut Stream<'_>,
    cut: &Cut,
    parse: impl Fn(&[u8], u64) -> Parsed<T> + Sync,
) -> (Vec<Numbered<T>>, Result<(), Problem>) {
    let workers = rayon::current_num_threads();
    // Blocks behind one that failed need no parsing.
    let failed = AtomicUsize::new(usize::MAX);
    let results = Mutex::new(Vec::new());
    let parse_block = |block: &Block| {
        if block.index > failed.load(Ordering::Relaxed) {
            return;
        }
        let result = parse(&block.text, block.rows);
        if result.is_err() {
            failed.fetch_min(block.index, Ordering::Relaxed);
        }
        if let Ok(mut results) = results.lock() {
            results.push((block.index, result));
        }
    };
    let end = thread::scope(|scope| {
        let (send, receive) = bounded::<Block>(workers);
        let (give_back, free) = unbounded();
        let mut started = 0;
        for _ in 0..workers {
            let (receive, give_back): (Receiver<Block>, Sender<_>) =
                (receive.clone(), give_back.clone());
            let work = || {
                let (receive, give_back) = (receive, give_back);
                for block in receive {
                    parse_block(&block);
                    // The reader may have gone.
                    let _ = give_back.send(block.text);
                }
            };
            started += usize::from(Builder::new().spawn_scoped(scope, work).is_ok());
        }
        drop((receive, give_back));
        let mut cutter = Cutter {
            stream,
            cut,
            carry: rest,
            free,
            buffers: 2 * workers + 1,
        };
        let (mut index, mut rows) = (0, 0);
        while failed.load(Ordering::Relaxed) == usize::MAX {
            let Some(text) = cutter.next()? else {
                break;
            };
            let block = Block { index, text, rows };
            rows += (cut.rows)(&block.text);
            index += 1;
            if started == 0 {
                parse_block(&block);
            } else if send.send(block).is_err() {
                break;
            }
        }
        Ok(())
    });
    (results.into_inner().unwrap_or_default(), end)
}

/// Cuts a stream behind ends of lines.
struct Cutter<'c, 's, 'a> {
    stream: &'s mut Stream<'a>,
    cut: &'c Cut,
    /// Text that was read and not handed out.
    carry: Vec<u8>,
    /// Buffers that parsers are done with.
    free: Receiver<Vec<u8>>,
    /// Buffers that may still be made.
    buffers: usize,
}

impl Cutter<'_, '_, '_> {
    /// The next block; `None` at the end.
    fn next(&mut self) -> Result<Option<Vec<u8>>, Problem> {
        let mut text = self.buffer();
        let mut end = self.carry.len();
        // A buffer that comes back is full of old text: only what it grows by is cleared.
        text.resize(BLOCK.max(2 * end), 0);
        text[..end].copy_from_slice(&self.carry);
        loop {
            let size = BLOCK.max(2 * end);
            text.resize(size, 0);
            let searched = end;
            end = read_to(self.stream, &mut text, end)?;
            if end < size {
                text.truncate(end);
                self.carry.clear();
                return Ok((end > 0).then_some(text));
            }
            // What was carried over holds no end of a line, but for the first text of all.
            let searched = if searched == self.carry.len() {
                0
            } else {
                searched
            };
            if let Some(last) = memrchr(b'\n', &text[searched..]) {
                let kept = searched + last + 1;
                self.carry.clear();
                self.carry.extend_from_slice(&text[kept..]);
                text.truncate(kept);
                return Ok(Some(text));
            }
            if end > self.cut.longest {
                return Err(Problem::line_too_long(self.cut.longest));
            }
        }
    }

    fn buffer(&mut self) -> Vec<u8> {
        if self.buffers > 0 {
            self.buffers -= 1;
            return Vec::with_capacity(BLOCK);
        }
        // Where no thread could be started, none gives a buffer back.
        self.free.recv().unwrap_or_default()
    }
}
