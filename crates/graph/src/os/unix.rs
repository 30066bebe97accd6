//! Files and processes on Unix.

use std::fs::Permissions;
pub use std::fs::rename;
use std::os::unix::fs::PermissionsExt;

use tempfile::Builder;

/// The advice on a lack of memory.
pub const MORE_MEMORY: &str = "raise the limit of the process: ulimit -v";
/// The advice on threads that cannot be started.
pub const MORE_THREADS: &str = "raise the limits of the process: ulimit -u and -v";

/// Makes new files readable and writable for all whom the umask of the process allows.
pub fn set_usual_mode(builder: &mut Builder) {
    builder.permissions(Permissions::from_mode(0o666));
}

/// Returns the number of bytes of physical memory, if it is known.
pub fn physical_memory() -> Option<u64> {
    let numbers = [libc::_SC_PHYS_PAGES, libc::_SC_PAGESIZE];
    // SAFETY: the calls have no pointers.
    let [pages, size] = numbers.map(|number| unsafe { libc::sysconf(number) });
    u64::try_from(pages.checked_mul(size)?).ok()
}

/// Ends the process, without exit handlers.
pub fn end_process(code: i32) -> ! {
    // SAFETY: `_exit` ends the process and does not return.
    unsafe { libc::_exit(code) }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::*;
    use crate::output::{Output, check_distinct};

    fn written(path: &Path) {
        let mut out = Output::open(path).unwrap();
        out.write(|out| out.write_all(b"new")).unwrap();
        out.finish().unwrap();
    }

    #[test]
    fn a_dangling_link_stays_and_leads_to_the_new_file() {
        let folder = tempfile::tempdir().unwrap();
        let (link, further) = (folder.path().join("link"), folder.path().join("further"));
        fs::create_dir(folder.path().join("sub")).unwrap();
        symlink("further", &link).unwrap();
        symlink("sub/file", &further).unwrap();
        written(&link);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(fs::symlink_metadata(&further).unwrap().is_symlink());
        let file = folder.path().join("sub/file");
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        written(&link);
        assert_eq!(fs::read_dir(folder.path().join("sub")).unwrap().count(), 1);
        fs::remove_file(&file).unwrap();
        fs::remove_dir(folder.path().join("sub")).unwrap();
        assert!(Output::open(&link).is_err());
        symlink("circle", folder.path().join("circle")).unwrap();
        assert!(Output::open(&folder.path().join("circle")).is_err());
    }

    #[test]
    fn a_replaced_file_keeps_its_mode_and_a_new_file_has_the_usual_mode() {
        let folder = tempfile::tempdir().unwrap();
        let mode = |name: &str| {
            let meta = fs::metadata(folder.path().join(name)).unwrap();
            meta.permissions().mode() & 0o7777
        };
        let private = folder.path().join("private");
        fs::write(&private, "old").unwrap();
        fs::write(folder.path().join("ordinary"), "").unwrap();
        for bits in [0o600, 0o666, 0o755] {
            fs::set_permissions(&private, Permissions::from_mode(bits)).unwrap();
            written(&private);
            assert_eq!(mode("private"), bits);
        }
        written(&folder.path().join("other"));
        assert_eq!(mode("other"), mode("ordinary"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[test]
    fn a_file_by_another_name_is_found_through_links() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("graph"), "0 1").unwrap();
        fs::create_dir(at("sub")).unwrap();
        for (target, link) in [("graph", "link"), ("sub", "way"), ("sub/new", "dangling")] {
            symlink(target, at(link)).unwrap();
        }
        let check = |outputs: [&str; 2]| {
            let [graph, a, b] = ["graph", outputs[0], outputs[1]].map(at);
            check_distinct(&[("the graph", &graph)], &[("--a", &a), ("--b", &b)])
        };
        for name in ["link", "way/../link"] {
            let why = check([name, "other"]).unwrap_err();
            assert!(why.contains("would overwrite the graph"), "{why}");
        }
        for pair in [["sub/new", "way/new"], ["dangling", "sub/new"]] {
            let why = check(pair).unwrap_err();
            assert!(why.contains("are the same file"), "{why}");
        }
        assert_eq!(check(["way/other", "sub/new"]), Ok(()));
    }

    #[test]
    fn devices_may_be_outputs_of_several_kinds() {
        let null = Path::new("/dev/null");
        assert_eq!(
            check_distinct(&[("in", null)], &[("a", null), ("b", null)]),
            Ok(())
        );
    }
}
