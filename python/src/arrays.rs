//! Copies NumPy arrays to vectors of the library.
//!
//! Other threads may change an array at any time. Each value is therefore read once, and the copy
//! is checked, not the array. The graph needs a copy anyway.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

use numpy::{Element, PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::errors::{check_memory, too_little_memory};
use crate::numbering::EndLabels;

/// A number that can be read while other threads write it.
trait Shared: Element + Copy {
    /// Reads the number at `pointer` atomically.
    ///
    /// # Safety
    /// `pointer` must be readable and aligned.
    unsafe fn read(pointer: *mut Self) -> Self;
}

macro_rules! shared {
    ($($number:ty: $atomic:ty, $from_bits:expr;)+) => { $(
        impl Shared for $number {
            unsafe fn read(pointer: *mut Self) -> Self {
                // SAFETY: the caller guarantees that `pointer` is readable and aligned; the atomic
                // type has the same size and alignment.
                $from_bits(unsafe { <$atomic>::from_ptr(pointer.cast()) }.load(Relaxed))
            }
        }
    )+ };
}

shared! {
    i32: AtomicU32, |bits: u32| bits.cast_signed();
    u32: AtomicU32, |bits: u32| bits;
    f32: AtomicU32, f32::from_bits;
    i64: AtomicU64, |bits: u64| bits.cast_signed();
    u64: AtomicU64, |bits: u64| bits;
    f64: AtomicU64, f64::from_bits;
}

/// Returns `value(position, element)` for each element of an array, or `None` if the elements are
/// not of type `T`.
fn values<T: Shared, U>(
    array: &Bound<'_, PyAny>,
    value: impl Fn(usize, T) -> PyResult<U>,
) -> Option<PyResult<Vec<U>>> {
    let array = array.cast::<PyArray1<T>>().ok()?;
    Some(read(array, value))
}

fn read<T: Shared, U>(
    array: &Bound<'_, PyArray1<T>>,
    value: impl Fn(usize, T) -> PyResult<U>,
) -> PyResult<Vec<U>> {
    let (count, data) = (array.len(), array.data());
    if count > 0 && !(array.is_contiguous() && data.is_aligned()) {
        return Err(PyValueError::new_err(
            "arrays have to be contiguous and aligned",
        ));
    }
    let bytes = count.saturating_mul(size_of::<U>());
    check_memory(bytes)?;
    let mut list = Vec::new();
    if list.try_reserve_exact(count).is_err() {
        return Err(too_little_memory(bytes));
    }
    for position in 0..count {
        // SAFETY: the array is contiguous and has `count` elements. The reference keeps it alive,
        // and no other thread can resize it while this thread is attached to the interpreter.
        let element = unsafe { T::read(data.add(position)) };
        list.push(value(position, element)?);
    }
    Ok(list)
}

/// Copies vertex numbers or positions of entries from an array of integers of 32 or 64 bits.
///
/// # Errors
/// Returns a `ValueError` that names the first value outside 0 to 2^32 - 1, and a `TypeError` for
/// arrays of another type.
pub fn positions(name: &str, array: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    fn position<T: Copy + TryInto<u32> + std::fmt::Display>(
        name: &str,
    ) -> impl Fn(usize, T) -> PyResult<u32> {
        move |at, value| {
            value.try_into().map_err(|_| {
                let text = format!("{name}[{at}] is {value}, which is not from 0 to 4294967295");
                PyValueError::new_err(text)
            })
        }
    }
    None.or_else(|| values::<i32, _>(array, position(name)))
        .or_else(|| values::<i64, _>(array, position(name)))
        .or_else(|| values::<u32, _>(array, position(name)))
        .or_else(|| values::<u64, _>(array, position(name)))
        .unwrap_or_else(|| {
            let text = format!("{name} has to be an array of integers of 32 or 64 bits");
            Err(PyTypeError::new_err(text))
        })
}

/// Copies vertex labels from an array of integers of 32 or 64 bits.
///
/// # Errors
/// Returns a `ValueError` that names the first value below zero, and a `TypeError` for arrays of
/// another type.
pub fn ids(name: &str, array: &Bound<'_, PyAny>) -> PyResult<EndLabels> {
    fn id<T: Copy + TryInto<u64> + std::fmt::Display>(
        name: &str,
    ) -> impl Fn(usize, T) -> PyResult<u64> {
        move |at, value| {
            value.try_into().map_err(|_| {
                let text = format!(
                    "{name}[{at}] is {value}, but vertices are integers from 0, or names (give \
                     str({value}) if that is a name, or remove the edge if it has no such end)"
                );
                PyValueError::new_err(text)
            })
        }
    }
    if let Ok(narrow) = positions(name, array) {
        return Ok(EndLabels::Narrow(narrow));
    }
    None.or_else(|| values::<i64, _>(array, id(name)))
        .or_else(|| values::<i32, _>(array, id(name)))
        .or_else(|| values::<u64, _>(array, id(name)))
        // For arrays of other types, `positions` returns the error.
        .map_or_else(
            || positions(name, array).map(EndLabels::Narrow),
            |ids| ids.map(EndLabels::Wide),
        )
}

/// Copies weights from an array of floats of 32 or 64 bits. Single-precision weights are converted
/// through their shortest decimals, so that 0.1 stays 0.1.
pub fn weights(array: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    None.or_else(|| values::<f64, _>(array, |_, value| Ok(value)))
        .or_else(|| values::<f32, _>(array, |_, value| decimal(value)))
        .unwrap_or_else(|| {
            let text = "weights have to be an array of floats of 32 or 64 bits";
            Err(PyTypeError::new_err(text))
        })
}

/// Converts a single-precision number to the double nearest to its shortest decimal.
fn decimal(value: f32) -> PyResult<f64> {
    let text = value.to_string();
    text.parse()
        .map_err(|_| PyValueError::new_err(format!("the weight {text} is not a number")))
}
