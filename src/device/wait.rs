//! Waits for a device without taking a core from the CPU workers.

use std::thread;
use std::time::Duration;

use opencl3::command_queue::CommandQueue;
use opencl3::event::{CL_COMPLETE, Event};

use super::error::{DeviceError, Result};
use super::owned::Owned;

/// The time between two polls. Blocking waits of NVIDIA's driver spin, which occupies a core for
/// each device; polling takes a few percent of a core.
const POLL: Duration = Duration::from_micros(20);

/// Waits until the command of `event` is done.
pub fn wait(event: &Event) -> Result<()> {
    loop {
        let status = event.command_execution_status();
        match DeviceError::check("querying the state of a command", status)?.0 {
            CL_COMPLETE => return Ok(()),
            failure @ ..0 => return Err(DeviceError::call("running a command", failure.into())),
            _ => thread::sleep(POLL),
        }
    }
}

/// Waits until all enqueued commands are done.
pub fn finish(queue: &CommandQueue) -> Result<()> {
    // SAFETY: a marker touches no memory.
    let marker = unsafe { queue.enqueue_marker_with_wait_list(&[]) };
    let marker = Owned::new(DeviceError::check("enqueueing a marker", marker)?);
    flush(queue)?;
    wait(&marker)
}

/// Submits all enqueued commands to the device.
pub fn flush(queue: &CommandQueue) -> Result<()> {
    DeviceError::check("flushing the queue", queue.flush())
}
