//! The head of the page, and what the files are.

use std::fmt::Write;

use super::escape;
use super::number::{duration, plain};
use super::read::{Content, Document};
use crate::app::distinct::distinct;
use crate::app::report::summary::facts;
use brandes::device::DeviceInfo;
use brandes::report::Report;
use brandes::report::words::{counted, grouped, last_part, size};

/// More files than this are folded, so that they do not hide the charts' end.
const OPEN: usize = 3;

// Writing to a String cannot fail.

/// What the page is about, in a few words.
pub fn title(documents: &[Document]) -> String {
    let graphs = documents.iter().flat_map(graphs_of);
    let graphs = distinct(graphs.map(|(path, ..)| last_part(path)));
    let graphs = match graphs.len() {
        0..3 => graphs.join(" and "),
        several => format!("{several} graphs"),
    };
    let of = if graphs.is_empty() { "" } else { " of " };
    format!("Betweenness centrality{of}{graphs}")
}

/// Paths, vertices, edges of the graphs of a report, and whether they are directed.
fn graphs_of(document: &Document) -> Vec<(&str, usize, usize, bool)> {
    let input = match &document.content {
        Content::Run(run) => &run.input,
        Content::Tune(tune) => &tune.input,
        Content::Bench(bench) => {
            let graphs = bench.graphs.iter();
            return graphs
                .map(|g| (&*g.path, g.vertices, g.edges, g.directed))
                .collect();
        }
    };
    vec![(input.path(), input.vertices, input.edges, input.directed)]
}

/// A run by itself in a few numbers, its result first.
pub fn key_figures(documents: &[Document]) -> String {
    let content = documents.iter().map(|document| &document.content);
    let [Content::Run(run)] = content.collect::<Vec<_>>()[..] else {
        return String::new();
    };
    let mut figures = Vec::new();
    if let Some(best) = run.results.top.first() {
        figures.push(("highest score", plain(best.score)));
        figures.push(("of vertex", best.vertex.clone()));
    }
    figures.extend([
        ("vertices", grouped(run.input.vertices as u64)),
        ("edges", grouped(run.input.edges as u64)),
        ("whole run", duration(run.totals.seconds)),
        ("search", duration(run.totals.search_seconds)),
    ]);
    let peak = run.totals.peak_rss_bytes;
    figures.extend(peak.map(|peak| ("peak memory", size(peak))));
    let mut html = String::from("<dl class=\"figures\">\n");
    for (name, value) in figures {
        let value = escape(&value);
        let _ = writeln!(html, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
    html.push_str("</dl>\n");
    html
}

/// Where everything on the page comes from.
pub fn files(documents: &[Document]) -> String {
    let mut html = String::from(
        "<section id=\"files\">\n<h2>Where this comes from</h2>\n\
         <p class=\"explanation\">The files that this page is made of, and the commands that wrote \
         them.</p>\n",
    );
    let open = if documents.len() <= OPEN { " open" } else { "" };
    for document in documents {
        let graphs = graphs_of(document).into_iter().map(graph);
        let mut facts: Vec<Fact> = match &document.content {
            Content::Run(run) => of_run(run),
            Content::Bench(bench) => graphs.chain(bench.devices.iter().map(device)).collect(),
            Content::Tune(tune) => graphs.chain(tune.device.iter().map(device)).collect(),
        };
        let about = document.about();
        let cpu = about.host.cpu.iter().map(|cpu| format!("{cpu}, "));
        let cores = counted(about.host.cores, "core");
        facts.push(("machine", cpu.chain([cores]).collect()));
        let (program, version) = (&about.program.name, &about.program.version);
        let commit = about.program.commit.iter();
        let commit: String = commit.map(|commit| format!(", commit {commit}")).collect();
        facts.push(("program", format!("{program} {version}{commit}")));
        let words = about.command.iter().map(|word| &**word);
        let command = shlex::Quoter::new().allow_nul(true).join(words);
        facts.push(("command", command.unwrap_or_default()));
        let (name, kind) = (escape(&document.name), document.kind);
        let _ = write!(
            html,
            "<details class=\"file\"{open}>\n<summary>{name} <span class=\"kind\">{kind}</span>\
             </summary>\n<dl>\n"
        );
        for (name, value) in facts {
            let tag = if name == "command" { "code" } else { "span" };
            let value = escape(&value);
            let _ = writeln!(html, "<dt>{name}</dt><dd><{tag}>{value}</{tag}></dd>");
        }
        html.push_str("</dl>\n</details>\n");
    }
    html.push_str("</section>\n");
    html
}

/// A name and what there is to say.
type Fact = (&'static str, String);

fn of_run(run: &Report) -> Vec<Fact> {
    let mut facts = facts(run);
    if let Some(part) = &run.prepared.part {
        facts.push(("part", format!("{part} of the search")));
    } else if run.prepared.partial {
        facts.push(("scores", "partial: only some vertices were sources".into()));
    }
    let asked = run.plan.strategy.iter();
    facts.extend(asked.map(|strategy| ("strategy asked for", strategy.name().into())));
    for part in &run.devices {
        let driver = format!("{}: {}", part.info.name, part.info.driver);
        facts.push(("driver", driver));
        facts.extend(part.error.iter().map(|error| ("error", error.clone())));
    }
    let warnings = run.checks.warnings.iter();
    facts.extend(warnings.map(|text| ("warning", text.clone())));
    facts
}

fn device(info: &DeviceInfo) -> Fact {
    ("device", format!("{} (driver {})", info.name, info.driver))
}

fn graph((path, vertices, edges, directed): (&str, usize, usize, bool)) -> Fact {
    let (vertices, edges) = (counted(vertices, "vertex"), counted(edges, "edge"));
    let directed = if directed { "directed" } else { "undirected" };
    ("graph", format!("{path}: {vertices}, {edges}, {directed}"))
}
