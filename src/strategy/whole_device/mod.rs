//! The whole device on one root at a time: strategies `virtual` and `edge-device`, which differ in
//! how the arcs of a level are shared out, and what [`ablation`] makes of `virtual`.

pub mod ablation;
mod kernels;
mod search;

use super::{
    About, DeviceEngine, DeviceStrategy, EnginePlan, LengthType, Number, Strategy, TILES, Takes,
};
use crate::device::launch::KernelSet;
use crate::device::{DeviceError, DeviceInfo, DeviceOptions, Session, Source};
use crate::graph::Csr;
use crate::prepare::{Prepared, VirtualVertices};
use kernels::{Kernels, Layout, Memory, Shares, kernels};

const SHARED: &str = include_str!("../../../cl/whole_device/root_per_device.cl");

/// D where none is given; measured on social graphs.
const DEGREE: u32 = 16;

/// A strategy that gives the whole device to one root at a time.
pub struct WholeDevice {
    about: About,
    texts: &'static [&'static str],
    /// See [`Source::optimise_always`].
    optimise_always: bool,
    /// Whether a work-item has an arc, and not a virtual vertex.
    by_arcs: bool,
}

/// Level-synchronous search over virtual vertices whose partial sums a second kernel adds up, as in
/// the report that this program follows (`cl/whole_device/virtual.cl`).
pub static VIRTUAL: WholeDevice = WholeDevice {
    about: About {
        name: "virtual",
        line: "On devices: one root at a time over the whole device, virtual vertices, reduction \
            kernels",
        paper: "Sariyuce, Kaya, Saule and Catalyurek, \"Betweenness Centrality on GPUs and \
            Heterogeneous Architectures\", GPGPU 2013",
        takes: Takes::WITH_TWINS,
        numbers: &[Number::Degree],
    },
    texts: &[SHARED, include_str!("../../../cl/whole_device/virtual.cl")],
    optimise_always: true,
    by_arcs: false,
};

/// A work-group is a tile of consecutive arcs and adds up the runs of rows in it
/// (`cl/whole_device/edge_device.cl`); rows that touch several tiles have a partial sum in each.
pub static EDGE_DEVICE: WholeDevice = WholeDevice {
    about: About {
        name: "edge-device",
        line: "On devices: one root at a time over the whole device, a work-item per arc (GPU-FAN \
            2011)",
        paper: "Shi and Zhang, \"Fast network centrality analysis using GPUs\" (GPU-FAN), BMC \
            Bioinformatics 2011",
        takes: Takes::WITH_TWINS,
        numbers: &[],
    },
    texts: &[
        SHARED,
        TILES,
        include_str!("../../../cl/whole_device/edge_device.cl"),
    ],
    optimise_always: false,
    by_arcs: true,
};

impl WholeDevice {
    fn source(&self, options: &DeviceOptions, info: &DeviceInfo) -> Source {
        Source {
            name: self.about.name.replace('-', "_"),
            texts: self.texts,
            work_group: options.work_group_of(256, info),
            macros: Vec::new(),
            optimise_always: self.optimise_always,
        }
    }

    /// Makes an engine that searches with virtual vertices of at most `degree` arcs, or with a tile
    /// of arcs for each work-group if there is none, and with what `change` makes of the kernels.
    fn engine_of<'s>(
        &'static self,
        session: &'s Session,
        prepared: &'s Prepared,
        source: Source,
        degree: Option<u32>,
        layout: Layout,
        change: impl FnOnce(&KernelSet, &Memory, Kernels) -> Result<Kernels, DeviceError>,
    ) -> Result<DeviceEngine<'s>, DeviceError> {
        let work_group = source.work_group;
        let set = session.build(&source)?;
        let split = |csr| {
            let (owner, first) = match degree {
                Some(degree) => {
                    let virtual_vertices = VirtualVertices::new(csr, degree);
                    (virtual_vertices.owner, virtual_vertices.first)
                }
                None => (csr.tails(), runs(csr, work_group)),
            };
            Shares { csr, owner, first }
        };
        let make = |memory: &Memory| {
            change(
                &set,
                memory,
                kernels(&set, memory, prepared.count_endpoints)?,
            )
        };
        let (engine, bytes, items) =
            search::engine(session, prepared, work_group, layout, split, make)?;
        Ok(DeviceEngine {
            engine,
            plan: EnginePlan {
                degree,
                virtual_vertices: degree.map(|_| items),
                ..EnginePlan::new(Strategy::new(self), work_group, bytes)
            },
        })
    }
}

impl DeviceStrategy for WholeDevice {
    fn about(&self) -> &About {
        &self.about
    }

    fn kernels(&self, options: &DeviceOptions, info: &DeviceInfo, _: LengthType) -> Vec<Source> {
        vec![self.source(options, info)]
    }

    fn engine<'s>(
        &'static self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError> {
        let degree = (!self.by_arcs).then(|| session.options.degree.unwrap_or(DEGREE));
        let source = self.source(&session.options, &session.info);
        let layout = Layout::Arrays;
        self.engine_of(
            session,
            prepared,
            source,
            degree,
            layout,
            |_, _, kernels| Ok(kernels),
        )
    }
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
