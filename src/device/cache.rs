//! A cache of built programs on disk.
//!
//! Each program is a file in `$BRANDES_CACHE_DIR`, or else in the folder `brandes` of
//! `$XDG_CACHE_HOME` or `~/.cache`, or on Windows of `%LOCALAPPDATA%`. The file name is a hash of
//! the key. A file has a checksum of the key and the binary, then the binary. A file with a wrong
//! checksum is ignored, and overwritten by the next build.

use std::env;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use etcetera::base_strategy::{BaseStrategy, choose_base_strategy};
use xxhash_rust::xxh3::xxh3_64 as checksum;

use super::find::DeviceInfo;

/// Returns the key of a program on a device: all texts that determine its binary. `made_of`
/// contains its compiler options and its source.
pub fn key(info: &DeviceInfo, made_of: &str) -> Vec<u8> {
    let (driver, platform) = (&info.driver, &info.platform);
    let (name, version) = (&info.name, &info.platform_version);
    format!("{name}\n{driver}\n{platform}\n{version}\n{made_of}").into_bytes()
}

/// Returns whether programs of this device are cached. PoCL has its own cache, and compiles each
/// kernel a second time to return its binary, so its programs are cached only if the environment
/// names a folder.
pub fn keeps_programs_of(info: &DeviceInfo) -> bool {
    !info.platform_version.contains("PoCL") || named_folder().is_some()
}

fn path(key: &[u8]) -> Option<PathBuf> {
    Some(folder()?.join(format!("{:016x}.bin", checksum(key))))
}

/// Returns the folder of the cache, if there is a home folder or the environment names one.
pub fn folder() -> Option<PathBuf> {
    let of_system = || Some(choose_base_strategy().ok()?.cache_dir().join("brandes"));
    named_folder().or_else(of_system)
}

fn named_folder() -> Option<PathBuf> {
    let path = env::var_os("BRANDES_CACHE_DIR").filter(|path| !path.is_empty());
    path.map(PathBuf::from)
}

/// Returns the binary of `key`, if the cache has it.
pub fn load(key: &[u8]) -> Option<Vec<u8>> {
    parse(&fs::read(path(key)?).ok()?, key)
}

/// Writes a binary to the cache; returns `None` on failures, which callers may ignore.
pub fn store(key: &[u8], binary: &[u8]) -> Option<()> {
    let path = path(key)?;
    let folder = path.parent()?;
    fs::create_dir_all(folder).ok()?;
    // The file gets its name at the end, so that other runs read only complete files.
    let mut file = tempfile::NamedTempFile::new_in(folder).ok()?;
    file.write_all(&format(key, binary)).ok()?;
    file.persist(path).ok().map(drop)
}

fn format(key: &[u8], binary: &[u8]) -> Vec<u8> {
    let sum = checksum(&[key, binary].concat());
    [&sum.to_le_bytes(), binary].concat()
}

fn parse(file: &[u8], key: &[u8]) -> Option<Vec<u8>> {
    let binary = file.get(size_of::<u64>()..)?;
    (format(key, binary) == file).then(|| binary.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_file_of_the_same_key_is_taken() {
        let key = b"device\nflags\nsource";
        let file = format(key, b"binary\nwith lines");
        assert_eq!(parse(&file, key).unwrap(), b"binary\nwith lines");

        let other = b"device\nflags\nsourcf";
        assert_eq!(parse(&file, other), None);
        for length in 0..file.len() {
            assert_eq!(parse(&file[..length], key), None, "cut to {length} bytes");
        }
        for place in 0..file.len() {
            let mut damaged = file.clone();
            damaged[place] ^= 0x20;
            assert_eq!(parse(&damaged, key), None, "damaged at {place}");
        }
    }
}
