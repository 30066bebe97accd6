//! A device made ready: context, queue, built kernels.

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::Device;
use opencl3::kernel::Kernel;
use opencl3::program::Program;

use super::device::{DeviceInfo, FoundDevice};
use super::error::DeviceError;
use super::faults::{Faults, Step};
use crate::engine::Precision;
use crate::span::Span;

const COMMON: &str = include_str!("../../cl/common.cl");

/// How kernels are built and launched on a device.
#[derive(Debug, Clone, Copy)]
pub struct DeviceOptions {
    /// Number type of path counts, dependencies and scores.
    pub precision: Precision,
    /// Work-items of a work-group.
    pub work_group: usize,
    /// D: most arcs of a virtual vertex.
    pub degree: u32,
    /// Failure planned by a test.
    pub faults: Faults,
}

impl Default for DeviceOptions {
    fn default() -> Self {
        DeviceOptions {
            precision: Precision::F64,
            work_group: 256,
            degree: 16,
            faults: Faults::default(),
        }
    }
}

/// An open device. Everything it makes must be dropped before it.
pub struct Session {
    // Fields are dropped in this order: the context last.
    program: Program,
    /// In-order queue of all the work of this device.
    pub queue: CommandQueue,
    /// Owner of all the buffers.
    pub context: Context,
    /// What the device says of itself.
    pub info: DeviceInfo,
    /// How kernels are built and launched.
    pub options: DeviceOptions,
}

impl Session {
    /// Opens a device and builds the kernels in `source` for it, timing each step into `spans`.
    pub fn open(
        found: &FoundDevice,
        source: &str,
        options: DeviceOptions,
        spans: &mut Vec<Span>,
    ) -> Result<Session, DeviceError> {
        let info = found.info.clone();
        if options.precision == Precision::F64 && !info.fp64 {
            return Err(DeviceError::NoFp64 { device: info.name });
        }
        if options.work_group > info.max_work_group {
            return Err(DeviceError::WorkGroup {
                device: info.name,
                asked: options.work_group,
                limit: info.max_work_group,
            });
        }
        let device = Device::new(found.id.0);
        let (context, queue) = Span::time(spans, "device context", || {
            options.faults.check(Step::Context)?;
            let context =
                Context::from_device(&device).map_err(DeviceError::call("making a context"))?;
            // `create_default` is the form that OpenCL 1.2 devices have.
            #[allow(deprecated)]
            let queue = CommandQueue::create_default(&context, 0)
                .map_err(DeviceError::call("making a queue"))?;
            Ok::<_, DeviceError>((context, queue))
        })?;
        let program = Span::time(spans, "program build", || {
            options.faults.check(Step::Build)?;
            build(&context, &device, source, &info, &options)
        })?;
        Ok(Session {
            program,
            queue,
            context,
            info,
            options,
        })
    }

    /// A kernel of the program by name.
    pub fn kernel(&self, name: &str) -> Result<Kernel, DeviceError> {
        Kernel::create(&self.program, name).map_err(DeviceError::call("making a kernel"))
    }
}

fn build(
    context: &Context,
    device: &Device,
    source: &str,
    info: &DeviceInfo,
    options: &DeviceOptions,
) -> Result<Program, DeviceError> {
    let flags = format!(
        "-cl-std=CL1.2 -D REAL_IS_DOUBLE={} -D WORK_GROUP={}",
        u8::from(options.precision == Precision::F64),
        options.work_group
    );
    // One string: cl3 0.13 hands several sources over wrongly (fat pointers for thin ones).
    let source = format!("{COMMON}\n#line 1\n{source}");
    let mut program = Program::create_from_source(context, &source)
        .map_err(DeviceError::call("loading the kernels"))?;
    program.build(&[device.id()], &flags).map_err(|error| {
        let log = program.get_build_log(device.id()).unwrap_or_default();
        let lines: Vec<&str> = log
            .lines()
            .map(str::trim)
            .filter(|l| !l.is_empty())
            .collect();
        DeviceError::Build {
            device: info.name.clone(),
            log: if lines.is_empty() {
                format!("{error} ({})", error.0)
            } else {
                lines[..lines.len().min(4)].join(" | ")
            },
        }
    })?;
    Ok(program)
}
