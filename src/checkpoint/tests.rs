//! Checkpoint files: whole, spoiled, of other runs and of ranks.

use std::path::Path;

use super::*;
use crate::engine::Precision;
use crate::graph::generate;

fn checkpoint(folder: &Path) -> Checkpoint {
    Checkpoint(folder.join("c"))
}

#[test]
fn what_is_written_is_read_and_nothing_less() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = checkpoint(folder.path());
    assert!(checkpoint.load().unwrap().is_none());
    let prepared = Prepared::bare(generate::cycle(9).unwrap().csr().clone());
    let print = fingerprint(&prepared, &Wishes::default());
    let committed = Committed {
        roots: vec![0..2, 5..6],
        sums: OwnSums {
            vertices: (0..9).map(f64::from).collect(),
            arcs: None,
        },
    };
    let of = Origin {
        fingerprint: print,
        run: 1,
        contracted: false,
    };
    checkpoint.write(of, &committed).unwrap();
    let kept = || checkpoint.load().unwrap().unwrap();
    assert_eq!(kept().of, of);
    let back = checkpoint.take(kept(), print, &prepared).unwrap();
    assert_eq!(back.roots, committed.roots);
    assert_eq!(back.sums.vertices, committed.sums.vertices);
    assert!(checkpoint.take(kept(), print + 1, &prepared).is_err());

    let whole = fs::read(&checkpoint.0).unwrap();
    for length in 0..whole.len() {
        fs::write(&checkpoint.0, &whole[..length]).unwrap();
        assert!(checkpoint.load().is_err(), "{length}");
    }
    for at in 0..whole.len() {
        let mut spoiled = whole.clone();
        spoiled[at] ^= 4;
        fs::write(&checkpoint.0, &spoiled).unwrap();
        assert!(checkpoint.load().is_err(), "{at}");
    }
}

#[test]
fn files_of_other_runs_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = checkpoint(folder.path());
    let recorder = |run, before| {
        let of = Origin {
            fingerprint: 7,
            run,
            contracted: false,
        };
        Recorder::new(checkpoint.clone(), of, before)
    };
    let keep = |recorder: &Recorder, end| {
        let roots = vec![0..end, 10..11];
        let sums = OwnSums::default();
        recorder.keep(&Committed { roots, sums });
        recorder.failure()
    };
    let (first, second) = (recorder(1, None), recorder(2, None));
    assert_eq!(keep(&first, 1), None);
    let failure = keep(&second, 9).unwrap();
    assert!(failure.contains("is written by another run"), "{failure}");
    assert_eq!(keep(&first, 2), None);
    assert_eq!(
        checkpoint.load().unwrap().unwrap().committed.roots,
        [0..2, 10..11]
    );
    // One that goes on from it.
    assert_eq!(keep(&recorder(3, Some(1)), 3), None);
    assert!(keep(&first, 4).is_some() && !first.is_own());
}

#[test]
fn what_ranks_of_one_run_kept_counts_together() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = checkpoint(folder.path());
    let write = |rank, run, roots: &[Range<usize>]| {
        let committed = Committed {
            roots: roots.to_vec(),
            sums: OwnSums {
                vertices: vec![1.0; 3],
                arcs: None,
            },
        };
        let file = checkpoint.of_rank(rank);
        let of = Origin {
            fingerprint: 7,
            run,
            contracted: false,
        };
        file.write(of, &committed).unwrap();
    };
    write(0, 5, &[]);
    write(1, 5, &[2..4, 6..7]);
    write(12, 5, &[4..5, 9..10]);
    // Of a run before.
    write(2, 4, &[0..9, 10..11]);
    let kept = || checkpoint.load().map(Option::unwrap);
    let Committed { roots, sums } = kept().unwrap().committed;
    assert_eq!(roots, [2..5, 6..7, 9..10]);
    assert_eq!(sums.vertices, [3.0; 3]);
    write(3, 5, &[3..5, 12..13]);
    let text = kept().err().unwrap().to_string();
    assert!(text.ends_with("c.rank-3; remove that file"), "{text}");
    remove(&checkpoint.0);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn other_graphs_and_options_have_other_fingerprints() {
    let of = |n| Prepared::bare(generate::cycle(n).unwrap().csr().clone());
    let print = |prepared: &Prepared| fingerprint(prepared, &Wishes::default());
    let mut other = of(9);
    assert_eq!(print(&of(9)), print(&other));
    assert_ne!(print(&of(9)), print(&of(10)));
    let mut single = Wishes::default();
    single.device.precision = Precision::F32;
    assert_ne!(print(&of(9)), fingerprint(&of(9), &single));
    other.roots.pop();
    assert_ne!(print(&of(9)), print(&other));
}

#[test]
fn only_checkpoints_that_are_too_old_are_removed_from_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let old = ["0123456789abcdef.checkpoint"];
    let others = [
        "thesis.tex",
        "c.checkpoint",
        "0123456789ABCDEF.checkpoint",
        "0123456789abcdef0.checkpoint",
        "0123456789abcde.checkpoint",
        "0123456789abcdef.checkpoint.txt",
    ];
    for name in old.iter().chain(&others) {
        let file = File::create(folder.path().join(name)).unwrap();
        let long_ago = std::time::SystemTime::now() - 2 * FORGOTTEN;
        file.set_modified(long_ago).unwrap();
    }
    assert!(!any(folder.path()));
    for name in old {
        assert!(!folder.path().join(name).exists(), "{name}");
    }
    for name in others {
        assert!(folder.path().join(name).exists(), "{name}");
    }
    let place = Place::Folder(folder.path().into());
    fs::write(&place.of(|| 0xa).0, "").unwrap();
    assert!(any(folder.path()));
}
