//! Tests removals against a plain loop over the definition, and the command `remove`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::common::definition::{AllPairs, Arcs};
use crate::common::program::{KARATE, brandes, brandes_with, stdout};
use crate::common::weighted::random_weighted;
use crate::common::{any_device, case_count, cores, graph, one_way};
use brandes::graph::{Graph, generate};
use brandes::{
    Betweenness, CancelToken, CpuEngine, CpuWorkers, DeviceSelection, Error, Removal,
    RemovalOptions, RemoveBy,
};
use proptest::prelude::*;

fn removals(search: &Betweenness, graph: &Graph, options: &RemovalOptions) -> Vec<Removal> {
    let steps = search.removals(Arc::new(graph.clone()), options.clone());
    steps.unwrap().collect::<Result<_, _>>().unwrap()
}

fn what(steps: &[Removal]) -> Vec<[u32; 2]> {
    steps.iter().map(|step| step.ends).collect()
}

/// Returns the arcs with their lengths, in whole units.
fn arcs_of(graph: &Graph) -> Arcs {
    let mut arcs = Arcs::new();
    for (tail, head, arc) in graph.edges_and_arcs() {
        let length = graph.lengths().map_or(1, |all| all.integer(arc).unwrap());
        arcs.insert((tail as usize, head as usize), length);
        if !graph.directed() {
            arcs.insert((head as usize, tail as usize), length);
        }
    }
    arcs
}

/// Returns the component of each vertex that is left, as its smallest vertex.
fn components(left: &[bool], arcs: &Arcs) -> Vec<Option<usize>> {
    let mut of: Vec<_> = (0..left.len()).map(|v| left[v].then_some(v)).collect();
    for _ in 0..left.len() {
        for &(u, v) in arcs.keys() {
            let low = of[u].min(of[v]);
            (of[u], of[v]) = (low, low);
        }
    }
    of
}

/// Returns Newman's modularity, by its definition for arcs.
fn modularity(all: &Arcs, of: &[Option<usize>]) -> f64 {
    let count = all.len() as f64;
    let mut sum = 0.0;
    for u in 0..of.len() {
        for v in (0..of.len()).filter(|&v| of[v] == of[u]) {
            let out = all.keys().filter(|arc| arc.0 == u).count() as f64;
            let into = all.keys().filter(|arc| arc.1 == v).count() as f64;
            sum += f64::from(u8::from(all.contains_key(&(u, v)))) - out * into / count;
        }
    }
    sum / count
}

/// Removes vertices or edges in a plain loop.
fn plain_loop(graph: &Graph, by: RemoveBy, batch: usize) -> Vec<Removal> {
    let (n, all) = (graph.vertices(), arcs_of(graph));
    let (mut arcs, mut left, mut steps) = (all.clone(), vec![true; n], Vec::new());
    let mut items: Vec<[u32; 2]> = match by {
        RemoveBy::Vertices => (0..n as u32).map(|v| [v; 2]).collect(),
        RemoveBy::Edges => graph.ends().collect(),
    };
    while !items.is_empty() {
        let sums = AllPairs::new(n, arcs.clone()).through((false, false), |_, _, _| 1.0);
        let factor = if graph.directed() { 1.0 } else { 0.5 };
        let score = |item: &[u32; 2]| match item.map(|end| end as usize) {
            [v, _] if by == RemoveBy::Vertices => factor * sums.vertices[v],
            [t, h] => {
                let back = sums.arcs.get(&(h, t)).filter(|_| !graph.directed());
                factor * (sums.arcs[&(t, h)] + back.unwrap_or(&0.0))
            }
        };
        let mut chosen: Vec<([u32; 2], f64)> = Vec::new();
        while chosen.len() < batch && !items.is_empty() {
            let high = items.iter().map(score).fold(0.0, f64::max);
            let ties = |item: &[u32; 2]| high - score(item) <= 1e-9 + 1e-9 * high;
            let tied: Vec<_> = items.iter().copied().filter(ties).collect();
            items.retain(|item| !tied.contains(item));
            chosen.extend(tied.into_iter().map(|item| (item, score(&item))));
        }
        // The rest of the last group stays.
        items.extend(
            chosen
                .drain(chosen.len().min(batch)..)
                .map(|(item, _)| item),
        );
        items.sort_unstable();
        for &(item, _) in &chosen {
            let [t, h] = item.map(|end| end as usize);
            if by == RemoveBy::Vertices {
                left[t] = false;
                arcs.retain(|&(tail, head), _| tail != t && head != t);
            } else {
                arcs.remove(&(t, h));
                if !graph.directed() {
                    arcs.remove(&(h, t));
                }
            }
        }
        let of = components(&left, &arcs);
        let mut sizes = BTreeMap::new();
        of.iter()
            .flatten()
            .for_each(|one| *sizes.entry(one).or_insert(0) += 1);
        for (ends, score) in chosen {
            steps.push(Removal {
                ends,
                score,
                components: sizes.len(),
                largest: sizes.values().copied().max().unwrap_or(0),
                modularity: (by == RemoveBy::Edges).then(|| modularity(&all, &of)),
            });
        }
    }
    steps
}

fn assert_same(got: &[Removal], expected: &[Removal]) {
    assert_eq!(what(got), what(expected));
    for (got, expected) in got.iter().zip(expected) {
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (1.0 + b.abs());
        assert!(close(got.score, expected.score), "{got:?} {expected:?}");
        let pair = [got.modularity, expected.modularity].map(Option::unwrap_or_default);
        assert!(close(pair[0], pair[1]), "{got:?} {expected:?}");
        let exact = |step: &Removal| (step.components, step.largest);
        assert_eq!(exact(got), exact(expected));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(case_count(100)))]

    #[test]
    fn removals_equal_a_plain_loop(
        case in random_weighted(4),
        weighted: bool,
        by_edges: bool,
        batch in 1usize..4,
    ) {
        let graph = case.graph();
        let graph = if weighted { graph } else { graph.without_lengths() };
        let by = if by_edges { RemoveBy::Edges } else { RemoveBy::Vertices };
        let options = RemovalOptions { by, batch: Some(batch), ..RemovalOptions::default() };
        assert_same(&removals(&cores(1), &graph, &options), &plain_loop(&graph, by, batch));
    }
}

/// Returns the ways to search that every machine has.
fn ways() -> Vec<Betweenness> {
    let engine = |engine| cores(2).cpu_engine(engine);
    vec![
        cores(1),
        cores(3).reproducible(true),
        engine(CpuEngine::Plain),
        engine(CpuEngine::Lanes),
        engine(CpuEngine::Clustered),
        Betweenness::new()
            .devices(any_device())
            .cpu_workers(CpuWorkers::Count(0)),
        Betweenness::new()
            .devices(any_device())
            .cpu_workers(CpuWorkers::Count(1)),
    ]
}

#[test]
fn every_engine_and_device_removes_in_the_same_order() {
    // The grid and the tree have many ties.
    let grid = generate::grid(5, 6, 0.1, 1).unwrap();
    let tree = generate::random_tree(30, 4).unwrap();
    let directed = one_way(&generate::erdos_renyi(30, 70, 2).unwrap());
    for graph in [grid, tree, directed] {
        for by in [RemoveBy::Vertices, RemoveBy::Edges] {
            let options = RemovalOptions {
                by,
                steps: Some(25),
                ..RemovalOptions::default()
            };
            let expected = &plain_loop(&graph, by, 1)[..25];
            for search in ways() {
                assert_same(&removals(&search, &graph, &options), expected);
            }
        }
    }
}

#[test]
fn a_large_graph_is_searched_on_all_cores_and_removals_are_the_same() {
    let graph = generate::barabasi_albert(1500, 2, 3).unwrap();
    let options = RemovalOptions {
        steps: Some(6),
        batch: Some(2),
        ..RemovalOptions::default()
    };
    let [one, three, device] = [
        cores(1),
        cores(3).cpu_engine(CpuEngine::Plain),
        Betweenness::new().devices(any_device()),
    ]
    .map(|search| removals(&search, &graph, &options));
    assert_same(&three, &one);
    assert_same(&device, &one);
    assert_eq!(one.len(), 6);
}

#[test]
fn removals_end_at_a_number_of_steps_or_components() {
    let graph = generate::path(9).unwrap();
    let made = |options| removals(&cores(1), &graph, &options);
    assert_eq!(
        made(RemovalOptions {
            steps: Some(0),
            ..RemovalOptions::default()
        }),
        []
    );
    assert_eq!(
        made(RemovalOptions {
            until: Some(1),
            ..RemovalOptions::default()
        }),
        []
    );
    let three = made(RemovalOptions {
        until: Some(3),
        ..RemovalOptions::default()
    });
    assert_eq!(what(&three), [[4; 2], [1; 2]]);
    let four = made(RemovalOptions {
        steps: Some(4),
        batch: Some(3),
        ..RemovalOptions::default()
    });
    let components: Vec<usize> = four.iter().map(|step| step.components).collect();
    assert_eq!(components, [2, 2, 2, 3]);
}

#[test]
fn known_removals_are_repeated_and_others_refused() {
    let graph = generate::erdos_renyi(40, 80, 5).unwrap();
    let by = RemoveBy::Edges;
    let whole = removals(
        &cores(1),
        &graph,
        &RemovalOptions {
            by,
            ..RemovalOptions::default()
        },
    );
    let known: Vec<_> = whole[..30]
        .iter()
        .map(|step| (step.ends, step.score))
        .collect();
    let options = |known| RemovalOptions {
        by,
        known,
        ..RemovalOptions::default()
    };
    assert_same(
        &removals(&cores(1), &graph, &options(known.clone())),
        &whole,
    );
    for wrong in [known[0].0, [0, 0], [0, 40]] {
        let known = vec![known[0], (wrong, 1.0), known[1]];
        let steps = cores(1)
            .removals(Arc::new(graph.clone()), options(known))
            .unwrap();
        let results: Vec<_> = steps.collect();
        assert!(
            matches!(results[..], [Ok(_), Err(Error::Settings(_))]),
            "{results:?}"
        );
    }
}

#[test]
fn settings_that_removals_lack_are_refused_and_a_token_cancels() {
    let graph = Arc::new(generate::path(4).unwrap());
    let options = RemovalOptions::default();
    for search in [
        cores(1).normalized(true),
        cores(1).checkpoint("x", Default::default()),
    ] {
        let error = search
            .removals(Arc::clone(&graph), options.clone())
            .err()
            .unwrap();
        assert!(
            error
                .to_string()
                .ends_with("does not go with removals; leave it out")
        );
    }
    let none = RemovalOptions {
        batch: Some(0),
        ..RemovalOptions::default()
    };
    assert!(cores(1).removals(Arc::clone(&graph), none).is_err());
    let cancel = CancelToken::default();
    let mut steps = cores(1).cancel(&cancel).removals(graph, options).unwrap();
    assert!(matches!(steps.next(), Some(Ok(_))));
    cancel.cancel();
    assert!(matches!(steps.next(), Some(Err(Error::Cancelled))));
    assert!(steps.next().is_none());
}

/// Runs `brandes remove GRAPH --device none` with more arguments.
fn remove(graph: &str, more: &[&str]) -> String {
    let mut command = brandes();
    stdout(
        command
            .args(["remove", graph, "--device", "none"])
            .args(more),
    )
}

#[test]
fn the_karate_club_has_its_known_communities() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (steps, communities) = (file("steps.csv"), file("communities.csv"));
    let text = remove(KARATE, &["-o", &steps, "--communities", &communities]);
    assert_eq!(
        text,
        "78 removals, 34 components left; largest modularity: 0.4013, of 5 communities\n"
    );
    let rows = fs::read_to_string(&steps).unwrap();
    let header = "source,target,score,removed,components,largest,modularity\n";
    assert!(rows.starts_with(header) && rows.lines().count() == 79);
    // The split that Girvan and Newman report: all but member 3 are on the side where they went.
    let options = ["--until", "2", "--communities", &communities, "-o", &steps];
    assert!(remove(KARATE, &options).starts_with("11 removals, 2 components left; "));
    let text = fs::read_to_string(&communities).unwrap();
    let mut first: Vec<u32> = text
        .lines()
        .filter_map(|line| line.strip_suffix(",1")?.parse().ok())
        .collect();
    first.sort_unstable();
    assert_eq!(first, [1, 2, 4, 5, 6, 7, 8, 11, 12, 13, 14, 17, 18, 20, 22]);
}

#[test]
fn a_run_resumes_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (whole, part) = (file("whole.csv"), file("part.csv"));
    for by in ["vertices", "edges"] {
        let same = ["--by", by, "--batch", "2"];
        let with = |more: &[&str]| remove(KARATE, &[&same[..], more].concat());
        with(&["-o", &whole]);
        with(&["-o", &part, "--steps", "7"]);
        let text = with(&["--resume", &part]);
        assert_eq!(text, fs::read_to_string(&whole).unwrap(), "{by}");
        with(&["-o", &part, "--resume", &part]);
        assert_eq!(fs::read(&part).unwrap(), fs::read(&whole).unwrap(), "{by}");
    }
}

#[test]
fn steps_of_another_graph_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (steps, other) = (file("steps.csv"), file("other.txt"));
    remove(KARATE, &["--steps", "4", "-o", &steps]);
    let edges = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(KARATE)).unwrap();
    for (added, expected) in [
        (&edges[..], None),
        (
            &format!("{edges}5 31\n"),
            Some("the removals after 3 are others in this graph"),
        ),
        (
            "1 2\n",
            Some("'34' is not in the graph; give graph and options as before"),
        ),
    ] {
        fs::write(&other, added).unwrap();
        let mut command = brandes_with(&["remove", &other, "--device", "none", "--steps", "5"]);
        let output = command.args(["--resume", &steps]).output().unwrap();
        let messages = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.success(), expected.is_none(), "{messages}");
        assert!(
            messages.contains(expected.unwrap_or_default()),
            "{messages}"
        );
    }
}

#[test]
fn communities_are_of_edges() {
    let options = [
        "remove",
        KARATE,
        "--by",
        "vertices",
        "--communities",
        "c.csv",
    ];
    let output = brandes_with(&options).assert().code(2).get_output().clone();
    let messages = String::from_utf8(output.stderr).unwrap();
    assert!(
        messages.contains("--communities are for --by edges"),
        "{messages}"
    );
}

/// A signal stops a run after the step at hand, and complete rows are written.
#[cfg(unix)]
#[test]
fn a_signal_writes_the_removals_so_far() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().unwrap();
    let steps = folder.path().join("steps.csv");
    let mut child = Command::new(env!("CARGO_BIN_EXE_brandes"))
        .args([
            "remove",
            "bench-graphs/barabasi-albert-1000.txt.zst",
            "--by",
            "edges",
        ])
        .args(["--device", "none", "--progress", "log", "-o"])
        .arg(&steps)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut messages = BufReader::new(child.stderr.take().unwrap()).lines();
    let first = messages.find(|line| line.as_ref().unwrap().contains("removals made"));
    assert!(first.is_some());
    crate::common::program::send(&child, libc::SIGINT);
    let rest: Vec<String> = messages.map(Result::unwrap).collect();
    let status = child.wait().unwrap();
    if status.success() {
        return; // The run ended before the signal.
    }
    assert_eq!(status.code(), Some(130), "{rest:?}");
    assert!(
        rest.iter().any(|line| line.contains("stopped by SIGINT")),
        "{rest:?}"
    );
    let rows = fs::read_to_string(&steps).unwrap();
    assert!(rows.ends_with('\n') && rows.lines().count() > 1);
    assert!(
        rows.lines().all(|row| row.split(',').count() == 7),
        "{rows}"
    );
}

#[test]
fn a_graph_without_edges_has_no_scores() {
    let graph = graph(3, &[], false);
    let options = RemovalOptions::default();
    let search = Betweenness::new().devices(DeviceSelection::None);
    assert_eq!(
        what(&removals(&search, &graph, &options)),
        [0, 1, 2].map(|v| [v; 2])
    );
    let by = RemoveBy::Edges;
    assert_eq!(
        removals(&search, &graph, &RemovalOptions { by, ..options }),
        []
    );
}
