//! Reads a graph from a file and computes its betweenness, in ten lines.

#![expect(clippy::print_stdout, reason = "the example prints its result")]

use brandes::Betweenness;
use brandes::graph::{ReadOptions, read};

fn main() -> Result<(), brandes::Error> {
    let path = "bench-graphs/karate.txt";
    let (graph, _) = read(path.as_ref(), &ReadOptions::default())?;
    let scores = Betweenness::new().normalized(true).run(&graph)?;
    for (vertex, score) in scores.vertices().iter().enumerate() {
        println!("{}\t{score}", graph.labels().display(vertex as u32));
    }
    Ok(())
}
