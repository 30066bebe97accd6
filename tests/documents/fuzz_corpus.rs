//! Repeats the fuzzer's work on stable Rust: reads every input of `tests/data/inputs`, whole and
//! mutilated, as every format.

#[path = "../../fuzz/input.rs"]
mod input;

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::table;

/// Returns all files below a folder.
fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder of inputs") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, all);
        } else {
            all.push(path);
        }
    }
}

#[test]
fn no_input_makes_a_reader_panic() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    files(&root.join("tests/data/inputs"), &mut all);
    files(&root.join("fuzz/found"), &mut all);
    all.retain(|path| path.extension().is_none_or(|suffix| suffix != "md"));
    let mut inputs = Vec::new();
    for path in all {
        let text = fs::read(&path).expect("a readable file");
        // The fuzzer's findings begin with two bytes that select how to read them.
        match path.starts_with(root.join("fuzz/found")) {
            true => input::check(&text),
            false => inputs.push(text),
        }
    }
    let inline = table::cases().into_iter().filter_map(|case| case.text);
    inputs.extend(inline.map(String::into_bytes));
    assert!(inputs.len() > 120);
    for (index, text) in inputs.iter().enumerate() {
        for format in 0..input::FORMATS.len() as u8 {
            let flags = (index as u8)
                .wrapping_mul(37)
                .wrapping_add(format.wrapping_mul(59));
            let mut bytes = vec![format, flags];
            bytes.extend_from_slice(text);
            input::check(&bytes);
            // The input is cut off, or has a changed byte.
            let middle = 2 + (index * 7919 + usize::from(format) * 104_729) % text.len().max(1);
            input::check(&bytes[..middle.min(bytes.len())]);
            if let Some(byte) = bytes.get_mut(middle) {
                *byte ^= 1 << (index % 8);
                input::check(&bytes);
            }
        }
    }
}
