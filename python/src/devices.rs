//! Lists the OpenCL devices of this machine.

use brandes::CancelToken;
use brandes::device::find;
use pyo3::prelude::*;

use crate::errors::Error;
use crate::running::{Size, interruptible};

/// Returns the description of every OpenCL device as a JSON array, which is empty without OpenCL.
#[pyfunction]
pub fn devices(py: Python<'_>) -> PyResult<String> {
    let survey = || (find::survey(), || ());
    let found = match interruptible(py, Size::Any, &CancelToken::default(), |_| Ok(()), survey)? {
        Ok(survey) => survey.devices,
        Err(error) if error.is_absence() => Vec::new(),
        Err(error) => return Err(Error::new_err(error.to_string())),
    };
    let infos: Vec<_> = found.iter().map(|device| &device.info).collect();
    serde_json::to_string(&infos).map_err(|error| Error::new_err(error.to_string()))
}
