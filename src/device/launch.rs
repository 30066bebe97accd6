//! Kernels with their arguments: the one place where arguments are set and launches enqueued.

use std::ptr;

use opencl3::kernel::Kernel;

use super::buffers::DeviceBuffer;
use super::error::DeviceError;
use super::profile::{Command, Queue};
use super::session::Session;
use crate::engine::Precision;

/// A kernel argument.
#[derive(Clone, Copy)]
pub enum Arg<'b> {
    /// `uint`
    Uint(u32),
    /// `ulong`
    Ulong(u64),
    /// `real`: double or float, as the program was built.
    Real(f64),
    /// `__global T *`
    Buffer(&'b DeviceBuffer),
    /// `__local T *`: bytes of local memory, at least one.
    Local(usize),
}

/// How many work-items a kernel is launched with: a row of work-groups for each of `rows`.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Work-items of a row; whole work-groups.
    items: usize,
    rows: usize,
    group: usize,
}

impl Grid {
    /// At least `items` work-items in groups of `group`.
    pub fn items(items: usize, group: usize) -> Self {
        Self::groups(items.div_ceil(group), 1, group)
    }

    /// `groups` work-groups of `group` work-items in each of `rows` rows (second dimension).
    pub fn groups(groups: usize, rows: usize, group: usize) -> Self {
        Grid {
            items: groups.max(1) * group,
            rows: rows.max(1),
            group,
        }
    }
}

/// A kernel whose arguments are all set.
///
/// Arguments stay as they were last set, so a launch sets only what changed. The buffers that
/// were set must outlive the launcher's last launch; strategies own both.
pub struct Launcher {
    kernel: Kernel,
    command: Command,
    precision: Precision,
}

impl Launcher {
    /// Kernel `name` with all its arguments.
    ///
    /// # Panics
    /// If the kernel has another number of arguments.
    pub fn new(session: &Session, name: &str, args: &[Arg]) -> Result<Self, DeviceError> {
        Self::of(session, session.kernel(name)?, name, args)
    }

    /// As [`Self::new`] for a kernel of any program, called `name`.
    pub fn of(
        session: &Session,
        kernel: Kernel,
        name: &str,
        args: &[Arg],
    ) -> Result<Self, DeviceError> {
        let declared = kernel
            .num_args()
            .map_err(DeviceError::call("asking a kernel for its arguments"))?;
        assert_eq!(declared as usize, args.len(), "arguments of kernel {name}");
        let launcher = Launcher {
            kernel,
            command: Command::Kernel(name.into()),
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
                Arg::Ulong(value) => self.kernel.set_arg(index, &value),
                Arg::Real(value) => match self.precision {
                    Precision::F64 => self.kernel.set_arg(index, &value),
                    Precision::F32 => self.kernel.set_arg(index, &(value as f32)),
                },
                Arg::Buffer(buffer) => self.kernel.set_arg(index, &buffer.handle()),
                Arg::Local(bytes) => self.kernel.set_arg_local_buffer(index, bytes.max(4)),
            }
        }
        .map_err(DeviceError::call("setting a kernel argument"))
    }

    /// Enqueues a launch behind everything enqueued before.
    pub fn enqueue(&self, queue: &Queue, grid: Grid) -> Result<(), DeviceError> {
        let global = [grid.items, grid.rows];
        let local = [grid.group, 1];
        // SAFETY: all arguments are set (checked by number in `new`), the buffers live, and the
        // global sizes are multiples of the local ones.
        let event = unsafe {
            queue.enqueue_nd_range_kernel(
                self.kernel.get(),
                2,
                ptr::null(),
                global.as_ptr(),
                local.as_ptr(),
                &[],
            )
        }
        .map_err(DeviceError::call("launching a kernel"))?;
        queue.note(&self.command, event);
        Ok(())
    }
}
