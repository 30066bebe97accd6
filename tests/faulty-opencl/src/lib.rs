//! An OpenCL library for tests. It forwards every call to the real library, except selected calls,
//! which fail. `OPENCL_DYLIB_PATH` selects it instead of the real library.
//!
//! `FAULTY_OPENCL` is a list of faults separated by commas, each `entry:n:kind`: the `n`-th call
//! (from 1) of the entry point `entry` fails, or with `n+` that call and all later ones. The kinds:
//!
//! - `error`: the call does nothing and returns CL_OUT_OF_RESOURCES;
//! - `memory`: the same with CL_MEM_OBJECT_ALLOCATION_FAILURE;
//! - `lost`: as `error`, and all later calls that enqueue, flush, wait, release or query events fail
//!   too, as on a device that fell off the bus;
//! - `hang`: the call never returns;
//! - `crash`: the process aborts;
//! - `delay`: the call takes 300 ms longer;
//! - `zero`, `scale`, `nan`, `negative`, for `clEnqueueReadBuffer` only: the data read become zero
//!   bytes, or each f64 is multiplied by 1.25, replaced by NaN, or negated (the read blocks even if
//!   it should not; numbers of other types change arbitrarily);
//! - `narrow`, for `clGetDeviceInfo` only: the device has no 64-bit floats;
//! - `skip`, for `clEnqueueNDRangeKernel` only: the kernel is not launched, but the call succeeds.
//!
//! `FAULTY_OPENCL_REAL` is the path of the real library (default: `libOpenCL.so.1`). Each fault that
//! happened appends a line to the file `FAULTY_OPENCL_LOG`, so that tests can check for it.
//!
//! All arguments are integers or pointers of at most a machine word, so that one way of forwarding
//! works for all functions (with the calling conventions of 64-bit Linux).

#![allow(
    clippy::missing_safety_doc,
    reason = "the functions are those of OpenCL's headers"
)]
#![allow(non_snake_case, reason = "the functions are those of OpenCL's headers")]

use std::env;
use std::ffi::CString;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Duration;

const ALLOCATION_FAILURE: i32 = -4;
const OUT_OF_RESOURCES: i32 = -5;
const INVALID_COMMAND_QUEUE: i32 = -36;

/// The kind of a function's return value.
#[derive(Clone, Copy)]
enum Returns {
    /// An error code.
    Code,
    /// A handle; the last argument points to the error code.
    Handle,
}

/// The effect of a fault.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Error,
    Memory,
    Lost,
    Hang,
    Crash,
    Delay,
    Zero,
    Scale,
    Nan,
    Negative,
    Skip,
    Narrow,
}

struct Fault {
    entry: String,
    call: usize,
    later_too: bool,
    kind: Kind,
}

/// Whether a fault of kind `lost` has happened.
static LOST: AtomicBool = AtomicBool::new(false);

/// The faults from the environment. A malformed list ends the process, so that it cannot pass as a
/// run without faults.
fn faults() -> &'static [Fault] {
    static FAULTS: OnceLock<Vec<Fault>> = OnceLock::new();
    FAULTS.get_or_init(|| {
        let list = env::var("FAULTY_OPENCL").unwrap_or_default();
        let parts = list.split(',').filter(|part| !part.is_empty());
        parts
            .map(|part| parse(part).unwrap_or_else(|| give_up(&format!("not a fault: '{part}'"))))
            .collect()
    })
}

fn parse(text: &str) -> Option<Fault> {
    let [entry, call, kind] = text.split(':').collect::<Vec<_>>().try_into().ok()?;
    Some(Fault {
        entry: entry.to_string(),
        call: call.trim_end_matches('+').parse().ok()?,
        later_too: call.ends_with('+'),
        kind: match (kind, entry) {
            ("error", _) => Kind::Error,
            ("memory", _) => Kind::Memory,
            ("lost", _) => Kind::Lost,
            ("hang", _) => Kind::Hang,
            ("crash", _) => Kind::Crash,
            ("delay", _) => Kind::Delay,
            ("zero", "clEnqueueReadBuffer") => Kind::Zero,
            ("scale", "clEnqueueReadBuffer") => Kind::Scale,
            ("nan", "clEnqueueReadBuffer") => Kind::Nan,
            ("negative", "clEnqueueReadBuffer") => Kind::Negative,
            ("skip", "clEnqueueNDRangeKernel") => Kind::Skip,
            ("narrow", "clGetDeviceInfo") => Kind::Narrow,
            _ => return None,
        },
    })
}

/// Prints a message and ends the process: a panic cannot leave a C function, and tests check exit
/// codes.
fn give_up(why: &str) -> ! {
    let _ = writeln!(std::io::stderr(), "faulty-opencl: {why}");
    std::process::exit(99)
}

/// Returns the address of a function in the real library.
fn real(entry: &str) -> usize {
    static LIBRARY: OnceLock<usize> = OnceLock::new();
    let library = *LIBRARY.get_or_init(|| {
        let path = env::var("FAULTY_OPENCL_REAL").unwrap_or("libOpenCL.so.1".into());
        let name = CString::new(path.clone()).unwrap_or_default();
        // SAFETY: the name is a C string, and the library's initialisation code is trusted.
        match unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) } as usize {
            0 => give_up(&format!("{path} cannot be opened")),
            library => library,
        }
    });
    let name = CString::new(entry).unwrap_or_default();
    // SAFETY: the library stays open until the process ends, and the name is a C string.
    match unsafe { libc::dlsym(library as *mut libc::c_void, name.as_ptr()) } as usize {
        0 => give_up(&format!("the real OpenCL library has no {entry}")),
        address => address,
    }
}

/// Returns whether a lost device refuses this call.
fn needs_device(entry: &str) -> bool {
    [
        "clEnqueue",
        "clRelease",
        "clFlush",
        "clFinish",
        "clGetEvent",
        "clWaitForEvents",
    ]
    .iter()
    .any(|start| entry.starts_with(start))
}

fn log(entry: &str, call: usize) {
    if let Ok(path) = env::var("FAULTY_OPENCL_LOG")
        && let Ok(mut file) = OpenOptions::new().create(true).append(true).open(path)
    {
        let _ = writeln!(file, "{entry}:{call}");
    }
}

/// Returns the value of a failed call.
///
/// # Safety
/// The arguments must be those of a function with this kind of return value.
unsafe fn fail(returns: Returns, args: &[usize], code: i32) -> usize {
    match (returns, args.last()) {
        (Returns::Handle, Some(&last)) if last != 0 => {
            // SAFETY: OpenCL functions that return handles have `cl_int *errcode_ret` as last
            // argument.
            unsafe { *(last as *mut i32) = code };
            0
        }
        (Returns::Handle, _) => 0,
        (Returns::Code, _) => code as u32 as usize,
    }
}

/// Forwards one call, or makes it fail.
///
/// # Safety
/// The arguments must be those of OpenCL's function `entry`, and `forward` must call it.
unsafe fn call(
    entry: &str,
    calls: &AtomicUsize,
    returns: Returns,
    args: &[usize],
    forward: impl Fn(&[usize]) -> usize,
) -> usize {
    let number = calls.fetch_add(1, Ordering::SeqCst) + 1;
    let applies = |fault: &&Fault| {
        fault.entry == entry && (fault.call == number || fault.later_too && fault.call < number)
    };
    let kind = faults().iter().find(applies).map(|fault| fault.kind);
    if kind.is_some() {
        log(entry, number);
    }
    if kind == Some(Kind::Lost) {
        LOST.store(true, Ordering::SeqCst);
    }
    if LOST.load(Ordering::SeqCst) && (kind == Some(Kind::Lost) || needs_device(entry)) {
        let of_queue = ["clEnqueue", "clFlush", "clFinish"];
        let code = match of_queue.iter().any(|start| entry.starts_with(start)) {
            true => INVALID_COMMAND_QUEUE,
            false => OUT_OF_RESOURCES,
        };
        // SAFETY: the caller guarantees the arguments.
        return unsafe { fail(returns, args, code) };
    }
    match kind {
        None | Some(Kind::Lost) => forward(args),
        // SAFETY: the caller guarantees the arguments.
        Some(Kind::Error) => unsafe { fail(returns, args, OUT_OF_RESOURCES) },
        // SAFETY: the caller guarantees the arguments.
        Some(Kind::Memory) => unsafe { fail(returns, args, ALLOCATION_FAILURE) },
        Some(Kind::Hang) => loop {
            sleep(Duration::from_secs(3600));
        },
        Some(Kind::Crash) => std::process::abort(),
        Some(Kind::Delay) => {
            sleep(Duration::from_millis(300));
            forward(args)
        }
        // SAFETY: `parse` accepts this fault only for launches.
        Some(Kind::Skip) => unsafe { skip(args) },
        Some(Kind::Narrow) => {
            let code = forward(args);
            if args[3] != 0 && code == 0 {
                // SAFETY: the real library wrote at most this number of bytes there.
                let answer = unsafe { std::slice::from_raw_parts_mut(args[3] as *mut u8, args[2]) };
                let name = b"cl_khr_fp64";
                let at = answer.windows(name.len()).position(|part| part == name);
                at.into_iter().for_each(|at| answer[at] = b'x');
            }
            code
        }
        Some(kind) => {
            // queue, buffer, blocking, offset, size, pointer, ...
            let mut blocking = args.to_vec();
            blocking[2] = 1;
            let code = forward(&blocking);
            if code as i32 == 0 {
                // SAFETY: the read is finished, and its destination belongs to the caller.
                let read = unsafe { std::slice::from_raw_parts_mut(args[5] as *mut u8, args[4]) };
                spoil(kind, read);
            }
            code
        }
    }
}

/// Skips a launch. If the caller requests its event, a marker provides one.
///
/// # Safety
/// The arguments must be those of clEnqueueNDRangeKernel.
unsafe fn skip(args: &[usize]) -> usize {
    let &[queue, _, _, _, _, _, waits, list, event] = args else {
        give_up("a launch has nine arguments")
    };
    if event == 0 {
        return 0;
    }
    // SAFETY: the arguments are the live ones of the launch, and a marker accepts these.
    unsafe { clEnqueueMarkerWithWaitList(queue, waits, list, event) }
}

fn spoil(kind: Kind, read: &mut [u8]) {
    if kind == Kind::Zero {
        read.fill(0);
        return;
    }
    for bytes in read.as_chunks_mut::<8>().0 {
        let number = f64::from_ne_bytes(*bytes);
        let spoiled = match kind {
            Kind::Scale => number * 1.25,
            Kind::Negative => -number,
            _ => f64::NAN,
        };
        *bytes = spoiled.to_ne_bytes();
    }
}

/// Defines functions with their arguments and return types.
macro_rules! forward {
    ($($entry:ident($($arg:ident)*) $returns:ident;)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $entry($($arg: usize),*) -> usize {
            static REAL: OnceLock<usize> = OnceLock::new();
            static CALLS: AtomicUsize = AtomicUsize::new(0);
            let forward = |args: &[usize]| {
                let &[$($arg),*] = args else { give_up("arguments are missing") };
                let real = *REAL.get_or_init(|| real(stringify!($entry)));
                // SAFETY: the address is that of this function in the real library.
                unsafe {
                    let real: unsafe extern "C" fn($($arg: usize),*) -> usize =
                        std::mem::transmute(real);
                    real($($arg),*)
                }
            };
            // SAFETY: the caller passes the arguments of this function.
            unsafe {
                call(stringify!($entry), &CALLS, Returns::$returns, &[$($arg),*], forward)
            }
        }
    )*};
}

forward! {
    clGetPlatformIDs(a b c) Code;
    clGetPlatformInfo(a b c d e) Code;
    clGetDeviceIDs(a b c d e) Code;
    clGetDeviceInfo(a b c d e) Code;
    clCreateContext(a b c d e f) Handle;
    clGetContextInfo(a b c d e) Code;
    clReleaseContext(a) Code;
    clCreateCommandQueue(a b c d) Handle;
    clReleaseCommandQueue(a) Code;
    clCreateBuffer(a b c d e) Handle;
    clCreateSubBuffer(a b c d e) Handle;
    clRetainMemObject(a) Code;
    clReleaseMemObject(a) Code;
    clCreateProgramWithSource(a b c d e) Handle;
    clCreateProgramWithBinary(a b c d e f g) Handle;
    clBuildProgram(a b c d e f) Code;
    clGetProgramInfo(a b c d e) Code;
    clGetProgramBuildInfo(a b c d e f) Code;
    clReleaseProgram(a) Code;
    clCreateKernel(a b c) Handle;
    clGetKernelInfo(a b c d e) Code;
    clGetKernelArgInfo(a b c d e f) Code;
    clGetKernelWorkGroupInfo(a b c d e f) Code;
    clSetKernelArg(a b c d) Code;
    clReleaseKernel(a) Code;
    clEnqueueReadBuffer(a b c d e f g h i) Code;
    clEnqueueWriteBuffer(a b c d e f g h i) Code;
    clEnqueueFillBuffer(a b c d e f g h i) Code;
    clEnqueueCopyBuffer(a b c d e f g h i) Code;
    clEnqueueMigrateMemObjects(a b c d e f g) Code;
    clEnqueueNDRangeKernel(a b c d e f g h i) Code;
    clEnqueueMarkerWithWaitList(a b c d) Code;
    clEnqueueBarrierWithWaitList(a b c d) Code;
    clFlush(a) Code;
    clFinish(a) Code;
    clWaitForEvents(a b) Code;
    clGetEventInfo(a b c d e) Code;
    clGetEventProfilingInfo(a b c d e) Code;
    clRetainEvent(a) Code;
    clReleaseEvent(a) Code;
}
