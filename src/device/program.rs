//! Builds programs from source, or reuses programs that this process or an earlier run built.

use std::sync::{Arc, Mutex, PoisonError};

use opencl3::context::Context;
use opencl3::device::Device;
use opencl3::program::Program;

use super::cache::{self, Key};
use super::error::DeviceError;
use super::find::{DeviceInfo, DeviceKind};
use super::options::DeviceOptions;
use super::owned::Owned;
use crate::engine::Precision;

/// The beginning of all programs: types and limits.
const COMMON: &str = include_str!("../../cl/common.cl");

/// The source of a program: its kernels and macros.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    /// The prefix of the names of kernels, without the underscore. In the texts, `NAMED(x)` is the
    /// full name of kernel `x`.
    pub name: String,
    /// Texts in OpenCL C, compiled in this order after `cl/common.cl`.
    pub texts: &'static [&'static str],
    /// Work-items of a work-group, for kernels that do not choose their own: macro `WORK_GROUP`.
    pub work_group: usize,
    /// Macros in addition to those of `cl/common.cl`.
    pub macros: Vec<(&'static str, usize)>,
    /// Whether to optimise the program even with a compiler that [`miscompiles`] some programs.
    pub optimise_always: bool,
}

/// Lists the programs that a device will need.
pub trait Programs {
    /// Lists the programs to build before the search. Others are built when they are needed.
    fn programs(&self, options: &DeviceOptions, info: &DeviceInfo) -> Vec<Source>;
}

/// A program with shared ownership.
pub type SharedProgram = Arc<Owned<Program>>;

/// The programs built so far: the address of the context, [`Source::made_of`], and the program.
/// They are kept until the process ends, as contexts are, so that a caller that searches many
/// graphs builds them once.
static BUILT: Mutex<Vec<(usize, String, SharedProgram)>> = Mutex::new(Vec::new());

impl Source {
    /// Returns the whole text. It is one string, since cl3 0.13 passes several strings wrongly (as
    /// fat pointers).
    pub fn text(&self) -> String {
        let mut text = format!("#define NAMED(name) {}_##name\n{COMMON}", self.name);
        for part in self.texts {
            text.push('\n');
            text.push_str(part);
        }
        text
    }

    /// Returns the compiler options and the text of the program on a device.
    pub(crate) fn made_of(&self, info: &DeviceInfo, options: &DeviceOptions) -> String {
        [self.flags(info, options), self.text()].join("\n")
    }

    /// Returns the compiler options.
    fn flags(&self, info: &DeviceInfo, options: &DeviceOptions) -> String {
        let name = |precision: Precision| match precision.is_double() {
            true => "double",
            false => "float",
        };
        let mut flags = format!(
            "-cl-std=CL1.2 -D REAL={} -D REAL_IS_DOUBLE={} -D SCORE={} -D HAS_DOUBLE={} \
             -D WORK_GROUP={} -D COUNT_EDGES={} -D QUERY={} \
             -D EXACT_ACCESS={} -D FIXED_DEALING={}",
            name(options.precision),
            u8::from(options.precision.is_double()),
            name(options.score_precision(info)),
            u8::from(info.fp64),
            self.work_group,
            u8::from(options.count_edges),
            u8::from(options.query),
            u8::from(options.exact_access),
            u8::from(options.reproducible),
        );
        for (name, value) in &self.macros {
            flags.push_str(&format!(" -D {name}={value}"));
        }
        if miscompiles(info) && !self.optimise_always {
            flags.push_str(" -cl-opt-disable");
        }
        if cfg!(debug_assertions) {
            // `launch` checks the types of arguments.
            flags.push_str(" -cl-kernel-arg-info");
        }
        flags
    }
}

/// Returns whether programs for a device are built without optimisation by default. PoCL 3.1 (LLVM
/// 15) miscompiles loops with barriers, mostly in strategy `lanes`: the self-test fails in varying
/// ways. Without optimisation, and in the simulator oclgrind, the same kernels are correct. PoCL
/// 5.0 takes more than a minute to optimise them.
fn miscompiles(info: &DeviceInfo) -> bool {
    info.kind == DeviceKind::Cpu && info.platform_version.contains("PoCL")
}

/// Returns a program in a context of [`super::Session::open`], and whether it was built before: by
/// this process, or, if the options allow the cache on disk, by an earlier one. If the driver
/// rejects the program of the cache, the source is built.
pub fn build(
    context: &Context,
    device: &Device,
    info: &DeviceInfo,
    options: &DeviceOptions,
    source: &Source,
) -> Result<(SharedProgram, bool), DeviceError> {
    let (owner, flags) = (context.get() as usize, &source.flags(info, options));
    let made_of = source.made_of(info, options);
    // The lock is not held while a program is built, since several devices are initialised at a
    // time.
    let built = || BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    let known = |of: &&(usize, String, SharedProgram)| of.0 == owner && of.1 == made_of;
    if let Some((_, _, program)) = built().iter().find(known) {
        return Ok((Arc::clone(program), true));
    }
    let key = Key::new(info, &made_of);
    let binary = options.cache.then(|| cache::load(&key)).flatten();
    let cached = binary.and_then(|binary| from_binary(context, device, &binary, flags));
    let from_cache = cached.is_some();
    let program = match cached {
        Some(program) => program,
        None => from_source(context, device, info, &source.text(), flags)?,
    };
    if options.cache
        && !from_cache
        && let Ok(binaries) = program.get_binaries()
        && let [binary] = &binaries[..]
        && !binary.is_empty()
    {
        cache::store(&key, binary);
    }
    let program = Arc::new(program);
    built().push((owner, made_of, Arc::clone(&program)));
    Ok((program, from_cache))
}

fn from_binary(
    context: &Context,
    device: &Device,
    binary: &[u8],
    flags: &str,
) -> Option<Owned<Program>> {
    // SAFETY: the device is the context's own.
    let program = unsafe { Program::create_from_binary(context, &[device.id()], &[binary]) };
    let mut program = Owned::new(program.ok()?);
    program.build(&[device.id()], flags).ok()?;
    Some(program)
}

fn from_source(
    context: &Context,
    device: &Device,
    info: &DeviceInfo,
    source: &str,
    flags: &str,
) -> Result<Owned<Program>, DeviceError> {
    let program = Program::create_from_source(context, source);
    let mut program = Owned::new(program.map_err(DeviceError::call("loading the kernels"))?);
    program.build(&[device.id()], flags).map_err(|error| {
        let log = program.get_build_log(device.id()).unwrap_or_default();
        let lines = log.lines().map(str::trim).filter(|line| !line.is_empty());
        let lines: Vec<&str> = lines.take(4).collect();
        DeviceError::Build {
            device: info.name.clone(),
            log: match lines[..] {
                [] => format!("{error} ({})", error.0),
                _ => lines.join(" | "),
            },
        }
    })?;
    Ok(program)
}
