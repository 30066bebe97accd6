//! The sources of programs, and their compiler options.

use super::find::{DeviceInfo, DeviceKind};
use super::options::DeviceOptions;
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
    pub texts: Vec<&'static str>,
    /// Work-items of a work-group, for kernels that do not choose their own: macro `WORK_GROUP`.
    pub work_group: usize,
    /// Macros in addition to those that `cl/common.cl` lists.
    pub macros: Vec<(&'static str, usize)>,
    /// Whether to optimise the program even with a compiler that [`miscompiles`] some programs.
    pub optimise_always: bool,
}

impl Source {
    /// Returns the whole text. It is one string, since cl3 0.13 passes several strings wrongly (as
    /// fat pointers).
    pub fn text(&self) -> String {
        let mut text = format!("#define NAMED(name) {}_##name\n{COMMON}", self.name);
        for part in &self.texts {
            text.push('\n');
            text.push_str(part);
        }
        text
    }

    /// Returns the compiler options.
    pub fn flags(&self, info: &DeviceInfo, options: &DeviceOptions) -> String {
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
