//! What came out of each run: the highest scores, scores against degrees, and how scores spread.

use super::{Figure, Reports, Run};
use crate::app::page::number::{plain, short};
use crate::app::page::svg::Show;
use crate::app::page::svg::lines::{self, Point, Series};
use crate::app::page::svg::rows::{Row, Rows};
use crate::app::page::table::{Columns, count, number, text};
use brandes::report::DegreeBin;
use brandes::report::words::{counted, grouped};

/// Of the runs of a graph that have the same to say, the first.
pub fn different<'d>(reports: &Reports<'d>) -> Vec<Run<'d>> {
    let mut kept: Vec<Run> = Vec::new();
    for (name, run) in &reports.runs {
        let same = |(_, other): &Run| {
            other.input.path == run.input.path
                && other.results.by_degree == run.results.by_degree
                && other.distributions == run.distributions
        };
        if !kept.iter().any(same) {
            kept.push((name.clone(), run));
        }
    }
    kept
}

/// The highest scores of a graph.
pub fn top((name, run): &Run) -> Option<Figure> {
    let rows = run.results.top.iter().map(|top| {
        let (score, degree) = (plain(top.score), grouped(top.degree));
        let title = format!("vertex {}: score {score}, degree {degree}", top.vertex);
        Row::bars(&top.vertex, [(0, top.score, title)], &score)
    });
    let chart = Rows::new(format!("The highest scores of {name}"), plain, rows);
    let table = Columns::of((1..).zip(&run.results.top))
        .column("rank", |(rank, _)| count(f64::from(*rank)))
        .column("vertex", |(_, top)| text(&*top.vertex))
        .column("score", |(_, top)| number(top.score, plain))
        .column("degree", |(_, top)| count(top.degree as f64));
    (!chart.rows.is_empty()).then(|| table.figure(name, Vec::new(), chart.draw()))
}

/// The highest and the mean score of each bin of degrees.
pub fn by_degree((name, run): &Run) -> Option<Figure> {
    let bins = &run.results.by_degree;
    let line = |what: &str, score: fn(&DegreeBin) -> f64| {
        // Logarithmic axes have no place for zero.
        let shown = bins.iter().filter(|bin| bin.from > 0 && score(bin) > 0.0);
        let point = |bin: &DegreeBin| {
            let (from, to, score) = (bin.from as f64, bin.to as f64, score(bin));
            let (vertices, degrees) = (counted(bin.count, "vertex"), range(from, to, short));
            let score_in_words = plain(score);
            let title = format!("{vertices} of degree {degrees}: {what} score {score_in_words}");
            Point::new((from * to).sqrt(), score, title)
        };
        (what.to_string(), shown.map(point).collect())
    };
    let series = [line("highest", |bin| bin.max), line("mean", |bin| bin.mean)];
    let chart = format!("Scores against degrees of {name}");
    let chart = lines::draw(&chart, ("degree", short), ("score", plain), &[], &series)?;
    let table = Columns::of(bins)
        .column("degree from", |bin| count(bin.from as f64))
        .column("to", |bin| count(bin.to as f64))
        .column("vertices", |bin| count(bin.count as f64))
        .column("mean score", |bin| number(bin.mean, plain))
        .column("highest score", |bin| number(bin.max, plain));
    Some(table.figure(name, Vec::new(), chart))
}

fn range(from: f64, to: f64, show: Show) -> String {
    match from == to {
        true => show(from),
        false => format!("{} to {}", show(from), show(to)),
    }
}

/// How many vertices of each graph have scores of about the same size.
pub fn scores(reports: &Reports) -> Option<Figure> {
    let mut notes = Vec::new();
    let mut table = Vec::new();
    let mut series: Vec<Series> = Vec::new();
    for (name, run) in different(reports) {
        let (spread, all) = (&run.distributions, grouped(run.input.vertices as u64));
        if spread.score_zeros > 0 {
            table.push((name.clone(), 0.0, 0.0, spread.score_zeros));
            let vertices = counted(spread.score_zeros, "vertex");
            notes.push(format!(
                "{name}: score 0, for which a logarithmic axis has no place: {vertices} of {all}."
            ));
        }
        let points = spread.score.iter().map(|bin| {
            table.push((name.clone(), bin.from, bin.to, bin.count));
            let (vertices, scores) = (counted(bin.count, "vertex"), range(bin.from, bin.to, plain));
            // The middle on a logarithmic axis.
            let middle = (0.5 * (bin.from.ln() + bin.to.ln())).exp();
            let title = format!("{name}: {vertices} of score {scores}");
            Point::new(middle, bin.count as f64, title)
        });
        let points = points.collect();
        series.push((name, points));
    }
    let name = "Vertices by score";
    let chart = lines::draw(name, ("score", plain), ("vertices", short), &[], &series)?;
    let table = Columns::of(table)
        .column("graph", |(name, ..)| text(&**name))
        .column("from", |(_, from, ..)| number(*from, plain))
        .column("to", |(_, _, to, _)| number(*to, plain))
        .column("vertices", |(.., vertices)| count(*vertices as f64));
    Some(table.figure("", notes, chart))
}
