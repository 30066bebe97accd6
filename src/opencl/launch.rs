//! Kernels with their arguments: the one place where arguments are set and launches enqueued.

use std::ptr;

use opencl3::kernel::Kernel;

use super::buffers::DeviceBuffer;
use super::error::DeviceError;
use super::session::Session;
use crate::engine::Precision;

/// A kernel argument.
#[derive(Clone, Copy)]
pub enum Arg<'b> {
    /// `uint`
    Uint(u32),
    /// `real`: double or float, as the program was built.
    Real(f64),
    /// `__global T *`
    Buffer(&'b DeviceBuffer),
}

/// A kernel whose arguments are all set, and the number of work-items it is launched with.
///
/// Arguments stay as they were last set, so a launch sets only what changed. The buffers that
/// were set must outlive the launcher's last launch; strategies own both.
pub struct Launcher {
    kernel: Kernel,
    global: usize,
    local: usize,
    precision: Precision,
}

impl Launcher {
    /// Kernel `name` for at least `items` work-items (rounded up to whole work-groups), with all
    /// its arguments.
    ///
    /// # Panics
    /// If the kernel has another number of arguments.
    pub fn new(
        session: &Session,
        name: &str,
        items: usize,
        args: &[Arg],
    ) -> Result<Self, DeviceError> {
        let kernel = session.kernel(name)?;
        let declared = kernel
            .num_args()
            .map_err(DeviceError::call("asking a kernel for its arguments"))?;
        assert_eq!(declared as usize, args.len(), "arguments of kernel {name}");
        let local = session.options.work_group;
        let launcher = Launcher {
            kernel,
            global: items.max(1).next_multiple_of(local),
            local,
            precision: session.options.precision,
        };
        for (index, &arg) in args.iter().enumerate() {
            launcher.set(index as u32, arg)?;
        }
        Ok(launcher)
    }

    /// Sets one argument for all launches from now on.
    pub fn set(&self, index: u32, arg: Arg) -> Result<(), DeviceError> {
        // SAFETY: the sizes are those of the kernel's parameter types, which each strategy keeps
        // in step with its kernel file; OpenCL copies the value before it returns.
        unsafe {
            match arg {
                Arg::Uint(value) => self.kernel.set_arg(index, &value),
                Arg::Real(value) => match self.precision {
                    Precision::F64 => self.kernel.set_arg(index, &value),
                    Precision::F32 => self.kernel.set_arg(index, &(value as f32)),
                },
                Arg::Buffer(buffer) => self.kernel.set_arg(index, &buffer.handle()),
            }
        }
        .map_err(DeviceError::call("setting a kernel argument"))
    }

    /// Enqueues a launch behind everything enqueued before.
    pub fn enqueue(&self, session: &Session) -> Result<(), DeviceError> {
        // SAFETY: all arguments are set (checked by number in `new`), the buffers live, and the
        // global size is a multiple of the local size.
        unsafe {
            session.queue.enqueue_nd_range_kernel(
                self.kernel.get(),
                1,
                ptr::null(),
                &self.global,
                &self.local,
                &[],
            )
        }
        .map_err(DeviceError::call("launching a kernel"))?;
        Ok(())
    }
}
