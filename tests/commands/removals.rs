//! Tests removals against a plain loop over the definition, and the command `remove`.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::definition::{AllPairs, Arcs};
use crate::common::program::{KARATE, Place};
use crate::common::weighted::Weighted;
use crate::common::{any_device, case_count, config, cores, families, graph, one_way, queries};
use brandes::graph::{Graph, generate};
use brandes::{
    Betweenness, CancelToken, CpuEngine, CpuWorkers, Error, Removal, RemovalOptions, RemoveBy,
};
use proptest::prelude::*;

fn removals(search: &Betweenness, graph: &Graph, options: RemovalOptions) -> Vec<Removal> {
    let steps = search.removals(Arc::new(graph.clone()), options);
    steps.unwrap().collect::<Result<_, _>>().unwrap()
}

/// Returns options with a batch, a number of steps and a number of components.
fn options(by: RemoveBy, [batch, steps, until]: [Option<usize>; 3]) -> RemovalOptions {
    RemovalOptions {
        by,
        batch,
        steps,
        until,
        known: Vec::new(),
    }
}

fn what(steps: &[Removal]) -> Vec<[u32; 2]> {
    steps.iter().map(|step| step.ends).collect()
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
    let inside = all.keys().filter(|&&(u, v)| of[u] == of[v]).count() as f64;
    let pairs = all
        .keys()
        .flat_map(|&(u, _)| all.keys().map(move |&(_, v)| (u, v)));
    let expected = pairs.filter(|&(u, v)| of[u] == of[v]).count() as f64;
    inside / count - expected / (count * count)
}

/// Removes vertices or edges in a plain loop.
fn plain_loop(graph: &Graph, all: &Arcs, by: RemoveBy, batch: usize) -> Vec<Removal> {
    let (n, directed) = (graph.vertices(), graph.directed());
    let (mut arcs, mut left, mut steps) = (all.clone(), vec![true; n], Vec::new());
    let mut items: Vec<[u32; 2]> = match by {
        RemoveBy::Vertices => (0..n as u32).map(|v| [v; 2]).collect(),
        RemoveBy::Edges => graph.ends().collect(),
    };
    while !items.is_empty() {
        let sums = AllPairs::new(n, arcs.clone()).through((false, false), |_, _, _| 1.0);
        let score = |item: &[u32; 2]| match item.map(|end| end as usize) {
            [v, _] if by == RemoveBy::Vertices => {
                sums.vertices[v] / if directed { 1.0 } else { 2.0 }
            }
            [t, h] if directed => sums.arcs[&(t, h)],
            [t, h] => (sums.arcs[&(t, h)] + sums.arcs[&(h, t)]) / 2.0,
        };
        let mut chosen: Vec<([u32; 2], f64)> = Vec::new();
        while chosen.len() < batch && !items.is_empty() {
            let high = items.iter().map(score).fold(0.0, f64::max);
            let ties = |item: &[u32; 2]| high - score(item) <= 1e-9 + 1e-9 * high;
            let item = items.remove(items.iter().position(ties).unwrap());
            chosen.push((item, score(&item)));
        }
        for &(item, _) in &chosen {
            let [t, h] = item.map(|end| end as usize);
            if by == RemoveBy::Vertices {
                left[t] = false;
                arcs.retain(|&(tail, head), _| tail != t && head != t);
            } else {
                arcs.retain(|&arc, _| arc != (t, h) && (directed || arc != (h, t)));
            }
        }
        let of = components(&left, &arcs);
        let mut sizes = BTreeMap::new();
        of.iter()
            .flatten()
            .for_each(|one| *sizes.entry(one).or_insert(0) += 1);
        let removed = steps.len() + chosen.len();
        steps.extend(chosen.into_iter().map(|(ends, score)| Removal {
            ends,
            score,
            removed,
            components: sizes.len(),
            largest: sizes.values().copied().max().unwrap_or(0),
            modularity: (by == RemoveBy::Edges).then(|| modularity(all, &of)),
        }));
    }
    steps
}

fn assert_same(got: &[Removal], expected: &[Removal]) {
    assert_eq!(what(got), what(expected));
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (1.0 + b.abs());
    for (got, expected) in got.iter().zip(expected) {
        let modularity = [got, expected].map(|step| step.modularity.unwrap_or_default());
        let counts = [got, expected].map(|step| (step.removed, step.components, step.largest));
        let is_same = close(got.score, expected.score)
            && close(modularity[0], modularity[1])
            && counts[0] == counts[1];
        assert!(is_same, "{got:?} {expected:?}");
    }
}

const BOTH: [RemoveBy; 2] = [RemoveBy::Vertices, RemoveBy::Edges];

proptest! {
    #![proptest_config(config(case_count(300)))]

    #[test]
    fn removals_equal_a_plain_loop(
        mut case in queries::graphs(families::all()),
        weighted: bool,
        by in prop::sample::select(&BOTH),
        batch in 1usize..4,
    ) {
        if !weighted {
            case.edges.iter_mut().for_each(|(.., length)| *length = 1);
        }
        let graph = if weighted { case.graph() } else { case.graph().without_lengths() };
        let got = removals(&cores(1), &graph, options(by, [Some(batch), None, None]));
        assert_same(&got, &plain_loop(&graph, &case.arcs(), by, batch));
    }
}

#[test]
fn every_engine_and_device_removes_in_the_same_order() {
    let engine = |engine| cores(2).cpu_engine(engine);
    let on_device = |workers| {
        let search = Betweenness::new().devices(any_device());
        search.cpu_workers(CpuWorkers::Count(workers))
    };
    let ways = [
        cores(1),
        cores(3).reproducible(true),
        engine(CpuEngine::Plain),
        engine(CpuEngine::Lanes),
        engine(CpuEngine::Clustered),
        on_device(0),
        on_device(1),
    ];
    // The grid and the tree have many ties.
    let grid = generate::grid(5, 6, 0.1, 1).unwrap();
    let tree = generate::random_tree(30, 4).unwrap();
    let directed = one_way(&generate::erdos_renyi(30, 70, 2).unwrap());
    for graph in [grid, tree, directed] {
        let arcs = Weighted::with_lengths(&graph, |_| 1).arcs();
        for by in BOTH {
            let expected = &plain_loop(&graph, &arcs, by, 1)[..25];
            for search in &ways {
                let got = removals(search, &graph, options(by, [None, Some(25), None]));
                assert_same(&got, expected);
            }
        }
    }
    // This one is searched on all cores.
    let large = generate::barabasi_albert(1500, 2, 3).unwrap();
    let six = || options(RemoveBy::Vertices, [Some(2), Some(6), None]);
    let expected = removals(&cores(1), &large, six());
    assert_eq!(expected.len(), 6);
    for search in [engine(CpuEngine::Plain), on_device(0)] {
        assert_same(&removals(&search, &large, six()), &expected);
    }
}

#[test]
fn removals_end_at_a_number_of_steps_or_components() {
    let path = generate::path(9).unwrap();
    let made = |given| removals(&cores(1), &path, options(RemoveBy::Vertices, given));
    assert_eq!(made([None, Some(0), None]), []);
    assert_eq!(made([None, None, Some(1)]), []);
    assert_eq!(what(&made([None, None, Some(3)])), [[4; 2], [1; 2]]);
    let four = made([Some(3), Some(4), None]);
    let components: Vec<usize> = four.iter().map(|step| step.components).collect();
    assert_eq!(components, [2, 2, 2, 3]);
    // Without edges there are no scores.
    for (by, expected) in [(BOTH[0], vec![[0; 2], [1; 2], [2; 2]]), (BOTH[1], vec![])] {
        let got = removals(
            &cores(1),
            &graph(3, &[(1, 1)], false),
            options(by, [None; 3]),
        );
        assert_eq!(what(&got), expected);
        assert_eq!(
            removals(&cores(1), &graph(0, &[], true), options(by, [None; 3])),
            []
        );
    }
}

#[test]
fn known_removals_are_repeated_and_others_refused() {
    let graph = generate::erdos_renyi(40, 80, 5).unwrap();
    let edges = options(RemoveBy::Edges, [None; 3]);
    let whole = removals(&cores(1), &graph, edges.clone());
    let known: Vec<_> = whole.iter().map(|step| (step.ends, step.score)).collect();
    let with = |known: &[_]| RemovalOptions {
        known: known.to_vec(),
        ..edges.clone()
    };
    assert_same(&removals(&cores(1), &graph, with(&known[..30])), &whole);
    for wrong in [known[0].0, [0, 0], [0, 40]] {
        let known = with(&[known[0], (wrong, 1.0), known[1]]);
        let steps = cores(1).removals(Arc::new(graph.clone()), known).unwrap();
        let results: Vec<_> = steps.collect();
        let ended = matches!(results[..], [Ok(_), Err(Error::Settings(_))]);
        assert!(ended, "{results:?}");
    }
}

#[test]
fn settings_that_removals_lack_are_refused_and_a_token_cancels() {
    let path = Arc::new(generate::path(4).unwrap());
    let refusal = |search: &Betweenness, batch| {
        let given = options(RemoveBy::Vertices, [batch, None, None]);
        let removals = search.removals(Arc::clone(&path), given);
        removals.err().unwrap().to_string()
    };
    let text = "does not go with removals; leave it out";
    assert!(refusal(&cores(1).normalized(true), None).ends_with(text));
    assert!(refusal(&cores(1).checkpoint("x", Default::default()), None).ends_with(text));
    assert_eq!(refusal(&cores(1), Some(0)), "`batch` is at least 1");
    let cancel = CancelToken::default();
    let search = cores(1).cancel(&cancel);
    let mut steps = search.removals(path, RemovalOptions::default()).unwrap();
    assert!(matches!(steps.next(), Some(Ok(_))));
    cancel.cancel();
    assert!(matches!(steps.next(), Some(Err(Error::Cancelled))));
    assert!(steps.next().is_none());
}

#[test]
fn the_karate_club_has_its_known_communities() {
    let place = Place::new();
    let remove = "remove KARATE --device none -o steps.csv --communities communities.csv";
    let text = "78 removals, 34 components left; largest modularity: 0.4013, of 5 communities\n";
    assert_eq!(place.run(remove).out, text);
    let rows = place.read("steps.csv");
    let header = "source,target,score,removed,components,largest,modularity\n";
    assert!(rows.starts_with(header) && rows.lines().count() == 79);
    // The split that Girvan and Newman report: all but member 3 are on the side where they went.
    let two = place.run(&format!("{remove} --until 2"));
    two.has(&["11 removals, 2 components left; "]);
    let text = place.read("communities.csv");
    let first = text
        .lines()
        .filter_map(|line| line.strip_suffix(",1")?.parse().ok());
    let mut first: Vec<u32> = first.collect();
    first.sort_unstable();
    assert_eq!(first, [1, 2, 4, 5, 6, 7, 8, 11, 12, 13, 14, 17, 18, 20, 22]);
}

#[test]
fn rows_have_the_share_that_is_removed_after_their_batch() {
    let remove = "remove KARATE --device none --batch 3 --steps 5 -o -";
    let rows = Place::new().run(remove).out;
    let share = |row: &str| row.split(',').nth(2).unwrap().parse::<f64>().unwrap();
    let shares: Vec<f64> = rows.lines().skip(1).map(share).collect();
    let after = [3.0, 3.0, 3.0, 5.0, 5.0].map(|count| count / 34.0);
    assert_eq!(shares, after);
}

#[test]
fn a_run_resumes_from_its_file() {
    let names = "a,\"x, y\"\n\"x, y\",b\nb,\"c \"\n\"c \",a\nb,d\n";
    let place = Place::with(&[("names.csv", names)]);
    for graph in ["KARATE", "names.csv", "names.csv --directed"] {
        for by in ["vertices", "edges"] {
            let remove = format!("remove {graph} --device none --batch 2 --by {by} -o");
            place.run(&format!("{remove} whole.csv"));
            place.run(&format!("{remove} part.csv --steps 3"));
            let text = place.run(&format!("{remove} - --resume part.csv")).out;
            assert_eq!(text, place.read("whole.csv"), "{graph} {by}");
            place.run(&format!("{remove} part.csv --resume part.csv"));
            assert_eq!(place.read("part.csv"), text, "{graph} {by}");
            // Removals that were computed are kept, whatever ends the run.
            place.run(&format!("{remove} part.csv --resume part.csv --until 1"));
            assert_eq!(place.read("part.csv"), text, "{graph} {by}");
        }
    }
}

#[test]
fn wrong_options_and_steps_of_other_graphs_are_refused() {
    let karate =
        std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(KARATE));
    let more = format!("{}5 31\n", karate.unwrap());
    let place = Place::with(&[("more.txt", &more), ("path.txt", "1 2\n")]);
    place.run("remove KARATE --device none --steps 4 -o s.csv");
    place.run("remove KARATE --device none --steps 5 --resume s.csv -o -");
    place.run("run KARATE --device none --scores s.npy --quiet");
    place.run("run KARATE --device none --scores run.csv --quiet");
    let share = 3.0 / 34.0;
    let rows = format!("1,0,{share},2,1\n").repeat(3) + "2,0,0,2,1\n";
    let head = "vertex,score,removed,components,largest\n";
    place.write("twice.csv", format!("{head}{rows}"));
    place.refuse(
        "remove",
        "
        2 | KARATE --by vertices --communities c.csv | --communities needs --by edges
        2 | KARATE --batch 0 | --batch
        2 | KARATE -o KARATE | would overwrite the graph
        2 | KARATE -o s.json | --output writes CSV, not .json
        2 | more.txt --resume s.csv | the removals of --resume after the first 3 are not those
        2 | KARATE --steps 3 --resume s.csv | less than the number of removals in --resume
        2 | KARATE --batch 3 --resume twice.csv | the removals of --resume after the first 0 are not
        1 | KARATE --resume s.npy | s.npy: this is not a file of 'brandes remove'
        1 | KARATE --resume run.csv | run.csv: this is not a file of 'brandes remove'
        1 | KARATE --batch 2 --resume s.csv | s.csv: it was written with another graph, --by or
        1 | path.txt --batch 9 --resume s.csv | s.csv: 34 is not in the graph
        1 | KARATE --by edges --resume s.csv | s.csv: it was written with another graph
        1 | KARATE --resume none.csv | none.csv: cannot be read",
    );
}

#[test]
fn a_run_resumes_if_names_are_not_utf_8() {
    let place = Place::new();
    place.write("names.csv", b"a,\xe9\n\xe9,b\nb,\xe8\n\xe8,c\nc,d\n");
    for by in ["vertices", "edges"] {
        let remove = format!("remove names.csv --header no --device none --by {by} -o");
        place.run(&format!("{remove} whole.csv"));
        place.run(&format!("{remove} again.csv --resume whole.csv"));
        let files = ["whole.csv", "again.csv"].map(|name| std::fs::read(place.at(name)).unwrap());
        assert_eq!(files[0], files[1]);
    }
}

/// A signal stops a run after the step at hand, and complete rows are written.
#[cfg(unix)]
#[test]
fn a_signal_writes_the_removals_so_far() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let place = Place::new();
    let graph = "bench-graphs/barabasi-albert-1000.txt.zst";
    let line = format!("remove {graph} --by edges --device none --progress log -o");
    let mut child = Command::new(env!("CARGO_BIN_EXE_brandes"))
        .args(line.split(' '))
        .arg(place.at("steps.csv"))
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
    let stopped = |line: &String| line.contains("stopped by SIGINT");
    assert!(rest.iter().any(stopped), "{rest:?}");
    let rows = place.read("steps.csv");
    assert!(rows.ends_with('\n') && rows.lines().count() > 1);
    assert!(
        rows.lines().all(|row| row.split(',').count() == 7),
        "{rows}"
    );
}
