//! Tests of decompression and of lines.

use niffler::send::compression::Format as Compression;
use proptest::prelude::*;

use super::*;
use crate::tests::compressed;

fn lines(bytes: &[u8], buffer: usize) -> Result<Vec<Vec<u8>>, Problem> {
    let mut reader = LineReader::with_buffer(Box::new(bytes), Arc::default(), buffer)?;
    let mut lines = Vec::new();
    while let Some(line) = reader.line()? {
        lines.push(line.to_vec());
    }
    assert_eq!(reader.number, lines.len() as u64);
    assert_eq!(reader.bytes_taken(), bytes.len() as u64);
    Ok(lines)
}

const FORMATS: [Compression; 4] = [
    Compression::Gzip,
    Compression::Zstd,
    Compression::Bzip,
    Compression::Lzma,
];

#[test]
fn lines_end_at_lf_cr_lf_or_the_end() {
    let expected = [&b"a"[..], b"", b"b\rc", b"d"];
    assert_eq!(lines(b"a\n\r\nb\rc\r\nd", 4).expect("plain"), expected);
    assert_eq!(lines(b"a\n\nb\rc\nd\n", 4).expect("plain"), expected);
    assert_eq!(lines(b"\xef\xbb\xbfa\n", 9).expect("plain"), [b"a"]);
}

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
    let refused = |bytes: &[u8]| lines(bytes, 8).expect_err("no lines").to_string();
    assert!(refused(b"").starts_with("the file is empty"));
    assert_eq!(lines(b"1 2", 8).expect("plain"), [b"1 2"]);
    assert_eq!(lines(b"\n", 8).expect("plain"), [b""]);
    assert_eq!(lines(b"BZ1 A\n", 64).expect("plain"), [b"BZ1 A"]);
    assert!(refused(b"\x1f\x8b").starts_with("the gzip data ends early"));
    assert!(refused(b"\x28\xb5\x2f\xfd").starts_with("the zstd data ends early"));
}

#[test]
fn members_of_a_compressed_file_are_read_one_after_the_other() {
    for format in FORMATS {
        let mut bytes = compressed(b"a b\nc", format);
        bytes.extend(compressed(b" d\n", format));
        assert_eq!(lines(&bytes, 4).expect("whole"), [b"a b", b"c d"]);
        let error = lines(&compressed(b"", format), 4).expect_err("no lines");
        assert!(
            error.to_string().starts_with("the file is empty"),
            "{error}"
        );
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
            let result = lines(&bytes[..length], 64);
            assert!(
                matches!(&result, Err(e) if e.to_string().contains("data ends early")),
                "{result:?}, {format:?} cut to {length} of {} bytes",
                bytes.len()
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
fn other_bytes_after_compressed_data_are_refused() {
    for format in FORMATS {
        let result = lines(
            &[&compressed(b"a b\n", format)[..], b"xyz, and more"].concat(),
            64,
        );
        assert!(
            matches!(&result, Err(e) if e.to_string().contains("damaged")),
            "{format:?}: {result:?}"
        );
    }
}

#[test]
fn no_lines_are_left_after_the_rest_is_taken() {
    let stream = Box::new(&b"a\nb\n"[..]);
    let mut lines = LineReader::with_buffer(stream, Arc::default(), 2).expect("two lines");
    assert_eq!(lines.take_rest().0, b"a\n");
    assert_eq!(lines.line(), Ok(None));
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
