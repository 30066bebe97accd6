//! Tests queries with extreme values, and together with other options of a search.

use std::time::Duration;

use crate::common::{assert_close, diamonds, difference, graph};
use brandes::graph::{Graph, ReadOptions, WeightOptions, generate, read_stream};
use brandes::{
    Betweenness, CancelToken, CpuWorkers, DeviceSelection, Error, Measure, Part, Query, Scores,
};

fn cores(query: Query) -> Betweenness {
    Betweenness::new()
        .devices(DeviceSelection::None)
        .query(query)
}

fn all_measures() -> Query {
    Query {
        measures: Measure::ALL.to_vec(),
        ..Query::default()
    }
}

fn run(graph: &Graph, query: Query) -> Scores {
    cores(query).run(graph).unwrap()
}

/// Returns the first column of a measure.
fn values(scores: &Scores, measure: Measure) -> Vec<f64> {
    let mut columns = scores.columns().iter();
    let column = columns.find(|column| column.measure == measure).unwrap();
    column.values.clone()
}

/// Returns whether all scores of vertices and edges are 0.
fn is_zero(scores: &Scores) -> bool {
    let edges = scores.edge_columns().unwrap_or_default();
    let mut values = scores
        .columns()
        .iter()
        .chain(edges)
        .flat_map(|column| &column.values);
    values.all(|&value| value == 0.0)
}

/// Reads edges with lengths.
fn with_lengths(text: &str) -> Graph {
    let options = ReadOptions {
        weights: Some(WeightOptions::default()),
        ..ReadOptions::default()
    };
    read_stream(Box::new(text.as_bytes()), "lengths", &options)
        .unwrap()
        .0
}

/// The text of a separate edge, whose length has too many digits for an integer. With it, all
/// lengths of a graph are read as doubles.
const LONG_DECIMAL: &str = "\nx y 0.1500000000000000000000000000001\n";

#[test]
fn a_radius_equal_to_a_distance_includes_it() {
    // As doubles, 0.1 + 0.2 is greater than 0.3.
    for text in [
        "a b 0.1\nb c 0.2\n",
        "a b 0.7\nb c 0.1\n",
        "a b 0.3\nb c 0.6\n",
    ] {
        for text in [text.to_string(), text.to_string() + LONG_DECIMAL] {
            let sum: f64 = match &text[4..7] {
                "0.1" => 0.3,
                "0.7" => 0.8,
                _ => 0.9,
            };
            let graph = with_lengths(&text);
            for (radius, within) in [(sum, 1.0), (sum - 0.01, 0.0), (sum + 0.01, 1.0)] {
                let query = Query {
                    radii: vec![radius],
                    ..all_measures()
                };
                let scores = run(&graph, query);
                let betweenness = values(&scores, Measure::Betweenness);
                assert_eq!(betweenness[1], within, "{text}, {radius}");
                let reach = values(&scores, Measure::Reach);
                assert_eq!(
                    reach[..3],
                    [1.0 + within, 2.0, 1.0 + within],
                    "{text}, {radius}"
                );
            }
        }
    }
}

#[test]
fn a_radius_below_every_distance_leaves_nothing() {
    let lengths = with_lengths("a b 0.5\nb c 0.25\n");
    let hops = generate::path(5).unwrap();
    for (graph, radii) in [(&lengths, vec![0.0, 0.2]), (&hops, vec![0.0, 0.999])] {
        let query = Query {
            radii,
            ..all_measures()
        };
        let scores = cores(query).edges(true).run(graph).unwrap();
        assert!(is_zero(&scores));
    }
}

#[test]
fn limits_that_exclude_nothing_change_nothing() {
    let road = generate::grid(6, 9, 0.3, 1).unwrap();
    let lengths = with_lengths(&format!("a b 0.1\nb c 0.2\nc d 7\na d 7.3{LONG_DECIMAL}"));
    for graph in [&road, &lengths] {
        let plain = run(graph, all_measures());
        for (radii, decay) in [
            (vec![1e300], None),
            (vec![f64::MAX], Some(0.0)),
            (vec![], Some(0.0)),
            (vec![], Some(f64::MIN_POSITIVE)),
        ] {
            let query = Query {
                radii,
                decay,
                ..all_measures()
            };
            let scores = run(graph, query);
            for (got, expected) in scores.columns().iter().zip(plain.columns()) {
                assert_close(&got.values, &expected.values, 1e-12);
            }
        }
        let betweenness = run(graph, Query::default());
        assert_close(betweenness.vertices(), plain.vertices(), 1e-12);
        // All pairs count 0, which is not an error.
        let query = Query {
            decay: Some(f64::MAX),
            ..Query::default()
        };
        assert!(is_zero(&run(graph, query)));
    }
}

#[test]
fn pairs_without_weight_count_nothing() {
    let path = generate::path(5).unwrap();
    let only = |v: usize| -> Option<std::sync::Arc<[f64]>> {
        let mut weights = vec![0.0; 5];
        weights[v] = 1.0;
        Some(weights.into())
    };
    let nothing = Some([0.0; 5].into());
    for (sources, targets) in [
        (nothing.clone(), None),
        (None, nothing.clone()),
        (nothing.clone(), nothing.clone()),
        (only(2), nothing.clone()),
        (only(2), only(2)),
    ] {
        let query = Query {
            sources,
            targets,
            measures: vec![Measure::Betweenness, Measure::Stress],
            ..Query::default()
        };
        assert!(is_zero(&cores(query).edges(true).run(&path).unwrap()));
    }
    let query = Query {
        sources: only(1),
        ..all_measures()
    };
    let scores = run(&path, query);
    let expected: [(Measure, [f64; 5]); 6] = [
        // Each ordered pair counts one half, as in networkx.
        (Measure::Betweenness, [0.0, 0.0, 1.0, 0.5, 0.0]),
        (Measure::Stress, [0.0, 0.0, 1.0, 0.5, 0.0]),
        (Measure::Closeness, [1.0, 0.0, 1.0, 1.0 / 2.0, 1.0 / 3.0]),
        (Measure::Harmonic, [1.0, 0.0, 1.0, 1.0 / 2.0, 1.0 / 3.0]),
        (Measure::Reach, [1.0, 0.0, 1.0, 1.0, 1.0]),
        (Measure::Eccentricity, [0.0, 3.0, 0.0, 0.0, 0.0]),
    ];
    for (measure, expected) in expected {
        assert_eq!(values(&scores, measure), expected, "{measure}");
    }
}

#[test]
fn trips_count_once_in_undirected_graphs() {
    let directed = graph(5, &[(0, 1), (1, 2), (2, 3)], true);
    let undirected = graph(5, &[(0, 1), (1, 2), (2, 3)], false);
    // The last vertex is isolated, so two trips have no path; in the directed graph, (3, 0) has none
    // either.
    let trips = [
        (0, 2, 2.0),
        (0, 2, 0.5),
        (3, 0, 4.0),
        (1, 1, 8.0),
        (4, 0, 16.0),
        (1, 4, 32.0),
    ];
    for (graph, expected) in [
        (&directed, [0.0, 2.5, 0.0, 0.0, 0.0]),
        (&undirected, [0.0, 6.5, 4.0, 0.0, 0.0]),
    ] {
        for trips in [&trips[..], &[]] {
            let query = Query {
                demand: Some(trips.into()),
                ..Query::default()
            };
            let scores = cores(query).edges(true).run(graph).unwrap();
            match trips.is_empty() {
                true => assert!(is_zero(&scores)),
                false => assert_eq!(scores.vertices(), expected),
            }
        }
    }
}

#[test]
fn graphs_without_pairs_have_columns() {
    for (n, edges) in [
        (0, vec![]),
        (1, vec![]),
        (1, vec![(0, 0)]),
        (3, vec![(2, 2)]),
    ] {
        for directed in [false, true] {
            let graph = graph(n, &edges, directed);
            for radii in [vec![], vec![0.0, 2.0]] {
                let query = Query {
                    radii,
                    decay: Some(0.5),
                    sources: Some(vec![1.0; n].into()),
                    ..all_measures()
                };
                let scores = cores(query)
                    .edges(true)
                    .normalized(true)
                    .run(&graph)
                    .unwrap();
                assert!(is_zero(&scores));
                assert!(
                    scores
                        .columns()
                        .iter()
                        .all(|column| column.values.len() == n)
                );
            }
        }
    }
}

#[test]
fn more_paths_than_doubles_can_count_are_no_error() {
    let chain = diamonds::chain(1100);
    let query = Query {
        measures: vec![Measure::Betweenness, Measure::Reach],
        radii: vec![3.0, 1e4],
        ..Query::default()
    };
    let scores = run(&chain, query);
    let columns = scores.columns();
    assert!(difference(&columns[1].values, &diamonds::scores(1100), 1e-3) < 1e-9);
    assert!(
        columns
            .iter()
            .flat_map(|column| &column.values)
            .all(|value| !value.is_nan())
    );
    let others = (chain.vertices() - 1) as f64;
    assert!(columns[3].values.iter().all(|&reach| reach == others));
}

/// Returns a query with all measures, radii and a decay, and weights that differ from vertex to
/// vertex.
fn rich(n: usize) -> Query {
    let weights = |step: usize| (0..n).map(|v| (v * step % 5) as f64).collect::<Vec<_>>();
    Query {
        radii: vec![2.0, 5.0, 1e3],
        decay: Some(0.1),
        sources: Some(weights(3).into()),
        targets: Some(weights(7).into()),
        ..all_measures()
    }
}

#[test]
fn a_cancelled_query_resumes() {
    let road = generate::grid(20, 60, 0.3, 1).unwrap();
    let n = road.vertices();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c");
    let expected = run(&road, rich(n));
    let mut known = 0;
    for round in 0.. {
        let cancel = CancelToken::default();
        let token = cancel.clone();
        let search = cores(rich(n))
            .cpu_workers(CpuWorkers::Count(1 + round % 2))
            .checkpoint(&path, Duration::from_secs(1000))
            .cancel(&cancel)
            .on_progress(move |so_far| {
                if so_far.done > known {
                    token.cancel();
                }
            });
        match search.run(&road) {
            Err(Error::CancelledSaved { done, .. }) => known = done,
            Err(error) => panic!("{error}"),
            Ok(scores) => {
                for (got, expected) in scores.columns().iter().zip(expected.columns()) {
                    assert_close(&got.values, &expected.values, 1e-10);
                }
                break;
            }
        }
    }
    // Another query does not resume from this file.
    let others = [
        Query {
            radii: vec![2.0, 5.0, 1e4],
            ..rich(n)
        },
        Query {
            decay: Some(0.2),
            ..rich(n)
        },
        Query {
            targets: None,
            ..rich(n)
        },
        Query {
            sources: Some(vec![1.0; n].into()),
            ..rich(n)
        },
        Query {
            demand: Some([(0, 7, 1.0)].into()),
            ..Query::default()
        },
        Query {
            demand: Some([(0, 7, 2.0)].into()),
            ..Query::default()
        },
        Query::default(),
    ];
    for query in others {
        let search = cores(query.clone()).checkpoint(&path, Duration::from_secs(1000));
        match search.run(&road) {
            Ok(scores) => assert_eq!(scores.record().resumed, None, "{query:?}"),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

#[test]
fn reproducible_queries_have_the_same_bits() {
    let social = generate::rmat(8, 8, 0.57, 0.19, 0.19, 1).unwrap();
    let road = generate::grid(12, 20, 0.3, 1).unwrap();
    for graph in [&social, &road] {
        let run = |workers| {
            let search = cores(rich(graph.vertices())).cpu_workers(CpuWorkers::Count(workers));
            let scores = search.reproducible(true).edges(true).run(graph).unwrap();
            let edges = scores.edge_columns().unwrap_or_default();
            let columns = scores.columns().iter().chain(edges);
            let values = columns.flat_map(|column| &column.values);
            values.map(|value| value.to_bits()).collect::<Vec<_>>()
        };
        let expected = run(1);
        for round in 0..6 {
            assert!(run(1 + round) == expected, "round {round}");
        }
    }
}

#[test]
fn parts_are_refused() {
    let path = generate::path(5).unwrap();
    let search = cores(rich(5)).part(Part::new(1, 2).unwrap());
    let text = search.run(&path).err().unwrap().to_string();
    assert!(text.contains("`part`"), "{text}");
}
