//! The comparison of a device with a core: both search from the same few roots.

use crate::cpu::{self, CpuEngine, CpuOptions};
use crate::device::DeviceError;
use crate::engine::{Engine, EngineError, OwnSums, Precision, Root};
use crate::prepare::Prepared;

/// Dependencies smaller than this fraction of the largest one have the absolute tolerance of a
/// dependency of that size.
const SMALL: f64 = 1e-3;

/// Searches from `count` evenly spread roots, or groups of roots that serve chains together, by
/// the engine of a device and by a CPU engine, and compares the sums. The device must have no roots
/// in flight and no sums to collect; the comparison leaves none.
///
/// # Errors
/// [`DeviceError::Spoiled`] if the sums differ, and the errors of both engines.
pub(super) fn compare(
    device: &mut dyn Engine,
    prepared: &Prepared,
    (count, precision): (usize, Precision),
) -> Result<(), EngineError> {
    let options = CpuOptions {
        engine: CpuEngine::Plain,
        ..CpuOptions::default()
    };
    let plan = cpu::plan(prepared, &options, 1);
    let mut core = cpu::engine(prepared, &plan);
    // The sums of a served source are complete only when all roots of its group are searched.
    let group = prepared.chains.as_ref().map_or(1, |_| prepared.root_group);
    let groups: Vec<&[Root]> = prepared.roots.chunks(group).collect();
    let count = count.min(groups.len());
    for number in 0..count {
        let roots = groups[(2 * number + 1) * groups.len() / (2 * count)];
        let (mut by_device, mut by_core) = (prepared.zero_sums(), prepared.zero_sums());
        device.search(roots)?;
        device.collect(&mut by_device.lend())?;
        core.search(roots)?;
        core.collect(&mut by_core.lend())?;
        if !are_close(&by_device, &by_core, precision.tolerance()) {
            let what = "a search from the same root on a core gave other sums".into();
            return Err(DeviceError::Spoiled(what).into());
        }
    }
    Ok(())
}

fn are_close(one: &OwnSums, other: &OwnSums, tolerance: f64) -> bool {
    let close = |one: &[f64], other: &[f64]| {
        let largest = other.iter().copied().fold(0.0, f64::max);
        let close = |(a, b): (&f64, &f64)| (a - b).abs() <= tolerance * b.max(SMALL * largest);
        one.len() == other.len() && one.iter().zip(other).all(close)
    };
    let arcs = one.arcs.as_deref().unwrap_or_default();
    let other_arcs = other.arcs.as_deref().unwrap_or_default();
    close(&one.vertices, &other.vertices) && close(arcs, other_arcs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Sums;
    use crate::graph::generate;
    use crate::prepare::{PrepareOptions, prepare};

    /// An engine whose sums are multiplied by a factor.
    struct Scaled<E>(E, f64);

    impl<E: Engine> Engine for Scaled<E> {
        fn roots_wanted(&self) -> usize {
            1
        }

        fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
            self.0.search(roots)
        }

        fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
            self.0.collect(sums)?;
            sums.vertices.iter_mut().for_each(|sum| *sum *= self.1);
            Ok(())
        }
    }

    #[test]
    fn an_engine_that_differs_a_little_is_detected() {
        let graph = generate::grid(6, 7, 0.0, 1).unwrap();
        let prepared = prepare(&graph, &PrepareOptions::default()).unwrap();
        let plan = cpu::plan(&prepared, &CpuOptions::default(), 1);
        let compare = |scale, count| {
            let mut engine = Scaled(cpu::engine(&prepared, &plan), scale);
            compare(&mut engine, &prepared, (count, Precision::F64))
        };
        assert!(compare(1.0, 5).is_ok() && compare(1.0, 1000).is_ok());
        assert!(compare(1.0001, 1).is_err() && compare(f64::NAN, 1).is_err());
        assert!(compare(1.0001, 0).is_ok());
    }
}
