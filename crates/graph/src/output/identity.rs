//! Whether two names stand for one file.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::{destination, folder};

/// A path, and the option or the word that the user knows it by.
pub type Named<'a> = (&'a str, &'a Path);

/// A file, whatever leads to it: its device and inode; of a file to be made, those of its folder,
/// and its name.
type Identity = (u64, u64, Option<OsString>);

/// Refuses outputs that are a file to be read, or the same file as another one, or standard output
/// like another one; in words. Devices and pipes may be shared.
///
/// # Errors
/// Which two, and what to do.
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
        let Some(identity) = identity(path) else {
            continue;
        };
        let shown = path.display();
        let same = |other: &Path| self::identity(other).as_ref() == Some(&identity);
        if let Some((input, _)) = inputs.iter().find(|(_, input)| same(as_input(input))) {
            return Err(format!(
                "{output} {shown} would overwrite {input}; give another name"
            ));
        }
        if let Some((other, _)) = earlier.iter().find(|(_, other)| same(other)) {
            return Err(format!(
                "{other} and {output} are the same file, {shown}; give one another name"
            ));
        }
    }
    Ok(())
}

/// Standard input may be a file.
fn as_input(path: &Path) -> &Path {
    match path == Path::new("-") {
        true => Path::new("/dev/stdin"),
        false => path,
    }
}

/// `None` for what is no regular file, and where none can be.
fn identity(path: &Path) -> Option<Identity> {
    let (meta, name) = match fs::metadata(path) {
        Ok(meta) => (Some(meta).filter(Metadata::is_file)?, None),
        Err(_) => {
            let path = destination(path).ok()?;
            let name = path.file_name()?.to_os_string();
            (fs::metadata(folder(&path)).ok()?, Some(name))
        }
    };
    Some((meta.dev(), meta.ino(), name))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn one_file_by_two_names_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("graph"), "0 1").unwrap();
        fs::create_dir(at("sub")).unwrap();
        for (target, link) in [("graph", "link"), ("sub", "way"), ("sub/new", "dangling")] {
            symlink(target, at(link)).unwrap();
        }
        fs::hard_link(at("graph"), at("hard")).unwrap();
        let check = |outputs: &[&str]| {
            let graph = at("graph");
            let paths: Vec<_> = outputs.iter().map(|name| at(name)).collect();
            let named: Vec<Named> = paths.iter().map(|path| ("--out", path.as_path())).collect();
            check_distinct(&[("the graph", &graph)], &named)
        };
        for name in ["graph", "link", "hard", "sub/../graph", "way/../link"] {
            let why = check(&[name]).unwrap_err();
            assert!(why.contains("would overwrite the graph"), "{why}");
        }
        for pair in [
            ["new", "new"],
            ["sub/new", "way/new"],
            ["dangling", "sub/new"],
        ] {
            let why = check(&pair).unwrap_err();
            assert!(why.contains("are the same file"), "{why}");
        }
        assert_eq!(check(&["new", "sub/new", "way/other", "no/such"]), Ok(()));
        let null = Path::new("/dev/null");
        assert_eq!(
            check_distinct(&[("in", null)], &[("a", null), ("b", null)]),
            Ok(())
        );
        let dash = Path::new("-");
        let why = check_distinct(&[("in", dash)], &[("a", dash), ("b", dash)]);
        assert!(why.unwrap_err().starts_with("a and b cannot both"));
    }
}
