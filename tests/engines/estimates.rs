//! Tests estimates: intervals cover the exact scores, seeds fix the result, and drawing all sources
//! gives exact scores.

use std::time::Duration;
use std::{env, thread};

use crate::common::program::{brandes_with, read_json, run as program};
use crate::common::{assert_close, cores, graph};
use brandes::graph::{Graph, generate};
use brandes::prepare::When;
use brandes::{
    Betweenness, CancelToken, CpuEngine, Drawn, Error, Estimate, Reductions, RootSelection, Scores,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Estimates scores from sources by an engine that the seed chooses, with no reduction but folding,
/// or from paths. (The library searches exactly where it expects that to be faster; with these
/// settings it does not.)
fn estimate(graph: &Graph, options: Estimate, workers: usize) -> Scores {
    if options.draws == Some(Drawn::Paths) {
        return cores(workers).estimate(options).run(graph).unwrap();
    }
    let engine = match graph.lengths().is_none() && options.seed % 2 == 1 {
        true => CpuEngine::Lanes,
        false => CpuEngine::Plain,
    };
    let search = cores(workers).cpu_engine(engine);
    let search = search.reduce(Reductions {
        fold: When::Auto,
        ..Reductions::NONE
    });
    search.estimate(options).run(graph).unwrap()
}

fn drawing(kind: Drawn, mut options: Estimate) -> Estimate {
    options.draws = Some(kind);
    options
}

fn within(epsilon: f64, seed: u64) -> Estimate {
    let mut options = Estimate::default();
    (options.epsilon, options.seed) = (epsilon, seed);
    options
}

/// Returns cycles that share one vertex.
fn flower(cycles: u32, length: u32) -> Graph {
    let mut edges = Vec::new();
    for cycle in 0..cycles {
        let first = 1 + cycle * (length - 1);
        let inner = first..first + length - 1;
        edges.extend(inner.clone().skip(1).map(|v| (v - 1, v)));
        edges.extend([(0, inner.start), (inner.end - 1, 0)]);
    }
    graph((1 + cycles * (length - 1)) as usize, &edges, false)
}

fn random_arcs(n: u32, arcs: usize) -> Graph {
    let mut random = Pcg64::seed_from_u64(7);
    // Low numbers are more likely, so that some vertices are central.
    let mut end = || (f64::from(n) * random.random_range(0f64..1.0).powi(2)) as u32;
    let edges: Vec<_> = (0..arcs).map(|_| (end(), end())).collect();
    graph(n as usize, &edges, true)
}

/// Returns eight graphs (a small world, roads, hubs, a graph like a star, roads with lengths, a
/// directed graph, one of many components, and one with many trees), each with an epsilon that needs
/// about half of the sources.
fn graphs() -> Vec<(&'static str, Graph, f64)> {
    let roads = generate::road(1500, 0.25, 0.3, 5).unwrap().graph;
    let small_world = generate::watts_strogatz(1500, 6, 0.1, 5);
    let trees = generate::rmat(11, 1, 0.57, 0.19, 0.19, 5);
    let all = [
        ("small world", small_world, 0.012),
        ("roads", Ok(roads.clone().without_lengths()), 0.04),
        ("hubs", generate::barabasi_albert(1500, 2, 5), 0.03),
        ("star-like", Ok(flower(100, 16)), 0.02),
        ("weighted roads", Ok(roads), 0.04),
        ("directed", Ok(random_arcs(1500, 6000)), 0.02),
        ("components", generate::erdos_renyi(1500, 1200, 5), 0.02),
        ("trees", trees, 0.01),
    ];
    let all = all.into_iter();
    all.map(|(name, graph, epsilon)| (name, graph.unwrap(), epsilon))
        .collect()
}

/// Returns the kinds of draws that support a graph.
fn kinds(graph: &Graph) -> &'static [Drawn] {
    match graph.lengths() {
        None => &[Drawn::Sources, Drawn::Paths],
        Some(_) => &[Drawn::Sources],
    }
}

/// Estimates the scores of a graph. Returns the number of draws, and whether all exact scores are
/// in their intervals.
fn covers(graph: &Graph, exact: &[f64], options: Estimate) -> (usize, bool) {
    let scores = estimate(graph, options, 1);
    let estimated = scores.estimated().unwrap();
    assert!(estimated.half_width <= options.epsilon + 1e-9);
    let ends = estimated.lower.iter().zip(&estimated.upper);
    let scores = scores.vertices().iter().zip(exact);
    let is_covered = ends.zip(scores).all(|((low, high), (score, truth))| {
        assert!(low <= score && score <= high);
        let farthest = (high - score).max(score - low);
        assert!(farthest <= estimated.half_width + 1e-9);
        let near = (score - truth).abs() <= options.epsilon + 1e-9;
        near && low - 1e-9 <= *truth && *truth <= high + 1e-9
    });
    (estimated.draws, is_covered)
}

/// Prints a table of failures. `scripts/check-coverage` sets the number of runs.
#[test]
#[expect(clippy::print_stdout, reason = "the script shows the table")]
fn intervals_cover_exact_scores() {
    /// The number of simultaneous estimates; each mostly waits for its own worker threads.
    const AT_A_TIME: usize = 8;
    let requested = env::var("BRANDES_COVERAGE_RUNS").ok();
    let runs: u64 = requested.and_then(|runs| runs.parse().ok()).unwrap_or(24);
    println!("| graph | epsilon | sources: mean, failures of {runs} | paths: the same |");
    println!("|---|---|---|---|");
    for (name, graph, epsilon) in graphs() {
        let exact = cores(2).normalized(true).run(&graph).unwrap();
        let mut cells = String::new();
        for &kind in kinds(&graph) {
            let run = |seed| {
                covers(
                    &graph,
                    exact.vertices(),
                    drawing(kind, within(epsilon, seed)),
                )
            };
            let part = |first| {
                (first..runs)
                    .step_by(AT_A_TIME)
                    .map(run)
                    .collect::<Vec<_>>()
            };
            let all: Vec<_> = thread::scope(|scope| {
                let start = |first| scope.spawn(move || part(first));
                let threads: Vec<_> = (0..AT_A_TIME as u64).map(start).collect();
                let joined = threads.into_iter().map(|thread| thread.join().unwrap());
                joined.flatten().collect()
            });
            let failures = all.iter().filter(|(_, is_covered)| !is_covered).count();
            let mean = all.iter().map(|(draws, _)| draws).sum::<usize>() / all.len();
            let drew_some = kind == Drawn::Paths || mean < graph.vertices();
            assert!(drew_some, "{name}: all sources were drawn");
            cells += &format!(" {mean}, {failures} |");
            let mut most = 0.1 * runs as f64;
            // If there are few runs, their share of failures may be larger by chance.
            if runs < 1000 {
                most += 4.0 * most.sqrt();
            }
            assert!(failures as f64 <= most, "{name}: {failures} of {runs}");
        }
        if graph.lengths().is_some() {
            cells += " |"; // Paths are drawn without lengths only.
        }
        println!("| {name} | {epsilon} |{cells}");
    }
}

#[test]
fn a_seed_fixes_the_result_whatever_the_workers() {
    for (name, graph, epsilon) in graphs() {
        for &kind in kinds(&graph) {
            let run = |seed, workers| {
                let options = drawing(kind, within(epsilon, seed));
                let scores = estimate(&graph, options, workers);
                let estimated = scores.estimated().unwrap();
                let (lower, upper) = (estimated.lower.clone(), estimated.upper.clone());
                (estimated.draws, [scores.into_vertices(), lower, upper])
            };
            let (draws, first) = run(3, 1);
            for workers in [2, 5] {
                let (others, other) = run(3, workers);
                assert_eq!(draws, others, "{name}");
                for (ours, theirs) in first.iter().zip(&other) {
                    assert_close(ours, theirs, 1e-9);
                }
            }
            assert_ne!(first[0], run(4, 1).1[0], "{name}");
        }
    }
}

#[test]
fn all_draws_give_exact_scores() {
    let mut all = graphs();
    all.push(("forest", generate::erdos_renyi(1500, 900, 5).unwrap(), 0.0));
    all.push(("path", generate::path(9).unwrap(), 0.0));
    all.push(("pair", generate::path(2).unwrap(), 0.0));
    all.push(("no vertex", graph(0, &[], false), 0.0));
    for (name, graph, _) in all {
        let exact = cores(2).normalized(true).run(&graph).unwrap();
        for reduce in [Reductions::default(), Reductions::NONE] {
            let search = cores(2).reduce(reduce).estimate(within(1e-9, 1));
            let scores = search.run(&graph).unwrap();
            let estimated = scores.estimated().unwrap();
            assert!(estimated.is_exact(), "{name}");
            assert_eq!(estimated.half_width, 0.0, "{name}");
            for values in [scores.vertices(), &estimated.lower, &estimated.upper] {
                assert_close(values, exact.vertices(), 1e-9);
            }
        }
    }
}

#[test]
fn no_end_of_an_interval_is_above_the_largest_score() {
    let trees = generate::watts_strogatz(1054, 2, 0.1, 3).unwrap();
    let scores = estimate(&trees, drawing(Drawn::Sources, within(0.5, 2)), 1);
    let upper = &scores.estimated().unwrap().upper;
    assert!(upper.iter().all(|&high| high <= 1.0), "{upper:?}");
}

/// Sources that are folded into one vertex are drawn separately, but searched from that vertex, which
/// is then among the roots of a batch several times.
#[test]
fn sources_of_a_tree_may_be_drawn_in_one_batch() {
    let graph = generate::rmat(10, 2, 0.57, 0.19, 0.19, 3).unwrap();
    let exact = cores(1).normalized(true).run(&graph).unwrap();
    let estimate = |engine| {
        let search = cores(1).cpu_engine(engine);
        let search = search.estimate(drawing(Drawn::Sources, within(0.1, 1)));
        search.run(&graph).unwrap().estimated().unwrap().clone()
    };
    let plain = estimate(CpuEngine::Plain);
    for engine in [CpuEngine::Plain, CpuEngine::Lanes, CpuEngine::Clustered] {
        let other = estimate(engine);
        assert!(!other.is_exact());
        assert_close(&other.lower, &plain.lower, 1e-9);
        assert_close(&other.upper, &plain.upper, 1e-9);
        for seed in 0..3 {
            let mut options = within(0.0, seed);
            options.time = Some(Duration::from_secs(600));
            let search = cores(1).cpu_engine(engine).estimate(options);
            let scores = search.run(&graph).unwrap();
            assert!(scores.estimated().unwrap().is_exact(), "{engine:?}");
            assert_close(scores.vertices(), exact.vertices(), 1e-9);
        }
    }
}

#[test]
fn roads_that_need_all_sources_are_searched_exactly_by_the_engine_for_roads() {
    // Without lengths, measured times of paths would decide.
    let graph = generate::road(6_000, 0.25, 0.3, 5).unwrap().graph;
    let run = |options| cores(2).estimate(options).run(&graph).unwrap();
    let rough = run(drawing(Drawn::Sources, within(0.2, 1)));
    assert!(!rough.estimated().unwrap().is_exact());
    let exact = run(within(0.001, 1));
    let mut engines = exact.record().outcome.workers.iter();
    assert!(engines.any(|worker| worker.plan.engine == CpuEngine::Hierarchy));
    let estimated = exact.estimated().unwrap();
    assert!(estimated.is_exact() && estimated.half_width == 0.0);
    for (at, values) in [exact.vertices(), &estimated.upper].into_iter().enumerate() {
        let within = values.iter().zip(&rough.estimated().unwrap().upper);
        assert!(within.clone().all(|(score, high)| score <= high), "{at}");
    }
}

#[test]
fn workers_that_fail_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let [roads, report] = ["roads.txt", "report"].map(|name| folder.path().join(name));
    let mut generate = brandes_with(&["generate", "road", "--vertices", "6000", "--seed", "5"]);
    generate.arg("-o").arg(&roads).assert().success();
    let run = |epsilon, claim: u32| {
        let options = "--weighted --cpu-workers 2 --seed 1 --epsilon";
        let options: Vec<&str> = options.split(' ').chain([epsilon]).collect();
        let mut run = program(roads.to_str().unwrap(), &options);
        // While one worker prints a backtrace, the other could search everything.
        run.env_remove("RUST_BACKTRACE");
        run.env("BRANDES_FAIL_WORKER_AT", claim.to_string());
        run.arg("--report").arg(&report).assert().success();
        let report = read_json(&report);
        let workers = report["workers"].as_array().unwrap().iter();
        let roots: u64 = workers
            .map(|worker| worker["roots"].as_u64().unwrap())
            .sum();
        let searches = report["estimate"]["searches"].as_u64().unwrap();
        let warnings = report["checks"]["warnings"].to_string();
        (warnings.contains("a CPU worker stopped"), roots, searches)
    };
    // The first batch is a run of its own, and so is the rest of the estimate (0.2) or the exact
    // search (0.02). The other worker may end a run before the failure is noticed, so there are
    // several attempts.
    for claim in [1, 2, 4, 8, 16] {
        let attempts = if claim == 1 { 20 } else { 3 };
        let is_reported = (0..attempts).any(|_| {
            let (is_reported, roots, searches) = run("0.2", claim);
            assert_eq!(roots, searches, "claim {claim}");
            is_reported
        });
        assert!(is_reported || claim > 1);
    }
    assert!((0..20).any(|_| run("0.02", 1).0));
}

#[test]
fn the_highest_scores_are_separated() {
    let flower = flower(100, 16);
    let run = |graph: &Graph, top, epsilon, draws| {
        let mut options = within(epsilon, 1);
        (options.top, options.draws) = (top, draws);
        let scores = estimate(graph, options, 2);
        scores.estimated().unwrap().clone()
    };
    let separated = run(&flower, Some(1), 0.004, None);
    assert!(separated.draws < run(&flower, None, 0.004, None).draws);
    let mut others = separated.upper[1..].iter();
    assert!(others.all(|&high| high <= separated.lower[0]));
    assert_eq!(separated.ranks(&[0]), [[1, 1]]);
    // They alone need no epsilon. No score of this graph has a closed form. The highest are 0.287 and
    // 0.129.
    let hubs = generate::barabasi_albert(5_000, 2, 1).unwrap();
    let estimated = run(&hubs, Some(1), 0.0, Some(Drawn::Sources));
    assert!(!estimated.is_exact() && estimated.draws < 1_000);
    // An exact search may replace draws of paths, since these might never separate scores.
    for &kind in kinds(&flower) {
        let estimated = run(&flower, Some(1), 0.0, Some(kind));
        assert_eq!(estimated.ranks(&[0]), [[1, 1]], "{kind:?}");
    }
    // All other vertices on the cycles have the same scores in pairs, so an exact search is faster
    // than an estimate that never separates them.
    let estimated = run(&flower, Some(2), 0.0, None);
    assert!(estimated.is_exact());
    let [first, last] = estimated.ranks(&[flower.vertices() as u32 - 1])[0];
    assert!(first < last, "{first} {last}");
}

#[test]
fn a_search_ends_in_time() {
    let graph = generate::barabasi_albert(20_000, 3, 1).unwrap();
    let mut options = within(0.0, 0);
    options.time = Some(Duration::from_millis(200));
    let scores = estimate(&graph, options, 1);
    let estimated = scores.estimated().unwrap();
    // The number of draws depends on the machine, but the first two batches are always drawn.
    assert!(estimated.draws >= 128 && estimated.half_width < 1.0);
    assert_eq!(estimated.half_width == 0.0, estimated.draws == 20_000);
}

#[test]
fn a_random_sample_is_rescaled() {
    let graph = generate::barabasi_albert(300, 2, 1).unwrap();
    let exact = cores(2).run(&graph).unwrap();
    let run = |roots| cores(2).roots(roots).run(&graph).unwrap();
    let random = |count, seed| run(RootSelection::Random { count, seed });
    assert_close(random(300, 1).vertices(), exact.vertices(), 1e-9);
    // A seed fixes the sample, and the mean of many samples is near the exact score.
    assert_eq!(random(10, 3).vertices().len(), 300);
    assert_close(random(10, 3).vertices(), random(10, 3).vertices(), 1e-9);
    assert_ne!(random(10, 3).vertices(), random(10, 4).vertices());
    let sum: f64 = (0..40).map(|seed| random(30, seed).vertices()[0]).sum();
    let ratio = sum / 40.0 / exact.vertices()[0];
    assert!((0.8..1.25).contains(&ratio), "{ratio}");
}

#[test]
fn contradictions_are_refused() {
    let star = generate::star(5).unwrap();
    let road = generate::road(100, 0.25, 0.3, 5).unwrap().graph;
    let usual = Estimate::default();
    let message = |search: Betweenness, graph: &Graph| match search.run(graph) {
        Err(Error::Settings(text)) => text,
        other => panic!("{:?}", other.map(|scores| scores.into_vertices())),
    };
    let (mut confidence, mut top) = (usual, usual);
    (confidence.confidence, top.top) = (1.0, Some(0));
    for (options, expected) in [
        (within(0.0, 1), "`epsilon 0` is not above 0 and below 1"),
        (
            within(f64::NAN, 1),
            "`epsilon NaN` is not above 0 and below 1",
        ),
        (confidence, "`confidence 1` is not above 0 and below 1"),
        (top, "`top 0` asks for no vertex"),
    ] {
        assert_eq!(message(cores(1).estimate(options), &star), expected);
    }
    let all = cores(1).estimate(usual);
    let sample = all.clone().roots(RootSelection::Sample(2));
    let paths = cores(1).estimate(drawing(Drawn::Paths, usual));
    let plain = paths.clone().cpu_engine(CpuEngine::Plain);
    for (search, graph, expected) in [
        (plain, &star, "`cpu-engine` does not go with `draws paths`"),
        (paths, &road, "`draws paths` does not support lengths"),
        (all.edges(true), &star, "`edges` does not go with estimates"),
        (sample, &star, "`roots` does not go with estimates"),
    ] {
        let text = message(search, graph);
        assert!(text.starts_with(expected), "{text}");
    }
}

#[test]
fn the_highest_scores_may_be_of_folded_vertices() {
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for v in 0..400 {
        edges.extend([1, 7, 31].map(|step| (v, (v * 3 + step) % 400)));
    }
    // A star is attached to vertex 5; folding removes all of it.
    edges.push((5, 400));
    edges.extend((401..550).map(|leaf| (400, leaf)));
    let graph = graph(550, &edges, false);
    let exact = cores(2).normalized(true).run(&graph).unwrap();
    let highest = |scores: &[f64]| {
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        let mut first = order[..2].to_vec();
        first.sort_unstable();
        first
    };
    assert_eq!(highest(exact.vertices()), [5, 400]);
    for seed in 0..5 {
        let mut options = within(0.005, seed);
        options.top = Some(2);
        let scores = estimate(&graph, options, 2);
        assert_eq!(highest(scores.vertices()), [5, 400]);
    }
}

#[test]
fn intervals_from_paths_cover_exact_scores_of_small_graphs() {
    let graph = generate::cycle(5).unwrap();
    let exact = cores(1).normalized(true).run(&graph).unwrap();
    let options = drawing(Drawn::Paths, within(0.01, 1));
    assert!(covers(&graph, exact.vertices(), options).1);
}

#[test]
fn limits_end_draws_of_paths() {
    let graph = generate::barabasi_albert(5_000, 2, 1).unwrap();
    let run = |top, time| {
        let mut options = drawing(Drawn::Paths, within(0.005, 1));
        (options.top, options.time) = (top, time);
        let scores = estimate(&graph, options, 2);
        scores.estimated().unwrap().clone()
    };
    let usual = run(None, None);
    assert!(!usual.is_exact() && usual.kind == Drawn::Paths && usual.searches == 0);
    assert!(run(Some(1), None).draws < usual.draws);
    let timed = run(None, Some(Duration::from_nanos(1)));
    assert!(timed.draws < usual.draws && timed.half_width < 1.0);
    let cancelled = CancelToken::default();
    cancelled.cancel();
    let options = drawing(Drawn::Paths, within(0.001, 1));
    let search = cores(1).estimate(options).cancel(&cancelled);
    assert!(matches!(search.run(&graph), Err(Error::Cancelled)));
}
