//! The number types of distances on a device. Each type has a program of its own.

use crate::device::{DeviceError, DeviceInfo};
use crate::graph::Lengths;
use crate::prepare::Prepared;

/// The number type of distances on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LengthType {
    /// Integers of 32 bits.
    U32,
    /// Integers of 64 bits.
    U64,
    /// Doubles.
    F64,
}

impl LengthType {
    /// Returns the type for these lengths.
    pub(super) fn of_lengths(lengths: &Lengths) -> LengthType {
        match lengths {
            Lengths::U32(_) => LengthType::U32,
            Lengths::U64(_) => LengthType::U64,
            Lengths::F64(_) => LengthType::F64,
        }
    }

    /// Returns the type for a graph; [`LengthType::U32`] if it has no lengths or is not known yet.
    pub fn of_graph(prepared: Option<&Prepared>) -> LengthType {
        let lengths = prepared.and_then(|prepared| prepared.lengths.as_ref());
        lengths.map_or(LengthType::U32, LengthType::of_lengths)
    }

    /// Returns the part of program names, the bytes of a distance, and the value of macro `LENGTHS`
    /// in `cl/frontier/lengths.cl`.
    pub(super) fn of_kernels(self) -> (&'static str, usize, usize) {
        match self {
            LengthType::U32 => ("u32", 4, 32),
            LengthType::U64 => ("u64", 8, 64),
            LengthType::F64 => ("f64", 8, 0),
        }
    }

    /// Checks that a device can compute minima of distances of this type atomically.
    ///
    /// # Errors
    /// [`DeviceError::Refused`] if it cannot.
    pub(super) fn check(self, info: &DeviceInfo) -> Result<(), DeviceError> {
        let missing = match self {
            LengthType::U64 | LengthType::F64 if !info.int64_atomics => {
                "64-bit atomics (cl_khr_int64_extended_atomics)"
            }
            LengthType::F64 if !info.fp64 => "64-bit floats",
            _ => return Ok(()),
        };
        Err(DeviceError::Refused(format!(
            "{} has no {missing}, which these weights need; use --device none",
            info.name
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::find::DeviceKind;

    #[test]
    fn long_lengths_need_wide_atomics_and_doubles_need_doubles() {
        let device = |fp64, int64_atomics| DeviceInfo {
            fp64,
            int64_atomics,
            ..DeviceInfo::for_tests(DeviceKind::Gpu)
        };
        let able = |kind: LengthType, fp64, atomics| kind.check(&device(fp64, atomics)).is_ok();
        assert!(able(LengthType::U32, false, false));
        assert!(able(LengthType::U64, false, true) && !able(LengthType::U64, true, false));
        assert!(able(LengthType::F64, true, true) && !able(LengthType::F64, true, false));
        let error = LengthType::F64.check(&device(false, true)).unwrap_err();
        assert!(error.to_string().starts_with("Tiny has no 64-bit floats"));
    }
}
