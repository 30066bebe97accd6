//! Conversions between errors of devices and of engines.

use crate::device::{DeviceError, Session};
use crate::engine::EngineError;
use crate::graph::Vertex;

impl From<DeviceError> for EngineError {
    fn from(error: DeviceError) -> Self {
        EngineError::Device(Box::new(error))
    }
}

impl EngineError {
    /// Returns the error for more shortest paths than the number type of a session can count. The
    /// paths start at `root`, if it is known.
    pub(super) fn too_many_paths(root: Option<Vertex>, session: &Session) -> EngineError {
        let precision = session.options.precision;
        EngineError::PathCount { root, precision }
    }

    /// Returns the error of the device, if the engine stopped because of one.
    pub fn device_error(&self) -> Option<&DeviceError> {
        match self {
            EngineError::Device(error) => error.downcast_ref(),
            _ => None,
        }
    }
}
