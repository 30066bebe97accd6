//! Errors of devices as those of engines.

use crate::device::DeviceError;
use crate::engine::EngineError;

impl From<DeviceError> for EngineError {
    fn from(error: DeviceError) -> Self {
        EngineError::Device(Box::new(error))
    }
}

impl EngineError {
    /// The error of the device, if that is why the engine stopped.
    pub fn device_error(&self) -> Option<&DeviceError> {
        match self {
            EngineError::Device(error) => error.downcast_ref(),
            _ => None,
        }
    }
}
