//! Tests `brandes run --part` and `brandes merge`.

use crate::common::program::{Place, expect};

#[test]
fn merged_files_equal_those_of_a_run() {
    let place = Place::new();
    for part in 1..=3 {
        let sums = format!("--part {part}/3 --sums {part}.npz --sum-edges");
        place.run(&format!("run KARATE --device none {sums}"));
    }
    for (name, more) in [
        ("s.csv", ""),
        ("s.tsv", "--normalized"),
        ("s.json", "--sort"),
        ("s.npy", ""),
    ] {
        let merge = format!("merge 3.npz 2.npz 1.npz --scores m-{name} --edges m.csv {more}");
        assert!(
            place
                .run(&merge)
                .out
                .ends_with("34 vertices from 3 parts\n")
        );
        let run = format!("run KARATE --device none --scores {name} --edges e.csv {more}");
        place.run(&run);
        place.run(&format!("compare m-{name} {name}"));
        place.run("compare m.csv e.csv");
        let first_line = |name: &str| {
            let text = place.bytes(name);
            text.split(|&byte| byte == b'\n').next().map(<[u8]>::to_vec)
        };
        assert_eq!(first_line(&format!("m-{name}")), first_line(name));
    }
    let table = place.run("merge 1.npz 2.npz 3.npz --top 2");
    table.has(&["\n    1       1  231.071429\n"]);
}

#[test]
fn the_output_names_the_part() {
    let place = Place::new();
    let options = "--part 2/3 --report r.json --sums s.npz";
    let ran = place.run(&format!("run KARATE --device none {options}"));
    ran.has(&["part 2/3 of the search; 'brandes merge' adds up"])
        .lacks(&["rank"]);
    let parts = "/prepared/part = \"2/3\"\n/prepared/partial = true\n/results/top = []";
    expect(&place.json("r.json"), parts);
}

#[test]
fn wrong_options_and_parts_are_refused() {
    let place = Place::new();
    for part in 1..=2 {
        let sums = format!("--part {part}/2 --sums {part}.npz");
        place.run(&format!("run KARATE --device none {sums}"));
    }
    let before = place.bytes("1.npz");
    place.refuse(
        "run KARATE",
        "
        2 | --part 1/2 | --sums
        2 | --sums s.npz | --part
        2 | --part 3/2 --sums s.npz | is not K/N
        2 | --part 1/2 --sums s.npz --scores s.csv | --scores
        2 | --part 1/2 --sums s.npz --normalized | --normalized
        2 | --part 1/2 --sums s.npz --sort | '--part <K/N>' cannot be used with '--sort'
        2 | --part 1/2 --sums s.csv | use a name that ends in .npz
        2 | --part 1/2 --sums s.npz.gz | use a name that ends in .npz
        2 | --part 1/2 --sums KARATE | would overwrite the graph",
    );
    place.refuse(
        "merge",
        "
        2 |  | <PART>
        1 | 1.npz | these parts are missing: 2/2
        1 | 1.npz 2.npz 1.npz | part 1/2 is there twice
        2 | 1.npz 2.npz --scores 1.npz | would overwrite a part
        1 | 1.npz 2.npz --edges - | search them with --sum-edges
        2 | 1.npz 2.npz --scores s.gexf | need the graph
        1 | KARATE | holds no sums",
    );
    assert_eq!(place.bytes("1.npz"), before);
}
