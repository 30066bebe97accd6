//! Tests of checkpoint files: complete ones, damaged ones, those of other runs and of ranks.

use super::*;
use crate::engine::Precision;
use crate::graph::generate;

fn cycle(n: u32) -> Prepared {
    Prepared::bare(generate::cycle(n).unwrap().csr().clone())
}

fn committed(roots: &[Range<usize>], vertices: &[f64]) -> Committed {
    Committed {
        roots: roots.to_vec(),
        sums: OwnSums {
            vertices: vertices.to_vec(),
            arcs: None,
        },
    }
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
    write(&path, origin(1), &committed, false).unwrap();
    let is_same = |checkpoint: LoadedCheckpoint| {
        checkpoint.origin == origin(1)
            && checkpoint.committed.roots == committed.roots
            && checkpoint.committed.sums.vertices == committed.sums.vertices
    };
    assert!(is_same(load(&path).unwrap().unwrap()));

    let whole = fs::read(&path).unwrap();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(load(&path).is_err(), "{length}");
    }
    for at in 0..whole.len() {
        let mut spoiled = whole.clone();
        spoiled[at] ^= 4;
        fs::write(&path, &spoiled).unwrap();
        // Padding and dates of the archive do not matter.
        assert!(
            load(&path).is_err() || is_same(load(&path).unwrap().unwrap()),
            "{at}"
        );
    }
}

#[test]
fn checkpoints_of_other_layouts_and_other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c");
    let refusal = || load(&path).err().unwrap().to_string();
    let mut old = Vec::new();
    let head = (KIND, &[1, 7, 1, 0][..]);
    sums_file::write(&mut old, head, &OwnSums::default(), false, |_| Ok(())).unwrap();
    fs::write(&path, old).unwrap();
    assert!(refusal().contains("another version"), "{}", refusal());
    // An edge list, and a checkpoint of version 0.2.0.
    for text in ["0 1\n", "brandes checkpoint, 1.1\nand so on"] {
        fs::write(&path, text).unwrap();
        let what = "holds no sums, or not all of them (remove it";
        assert!(refusal().contains(what), "{}", refusal());
    }
}

#[test]
fn only_the_same_search_resumes_from_a_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = CheckpointPath::File(folder.path().join("c"));
    let (prepared, other, options) = (cycle(9), cycle(10), SearchOptions::default());
    let load = || load(&folder.path().join("c")).unwrap();
    let recorder = Recorder::new(&path, &prepared, &options);
    assert!(recorder.resume(load()).unwrap().roots.is_empty());
    recorder.save(&committed(&[0..2, 4..5], &[1.0; 9]), false);
    assert_eq!((recorder.failure(), recorder.done.get()), (None, 3));
    let second = Recorder::new(&path, &prepared, &options);
    let resumed = second.resume(load()).unwrap();
    assert_eq!(
        (&resumed.roots[..], second.done.get()),
        (&[0..2, 4..5][..], 3)
    );
    let refused = Recorder::new(&path, &other, &options).resume(load());
    assert!(
        refused
            .err()
            .unwrap()
            .to_string()
            .contains("is of another graph")
    );
}

#[test]
fn a_checkpoint_states_that_a_device_fell_back_to_32_bits() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c");
    let path = CheckpointPath::File(file.clone());
    let (prepared, options) = (cycle(9), SearchOptions::default());
    let recorder = || Recorder::new(&path, &prepared, &options);
    recorder().save(&committed(&[0..2, 4..5], &[1.0; 9]), true);
    // A resumed run without such a device has the earlier sums nevertheless.
    let second = recorder();
    let resumed = second.resume(load(&file).unwrap()).unwrap();
    assert!(second.fell_back.get());
    second.save(&resumed, false);
    assert!(load(&file).unwrap().unwrap().fell_back);
    let mut precise = SearchOptions::default();
    precise.device.no_fallback = true;
    let refused = Recorder::new(&path, &prepared, &precise).resume(load(&file).unwrap());
    assert!(
        refused
            .err()
            .unwrap()
            .to_string()
            .contains("has sums in 32 bits")
    );
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
        write(
            &recorder.path(),
            origin,
            &committed(&[roots], &[1.0; 9]),
            false,
        )
        .unwrap();
        assert!(recorder.resume(None).unwrap().roots.is_empty());
    }
}

#[test]
fn a_checkpoint_that_cannot_be_written_holds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = CheckpointPath::File(folder.path().join("missing/c"));
    let (prepared, options) = (cycle(9), SearchOptions::default());
    let recorder = Recorder::new(&path, &prepared, &options);
    recorder.save(&committed(&[0..2, 4..5], &[1.0; 9]), false);
    assert!(recorder.failure().is_some());
    assert_eq!((recorder.file(), recorder.done.get()), (None, 0));
}

#[test]
fn checkpoints_of_all_ranks_of_one_run_are_added() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c");
    let save = |rank, run, roots: &[Range<usize>]| {
        let file = file_of_rank(&path, rank);
        write(&file, origin(run), &committed(roots, &[1.0; 3]), false).unwrap();
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
    assert!(
        text.contains("repeats roots; remove ") && text.ends_with("c.rank-3"),
        "{text}"
    );
    remove(&path);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn other_graphs_and_options_have_other_fingerprints() {
    let hash = |prepared: &Prepared| fingerprint(prepared, &SearchOptions::default());
    let mut other = cycle(9);
    assert_eq!(hash(&cycle(9)), hash(&other));
    assert_ne!(hash(&cycle(9)), hash(&cycle(10)));
    let mut single = SearchOptions::default();
    single.device.precision = Precision::F32;
    assert_ne!(hash(&cycle(9)), fingerprint(&cycle(9), &single));
    other.roots.pop();
    assert_ne!(hash(&cycle(9)), hash(&other));
}

#[test]
fn only_checkpoints_that_are_too_old_are_removed_from_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let old = ["0123456789abcdef.checkpoint"];
    let others = [
        "thesis.tex",
        "c.checkpoint",
        "FEDCBA9876543210.checkpoint",
        "0123456789abcdef0.checkpoint",
        "0123456789abcde.checkpoint",
        "0123456789abcdef.checkpoint.txt",
    ];
    for name in old.iter().chain(&others) {
        let file = fs::File::create(folder.path().join(name)).unwrap();
        let long_ago = std::time::SystemTime::now() - 2 * MAX_AGE;
        file.set_modified(long_ago).unwrap();
    }
    assert!(!remove_old_and_find_any(folder.path()));
    for name in old {
        assert!(!folder.path().join(name).exists(), "{name}");
    }
    for name in others {
        assert!(folder.path().join(name).exists(), "{name}");
    }
    fs::write(folder.path().join(file_name(0xa)), "").unwrap();
    assert!(remove_old_and_find_any(folder.path()));
}
