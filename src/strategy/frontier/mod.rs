//! The strategies with one work-group per root: `vertex`, `edge`, `work-efficient`, `hybrid` and
//! `warp`. `vertex`, `work-efficient` and `warp` support lengths too. All kernels have the same
//! parameters (`cl/frontier/root_per_group.cl`, with lengths `cl/frontier/weighted.cl`); the
//! strategies differ in code, in the arrays of a workspace, and in the meaning of parameter
//! `width`.

mod lengths;
pub mod search;
mod tables;
mod width;
pub mod workspaces;

use super::{
    About, CLAIM, DeviceEngine, DeviceQuery, DeviceStrategy, EnginePlan, Feature, NumericOption,
    QUERY, Strategy, TILES,
};
use crate::device::buffers::{BufferSet, DeviceBuffer};
use crate::device::launch::Arg;
use crate::device::{DeviceError, DeviceInfo, DeviceOptions, Session, Source};
use crate::graph::{Csr, Vertex};
use crate::prepare::Prepared;
use Feature::{Directed, Edges, Lengths, Query, Squares, Twins};
pub use lengths::LengthType;
use search::Parts;
pub use width::WARP_SIZES;
use width::Width;
use workspaces::Workspaces;

/// A strategy with one work-group per root.
pub struct GroupStrategy {
    about: About,
    /// Texts of the kernels for graphs without lengths, which follow [`COMMON`].
    texts: &'static [&'static str],
    /// Texts of the kernels for graphs with lengths, which follow [`WEIGHTED`]; empty if the
    /// strategy does not support lengths.
    weighted_texts: &'static [&'static str],
    /// Work-items of a work-group on graphs with lengths, where a round settles few vertices: about
    /// fifty on road networks.
    weighted_group: usize,
    /// Whether work-items take arcs, so that they need the tail of each arc.
    by_arcs: bool,
    /// Whether a search keeps its vertices in the order of their levels or rounds.
    has_frontier: bool,
    width: Width,
}

const PASSES: &str = include_str!("../../../cl/frontier/passes.cl");
const FRONTIER: &str = include_str!("../../../cl/frontier/frontier.cl");
const WARP_SUM: &str = include_str!("../../../cl/frontier/warp_sum.cl");
/// The beginning of all programs for graphs without lengths.
const COMMON: &[&str] = &[
    CLAIM,
    QUERY,
    include_str!("../../../cl/frontier/root_per_group.cl"),
    PASSES,
];
/// The beginning of all programs for graphs with lengths.
const WEIGHTED: &[&str] = &[
    include_str!("../../../cl/frontier/lengths.cl"),
    CLAIM,
    QUERY,
    include_str!("../../../cl/frontier/weighted.cl"),
    PASSES,
];

/// The features of strategies with a work-item per arc. These support no sums of squared
/// dependencies, because they add the dependency of a vertex in several parts.
const BY_ARCS: &[Feature] = &[Edges, Twins, Query, Directed];
/// The features of strategies whose work-items sum over all arcs of a vertex.
const BY_VERTICES: &[Feature] = &[Lengths, Edges, Twins, Squares, Query, Directed];

/// Jia, Lu, Hoberock, Garland and Hart, "Edge v. Node Parallelism for Graph Centrality Metrics",
/// GPU Computing Gems Jade Edition, 2011.
pub static VERTEX: GroupStrategy = GroupStrategy {
    about: About {
        name: "vertex",
        line: "On devices: one work-group per root, a work-item per vertex (Jia et al. 2011)",
        takes: BY_VERTICES,
        numbers: &[],
    },
    texts: &[include_str!("../../../cl/frontier/vertex.cl")],
    weighted_texts: &[include_str!("../../../cl/frontier/weighted_vertex.cl")],
    weighted_group: 128,
    by_arcs: false,
    has_frontier: false,
    width: Width::One,
};

/// From the same work as [`VERTEX`].
pub static EDGE: GroupStrategy = GroupStrategy {
    about: About {
        name: "edge",
        line: "On devices: one work-group per root, a work-item per arc (Jia et al. 2011)",
        takes: BY_ARCS,
        numbers: &[],
    },
    texts: &[TILES, include_str!("../../../cl/frontier/edge.cl")],
    weighted_texts: &[],
    weighted_group: 0,
    by_arcs: true,
    has_frontier: false,
    width: Width::One,
};

/// Strategy [`WARP`] with virtual warps of one work-item.
pub static WORK_EFFICIENT: GroupStrategy = GroupStrategy {
    about: About {
        name: "work-efficient",
        line: "On devices: one work-group per root, an explicit frontier (McLaughlin and Bader \
               2014)",
        takes: BY_VERTICES,
        numbers: &[],
    },
    weighted_group: 128,
    width: Width::One,
    ..WARP
};

/// McLaughlin and Bader, "Scalable and High Performance Betweenness Centrality on the GPU", SC
/// 2014.
pub static HYBRID: GroupStrategy = GroupStrategy {
    about: About {
        name: "hybrid",
        line: "On devices: work-efficient, but wide frontiers by arcs on shallow graphs \
               (McLaughlin and Bader 2014)",
        takes: BY_ARCS,
        numbers: &[],
    },
    texts: &[
        FRONTIER,
        TILES,
        include_str!("../../../cl/frontier/hybrid.cl"),
    ],
    weighted_texts: &[],
    weighted_group: 0,
    by_arcs: true,
    has_frontier: true,
    width: Width::OfWideFrontier,
};

/// Hong, Kim, Oguntebi and Olukotun, "Accelerating CUDA Graph Algorithms at Maximum Warp", PPoPP
/// 2011; Fan, Xu and Zhao, "A GPU-based solution for fast calculation of the betweenness centrality
/// in large weighted networks", PeerJ Computer Science 2017.
pub static WARP: GroupStrategy = GroupStrategy {
    about: About {
        name: "warp",
        line: "On devices: work-efficient, several work-items per vertex (Hong et al. 2011, Fan et \
            al. 2017)",
        takes: BY_VERTICES,
        numbers: &[NumericOption::WarpSize],
    },
    texts: &[
        FRONTIER,
        WARP_SUM,
        include_str!("../../../cl/frontier/warp.cl"),
    ],
    weighted_texts: &[
        include_str!("../../../cl/frontier/weighted_frontier.cl"),
        WARP_SUM,
        include_str!("../../../cl/frontier/weighted_warp.cl"),
    ],
    weighted_group: 256,
    by_arcs: false,
    has_frontier: true,
    width: Width::OfWarp,
};

impl GroupStrategy {
    /// Returns the program for graphs with lengths of a type, or for graphs without lengths.
    fn source(
        &self,
        options: &DeviceOptions,
        info: &DeviceInfo,
        lengths: Option<LengthType>,
    ) -> Source {
        let name = self.about.name.replace('-', "_");
        let (name, texts, group, macros) = match lengths {
            None => (name, [COMMON, self.texts], 256, Vec::new()),
            Some(kind) => {
                let (kind, _, bits) = kind.of_kernels();
                let name = format!("weighted_{kind}_{name}");
                let texts = [WEIGHTED, self.weighted_texts];
                (name, texts, self.weighted_group, vec![("LENGTHS", bits)])
            }
        };
        Source {
            name,
            texts: texts.concat(),
            work_group: options.work_group_of(group, info),
            macros,
            ..Source::default()
        }
    }

    /// Lists the buffers of a workspace for `n` vertices, except those of sums, with their bytes,
    /// in the order of the kernels' parameters. `lengths` is the type of lengths, if the graph has
    /// any; `real` is the bytes of a path count.
    fn workspace(
        &self,
        lengths: Option<LengthType>,
        n: usize,
        real: usize,
    ) -> Vec<(&'static str, usize)> {
        let if_frontier = |bytes: usize| if self.has_frontier { bytes } else { 0 };
        // Each level or round has at least one vertex, so there are at most n. The kernels write
        // their ends up to index n + 1.
        let (list, ends) = (if_frontier(4 * n), if_frontier(4 * (n + 2)));
        let mut workspace = vec![("path counts", real * n), ("coefficients", real * n)];
        match lengths {
            None => {
                workspace.insert(0, ("levels", 4 * n));
                workspace.push(("frontiers", list));
                workspace.push(("level ends", ends));
                workspace.push(("seen vertices", if_frontier(4 * (n / 32 + 1))));
            }
            Some(kind) => {
                let (_, distance, _) = kind.of_kernels();
                workspace.insert(0, ("distances", distance * n));
                workspace.push(("rounds", 4 * n - list));
                workspace.push(("settled vertices", if_frontier(2 * distance * n)));
                workspace.push(("round ends", ends));
                workspace.push(("open vertices", 2 * list));
            }
        }
        workspace
    }

    /// Plans the arrays of a graph without lengths, in the order of the kernels' parameters.
    fn arrays<'p>(&self, set: &mut BufferSet<'p>, prepared: &'p Prepared) -> Vec<DeviceBuffer> {
        let mut add = |csr: &'p Csr, [offsets, targets, tails]: [&'static str; 3]| {
            let tails_of_arcs = self.by_arcs.then(|| csr.tails());
            [
                set.filled(offsets, csr.offsets()),
                set.filled(targets, csr.targets()),
                set.filled(tails, tails_of_arcs.unwrap_or_default()),
            ]
        };
        let out = add(&prepared.graph, ["CSR offsets", "CSR targets", "CSR tails"]);
        let names = [
            "reverse CSR offsets",
            "reverse CSR targets",
            "reverse CSR tails",
        ];
        let into = (prepared.reverse.as_ref()).map_or_else(|| out.clone(), |csr| add(csr, names));
        [out, into].concat()
    }
}

impl DeviceStrategy for GroupStrategy {
    fn about(&self) -> About {
        self.about
    }

    fn kernels(&self, options: &DeviceOptions, info: &DeviceInfo) -> Vec<Source> {
        let lengths = options.weighted.then_some(LengthType::U32);
        vec![self.source(options, info, lengths)]
    }

    fn engine<'s>(
        &'static self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError> {
        let (options, info) = (&session.options, &session.info);
        let kind = prepared.lengths.as_ref().map(LengthType::of_lengths);
        if let Some(kind) = kind {
            kind.check(info)?;
        }
        let source = self.source(options, info, kind);
        let (width, sampling, why) = self.width.choose(prepared, options, source.work_group)?;
        let (n, arcs) = (prepared.graph.vertices(), prepared.graph.arcs());
        let real = options.precision.bytes();

        let mut set = BufferSet::new(session);
        let mut graph_buffers = match &prepared.lengths {
            None => self.arrays(&mut set, prepared),
            Some(lengths) => tables::arrays(&mut set, prepared, lengths),
        };
        graph_buffers.push(set.reals("weights", &prepared.weight));
        if kind.is_none() {
            graph_buffers.push(set.reals("multiplicities", prepared.multiplicities()));
        }
        let vertices = 0..n as Vertex;
        let query = (options.query).then(|| DeviceQuery::plan(&mut set, prepared, kind, vertices));
        let [columns, passes] = prepared.sum_columns();
        let mut workspace = self.workspace(kind, n, real);
        let first_sums = workspace.len();
        workspace.push(("scores of workspaces", real * columns * n));
        if options.count_edges {
            workspace.push(("sums of arcs of workspaces", real * passes * arcs));
        }
        let spaces = Workspaces::plan(&mut set, source.work_group, prepared, &workspace);
        let bytes = set.total();
        let kernels = session.build(&source)?;
        set.make()?;

        let flag = |set: bool| Arg::Uint(set.into());
        let mut args = vec![Arg::Uint(0), Arg::Uint(width)];
        args.extend(Arg::buffers(&[&spaces.roots, &spaces.status]));
        args.extend([Arg::Count(n), Arg::Count(arcs)]);
        args.extend([prepared.reverse.is_some(), prepared.count_endpoints].map(flag));
        if kind.is_none() {
            args.push(flag(prepared.multiplicity.is_some()));
        }
        if kind == Some(LengthType::F64) {
            args.push(Arg::Ulong(prepared.tie_tolerance.to_bits()));
        }
        args.extend(graph_buffers.iter().chain(&spaces.buffers).map(Arg::Buffer));
        args.extend(query.iter().flat_map(DeviceQuery::args));
        let rows = spaces.sums.iter().zip(&spaces.buffers[first_sums..]);
        let rows = rows.map(|(&(_, count), buffer)| (buffer, [count, 1], None));
        let plan = EnginePlan {
            why,
            warp_size: (self.width == Width::OfWarp).then_some(width),
            ..EnginePlan::new(Strategy::new(self), source.work_group, bytes)
        };
        let parts = Parts {
            search: kernels.launcher("search", &args)?,
            adders: spaces.adders(&kernels, &rows.collect::<Vec<_>>())?,
            spaces,
            sampling: sampling.then(|| (Vec::new(), n)),
            kernel_numbers: None,
        };
        Ok(parts.engine(session, prepared, plan))
    }
}
