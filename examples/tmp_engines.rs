use brandes::cpu::{self, CpuPlan, EngineName, WorkerBudget};
use brandes::engine::feed;
use brandes::graph::{ReadOptions, read};
use brandes::prepare::{Order, PrepareOptions, Reductions, prepare};
fn cpu_seconds() -> f64 {
    brandes::os::thread_seconds()
}
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let (graph, _) = read(path.as_ref(), &ReadOptions::default()).unwrap();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    pool.install(|| {
        for edges in [true, false] {
            for (name, reduce, order) in [
                ("default", Reductions::default(), Order::Bfs),
                ("fold", Reductions::folding(true), Order::Bfs),
                ("none", Reductions::NONE, Order::None),
            ] {
                let options = PrepareOptions {
                    edges,
                    reduce,
                    order,
                    ..PrepareOptions::default()
                };
                let start = cpu_seconds();
                for _ in 0..20 {
                    prepare(&graph, &options).unwrap();
                }
                let prep = (cpu_seconds() - start) / 20.0;
                let p = prepare(&graph, &options).unwrap();
                let best = cpu::plan(&p, &Default::default(), WorkerBudget::for_all_roots(&p, 1));
                print!(
                    "edges {edges} {name}: prepare {:.0} us, roots {}, arcs {}, plan {};",
                    prep * 1e6,
                    p.roots.len(),
                    p.graph.arcs(),
                    best.words()
                );
                for (engine, lanes) in [
                    (EngineName::Plain, 1),
                    (EngineName::Lanes, 8),
                    (EngineName::Lanes, 16),
                    (EngineName::Lanes, 32),
                    (EngineName::Lanes, 64),
                    (EngineName::Clustered, 1),
                ] {
                    let plan = CpuPlan {
                        engine,
                        lanes,
                        ..best
                    };
                    let start = cpu_seconds();
                    for _ in 0..20 {
                        let mut sums = p.zero_sums();
                        let mut e = cpu::engine(&p, &plan);
                        feed(&mut e, &p.roots, &mut sums).unwrap();
                    }
                    print!(
                        " {engine:?}{lanes} {:.0}",
                        (cpu_seconds() - start) / 20.0 * 1e6
                    );
                }
                println!();
            }
        }
    });
}
