//! Strategies that give the whole device to one root at a time: `virtual` and `edge-device`, which
//! divide the arcs of a level differently, and the variants of `virtual` in [`ablation`].

pub mod ablation;
mod kernels;
mod search;

use super::{About, DeviceEngine, DeviceStrategy, Feature, NumericOption, Strategy, TILES};
use crate::device::{DeviceError, DeviceInfo, DeviceOptions, Session, Source};
use crate::prepare::Prepared;
use search::Variant;

const SHARED: &str = include_str!("../../../cl/whole_device/root_per_device.cl");

const TAKES: &[Feature] = &[Feature::Edges, Feature::Twins, Feature::Directed];

/// The default of D, measured on social graphs.
const DEGREE: u32 = 16;

/// A strategy that gives the whole device to one root at a time.
pub struct WholeDevice {
    about: About,
    texts: &'static [&'static str],
    /// See [`Source::optimise_always`].
    optimise_always: bool,
}

/// A level-synchronous search over virtual vertices, whose partial sums a second kernel adds up, as
/// in the report that this program follows (`cl/whole_device/virtual.cl`).
pub static VIRTUAL: WholeDevice = WholeDevice {
    about: About {
        name: "virtual",
        line: "On devices: one root at a time over the whole device, virtual vertices, reduction \
            kernels",
        paper: "Sariyuce, Kaya, Saule and Catalyurek, \"Betweenness Centrality on GPUs and \
            Heterogeneous Architectures\", GPGPU 2013",
        takes: TAKES,
        numbers: &[NumericOption::Degree],
    },
    texts: &[SHARED, include_str!("../../../cl/whole_device/virtual.cl")],
    optimise_always: true,
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
        takes: TAKES,
        numbers: &[],
    },
    texts: &[
        SHARED,
        TILES,
        include_str!("../../../cl/whole_device/edge_device.cl"),
    ],
    optimise_always: false,
};

impl WholeDevice {
    fn source(&self, options: &DeviceOptions, info: &DeviceInfo) -> Source {
        Source {
            name: self.about.name.replace('-', "_"),
            texts: self.texts.to_vec(),
            work_group: options.work_group_of(256, info),
            optimise_always: self.optimise_always,
            ..Source::default()
        }
    }
}

impl DeviceStrategy for WholeDevice {
    fn about(&self) -> About {
        self.about
    }

    fn kernels(&self, options: &DeviceOptions, info: &DeviceInfo) -> Vec<Source> {
        vec![self.source(options, info)]
    }

    fn engine<'s>(
        &'static self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError> {
        let variant = Variant {
            source: self.source(&session.options, &session.info),
            // Without virtual vertices, a work-item has an arc.
            degree: (self.has(NumericOption::Degree))
                .then(|| session.options.degree.unwrap_or(DEGREE)),
            records: false,
            atomics: false,
        };
        search::engine(Strategy::new(self), session, prepared, variant)
    }
}
