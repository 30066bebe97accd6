//! Kernels with their arguments. No other file sets arguments or enqueues launches.

use std::cell::RefCell;
use std::ptr;

use opencl3::kernel::Kernel;

use super::buffers::DeviceBuffer;
use super::error::{DeviceError, Result};
use super::owned::Owned;
use super::profile::Queue;
use super::program::Source;
use super::session::{Session, SharedProgram};

/// A kernel argument.
#[derive(Clone, Copy)]
pub enum Arg<'b> {
    /// `uint`
    Uint(u32),
    /// `uint`: a number of vertices, arcs, levels and the like. A larger number is refused.
    Count(usize),
    /// `ulong`
    Ulong(u64),
    /// `__global T *`
    Buffer(&'b DeviceBuffer),
    /// `__local T *`: bytes of local memory. At least 4 are allocated.
    Local(usize),
}

impl<'b> Arg<'b> {
    /// Returns buffers as arguments, in this order.
    pub fn buffers(buffers: &[&'b DeviceBuffer]) -> Vec<Self> {
        buffers.iter().map(|&buffer| Arg::Buffer(buffer)).collect()
    }
}

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
    /// Work-items of a work-group, for kernels that do not choose their own.
    pub work_group: usize,
}

impl Session {
    /// Returns the kernels of a program, which is built now unless it was built before.
    pub fn build(&self, source: &Source) -> Result<KernelSet> {
        Ok(KernelSet {
            program: self.program(source)?.0,
            name: source.name.clone(),
            work_group: source.work_group,
        })
    }
}

impl KernelSet {
    /// Returns the kernel that the source declares as `NAMED(name)`, with all arguments set. OpenCL
    /// refuses to launch a kernel with more parameters than `args`.
    pub fn launcher(&self, name: &str, args: &[Arg]) -> Result<Launcher> {
        let name = format!("{}_{name}", self.name);
        let kernel = Kernel::create(&self.program, &name);
        let launcher = Launcher {
            kernel: Owned::new(DeviceError::check("making a kernel", kernel)?),
            name,
            buffers: RefCell::new(vec![None; args.len()]),
        };
        for (index, &arg) in (0..).zip(args) {
            launcher.set(index, arg)?;
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
    /// The buffer of each argument, if it has one. (OpenCL retains the buffers of a launch, but not
    /// those of a kernel.)
    buffers: RefCell<Vec<Option<DeviceBuffer>>>,
}

impl Launcher {
    /// Sets one argument for all launches from now on.
    pub fn set(&self, index: u32, arg: Arg) -> Result<()> {
        let count = |number: usize| {
            let text = "a number is too large for the 32 bits of a kernel; use another --strategy";
            u32::try_from(number).map_err(|_| DeviceError::Refused(format!("{number}: {text}")))
        };
        // SAFETY: each strategy passes arguments of the sizes that its kernel file declares; OpenCL
        // copies the value before it returns.
        let result = unsafe {
            match arg {
                Arg::Uint(value) => self.kernel.set_arg(index, &value),
                Arg::Count(number) => self.kernel.set_arg(index, &count(number)?),
                Arg::Ulong(value) => self.kernel.set_arg(index, &value),
                Arg::Buffer(buffer) => self.kernel.set_arg(index, &buffer.handle()),
                Arg::Local(bytes) => self.kernel.set_arg_local_buffer(index, bytes.max(4)),
            }
        };
        DeviceError::check("setting a kernel argument", result)?;
        if let Arg::Buffer(buffer) = arg {
            self.buffers.borrow_mut()[index as usize] = Some(buffer.clone());
        }
        Ok(())
    }

    /// Sets arguments of these indices to numbers, and enqueues a launch.
    pub fn enqueue_with(&self, queue: &Queue, numbers: &[(u32, usize)], grid: Grid) -> Result<()> {
        for &(index, number) in numbers {
            self.set(index, Arg::Count(number))?;
        }
        self.enqueue(queue, grid)
    }

    /// Enqueues a launch.
    pub fn enqueue(&self, queue: &Queue, grid: Grid) -> Result<()> {
        let (global, local) = ([grid.items, grid.rows], [grid.group, 1]);
        let (kernel, local) = (self.kernel.get(), local.as_ptr());
        // SAFETY: `KernelSet::launcher` has set all arguments, `self.buffers` owns the buffers
        // among them, and the global sizes are multiples of the local ones. OpenCL retains the
        // buffers until the launch is done.
        let event = unsafe {
            queue.enqueue_nd_range_kernel(kernel, 2, ptr::null(), global.as_ptr(), local, &[])
        };
        queue.record(&self.name, "launching a kernel", event)?;
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
        let found = find::survey().unwrap().select(&first).unwrap().remove(0);
        let source = Source {
            name: "test".into(),
            texts: vec![TEXT],
            work_group: 64,
            optimise_always: true,
            ..Source::default()
        };
        let none = |_: &_, _: &_| Vec::new();
        let options = DeviceOptions::default();
        let session = Session::open(&found, options, none, &mut Vec::new()).unwrap();
        let mut set = BufferSet::new(&session);
        let to = set.zeroed("to", 4 * N);
        set.make().unwrap();
        let filled = |number: u32| {
            let mut set = BufferSet::new(&session);
            let from = set.filled("from", vec![number; N]);
            set.make().unwrap();
            from
        };
        let kernels = session.build(&source).unwrap();
        let from = filled(7);
        let args = [Arg::Uint(N as u32), Arg::Buffer(&from), Arg::Buffer(&to)];
        let launcher = kernels.launcher("copy", &args).unwrap();
        let check = |expected: u32| {
            // If the buffer were freed, one of these could get its memory.
            let others: Vec<_> = (0..8).map(|_| filled(9)).collect();
            let grid = Grid::items(N, 64);
            launcher.enqueue(&session.queue, grid).unwrap();
            let mut numbers = vec![0; N];
            to.read(&session.queue, &mut numbers).unwrap();
            assert!(numbers.iter().all(|&number| number == expected));
            drop(others);
        };
        drop(from);
        check(7);
        let from = filled(8);
        launcher.set(1, Arg::Buffer(&from)).unwrap();
        drop(from);
        check(8);
        let refused = launcher.set(0, Arg::Count(1 << 32)).unwrap_err();
        assert!(refused.to_string().contains("4294967296"), "{refused}");
    }
}
