//! Strategy `virtual`: the whole device on one root at a time, virtual vertices.
//!
//! Level-synchronous search over virtual vertices whose partial sums a second kernel adds up, as
//! in the report this program follows (`cl/virtual.cl`). [`root_per_device`] does the searching.

use super::device_kernels::{Buffers, Kernels, kernels};
use super::root_per_device::{self, Shares};
use super::{DeviceEngine, Strategy};
use crate::device::{DeviceError, Session};
use crate::graph::Csr;
use crate::prepare::{Prepared, VirtualVertices};

/// D where none is given; measured on social graphs.
pub(super) const DEGREE: u32 = 16;

/// Makes the engine; see [`super::Strategy::engine`].
pub fn engine<'s>(
    session: &'s Session,
    prepared: &Prepared,
) -> Result<DeviceEngine<'s>, DeviceError> {
    let degree = session.options.degree.unwrap_or(DEGREE);
    engine_of(session, prepared, degree, |buffers| {
        kernels(session, buffers, "virtual_", prepared.count_endpoints)
    })
}

/// Makes an engine that searches with virtual vertices of at most `degree` arcs, and `kernels`.
pub(super) fn engine_of<'s>(
    session: &'s Session,
    prepared: &Prepared,
    degree: u32,
    kernels: impl FnOnce(&Buffers) -> Result<Kernels, DeviceError>,
) -> Result<DeviceEngine<'s>, DeviceError> {
    let split = |csr| (csr, VirtualVertices::new(csr, degree));
    let out = split(&prepared.graph);
    let reverse = prepared.reverse.as_ref().map(split);
    fn shares<'p>((csr, split): &'p (&'p Csr, VirtualVertices)) -> Shares<'p> {
        Shares {
            csr,
            owner: &split.owner,
            first: &split.first,
        }
    }
    let mut made = root_per_device::engine_of(
        session,
        prepared,
        Strategy::Virtual,
        &shares(&out),
        reverse.as_ref().map(shares).as_ref(),
        kernels,
    )?;
    made.plan.degree = Some(degree);
    made.plan.virtual_vertices = Some(
        reverse
            .as_ref()
            .map_or(0, |(_, split)| split.len())
            .max(out.1.len()),
    );
    Ok(made)
}
