//! The scores of a graph, and the record of the search.

use std::path::PathBuf;
use std::sync::Arc;

use crate::error::Error;
use crate::estimate::{Estimated, Estimating};
use crate::graph::Graph;
use crate::prepare::{Column, Prepared, Scale};
use crate::query::{Drawn, Estimate, Measure};
use crate::runner::Outcome;
use crate::search::checkpoint;
use crate::search::ranks::RankRecord;
use crate::span::Span;

/// The scores of the vertices of a graph, and of its edges if requested.
pub struct Scores {
    columns: Vec<Column>,
    edges: Option<Vec<Column>>,
    estimated: Option<Estimated>,
    record: Record,
}

/// The record of a search.
pub struct Record {
    /// The prepared graph.
    pub prepared: Arc<Prepared>,
    /// The records of all participants.
    pub outcome: Outcome,
    /// The steps of the calling thread, in order.
    pub spans: Vec<Span>,
    /// Warnings, one line each.
    pub warnings: Vec<String>,
    /// The largest relative error of a score by numbers of 32 bits. `None` if the precision is not
    /// [`crate::Precision::Mixed`], or if no bound is known because a device served sources inside
    /// chains.
    pub error_bound: Option<f64>,
    /// The path of the checkpoint, if one was written. The caller removes it when it has the scores
    /// ([`Record::remove_checkpoint`]).
    pub checkpoint: Option<PathBuf>,
    /// A sentence that names the checkpoint from which the search resumed, and the number of roots
    /// in it; `None` if the search did not resume.
    pub resumed: Option<String>,
    /// The records of all processes, if several searched together.
    pub ranks: Vec<RankRecord>,
}

impl Record {
    /// Removes the checkpoint. Call this when the scores are written.
    pub fn remove_checkpoint(&self) {
        if let Some(path) = &self.checkpoint {
            checkpoint::remove(path);
        }
    }
}

impl Scores {
    /// Computes scores from the sums of a finished search.
    pub(crate) fn new(graph: &Graph, mut record: Record, scale: Scale) -> Result<Scores, Error> {
        let (prepared, outcome) = (&record.prepared, &mut record.outcome);
        let columns = Span::time(&mut record.spans, "unfold", || {
            prepared.complete(&mut outcome.sums);
            prepared.columns(&outcome.sums.vertices, scale)
        });
        for column in &columns {
            if let Some(bad) = column.values.iter().position(|score| !score.is_finite()) {
                let vertex = graph.labels().display(bad as u32).to_string();
                return Err(match column.measure {
                    Measure::Stress => Error::PathCount,
                    _ => Error::NotFinite(vertex),
                });
            }
        }
        let arcs = outcome.sums.arcs.as_ref();
        let edges = arcs.and_then(|arcs| prepared.edge_columns(graph, arcs, scale));
        // Workers free their memory while the caller uses the scores.
        record.outcome.threads.release();
        Ok(Scores {
            columns,
            edges,
            estimated: None,
            record,
        })
    }

    /// Returns the scores of an estimate.
    pub(crate) fn estimated_by(estimating: &Estimating, mut record: Record) -> Scores {
        let (column, estimated) = estimating.scores();
        record.outcome.threads.release();
        Scores {
            columns: vec![column],
            edges: None,
            estimated: Some(estimated),
            record,
        }
    }

    /// Converts exact, normalised scores to the result of an estimate: all intervals are points.
    /// `warning` is the warning of its first batch.
    pub(crate) fn with_points(mut self, options: Estimate, warning: Option<String>) -> Scores {
        self.record.warnings.extend(warning);
        let (values, sources) = (self.vertices().to_vec(), self.record.prepared.sources);
        self.estimated = Some(Estimated {
            lower: values.clone(),
            upper: values,
            half_width: 0.0,
            kind: Drawn::Sources,
            draws: sources,
            sources,
            searches: self.record.prepared.roots.len(),
            options,
        });
        self
    }

    /// Returns the intervals of scores, if the scores are estimates. Estimates are normalised.
    pub fn estimated(&self) -> Option<&Estimated> {
        self.estimated.as_ref()
    }

    /// Returns the scores of vertices, by number in the graph: sums over pairs of other vertices,
    /// each unordered pair once in undirected graphs; divided by the number of pairs if requested.
    /// With a [`Query`](crate::Query), these are the values of its first column.
    pub fn vertices(&self) -> &[f64] {
        &self.columns[0].values
    }

    /// Returns the scores of edges in the order of [`Graph::for_each_edge`], if requested. With a
    /// [`Query`](crate::Query), these are the values of its first column of edges.
    pub fn edges(&self) -> Option<&[f64]> {
        let columns = self.edges.as_ref()?;
        Some(&columns.first()?.values)
    }

    /// Returns the columns of vertices: each measure with all radii.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the columns of edges, if requested: those of betweenness and stress.
    pub fn edge_columns(&self) -> Option<&[Column]> {
        self.edges.as_deref()
    }

    /// Returns the record of the search.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Returns the columns of vertices and, if requested, those of edges.
    pub fn into_columns(self) -> (Vec<Column>, Option<Vec<Column>>) {
        (self.columns, self.edges)
    }

    /// Returns the scores of vertices.
    pub fn into_vertices(mut self) -> Vec<f64> {
        self.columns.swap_remove(0).values
    }
}
