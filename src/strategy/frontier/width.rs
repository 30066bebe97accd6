//! The second number of the search kernels: work-items of a virtual warp, or the width from which
//! a frontier is wide.

use crate::device::{DeviceError, DeviceOptions};
use crate::prepare::Prepared;

/// Work-items of a virtual warp that can be asked for.
pub const WARP_SIZES: [u32; 4] = [4, 8, 16, 32];
/// No frontier is wider.
const NEVER: u32 = u32::MAX;
/// McLaughlin and Bader's numbers: searches whose depths are sampled, the width from which a
/// frontier is searched edge-parallel, and the factor of log2 n below which a graph is shallow.
pub const SAMPLE: usize = 512;
const WIDE: u32 = 512;
const SHALLOW: f64 = 4.0;

/// What the number is to a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// A work-item for each vertex or arc.
    One,
    /// Work-items of a virtual warp.
    OfWarp,
    /// Vertices of a frontier from which on it is searched by arcs.
    OfWideFrontier,
}

/// A number chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chosen {
    /// For the first launch.
    pub value: u32,
    /// Whether it depends on the depths of the first searches; see [`after`].
    pub sampling: bool,
}

impl Width {
    /// The number for a graph and work-groups of `group` work-items, and how it was found.
    pub fn choose(
        self,
        prepared: &Prepared,
        options: &DeviceOptions,
        group: usize,
    ) -> Result<(Chosen, String), DeviceError> {
        let fixed = |value, why| {
            let sampling = false;
            Ok((Chosen { value, sampling }, why))
        };
        match (self, options.warp_size, options.wide) {
            (Width::One, ..) => fixed(1, String::new()),
            (Width::OfWarp, Some(asked), _) if !group.is_multiple_of(asked.max(1) as usize) => {
                Err(DeviceError::Refused(format!(
                    "virtual warps of {asked} work-items do not divide a work-group of {group}; \
                     use another --warp-size or --work-group"
                )))
            }
            (Width::OfWarp, asked, _) => {
                let graph = &prepared.graph;
                let mean = graph.arcs() / graph.vertices().max(1);
                // A round of a weighted search settles few vertices: small warps take more of
                // them at once.
                let (filled, of) = match prepared.lengths {
                    Some(_) => (0, String::new()),
                    None => (mean, format!(", for a mean degree of {mean}")),
                };
                let size = asked.unwrap_or_else(|| warp_size(filled, group));
                fixed(size, format!("virtual warps of {size} work-items{of}"))
            }
            (Width::OfWideFrontier, _, Some(wide)) => fixed(
                wide,
                format!("frontiers wider than {wide} vertices by arcs, as asked"),
            ),
            (Width::OfWideFrontier, ..) if options.reproducible => {
                let depths = prepared.depths().to_vec();
                let why = "frontiers by arcs where a sample of searches says so".into();
                fixed(after(depths, prepared.graph.vertices()), why)
            }
            (Width::OfWideFrontier, ..) => {
                let why = format!(
                    "frontiers wider than {WIDE} vertices by arcs, if the median depth of the \
                     first {SAMPLE} searches is below {SHALLOW} * log2(n)"
                );
                let (value, sampling) = (NEVER, true);
                Ok((Chosen { value, sampling }, why))
            }
        }
    }
}

/// The width of a wide frontier after a sample of the depths of searches in `n` vertices.
pub fn after(mut depths: Vec<u32>, n: usize) -> u32 {
    depths.sort_unstable();
    let median = f64::from(depths.get(depths.len() / 2).copied().unwrap_or(0));
    let shallow = median < SHALLOW * (n.max(2) as f64).log2();
    if shallow { WIDE } else { NEVER }
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
            let mut depths = vec![0; 100];
            depths.resize(SAMPLE, depth);
            assert_eq!(after(depths, 1024), decision);
        }
    }

    #[test]
    fn hybrid_asked_for_a_width_takes_no_sample() {
        let prepared = Prepared::bare(crate::graph::Csr::empty(1));
        let options = DeviceOptions {
            wide: Some(3),
            ..DeviceOptions::default()
        };
        let choose = |options| {
            Width::OfWideFrontier
                .choose(&prepared, options, 8)
                .unwrap()
                .0
        };
        let (asked, own) = (choose(&options), choose(&DeviceOptions::default()));
        assert_eq!((asked.value, asked.sampling), (3, false));
        assert_eq!((own.value, own.sampling), (NEVER, true));
    }

    #[test]
    fn a_warp_that_does_not_divide_the_work_group_is_refused() {
        let prepared = Prepared::bare(crate::graph::Csr::empty(1));
        let options = DeviceOptions {
            warp_size: Some(16),
            ..DeviceOptions::default()
        };
        let refused = Width::OfWarp.choose(&prepared, &options, 40).unwrap_err();
        assert!(
            refused
                .to_string()
                .starts_with("virtual warps of 16 work-items")
        );
    }
}
