//! Strategy `edge-device`: the whole device on one root at a time, a work-item per arc.
//!
//! The GPU-FAN of Shi and Zhang ("Fast network centrality analysis using GPUs", BMC
//! Bioinformatics 2011). A work-group is a tile of consecutive arcs and adds up the runs of rows in
//! it (`cl/edge_device.cl`); rows that touch several tiles have a partial sum in each.
//! [`root_per_device`] does the searching.

use super::root_per_device::{self, Shares};
use super::{DeviceEngine, Strategy};
use crate::device::{DeviceError, Session};
use crate::graph::Csr;
use crate::prepare::Prepared;

/// Makes the engine; see [`super::Strategy::engine`].
pub fn engine<'s>(
    session: &'s Session,
    prepared: &Prepared,
) -> Result<DeviceEngine<'s>, DeviceError> {
    let tile = session.work_group(Strategy::EdgeDevice);
    let split = |csr: &'_ Csr| (csr.tails(), runs(csr, tile));
    let out = split(&prepared.graph);
    let reverse = prepared.reverse.as_ref().map(split);
    root_per_device::engine(
        session,
        prepared,
        Strategy::EdgeDevice,
        "edge_device_",
        &Shares {
            csr: &prepared.graph,
            owner: &out.0,
            first: &out.1,
        },
        prepared
            .reverse
            .as_ref()
            .zip(reverse.as_ref())
            .map(|(csr, (owner, first))| Shares { csr, owner, first })
            .as_ref(),
    )
}

/// Where the runs of each row begin when arcs are cut into tiles: a row has one in every tile that
/// it touches. `n + 1` entries.
fn runs(csr: &Csr, tile: usize) -> Vec<u32> {
    let mut first = Vec::with_capacity(csr.vertices() + 1);
    let mut runs = 0;
    first.push(0);
    for row in csr.offsets().windows(2) {
        let (begin, end) = (row[0] as usize, row[1] as usize);
        if begin < end {
            runs += (end - 1) / tile - begin / tile + 1;
        }
        first.push(runs as u32);
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_a_run_in_every_tile_they_touch() {
        // Rows of 3, 0, 5 and 1 arcs.
        let csr = Csr::new(vec![0, 3, 3, 8, 9], vec![1, 2, 3, 0, 1, 3, 0, 1, 2]);
        assert_eq!(runs(&csr, 4), [0, 1, 1, 3, 4]);
        assert_eq!(runs(&csr, 1), [0, 3, 3, 8, 9]);
        assert_eq!(runs(&csr, 100), [0, 1, 1, 2, 3]);
    }
}
