//! Tests queries on small graphs whose measures are known.

use brandes::graph::{Graph, ReadOptions, WeightOptions, generate, read_stream};
use brandes::{Betweenness, CpuEngine, DeviceSelection, Error, Measure, Query};

/// Returns the columns of a query, searched by CPU engine `plain`.
fn columns(graph: &Graph, query: Query) -> Vec<Vec<f64>> {
    let search = Betweenness::new().devices(DeviceSelection::None);
    let search = search.cpu_engine(CpuEngine::Plain).query(query);
    let scores = search.run(graph).unwrap();
    scores
        .columns()
        .iter()
        .map(|column| column.values.clone())
        .collect()
}

#[test]
fn measures_of_a_path() {
    // 0 - 1 - 2 - 3
    let path = generate::path(4).unwrap();
    let query = Query {
        measures: Measure::ALL.to_vec(),
        ..Query::default()
    };
    let found = columns(&path, query);
    assert_eq!(found[0], [0.0, 2.0, 2.0, 0.0]);
    assert_eq!(found[1], [0.0, 2.0, 2.0, 0.0]);
    assert_eq!(found[2], [0.5, 0.75, 0.75, 0.5]);
    assert_eq!(
        found[3],
        [1.0 + 0.5 + 1.0 / 3.0, 2.5, 2.5, 1.0 + 0.5 + 1.0 / 3.0]
    );
    assert_eq!(found[4], [3.0; 4]);
    assert_eq!(found[5], [3.0, 2.0, 2.0, 3.0]);
}

#[test]
fn radii_limit_each_column() {
    let path = generate::path(5).unwrap();
    let query = Query {
        measures: vec![Measure::Betweenness, Measure::Reach, Measure::Eccentricity],
        radii: vec![0.0, 1.0, 2.0, 3.0],
        ..Query::default()
    };
    let found = columns(&path, query);
    assert_eq!(found[0], [0.0; 5]);
    assert_eq!(found[1], [0.0; 5]);
    assert_eq!(found[2], [0.0, 1.0, 1.0, 1.0, 0.0]);
    assert_eq!(found[3], [0.0, 2.0, 3.0, 2.0, 0.0]);
    assert_eq!(found[4], [0.0; 5]);
    assert_eq!(found[5], [1.0, 2.0, 2.0, 2.0, 1.0]);
    assert_eq!(found[7], [3.0, 4.0, 4.0, 4.0, 3.0]);
    assert_eq!(found[11], [3.0, 3.0, 2.0, 3.0, 3.0]);
}

#[test]
fn targets_sources_and_demand() {
    let path = generate::path(4).unwrap();
    let betweenness = |change: &dyn Fn(&mut Query)| {
        let mut query = Query::default();
        change(&mut query);
        columns(&path, query).remove(0)
    };
    let one = |weight: f64| Some([0.0, 0.0, 0.0, weight].into());
    // The pairs of 3 with 0 and 1 count one half each.
    let alone = betweenness(&|query| query.targets = one(1.0));
    assert_eq!(alone, [0.0, 0.5, 1.0, 0.0]);
    assert_eq!(
        betweenness(&|query| query.sources = one(2.0)),
        [0.0, 1.0, 2.0, 0.0]
    );
    let both = betweenness(&|query| {
        query.sources = Some([1.0, 0.0, 0.0, 0.0].into());
        query.targets = one(4.0);
    });
    assert_eq!(both, [0.0, 2.0, 2.0, 0.0]);
    let demand = betweenness(&|query| {
        query.demand = Some([(0, 3, 5.0), (3, 1, 2.0), (1, 1, 9.0), (3, 1, 1.0)].into())
    });
    assert_eq!(demand, [0.0, 5.0, 8.0, 0.0]);
    let decayed = betweenness(&|query| query.decay = Some(0.5));
    let near = (-1.0f64).exp();
    let far = (-1.5f64).exp();
    assert!((decayed[1] - (near + far)).abs() < 1e-15);
}

/// Reads an edge list with lengths.
fn weighted(text: &str) -> Graph {
    let options = ReadOptions {
        weights: Some(WeightOptions::default()),
        ..ReadOptions::default()
    };
    let read = read_stream(Box::new(text.as_bytes()), "lengths.txt", &options);
    read.unwrap().0
}

#[test]
fn vertices_beyond_the_radius_add_nothing_with_floats() {
    // One length has more digits than an integer of 64 bits.
    let graph = weighted("a b 1\nb c 1\nc d 1.00000000000000012345\nd e 1\n");
    let query = Query {
        radii: vec![1.5, 2.5],
        ..Query::default()
    };
    let found = columns(&graph, query);
    assert_eq!(found[0], [0.0; 5]);
    assert_eq!(found[1], [0.0, 1.0, 1.0, 1.0, 0.0]);
}

#[test]
fn lengths_of_decimals_reach_their_radius() {
    let graph = weighted("a b 0.1\nb c 0.2\nc d 0.4\n");
    let query = Query {
        measures: vec![Measure::Betweenness, Measure::Harmonic],
        radii: vec![0.3, 0.6, 0.7],
        ..Query::default()
    };
    let found = columns(&graph, query);
    assert_eq!(found[0], [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(found[1], [0.0, 1.0, 1.0, 0.0]);
    assert_eq!(found[2], [0.0, 2.0, 2.0, 0.0]);
    assert!((found[3][0] - (10.0 + 10.0 / 3.0)).abs() < 1e-12);
}

#[test]
fn weights_of_different_sizes_do_not_spoil_closeness() {
    let path = generate::path(4).unwrap();
    for small in [1e-15, 1e-16, 1e-30] {
        let query = Query {
            measures: vec![Measure::Closeness],
            radii: vec![1.0],
            sources: Some([small, 1.0, 0.0, 0.0].into()),
            ..Query::default()
        };
        // The first vertex is the only source that reaches the second one, at distance 1.
        assert!((columns(&path, query)[0][1] - 1.0).abs() < 1e-12);
    }
}

#[test]
fn numbers_of_paths_beyond_doubles_are_an_error() {
    let graph = generate::diamonds(1030).unwrap();
    let query = Query {
        measures: vec![Measure::Stress],
        ..Query::default()
    };
    let search = Betweenness::new().devices(DeviceSelection::None);
    for engine in [CpuEngine::Plain, CpuEngine::Lanes, CpuEngine::Hierarchy] {
        let search = search.clone().cpu_engine(engine).query(query.clone());
        let error = search.run(&graph).err().unwrap();
        assert!(matches!(error, Error::PathCount), "{engine:?}: {error}");
    }
}
