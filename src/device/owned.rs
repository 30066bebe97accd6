//! OpenCL objects that may be released on a device that has failed.

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

use opencl3::command_queue::{CommandQueue, release_command_queue};
use opencl3::event::{Event, release_event};
use opencl3::kernel::{Kernel, release_kernel};
use opencl3::memory::{Buffer, ClMem, release_mem_object};
use opencl3::program::{Program, release_program};

/// An object that is released when it is dropped, whatever the driver says to that. (opencl3
/// panics when a release fails, as it may on a device that has just failed.)
pub struct Owned<T: Release>(ManuallyDrop<T>);

/// What can be released.
pub trait Release {
    /// Gives the object back to the driver.
    ///
    /// # Safety
    /// The object must not be used again.
    unsafe fn release(&mut self) -> Result<(), i32>;
}

impl<T: Release> Owned<T> {
    /// Takes an object over.
    pub fn new(object: T) -> Self {
        Owned(ManuallyDrop::new(object))
    }
}

impl<T: Release> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Release> DerefMut for Owned<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Release> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: nothing can use the object after this, and its own `drop` is never called. A
        // device that cannot release it any more does nothing with it either.
        let _ = unsafe { self.0.release() };
    }
}

impl Release for Buffer<u8> {
    unsafe fn release(&mut self) -> Result<(), i32> {
        // SAFETY: the caller's promise.
        unsafe { release_mem_object(self.get()) }
    }
}

impl Release for Kernel {
    unsafe fn release(&mut self) -> Result<(), i32> {
        // SAFETY: the caller's promise.
        unsafe { release_kernel(self.get()) }
    }
}

impl Release for Event {
    unsafe fn release(&mut self) -> Result<(), i32> {
        // SAFETY: the caller's promise.
        unsafe { release_event(self.get()) }
    }
}

impl Release for CommandQueue {
    unsafe fn release(&mut self) -> Result<(), i32> {
        // SAFETY: the caller's promise.
        unsafe { release_command_queue(self.get()) }
    }
}

impl Release for Program {
    unsafe fn release(&mut self) -> Result<(), i32> {
        // SAFETY: the caller's promise.
        unsafe { release_program(self.get()) }
    }
}
