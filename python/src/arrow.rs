//! Reads columns of other libraries through the Arrow C data interface, without importing these
//! libraries or pyarrow.
//!
//! The interface's specification defines the structures, and their ownership through release
//! callbacks.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null;

use numpy::IntoPyArray;
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrays::decimal;

#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

/// Owns a structure and calls its release callback when dropped.
struct Owned<T: Release>(T);

trait Release {
    /// Calls the release callback, if there is one.
    ///
    /// # Safety
    /// The structure must be as its producer filled it, or empty.
    unsafe fn release(&mut self);
}

macro_rules! release {
    ($($name:ty),+) => { $(
        impl Release for $name {
            unsafe fn release(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: the producer supplied this callback for this structure. The field is
                    // cleared below, so the callback is called only once.
                    unsafe { release(self) };
                    self.release = None;
                }
            }
        }
    )+ };
}

release!(Schema, Array, Stream);

impl<T: Release> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the producer filled the structure, or it is empty and has no callback.
        unsafe { self.0.release() }
    }
}

/// Returns a schema for a producer to fill.
fn empty_schema() -> Owned<Schema> {
    Owned(Schema {
        format: null(),
        name: null(),
        metadata: null(),
        flags: 0,
        n_children: 0,
        children: std::ptr::null_mut(),
        dictionary: std::ptr::null_mut(),
        release: None,
        private_data: std::ptr::null_mut(),
    })
}

/// Returns an array for a producer to fill.
fn empty_array() -> Owned<Array> {
    Owned(Array {
        length: 0,
        null_count: 0,
        offset: 0,
        n_buffers: 0,
        n_children: 0,
        buffers: null(),
        children: std::ptr::null_mut(),
        dictionary: std::ptr::null_mut(),
        release: None,
        private_data: std::ptr::null_mut(),
    })
}

/// Moves a structure out of a capsule. `mark_released` clears the release callback of the structure
/// that stays in the capsule.
fn take_from_capsule<T>(
    capsule: &Bound<'_, PyAny>,
    name: &'static CStr,
    mark_released: impl Fn(&mut T),
) -> PyResult<T> {
    let capsule = capsule.cast::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(name))?.cast::<T>();
    // SAFETY: the interface guarantees that a capsule of this name holds such a structure. This
    // thread is attached to the interpreter, so no other thread takes the structure. The original
    // in the capsule is marked as released, so only the copy is released later.
    unsafe {
        let structure = pointer.as_ptr().read();
        mark_released(&mut *pointer.as_ptr());
        Ok(structure)
    }
}

/// The values of a column.
enum Column {
    Integers(Vec<i64>),
    Floats(Vec<f64>),
}

impl Column {
    /// Returns an empty column for values of an Arrow format.
    fn for_format(format: &[u8]) -> PyResult<Column> {
        match format {
            b"c" | b"C" | b"s" | b"S" | b"i" | b"I" | b"l" | b"L" => {
                Ok(Column::Integers(Vec::new()))
            }
            b"f" | b"g" => Ok(Column::Floats(Vec::new())),
            other => Err(PyTypeError::new_err(format!(
                "an Arrow column of type {:?} holds no numbers",
                String::from_utf8_lossy(other)
            ))),
        }
    }

    /// Appends the values of one Arrow array.
    fn append(&mut self, format: &[u8], piece: &Array) -> PyResult<()> {
        let (Ok(length), Ok(offset)) =
            (usize::try_from(piece.length), usize::try_from(piece.offset))
        else {
            return Err(PyValueError::new_err("an Arrow array has a negative size"));
        };
        if length == 0 {
            return Ok(());
        }
        if piece.n_buffers < 2 || piece.buffers.is_null() {
            return Err(PyValueError::new_err("an Arrow array has no values"));
        }
        // SAFETY: there are at least two buffers: the validity bitmap and the values.
        let (valid, data) = unsafe { (*piece.buffers, *piece.buffers.add(1)) };
        if piece.null_count != 0 && !valid.is_null() {
            return Err(PyValueError::new_err(
                "an Arrow column has missing values (drop or fill them)",
            ));
        }
        if data.is_null() {
            return Err(PyValueError::new_err("an Arrow array has no values"));
        }
        let room = match self {
            Column::Integers(values) => values.try_reserve(length),
            Column::Floats(values) => values.try_reserve(length),
        };
        if room.is_err() {
            return Err(PyMemoryError::new_err("there is no memory for the column"));
        }
        macro_rules! push {
            ($values:expr, $number:ty, $make:expr) => {
                for position in offset..offset + length {
                    // SAFETY: the producer guarantees `offset + length` values of this type. They
                    // need not be aligned.
                    let value = unsafe { data.cast::<$number>().add(position).read_unaligned() };
                    $values.push($make(value)?);
                }
            };
        }
        fn integer<T: TryInto<i64>>(value: T) -> PyResult<i64> {
            value
                .try_into()
                .map_err(|_| PyValueError::new_err("a number is 2^63 or more"))
        }
        match (self, format) {
            (Column::Integers(values), b"c") => push!(values, i8, integer),
            (Column::Integers(values), b"C") => push!(values, u8, integer),
            (Column::Integers(values), b"s") => push!(values, i16, integer),
            (Column::Integers(values), b"S") => push!(values, u16, integer),
            (Column::Integers(values), b"i") => push!(values, i32, integer),
            (Column::Integers(values), b"I") => push!(values, u32, integer),
            (Column::Integers(values), b"l") => push!(values, i64, integer),
            (Column::Integers(values), _) => push!(values, u64, integer),
            (Column::Floats(values), b"f") => push!(values, f32, decimal),
            (Column::Floats(values), _) => push!(values, f64, PyResult::Ok),
        }
        Ok(())
    }
}

/// Returns the format string of a schema, which is empty if there is none.
fn format(schema: &Schema) -> Vec<u8> {
    if schema.format.is_null() {
        return Vec::new();
    }
    // SAFETY: the format of a filled schema is a C string.
    unsafe { CStr::from_ptr(schema.format) }.to_bytes().to_vec()
}

/// Returns a column that has `__arrow_c_stream__` or `__arrow_c_array__` as a NumPy array of int64
/// or float64.
///
/// # Errors
/// Returns a `TypeError` if the column holds no numbers, and a `ValueError` if values are missing
/// or the data contradict the interface.
#[pyfunction]
pub fn column<'py>(source: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = source.py();
    let column = if source.hasattr("__arrow_c_stream__")? {
        let capsule = source.call_method0("__arrow_c_stream__")?;
        let mark = |stream: &mut Stream| stream.release = None;
        read_stream(Owned(take_from_capsule(
            &capsule,
            c"arrow_array_stream",
            mark,
        )?))?
    } else {
        let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
            source.call_method0("__arrow_c_array__")?.extract()?;
        let mark = |schema: &mut Schema| schema.release = None;
        let schema = Owned(take_from_capsule(&schema, c"arrow_schema", mark)?);
        let mark = |array: &mut Array| array.release = None;
        let array = Owned(take_from_capsule(&array, c"arrow_array", mark)?);
        let format = format(&schema.0);
        let mut column = Column::for_format(&format)?;
        column.append(&format, &array.0)?;
        column
    };
    Ok(match column {
        Column::Integers(values) => values.into_pyarray(py).into_any(),
        Column::Floats(values) => values.into_pyarray(py).into_any(),
    })
}

/// Reads all arrays of a stream into one column.
fn read_stream(mut stream: Owned<Stream>) -> PyResult<Column> {
    let (Some(get_schema), Some(get_next)) = (stream.0.get_schema, stream.0.get_next) else {
        return Err(PyValueError::new_err("an Arrow stream was used before"));
    };
    let failed = |code: c_int| {
        PyValueError::new_err(format!("an Arrow stream could not be read (error {code})"))
    };
    let mut schema = empty_schema();
    // SAFETY: the stream is not released, and `schema` is empty.
    let code = unsafe { get_schema(&mut stream.0, &mut schema.0) };
    if code != 0 {
        return Err(failed(code));
    }
    let format = format(&schema.0);
    let mut column = Column::for_format(&format)?;
    loop {
        let mut piece = empty_array();
        // SAFETY: the stream is not released, and `piece` is empty.
        let code = unsafe { get_next(&mut stream.0, &mut piece.0) };
        if code != 0 {
            return Err(failed(code));
        }
        if piece.0.release.is_none() {
            return Ok(column);
        }
        column.append(&format, &piece.0)?;
    }
}
