//! What came out of each run: the highest scores, scores against degrees, and how scores spread.

use super::{Figure, Reports};
use crate::app::page::number::{plain, short};
use crate::app::page::svg::Show;
use crate::app::page::svg::lines::{Lines, Point};
use crate::app::page::svg::rows::{Row, Rows};
use crate::app::page::table::{Table, count, number, text};
use brandes::report::DegreeBin;
use brandes::report::Report;
use brandes::report::words::{counted, grouped};

/// Runs with names; of those of a graph that have the same to say, the first.
fn different<'r>(reports: &'r Reports) -> Vec<(&'r str, &'r Report)> {
    let mut kept: Vec<(&str, &Report)> = Vec::new();
    for (name, run) in &reports.runs {
        let same = |(_, other): &(&str, &Report)| {
            other.input.path == run.input.path
                && other.results.by_degree == run.results.by_degree
                && other.distributions == run.distributions
        };
        if !kept.iter().any(same) {
            kept.push((name, run));
        }
    }
    kept
}

/// The highest scores of each graph.
pub fn top(reports: &Reports) -> Vec<Figure> {
    let mut graphs = different(reports);
    graphs.retain(|(_, run)| !run.results.top.is_empty());
    let figure = |(name, run): (&str, &Report)| {
        let rows = run.results.top.iter().map(|top| {
            let (score, degree) = (plain(top.score), grouped(top.degree));
            let title = format!("vertex {}: score {score}, degree {degree}", top.vertex);
            Row::bars(&top.vertex, &[(0, top.score, title)], &score)
        });
        Figure {
            title: name.into(),
            notes: Vec::new(),
            svg: Rows::new(format!("The highest scores of {name}"), plain, rows).draw(),
            table: Table::of((1..).zip(&run.results.top))
                .column("rank", |(rank, _)| count(f64::from(*rank)))
                .column("vertex", |(_, top)| text(&*top.vertex))
                .column("score", |(_, top)| number(top.score, plain))
                .column("degree", |(_, top)| count(top.degree as f64))
                .table(),
        }
    };
    graphs.into_iter().map(figure).collect()
}

/// The highest and the mean score of each bin of degrees.
pub fn by_degree(reports: &Reports) -> Vec<Figure> {
    let figure = |(name, run): (&str, &Report)| {
        let bins = &run.results.by_degree;
        let line = |what: &str, score: fn(&DegreeBin) -> f64| {
            // Logarithmic axes have no place for zero.
            let shown = bins.iter().filter(|bin| bin.from > 0 && score(bin) > 0.0);
            let point = |bin: &DegreeBin| {
                let (from, to, score) = (bin.from as f64, bin.to as f64, score(bin));
                let (vertices, degrees) = (counted(bin.count, "vertex"), range(from, to, short));
                let title = format!(
                    "{vertices} of degree {degrees}: {what} score {}",
                    plain(score)
                );
                Point::new((from * to).sqrt(), score, title)
            };
            (what.to_string(), shown.map(point).collect())
        };
        let mut series = vec![line("highest", |bin| bin.max), line("mean", |bin| bin.mean)];
        series.retain(|(_, points): &(String, Vec<Point>)| !points.is_empty());
        let chart = Lines {
            name: format!("Scores against degrees of {name}"),
            x: ("degree".into(), short),
            y: ("score".into(), plain),
            ticks: Vec::new(),
            series,
        };
        (!chart.series.is_empty()).then(|| Figure {
            title: name.into(),
            notes: Vec::new(),
            svg: chart.draw(),
            table: Table::of(bins)
                .column("degree from", |bin| count(bin.from as f64))
                .column("to", |bin| count(bin.to as f64))
                .column("vertices", |bin| count(bin.count as f64))
                .column("mean score", |bin| number(bin.mean, plain))
                .column("highest score", |bin| number(bin.max, plain))
                .table(),
        })
    };
    different(reports).into_iter().filter_map(figure).collect()
}

fn range(from: f64, to: f64, show: Show) -> String {
    match from == to {
        true => show(from),
        false => format!("{} to {}", show(from), show(to)),
    }
}

/// How many vertices of each graph have scores of about the same size.
pub fn scores(reports: &Reports) -> Vec<Figure> {
    let mut notes = Vec::new();
    let mut table = Vec::new();
    let mut series: Vec<(String, Vec<Point>)> = Vec::new();
    for (name, run) in different(reports) {
        let (spread, all) = (&run.distributions, grouped(run.input.vertices as u64));
        if spread.score_zeros > 0 {
            table.push((name, 0.0, 0.0, spread.score_zeros));
            let vertices = counted(spread.score_zeros, "vertex");
            notes.push(format!(
                "{name}: score 0, for which a logarithmic axis has no place: {vertices} of {all}."
            ));
        }
        let points = spread.score.iter().map(|bin| {
            table.push((name, bin.from, bin.to, bin.count));
            let (vertices, scores) = (counted(bin.count, "vertex"), range(bin.from, bin.to, plain));
            // The middle on a logarithmic axis.
            let middle = (0.5 * (bin.from.ln() + bin.to.ln())).exp();
            Point::new(
                middle,
                bin.count as f64,
                format!("{name}: {vertices} of score {scores}"),
            )
        });
        series.push((name.into(), points.collect()));
    }
    series.retain(|(_, points)| !points.is_empty());
    let chart = Lines {
        name: "Vertices by score".into(),
        x: ("score".into(), plain),
        y: ("vertices".into(), short),
        ticks: Vec::new(),
        series,
    };
    let figure = (!chart.series.is_empty()).then(|| Figure {
        title: String::new(),
        notes,
        svg: chart.draw(),
        table: Table::of(table)
            .column("graph", |(name, ..)| text(*name))
            .column("from", |(_, from, ..)| number(*from, plain))
            .column("to", |(_, _, to, _)| number(*to, plain))
            .column("vertices", |(.., vertices)| count(*vertices as f64))
            .table(),
    });
    figure.into_iter().collect()
}
