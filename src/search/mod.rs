//! Searches: their options ([`Betweenness`]), how they run, and how they are split ([`parts`] and
//! [`ranks`]), saved and resumed ([`checkpoint`]).

mod betweenness;
pub(crate) mod checkpoint;
mod estimate;
mod exact;
mod parts;
pub mod ranks;
mod settings;
mod sums_file;
mod warnings;

pub use exact::Search;
pub use parts::{Merged, PartSums};
pub use settings::{Betweenness, Progress};
