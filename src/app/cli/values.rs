//! Parsers of values of options, and the names of values of the library.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use brandes::ClosenessScaling;
use brandes::cpu::CpuEngine;
use brandes::cpu::lanes::Simd;
use brandes::engine::Precision;
use brandes::graph::{Format, WeightIs, WriteFormat};
use brandes::prepare::Order;

/// A name, its value, and the text for `--help`, which is empty for an alias.
type Named<T> = (&'static str, T, &'static str);

/// Returns a parser of one of these names.
pub fn one_of<T>(values: &'static [Named<T>]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let shown = |(name, _, help): &Named<T>| {
        let value = PossibleValue::new(*name).help(*help);
        value.hide(help.is_empty())
    };
    let names: Vec<PossibleValue> = values.iter().map(shown).collect();
    PossibleValuesParser::new(names).try_map(|name| {
        let value = named(values, &name);
        value.ok_or("no such name")
    })
}

/// Returns the value of this name.
pub fn named<T: Copy>(values: &[Named<T>], name: &str) -> Option<T> {
    let found = values.iter().find(|(known, ..)| *known == name);
    found.map(|(_, value, _)| *value)
}

/// Reads a finite number of at least 0.
pub fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |x| x >= 0.0, "of at least 0")
}

/// Reads a finite number above 0.
pub fn above_zero(text: &str) -> Result<f64, String> {
    number(text, |x| x > 0.0, "above 0")
}

/// Reads a number from 0 to below 1.
pub fn below_one(text: &str) -> Result<f64, String> {
    number(text, |x| (0.0..1.0).contains(&x), "from 0 to below 1")
}

fn number(text: &str, fits: fn(f64) -> bool, range: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&x| f64::is_finite(x) && fits(x));
    number.ok_or_else(|| format!("'{text}' is not a number {range}"))
}

/// Defines the names of the values of an option.
macro_rules! values {
    ($(#[$about:meta])* $list:ident: $type:ident {
        $($name:literal => $value:ident $help:literal,)*
    }) => {
        $(#[$about])*
        pub const $list: &[Named<$type>] = &[$(($name, $type::$value, $help),)*];
    };
}

values! {
    /// Formats to read.
    FORMATS: Format {
        "auto" => Auto "Decide by the content, then by the suffix of the file name",
        "edgelist" => Edgelist "Rows of two vertices and more, with or without a header: text, \
            CSV, TSV. Also called csv, tsv, snap and konect",
        "csv" => Edgelist "",
        "tsv" => Edgelist "",
        "snap" => Edgelist "",
        "konect" => Edgelist "",
        "labels" => Labels "Edge list without a row of sizes, such as an NCOL file",
        "mtx" => Mtx "Matrix Market coordinate file",
        "metis" => Metis "METIS adjacency file",
        "dimacs" => Dimacs "DIMACS file of shortest paths (9th challenge), flows or colourings",
        "gml" => Gml "GML of Newman's collection and of igraph",
        "graphml" => Graphml "GraphML",
        "gexf" => Gexf "GEXF, the format of Gephi",
        "pajek" => Pajek "Pajek network",
        "lgl" => Lgl "LGL: a block of neighbours for each vertex",
        "sif" => Sif "SIF of Cytoscape: a vertex, a relation and other vertices in a line",
        "matrix" => Matrix "Dense adjacency matrix, with or without names",
        "adjlist" => Adjlist "Adjacency list of networkx: a vertex and its neighbours",
        "dl" => Dl "UCINET's DL",
        "npz" => Npz "Sparse matrix of SciPy (scipy.sparse.save_npz)",
    }
}

values! {
    /// Formats to write.
    WRITE_FORMATS: WriteFormat {
        "edgelist" => Edgelist "Two columns, and a third of lengths if there are any",
        "csv" => Csv "Edge list with commas and a header: source,target[,weight]",
        "mtx" => Mtx "Matrix Market coordinate file",
        "metis" => Metis "METIS adjacency file",
        "dimacs" => Dimacs "DIMACS shortest-path file",
        "graphml" => Graphml "GraphML",
        "gexf" => Gexf "GEXF, the format of Gephi",
        "npz" => Npz "Sparse matrix of SciPy, with labels beside it",
    }
}

values! {
    /// Scalings of closeness.
    CLOSENESS_SCALINGS: ClosenessScaling {
        "improved" => Improved "(r / D) * (r / A) for a vertex that r of the A other sources reach \
            at distances that add up to D, as networkx",
        "component" => Component "r / D, as igraph",
    }
}

values! {
    /// Meanings of weights.
    WEIGHTS: WeightIs {
        "length" => Length "The length of its edge",
        "similarity" => Similarity "How close the ends are: the length is 1 / weight",
    }
}

values! {
    /// Number types of path counts and dependencies.
    PRECISIONS: Precision {
        "f64" => F64 "64 bits",
        "mixed" => Mixed "64 bits, but 32 for the numbers that strategies lanes and hierarchy on \
            devices, and engine lanes on cores, store for each root and vertex; faster, and the \
            report says how large the error can be",
        "f32" => F32 "32 bits on devices: about six digits, path counts up to 2^126",
    }
}

values! {
    /// Numberings of the searched vertices.
    ORDERS: Order {
        "bfs" => Bfs "Breadth-first from a vertex of the highest degree of each component",
        "none" => None "As in the input",
    }
}

values! {
    /// Engines of CPU workers.
    CPU_ENGINES: CpuEngine {
        "auto" => Auto "The fastest of some likely engines, which are tried on the first roots",
        "plain" => Plain "A root at a time",
        "lanes" => Lanes "Batches of roots searched together, a lane of vector registers each; \
            without weights",
        "clustered" => Clustered "Batches of eight neighbouring roots, for deep graphs",
        "near" => Clustered "",
        "hierarchy" => Hierarchy "Sweeps over a contraction hierarchy, for road networks and other \
            graphs of small separators",
    }
}

values! {
    /// Vector instructions of CPU engine lanes.
    SIMDS: Simd {
        "portable" => Portable "What every CPU of the target has: SSE2 on x86-64, NEON on AArch64",
        "avx2" => Avx2 "256 bits (x86-64)",
        "avx512" => Avx512 "512 bits (x86-64)",
    }
}

#[cfg(test)]
mod tests {
    use brandes::report::words;
    use serde::Serialize;
    use serde_json::Value;

    use super::*;

    fn check<T: Copy + Serialize>(values: &[Named<T>]) {
        for (name, value, _) in values.iter().filter(|(.., help)| !help.is_empty()) {
            assert_eq!(*name, words::named(*value));
        }
    }

    #[test]
    fn options_and_reports_have_the_same_names() {
        check(FORMATS);
        check(WEIGHTS);
        check(PRECISIONS);
        check(ORDERS);
        check(SIMDS);
        let schema = include_str!("../../../docs/schema/run-report.schema.json");
        let schema: Value = serde_json::from_str(schema).expect("a schema is JSON");
        let formats = schema["$defs"]["Format"]["oneOf"].as_array();
        let formats: Vec<_> = formats
            .into_iter()
            .flatten()
            .map(|one| &one["const"])
            .collect();
        let shown = FORMATS.iter().filter(|(.., help)| !help.is_empty());
        let names: Vec<&str> = shown.map(|(name, ..)| *name).collect();
        assert_eq!(formats, names);
    }
}
