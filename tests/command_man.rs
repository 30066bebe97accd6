//! Tests `brandes man` as a user sees it.

use std::collections::BTreeSet;
use std::fs;

use assert_cmd::{Command, cargo_bin_cmd};
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};

fn brandes() -> Command {
    cargo_bin_cmd!("brandes")
}

/// Returns the names in the list of commands that `brandes ARGS --help` prints.
fn commands(args: &[&str]) -> Vec<String> {
    let output = brandes().args(args).arg("--help").assert().success();
    let help = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    // Names are indented by two columns, and further lines of a description by more.
    let names = list.filter(|line| !line.starts_with("   "));
    names
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(String::from)
        .collect()
}

#[test]
fn there_is_a_page_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("share").join("man1");
    brandes()
        .args(["man", "-o"])
        .arg(&folder)
        .assert()
        .success()
        .stdout(is_empty())
        .stderr(is_empty());
    let found: BTreeSet<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let (all, families) = (commands(&[]), commands(&["generate"]));
    assert!(
        all.len() >= 8 && families.len() == 10,
        "{all:?} {families:?}"
    );
    let expected: BTreeSet<String> = ["brandes.1".to_string()]
        .into_iter()
        .chain(all.iter().map(|name| format!("brandes-{name}.1")))
        .chain(
            families
                .iter()
                .map(|name| format!("brandes-generate-{name}.1")),
        )
        .collect();
    assert_eq!(found, expected);

    for name in &found {
        let page = fs::read_to_string(folder.join(name)).unwrap();
        let title = page.lines().next().unwrap_or_default();
        let start = format!(".TH {} 1 \"\" \"brandes ", name.trim_end_matches(".1"));
        assert!(title.starts_with(&start), "{name}: {title}");
        let line = page.lines().skip_while(|line| *line != ".SH NAME").nth(1);
        let line = line.unwrap_or_else(|| panic!("{name} has no NAME"));
        let line = line.replace('\\', "");
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
    let run = fs::read_to_string(folder.join("brandes-run.1")).unwrap();
    let examples = run.split(".SH EXAMPLES\n").nth(1).unwrap();
    assert!(
        examples
            .replace('\\', "")
            .contains("\nbrandes run graph.mtx.gz --scores")
    );
    assert!(!run.contains("fail\\-device"), "hidden options stay hidden");
}

#[test]
fn the_page_of_the_program_goes_to_standard_output() {
    brandes()
        .arg("man")
        .assert()
        .success()
        .stdout(contains(".TH brandes 1"))
        .stdout(contains("brandes\\-run(1)"));
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    brandes()
        .args(["man", "-o"])
        .arg(file.join("man1"))
        .assert()
        .code(1)
        .stderr(starts_with("brandes: ").and(contains("cannot be made")));
}
