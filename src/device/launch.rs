//! Kernels with their arguments. No other file sets arguments or enqueues launches.

use std::cell::RefCell;
use std::ptr;

use opencl3::kernel::{CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_LOCAL, Kernel};
use opencl3::memory::Buffer;

pub use super::buffers::Arg;
use super::error::DeviceError;
use super::owned::Owned;
use super::profile::{Command, Queue};
use super::program::{SharedProgram, Source};
use super::session::Session;
use crate::engine::Precision;

/// The work-items of a launch, in rows of whole work-groups.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// The work-items of a row.
    items: usize,
    rows: usize,
    /// The work-items of a work-group.
    group: usize,
}

impl Grid {
    /// Returns a row of at least `items` work-items in groups of `group`.
    pub fn items(items: usize, group: usize) -> Self {
        Self::groups(items.div_ceil(group), 1, group)
    }

    /// Returns `rows` rows (second dimension) of `groups` work-groups of `group` work-items each.
    pub fn groups(groups: usize, rows: usize, group: usize) -> Self {
        Grid {
            items: groups.max(1) * group,
            rows: rows.max(1),
            group,
        }
    }
}

/// The kernels of a built program.
pub struct KernelSet {
    program: SharedProgram,
    name: String,
    work_group: usize,
    precision: Precision,
}

impl Session {
    /// Returns the kernels of a program, which is built now unless it was built before.
    pub fn build(&self, source: &Source) -> Result<KernelSet, DeviceError> {
        Ok(KernelSet {
            program: self.program(source)?,
            name: source.name.clone(),
            work_group: source.work_group,
            precision: self.options.precision,
        })
    }
}

impl KernelSet {
    /// Returns the work-items of a work-group, for kernels that do not choose their own.
    pub fn work_group(&self) -> usize {
        self.work_group
    }

    /// Returns kernel `NAMED(name)` with all its arguments set.
    ///
    /// # Panics
    /// If the kernel has another number of arguments. With debug assertions, also if it has
    /// arguments of other types, as far as the driver reports types.
    pub fn launcher(&self, name: &str, args: &[Arg]) -> Result<Launcher, DeviceError> {
        let name = format!("{}_{name}", self.name);
        let kernel = Kernel::create(&self.program, &name);
        let kernel = Owned::new(kernel.map_err(DeviceError::call("making a kernel"))?);
        let declared = kernel
            .num_args()
            .map_err(DeviceError::call("querying the arguments of a kernel"))?;
        assert_eq!(declared as usize, args.len(), "arguments of kernel {name}");
        let launcher = Launcher {
            kernel,
            name,
            precision: self.precision,
            buffers: RefCell::new(args.iter().map(|_| None).collect()),
        };
        for (index, &arg) in (0..).zip(args) {
            if cfg!(debug_assertions) {
                launcher.check(index, arg);
            }
            launcher.put(index, arg)?;
        }
        Ok(launcher)
    }
}

/// A kernel whose arguments are all set.
///
/// Arguments keep their values between launches, so a caller sets only those that change. The
/// launcher shares the ownership of its buffers, so they live as long as it does.
pub struct Launcher {
    kernel: Owned<Kernel>,
    name: String,
    precision: Precision,
    /// The buffer of each argument, if it has one. (OpenCL retains the buffers of a launch, but not
    /// those of a kernel.)
    buffers: RefCell<Vec<Option<Owned<Buffer<u8>>>>>,
}

impl Launcher {
    /// Compares an argument with the kernel's parameter, if the driver reports its type.
    fn check(&self, index: u32, arg: Arg) {
        let Ok(declared) = self.kernel.get_arg_type_name(index) else {
            return;
        };
        let space = self.kernel.get_arg_address_qualifier(index).unwrap_or(0);
        let fits = match arg {
            Arg::Uint(_) => declared == "uint",
            Arg::Ulong(_) => declared == "ulong",
            Arg::Real(_) => matches!(&*declared, "real" | "double" | "float"),
            Arg::Buffer(_) => declared.ends_with('*') && space == CL_KERNEL_ARG_ADDRESS_GLOBAL,
            Arg::Local(_) => declared.ends_with('*') && space == CL_KERNEL_ARG_ADDRESS_LOCAL,
        };
        let name = &self.name;
        assert!(fits, "argument {index} of kernel {name} is a {declared}");
    }

    /// Sets one argument for all launches from now on.
    ///
    /// # Panics
    /// If there is no such argument, or if its kind changes from a buffer to a number or back.
    pub fn set(&self, index: u32, arg: Arg) -> Result<(), DeviceError> {
        let was_buffer = self.buffers.borrow()[index as usize].is_some();
        let is_buffer = matches!(arg, Arg::Buffer(_));
        assert_eq!(is_buffer, was_buffer, "the kind of argument {index}");
        self.put(index, arg)
    }

    /// Sets one argument of any kind.
    fn put(&self, index: u32, arg: Arg) -> Result<(), DeviceError> {
        let buffer = match arg {
            Arg::Buffer(buffer) => Some(buffer.share()?),
            _ => None,
        };
        // SAFETY: each strategy passes arguments of the sizes that its kernel file declares; OpenCL
        // copies the value before it returns.
        unsafe {
            match arg {
                Arg::Uint(value) => self.kernel.set_arg(index, &value),
                Arg::Ulong(value) => self.kernel.set_arg(index, &value),
                Arg::Real(value) => match self.precision.is_double() {
                    true => self.kernel.set_arg(index, &value),
                    false => self.kernel.set_arg(index, &(value as f32)),
                },
                Arg::Buffer(buffer) => self.kernel.set_arg(index, &buffer.handle()),
                Arg::Local(bytes) => self.kernel.set_arg_local_buffer(index, bytes.max(4)),
            }
        }
        .map_err(DeviceError::call("setting a kernel argument"))?;
        self.buffers.borrow_mut()[index as usize] = buffer;
        Ok(())
    }

    /// Enqueues a launch.
    pub fn enqueue(&self, queue: &Queue, grid: Grid) -> Result<(), DeviceError> {
        let global = [grid.items, grid.rows];
        let local = [grid.group, 1];
        // SAFETY: `KernelSet::launcher` has set all arguments, `self.buffers` owns the buffers
        // among them, and the global sizes are multiples of the local ones. OpenCL retains the
        // buffers until the launch is done.
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
        queue.record(Command::Kernel(&self.name), event);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::buffers::BufferSet;
    use crate::device::{DeviceOptions, DeviceSelection, find};

    /// A kernel that copies the numbers of `from`.
    const TEXT: &str = "__kernel GROUP_OF_ITEMS void NAMED(copy)(const uint n,
                            __global const uint *from, __global uint *to) {
        const uint i = get_global_id(0);
        if (i < n) to[i] = from[i];
    }";

    #[test]
    fn a_launcher_keeps_its_buffers() {
        const N: usize = 1 << 16;
        let first = DeviceSelection::Named(vec!["0".into()]);
        let found = find::survey().and_then(|survey| survey.select(&first));
        let found = found.unwrap().remove(0);
        let source = Source {
            name: "test".into(),
            texts: &[TEXT],
            work_group: 64,
            macros: Vec::new(),
            optimise_always: true,
        };
        let none = || crate::strategy::Strategy::Virtual;
        let options = DeviceOptions::default();
        let session = Session::open(&found, options, none, &mut Vec::new()).unwrap();
        let mut set = BufferSet::new(&session);
        let to = set.zeroed("to", 4 * N as u64);
        let buffers = set.make().unwrap();
        let filled = |number: u32| {
            let mut set = BufferSet::new(&session);
            let id = set.filled("from", vec![number; N]);
            (id, set.make().unwrap())
        };
        let kernels = session.build(&source).unwrap();
        let (id, from) = filled(7);
        let args = [
            Arg::Uint(N as u32),
            Arg::Buffer(&from[id]),
            Arg::Buffer(&buffers[to]),
        ];
        let launcher = kernels.launcher("copy", &args).unwrap();
        let check = |expected: u32| {
            // If the buffer were freed, one of these could get its memory.
            let others: Vec<_> = (0..8).map(|_| filled(9)).collect();
            launcher
                .enqueue(&session.queue, Grid::items(N, 64))
                .unwrap();
            let mut numbers = vec![0; N];
            buffers[to].read(&session.queue, &mut numbers).unwrap();
            let wrong = numbers.iter().find(|&&number| number != expected);
            assert_eq!(wrong, None);
            drop(others);
        };
        drop(from);
        check(7);
        let (id, from) = filled(8);
        launcher.set(1, Arg::Buffer(&from[id])).unwrap();
        drop(from);
        check(8);
    }
}
