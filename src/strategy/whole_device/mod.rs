//! Strategies whose launches pass over the whole graph for several roots at a time: `virtual` and
//! `edge-device`, which divide the arcs of a level differently, and the variants of `virtual` in
//! [`ablation`].

pub(super) mod ablation;
mod kernels;
mod search;

use super::{
    About, DeviceEngine, DeviceStrategy, Feature, NumericOption, Strategy, TILES, check_steps,
};
use crate::device::{DeviceError, DeviceInfo, DeviceOptions, Session, Source};
use crate::prepare::Prepared;
use ablation::Switch;

const SHARED: &str = include_str!("../../../cl/whole_device/levels.cl");

const TAKES: &[Feature] = &[Feature::Edges, Feature::Twins, Feature::Directed];

/// The default of D, measured on social graphs.
const DEGREE: u32 = 32;

/// A strategy with a launch for each level of several searches.
pub struct WholeDevice {
    about: About,
    texts: &'static [&'static str],
    /// See [`Source::optimise_always`].
    optimise_always: bool,
}

/// A level-synchronous search over virtual vertices, whose partial sums a second kernel adds up, as
/// in the report that this program follows (`cl/whole_device/virtual.cl`). Sariyuce, Kaya, Saule
/// and Catalyurek, "Betweenness Centrality on GPUs and Heterogeneous Architectures", GPGPU 2013.
pub static VIRTUAL: WholeDevice = WholeDevice {
    about: About {
        name: "virtual",
        line: "On devices: a launch for each level of several searches, virtual vertices, \
            reduction kernels",
        takes: TAKES,
        numbers: &[NumericOption::Degree, NumericOption::Searches],
    },
    texts: &[SHARED, include_str!("../../../cl/whole_device/virtual.cl")],
    optimise_always: true,
};

/// A work-group is a tile of consecutive arcs and adds up the runs of rows in it
/// (`cl/whole_device/edge_device.cl`); rows that touch several tiles have a partial sum in each.
/// Shi and Zhang, "Fast network centrality analysis using GPUs" (GPU-FAN), BMC Bioinformatics 2011.
pub static EDGE_DEVICE: WholeDevice = WholeDevice {
    about: About {
        name: "edge-device",
        line: "On devices: a launch for each level of several searches, a work-item per arc \
            (GPU-FAN 2011)",
        takes: TAKES,
        numbers: &[NumericOption::Searches],
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
        let degree = session.options.numbers.degree.unwrap_or(DEGREE);
        let degree = self.has(NumericOption::Degree).then_some(degree);
        let source = self.source(&session.options, &session.info);
        let strategy = Strategy::new(self);
        search::engine(strategy, session, prepared, &source, degree, None)
    }
}

/// Makes the engine of strategy `virtual` with `off` switched off in the kernels. Ideas of
/// preparing the graph make no difference here. The changed kernels support neither path ends nor
/// scores of edges nor twins.
///
/// # Errors
/// If the device cannot hold the graph, or the kernels do not build: without the reduction they
/// need 64-bit atomics, an extension of OpenCL 1.2.
pub fn engine_without<'s>(
    session: &'s Session,
    prepared: &'s Prepared,
    off: Switch,
) -> Result<DeviceEngine<'s>, DeviceError> {
    check_steps(session, prepared)?;
    let (options, info) = (&session.options, &session.info);
    let mut degree = options.numbers.degree.unwrap_or(DEGREE);
    let mut source = VIRTUAL.source(options, info);
    if let Some(changed) = off.macros(degree) {
        source.macros.push(changed);
        source.texts.insert(0, ablation::TEXT);
    }
    if off == Switch::VirtualVertices {
        degree = u32::MAX;
    }
    let (strategy, off) = (Strategy::Virtual, Some(off));
    search::engine(strategy, session, prepared, &source, Some(degree), off)
}
