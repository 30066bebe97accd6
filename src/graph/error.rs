//! Everything that can be wrong with an input, as one-line messages.

use std::io;

use thiserror::Error;

use super::BuildError;
use super::tokens::shown;

/// Why a graph could not be read. Shown as `FILE:LINE: what is wrong (what to do)`, or without
/// the line when the problem is not in one.
#[derive(Debug, Error)]
#[error("{file}{}: {}", .line.map(|line| format!(":{line}")).unwrap_or_default(), one_line(.problem))]
pub struct ReadError {
    /// The path as given, or `<stdin>`.
    pub file: String,
    /// Line of the decompressed text, from 1; `None` when the problem is the file as a whole.
    pub line: Option<u64>,
    /// What is wrong.
    pub problem: Problem,
}

/// A message without line ends and other control characters, which parsers of libraries quote from
/// the input.
fn one_line(problem: &Problem) -> String {
    let mut line = String::new();
    for character in problem.to_string().chars() {
        if character.is_control() {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

/// What can be wrong with an input. Tokens are stored as messages show them: quoted and shortened.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// The path leads nowhere.
    #[error("no such file (check the path)")]
    NotFound,
    /// The path is a directory.
    #[error("this is a directory (give one file in it)")]
    Directory,
    /// The file exists but opening it failed.
    #[error("cannot be opened: {reason} (check the permissions)")]
    Open {
        /// The operating system's reason.
        reason: String,
    },
    /// Reading failed half-way.
    #[error("reading failed: {reason} (check the disk or the connection)")]
    Read {
        /// The operating system's reason.
        reason: String,
    },
    /// There is not a single byte, before or after decompression.
    #[error("the file is empty (give a file that holds a graph)")]
    Empty,
    /// A compressed stream stops before its end.
    #[error("the {kind} data ends early (fetch or compress the file again)")]
    Truncated {
        /// How it is compressed.
        kind: &'static str,
    },
    /// A compressed stream is not valid.
    #[error("the {kind} data is damaged: {reason} (fetch or compress the file again)")]
    Damaged {
        /// How it is compressed.
        kind: &'static str,
        /// What the decompressor says.
        reason: String,
    },
    /// The file is in a graph format that is not supported.
    #[error("{name} cannot be read ({remedy})")]
    Foreign {
        /// What the file is.
        name: &'static str,
        /// What to do with it.
        remedy: &'static str,
    },
    /// There are zero bytes where text is expected.
    #[error(
        "this is binary, not text (give an edge list, GraphML, GML, .mtx, .graph, .gr or SciPy .npz file)"
    )]
    Binary,
    /// Something that a format does not allow, or that is not supported, where the reader is.
    #[error("{what} ({remedy})")]
    Malformed {
        /// What is wrong.
        what: String,
        /// What to do.
        remedy: &'static str,
    },
    /// The same of the file as a whole.
    #[error("{what} ({remedy})")]
    Unfit {
        /// What is wrong.
        what: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A problem of an entry of a matrix.
    #[error("in row {row}, column {column} (from 0): {problem}")]
    AtEntry {
        /// Row of the entry, from 0.
        row: u64,
        /// Column of the entry, from 0.
        column: u64,
        /// What is wrong with it.
        problem: Box<Problem>,
    },
    /// A problem of a row that is to be shown.
    #[error("{row}: {problem}")]
    InRow {
        /// The row.
        row: String,
        /// What is wrong with it.
        problem: Box<Problem>,
    },
    /// A problem of an earlier line than the one where the reader is.
    #[error("{problem}")]
    At {
        /// Its line, from 1.
        line: u64,
        /// What is wrong there.
        problem: Box<Problem>,
    },

    /// A line is longer than any that is read.
    #[error(
        "the line has more than {limit} bytes (this is no line of a graph: check the file and --format)"
    )]
    LineTooLong {
        /// Bytes allowed.
        limit: usize,
    },
    /// A carriage return that no line feed follows.
    #[error(
        "there is a carriage return inside the line (end lines with LF: tr '\\r' '\\n' < OLD > NEW)"
    )]
    CarriageReturn,
    /// An option for edge lists is given for another format.
    #[error("{option} is for edge lists only (leave it out)")]
    EdgeListOption {
        /// The option.
        option: &'static str,
    },

    /// An edge list line has one column.
    #[error(
        "expected two columns, found only {token} (write an edge as two vertices with a blank between them)"
    )]
    OneColumn {
        /// The only token of the line.
        token: String,
    },
    /// Rows of an edge list differ in length.
    #[error(
        "this row has {columns} columns, other rows have {expected} (an edge list has equally many in all; adjacency lists, matrices and other formats are no edge lists)"
    )]
    Ragged {
        /// Columns of the row.
        columns: usize,
        /// Columns of other rows.
        expected: usize,
    },
    /// A first row that may be a header or an edge.
    #[error(
        "the first row, {row}, may be a header or an edge (say which: --header yes or --header no)"
    )]
    HeaderOrEdge {
        /// The row.
        row: String,
    },
    /// A header whose words do not say which columns are the ends.
    #[error(
        "the header {header} does not say where edges start and end (name the columns: --columns source=NAME,target=NAME)"
    )]
    HeaderUnknown {
        /// Its words.
        header: String,
    },
    /// A column that is asked for is not there.
    #[error("there is no column {column} ({columns})")]
    NoSuchColumn {
        /// As it was asked for.
        column: String,
        /// What there is.
        columns: String,
    },
    /// Columns that nothing describes.
    #[error(
        "rows have {columns} columns and no header (name those of the ends: --columns source=1,target=2; a matrix or an adjacency list is no edge list)"
    )]
    TooManyColumns {
        /// How many.
        columns: usize,
    },
    /// A column behind the ends that is no number.
    #[error(
        "{token} is not a number, and nothing says what its column is (name the columns of the ends: --columns source=1,target=2)"
    )]
    ColumnUnknown {
        /// What stands in the column.
        token: String,
    },
    /// The first column of three or more counts the rows.
    #[error(
        "the first column counts the rows: it may be a number of the edge, or where the edge starts (say which columns are the ends: --columns source=1,target=2 or --columns source=2,target=3)"
    )]
    FirstColumnCounts,
    /// As many rows as columns.
    #[error(
        "these are {rows} rows of {rows} numbers: a matrix (if it is an edge list, say --columns source=1,target=2; else convert it)"
    )]
    Matrix {
        /// Rows and columns.
        rows: usize,
    },
    /// Rows of numbers that tabs and blanks cut differently.
    #[error(
        "numbers are separated by tabs and by blanks (say what separates columns: --delimiter tab or --delimiter blanks)"
    )]
    TabsAndBlanks,
    /// A first row in which several characters may separate columns.
    #[error(
        "{row} has several of tab, semicolon and comma (say which separates columns: --delimiter tab, semicolon or comma)"
    )]
    SeveralDelimiters {
        /// The row.
        row: String,
    },
    /// Numbers between which there are commas and blanks.
    #[error(
        "{row} has both blanks and commas or semicolons between digits (write numbers without thousands separators, or say what separates columns: --delimiter)"
    )]
    NumbersWithCommas {
        /// The row.
        row: String,
    },
    /// All rows start with the same letter.
    #[error(
        "each row starts with {letter} and two numbers, as lines of DIMACS files do (say which columns are the ends: --columns source=2,target=3; or add the problem line: p sp vertices arcs)"
    )]
    LettersInFront {
        /// The letter.
        letter: String,
    },
    /// The same stands between the ends in all rows.
    #[error(
        "{token} stands in the second column of each row (say which columns are the ends: --columns source=1,target=3)"
    )]
    Connective {
        /// What it is.
        token: String,
    },
    /// A value that starts or ends with what separates values elsewhere.
    #[error(
        "{token} has a delimiter of another kind at its end (say what separates columns: --delimiter comma, semicolon, tab or blanks)"
    )]
    OddDelimiter {
        /// The value.
        token: String,
    },
    /// Rows that start with a bracket.
    #[error(
        "{token} is no row of an edge list (write an edge as two vertices with a blank between them, or convert the file)"
    )]
    NotAnEdgeList {
        /// The row.
        token: String,
    },
    /// A quoted value does not end in its line.
    #[error("a quote is not closed (double the quotes inside a value, and keep it in one line)")]
    QuoteOpen,
    /// Something follows a quoted value.
    #[error("something follows a closing quote (double the quotes inside a value)")]
    QuoteInside,
    /// A vertex without a name.
    #[error("a vertex has no name (write an edge as two vertices)")]
    EmptyName,
    /// `--vertices` for names.
    #[error("--vertices declares numbers, but vertices are called by names here (leave it out)")]
    VerticesOfNames,
    /// `--vertices` is too small.
    #[error(
        "--vertices {count} declares numbers below the {number} that the file has (give a larger one)"
    )]
    VerticesTooFew {
        /// As declared.
        count: u64,
        /// The largest number found.
        number: u64,
    },
    /// Attributes behind an edge that are no dictionary of plain values.
    #[error(
        "{token} are not attributes as networkx writes them (write the weight as a third column)"
    )]
    AttributesUnknown {
        /// The attributes.
        token: String,
    },
    /// A number below zero in a numeric edge list.
    #[error(
        "negative vertex number {token} (number vertices from 0, or read them as names with --format labels)"
    )]
    NegativeVertex {
        /// The number.
        token: String,
    },
    /// A token of a numeric edge list is not a plain number.
    #[error(
        "{token} is not a vertex number, but the file starts with numbers (read vertices as names with --format labels)"
    )]
    NotAVertexNumber {
        /// The token.
        token: String,
    },
    /// A vertex number beyond 64 bits.
    #[error(
        "vertex number {token} does not fit in 64 bits (read vertices as names with --format labels)"
    )]
    VertexTooLarge {
        /// The number.
        token: String,
    },
    /// More vertices than 32 bits can count, or more arcs.
    #[error(transparent)]
    Build(#[from] BuildError),

    /// A `.mtx` file without its first line.
    #[error("the first line is not a %%MatrixMarket header (add one, or choose another --format)")]
    MtxHeader,
    /// A Matrix Market header that is not about a graph.
    #[error("Matrix Market {what} {token} is not supported (use {supported})")]
    MtxKind {
        /// Which word of the header.
        what: &'static str,
        /// The word.
        token: String,
        /// The words that are supported.
        supported: &'static str,
    },
    /// The matrix has no size line, or a malformed one.
    #[error("the size line is missing or malformed (write: rows columns entries)")]
    MtxSize,
    /// The matrix is not square.
    #[error(
        "a matrix of {rows} rows and {columns} columns is not a graph (use a square adjacency matrix)"
    )]
    MtxNotSquare {
        /// Declared rows.
        rows: u64,
        /// Declared columns.
        columns: u64,
    },
    /// Weights of a skew-symmetric matrix are asked for.
    #[error(
        "half of the weights of a skew-symmetric matrix are negative, and none can be a length (leave --weighted out)"
    )]
    MtxSkewWeights,
    /// An entry line without two positions.
    #[error("expected a row and a column number (write an entry as: row column [value])")]
    MtxEntry,

    /// A METIS file without a usable header line.
    #[error("the METIS header is missing or malformed (write: vertices edges [format [weights]])")]
    MetisHeader,
    /// A METIS row holds something other than numbers.
    #[error("{token} is not a number (list the neighbours as numbers from 1)")]
    MetisToken {
        /// The token.
        token: String,
    },
    /// A METIS row stops before the weights that the header promises.
    #[error("the line ends where a {what} is due (check the format code in the header)")]
    MetisWeight {
        /// Which weight.
        what: &'static str,
    },
    /// The rows of a METIS file hold more or fewer neighbours than twice the declared edges.
    #[error("the header declares {declared} edges, so {} neighbours, but the file lists {found} (correct the header or the rows)", 2 * u128::from(*.declared))]
    MetisCount {
        /// Edges in the header.
        declared: u64,
        /// Neighbours in all rows.
        found: u64,
    },
    /// Some edge of a METIS file is listed by one of its ends only.
    #[error("some edge is listed at one of its ends only (list each edge at both ends)")]
    MetisOneSided,
    /// A METIS file has fewer rows than vertices.
    #[error(
        "the header declares {declared} vertices, but there are only {found} lines of neighbours (add an empty line for a vertex without edges)"
    )]
    MetisRowsMissing {
        /// Vertices in the header.
        declared: u64,
        /// Rows found.
        found: u64,
    },
    /// A METIS file has text after the last vertex.
    #[error(
        "there are more lines of neighbours than the {declared} vertices that the header declares (correct the header)"
    )]
    MetisRowsExtra {
        /// Vertices in the header.
        declared: u64,
    },

    /// A DIMACS file has no problem line before its arcs, or a malformed one.
    #[error("the problem line is missing or malformed (start with: p sp vertices arcs)")]
    DimacsProblem,
    /// A DIMACS file for a problem that is not about a graph.
    #[error("DIMACS problem {token} is not supported (use sp, max, edge or col)")]
    DimacsKind {
        /// The problem's name.
        token: String,
    },
    /// A second problem line.
    #[error("there is a second problem line (keep one graph per file)")]
    DimacsSecondProblem,
    /// A malformed arc.
    #[error("expected a tail, a head and a length (write an arc as: a tail head length)")]
    DimacsArc,
    /// A malformed edge.
    #[error("expected two vertices (write an edge as: e vertex vertex)")]
    DimacsEdge,
    /// A malformed arc of a flow network.
    #[error("expected a tail, a head and a capacity (write an arc as: a tail head capacity)")]
    DimacsFlowArc,
    /// A line that starts with none of the letters of the problem.
    #[error("a line starts with {token} (only {known} lines are known)")]
    DimacsLine {
        /// First token of the line.
        token: String,
        /// The letters that are known.
        known: &'static str,
    },
    /// Weights are asked for of a file that has capacities.
    #[error("the numbers of a flow network are capacities, not lengths (leave --weighted out)")]
    DimacsCapacities,

    /// Weights are asked for, but the file has none.
    #[error("the file has no weights (leave --weighted out)")]
    NoWeights,
    /// A column is named for a format that has its own place for weights.
    #[error(
        "only edge lists have a column of weights to choose (give --weighted without a column)"
    )]
    WeightColumn,
    /// An edge without the attribute that is to be its weight.
    #[error(
        "the edge has no {name} (give every edge one, name another attribute, or leave --weighted out)"
    )]
    AttributeMissing {
        /// The attribute.
        name: String,
    },
    /// No edge has the attribute that is to be its weight.
    #[error(
        "no edge has an attribute {name}{others} (name one that is there, or leave --weighted out)"
    )]
    AttributeNowhere {
        /// The attribute.
        name: String,
        /// The attributes that exist, as the message shows them.
        others: String,
    },
    /// An edge without a weight.
    #[error(
        "there is no column {column} to take a weight from (give every edge a weight, name another column, or leave --weighted out)"
    )]
    WeightMissing {
        /// The column, from 1.
        column: usize,
    },
    /// An entry of a weighted Matrix Market file without a value.
    #[error("the entry has no value (write an entry as: row column value)")]
    MtxValueMissing,
    /// A weight that is no number.
    #[error(
        "weight {token} is not a number (write weights as decimals, name another column, or leave --weighted out)"
    )]
    WeightNotANumber {
        /// The token.
        token: String,
    },
    /// A weight of zero or less.
    #[error(
        "weight {token} is not above zero (weights are lengths or similarities of edges: correct it or remove the edge)"
    )]
    WeightNotPositive {
        /// The token.
        token: String,
    },
    /// A weight that is infinite or not a number by intent.
    #[error("weight {token} is not finite (correct it or remove the edge)")]
    WeightNotFinite {
        /// The token.
        token: String,
    },
    /// A weight whose sums or inverse doubles could not hold.
    #[error("weight {token} is out of range (scale all weights to lie between 1e-200 and 1e200)")]
    WeightOutOfRange {
        /// The token.
        token: String,
    },
    /// The ends of some edge of a METIS file state different weights.
    #[error(
        "the two ends of some edge state different weights (give each edge the same weight at both ends)"
    )]
    MetisWeightsDiffer,

    /// A vertex number outside the declared range.
    #[error("vertex {vertex} is outside 1..{vertices} (correct the number or the declared size)")]
    OutOfRange {
        /// The number, as found.
        vertex: String,
        /// Declared number of vertices.
        vertices: u64,
    },
    /// There are more or fewer entries than declared.
    #[error(
        "{declared} {what} are declared, but the file holds {found} (correct the declaration, or fetch the file again)"
    )]
    Count {
        /// Entries or arcs, as the format calls them.
        what: &'static str,
        /// Number declared.
        declared: u64,
        /// Number found.
        found: u64,
    },
}

impl Problem {
    /// Something in the line where the reader is.
    pub(super) fn malformed(what: impl Into<String>, remedy: &'static str) -> Problem {
        let what = what.into();
        Problem::Malformed { what, remedy }
    }

    /// Something that concerns the file as a whole.
    pub(super) fn unfit(what: impl Into<String>, remedy: &'static str) -> Problem {
        let what = what.into();
        Problem::Unfit { what, remedy }
    }

    /// This problem, of another line than the one where the reader is.
    pub(super) fn at(self, line: u64) -> Problem {
        let problem = Box::new(self);
        Problem::At { line, problem }
    }

    /// This problem with the row it is about, if it does not show enough itself.
    pub(super) fn in_row(self, row: &[u8]) -> Problem {
        let wants = matches!(
            self,
            Problem::MtxSize
                | Problem::MtxEntry
                | Problem::MtxValueMissing
                | Problem::MetisHeader
                | Problem::DimacsProblem
                | Problem::DimacsArc
                | Problem::DimacsFlowArc
                | Problem::DimacsEdge
        );
        let text = row.trim_ascii();
        if !wants || text.is_empty() {
            return self;
        }
        Problem::InRow {
            row: shown(text),
            problem: Box::new(self),
        }
    }

    /// Whether the problem is the file as a whole, so that naming a line would mislead.
    pub(super) fn is_of_file(&self) -> bool {
        matches!(
            self,
            Problem::NotFound
                | Problem::Directory
                | Problem::Open { .. }
                | Problem::Read { .. }
                | Problem::Empty
                | Problem::Truncated { .. }
                | Problem::Damaged { .. }
                | Problem::EdgeListOption { .. }
                | Problem::FirstColumnCounts
                | Problem::VerticesOfNames
                | Problem::VerticesTooFew { .. }
                | Problem::Foreign { .. }
                | Problem::Unfit { .. }
                | Problem::AtEntry { .. }
                | Problem::AttributeNowhere { .. }
                | Problem::DimacsCapacities
                | Problem::Build(_)
                | Problem::MetisCount { .. }
                | Problem::MetisOneSided
                | Problem::MetisWeightsDiffer
                | Problem::NoWeights
                | Problem::WeightColumn
                | Problem::MetisRowsMissing { .. }
                | Problem::Count { .. }
        )
    }

    /// What an error of a stream that may be decompressed on the way means.
    pub(super) fn of_stream(error: &io::Error) -> Self {
        Self::of_decoder(error, "compressed")
    }

    /// What an error of a stream that is decompressed as `kind` means.
    pub(super) fn of_decoder(error: &io::Error, kind: &'static str) -> Self {
        // A reader below may have found words for it.
        if let Some(problem) = error.get_ref().and_then(|e| e.downcast_ref::<Problem>()) {
            return problem.clone();
        }
        // Errors without a system code come from the decompressors.
        if error.kind() == io::ErrorKind::UnexpectedEof {
            Problem::Truncated { kind }
        } else if error.kind() == io::ErrorKind::IsADirectory {
            Problem::Directory
        } else if error.raw_os_error().is_some() {
            Problem::Read {
                reason: error.kind().to_string(),
            }
        } else {
            Problem::Damaged {
                kind,
                reason: error.to_string(),
            }
        }
    }
}
