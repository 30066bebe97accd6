//! An open device: context, queue and programs. Programs that this process or an earlier run built
//! are reused.

use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opencl3::context::Context;
use opencl3::device::Device;
use opencl3::program::Program;

use super::cache;
use super::error::{DeviceError, Result};
use super::find::{DeviceInfo, FoundDevice};
use super::options::DeviceOptions;
use super::owned::Owned;
use super::profile::{Profile, Profiler, Queue};
use super::program::Source;
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
    /// Opens a device and builds the programs that `programs` lists. Adds the time of each step to
    /// `spans`. Calls `programs` as late as possible, since the choice of programs is better once
    /// the graph is known.
    pub fn open(
        found: &FoundDevice,
        options: DeviceOptions,
        programs: impl FnOnce(&DeviceOptions, &DeviceInfo) -> Vec<Source>,
        spans: &mut Vec<Span>,
    ) -> Result<Session> {
        let options = options.for_device(&found.info)?;
        let device = found.device;
        let profiler = options.profile.then(|| Rc::new(Profiler::default()));
        let (context, queue) = Span::time(spans, "device context", || {
            let context = context(device)?;
            let queue = Queue::new(&context, profiler.as_ref())?;
            Result::Ok((context, queue))
        })?;
        let mut session = Session {
            from_cache: true,
            device,
            queue,
            profiler,
            context,
            info: found.info.clone(),
            options,
        };
        Span::time(spans, "program build", || {
            for source in programs(&options, &session.info) {
                // Later calls of `program` find the programs that are built here.
                let (_, built_before) = session.program(&source)?;
                session.from_cache &= built_before;
            }
            Result::Ok(())
        })?;
        Ok(session)
    }

    /// Opens the same device with other options, but the same `profile`. The new session shares the
    /// context, so this takes little time.
    pub fn with_options(&self, options: DeviceOptions) -> Result<Session> {
        let options = options.for_device(&self.info)?;
        Ok(Session {
            device: self.device,
            from_cache: self.from_cache,
            queue: self.new_queue()?,
            profiler: self.profiler.clone(),
            context: Arc::clone(&self.context),
            info: self.info.clone(),
            options,
        })
    }

    /// Opens the same device as if it had half of the memory.
    pub fn with_half_the_memory(&self) -> Result<Session> {
        let mut smaller = self.with_options(self.options)?;
        smaller.info.memory /= 2;
        Ok(smaller)
    }

    /// Returns the number type of scores that are added up over many roots.
    pub fn score_precision(&self) -> Precision {
        self.options.score_precision(&self.info)
    }

    /// Makes another in-order queue of the device.
    pub fn new_queue(&self) -> Result<Queue> {
        Queue::new(&self.context, self.profiler.as_ref())
    }

    /// Begins to record times, if the options ask for them.
    pub fn begin_profile(&self) {
        if let Some(profiler) = &self.profiler {
            profiler.begin();
        }
    }

    /// Returns the times since [`Self::begin_profile`], if the options ask for them. All queues
    /// must be idle.
    pub fn end_profile(&self) -> Option<Result<Profile>> {
        self.profiler.as_ref()?.end()
    }

    /// Returns a program, and whether it was built before: by this process, or, if the options
    /// allow the cache on disk, by an earlier one. If the driver rejects the program of the cache,
    /// the source is built.
    pub(super) fn program(&self, source: &Source) -> Result<(SharedProgram, bool)> {
        let (flags, text) = (source.flags(&self.info, &self.options), source.text());
        let (context, made_of) = (self.context.get() as usize, [&*flags, &text].join("\n"));
        if let Some((_, _, program)) =
            find(&BUILT, |built| built.0 == context && built.1 == made_of)
        {
            return Ok((program, true));
        }
        let key = cache::key(&self.info, &made_of);
        let uses_cache = self.options.cache && cache::keeps_programs_of(&self.info);
        let binary = uses_cache.then(|| cache::load(&key)).flatten();
        let cached = binary.and_then(|binary| self.build_binary(&binary, &flags));
        let from_cache = cached.is_some();
        let program = match cached {
            Some(program) => program,
            None => self.build_source(&text, &flags)?,
        };
        if uses_cache
            && !from_cache
            && let Ok(binaries) = program.get_binaries()
            && let [binary] = &binaries[..]
            && !binary.is_empty()
        {
            cache::store(&key, binary);
        }
        let program = Arc::new(program);
        lock(&BUILT).push((context, made_of, Arc::clone(&program)));
        Ok((program, from_cache))
    }

    fn build_binary(&self, binary: &[u8], flags: &str) -> Option<Owned<Program>> {
        let devices = [self.device.id()];
        // SAFETY: the device is the context's own.
        let program = unsafe { Program::create_from_binary(&self.context, &devices, &[binary]) };
        let mut program = Owned::new(program.ok()?);
        program.build(&devices, flags).ok()?;
        Some(program)
    }

    fn build_source(&self, text: &str, flags: &str) -> Result<Owned<Program>> {
        let program = Program::create_from_source(&self.context, text);
        let mut program = Owned::new(DeviceError::check("loading the kernels", program)?);
        let id = self.device.id();
        program.build(&[id], flags).map_err(|error| {
            let log = program.get_build_log(id).unwrap_or_default();
            let lines = log.lines().map(str::trim).filter(|line| !line.is_empty());
            let lines: Vec<&str> = lines.take(4).collect();
            let log = match lines[..] {
                [] => format!("{error} ({})", error.0),
                _ => lines.join(" | "),
            };
            let device = &self.info.name;
            DeviceError::Failed(format!("{device}: the kernels did not build: {log}"))
        })?;
        Ok(program)
    }
}

/// A program with shared ownership.
pub(super) type SharedProgram = Arc<Owned<Program>>;

/// The programs built so far: the address of the context, compiler options and text, and the
/// program. They are kept until the process ends, as contexts are, so that a caller that searches
/// many graphs builds them once.
static BUILT: Mutex<Vec<(usize, String, SharedProgram)>> = Mutex::new(Vec::new());

/// The contexts made so far. They are kept until the process ends: making a context takes a tenth
/// of a second on a GPU, and releasing it nearly as long; and PoCL 3.1 destroys its devices with
/// the last context, while another thread may list devices.
static CONTEXTS: Mutex<Vec<(Device, Arc<Context>)>> = Mutex::new(Vec::new());

/// Returns the context of a device.
fn context(device: Device) -> Result<Arc<Context>> {
    if let Some((_, context)) = find(&CONTEXTS, |(other, _)| other.id() == device.id()) {
        return Ok(context);
    }
    let context = DeviceError::check("making a context", Context::from_device(&device))?;
    let context = Arc::new(context);
    lock(&CONTEXTS).push((device, Arc::clone(&context)));
    Ok(context)
}

fn lock<T>(list: &Mutex<Vec<T>>) -> MutexGuard<'_, Vec<T>> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a copy of the first item that `is_wanted` accepts. Callers that find none make a new
/// item without holding the lock, since several devices are initialised at a time.
fn find<T: Clone>(list: &Mutex<Vec<T>>, is_wanted: impl Fn(&T) -> bool) -> Option<T> {
    lock(list).iter().find(|item| is_wanted(item)).cloned()
}
