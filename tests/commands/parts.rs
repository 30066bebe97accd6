//! Tests searches in parts, and the merged scores.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::weighted::Weighted;
use crate::common::{any_device, assert_close, one_way};
use brandes::graph::{Graph, generate};
use brandes::{
    Betweenness, CpuWorkers, DeviceSelection, Error, Merged, Part, Reductions, RootSelection,
    Scale, When,
};

/// Returns a search without devices.
fn cores() -> Betweenness {
    Betweenness::new().devices(DeviceSelection::None)
}

/// Searches the graph in `count` parts, and writes their sums to files in `folder`. `settings`
/// returns the search of each part, by its number from 1. Returns the paths of the files.
fn parts(
    graph: &Graph,
    count: u32,
    settings: impl Fn(u32) -> Betweenness,
    folder: &Path,
) -> Vec<PathBuf> {
    let part = |number| {
        let part = Part::new(number, count).unwrap();
        let scores = settings(number).part(part).run(graph).unwrap();
        let sums = scores.part(graph).unwrap();
        assert_eq!(sums.part(), part);
        let path = folder.join(format!("{number}.npz"));
        sums.write(&path).unwrap();
        path
    };
    (1..=count).map(part).collect()
}

/// Merges the parts in two orders, and compares the scores with those of the whole search.
fn check(graph: &Graph, count: u32, whole: &Betweenness, part: impl Fn(u32) -> Betweenness) {
    let folder = tempfile::tempdir().unwrap();
    let mut paths = parts(graph, count, part, folder.path());
    let merged = Merged::read(&paths).unwrap();
    paths.rotate_left(1);
    let again = Merged::read(&paths).unwrap();
    for scale in [Scale::Pairs, Scale::Normalized] {
        let whole = whole.clone().normalized(scale == Scale::Normalized);
        let whole = whole.run(graph).unwrap();
        assert!(whole.part(graph).is_none());
        let scores = merged.vertices(scale);
        assert_eq!(scores, again.vertices(scale));
        assert_close(&scores, whole.vertices(), 1e-9);
        let edges = merged.edges(scale).map(Iterator::collect::<Vec<_>>);
        assert_eq!(edges.is_some(), whole.edges().is_some());
        if let (Some(edges), Some(whole)) = (edges, whole.edges()) {
            let scores: Vec<f64> = edges.iter().map(|&(_, score)| score).collect();
            assert_close(&scores, whole, 1e-9);
            let mut ends = Vec::new();
            graph.for_each_edge(|tail, head| ends.push([tail, head]));
            assert!(edges.iter().map(|&(ends, _)| ends).eq(ends));
        }
    }
}

#[test]
fn parts_make_the_whole_in_any_order() {
    let social = generate::rmat(9, 8, 0.57, 0.19, 0.19, 11).unwrap();
    let road = generate::grid(12, 40, 0.3, 1).unwrap();
    let tree = generate::path(40).unwrap();
    let ladder = (0..60).map(|v| (v, (v * 7 + 3) % 60, 1 + v as u32 % 5));
    let ladder = |directed| Weighted {
        vertices: 60,
        edges: ladder.clone().collect(),
        directed,
    };
    for graph in [
        &social,
        &road,
        &tree,
        &ladder(true).graph(),
        &ladder(false).graph(),
    ] {
        for count in [1, 3, 40] {
            let settings = cores().endpoints(count == 3);
            check(graph, count, &settings, |_| settings.clone());
            let sampled = settings.edges(true).roots(RootSelection::Sample(20));
            check(graph, count, &sampled, |_| sampled.clone());
        }
    }
    let social = one_way(&social);
    for reduce in ["blocks", "reverse", "blocks,reverse"] {
        let settings = cores().reduce(reduce.parse().unwrap()).edges(true);
        check(&social, 3, &settings, |_| settings.clone());
    }
}

#[test]
fn parts_may_be_searched_by_different_processors() {
    let device = any_device();
    let road = generate::grid(12, 40, 0.3, 1).unwrap();
    for chains in [When::Never, When::Always] {
        let settings = cores().reduce(Reductions {
            chains,
            ..Reductions::default()
        });
        let part = |number| match number {
            1 => settings.clone().cpu_workers(CpuWorkers::Count(2)),
            2 => settings.clone().devices(device.clone()),
            _ => {
                let device = settings.clone().devices(device.clone());
                device.cpu_workers(CpuWorkers::Count(0))
            }
        };
        check(&road, 3, &settings, part);
    }
}

/// Returns the message of a merge that is refused.
fn error(paths: &[PathBuf]) -> String {
    match Merged::read(paths) {
        Err(error @ Error::Parts(_)) => error.to_string(),
        Err(error) => panic!("another error: {error}"),
        Ok(_) => panic!("{paths:?} were merged"),
    }
}

#[test]
fn missing_parts_and_parts_of_another_search_are_named() {
    let graph = generate::rmat(7, 4, 0.57, 0.19, 0.19, 5).unwrap();
    let [folder, others] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let all = parts(&graph, 4, |_| cores(), folder.path());
    assert_eq!(error(&[]), "there are no parts to merge");
    let some = |numbers: &[usize]| numbers.iter().map(|&i| all[i].clone()).collect::<Vec<_>>();
    assert_eq!(error(&some(&[0, 1, 3])), "these parts are missing: 3/4");
    assert_eq!(error(&some(&[1, 2])), "these parts are missing: 1/4, 4/4");
    let copy = folder.path().join("copy.npz");
    fs::copy(&all[1], &copy).unwrap();
    let text = error(&[all.clone(), vec![copy]].concat());
    assert!(text.starts_with("part 2/4 is there twice: "), "{text}");
    assert!(
        text.contains("2.npz") && text.contains("copy.npz"),
        "{text}"
    );

    let other = generate::rmat(7, 4, 0.57, 0.19, 0.19, 6).unwrap();
    for (graph, count, settings) in [
        (&other, 4, cores()),
        (&graph, 5, cores()),
        (&graph, 4, cores().endpoints(true)),
        (&graph, 4, cores().edges(true)),
        (&graph, 4, cores().roots(RootSelection::Sample(30))),
    ] {
        let mut mixed = all.clone();
        mixed[1] = parts(graph, count, |_| settings.clone(), others.path())[1].clone();
        let expected = format!("{} is of another search than ", mixed[1].display());
        assert!(error(&mixed).starts_with(&expected), "{}", error(&mixed));
    }
    // A graph of the same shape with other labels has the same sums, but at other vertices.
    let cycle = |step: u32| {
        let edges = (0..16).map(|i| (i * step % 16, (i + 1) * step % 16));
        crate::common::graph(16, &edges.collect::<Vec<_>>(), false)
    };
    let a = parts(&cycle(1), 2, |_| cores(), folder.path());
    let b = parts(&cycle(3), 2, |_| cores(), others.path());
    assert!(error(&[a[0].clone(), b[1].clone()]).contains("another search"));
}

#[test]
fn damaged_parts_are_refused() {
    let graph = generate::rmat(5, 4, 0.57, 0.19, 0.19, 5).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let paths = parts(&graph, 2, |_| cores().edges(true), folder.path());
    let whole = Merged::read(&paths).unwrap().vertices(Scale::Pairs);
    let bytes = fs::read(&paths[1]).unwrap();
    for length in (0..bytes.len()).step_by(7) {
        fs::write(&paths[1], &bytes[..length]).unwrap();
        assert!(Merged::read(&paths).is_err(), "{length}");
    }
    for at in 0..bytes.len() {
        let mut spoiled = bytes.clone();
        spoiled[at] ^= 4;
        fs::write(&paths[1], &spoiled).unwrap();
        // Changes of padding, dates and names in the archive have no effect.
        if let Ok(merged) = Merged::read(&paths) {
            assert_eq!(merged.vertices(Scale::Pairs), whole, "{at}");
        }
    }
    fs::write(&paths[1], "vertex,score\n0,1\n").unwrap();
    assert!(error(&paths).ends_with("holds no sums, or not all of them"));
    brandes::graph::write_graph(&graph, &paths[1]).unwrap();
    assert!(error(&paths).ends_with("holds no part of a search"));
    assert!(error(&[folder.path().join("none.npz")]).contains("cannot be read: "));
}

#[test]
fn settings_that_contradict_parts_are_refused() {
    let graph = generate::star(5).unwrap();
    let part = cores().part(Part::new(1, 2).unwrap());
    let error = part.clone().normalized(true).run(&graph).err().unwrap();
    assert!(
        error
            .to_string()
            .starts_with("`normalized` is for the scores"),
        "{error}"
    );
    let sums = part.run(&graph).unwrap().part(&graph).unwrap();
    let error = sums.write("sums.csv".as_ref()).err().unwrap();
    assert!(
        error.to_string().ends_with("use a name that ends in .npz"),
        "{error}"
    );
}
