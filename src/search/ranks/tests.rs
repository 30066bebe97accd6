//! Tests of searches by several ranks, which are threads of one process.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::Duration;

use super::World;
use super::messages::Messages;
use crate::cpu::CpuEngine;
use crate::graph::{Graph, ReadOptions, WeightOptions, generate, read_stream};
use crate::{Betweenness, CpuWorkers, DeviceSelection, Error, Measure, Query, Reductions, When};

/// A rank that is a thread.
struct Thread {
    rank: usize,
    barrier: Arc<Barrier>,
    /// The bytes that rank 0 broadcasts, or the sums.
    shared: Arc<Mutex<(Vec<u8>, Vec<f64>)>>,
    inbox: Mutex<Receiver<(usize, Vec<u8>)>>,
    others: Vec<Sender<(usize, Vec<u8>)>>,
}

impl Messages for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.others.len()
    }

    fn local(&self) -> (usize, usize) {
        (self.rank, self.size())
    }

    fn host(&self) -> String {
        "here".into()
    }

    fn wait_for_all(&self) {
        self.barrier.wait();
    }

    fn broadcast(&self, bytes: &mut [u8]) {
        if self.rank == 0 {
            self.shared.lock().unwrap().0 = bytes.to_vec();
        }
        self.barrier.wait();
        bytes.copy_from_slice(&self.shared.lock().unwrap().0);
        self.barrier.wait();
    }

    fn sum(&self, values: &mut [f64]) {
        self.shared.lock().unwrap().1.resize(values.len(), 0.0);
        self.barrier.wait();
        let add = |(sum, value): (&mut f64, &mut f64)| *sum += *value;
        let mut shared = self.shared.lock().unwrap();
        shared.1.iter_mut().zip(&mut *values).for_each(add);
        drop(shared);
        self.barrier.wait();
        if self.rank == 0 {
            values.copy_from_slice(&std::mem::take(&mut self.shared.lock().unwrap().1));
        }
        self.barrier.wait();
    }

    fn send(&self, to: usize, bytes: &[u8]) {
        self.others[to].send((self.rank, bytes.to_vec())).unwrap();
    }

    fn receive(&self) -> Option<(usize, Vec<u8>)> {
        self.inbox.lock().unwrap().try_recv().ok()
    }

    fn end(&self) {}
}

fn threads(count: usize) -> Vec<Arc<World>> {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..count).map(|_| channel()).unzip();
    let (barrier, shared) = (Arc::new(Barrier::new(count)), Arc::default());
    let rank = |(rank, inbox)| {
        Arc::new(World::new(Box::new(Thread {
            rank,
            barrier: Arc::clone(&barrier),
            shared: Arc::clone(&shared),
            inbox: Mutex::new(inbox),
            others: senders.clone(),
        })))
    };
    receivers.into_iter().enumerate().map(rank).collect()
}

/// The scores of vertices and edges, and the number of roots of each rank.
type Found = (Vec<f64>, Option<Vec<f64>>, Vec<usize>);

/// Searches by ranks, each with its own settings.
fn together(
    graph: &Graph,
    ranks: usize,
    settings: impl Fn(usize) -> Betweenness + Sync,
) -> Result<Found, Error> {
    let search = |world: Arc<World>| {
        let rank = world.rank();
        let own = world.share((rank == 0).then(|| graph.clone()));
        let search = settings(rank).ranks(&world);
        let mut search = search.start(own.directed(), own.lengths().is_some())?;
        let query = world.share_query(&own, search.options().query.clone());
        search.set_query(&own, query)?;
        let found = match rank {
            0 => {
                let scores = search.run(&own)?;
                world.finish();
                scores.record().remove_checkpoint();
                let roots = scores.record().ranks.iter().map(|rank| rank.roots);
                let edges = scores.edges().map(<[f64]>::to_vec);
                Some((scores.vertices().to_vec(), edges, roots.collect()))
            }
            _ => search.help(&own).map(|()| None)?,
        };
        search.join();
        world.leave();
        Ok::<_, Error>(found)
    };
    thread::scope(|scope| {
        let worlds = threads(ranks).into_iter();
        let ranks: Vec<_> = worlds.map(|world| scope.spawn(|| search(world))).collect();
        let mut found = None;
        for rank in ranks {
            found = rank.join().unwrap()?.or(found);
        }
        Ok(found.unwrap())
    })
}

fn cores() -> Betweenness {
    let cores = Betweenness::new().devices(DeviceSelection::None);
    cores.cpu_workers(CpuWorkers::Count(1))
}

/// Compares the scores of some ranks with those of one process. Returns the roots of each rank, and
/// the number of all.
fn check(
    graph: &Graph,
    ranks: usize,
    whole: &Betweenness,
    settings: impl Fn(usize) -> Betweenness + Sync,
) -> (Vec<usize>, usize) {
    let whole = whole.clone().run(graph).unwrap();
    let (vertices, edges, roots) = together(graph, ranks, settings).unwrap();
    let close = |a: &[f64], b: &[f64]| {
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * a.abs().max(1.0);
        a.len() == b.len() && a.iter().zip(b).all(near)
    };
    assert!(close(&vertices, whole.vertices()) && vertices.iter().any(|&score| score > 0.0));
    let [found, expected] = [edges.as_deref(), whole.edges()];
    assert_eq!(found.is_some(), expected.is_some());
    assert!(close(
        found.unwrap_or_default(),
        expected.unwrap_or_default()
    ));
    assert_eq!(roots.len(), ranks);
    (roots, whole.record().prepared.roots.len())
}

fn social(scale: u32) -> Graph {
    generate::rmat(scale, 8, 0.57, 0.19, 0.19, 11).unwrap()
}

#[test]
fn ranks_find_what_one_process_finds() {
    let mut arcs = crate::graph::EdgeList::default();
    // A cycle with shortcuts, and a tree that hangs from it.
    for v in 0..300 {
        arcs.push(v, (v + 1) % 300);
        arcs.push(v, (7 * v + 5) % 300);
        arcs.push(v, 300 + v);
    }
    let labels = crate::graph::Labels::consecutive(0, 600);
    let directed = arcs.build(labels, true).unwrap();
    let road = generate::grid(12, 40, 0.3, 1).unwrap();
    let star = generate::star(30).unwrap();
    for (graph, edges) in [
        (&social(9), true),
        (&road, false),
        (&star, true),
        (&directed, false),
    ] {
        for ranks in [2, 3, 7] {
            let settings = || cores().edges(edges).endpoints(ranks == 3);
            let (roots, all) = check(graph, ranks, &settings(), |_| settings());
            assert_eq!(roots.iter().sum::<usize>(), all);
        }
    }
    // Ranks may use different engines.
    let engines = [CpuEngine::Plain, CpuEngine::Lanes, CpuEngine::Clustered];
    let settings = |rank: usize| cores().cpu_engine(engines[rank]);
    let (roots, _) = check(&social(10), 3, &cores(), settings);
    assert!(roots.iter().all(|&roots| roots > 0), "{roots:?}");
    // The choice of rank 0 between reductions counts.
    let settings = |rank| match rank {
        0 => cores().reduce("fold,chains".parse().unwrap()),
        _ => cores().reduce(Reductions {
            blocks: When::Never,
            ..Reductions::default()
        }),
    };
    check(&road, 3, &cores(), settings);
}

#[test]
fn ranks_get_the_query_of_the_first() {
    let options = ReadOptions {
        weights: Some(WeightOptions::default()),
        ..ReadOptions::default()
    };
    let edges = (0..40).map(|v| format!("{v} {} 0.{}\n", (v * 7 + 1) % 40, v % 9 + 1));
    let edges = edges.collect::<String>().into_bytes();
    let (graph, _) = read_stream(Box::new(&edges[..]), "a", &options).unwrap();
    let near = Query {
        measures: vec![Measure::Betweenness, Measure::Closeness],
        radii: vec![0.8, 1.5],
        decay: Some(0.3),
        sources: Some((0..graph.vertices()).map(|v| (v % 4) as f64).collect()),
        ..Query::default()
    };
    let trips = Query {
        demand: Some((0..40).map(|v| (v, (v + 13) % 40, 2.5)).collect()),
        ..Query::default()
    };
    for query in [near, trips] {
        check(&graph, 3, &cores().query(query.clone()), |rank| {
            let mut own = query.clone();
            if rank > 0 {
                own.radii.truncate(1);
                own.sources = own.sources.map(|_| [].into());
                own.demand = own.demand.map(|_| [].into());
            }
            cores().query(own)
        });
    }
}

/// Rank 1 prepares the graph in another way than the others.
#[test]
fn ranks_that_differ_are_refused() {
    let settings = |rank| cores().reduce(Reductions::folding(rank != 1));
    let error = together(&social(8), 3, settings).err().unwrap().to_string();
    assert!(error.starts_with("the processes prepared the graph in different ways"));
}

/// Three processes resume from the checkpoint of one process.
#[test]
fn ranks_resume_from_the_checkpoint_of_a_process() {
    let folder = tempfile::tempdir().unwrap();
    let plain = || cores().cpu_engine(CpuEngine::Plain);
    let with_checkpoints = |every| plain().checkpoint(folder.path().join("c"), every);
    let token = crate::CancelToken::default();
    let stops = token.clone();
    let part = with_checkpoints(Duration::from_secs(1000)).cancel(&token);
    let part = part.on_progress(move |so_far| {
        if so_far.done > 0 {
            stops.cancel();
        }
    });
    let graph = social(11);
    let stopped = part.run(&graph);
    assert!(matches!(stopped, Err(Error::CancelledSaved { .. })));
    let often = |_| with_checkpoints(Duration::from_millis(1));
    let (roots, all) = check(&graph, 3, &plain(), often);
    assert!(roots.iter().sum::<usize>() < all);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
