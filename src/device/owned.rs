//! Owners of OpenCL objects, which can be dropped even if the device has failed.

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::ptr;

use opencl3::command_queue::{CommandQueue, release_command_queue};
use opencl3::context::Context;
use opencl3::event::{Event, release_event};
use opencl3::kernel::{Kernel, release_kernel};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, ClMem, release_mem_object};
use opencl3::program::{Program, release_program};

use super::error::{DeviceError, Result};

/// An object that is released when it is dropped; errors of the release are ignored. (opencl3
/// panics on them, and they are likely on a device that has just failed.)
pub struct Owned<T: Release>(ManuallyDrop<T>);

/// An object whose references the OpenCL driver counts.
pub trait Release {
    /// Releases one reference to the object.
    ///
    /// # Safety
    /// The object must not be used again.
    unsafe fn release(&mut self) -> Result<(), i32>;
}

impl<T: Release> Owned<T> {
    /// Takes ownership of an object.
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
        // SAFETY: nothing can use the object after this, and its own `drop` is never called.
        let _ = unsafe { self.0.release() };
    }
}

/// Implements [`Release`] by OpenCL's function for the handle.
macro_rules! release_with {
    ($($object:ty: $release:ident;)*) => {$(
        impl Release for $object {
            unsafe fn release(&mut self) -> Result<(), i32> {
                // SAFETY: the caller does not use the object again.
                unsafe { $release(self.get()) }
            }
        }
    )*};
}

release_with! {
    Buffer<u8>: release_mem_object;
    Kernel: release_kernel;
    Event: release_event;
    CommandQueue: release_command_queue;
    Program: release_program;
}

/// Allocates an uninitialised buffer.
pub fn allocate(context: &Context, bytes: usize) -> Result<Owned<Buffer<u8>>> {
    // SAFETY: no host pointer is passed.
    let buffer = unsafe { Buffer::create(context, CL_MEM_READ_WRITE, bytes, ptr::null_mut()) };
    DeviceError::check("allocating a buffer", buffer).map(Owned::new)
}
