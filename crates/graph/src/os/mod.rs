//! What differs between operating systems: memory, files, and the end of a process.

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "portable.rs")]
mod memory;
#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

pub use memory::{
    address_space_left, available_memory, discard, physical_memory, prefer_large, share_heaps,
};
pub use system::{end_process, rename, set_usual_mode};
