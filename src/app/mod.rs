//! What only the program has: the command line, reports, pages, and measuring.

pub mod bench;
pub mod cli;
pub mod page;
pub mod report;
pub mod tune;

/// Each of them once, in the order in which they come first.
fn each_once<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut once = Vec::new();
    for one in all {
        if !once.contains(&one) {
            once.push(one);
        }
    }
    once
}
