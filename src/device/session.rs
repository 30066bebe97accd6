//! An open device: context, queue and built kernels.

use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use opencl3::context::Context;
use opencl3::device::Device;

use super::error::DeviceError;
use super::find::{DeviceInfo, FoundDevice};
use super::options::DeviceOptions;
use super::profile::{Profile, Profiler, Queue};
use super::program::{self, Programs, Source};
use crate::engine::Precision;
use crate::span::Span;

/// An open device.
pub struct Session {
    device: Device,
    /// Whether [`Session::open`] compiled nothing, since all programs were built before by this
    /// process, or were in the cache on disk.
    pub from_cache: bool,
    /// The in-order queue of the device.
    pub queue: Queue,
    /// The profiler, if the options ask for times.
    profiler: Option<Rc<Profiler>>,
    /// The context of all buffers and programs.
    pub context: Arc<Context>,
    /// The properties that the device reports.
    pub info: DeviceInfo,
    /// Options for building kernels and for searching.
    pub options: DeviceOptions,
}

impl Session {
    /// Opens a device and builds programs for it. Adds the time of each step to `spans`. Calls
    /// `programs` as late as possible, since the choice of programs is better once the graph is
    /// known.
    pub fn open<P: Programs>(
        found: &FoundDevice,
        options: DeviceOptions,
        programs: impl FnOnce() -> P,
        spans: &mut Vec<Span>,
    ) -> Result<Session, DeviceError> {
        let info = found.info.clone();
        options.check(&info)?;
        let device = found.device;
        let profiler = options.profile.then(|| Rc::new(Profiler::default()));
        let (context, queue) = Span::time(spans, "device context", || {
            let context = context(device)?;
            let queue = Queue::new(&context, profiler.as_ref())?;
            Ok::<_, DeviceError>((context, queue))
        })?;
        let mut from_cache = true;
        Span::time(spans, "program build", || {
            for source in programs().programs(&options, &info) {
                // `program` finds the programs that are built here.
                let built = program::build(&context, &device, &info, &options, &source)?;
                from_cache &= built.1;
            }
            Ok::<_, DeviceError>(())
        })?;
        Ok(Session {
            from_cache,
            device,
            queue,
            profiler,
            context,
            info,
            options,
        })
    }

    /// Opens the same device with other options. The new session shares the context, so this takes
    /// little time.
    pub fn with_options(&self, options: DeviceOptions) -> Result<Session, DeviceError> {
        options.check(&self.info)?;
        let profiler = options
            .profile
            .then(|| self.profiler.clone().unwrap_or_default());
        Ok(Session {
            device: self.device,
            from_cache: self.from_cache,
            queue: Queue::new(&self.context, profiler.as_ref())?,
            profiler,
            context: Arc::clone(&self.context),
            info: self.info.clone(),
            options,
        })
    }

    /// Opens the same device as if it had half of the memory.
    pub fn with_half_the_memory(&self) -> Result<Session, DeviceError> {
        let mut smaller = self.with_options(self.options)?;
        smaller.info.memory /= 2;
        Ok(smaller)
    }

    /// Returns whether the device has an extension of OpenCL.
    pub fn has_extension(&self, name: &str) -> Result<bool, DeviceError> {
        let extensions = self.device.extensions();
        let extensions =
            extensions.map_err(DeviceError::call("querying the extensions of a device"))?;
        Ok(extensions.split_whitespace().any(|has| has == name))
    }

    /// Returns the number type of scores that are added up over many roots.
    pub fn score_precision(&self) -> Precision {
        self.options.score_precision(&self.info)
    }

    /// Makes another in-order queue of the device.
    pub fn new_queue(&self) -> Result<Queue, DeviceError> {
        Queue::new(&self.context, self.profiler.as_ref())
    }

    /// Begins to record times, if the options ask for them. The device should be idle.
    pub fn begin_profile(&self) {
        if let Some(profiler) = &self.profiler {
            profiler.begin(&self.context, &self.queue);
        }
    }

    /// Returns the times since [`Self::begin_profile`], if the options ask for them. All queues
    /// must be idle.
    pub fn end_profile(&self) -> Option<Result<Profile, DeviceError>> {
        let profiler = self.profiler.as_ref()?;
        Some(profiler.end(&self.context, &self.queue))
    }

    /// Returns a program, which is built now unless it was built before.
    pub(super) fn program(&self, source: &Source) -> Result<program::SharedProgram, DeviceError> {
        let (context, device) = (&self.context, &self.device);
        let built = program::build(context, device, &self.info, &self.options, source)?;
        Ok(built.0)
    }
}

/// The contexts made so far. They are kept until the process ends: making a context takes a tenth
/// of a second on a GPU, and releasing it nearly as long; and PoCL 3.1 destroys its devices with
/// the last context, while another thread may list devices.
static CONTEXTS: Mutex<Vec<(Device, Arc<Context>)>> = Mutex::new(Vec::new());

/// Returns the context of a device. The lock is not held while a context is made, since several
/// devices are initialised at a time.
fn context(device: Device) -> Result<Arc<Context>, DeviceError> {
    let contexts = || CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let is_same = |(known, _): &&(Device, Arc<Context>)| known.id() == device.id();
    if let Some((_, context)) = contexts().iter().find(is_same) {
        return Ok(Arc::clone(context));
    }
    let made = Context::from_device(&device).map_err(DeviceError::call("making a context"))?;
    let context = Arc::new(made);
    contexts().push((device, Arc::clone(&context)));
    Ok(context)
}
