//! Strategies: how a device searches. One file each, with its kernels in `cl/`.

mod virtual_vertex;

use serde::Serialize;

use super::{DeviceError, Session};
use crate::engine::Engine;
use crate::prepare::Prepared;

/// A way of searching on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// One root at a time over the whole device, virtual vertices, reduction kernels.
    #[default]
    Virtual,
}

/// An engine on a device, and what it took to make it.
pub struct DeviceEngine<'s> {
    /// Takes roots.
    pub engine: Box<dyn Engine + 's>,
    /// Bytes of all its buffers.
    pub bytes: u64,
    /// Work-items of the largest launch that are not padding: virtual vertices.
    pub virtual_vertices: usize,
}

impl Strategy {
    /// OpenCL C source of its kernels, to be built behind `common.cl`.
    pub fn source(self) -> &'static str {
        match self {
            Strategy::Virtual => include_str!("../../../cl/virtual.cl"),
        }
    }

    /// Name as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Virtual => "virtual",
        }
    }

    /// Checks that the device can hold the graph, uploads it and makes the engine.
    pub fn engine<'s>(
        self,
        session: &'s Session,
        prepared: &Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError> {
        match self {
            Strategy::Virtual => virtual_vertex::engine(session, prepared),
        }
    }
}
