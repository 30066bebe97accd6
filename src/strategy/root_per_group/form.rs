//! In what the strategies with one work-group per root differ, as far as the host is concerned.

use crate::device::{DeviceError, DeviceOptions};
use crate::engine::Precision;
use crate::prepare::Prepared;
use crate::strategy::Strategy;

/// Work-items of a virtual warp that can be asked for.
pub const WARP_SIZES: [u32; 4] = [4, 8, 16, 32];
/// A knob that no frontier is wider than.
pub const NEVER: u32 = u32::MAX;
/// McLaughlin and Bader's numbers: searches whose depths are sampled, the width from which a
/// frontier is searched edge-parallel, and the factor of log2 n below which a graph is shallow.
const SAMPLE: usize = 512;
const WIDE: u32 = 512;
const SHALLOW: f64 = 4.0;

/// One of the strategies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A work-item per vertex.
    Vertex,
    /// A work-item per arc.
    Edge,
    /// A work-item per vertex of the frontier.
    WorkEfficient,
    /// The same, wide frontiers by arcs.
    Hybrid,
    /// A virtual warp per vertex of the frontier.
    Warp,
}

impl Form {
    /// As users know it.
    pub fn strategy(self) -> Strategy {
        match self {
            Form::Vertex => Strategy::Vertex,
            Form::Edge => Strategy::Edge,
            Form::WorkEfficient => Strategy::WorkEfficient,
            Form::Hybrid => Strategy::Hybrid,
            Form::Warp => Strategy::Warp,
        }
    }

    /// The kernel that searches.
    pub fn kernel(self) -> &'static str {
        match self {
            Form::Vertex => "vertex_search",
            Form::Edge => "edge_search",
            Form::WorkEfficient => "work_efficient_search",
            Form::Hybrid => "hybrid_search",
            Form::Warp => "warp_search",
        }
    }

    /// The kernel that adds up the slots' scores.
    pub fn add_kernel(self) -> &'static str {
        match self {
            Form::Vertex => "vertex_add_slots",
            Form::Edge => "edge_add_slots",
            Form::WorkEfficient => "work_efficient_add_slots",
            Form::Hybrid => "hybrid_add_slots",
            Form::Warp => "warp_add_slots",
        }
    }

    /// Whether work-items take arcs, whose tails they then have to know.
    pub fn by_arcs(self) -> bool {
        matches!(self, Form::Edge | Form::Hybrid)
    }

    fn has_frontier(self) -> bool {
        matches!(self, Form::WorkEfficient | Form::Hybrid | Form::Warp)
    }

    /// What one slot needs for a graph of `n` vertices, in the order of the kernels' parameters.
    pub fn slot_buffers(self, n: usize, precision: Precision) -> [(&'static str, u64); 7] {
        let words = |count: usize| 4 * count as u64;
        let reals = (precision.bytes() * n) as u64;
        // A path of n vertices has n levels, whose ends `cl/frontier.cl` keeps.
        let frontier = |count: usize| {
            if self.has_frontier() { words(count) } else { 0 }
        };
        [
            ("levels of all slots", words(n)),
            ("path counts of all slots", reals),
            ("coefficients of all slots", reals),
            ("frontiers of all slots", frontier(n)),
            ("level ends of all slots", frontier(n + 2)),
            ("seen vertices of all slots", frontier(n / 32 + 1)),
            ("scores of all slots", reals),
        ]
    }

    /// The number of its own that its kernel gets, and how it was found.
    pub fn knob(
        self,
        prepared: &Prepared,
        options: &DeviceOptions,
        group: usize,
    ) -> Result<(Knob, String), DeviceError> {
        match self {
            Form::Warp => {
                let graph = &prepared.graph;
                let mean = graph.arcs() / graph.vertices().max(1);
                let size = match options.warp_size {
                    Some(asked) if !group.is_multiple_of(asked.max(1) as usize) => {
                        return Err(DeviceError::WarpSize { asked, group });
                    }
                    Some(asked) => asked,
                    // A round of a weighted search settles few vertices: small warps take more of
                    // them at once.
                    None if prepared.lengths.is_some() => warp_size(0, group),
                    None => warp_size(mean, group),
                };
                let why = match prepared.lengths {
                    Some(_) => format!("virtual warps of {size} work-items"),
                    None => {
                        format!("virtual warps of {size} work-items, for a mean degree of {mean}")
                    }
                };
                Ok((Knob::Fixed(size), why))
            }
            Form::Hybrid => {
                if let Some(wide) = options.wide {
                    let why = format!("frontiers wider than {wide} vertices by arcs, as asked");
                    return Ok((Knob::Fixed(wide), why));
                }
                let why = format!(
                    "frontiers wider than {WIDE} vertices by arcs, if the median depth of the \
                     first {SAMPLE} searches is below {SHALLOW} * log2(n)"
                );
                Ok((Knob::Sampling(Vec::new()), why))
            }
            _ => Ok((Knob::Fixed(NEVER), String::new())),
        }
    }
}

/// The largest size that an average row fills, of those that divide a work-group.
fn warp_size(mean_degree: usize, work_group: usize) -> u32 {
    WARP_SIZES
        .into_iter()
        .filter(|&size| work_group.is_multiple_of(size as usize))
        .filter(|&size| size == WARP_SIZES[0] || size as usize <= mean_degree)
        .max()
        .unwrap_or(1)
}

/// The number that a kernel gets, and how it changes.
#[derive(Debug, PartialEq, Eq)]
pub enum Knob {
    /// It does not.
    Fixed(u32),
    /// The depths sampled so far; meanwhile, [`NEVER`].
    Sampling(Vec<u32>),
}

impl Knob {
    /// For the next launch.
    pub fn value(&self) -> u32 {
        match self {
            Knob::Fixed(value) => *value,
            Knob::Sampling(_) => NEVER,
        }
    }

    /// Most roots of the next launch.
    pub fn room(&self) -> usize {
        match self {
            Knob::Fixed(_) => usize::MAX,
            Knob::Sampling(depths) => SAMPLE - depths.len(),
        }
    }

    /// Looks at the depths of searches that have ended, in a graph of `n` vertices.
    pub fn searched(&mut self, depths: &[u32], n: usize) {
        let Knob::Sampling(sample) = self else {
            return;
        };
        sample.extend(depths);
        if sample.len() >= SAMPLE {
            sample.sort_unstable();
            let median = f64::from(sample[sample.len() / 2]);
            let shallow = median < SHALLOW * (n.max(2) as f64).log2();
            *self = Knob::Fixed(if shallow { WIDE } else { NEVER });
        }
    }

    /// Work-items of a virtual warp, where there are such.
    pub fn warp_size(&self, form: Form) -> Option<u32> {
        match self {
            Knob::Fixed(size) if form == Form::Warp => Some(*size),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn virtual_warps_follow_the_mean_degree_and_divide_the_work_group() {
        assert_eq!(warp_size(2, 256), 4);
        assert_eq!(warp_size(7, 256), 4);
        assert_eq!(warp_size(8, 256), 8);
        assert_eq!(warp_size(500, 256), 32);
        assert_eq!(warp_size(500, 24), 8);
        assert_eq!(warp_size(500, 7), 1);
    }

    #[test]
    fn hybrid_decides_after_its_sample() {
        for (depth, decision) in [(39, WIDE), (40, NEVER), (4000, NEVER)] {
            let mut knob = Knob::Sampling(Vec::new());
            knob.searched(&[0; 100], 1024);
            assert_eq!((knob.value(), knob.room()), (NEVER, SAMPLE - 100));
            knob.searched(&vec![depth; knob.room()], 1024);
            assert_eq!(knob, Knob::Fixed(decision));
            knob.searched(&[1; 2000], 1024);
            assert_eq!((knob.value(), knob.room()), (decision, usize::MAX));
        }
    }

    #[test]
    fn hybrid_asked_for_a_width_takes_no_sample() {
        let prepared = Prepared::bare(crate::graph::Csr::empty(1));
        let options = DeviceOptions {
            wide: Some(3),
            ..DeviceOptions::default()
        };
        let (knob, _) = Form::Hybrid.knob(&prepared, &options, 8).unwrap();
        assert_eq!(knob, Knob::Fixed(3));
    }

    #[test]
    fn a_warp_that_does_not_divide_the_work_group_is_refused() {
        let prepared = Prepared::bare(crate::graph::Csr::empty(1));
        let options = DeviceOptions {
            warp_size: Some(16),
            ..DeviceOptions::default()
        };
        let refused = Form::Warp.knob(&prepared, &options, 40).unwrap_err();
        assert_eq!(
            refused,
            DeviceError::WarpSize {
                asked: 16,
                group: 40
            }
        );
    }
}
