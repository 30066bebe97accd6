//! What figures are made of, and what they are.

use crate::app::page::read::{Content, Document};
use crate::app::page::svg::Svg;
use crate::app::page::table::{Columns, Table};
use crate::app::report::bench_schema::BenchReport;
use crate::app::report::tune_schema::TuneReport;
use brandes::report::Report;
use brandes::report::words::last_part;

/// A chart and the table behind it.
#[derive(Debug)]
pub struct Figure {
    /// Of what; empty where the section says it.
    pub title: String,
    /// Lines below the chart.
    pub notes: Vec<String>,
    /// The chart.
    pub svg: Svg,
    /// All its numbers.
    pub table: Table,
}

impl<T> Columns<T> {
    /// The figure of a chart that this is the table of.
    pub fn figure(self, title: impl Into<String>, notes: Vec<String>, svg: Svg) -> Figure {
        Figure {
            title: title.into(),
            notes,
            svg,
            table: self.table(),
        }
    }
}

/// A run, with a name that no other one has.
pub type Run<'d> = (String, &'d Report);

/// The files by what they are.
#[derive(Debug, Default)]
pub struct Reports<'d> {
    /// Reports of `brandes run`.
    pub runs: Vec<Run<'d>>,
    /// Reports of `brandes bench`.
    pub benches: Vec<&'d BenchReport>,
    /// Reports of `brandes tune`.
    pub tunes: Vec<&'d TuneReport>,
}

impl<'d> Reports<'d> {
    /// Sorts them.
    pub fn new(documents: &'d [Document]) -> Reports<'d> {
        let mut reports = Reports::default();
        for document in documents {
            match &document.content {
                Content::Run(run) => reports.runs.push((document.name.clone(), run)),
                Content::Bench(bench) => reports.benches.push(bench),
                Content::Tune(tune) => reports.tunes.push(tune),
            }
        }
        // Runs are called as their graph is, with the file where several are of one graph.
        let graphs = reports
            .runs
            .iter()
            .map(|(_, run)| last_part(run.input.path()));
        let graphs: Vec<&str> = graphs.collect();
        for ((name, _), graph) in reports.runs.iter_mut().zip(&graphs) {
            *name = match graphs.iter().filter(|other| *other == graph).count() {
                1 => graph.to_string(),
                _ => format!("{graph} ({name})"),
            };
        }
        reports
    }
}
