//! The display of progress: of reading a file, of a search, and of measurements.

mod display;
mod forecast;
mod reading;

pub use display::{ProgressMode, SearchBar, Status};
pub use reading::read_with_progress;
