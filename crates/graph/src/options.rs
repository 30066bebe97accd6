//! Options for reading graphs.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::{Delimiter, Format, LabelChoice, WeightChoice, WeightOptions};

/// Options for reading an input.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The format of the input.
    pub format: Format,
    /// Whether the graph is directed.
    pub directed: bool,
    /// The weights to read, if edges are to have lengths.
    pub weights: Option<WeightOptions>,
    /// The choice of labels, in GraphML, GEXF, GML, JSON, DOT and Pajek.
    pub labels: LabelChoice,
    /// The attribute of vertices that is read into `Source::vertex_weights`, if any.
    pub vertex_weights: Option<String>,
    /// The layout of an edge list, as far as the user states it.
    pub edge_list: EdgeListOptions,
    /// A counter of the bytes that have been read so far, before decompression.
    pub progress: Option<Arc<AtomicU64>>,
}

impl ReadOptions {
    /// Returns whether the user names the place of weights.
    pub(super) fn names_weights(&self) -> bool {
        let weights = self.weights.as_ref();
        weights.is_some_and(|weights| weights.choice != WeightChoice::Usual)
    }
}

/// A column of an edge list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    /// The number of the column, from 1.
    Number(usize),
    /// The name of the column in the header.
    Name(String),
}

/// The columns of an edge list that are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// The column of sources.
    pub source: Column,
    /// The column of targets.
    pub target: Column,
    /// The column of weights, if the reader should not find it by itself.
    pub weight: Option<Column>,
}

impl FromStr for Columns {
    type Err = String;

    /// Reads numbers or names of columns, such as `2,to,4` or `source=2,target=to,weight=4`.
    fn from_str(text: &str) -> Result<Columns, String> {
        const KEYS: [&str; 3] = ["source", "target", "weight"];
        let mut columns = [None, None, None];
        for (at, part) in text.split(',').enumerate() {
            let (place, name) = match part.split_once('=') {
                None if !text.contains('=') => (Some(at).filter(|&at| at < 3), part),
                None => (None, part),
                Some((key, name)) => (KEYS.iter().position(|known| *known == key), name),
            };
            let place = place.filter(|_| !name.is_empty());
            let place = place.ok_or(format!("'{part}' is neither a column nor source=COLUMN"))?;
            let column = match name.parse::<usize>() {
                Ok(0) => return Err("columns are counted from 1".into()),
                Ok(number) => Column::Number(number),
                Err(_) => Column::Name(name.into()),
            };
            if columns[place].replace(column).is_some() {
                return Err(format!("{} is named twice", KEYS[place]));
            }
        }
        match columns {
            [Some(source), Some(target), _] if source == target => {
                Err("source and target are the same column".into())
            }
            [Some(source), Some(target), weight] => Ok(Columns {
                source,
                target,
                weight,
            }),
            _ => Err("both source and target are needed, as in 2,3".into()),
        }
    }
}

impl FromStr for Delimiter {
    type Err = String;

    /// Reads the name of a delimiter, or the character itself.
    fn from_str(text: &str) -> Result<Delimiter, String> {
        match text {
            "blanks" | "blank" | " " => Ok(Delimiter::Blanks),
            "comma" => Ok(Delimiter::Byte(b',')),
            "semicolon" => Ok(Delimiter::Byte(b';')),
            "tab" | "\\t" => Ok(Delimiter::Byte(b'\t')),
            _ => match *text.as_bytes() {
                [byte] if byte != b'"' && !byte.is_ascii_alphanumeric() => {
                    Ok(Delimiter::Byte(byte))
                }
                _ => Err(format!(
                    "'{text}' is neither comma, semicolon, tab, blanks nor a single character"
                )),
            },
        }
    }
}

/// Properties of an edge list that the user states.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EdgeListOptions {
    /// The delimiter of columns; found in the rows if it is not given.
    pub delimiter: Option<Delimiter>,
    /// Whether the first row is a header; decided by the rows if it is not given.
    pub header: Option<bool>,
    /// The columns that are read; found by the header and the rows if they are not given.
    pub columns: Option<Columns>,
    /// The number of vertices, with and without edges. Their labels are the numbers from 0 or 1.
    pub vertices: Option<u64>,
}

impl EdgeListOptions {
    /// Returns whether an option other than the delimiter is given.
    pub(super) fn has_layout(&self) -> bool {
        self.header.is_some() || self.columns.is_some() || self.vertices.is_some()
    }

    /// Returns whether the user refers to a column by its name in the header.
    pub(super) fn has_names(&self) -> bool {
        let columns = self.columns.iter();
        let mut columns = columns.flat_map(|c| [&c.source, &c.target].into_iter().chain(&c.weight));
        columns.any(|column| matches!(column, Column::Name(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_numbers_or_names() {
        let expected = Columns {
            source: Column::Number(2),
            target: Column::Name("to".into()),
            weight: Some(Column::Number(1)),
        };
        assert_eq!("source=2,target=to,weight=1".parse(), Ok(expected));
        let short = Columns {
            source: Column::Name("from id".into()),
            target: Column::Number(3),
            weight: None,
        };
        assert_eq!("from id,3".parse(), Ok(short));
        let bad = "2;2,;2,2;1,2,3,4;1,target=2;source=1;source=1,target=1;source=0,target=1;\
                   from=1,target=2;";
        for bad in bad.split(';') {
            assert!(bad.parse::<Columns>().is_err(), "{bad}");
        }
    }

    #[test]
    fn delimiters_have_names() {
        assert_eq!("tab".parse(), Ok(Delimiter::Byte(b'\t')));
        assert_eq!("|".parse(), Ok(Delimiter::Byte(b'|')));
        assert_eq!("blanks".parse(), Ok(Delimiter::Blanks));
        for bad in ["", "x", "\"", "||", "commas"] {
            assert!(bad.parse::<Delimiter>().is_err(), "{bad}");
        }
    }
}
