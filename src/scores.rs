//! The scores of a graph, and the record of how they were found.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crate::checkpoint;
use crate::error::Error;
use crate::graph::Graph;
use crate::prepare::{Prepared, Scale};
use crate::ranks::RankRecord;
use crate::runner::Outcome;
use crate::span::Span;

/// The betweenness of the vertices of a graph, and of its edges if that was asked for.
pub struct Scores {
    vertices: Vec<f64>,
    edges: Option<Vec<f64>>,
    record: Record,
}

/// How scores were found.
pub struct Record {
    /// The graph as it was searched.
    pub prepared: Arc<Prepared>,
    /// Who searched what.
    pub outcome: Outcome,
    /// When the graph was ready to be searched for the first time.
    pub graph_ready: Instant,
    /// Steps of preparing and searching on the calling thread, in order.
    pub spans: Vec<Span>,
    /// What was not done as asked, a line each.
    pub warnings: Vec<String>,
    /// How far each score may be from the true one, relative to it, by numbers of 32 bits; `None`
    /// unless [`crate::Precision::Mixed`] was asked for, and where no bound is known: a device
    /// served sources inside chains.
    pub error_bound: Option<f64>,
    /// The checkpoint, if anything was kept. Who has the scores removes it
    /// ([`Record::remove_checkpoint`]).
    pub checkpoint: Option<PathBuf>,
    /// The checkpoint that the search went on from and how many roots an earlier run had searched,
    /// in words; `None` if it began anew.
    pub went_on: Option<String>,
    /// What each process did, if several searched together.
    pub ranks: Vec<RankRecord>,
}

impl Record {
    /// Removes the checkpoint, once the scores are safe.
    pub fn remove_checkpoint(&self) {
        if let Some(path) = &self.checkpoint {
            checkpoint::remove(path);
        }
    }
}

impl Scores {
    /// From the sums of a finished search.
    pub(crate) fn new(graph: &Graph, mut record: Record, scale: Scale) -> Result<Scores, Error> {
        let (prepared, outcome) = (&record.prepared, &mut record.outcome);
        let vertices = Span::time(&mut record.spans, "unfold", || {
            outcome.complete(prepared);
            prepared.scores(&outcome.sums, scale)
        });
        if let Some(bad) = vertices.iter().position(|score| !score.is_finite()) {
            return Err(Error::NotFinite {
                vertex: graph.labels().display(bad as u32).to_string(),
            });
        }
        let arcs = outcome.arc_sums.as_ref();
        let edges = arcs.and_then(|arcs| prepared.edge_scores(graph, arcs, scale));
        // While the caller goes on with the scores.
        record.outcome.threads.let_go();
        Ok(Scores {
            vertices,
            edges,
            record,
        })
    }

    /// Scores of vertices, by number in the graph: sums over pairs of other vertices, each
    /// unordered pair once in undirected graphs; divided by the number of pairs if that was asked
    /// for.
    pub fn vertices(&self) -> &[f64] {
        &self.vertices
    }

    /// Scores of edges in the order of [`Graph::for_each_edge`], if they were asked for.
    pub fn edges(&self) -> Option<&[f64]> {
        self.edges.as_deref()
    }

    /// Scores of vertices divided by the number of pairs that could meet a vertex, as networkx
    /// does, whatever was asked for.
    pub fn normalized(&self) -> Vec<f64> {
        let sums = &self.record.outcome.sums;
        self.record.prepared.scores(sums, Scale::Normalized)
    }

    /// Who searched what, and how long it took.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The scores of vertices alone.
    pub fn into_vertices(self) -> Vec<f64> {
        self.vertices
    }
}
