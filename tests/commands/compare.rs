//! Tests `brandes compare` as a user sees it.

use crate::common::program::Place;

/// Runs comparisons, and checks their exit codes and their whole output.
fn check(place: &Place, rows: &[(&str, i32, &str)]) {
    for (files, code, output) in rows {
        let mut command = place.command(&format!("compare {files}"));
        command.assert().code(*code).stdout(output.to_string());
    }
}

#[test]
fn agreement_and_differences_are_reported() {
    let place = Place::with(&[
        ("a.csv", "vertex,score\nx,1\ny,2000000000\n"),
        ("reordered.csv", "vertex,score\ny,2000000000.5\nx,1\n"),
        ("other.csv", "vertex,score\nx,1.1\ny,2000000000\n"),
        ("missing.csv", "vertex,score\nx,1\n"),
        ("nan.csv", "vertex,score\nx,NaN\ny,2000000000\n"),
        ("infinite.csv", "vertex,score\nx,inf\ny,2000000000\n"),
        ("foreign.csv", "vertex,score\nz,1\n"),
        ("twice.csv", "vertex,score\nx,1\nx,1\n"),
        ("nonsense.csv", "vertex,score\nx,1\ny\n"),
        ("semicolons.csv", "vertex;score\n1;1,5\n"),
        ("empty.csv", ""),
    ]);
    let agree = "2 scores compared, all agree (largest difference";
    check(
        &place,
        &[
            (
                "a.csv reordered.csv",
                0,
                &format!("{agree} 0.5, relative 2.5e-10)\n"),
            ),
            (
                "infinite.csv infinite.csv --rtol 0",
                0,
                &format!("{agree} 0, relative 0)\n"),
            ),
            (
                "a.csv other.csv",
                1,
                "1 of 2 scores differs; the largest difference is 0.1 (relative 0.091) at x: 1 and \
                 1.1\n",
            ),
        ],
    );
    place.run("compare a.csv other.csv --rtol 0.2");
    place.pipe(place.bytes("reordered.csv"), "compare a.csv -");
    for (file, part) in [
        ("missing.csv", "1 score only in"),
        (
            "nan.csv",
            "1 of 2 scores differs; the largest difference is NaN (relative NaN) at x",
        ),
        (
            "infinite.csv",
            "the largest difference is inf (relative NaN) at x: 1 and inf",
        ),
        ("foreign.csv", "the files have no vertex in common"),
    ] {
        let mut command = place.command(&format!("compare a.csv {file}"));
        let assert = command.assert().code(1);
        let text = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
        assert!(text.contains(part), "{file}: {text}");
    }
    place.refuse(
        "compare a.csv",
        "
        1 | nonsense.csv | nonsense.csv:3: expected numbers
        1 | semicolons.csv | semicolons.csv:2: expected numbers
        1 | twice.csv | appears twice
        1 | empty.csv | empty
        1 | . | .
        2 | a.csv --rtol -1 | -1",
    );
    place.refuse(
        "compare",
        "
        1 | twice.csv a.csv | appears twice
        2 | - - | read only once",
    );
}

#[test]
fn columns_of_the_same_name_are_compared() {
    let rows = r#"[{"vertex":"y","reach_2":4,"stress":1},{"vertex":"x","reach_2":2,"stress":1}]"#;
    let place = Place::with(&[
        ("a.csv", "vertex,betweenness,reach_2\nx,1,2\ny,3,4\n"),
        ("b.json", rows),
        ("c.csv", "vertex,score\nx,1\ny,3.5\n"),
        ("d.csv", "vertex,reach_3\nx,1\ny,3\n"),
    ]);
    let agree = "2 scores compared, all agree (largest difference 0, relative 0)\n";
    let only = "only in a.csv, not compared: betweenness\nonly in b.json, not compared: stress\n";
    check(
        &place,
        &[
            ("a.csv b.json", 0, &format!("{agree}{only}")),
            (
                "a.csv a.csv",
                0,
                &format!("betweenness: {agree}reach_2: {agree}"),
            ),
            (
                "a.csv c.csv",
                1,
                "1 of 2 scores differs; the largest difference is 0.5 (relative 0.14) at y: 3 and \
                 3.5\nonly in a.csv, not compared: reach_2\n",
            ),
        ],
    );
    let message = "no column in common: a.csv has betweenness, reach_2, and d.csv has reach_3";
    place.refuse("compare", &format!("1 | a.csv d.csv | {message}"));
}
