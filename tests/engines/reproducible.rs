//! Tests that scores have the same bits in every run, whatever processor searches each root.

use std::thread;
use std::time::Duration;

use crate::common::program::{RMAT, run as program};
use crate::common::weighted::Weighted;
use crate::common::{any_device, cores, difference, on_device};
use brandes::graph::{Graph, generate};
use brandes::strategy::{Feature, Strategy};
use brandes::{Betweenness, CancelToken, Error, Reductions, RootSelection, When};

/// Returns graphs of several shapes, on which different CPU engines are the fastest.
fn graphs() -> Vec<(&'static str, Graph)> {
    let grid = generate::grid(12, 30, 0.1, 1).unwrap();
    let weighted = Weighted::with_lengths(&grid, |i| 1 + i * 7 % 11);
    vec![
        (
            "social",
            generate::rmat(10, 8, 0.57, 0.19, 0.19, 1).unwrap(),
        ),
        ("mesh", generate::grid(24, 24, 0.0, 1).unwrap()),
        ("road", generate::grid(20, 40, 0.3, 1).unwrap()),
        // Path counts overflow the narrow numbers that an engine tries first, so the engine tries
        // them less and less often.
        ("diamonds", generate::diamonds(40).unwrap()),
        ("weighted", weighted.graph()),
    ]
}

fn bits(scores: &[f64]) -> Vec<u64> {
    scores.iter().map(|score| score.to_bits()).collect()
}

#[test]
fn any_number_of_workers_gives_the_same_bits() {
    for (name, graph) in graphs() {
        for chains in [When::Auto, When::Always, When::Never] {
            let run = |workers: usize| {
                let search = cores(workers).reproducible(true).reduce(Reductions {
                    chains,
                    ..Reductions::default()
                });
                let search = search.edges(chains != When::Auto);
                let scores = search.run(&graph).unwrap();
                let edges = scores.edges().map(bits);
                (scores.into_vertices(), edges)
            };
            let (scores, edges) = run(1);
            let plain = cores(2).run(&graph).unwrap().into_vertices();
            assert!(difference(&scores, &plain, 1e-3) < 1e-9, "{name}");
            for round in 0..20 {
                let (again, edges_again) = run(1 + round % 7);
                assert_eq!(bits(&again), bits(&scores), "{name}, round {round}");
                assert_eq!(edges_again, edges, "{name}, round {round}");
            }
        }
    }
}

#[test]
fn every_strategy_gives_the_same_bits() {
    let few = ["social", "road", "weighted"];
    for (name, graph) in graphs().into_iter().filter(|(name, _)| few.contains(name)) {
        let weighted = graph.lengths().is_some();
        for strategy in Strategy::all() {
            if weighted && !strategy.covers(&[Feature::Lengths]) {
                continue;
            }
            let run = || {
                let search = Betweenness::from(on_device(strategy)).reproducible(true);
                let search = search.roots(RootSelection::Sample(60));
                search.run(&graph).map(|scores| bits(scores.vertices()))
            };
            let first = match run() {
                Ok(first) => first,
                Err(error) => {
                    let text = error.to_string();
                    let deep = strategy == Strategy::Lanes && text.contains("too deep");
                    assert!(deep, "{name}, {}: {text}", strategy.name());
                    continue;
                }
            };
            assert_eq!(run().unwrap(), first, "{name}, {}", strategy.name());
        }
    }
}

#[test]
fn a_resumed_search_gives_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c");
    let graph = generate::rmat(11, 8, 0.57, 0.19, 0.19, 11).unwrap();
    let whole = cores(2).reproducible(true).run(&graph).unwrap();
    for round in 0.. {
        let cancel = CancelToken::default();
        let token = cancel.clone();
        let search = cores(1 + round % 3)
            .reproducible(true)
            .cancel(&cancel)
            .on_progress(move |so_far| {
                if so_far.done > 0 {
                    token.cancel();
                }
            });
        let search = search.checkpoint(&path, Duration::from_secs(1000));
        match search.run(&graph) {
            Ok(scores) => {
                assert_eq!(bits(scores.vertices()), bits(whole.vertices()));
                break;
            }
            Err(Error::CancelledSaved { .. }) => thread::sleep(Duration::from_millis(1)),
            Err(error) => panic!("{error}"),
        }
    }
    let other = cores(2).checkpoint(&path, Duration::from_secs(1000));
    let refused = other.run(&graph).err().map(|error| error.to_string());
    assert!(refused.is_some_and(|text| text.contains("checkpoint")));
}

#[test]
fn a_worker_that_panics_changes_no_bit() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, failing_claim: &str, workers: &str| {
        let scores = folder.path().join(name);
        let mut run = program(RMAT, &["--reproducible", "--cpu-workers", workers]);
        run.env("BRANDES_FAIL_WORKER_AT", failing_claim);
        let output = run.arg("--scores").arg(&scores).output();
        let output = output.unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), text, std::fs::read(&scores).ok())
    };
    let (code, _, whole) = run("whole.csv", "", "3");
    assert!(code == Some(0) && whole.is_some());
    for claim in ["1", "2", "5"] {
        let (code, text, scores) = run("fails.csv", claim, "3");
        assert_eq!(code, Some(0), "{text}");
        assert!(
            text.contains("warning: a CPU worker stopped unexpectedly"),
            "{text}"
        );
        assert_eq!(scores, whole);
    }
    // The failing worker is the only one.
    let (code, text, scores) = run("none.csv", "1", "1");
    assert_eq!((code, scores), (Some(1), None), "{text}");
    assert!(text.contains("stopped unexpectedly"), "{text}");
}

#[test]
fn unequal_participants_are_refused() {
    let graph = generate::star(5).unwrap();
    for search in [
        Betweenness::new(),
        Betweenness::new().devices(any_device()),
        cores(0),
    ] {
        let refused = search.reproducible(true).run(&graph);
        assert!(matches!(refused, Err(Error::Settings(_))));
    }
}
