//! Tests of decompression and of lines.

use niffler::send::compression::Format as Compression;
use proptest::prelude::*;

use super::*;
use crate::tests::compressed;

fn lines(bytes: &[u8], buffer: usize) -> Result<Vec<Vec<u8>>, Problem> {
    let count = Arc::default();
    let mut reader = LineReader::with_buffer(Box::new(bytes), Arc::clone(&count), buffer)?;
    let mut lines = Vec::new();
    while let Some(line) = reader.line()? {
        lines.push(line.to_vec());
    }
    assert_eq!(reader.number, lines.len() as u64);
    assert_eq!(count.load(Ordering::Relaxed), bytes.len() as u64);
    Ok(lines)
}

const FORMATS: [Compression; 4] = [
    Compression::Gzip,
    Compression::Zstd,
    Compression::Bzip,
    Compression::Lzma,
];

#[test]
fn a_line_can_be_returned_twice() {
    let mut reader =
        LineReader::with_buffer(Box::new(&b"ab\ncd"[..]), Arc::default(), 2).expect("plain");
    reader.step_back();
    for (line, number) in [(b"ab", 1), (b"cd", 2)] {
        for _ in 0..2 {
            assert_eq!(reader.line(), Ok(Some(&line[..])));
            assert_eq!(reader.number, number);
            reader.step_back();
        }
        reader.line().expect("plain");
    }
    assert_eq!(reader.line(), Ok(None));
}

#[test]
fn a_reader_used_as_a_stream_counts_lines() {
    let mut reader =
        LineReader::with_buffer(Box::new(&b"ab\ncd\n\ne"[..]), Arc::default(), 3).expect("plain");
    let mut text = vec![0; 5];
    reader.read_exact(&mut text).expect("memory can be read");
    assert_eq!((&text[..], reader.number), (&b"ab\ncd"[..], 2));
    let mut text = String::new();
    reader
        .read_to_string(&mut text)
        .expect("memory can be read");
    assert_eq!((&text[..], reader.number), ("\n\ne", 4));
}

#[test]
fn short_inputs_are_text_unless_they_start_like_compressed_data() {
    for (bytes, expected) in [
        (&b"1 2"[..], "1 2"),
        (b"\n", ""),
        (b"BZ1 A\n", "BZ1 A"),
        (b"\xef\xbb\xbfa\n", "a"),
    ] {
        assert_eq!(lines(bytes, 64).expect("plain"), [expected.as_bytes()]);
    }
    let damaged = b"\x1f\x8b\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    for (bytes, expected) in [
        (&b""[..], "the file is empty"),
        (b"\x1f\x8b", "the gzip data ends early (fetch or compress"),
        (damaged, "the gzip data is damaged: "),
        (b"\x28\xb5\x2f\xfd", "the zstd data ends early"),
    ] {
        let error = lines(bytes, 8).expect_err("no lines").to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn members_of_a_compressed_file_are_read_one_after_the_other() {
    for format in FORMATS {
        let mut bytes = compressed(b"a b\nc", format);
        bytes.extend(compressed(b" d\n", format));
        assert_eq!(lines(&bytes, 4).expect("whole"), [b"a b", b"c d"]);
        bytes.extend(b"xyz, and more");
        for (bytes, expected) in [
            (bytes, "damaged"),
            (compressed(b"", format), "the file is empty"),
        ] {
            let error = lines(&bytes, 64).expect_err("no lines").to_string();
            assert!(error.contains(expected), "{format:?}: {error}");
        }
    }
}

#[test]
fn cut_and_damaged_compressed_data_is_noticed() {
    let text: Vec<u8> = (0..2000u32)
        .flat_map(|i| i.to_string().into_bytes())
        .collect();
    for format in FORMATS {
        let bytes = compressed(&text, format);
        for length in (4..bytes.len()).step_by(7).chain([bytes.len() - 1]) {
            let error = lines(&bytes[..length], 64)
                .expect_err("cut data")
                .to_string();
            assert!(
                error.contains("data ends early"),
                "{format:?} cut to {length}: {error}"
            );
        }
    }
    let mut bytes = compressed(&text, Compression::Gzip);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    let error = lines(&bytes, 64).expect_err("a wrong byte").to_string();
    assert!(error.contains("is damaged"), "{error}");
}

#[test]
fn the_rest_is_the_text_that_was_not_returned() {
    let stream = Box::new(&b"a\nb\nc\n"[..]);
    let mut lines = LineReader::with_buffer(stream, Arc::default(), 4).expect("three lines");
    assert_eq!(lines.line(), Ok(Some(&b"a"[..])));
    assert_eq!(lines.take_rest().0, b"b\n");
    assert_eq!(name(Path::new("-")), "<stdin>");
}

proptest! {
    #[test]
    fn any_buffer_size_gives_the_same_lines(
        text in "[ab\n\r]{1,40}",
        buffer in 1usize..12,
    ) {
        let mut expected: Vec<&str> = text.split('\n').collect();
        if text.ends_with('\n') {
            expected.pop();
        }
        let expected: Vec<Vec<u8>> = expected
            .into_iter()
            .map(|line| line.strip_suffix('\r').unwrap_or(line).as_bytes().to_vec())
            .collect();
        prop_assert_eq!(lines(text.as_bytes(), buffer), Ok(expected));
    }
}
