//! What differs between operating systems: signals, threads, child processes, and facts about the
//! machine.

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "portable.rs")]
mod machine;
#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod process;

pub use machine::*;
pub use process::*;
