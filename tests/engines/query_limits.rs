//! Tests queries with extreme values, and together with other options of a search.

use std::sync::Arc;
use std::time::Duration;

use crate::commands::checkpoint::in_pieces;
use crate::common::{assert_close, diamonds, difference, graph};
use brandes::graph::{Graph, ReadOptions, WeightOptions, generate, read_stream};
use brandes::{
    Betweenness, CpuEngine, CpuWorkers, DeviceSelection, Error, Measure, Part, Query, Scores,
};

fn cores(query: Query) -> Betweenness {
    let search = Betweenness::new().devices(DeviceSelection::None);
    search.query(query)
}

/// Returns a query with all measures and these radii.
fn all_measures(radii: &[f64]) -> Query {
    Query {
        measures: Measure::ALL.to_vec(),
        radii: radii.to_vec(),
        ..Query::default()
    }
}

fn run(graph: &Graph, query: Query) -> Scores {
    cores(query).run(graph).unwrap()
}

/// Returns the first column of a measure.
fn values(scores: &Scores, measure: Measure) -> &[f64] {
    let mut columns = scores.columns().iter();
    let column = columns.find(|column| column.measure == measure);
    &column.unwrap().values
}

/// Panics unless all scores of vertices and edges are 0.
fn assert_zero(scores: &Scores) {
    let edges = scores.edge_columns().unwrap_or_default();
    for column in scores.columns().iter().chain(edges) {
        assert!(
            column.values.iter().all(|&value| value == 0.0),
            "{}",
            column.name()
        );
    }
}

/// Panics unless two searches have the same columns.
fn assert_same(got: &Scores, expected: &Scores) {
    for (got, expected) in got.columns().iter().zip(expected.columns()) {
        assert_close(&got.values, &expected.values, 1e-10);
    }
}

/// Reads edges with lengths.
fn with_lengths(text: &str) -> Graph {
    let options = ReadOptions {
        weights: Some(WeightOptions::default()),
        ..ReadOptions::default()
    };
    let read = read_stream(Box::new(text.as_bytes()), "lengths", &options);
    read.unwrap().0
}

/// The text of a separate edge, whose length has too many digits for an integer. With it, all
/// lengths of a graph are read as doubles.
const LONG_DECIMAL: &str = "\nx y 0.1500000000000000000000000000001\n";

#[test]
fn a_radius_equal_to_a_distance_includes_it() {
    // As doubles, 0.1 + 0.2 is greater than 0.3.
    for (text, sum) in [
        ("a b 0.1\nb c 0.2\n", 0.3),
        ("a b 0.7\nb c 0.1\n", 0.8),
        ("a b 0.3\nb c 0.6\n", 0.9),
    ] {
        for text in [text.to_string(), text.to_string() + LONG_DECIMAL] {
            let graph = with_lengths(&text);
            for (radius, within) in [(sum, 1.0), (sum - 0.01, 0.0), (sum + 0.01, 1.0)] {
                let scores = run(&graph, all_measures(&[radius]));
                let betweenness = values(&scores, Measure::Betweenness)[1];
                assert_eq!(betweenness, within, "{text}, {radius}");
                let reach = &values(&scores, Measure::Reach)[..3];
                let expected = [1.0 + within, 2.0, 1.0 + within];
                assert_eq!(reach, expected, "{text}, {radius}");
            }
        }
    }
    // Vertices beyond the radius add nothing.
    let graph = with_lengths("a b 1\nb c 1\nc d 1.00000000000000012345\nd e 1\n");
    let scores = run(&graph, all_measures(&[1.5, 2.5]));
    assert_eq!(scores.columns()[0].values, [0.0; 5]);
    assert_eq!(scores.columns()[1].values, [0.0, 1.0, 1.0, 1.0, 0.0]);
    let lengths = with_lengths("a b 0.5\nb c 0.25\n");
    let hops = generate::path(5).unwrap();
    for (graph, radii) in [(&lengths, [0.0, 0.2]), (&hops, [0.0, 0.999])] {
        let search = cores(all_measures(&radii)).edges(true);
        assert_zero(&search.run(graph).unwrap());
    }
}

#[test]
fn limits_that_exclude_nothing_change_nothing() {
    let road = generate::grid(6, 9, 0.3, 1).unwrap();
    let lengths = with_lengths(&format!("a b 0.1\nb c 0.2\nc d 7\na d 7.3{LONG_DECIMAL}"));
    for graph in [&road, &lengths] {
        let plain = run(graph, all_measures(&[]));
        for (radii, decay) in [
            (&[1e300][..], None),
            (&[f64::MAX], Some(0.0)),
            (&[], Some(0.0)),
            (&[], Some(f64::MIN_POSITIVE)),
        ] {
            let query = Query {
                decay,
                ..all_measures(radii)
            };
            assert_same(&run(graph, query), &plain);
        }
        let betweenness = run(graph, Query::default());
        assert_close(betweenness.vertices(), plain.vertices(), 1e-12);
        // All pairs count 0, which is not an error.
        let query = Query {
            decay: Some(f64::MAX),
            ..Query::default()
        };
        assert_zero(&run(graph, query));
    }
}

#[test]
fn pairs_without_weight_count_nothing() {
    let path = generate::path(5).unwrap();
    let only = |v: usize| -> Option<Arc<[f64]>> {
        Some((0..5).map(|w| f64::from(u8::from(v == w))).collect())
    };
    let nothing = only(5);
    for (sources, targets) in [
        (nothing.clone(), None),
        (None, nothing.clone()),
        (nothing.clone(), nothing.clone()),
        (only(2), nothing),
        (only(2), only(2)),
    ] {
        let query = Query {
            sources,
            targets,
            measures: vec![Measure::Betweenness, Measure::Stress],
            ..Query::default()
        };
        assert_zero(&cores(query).edges(true).run(&path).unwrap());
    }
    let query = Query {
        sources: only(1),
        ..all_measures(&[])
    };
    let scores = run(&path, query);
    for (measure, expected) in [
        // Each ordered pair counts one half, as in networkx.
        (Measure::Betweenness, [0.0, 0.0, 1.0, 0.5, 0.0]),
        (Measure::Stress, [0.0, 0.0, 1.0, 0.5, 0.0]),
        (Measure::Closeness, [1.0, 0.0, 1.0, 1.0 / 2.0, 1.0 / 3.0]),
        (Measure::Harmonic, [1.0, 0.0, 1.0, 1.0 / 2.0, 1.0 / 3.0]),
        (Measure::Reach, [1.0, 0.0, 1.0, 1.0, 1.0]),
        (Measure::Eccentricity, [0.0, 3.0, 0.0, 0.0, 0.0]),
    ] {
        assert_eq!(values(&scores, measure), expected, "{measure}");
    }
    // Weights of different sizes do not spoil closeness: the first vertex is the only source that
    // reaches the second one, at distance 1.
    for small in [1e-15, 1e-16, 1e-30] {
        let query = Query {
            sources: Some([small, 1.0, 0.0, 0.0, 0.0].into()),
            ..all_measures(&[1.0])
        };
        let scores = run(&path, query);
        assert!((values(&scores, Measure::Closeness)[1] - 1.0).abs() < 1e-12);
    }
}

#[test]
fn trips_count_once_in_undirected_graphs() {
    // The last vertex is isolated, so two trips have no path; in the directed graph, (3, 0) has none
    // either.
    let mut trips = vec![(0, 2, 2.0), (0, 2, 0.5), (3, 0, 4.0)];
    trips.extend([(1, 1, 8.0), (4, 0, 16.0), (1, 4, 32.0)]);
    for (directed, expected) in [
        (true, [0.0, 2.5, 0.0, 0.0, 0.0]),
        (false, [0.0, 6.5, 4.0, 0.0, 0.0]),
    ] {
        let graph = graph(5, &[(0, 1), (1, 2), (2, 3)], directed);
        for (trips, expected) in [(&trips[..], expected), (&[], [0.0; 5])] {
            let query = Query {
                demand: Some(trips.into()),
                ..Query::default()
            };
            assert_eq!(run(&graph, query).vertices(), expected);
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
            assert_eq!(run(&graph, Query::default()).vertices(), vec![0.0; n]);
            for radii in [&[][..], &[0.0, 2.0]] {
                let query = Query {
                    decay: Some(0.5),
                    sources: Some(vec![1.0; n].into()),
                    ..all_measures(radii)
                };
                let search = cores(query).edges(true).normalized(true);
                let scores = search.run(&graph).unwrap();
                assert_zero(&scores);
                let mut columns = scores.columns().iter();
                assert!(columns.all(|column| column.values.len() == n));
            }
        }
    }
}

#[test]
fn more_paths_than_doubles_can_count_are_an_error_of_stress_alone() {
    let chain = diamonds::chain(1100);
    let query = Query {
        measures: vec![Measure::Betweenness, Measure::Reach],
        radii: vec![3.0, 1e4],
        ..Query::default()
    };
    let scores = run(&chain, query);
    let columns = scores.columns();
    assert!(difference(&columns[1].values, &diamonds::scores(1100), 1e-3) < 1e-9);
    let mut all = columns.iter().flat_map(|column| &column.values);
    assert!(all.all(|value| !value.is_nan()));
    let others = (chain.vertices() - 1) as f64;
    assert!(columns[3].values.iter().all(|&reach| reach == others));
    for engine in [CpuEngine::Plain, CpuEngine::Lanes, CpuEngine::Hierarchy] {
        let query = Query {
            measures: vec![Measure::Stress],
            ..Query::default()
        };
        let error = cores(query).cpu_engine(engine).run(&chain).err().unwrap();
        assert!(matches!(error, Error::PathCount), "{engine:?}: {error}");
    }
}

/// Returns a query with all measures, radii and a decay, and weights that differ from vertex to
/// vertex.
fn rich(n: usize) -> Query {
    let weights = |step: usize| (0..n).map(|v| (v * step % 5) as f64).collect::<Vec<_>>();
    Query {
        decay: Some(0.1),
        sources: Some(weights(3).into()),
        targets: Some(weights(7).into()),
        ..all_measures(&[2.0, 5.0, 1e3])
    }
}

#[test]
fn a_cancelled_query_resumes() {
    let road = generate::grid(20, 60, 0.3, 1).unwrap();
    let n = road.vertices();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c");
    let settings = |round| cores(rich(n)).cpu_workers(CpuWorkers::Count(1 + round % 2));
    let scores = in_pieces(&road, settings, &path);
    assert_same(&scores, &run(&road, rich(n)));
    // Another query does not resume from this file.
    let changes: [fn(&mut Query); 7] = [
        |query| query.radii[2] = 1e4,
        |query| query.decay = Some(0.2),
        |query| query.targets = None,
        |query| query.sources = query.targets.clone(),
        |query| *query = trip(1.0),
        |query| *query = trip(2.0),
        |query| *query = Query::default(),
    ];
    for change in changes {
        let mut query = rich(n);
        change(&mut query);
        let search = cores(query.clone()).checkpoint(&path, Duration::from_secs(1000));
        match search.run(&road) {
            Ok(scores) => assert_eq!(scores.record().resumed, None, "{query:?}"),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Returns a query of a single trip.
fn trip(trips: f64) -> Query {
    Query {
        demand: Some([(0, 7, trips)].into()),
        ..Query::default()
    }
}

#[test]
fn reproducible_queries_have_the_same_bits_and_parts_are_refused() {
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
    let part = cores(rich(road.vertices())).part(Part::new(1, 2).unwrap());
    let text = part.run(&road).err().unwrap().to_string();
    assert!(text.contains("`part`"), "{text}");
}
