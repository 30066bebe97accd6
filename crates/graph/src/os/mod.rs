//! What differs between operating systems: memory, files, and the end of a process.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod portable;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
pub use linux::{
    address_space_left, available_memory, discard, physical_memory, prefer_large, share_heaps,
};
#[cfg(not(target_os = "linux"))]
pub use portable::{
    address_space_left, available_memory, discard, physical_memory, prefer_large, share_heaps,
};
#[cfg(unix)]
pub use unix::{end_process, error_kind, rename, set_usual_mode, write_to_stderr};
#[cfg(windows)]
pub use windows::{end_process, error_kind, rename, set_usual_mode, write_to_stderr};
