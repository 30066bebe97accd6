//! The kernel files: which texts make a program, and which programs a strategy needs.

use super::{LengthType, Strategy};
use crate::device::DeviceOptions;

/// The kernels of one strategy: a program.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// Whose they are.
    pub strategy: Strategy,
    /// What the names of its kernels start with. Of several that fit a name, the longest counts.
    pub prefix: &'static str,
    /// OpenCL C, to be built behind `common.cl`, in this order.
    pub texts: &'static [&'static str],
    /// Whether a CPU's compiler may optimise it. PoCL 3.1 (LLVM 15) miscompiles the loops with
    /// barriers of `lanes.cl`: the self-test fails with 64 and 128 lanes in a tile, in ways that
    /// change with every edit. Unoptimised, and in oclgrind, the same kernels are right.
    pub optimise_for_cpu: bool,
    /// Of kernels for weighted graphs: what lengths they are for.
    pub lengths: Option<LengthType>,
}

const CHAINS_ROWS: &str = include_str!("../../cl/chains_rows.cl");
const CHAINS_SWEEP: &str = include_str!("../../cl/chains_sweep.cl");
const COMMON: &str = include_str!("../../cl/common.cl");
const ROOT_PER_DEVICE: &str = include_str!("../../cl/root_per_device.cl");
const ROOT_PER_GROUP: &str = include_str!("../../cl/root_per_group.cl");
const CLAIM: &str = include_str!("../../cl/claim.cl");
const FRONTIER: &str = include_str!("../../cl/frontier.cl");
const LOCAL: &str = include_str!("../../cl/local.cl");
const TILES: &str = include_str!("../../cl/tiles.cl");

const LENGTHS: &str = include_str!("../../cl/lengths.cl");
const WEIGHTED: &str = include_str!("../../cl/weighted.cl");
const WEIGHTED_FRONTIER: &str = include_str!("../../cl/weighted_frontier.cl");
const WEIGHTED_VERTEX: &str = include_str!("../../cl/weighted_vertex.cl");
const WEIGHTED_WORK_EFFICIENT: &str = include_str!("../../cl/weighted_work_efficient.cl");
const WEIGHTED_WARP: &str = include_str!("../../cl/weighted_warp.cl");

/// The kernels of a strategy for weighted graphs, for lengths of a type; `bits` as in
/// `cl/lengths.cl`.
macro_rules! weighted {
    ($strategy:ident, $name:literal, $lengths:ident, $bits:literal, $($text:expr),+) => {
        Source {
            strategy: Strategy::$strategy,
            prefix: concat!("weighted_", $name, "_"),
            texts: &[
                concat!(
                    "#define LENGTHS ", $bits,
                    "\n#define NAMED(name) weighted_", $name, "_##name\n",
                ),
                LENGTHS,
                CLAIM,
                WEIGHTED,
                $($text),+
            ],
            optimise_for_cpu: false,
            lengths: Some(LengthType::$lengths),
        }
    };
}

/// All kernels.
pub const SOURCES: [Source; 19] = [
    Source {
        strategy: Strategy::Virtual,
        prefix: "virtual_",
        texts: &[
            "#define NAMED(name) virtual_##name\n",
            ROOT_PER_DEVICE,
            include_str!("../../cl/virtual.cl"),
        ],
        optimise_for_cpu: true,
        lengths: None,
    },
    Source {
        strategy: Strategy::Lanes,
        prefix: "lanes_",
        texts: &[
            include_str!("../../cl/lanes.cl"),
            include_str!("../../cl/lanes_forward.cl"),
            include_str!("../../cl/lanes_backward.cl"),
            include_str!("../../cl/lanes_arcs.cl"),
        ],
        optimise_for_cpu: false,
        lengths: None,
    },
    Source {
        strategy: Strategy::Vertex,
        prefix: "vertex_",
        texts: &[
            "#define NAMED(name) vertex_##name\n",
            CLAIM,
            ROOT_PER_GROUP,
            include_str!("../../cl/vertex.cl"),
        ],
        optimise_for_cpu: false,
        lengths: None,
    },
    Source {
        strategy: Strategy::Edge,
        prefix: "edge_",
        texts: &[
            "#define NAMED(name) edge_##name\n",
            CLAIM,
            ROOT_PER_GROUP,
            TILES,
            include_str!("../../cl/edge.cl"),
        ],
        optimise_for_cpu: false,
        lengths: None,
    },
    Source {
        strategy: Strategy::EdgeDevice,
        prefix: "edge_device_",
        texts: &[
            "#define NAMED(name) edge_device_##name\n",
            ROOT_PER_DEVICE,
            TILES,
            include_str!("../../cl/edge_device.cl"),
        ],
        optimise_for_cpu: false,
        lengths: None,
    },
    Source {
        strategy: Strategy::WorkEfficient,
        prefix: "work_efficient_",
        texts: &[
            "#define NAMED(name) work_efficient_##name\n",
            CLAIM,
            ROOT_PER_GROUP,
            FRONTIER,
            include_str!("../../cl/work_efficient.cl"),
        ],
        optimise_for_cpu: false,
        lengths: None,
    },
    Source {
        strategy: Strategy::Hybrid,
        prefix: "hybrid_",
        texts: &[
            "#define NAMED(name) hybrid_##name\n",
            CLAIM,
            ROOT_PER_GROUP,
            FRONTIER,
            TILES,
            include_str!("../../cl/hybrid.cl"),
        ],
        optimise_for_cpu: false,
        lengths: None,
    },
    Source {
        strategy: Strategy::Warp,
        prefix: "warp_",
        texts: &[
            "#define NAMED(name) warp_##name\n",
            CLAIM,
            ROOT_PER_GROUP,
            FRONTIER,
            include_str!("../../cl/warp.cl"),
        ],
        optimise_for_cpu: false,
        lengths: None,
    },
    Source {
        strategy: Strategy::Local,
        prefix: "local_",
        texts: &[
            CLAIM,
            "#define RECORD 4\n",
            LOCAL,
            "#undef RECORD\n#define RECORD 8\n",
            LOCAL,
        ],
        optimise_for_cpu: false,
        lengths: None,
    },
    Source {
        strategy: Strategy::Chains,
        prefix: "chains_",
        texts: &[CLAIM, CHAINS_ROWS, CHAINS_SWEEP],
        optimise_for_cpu: false,
        lengths: None,
    },
    weighted!(Vertex, "u32_vertex", U32, "32", WEIGHTED_VERTEX),
    weighted!(Vertex, "u64_vertex", U64, "64", WEIGHTED_VERTEX),
    weighted!(Vertex, "f64_vertex", F64, "0", WEIGHTED_VERTEX),
    weighted!(
        WorkEfficient,
        "u32_work_efficient",
        U32,
        "32",
        WEIGHTED_FRONTIER,
        WEIGHTED_WORK_EFFICIENT
    ),
    weighted!(
        WorkEfficient,
        "u64_work_efficient",
        U64,
        "64",
        WEIGHTED_FRONTIER,
        WEIGHTED_WORK_EFFICIENT
    ),
    weighted!(
        WorkEfficient,
        "f64_work_efficient",
        F64,
        "0",
        WEIGHTED_FRONTIER,
        WEIGHTED_WORK_EFFICIENT
    ),
    weighted!(
        Warp,
        "u32_warp",
        U32,
        "32",
        WEIGHTED_FRONTIER,
        WEIGHTED_WARP
    ),
    weighted!(
        Warp,
        "u64_warp",
        U64,
        "64",
        WEIGHTED_FRONTIER,
        WEIGHTED_WARP
    ),
    weighted!(Warp, "f64_warp", F64, "0", WEIGHTED_FRONTIER, WEIGHTED_WARP),
];

/// What [`Strategy::Auto`] chooses most; the programs of others are built when they are chosen.
pub(super) const AUTO: &[Strategy] = &[Strategy::Lanes, Strategy::Local, Strategy::Chains];
/// The same for weighted graphs.
pub(super) const AUTO_WEIGHTED: &[Strategy] = &[Strategy::Warp];

impl Source {
    /// The whole program. One string: cl3 0.13 hands several over wrongly (fat pointers for thin
    /// ones).
    pub fn text(&self) -> String {
        let mut text = COMMON.to_string();
        for part in self.texts {
            text.push('\n');
            text.push_str(part);
        }
        text
    }

    /// Position in [`SOURCES`] of the program that has a kernel.
    pub fn of_kernel(name: &str) -> Option<usize> {
        (0..SOURCES.len())
            .filter(|&i| name.starts_with(SOURCES[i].prefix))
            .max_by_key(|&i| SOURCES[i].prefix.len())
    }

    /// Whether a strategy may launch these kernels. Programs are built before the graph is there,
    /// so before `auto` has chosen, and a build is too dear to make one that nobody can need. Of
    /// weighted graphs most have short integers as lengths; programs for others are built when the
    /// graph is known.
    pub fn needed_by(&self, asked: Strategy, options: &DeviceOptions) -> bool {
        let expected = options.weighted.then_some(LengthType::U32);
        if self.lengths != expected || options.count_edges && !self.strategy.counts_edges() {
            return false;
        }
        let needs = |strategy: Strategy| match strategy {
            // Searches too deep for lanes go to virtual.
            Strategy::Lanes => matches!(self.strategy, Strategy::Lanes | Strategy::Virtual),
            other => self.strategy == other,
        };
        match asked {
            Strategy::Auto => asked
                .candidates(options.weighted)
                .iter()
                .any(|&candidate| needs(candidate)),
            asked => needs(asked),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needed(asked: Strategy) -> Vec<&'static str> {
        needed_for(asked, &DeviceOptions::default())
    }

    fn needed_for(asked: Strategy, options: &DeviceOptions) -> Vec<&'static str> {
        let needed = |source: &&Source| source.needed_by(asked, options);
        let sources = SOURCES.iter().filter(needed);
        sources.map(|source| source.prefix).collect()
    }

    #[test]
    fn only_what_can_be_launched_is_built() {
        assert_eq!(
            needed(Strategy::Auto),
            ["virtual_", "lanes_", "local_", "chains_"]
        );
        let edges = DeviceOptions {
            count_edges: true,
            ..DeviceOptions::default()
        };
        assert_eq!(
            needed_for(Strategy::Auto, &edges),
            ["virtual_", "lanes_", "local_"]
        );
        assert_eq!(needed(Strategy::Lanes), ["virtual_", "lanes_"]);
        assert_eq!(needed(Strategy::Virtual), ["virtual_"]);
        assert_eq!(needed(Strategy::Edge), ["edge_"]);
        assert_eq!(needed(Strategy::EdgeDevice), ["edge_device_"]);
        assert_eq!(needed(Strategy::Warp), ["warp_"]);
        let weighted = DeviceOptions {
            weighted: true,
            ..DeviceOptions::default()
        };
        assert_eq!(
            needed_for(Strategy::Warp, &weighted),
            ["weighted_u32_warp_"]
        );
        assert_eq!(
            needed_for(Strategy::Auto, &weighted),
            ["weighted_u32_warp_"]
        );
    }

    #[test]
    fn kernels_are_found_by_the_longest_prefix() {
        let prefix = |name| Source::of_kernel(name).map(|i| SOURCES[i].prefix);
        assert_eq!(prefix("edge_search"), Some("edge_"));
        assert_eq!(prefix("edge_device_forward"), Some("edge_device_"));
        let weighted = "weighted_f64_warp_search";
        assert_eq!(prefix(weighted), Some("weighted_f64_warp_"));
        assert_eq!(prefix("nothing_known"), None);
    }
}
