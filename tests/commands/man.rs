//! Tests `brandes man` as a user sees it.

use std::collections::BTreeSet;

use crate::common::program::{Place, names};

/// Returns the names in the list of commands that `brandes ARGS --help` prints.
fn commands(args: &str) -> Vec<String> {
    let help = Place::new().run(&format!("{args} --help")).out;
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    // Names are indented by two columns, and further lines of a description by more.
    let names = list.filter(|line| !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    let names = names.filter(|name| *name != "help");
    names.map(String::from).collect()
}

#[test]
fn there_is_a_page_for_every_command() {
    let place = Place::with(&[("file", "")]);
    let ran = place.run("man -o share/man1");
    assert_eq!((ran.out, ran.err), Default::default());
    let found: BTreeSet<String> = names(&place.at("share/man1")).into_iter().collect();
    let (all, families) = (commands(""), commands("generate"));
    assert!(
        all.len() >= 8 && families.len() == 7,
        "{all:?} {families:?}"
    );
    let pages = all.iter().map(|name| format!("brandes-{name}.1"));
    let of_families = families
        .iter()
        .map(|name| format!("brandes-generate-{name}.1"));
    let expected = pages.chain(of_families).chain(["brandes.1".into()]);
    assert_eq!(found, expected.collect());
    for name in &found {
        let page = place.read(&format!("share/man1/{name}"));
        let head = format!("\n.TH {} 1 ", name.trim_end_matches(".1"));
        assert!(page.contains(&head), "{name}: {page}");
        let line = page.lines().skip_while(|line| *line != ".SH NAME").nth(1);
        let line = line.unwrap_or_default().replace('\\', "");
        let (command, about) = line.split_once(" - ").unwrap_or_default();
        assert_eq!(format!("{command}.1"), *name);
        assert!(!about.is_empty(), "{name}: {line}");
        for section in ["SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES"] {
            assert!(
                page.contains(&format!(".SH {section}\n")),
                "{name}: {section}"
            );
        }
    }
    let run = place.read("share/man1/brandes-run.1").replace('\\', "");
    let examples = run.split(".SH EXAMPLES\n.nf\n").nth(1).unwrap();
    assert!(examples.contains("\n  brandes run graph.mtx.gz --scores"));
    assert!(!run.contains("exact-access"), "hidden options stay hidden");
    // Options that `-h` leaves out have a text.
    assert!(run.contains("Ignore the cache: build all kernels"));
    place.run("man").has(&[".TH brandes 1", "brandes\\-run(1)"]);
    place.refuse("man", "1 | -o file/man1 | cannot be written");
}
