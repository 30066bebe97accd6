//! Batches of eight neighbouring roots, for deep graphs with or without lengths.
//!
//! Levels of a deep graph are small, and a vertex is hardly ever on the same level of several
//! roots, so [`super::lanes`] can share nothing there. But seen from neighbouring roots, nearly
//! every arc leads away from all of them or from none. So the vertices are visited in one order for
//! the whole batch, once each for all lanes, whatever their distances are. Each arc is read three
//! times for eight roots: to find distances, to add path counts, and to add dependencies.
//!
//! Where an order does not suit all roots, a vertex is visited several times, for some of the lanes
//! each time. A batch that needs too many such visits, such as one of roots far apart, is aborted
//! and left to the engine that searches from a root at a time.

mod arrays;
mod counts;
mod dependencies;
mod net;
mod sweep;

use std::time::Instant;

use super::claim_size::ClaimSize;
use super::halt;
use super::lanes::Simd;
use super::simd::{BatchSearch, Vectors};
use super::weighted::arcs::Arc;
use super::{plain, root_by_root};
use crate::cpu::back_off::BackOff;
use crate::engine::{Engine, EngineError, OwnSums, Root, Sums};
use crate::prepare::{Prepared, ROOT_GROUP};
use arrays::{Arrays, Numbers};
use net::{Net, Nets};

pub use arrays::LANES;
pub use net::fits;

// The roots of a group fill a batch.
const _: () = assert!(LANES == ROOT_GROUP);

/// A batch takes about as long as this many searches from a single root, so a batch of at most this
/// many roots is searched one root at a time.
const MOST_ALONE: usize = 3;

/// Estimates the bytes that an engine holds for this graph.
pub fn bytes(prepared: &Prepared) -> usize {
    let (n, arcs) = (prepared.graph.vertices(), prepared.graph.arcs());
    let graphs = 1 + usize::from(prepared.reverse.is_some());
    let lengths = usize::from(prepared.lengths.is_some()) * graphs * size_of::<Arc<u32>>();
    let copies = usize::from(prepared.passes().len() > 1) * size_of::<Numbers>();
    let sums = prepared.sum_bytes();
    Arrays::bytes(n) + n * copies + arcs * lengths + sums + root_by_root::bytes(prepared)
}

/// Makes the engine for a graph that [`fits`], with its memory allocated; `None` if its lengths are
/// of another type or need too many buckets. Searches panic if this machine does not have `simd`.
pub fn engine(prepared: &Prepared, simd: Simd) -> Option<Box<dyn Engine + '_>> {
    Some(Box::new(Clustered::new(prepared, simd)?))
}

struct Clustered<'g> {
    prepared: &'g Prepared,
    simd: Simd,
    nets: Nets<'g>,
    arrays: Arrays,
    sums: OwnSums,
    /// The engine for roots that are not searched in batches, made when it is first needed.
    alone: Option<Box<dyn Engine + 'g>>,
    back_off: BackOff,
    claim: ClaimSize,
}

impl<'g> Clustered<'g> {
    fn new(prepared: &'g Prepared, simd: Simd) -> Option<Self> {
        Some(Clustered {
            prepared,
            simd,
            nets: Nets::new(prepared)?,
            arrays: Arrays::new(&prepared.graph, prepared.lengths.is_some()),
            sums: prepared.zero_sums(),
            alone: None,
            back_off: BackOff::default(),
            claim: ClaimSize::default(),
        })
    }
}

impl BatchSearch for Clustered<'_> {
    /// Searches from all roots or, if the batch is aborted, from none. Returns a bit for each lane
    /// that was not searched: none or all.
    #[inline(always)]
    fn batch<V: Vectors>(&mut self, roots: &[Root]) -> Result<u64, EngineError> {
        let arrays = &mut self.arrays;
        let to = (self.prepared, &mut self.sums);
        let limit = self.prepared.search_limit() as u32;
        arrays.begin(roots);
        let searched = match &mut self.nets {
            Nets::Levels { out, into } => {
                let swept = arrays.sweep_levels::<V>(out, limit);
                swept && finish::<V>(arrays, (*out, *into), to)
            }
            Nets::Lengths { out, into, queue } => {
                let swept = arrays.sweep_lengths::<V>(out, queue, limit);
                let nets = (&*out, into.as_ref().unwrap_or(out));
                swept && finish::<V>(arrays, nets, to)
            }
        };
        arrays.clear(!searched);
        Ok(if searched { 0 } else { u64::MAX })
    }
}

/// Counts paths and adds dependencies, once distances and order are known. Returns `false` if the
/// batch is aborted.
#[inline(always)]
fn finish<V: Vectors>(
    arrays: &mut Arrays,
    nets: (&impl Net, &impl Net),
    (prepared, sums): (&Prepared, &mut OwnSums),
) -> bool {
    let (passes, multiplicities) = (prepared.passes(), prepared.multiplicities());
    // A version without multiplicities is compiled for graphs without twins, because multiplicities
    // occupy registers that the loops over arcs need.
    let has_twins = prepared.multiplicity.is_some();
    let counted = match has_twins {
        _ if passes.is_empty() => true,
        true => arrays.count_paths::<V, true>(nets, multiplicities),
        false => arrays.count_paths::<V, false>(nets, multiplicities),
    };
    if !counted {
        return false;
    }
    if passes.len() > 1 {
        arrays.save_counts();
    }
    let out = nets.0;
    for (number, pass) in passes.iter().enumerate() {
        if number > 0 {
            arrays.restore_counts();
        }
        let mut sums = sums.lend();
        let (sums, pass) = (sums.of_pass(number, &prepared.graph), (prepared, pass));
        // The constants: all pairs count (no query), arcs are counted, vertices may be twins.
        match (&prepared.query, sums.arcs.is_some()) {
            (None, true) if has_twins => arrays.add::<V, true, true, true>(out, pass, sums),
            (None, false) if has_twins => arrays.add::<V, true, false, true>(out, pass, sums),
            (None, true) => arrays.add::<V, true, true, false>(out, pass, sums),
            (None, false) => arrays.add::<V, true, false, false>(out, pass, sums),
            (Some(_), true) => arrays.add::<V, false, true, false>(out, pass, sums),
            (Some(_), false) => arrays.add::<V, false, false, false>(out, pass, sums),
        }
    }
    if let Some(query) = &prepared.query {
        let factors = prepared.factors(&arrays.roots);
        arrays.add_distances(query, &factors, &mut sums.vertices);
    }
    if prepared.count_endpoints {
        arrays.count_endpoints(&mut sums.vertices);
    }
    true
}

impl Engine for Clustered<'_> {
    fn roots_wanted(&self) -> usize {
        self.claim.size * LANES
    }

    fn roots_together(&self) -> usize {
        LANES
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let start = Instant::now();
        let mut rest = Vec::new();
        for roots in roots.chunks(LANES) {
            halt::check()?;
            let mut searched = roots.len() > MOST_ALONE && self.back_off.allows();
            if searched {
                searched = self.simd.batch(self, roots)? == 0;
                self.back_off.learn(searched);
            }
            if !searched {
                rest.extend_from_slice(roots);
            }
        }
        let mut result = Ok(());
        if !rest.is_empty() {
            let prepared = self.prepared;
            let alone = self.alone.get_or_insert_with(|| plain::engine(prepared));
            result = alone.search(&rest);
        }
        self.claim.adjust(start);
        result
    }

    fn forget(&mut self) {
        self.back_off = BackOff::default();
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        self.sums.move_to(sums);
        match &mut self.alone {
            Some(engine) => engine.collect(sums),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::CpuEngine;
    use crate::cpu::tests::{close, collected, fast, set_lengths};
    use crate::graph::{Lengths, Vertex, generate};

    fn roots(vertices: impl IntoIterator<Item = Vertex>) -> Vec<Root> {
        let root = |vertex| Root { vertex, sources: 3 };
        vertices.into_iter().map(root).collect()
    }

    #[test]
    fn roots_far_apart_are_left_to_the_other_engine() {
        let near_ones = roots([0, 1, 2, 3, 60, 61, 62, 63]);
        let far_ones = roots((0..8).map(|i| i * 509));
        let grid = generate::grid(60, 60, 0.0, 1).unwrap();
        for lengths in [false, true] {
            let mut prepared = Prepared::bare(grid.csr().clone());
            if lengths {
                set_lengths(&mut prepared, 7);
            }
            let mut alone = fast(&prepared, CpuEngine::Plain);
            for roots in [&near_ones[..], &far_ones, &near_ones, &near_ones[..5]] {
                alone.search(roots).unwrap();
            }
            let expected = collected(alone, &prepared);
            for simd in Simd::available() {
                let mut near = Clustered::new(&prepared, simd).unwrap();
                let mut batch = |roots| near.simd.batch(&mut near, roots).unwrap() == 0;
                assert!(batch(&near_ones) && !batch(&far_ones));
                // The aborted batch has left nothing in the sums or in the arrays.
                near.search(&[&far_ones[..], &near_ones, &near_ones[..5]].concat())
                    .unwrap();
                let found = collected(Box::new(near), &prepared);
                assert!(close(&found.vertices, &expected.vertices), "{simd:?}");
            }
        }
    }

    #[test]
    fn distances_have_to_fit() {
        let mut odd = vec![1; 8];
        odd[3] = 1 << 20;
        for (lengths, expected) in [
            (Lengths::U32(vec![1 << 20; 8]), true),
            (Lengths::U32(vec![1 << 30; 8]), false),
            (Lengths::F64(vec![1.0; 8]), false),
            // These lengths need too many buckets.
            (Lengths::U32(odd), false),
        ] {
            let mut cycle = Prepared::bare(generate::cycle(4).unwrap().csr().clone());
            cycle.lengths = Some(lengths);
            assert_eq!(fits(&cycle), expected, "{:?}", cycle.lengths);
        }
    }
}
