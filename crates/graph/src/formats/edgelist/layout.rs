//! Decides the layout of an edge list by its first rows and the options.

use super::ends::Table;
use crate::error::Problem;
use crate::formats::text::cells::{attribute, is_integer, whole};
use crate::formats::text::preamble::Preamble;
use crate::formats::text::sample::{Row, Sample, columns};
use crate::formats::text::{Delimiter, header};
use crate::tokens::shown;
use crate::weights::{Weight, default_weight};
use crate::{Column, EdgeListOptions, Format, ReadOptions, WeightChoice, WeightIs, WeightOptions};

/// The layout of the rows of an edge list.
#[derive(Default)]
pub(in crate::formats) struct Layout {
    pub(super) delimiter: Delimiter,
    /// The text of the header, if the first row is one; empty until the rows are read.
    pub(super) header: Option<Vec<u8>>,
    /// The numbers in the first row if these may be the sizes of the graph: `n`, `n m` or `n n m`.
    pub(super) sizes: Option<Vec<u64>>,
    /// The number of columns of each row, without attributes of networkx.
    pub(super) columns: usize,
    /// The columns of sources and targets, from 0.
    pub(in crate::formats) ends: [usize; 2],
    /// The column of weights, from 0, if a column has them.
    pub(in crate::formats) weight: Option<usize>,
    /// The attribute of networkx that has the weights, if one has them.
    pub(super) attribute: Option<String>,
    /// The weight of edges without one.
    pub(super) default_weight: Option<Weight>,
    /// The meaning of weights.
    pub(super) meaning: WeightIs,
    /// Whether vertices are written as decimals such as `1.0`.
    pub(super) has_decimal_vertices: bool,
    /// Whether there are weights although the user did not ask for them.
    pub(super) has_unused_weights: bool,
    /// The column of Gephi, from 0, that says whether each edge is directed.
    pub(super) direction: Option<usize>,
    /// The column of vertices in rows without ends, from 0.
    pub(super) vertex: Option<usize>,
    /// The reader's assumptions, a sentence each, and those that may be wrong.
    pub(super) notes: Vec<String>,
    pub(in crate::formats) warnings: Vec<String>,
}

/// The first rows while their layout is decided.
pub(super) struct Finder<'s> {
    pub sample: &'s Sample<'s>,
    pub options: &'s EdgeListOptions,
    /// The words of the header; none without a header.
    pub words: Vec<&'s [u8]>,
    /// The rows after the header.
    pub rows: &'s [Row<'s>],
    pub layout: Layout,
}

/// Decides the layout of an edge list by its first rows and the comments before them. In format
/// [`Format::Labels`] the first row has no sizes, and the texts of ends are labels without
/// conversion.
///
/// # Errors
/// [`Problem`] of the first row or of the options, if there is no layout.
pub(in crate::formats) fn find(
    sample: &Sample<'_>,
    preamble: &Preamble,
    requested: Format,
    options: &ReadOptions,
) -> Result<Layout, Problem> {
    let (list, weights) = (&options.edge_list, options.weights.as_ref());
    let keeps_labels = requested == Format::Labels;
    let (delimiter, width) = (sample.delimiter, columns(&sample.rows));
    let mut finder = Finder {
        sample,
        options: list,
        words: Vec::new(),
        rows: &sample.rows,
        layout: Layout {
            delimiter,
            columns: width,
            ..Layout::default()
        },
    };
    let Some(first) = sample.rows.first() else {
        return Ok(finder.layout);
    };
    let mut comments = preamble.comments.iter().rev();
    let comment = comments.find_map(|comment| header::in_comment(comment, width, delimiter));
    if finder.is_header(comment.is_some(), preamble.is_own()) {
        finder.layout.header = Some(Vec::new());
        finder.rows = &sample.rows[1..];
        finder.words = first.texts();
        if first.values.len() + 1 == width {
            finder.words.insert(0, b"");
        }
    } else if let Some(words) = &comment {
        finder.words = words.iter().map(|word| &word.text[..]).collect();
    } else if list.header.is_none() && list.columns.is_none() && !keeps_labels {
        finder.layout.sizes = finder.sizes();
        let sizes = finder.layout.sizes.as_ref();
        let is_edge = sizes.is_none_or(|sizes| sizes.len() == width);
        finder.rows = &sample.rows[usize::from(!is_edge)..];
    }
    let [source, target] = finder.find_ends()?;
    if source == target {
        let column = source + 1;
        refuse!("both ends of an edge are in column {column} (name two columns)");
    }
    finder.layout.ends = [source, target];
    finder.find_weights(weights)?;
    Ok(Layout {
        default_weight: default_weight(weights)?,
        meaning: weights.map(|options| options.meaning).unwrap_or_default(),
        has_decimal_vertices: !keeps_labels && finder.has_decimal_vertices(),
        has_unused_weights: weights.is_none() && finder.has_weights(),
        direction: finder.direction(),
        ..finder.layout
    })
}

impl Finder<'_> {
    /// Returns whether a condition holds for all texts in a column.
    fn all(&self, column: usize, is: impl Fn(&[u8]) -> bool) -> bool {
        self.rows.iter().all(|row| is(row.text(column)))
    }

    /// Returns the columns of the ends, from 0.
    fn find_ends(&mut self) -> Result<[usize; 2], Problem> {
        let width = self.layout.columns;
        if let Some(columns) = &self.options.columns {
            return Ok([self.column(&columns.source)?, self.column(&columns.target)?]);
        }
        if let Some([start, end, vertex]) = self.neo4j() {
            self.layout.vertex = Some(vertex);
            return Ok([start, end]);
        }
        let is_own = self.words.starts_with(&[b"source", b"target"]);
        if is_own || self.words.is_empty() && width < 3 {
            return Ok([0, 1]);
        }
        let table = Table::new(self.sample, self.rows, width, &self.words);
        let (ends, is_doubtful) = table.ends().ok_or_else(|| self.no_ends())?;
        let is_other = |other: &[usize; 2]| *other != ends && other[1] < width;
        let other = [[0, 1], [1, 2], [0, 2]].into_iter().find(is_other);
        let found = option(ends);
        let text = match other.map(option) {
            Some(other) => {
                format!("the ends are in columns {found} (--columns {other} takes others)")
            }
            None => format!(
                "equal numbers in columns {found} are the same vertex (put a letter before those \
                 of one column if they are not)"
            ),
        };
        let is_assumed = !is_doubtful && self.words.is_empty() && ends != [0, 1];
        self.layout.notes.extend(is_assumed.then(|| text.clone()));
        self.layout.warnings.extend(is_doubtful.then_some(text));
        Ok(ends)
    }

    /// Returns the error of a table without ends.
    fn no_ends(&self) -> Problem {
        let (width, words) = (self.layout.columns, shown_words(&self.words));
        if self.words.contains(&&b"SUID"[..]) {
            return malformed!(
                "a table of edges of Cytoscape has both ends in one column (export the network as \
                 GraphML: File > Export > Network to File)"
            );
        }
        malformed!(
            "no two of the {width} columns{words} seem to have the ends of edges (give a table of \
             edges, or name the columns: --columns {})",
            option([0, 1])
        )
    }

    /// Returns the position, from 0, of a column that the user names.
    fn column(&self, column: &Column) -> Result<usize, Problem> {
        let (width, words) = (self.layout.columns, &self.words);
        let (shown, found) = match column {
            Column::Number(number) => (number.to_string(), number.checked_sub(1)),
            Column::Name(name) => {
                let name = name.as_bytes();
                let exact = words.iter().position(|word| *word == name);
                let is_alike = |word: &&[u8]| word.eq_ignore_ascii_case(name);
                let found = exact.or_else(|| words.iter().position(is_alike));
                (shown(name), found)
            }
        };
        let known = match words.is_empty() {
            true => format!("a number from 1 to {width}"),
            false => format!("one of{}", shown_words(words)),
        };
        let found = found.filter(|&i| i < width);
        found.ok_or_else(|| malformed!("there is no column {shown} (name {known})"))
    }

    /// Finds the column of weights or the attribute that has them, if the user asked for weights.
    fn find_weights(&mut self, weights: Option<&WeightOptions>) -> Result<(), Problem> {
        let columns = self.options.columns.as_ref();
        let named = columns.and_then(|columns| columns.weight.clone());
        let asked = match (weights.map(|weights| weights.choice.clone()), named) {
            (None, None) => return Ok(()),
            (Some(WeightChoice::Usual), named) => named,
            (Some(WeightChoice::Column(number)), None) => Some(Column::Number(number)),
            (Some(WeightChoice::Named(name)), None) => Some(Column::Name(name)),
            (_, Some(_)) => {
                return Err(unfit!(
                    "weights that --columns names are read with --weighted, but these must not \
                     both name them (add --weighted, or leave one of the names out)"
                ));
            }
        };
        let has_attributes = matches!(self.rows, [row, ..] if row.attributes.is_some());
        match asked {
            Some(Column::Name(name)) if has_attributes => self.layout.attribute = Some(name),
            None if has_attributes => self.layout.attribute = Some("weight".into()),
            Some(column) => self.layout.weight = Some(self.column(&column)?),
            None => self.layout.weight = Some(self.usual_weights()?),
        }
        Ok(())
    }

    /// Returns the columns that may have weights: one with this word, then those of numbers after
    /// the ends.
    fn weight_columns(&self) -> Vec<usize> {
        let ends = self.layout.ends;
        let may_be = |&i: &usize| header::is_weight(self.words[i]) && !ends.contains(&i);
        let is_number = |text: &[u8]| text.is_empty() || self.sample.is_number(text);
        let are_numbers = |&i: &usize| self.all(i, is_number) && !self.all(i, <[u8]>::is_empty);
        let named = (0..self.words.len()).find(may_be);
        let after = (ends[0].max(ends[1]) + 1..self.layout.columns).filter(are_numbers);
        named.into_iter().chain(after).collect()
    }

    /// Returns the column of weights. Without a header it is the next one after the ends.
    fn usual_weights(&mut self) -> Result<usize, Problem> {
        let next = self.layout.ends[0].max(self.layout.ends[1]) + 1;
        let columns = self.weight_columns();
        match columns[..] {
            _ if self.words.is_empty() && next < self.layout.columns => Ok(next),
            [] if next < self.layout.columns => self.column(&Column::Name("weight".into())),
            [] => Err(Problem::no_weights()),
            [first, other, ..] if !header::is_weight(self.words[first]) => {
                let [word, other] = [first, other].map(|i| shown(self.words[i]));
                self.layout.warnings.push(format!(
                    "the weights are in column {word} (--weighted NAME takes another, such as \
                     {other})"
                ));
                Ok(first)
            }
            [first, ..] => Ok(first),
        }
    }

    /// Returns whether the rows seem to have weights.
    fn has_weights(&self) -> bool {
        let mut attributes = self.rows.iter().filter_map(|row| row.attributes.as_ref());
        let is_whole = |text: &[u8]| self.sample.number(text).is_none_or(|x| x.fract() == 0.0);
        let have_weights = |&i: &usize| match self.words.get(i) {
            Some(word) => header::is_weight(word) || !self.all(i, is_whole),
            None => !self.all(i, |text| text == b"1"),
        };
        attributes.any(|all| attribute(all, "weight").is_some())
            || self.weight_columns().first().is_some_and(have_weights)
    }

    /// Returns whether all ends are integers, some perhaps as decimals such as `1.0` or `1.0e+00`.
    fn has_decimal_vertices(&self) -> bool {
        let ends = self.layout.ends;
        let rows = self.rows.iter();
        let values = rows.flat_map(|row| ends.map(|i| row.values.get(i)));
        values.flatten().all(|value| {
            let is_whole = || whole(value, self.sample.delimiter).is_some();
            value.text.is_empty() || is_integer(&value.text) || is_whole()
        })
    }

    /// Returns the columns of sources, targets and vertices, from 0, in a file of Neo4j
    /// (`apoc.export.csv.all`). Such a file has rows of vertices, which have no ends, and of edges.
    fn neo4j(&self) -> Option<[usize; 3]> {
        let column = |name: &[u8]| self.words.iter().position(|word| *word == name);
        Some([column(b"_start")?, column(b"_end")?, column(b"_id")?])
    }

    /// Returns Gephi's column `Type`, from 0, if its values state directions.
    fn direction(&self) -> Option<usize> {
        let is_type = |word: &&[u8]| word.eq_ignore_ascii_case(b"type");
        let column = self.words.iter().position(is_type)?;
        let kinds: [&[u8]; 4] = [b"", b"directed", b"undirected", b"mutual"];
        let known = |text: &[u8]| kinds.iter().any(|kind| text.eq_ignore_ascii_case(kind));
        (self.all(column, known) && !self.all(column, <[u8]>::is_empty)).then_some(column)
    }
}

/// Returns the value of `--columns` for these columns.
fn option(columns: [usize; 2]) -> String {
    columns.map(|column| (column + 1).to_string()).join(",")
}

/// Returns the error of a row that starts with `text` and has another length than the others.
pub(super) fn ragged(text: &[u8], columns: usize, expected: usize) -> Problem {
    if columns >= 2 {
        return malformed!(
            "this row has {columns} columns, other rows have {expected} (correct it, or put values \
             that hold a delimiter in double quotes; an adjacency list is read with --format \
             adjlist)"
        );
    }
    let separates = |byte: &&u8| byte.is_ascii_punctuation() && !b"\"'-_.<>".contains(byte);
    let hint = text.iter().find(separates);
    let hint = hint.map(|&byte| format!("; or --delimiter '{}'", char::from(byte)));
    let hint = hint.unwrap_or_default();
    malformed!(
        "expected two columns, found only {} (write an edge as two vertices with a blank between \
         them{hint})",
        shown(text)
    )
}

/// Returns the first words of a header for messages, with a blank before each.
pub(super) fn shown_words(words: &[&[u8]]) -> String {
    let words = words.iter().take(16);
    words.map(|word| format!(" {}", shown(word))).collect()
}
