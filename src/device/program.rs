//! Building programs: from source, or from what this process or an earlier run built.

use std::sync::{Arc, Mutex, PoisonError};

use opencl3::context::Context;
use opencl3::device::Device;
use opencl3::program::Program;

use super::cache::{self, Key};
use super::error::DeviceError;
use super::find::{DeviceInfo, DeviceKind};
use super::session::DeviceOptions;
use crate::engine::Precision;
use crate::strategy::{Source, lanes};

/// A built program.
pub struct Built {
    /// The program.
    pub program: Arc<Program>,
    /// Whether it did not have to be built.
    pub from_cache: bool,
}

/// The programs built so far: the address of their context, which is never released, and all that
/// they were built from. They are kept until the process ends, as their contexts are: whoever
/// searches many graphs builds them once.
static BUILT: Mutex<Vec<(usize, String, Arc<Program>)>> = Mutex::new(Vec::new());

/// Compiler options: two programs of a source are the same if these are.
pub fn flags(info: &DeviceInfo, options: &DeviceOptions, source: &Source) -> String {
    let name = |precision| match precision {
        Precision::F64 => "double",
        Precision::F32 => "float",
    };
    let macros = [
        ("REAL", name(options.precision).to_string()),
        (
            "REAL_IS_DOUBLE",
            u8::from(options.precision == Precision::F64).to_string(),
        ),
        ("SCORE", name(options.score_precision(info)).to_string()),
        ("HAS_DOUBLE", u8::from(info.fp64).to_string()),
        (
            "WORK_GROUP",
            options.work_group_of(source.strategy, info).to_string(),
        ),
        ("LANES", lanes::tile_width(options.lanes).to_string()),
        ("ITEM_LANES", lanes::ITEM_LANES.to_string()),
    ];
    let mut flags = "-cl-std=CL1.2".to_string();
    if info.kind == DeviceKind::Cpu && !source.optimise_for_cpu {
        flags.push_str(" -cl-opt-disable");
    }
    if options.count_edges {
        flags.push_str(" -D COUNT_EDGES=1");
    }
    if options.exact_access {
        flags.push_str(" -D EXACT_ACCESS=1");
    }
    for (name, value) in macros {
        flags.push_str(&format!(" -D {name}={value}"));
    }
    flags
}

/// Builds a program with [`flags`] in one of the contexts of [`super::Session::open`], unless it
/// has been built already: by this process, or by an earlier one if `cached` allows. What is in the
/// cache is only ever a shortcut: if it is missing, damaged or refused, the source is built.
pub fn build(
    context: &Context,
    device: &Device,
    info: &DeviceInfo,
    cached: bool,
    source: &Source,
    flags: &str,
) -> Result<Built, DeviceError> {
    let (owner, text) = (context.get() as usize, source.text());
    let made_of = [flags, &text].join("\n");
    // Not built under the lock: several devices get ready at a time.
    let built = || BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    let known = |of: &&(usize, String, Arc<Program>)| of.0 == owner && of.1 == made_of;
    if let Some((_, _, program)) = built().iter().find(known) {
        return Ok(Built {
            program: Arc::clone(program),
            from_cache: true,
        });
    }
    let key = Key::new(info, flags, &text);
    let binary = cached.then(|| cache::load(&key)).flatten();
    let kept = binary.and_then(|binary| from_binary(context, device, &binary, flags));
    let from_cache = kept.is_some();
    let program = match kept {
        Some(program) => program,
        None => from_source(context, device, info, &text, flags)?,
    };
    if cached
        && !from_cache
        && let Ok(binaries) = program.get_binaries()
        && let [binary] = &binaries[..]
        && !binary.is_empty()
    {
        cache::store(&key, binary);
    }
    let program = Arc::new(program);
    built().push((owner, made_of, Arc::clone(&program)));
    Ok(Built {
        program,
        from_cache,
    })
}

fn from_binary(context: &Context, device: &Device, binary: &[u8], flags: &str) -> Option<Program> {
    // SAFETY: the device is the context's own.
    let program = unsafe { Program::create_from_binary(context, &[device.id()], &[binary]) };
    let mut program = program.ok()?;
    program.build(&[device.id()], flags).ok()?;
    Some(program)
}

fn from_source(
    context: &Context,
    device: &Device,
    info: &DeviceInfo,
    source: &str,
    flags: &str,
) -> Result<Program, DeviceError> {
    let mut program = Program::create_from_source(context, source)
        .map_err(DeviceError::call("loading the kernels"))?;
    program.build(&[device.id()], flags).map_err(|error| {
        let log = program.get_build_log(device.id()).unwrap_or_default();
        let lines: Vec<&str> = log
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .take(4)
            .collect();
        DeviceError::Build {
            device: info.name.clone(),
            log: if lines.is_empty() {
                format!("{error} ({})", error.0)
            } else {
                lines.join(" | ")
            },
        }
    })?;
    Ok(program)
}
