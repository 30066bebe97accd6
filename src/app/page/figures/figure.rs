//! What figures are made of, and what they are.

use crate::app::page::read::{Content, Document};
use crate::app::page::svg::Svg;
use crate::app::page::table::Table;
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

/// The files by what they are.
#[derive(Debug, Default)]
pub struct Reports<'d> {
    /// Each with a name that no other run has.
    pub runs: Vec<(String, &'d Report)>,
    /// Reports of `brandes bench`.
    pub benches: Vec<&'d BenchReport>,
    /// Reports of `brandes tune`.
    pub tunes: Vec<&'d TuneReport>,
}

impl<'d> Reports<'d> {
    /// Sorts them.
    pub fn new(documents: &'d [Document]) -> Reports<'d> {
        let mut reports = Reports::default();
        let graph_of = |document: &'d Document| match &document.content {
            Content::Run(run) => Some(last_part(run.input.path())),
            _ => None,
        };
        for document in documents {
            match &document.content {
                Content::Run(run) => {
                    let graph = last_part(run.input.path());
                    let alike = documents.iter().filter(|d| graph_of(d) == Some(graph));
                    let name = match alike.count() {
                        1 => graph.to_string(),
                        _ => format!("{graph} ({})", document.name),
                    };
                    reports.runs.push((name, run));
                }
                Content::Bench(bench) => reports.benches.push(bench),
                Content::Tune(tune) => reports.tunes.push(tune),
            }
        }
        reports
    }
}
