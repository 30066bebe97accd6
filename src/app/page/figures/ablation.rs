//! What each idea of strategy `virtual` is worth.

use super::{Drawing, Figure, Reports, counted};
use crate::app::page::files::{Ablation, AblationRow, Bench};
use crate::app::page::number::percent;
use crate::app::page::read::last_part;
use crate::app::page::svg::changes::{Changes, Row};
use crate::app::page::table::{Cell, Table};

pub fn figures(reports: &Reports) -> Vec<Figure> {
    let figures = reports.benches.iter();
    figures.filter_map(|(_, bench)| figure(bench)).collect()
}

fn figure(bench: &Bench) -> Option<Figure> {
    let graphs: Vec<(&str, &Ablation)> = bench
        .graphs
        .iter()
        .filter_map(|graph| Some((last_part(&graph.path), graph.ablation.as_ref()?)))
        .collect();
    let mut table = Table::new([
        "graph",
        "idea",
        "off s",
        "all on s",
        "change",
        "original",
        "original sd",
        "failure",
    ]);
    // In the order of the first graph; ideas are the same for all.
    let mut ideas: Vec<&str> = Vec::new();
    for (graph, ablation) in &graphs {
        for row in &ablation.rows {
            if !ideas.contains(&row.switch.as_str()) {
                ideas.push(&row.switch);
            }
            table.row([
                Cell::text(*graph),
                Cell::text(words(&row.switch)),
                Cell::seconds(row.spread.map(|spread| spread.median)),
                Cell::seconds(ablation.spread.map(|spread| spread.median)),
                Cell::percent(row.change),
                Cell::percent(row.original.map(|(mean, _)| mean)),
                Cell::of(row.original.map(|(_, sd)| sd), |sd| {
                    format!("{:.0}%", 100.0 * sd)
                }),
                row.failure.as_ref().map_or(Cell::None, Cell::text),
            ]);
        }
    }
    if ideas.is_empty() {
        return None;
    }
    let mut notes = vec![
        "The original figures are of the total time, on other devices: mean and standard deviation \
         over eight graphs."
            .to_string(),
    ];
    for (graph, ablation) in graphs.iter().filter(|(_, ablation)| ablation.sampled) {
        notes.push(format!(
            "{graph}: searched from {}; folding gains less on a sample.",
            counted(ablation.sources, "source")
        ));
    }
    let names: Vec<&str> = graphs.iter().map(|(name, _)| *name).collect();
    let on = bench
        .devices
        .first()
        .map_or("no device", |device| &device.name);
    let several = graphs.len() > 1;
    Some(Figure {
        title: format!("{} on {on}", names.join(", ")),
        notes,
        drawing: Drawing::Changes(Changes {
            name: "Change of the search time by each idea of strategy virtual".into(),
            bars: if several {
                "change of the search time, mean".into()
            } else {
                "change of the search time".into()
            },
            others: "original report".into(),
            rows: ideas.into_iter().map(|idea| row(idea, &graphs)).collect(),
        }),
        table,
    })
}

fn row(idea: &str, graphs: &[(&str, &Ablation)]) -> Row {
    let rows: Vec<(&str, &AblationRow)> = graphs
        .iter()
        .filter_map(|(graph, ablation)| {
            let row = ablation.rows.iter().find(|row| row.switch == idea)?;
            Some((*graph, row))
        })
        .collect();
    let each: Vec<(f64, String)> = rows
        .iter()
        .filter_map(|(graph, row)| {
            let change = row.change?;
            let title = format!("{graph}, {}: {}", words(idea), percent(change));
            Some((change, title))
        })
        .collect();
    let sum: f64 = each.iter().map(|(change, _)| change).sum();
    let mean = (!each.is_empty()).then(|| sum / each.len() as f64);
    Row {
        label: words(idea),
        mean,
        each,
        other: rows.iter().find_map(|(_, row)| row.original),
        end: mean.map_or("not measured".into(), percent),
    }
}

/// `structure-of-arrays` as "structure of arrays".
fn words(switch: &str) -> String {
    switch.replace('-', " ")
}
