//! Finds different names of one file.

use std::fs;
use std::path::{Path, PathBuf};

use super::destination;

/// A path, and the option or the word for it in messages.
pub type Named<'a> = (&'a str, &'a Path);

/// Refuses an output that would overwrite an input or another output, and a second one that goes to
/// standard output. Devices and pipes may be shared.
///
/// # Errors
/// A message that names both and says what to do.
pub fn check_distinct(inputs: &[Named], outputs: &[Named]) -> Result<(), String> {
    for (position, &(output, path)) in outputs.iter().enumerate() {
        let earlier = &outputs[..position];
        if path == Path::new("-") {
            if let Some((other, _)) = earlier.iter().find(|(_, other)| *other == path) {
                return Err(format!(
                    "{other} and {output} cannot both be standard output; give one a file"
                ));
            }
            continue;
        }
        let Some(file) = regular_file(path) else {
            continue;
        };
        let shown = path.display();
        let is_same = |other: &Path| regular_file(other).as_ref() == Some(&file);
        // Standard input may be redirected from a file.
        let as_file = |input| match input == Path::new("-") {
            true => Path::new("/dev/stdin"),
            false => input,
        };
        if let Some((input, _)) = inputs.iter().find(|(_, input)| is_same(as_file(input))) {
            return Err(format!(
                "{output} {shown} would overwrite {input}; give another name"
            ));
        }
        if let Some((other, _)) = earlier.iter().find(|(_, other)| is_same(other)) {
            return Err(format!(
                "{other} and {output} are the same file, {shown}; give one another name"
            ));
        }
    }
    Ok(())
}

/// Returns the absolute path of a regular file that exists or can be made.
fn regular_file(path: &Path) -> Option<PathBuf> {
    match fs::metadata(path) {
        Ok(meta) if !meta.is_file() => None,
        _ => destination(path).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_by_two_names_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("graph"), "0 1").unwrap();
        fs::create_dir(at("sub")).unwrap();
        let check = |outputs: &[&str]| {
            let graph = at("graph");
            let paths: Vec<_> = outputs.iter().map(|name| at(name)).collect();
            let named: Vec<Named> = paths.iter().map(|path| ("--out", path.as_path())).collect();
            check_distinct(&[("the graph", &graph)], &named)
        };
        for name in ["graph", "sub/../graph"] {
            let why = check(&[name]).unwrap_err();
            assert!(why.contains("would overwrite the graph"), "{why}");
        }
        for pair in [["new", "new"], ["sub/new", "sub/../sub/new"]] {
            let why = check(&pair).unwrap_err();
            assert!(why.contains("are the same file"), "{why}");
        }
        assert_eq!(check(&["new", "sub/new", "no/such"]), Ok(()));
        let dash = Path::new("-");
        let why = check_distinct(&[("in", dash)], &[("a", dash), ("b", dash)]);
        assert!(why.unwrap_err().starts_with("a and b cannot both"));
    }
}
