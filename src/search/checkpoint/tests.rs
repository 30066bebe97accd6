//! Tests of checkpoint files: complete ones, damaged ones, those of other runs and of ranks.

use super::*;
use crate::graph::generate;

fn cycle(n: u32) -> Prepared {
    Prepared::bare(generate::cycle(n).unwrap().csr().clone())
}

fn committed(roots: &[Range<usize>], vertices: &[f64]) -> Committed {
    let (roots, vertices, arcs) = (roots.to_vec(), vertices.to_vec(), None);
    let sums = OwnSums { vertices, arcs };
    Committed { roots, sums }
}

fn origin(run: u64) -> Origin {
    Origin {
        fingerprint: 7,
        run,
        serves_chains: false,
    }
}

#[test]
fn what_is_written_is_read_and_nothing_less() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c");
    assert!(load(&path).unwrap().is_none());
    let vertices: Vec<f64> = (0..9).map(f64::from).collect();
    let committed = committed(&[0..2, 5..6], &vertices);
    write(&path, origin(1), &committed).unwrap();
    let is_same = |checkpoint: LoadedCheckpoint| {
        checkpoint.origin == origin(1)
            && checkpoint.committed.roots == committed.roots
            && checkpoint.committed.sums.vertices == committed.sums.vertices
    };
    assert!(is_same(load(&path).unwrap().unwrap()));

    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        fs::write(&path, &whole[..at]).unwrap();
        assert!(load(&path).is_err(), "{at}");
        let mut spoiled = whole.clone();
        spoiled[at] ^= 4;
        fs::write(&path, &spoiled).unwrap();
        // Padding and dates of the archive do not matter.
        assert!(
            load(&path).map_or(true, |loaded| is_same(loaded.unwrap())),
            "{at}"
        );
    }
    let mut old = Vec::new();
    let head = (KIND, &[1, 7, 1, 0][..]);
    sums_file::write(&mut old, head, &OwnSums::default(), |_| Ok(())).unwrap();
    let no_sums = "holds no sums, or not all of them (remove it";
    for (bytes, refusal) in [
        (&old[..], "another version"),
        // An edge list, and a checkpoint of version 0.2.0.
        (b"0 1\n", no_sums),
        (b"brandes checkpoint, 1.1\nand so on", no_sums),
    ] {
        fs::write(&path, bytes).unwrap();
        let text = load(&path).err().unwrap().to_string();
        assert!(text.contains(refusal), "{text}");
    }
}

#[test]
fn only_the_same_search_resumes_from_a_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c");
    let path = CheckpointPath::File(file.clone());
    let (prepared, other, options) = (cycle(9), cycle(10), SearchOptions::default());
    let loaded = || load(&file).unwrap();
    let resumed = |prepared, options| {
        let recorder = Recorder::new(&path, prepared, options);
        let committed = recorder.resume(loaded()).map_err(|error| error.to_string());
        (recorder, committed)
    };
    let (recorder, none) = resumed(&prepared, &options);
    assert!(none.unwrap().roots.is_empty());
    recorder.save(&committed(&[0..2, 4..5], &[1.0; 9]));
    assert_eq!((recorder.failure(), recorder.done.get()), (None, 3));
    let mut tolerant = cycle(9);
    tolerant.tie_tolerance *= 2.0;
    let (second, committed) = resumed(&prepared, &options);
    let committed = committed.unwrap();
    assert_eq!(
        (&committed.roots[..], second.done.get()),
        (&[0..2, 4..5][..], 3)
    );
    for other in [&other, &tolerant] {
        let refused = resumed(other, &options).1.err().unwrap();
        assert!(refused.contains("is of another graph"), "{refused}");
    }
}

#[test]
fn a_checkpoint_in_a_folder_is_ignored_if_it_does_not_fit() {
    let folder = tempfile::tempdir().unwrap();
    let path = CheckpointPath::Folder(folder.path().into());
    let (prepared, options) = (cycle(9), SearchOptions::default());
    let recorder = Recorder::new(&path, &prepared, &options);
    // The first is of another search, the second has a root too many.
    for (fingerprint, roots) in [(7, 0..2), (recorder.fingerprint(), 8..10)] {
        let origin = Origin {
            fingerprint,
            ..origin(1)
        };
        let committed = committed(&[roots], &[1.0; 9]);
        write(&recorder.path(), origin, &committed).unwrap();
        assert!(recorder.resume(None).unwrap().roots.is_empty());
    }
    // One that cannot be written holds nothing.
    let path = CheckpointPath::File(folder.path().join("missing/c"));
    let recorder = Recorder::new(&path, &prepared, &options);
    recorder.save(&committed(&[0..2, 4..5], &[1.0; 9]));
    assert!(recorder.failure().is_some());
    assert_eq!((recorder.file(), recorder.done.get()), (None, 0));
}

#[test]
fn checkpoints_of_all_ranks_of_one_run_are_added() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c");
    let save = |rank, run, roots: &[Range<usize>]| {
        let file = file_of_rank(&path, rank);
        write(&file, origin(run), &committed(roots, &[1.0; 3])).unwrap();
    };
    save(0, 5, &[]);
    save(1, 5, &[2..4, 6..7]);
    save(12, 5, &[4..5, 9..10]);
    // The checkpoint of an earlier run is ignored.
    save(2, 4, &[0..9, 10..11]);
    let loaded = || load(&path).map(Option::unwrap);
    let Committed { roots, sums } = loaded().unwrap().committed;
    assert_eq!(roots, [2..5, 6..7, 9..10]);
    assert_eq!(sums.vertices, [3.0; 3]);
    save(3, 5, &[3..5, 12..13]);
    let text = loaded().err().unwrap().to_string();
    assert!(text.contains("repeats roots; remove ") && text.ends_with("c.rank-3"));
    remove(&path);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn only_checkpoints_that_are_too_old_are_removed_from_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let names = "0123456789abcdef.checkpoint thesis.tex c.checkpoint FEDCBA9876543210.checkpoint \
                 0123456789abcdef0.checkpoint 0123456789abcde.checkpoint \
                 0123456789abcdef.checkpoint.txt";
    for name in names.split(' ') {
        let file = fs::File::create(folder.path().join(name)).unwrap();
        let long_ago = std::time::SystemTime::now() - 2 * MAX_AGE;
        file.set_modified(long_ago).unwrap();
    }
    assert!(!remove_old_and_find_any(folder.path()));
    let is_left = |name: &&str| folder.path().join(name).exists();
    let left: Vec<&str> = names.split(' ').filter(is_left).collect();
    assert_eq!(left, names.split(' ').skip(1).collect::<Vec<_>>());
    fs::write(folder.path().join(file_name(0xa)), "").unwrap();
    assert!(remove_old_and_find_any(folder.path()));
}
