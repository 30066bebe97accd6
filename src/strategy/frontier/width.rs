//! Parameter `width` of the search kernels: the work-items of a virtual warp, or the vertices of
//! the widest frontier that is not searched by arcs.

use crate::device::{DeviceError, DeviceOptions};
use crate::prepare::{Prepared, depth};

/// The sizes of virtual warps that the user may choose.
pub const WARP_SIZES: [u32; 4] = [4, 8, 16, 32];
/// A width that no frontier exceeds.
const NEVER: u32 = u32::MAX;
/// The number of searches whose depths are sampled. [`SAMPLE`], [`WIDE`] and [`SHALLOW`] have the
/// values of McLaughlin and Bader.
pub const SAMPLE: usize = 512;
/// On shallow graphs, frontiers of more vertices than this are searched by arcs.
const WIDE: u32 = 512;
/// The factor of log2 n below which a median depth is shallow.
const SHALLOW: f64 = 4.0;

/// The meaning of `width` in a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// Always 1: a work-item takes a vertex or an arc.
    One,
    /// The number of work-items of a virtual warp.
    OfWarp,
    /// The number of vertices of the widest frontier that is not searched by arcs.
    OfWideFrontier,
}

impl Width {
    /// Chooses the kernel argument `width` of the first launch, for a graph and work-groups of
    /// `group` work-items. Also returns whether the depths of the first searches change it later
    /// (see [`after_sample`]), and a description for the report.
    ///
    /// # Errors
    /// If the size of virtual warps that the user chose does not divide the work-group.
    pub fn choose(
        self,
        prepared: &Prepared,
        options: &DeviceOptions,
        group: usize,
    ) -> Result<(u32, bool, String), DeviceError> {
        let (graph, mut sampling) = (&prepared.graph, false);
        let (value, why) = match self {
            Width::One => (1, String::new()),
            Width::OfWarp => {
                // Weighted searches get the smallest warps: a work-group of them takes most of the
                // vertices that a round settles at once.
                let row_arcs = match prepared.lengths {
                    Some(_) => 0,
                    None => graph.arcs() / graph.vertices().max(1),
                };
                let size =
                    (options.numbers.warp_size).unwrap_or_else(|| warp_size(row_arcs, group));
                if !group.is_multiple_of(size.max(1) as usize) {
                    return Err(DeviceError::Refused(format!(
                        "virtual warps of {size} work-items do not divide a work-group of \
                         {group}; use another --warp-size or --work-group"
                    )));
                }
                (size, format!("virtual warps of {size} work-items"))
            }
            Width::OfWideFrontier => {
                if let Some(wide) = options.wide {
                    let why = format!("frontiers wider than {wide} vertices by arcs, as requested");
                    return Ok((wide, false, why));
                }
                sampling = !options.reproducible;
                let value = match sampling {
                    true => NEVER,
                    false => after_sample(prepared.depths().to_vec(), graph.vertices()),
                };
                let why = format!(
                    "frontiers wider than {WIDE} vertices by arcs, if the median depth of a sample \
                     of searches is below {SHALLOW} * log2(n)"
                );
                (value, why)
            }
        };
        Ok((value, sampling, why))
    }
}

/// Returns the `width` of [`Width::OfWideFrontier`] after a sample of the depths of searches in a
/// graph of `n` vertices.
pub fn after_sample(mut depths: Vec<u32>, n: usize) -> u32 {
    depths.sort_unstable();
    let median = f64::from(depth::median(&depths));
    let is_shallow = median < SHALLOW * (n.max(2) as f64).log2();
    if is_shallow { WIDE } else { NEVER }
}

/// Returns the largest size of virtual warps that divides the work-group and that a row of
/// `mean_degree` arcs fills; at least the smallest size, or 1 if no size divides the work-group.
fn warp_size(mean_degree: usize, work_group: usize) -> u32 {
    let sizes = WARP_SIZES.into_iter();
    let sizes = sizes.filter(|&size| work_group.is_multiple_of(size as usize));
    let sizes = sizes.filter(|&size| size == WARP_SIZES[0] || size as usize <= mean_degree);
    sizes.max().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn virtual_warps_follow_the_mean_degree_and_divide_the_work_group() {
        for (degree, group, size) in [
            (2, 256, 4),
            (7, 256, 4),
            (8, 256, 8),
            (500, 256, 32),
            (500, 24, 8),
            (500, 7, 1),
        ] {
            assert_eq!(warp_size(degree, group), size);
        }
        let prepared = Prepared::bare(crate::graph::Csr::empty(1));
        let mut options = DeviceOptions::default();
        options.numbers.warp_size = Some(16);
        let refused = Width::OfWarp.choose(&prepared, &options, 40).unwrap_err();
        assert!(
            refused
                .to_string()
                .starts_with("virtual warps of 16 work-items")
        );
    }

    #[test]
    fn hybrid_decides_after_its_sample_unless_it_is_asked_for_a_width() {
        for (depth, decision) in [(39, WIDE), (40, NEVER), (4000, NEVER)] {
            let mut depths = vec![0; 100];
            depths.resize(SAMPLE, depth);
            assert_eq!(after_sample(depths, 1024), decision);
        }
        let prepared = Prepared::bare(crate::graph::Csr::empty(1));
        let mut options = DeviceOptions::default();
        for (wide, chosen) in [(None, (NEVER, true)), (Some(3), (3, false))] {
            options.wide = wide;
            let width = Width::OfWideFrontier.choose(&prepared, &options, 8);
            let (value, sampling, _) = width.unwrap();
            assert_eq!((value, sampling), chosen);
        }
    }
}
