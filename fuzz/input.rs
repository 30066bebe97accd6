//! Reads an input with the options that its first bytes select, for the fuzzer and for the test
//! that replays its corpus.

use brandes::graph::{
    Column, Columns, Delimiter, EdgeListOptions, Format, Graph, LabelChoice, ReadOptions, Source,
    WeightChoice, WeightIs, WeightOptions, read_stream,
};

/// Formats by the first byte of an input.
pub const FORMATS: [Format; 18] = [
    Format::Auto,
    Format::Edgelist,
    Format::Labels,
    Format::Mtx,
    Format::Metis,
    Format::Dimacs,
    Format::Gml,
    Format::Graphml,
    Format::Gexf,
    Format::Pajek,
    Format::Lgl,
    Format::Npz,
    Format::Sif,
    Format::Matrix,
    Format::Adjlist,
    Format::Json,
    Format::Dot,
    Format::Tntp,
];

/// Reads an input, whose first two bytes select the format and the options. Panics unless the
/// result is a consistent graph or a one-line error.
pub fn check(data: &[u8]) {
    let [format, flags, input @ ..] = data else {
        return;
    };
    let format = FORMATS[usize::from(*format) % FORMATS.len()];
    let flag = |bit: u8| flags >> bit & 1 == 1;
    let weights = flag(0).then(|| WeightOptions {
        choice: match (flag(1), flag(2)) {
            (false, _) => WeightChoice::Usual,
            (true, false) => WeightChoice::Column(4),
            (true, true) => WeightChoice::Named("value".into()),
        },
        meaning: if flag(3) {
            WeightIs::Similarity
        } else {
            WeightIs::Length
        },
        default: flag(2).then_some(2.0),
    });
    let edge_list = match flags >> 5 {
        0..=3 => EdgeListOptions::default(),
        4 => EdgeListOptions {
            delimiter: Some(Delimiter::Byte(b'|')),
            ..EdgeListOptions::default()
        },
        5 => EdgeListOptions {
            header: Some(true),
            ..EdgeListOptions::default()
        },
        6 => EdgeListOptions {
            vertices: Some(100),
            header: Some(false),
            ..EdgeListOptions::default()
        },
        _ => EdgeListOptions {
            columns: Some(Columns {
                source: Column::Number(2),
                target: Column::Name("b".into()),
                weight: None,
            }),
            ..EdgeListOptions::default()
        },
    };
    let options = ReadOptions {
        format,
        directed: flag(4),
        weights,
        labels: match (flag(0), flag(3), flag(2)) {
            (false, true, false) => LabelChoice::Id,
            (false, true, true) => LabelChoice::Named("value".into()),
            _ => LabelChoice::Usual,
        },
        edge_list,
        ..ReadOptions::default()
    };
    match read_stream(Box::new(input), "input", &options) {
        Ok((graph, source)) => {
            check_scored(input, &graph, &source, &options);
            let csr = graph.csr();
            let n = csr.vertices();
            assert_eq!(graph.labels().len(), n);
            assert!(csr.offsets().is_sorted());
            for v in 0..n as u32 {
                let row = csr.neighbours(v);
                assert!(row.iter().all(|&u| (u as usize) < n && u != v));
                assert!(row.windows(2).all(|pair| pair[0] < pair[1]));
                if !graph.directed() {
                    assert!(
                        row.iter()
                            .all(|&u| csr.neighbours(u).binary_search(&v).is_ok())
                    );
                }
            }
            assert!(
                graph
                    .lengths()
                    .is_none_or(|lengths| lengths.len() == csr.arcs())
            );
        }
        Err(error) => {
            let text = error.to_string();
            assert!(
                !text.contains('\n') && text.starts_with("input"),
                "{text:?}"
            );
        }
    }
}

/// Adds scores to a GraphML or GEXF file, and to the result, and checks that both are the same
/// graph.
fn check_scored(input: &[u8], graph: &Graph, source: &Source, options: &ReadOptions) {
    let mut text = input.to_vec();
    let edges: Vec<f64> = (0..graph.edges()).map(|number| number as f64).collect();
    let vertices = vec![0.5; graph.vertices()];
    let name = "betweenness".to_string();
    let scores = (
        &[(name.clone(), &vertices[..])][..],
        &[(name, &edges[..])][..],
    );
    for _ in 0..2 {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(file.path(), &text).expect("a writable file");
        let source = Source {
            path: file.path().display().to_string(),
            ..source.clone()
        };
        if !source.can_be_copied() {
            return;
        }
        text.clear();
        let written = source.write_scored(graph, scores, &mut text);
        written.expect("a file that was read can be copied");
        let again = read_stream(Box::new(&text[..]), "input", options);
        let (again, _) = again.expect("a copy can be read");
        assert_eq!((again.csr(), again.labels()), (graph.csr(), graph.labels()));
    }
}
