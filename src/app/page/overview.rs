//! The head of the page, and what the files are.

use std::fmt::Write;

use super::escape;
use super::files::{About, Bench, Run, Tune};
use super::number::{bytes, duration, grouped, plain};
use super::read::{Content, Document, last_part};
use crate::app::report::words::counted;

/// More files than this are folded, so that they do not hide the charts' end.
const OPEN: usize = 3;

// Writing to a String cannot fail.

/// What the page is about, in a few words.
pub fn title(documents: &[Document]) -> String {
    let mut graphs: Vec<&str> = Vec::new();
    for document in documents {
        let paths: Vec<&str> = match &document.content {
            Content::Run(run) => vec![&run.input.path],
            Content::Bench(bench) => bench.graphs.iter().map(|g| g.path.as_str()).collect(),
            Content::Tune(tune) => vec![&tune.input.path],
        };
        for path in paths.into_iter().map(last_part) {
            if !graphs.contains(&path) {
                graphs.push(path);
            }
        }
    }
    match &graphs[..] {
        [] => "Betweenness centrality".into(),
        [one] => format!("Betweenness centrality of {one}"),
        [first, second] => format!("Betweenness centrality of {first} and {second}"),
        several => format!("Betweenness centrality of {} graphs", several.len()),
    }
}

/// A run by itself in a few numbers, its result first.
pub fn key_figures(documents: &[Document]) -> String {
    let [
        Document {
            content: Content::Run(run),
            ..
        },
    ] = documents
    else {
        return String::new();
    };
    let totals = &run.totals;
    let mut figures = Vec::new();
    let results = run.results.as_ref();
    if let Some(best) = results.and_then(|results| results.top.first()) {
        figures.push(("highest score", plain(best.score)));
        figures.push(("of vertex", best.vertex.clone()));
    }
    figures.extend([
        ("vertices", grouped(run.input.vertices as i64)),
        ("edges", grouped(run.input.edges as i64)),
        ("whole run", duration(totals.seconds)),
        ("search", duration(totals.search_seconds)),
    ]);
    if let Some(peak) = totals.peak_rss_bytes {
        figures.push(("peak memory", bytes(peak)));
    }
    let mut html = String::from("<dl class=\"figures\">\n");
    for (name, value) in figures {
        let _ = writeln!(
            html,
            "<div><dt>{name}</dt><dd>{}</dd></div>",
            escape(&value)
        );
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
        let (kind, facts) = match &document.content {
            Content::Run(run) => ("run", of_run(run)),
            Content::Bench(bench) => ("bench", of_bench(bench)),
            Content::Tune(tune) => ("tune", of_tune(tune)),
        };
        let _ = write!(
            html,
            "<details class=\"file\"{open}>\n<summary>{} <span class=\"kind\">{kind}</span></summary>\n<dl>\n",
            escape(&document.name)
        );
        for (name, value) in facts {
            let value = escape(&value);
            let value = match name {
                "command" => format!("<code>{value}</code>"),
                _ => value,
            };
            let _ = writeln!(html, "<dt>{name}</dt><dd>{value}</dd>");
        }
        html.push_str("</dl>\n</details>\n");
    }
    html.push_str("</section>\n");
    html
}

/// A name and what there is to say.
type Fact = (&'static str, String);

fn of_run(run: &Run) -> Vec<Fact> {
    let mut facts = vec![(
        "graph",
        graph(
            &run.input.path,
            run.input.vertices,
            run.input.edges,
            run.input.directed,
        ),
    )];
    let prepared = &run.prepared;
    let mut searched = format!(
        "{} and {} from {}; {} folded away",
        counted(prepared.vertices as usize, "vertex"),
        counted(prepared.arcs as usize, "arc"),
        counted(prepared.roots as usize, "root"),
        grouped(prepared.folded as i64)
    );
    if prepared.partial {
        searched.push_str("; partial scores: only some vertices were sources");
    }
    facts.push(("searched", searched));
    facts.push(("plan", run.plan.why.clone()));
    let asked = run.plan.strategy.as_ref();
    facts.extend(asked.map(|strategy| ("strategy asked for", strategy.clone())));
    for device in &run.devices {
        let mut text = format!(
            "{} (driver {}): {}",
            device.info.name, device.info.driver, device.state
        );
        if let Some(error) = &device.error {
            text.push_str(&format!(", {error}"));
        }
        facts.push(("device", text));
    }
    facts.extend(
        run.checks
            .warnings
            .iter()
            .map(|text| ("warning", text.clone())),
    );
    about(facts, &run.about)
}

fn of_bench(bench: &Bench) -> Vec<Fact> {
    let graphs = bench.graphs.iter();
    let graphs = graphs.map(|g| {
        (
            "graph",
            format!("{}: {}", g.path, sizes(g.vertices, g.edges)),
        )
    });
    let devices = bench.devices.iter();
    let devices = devices.map(|d| ("device", format!("{} (driver {})", d.name, d.driver)));
    about(graphs.chain(devices).collect(), &bench.about)
}

fn of_tune(tune: &Tune) -> Vec<Fact> {
    let input = &tune.input;
    let mut facts = vec![(
        "graph",
        graph(&input.path, input.vertices, input.edges, input.directed),
    )];
    let device = tune.device.as_ref();
    facts.extend(device.map(|d| ("device", format!("{} (driver {})", d.name, d.driver))));
    about(facts, &tune.about)
}

/// Adds what all files have.
fn about(mut facts: Vec<Fact>, about: &About) -> Vec<Fact> {
    let host = &about.host;
    let cores = counted(host.cores as usize, "core");
    let machine = match &host.cpu {
        Some(cpu) => format!("{cpu}, {cores}"),
        None => cores,
    };
    facts.push(("machine", machine));
    let program = &about.program;
    let commit = program.commit.as_ref();
    let commit = commit.map_or(String::new(), |commit| format!(", commit {commit}"));
    facts.push((
        "program",
        format!("{} {}{commit}", program.name, program.version),
    ));
    let words: Vec<String> = about.command.iter().map(|word| quoted(word)).collect();
    facts.push(("command", words.join(" ")));
    facts
}

fn graph(path: &str, vertices: u64, edges: u64, directed: bool) -> String {
    let directed = if directed { "directed" } else { "undirected" };
    format!("{path}: {}, {directed}", sizes(vertices, edges))
}

fn sizes(vertices: u64, edges: u64) -> String {
    format!(
        "{}, {}",
        counted(vertices as usize, "vertex"),
        counted(edges as usize, "edge")
    )
}

/// A word of a command line as a shell would take it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_typed_again() {
        assert_eq!(quoted("--degree=32"), "--degree=32");
        assert_eq!(quoted("my graph.txt"), "'my graph.txt'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
