//! Values of options that stand for those of the graph library, which knows no command line.

use brandes::graph;

/// Defines an enum of the values of an option, and turns them into those of the library, which have
/// the same names.
macro_rules! values {
    ($(#[$about:meta])* $name:ident => $library:ty {
        $($(#[$help:meta])* $value:ident,)*
    }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
        pub enum $name {
            $($(#[$help])* $value,)*
        }

        impl From<$name> for $library {
            fn from(value: $name) -> $library {
                match value {
                    $($name::$value => <$library>::$value,)*
                }
            }
        }
    };
}

values! {
    /// Formats to read.
    Format => graph::Format {
        /// Decide by the content, then by the suffix of the file name.
        Auto,
        /// Rows of two vertices and more, with or without a header: text, CSV, TSV. Also called
        /// csv, tsv, snap and konect.
        #[value(aliases = ["csv", "tsv", "snap", "konect"])]
        Edgelist,
        /// The same without a row of sizes, as NCOL files are.
        Labels,
        /// Matrix Market coordinate file.
        Mtx,
        /// METIS adjacency file.
        Metis,
        /// DIMACS file of shortest paths (9th challenge), flows or colourings.
        Dimacs,
        /// GML, as Newman's collection and igraph have it.
        Gml,
        /// GraphML.
        Graphml,
        /// GEXF, as Gephi has it.
        Gexf,
        /// Pajek network.
        Pajek,
        /// LGL: a block of neighbours for each vertex.
        Lgl,
        /// SIF of Cytoscape: a vertex, a relation and other vertices in a line.
        Sif,
        /// Dense adjacency matrix, with or without names.
        Matrix,
        /// Adjacency list of networkx: a vertex and its neighbours in a line.
        Adjlist,
        /// UCINET's DL.
        Dl,
        /// Sparse matrix of SciPy (scipy.sparse.save_npz).
        Npz,
    }
}

values! {
    /// Formats to write.
    WriteFormat => graph::WriteFormat {
        /// Two columns, and a third of lengths if there are any.
        Edgelist,
        /// Edge list with commas and a header: `source,target[,weight]`.
        Csv,
        /// Matrix Market coordinate file.
        Mtx,
        /// METIS adjacency file.
        Metis,
        /// DIMACS shortest-path file.
        Dimacs,
        /// GraphML.
        Graphml,
        /// GEXF, as Gephi has it.
        Gexf,
        /// Sparse matrix of SciPy, with labels beside it.
        Npz,
    }
}

values! {
    /// What weights mean.
    WeightIs => graph::WeightIs {
        /// The length of its edge.
        Length,
        /// How close the ends are: the length is 1 / weight.
        Similarity,
    }
}

#[cfg(test)]
mod tests {
    use brandes::report::words::named;
    use clap::ValueEnum;

    use super::*;

    fn name<V: ValueEnum>(value: &V) -> String {
        let value = value.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_string())
    }

    #[test]
    fn options_and_reports_have_the_same_names() {
        for value in Format::value_variants() {
            assert_eq!(name(value), named(graph::Format::from(*value)));
        }
        for value in WeightIs::value_variants() {
            assert_eq!(name(value), named(graph::WeightIs::from(*value)));
        }
        let schema = include_str!("../../../docs/schema/run-report.schema.json");
        let schema: serde_json::Value = serde_json::from_str(schema).expect("a schema is JSON");
        let formats = &schema["$defs"]["Input"]["properties"]["format"]["enum"];
        let names: Vec<String> = Format::value_variants().iter().map(name).collect();
        assert_eq!(*formats, serde_json::json!(names));
    }
}
