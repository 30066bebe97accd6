//! Compressed sparse rows, the representation of a graph that all engines share.

use std::mem;
use std::ops::{AddAssign, Range};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

/// The number of arcs of a parallel task.
const ARCS_PER_TASK: usize = 1 << 15;

/// The largest number of workers of [`Csr::reversed`], each of which scans every row.
const MOST_SCANS: usize = 32;

/// The number of a vertex, `0..n`. [`super::Labels`] keeps the labels of the input.
pub type Vertex = u32;

/// Adjacency in compressed sparse rows.
///
/// `offsets` has `n + 1` entries and never decreases; the arcs of vertex `v` lead to
/// `targets[offsets[v]..offsets[v + 1]]`, which is sorted and holds no `v` and no repeats.
/// An undirected edge is two arcs. Both arrays are 32 bits wide, as on the devices, so a graph
/// has fewer than 2^32 vertices and fewer than 2^32 arcs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Csr {
    offsets: Vec<u32>,
    targets: Vec<Vertex>,
}

impl Default for Csr {
    fn default() -> Self {
        Csr::empty(0)
    }
}

impl Csr {
    /// Wraps arrays that already have the layout described above.
    ///
    /// # Panics
    /// If `offsets` is empty or does not end at `targets.len()`.
    pub fn new(offsets: Vec<u32>, targets: Vec<Vertex>) -> Self {
        assert_eq!(
            offsets.last().map(|&end| end as usize),
            Some(targets.len()),
            "CSR offsets must end at the number of arcs"
        );
        Csr { offsets, targets }
    }

    /// Builds `n` rows. `arcs(v, f)` has to call `f` with each target of row `v` in ascending
    /// order; it is called twice for each row.
    pub fn of_rows(n: usize, arcs: impl Fn(usize, &mut dyn FnMut(Vertex)) + Sync) -> Self {
        let mut offsets = vec![0; n + 1];
        let lengths = offsets[..n].par_iter_mut().with_min_len(1 << 12);
        let numbered = lengths.enumerate();
        numbered.for_each(|(v, length)| arcs(v, &mut |_| *length += 1));
        counts_to_starts(&mut offsets);
        let mut targets = vec![0; offsets[n] as usize];
        by_rows(&offsets, &mut targets, |v, row| {
            let mut next = 0;
            arcs(v, &mut |u| {
                row[next] = u;
                next += 1;
            });
        });
        Csr { offsets, targets }
    }

    /// Makes a graph of `n` vertices and no arcs.
    pub fn empty(n: usize) -> Self {
        Csr::new(vec![0; n + 1], Vec::new())
    }

    /// Returns the number of vertices.
    #[inline]
    pub fn vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the number of arcs; an undirected edge counts twice.
    #[inline]
    pub fn arcs(&self) -> usize {
        self.targets.len()
    }

    /// Returns the number of arcs out of `v`.
    #[inline]
    pub fn degree(&self, v: Vertex) -> usize {
        (self.offsets[v as usize + 1] - self.offsets[v as usize]) as usize
    }

    /// Returns the largest number of arcs out of a vertex; 0 if there are no vertices.
    pub fn max_degree(&self) -> usize {
        let degrees = self.offsets.windows(2).map(|ends| ends[1] - ends[0]);
        degrees.max().unwrap_or(0) as usize
    }

    /// Returns the heads of the arcs out of `v` in ascending order.
    #[inline]
    pub fn neighbours(&self, v: Vertex) -> &[Vertex] {
        &self.targets[self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize]
    }

    /// Returns the position in [`Csr::targets`] of the arc from `tail` to `head`, or the position
    /// where it would have to be inserted.
    #[inline]
    pub fn arc(&self, tail: Vertex, head: Vertex) -> usize {
        let row = self.neighbours(tail);
        self.offsets[tail as usize] as usize + row.partition_point(|&u| u < head)
    }

    /// Returns the start of each row in [`Csr::targets`], and the end of the last one.
    #[inline]
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Returns the heads of all arcs, row after row.
    #[inline]
    pub fn targets(&self) -> &[Vertex] {
        &self.targets
    }

    /// Returns the size of the arrays in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.offsets()) + size_of_val(self.targets())
    }

    /// Returns the tail of every arc, row after row.
    pub fn tails(&self) -> Vec<Vertex> {
        let mut tails = Vec::with_capacity(self.arcs());
        for v in 0..self.vertices() as Vertex {
            tails.resize(self.offsets[v as usize + 1] as usize, v);
        }
        tails
    }

    /// Reverses all arcs: row `v` of the result lists the tails of the arcs into `v`.
    ///
    /// Each worker scans all rows for the arcs into its own range of vertices. In a sorted row,
    /// these arcs are contiguous. The worker finds the tails in ascending order, so that neither a
    /// sort nor synchronisation is needed.
    pub fn reversed(&self) -> Csr {
        let n = self.vertices();
        let workers = rayon::current_num_threads().clamp(1, MOST_SCANS);
        // Without link-time optimisation a chain of iterators takes twice as long as these loops.
        let for_each_arc = |heads: &Range<usize>, f: &mut dyn FnMut(Vertex, usize)| {
            for tail in 0..n as Vertex {
                let row = self.neighbours(tail);
                let first = row.partition_point(|&head| (head as usize) < heads.start);
                for &head in &row[first..] {
                    if head as usize >= heads.end {
                        break;
                    }
                    f(tail, head as usize - heads.start);
                }
            }
        };
        let mut offsets = vec![0u32; n + 1];
        // In-degrees are not known yet. Vertices with many arcs out tend to have many arcs in.
        let shares = cut(&self.offsets, workers);
        let ends = shares.iter().map(|heads| heads.end);
        let lengths = split(&mut offsets[..n], ends);
        let tasks = shares.into_par_iter().zip(lengths);
        tasks.for_each(|(heads, lengths)| {
            for_each_arc(&heads, &mut |_, head| lengths[head] += 1);
        });
        counts_to_starts(&mut offsets);
        let mut targets = vec![0; self.arcs()];
        let shares = cut(&offsets, workers);
        let ends = shares.iter().map(|heads| offsets[heads.end] as usize);
        let rows = split(&mut targets, ends);
        shares.into_par_iter().zip(rows).for_each(|(heads, rows)| {
            let first = offsets[heads.start];
            let mut next: Vec<u32> = offsets[heads.clone()].iter().map(|&o| o - first).collect();
            for_each_arc(&heads, &mut |tail, head| {
                rows[next[head] as usize] = tail;
                next[head] += 1;
            });
        });
        Csr { offsets, targets }
    }

    /// Returns the subgraph of the vertices in `order`, renumbered to their positions in `order`.
    /// Arcs to vertices that are not in `order` are dropped.
    pub fn induced(&self, order: &[Vertex]) -> Csr {
        const ABSENT: Vertex = Vertex::MAX;
        let n = self.vertices();
        let absent = (0..n).into_par_iter().map(|_| AtomicU32::new(ABSENT));
        let position: Vec<AtomicU32> = absent.collect();
        let numbered = order.par_iter().enumerate();
        numbered.for_each(|(new, &old)| position[old as usize].store(new as Vertex, Relaxed));
        let new = |old: Vertex| position[old as usize].load(Relaxed);

        let mut offsets = vec![0u32; order.len() + 1];
        // Counting arcs needs only a bit for each vertex, and these bits stay in the cache.
        let presence = (0..n.div_ceil(64)).into_par_iter().map(|word| {
            let first = 64 * word;
            (first..n.min(first + 64)).fold(0u64, |bits, old| {
                bits | u64::from(new(old as Vertex) != ABSENT) << (old - first)
            })
        });
        let presence: Vec<u64> = presence.collect();
        let is_present = |&&u: &&Vertex| presence[u as usize / 64] >> (u % 64) & 1 == 1;
        let lengths = offsets.par_iter_mut().zip(order);
        lengths.for_each(|(length, &old)| {
            *length = self.neighbours(old).iter().filter(is_present).count() as u32;
        });
        counts_to_starts(&mut offsets);

        let mut targets = vec![0; offsets[order.len()] as usize];
        by_rows(&offsets, &mut targets, |v, row| {
            let heads = self.neighbours(order[v]).iter().map(|&u| new(u));
            for (slot, u) in row.iter_mut().zip(heads.filter(|&u| u != ABSENT)) {
                *slot = u;
            }
            sort_by_target(row, |&target| target);
        });
        Csr { offsets, targets }
    }
}

/// Sorts the arcs of a row by their targets.
pub(super) fn sort_by_target<A>(row: &mut [A], target: impl Fn(&A) -> Vertex) {
    // A radix sort of long rows takes less time than comparisons.
    match row.len() {
        0..512 => row.sort_unstable_by_key(target),
        _ => radsort::sort_by_key(row, target),
    }
}

/// Replaces the sizes of consecutive groups by the positions where they start, and returns the sum
/// of all sizes.
pub(super) fn counts_to_starts<T: AddAssign + Copy + Default>(counts: &mut [T]) -> T {
    let mut end = T::default();
    for count in counts {
        let size = mem::replace(count, end);
        end += size;
    }
    end
}

/// Calls `f` in parallel with the number of each row and the entries of its arcs. `entries` has an
/// entry for each arc.
pub(super) fn by_rows<T: Send>(
    offsets: &[u32],
    entries: &mut [T],
    f: impl Fn(usize, &mut [T]) + Sync,
) {
    let runs = cut(offsets, entries.len() / ARCS_PER_TASK + 1);
    let parts = split(entries, runs.iter().map(|rows| offsets[rows.end] as usize));
    let tasks = runs.into_par_iter().zip(parts);
    tasks.for_each(|(rows, mut rest)| {
        for v in rows {
            let length = (offsets[v + 1] - offsets[v]) as usize;
            let (row, others) = std::mem::take(&mut rest).split_at_mut(length);
            f(v, row);
            rest = others;
        }
    });
}

/// Cuts the rows into `pieces` consecutive ranges with about equally many arcs.
pub(super) fn cut<T: Copy + Into<u64>>(offsets: &[T], pieces: usize) -> Vec<Range<usize>> {
    let rows = offsets.len() - 1;
    let arcs = offsets[rows].into();
    let mut first = 0;
    let runs = (1..=pieces).map(|piece| {
        let goal = u128::from(arcs) * piece as u128 / pieces as u128;
        let end = match piece == pieces {
            true => rows,
            false => offsets[..rows].partition_point(|&offset| u128::from(offset.into()) < goal),
        };
        std::mem::replace(&mut first, end)..end
    });
    runs.collect()
}

/// Splits `entries` into consecutive parts that end at the positions `ends`.
pub(super) fn split<T>(mut entries: &mut [T], ends: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
    let mut start = 0;
    let parts = ends.map(|end| {
        let length = end - std::mem::replace(&mut start, end);
        let (part, rest) = std::mem::take(&mut entries).split_at_mut(length);
        entries = rest;
        part
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::generate;
    use super::*;

    /// Keeps one arc of each edge: from the smaller end, except for about every third edge.
    fn directed(graph: &Csr) -> Csr {
        let goes = |v: Vertex, u: Vertex| (v + u).is_multiple_of(3) == (u < v);
        let mut offsets = vec![0];
        let mut targets = Vec::new();
        for v in 0..graph.vertices() as Vertex {
            targets.extend(graph.neighbours(v).iter().filter(|&&u| goes(v, u)));
            offsets.push(targets.len() as u32);
        }
        Csr::new(offsets, targets)
    }

    fn of_rows(rows: Vec<Vec<Vertex>>) -> Csr {
        let mut offsets = vec![0];
        offsets.extend(rows.iter().scan(0, |end, row| {
            *end += row.len() as u32;
            Some(*end)
        }));
        Csr::new(offsets, rows.concat())
    }

    fn simply_reversed(graph: &Csr) -> Csr {
        let mut rows = vec![Vec::new(); graph.vertices()];
        for tail in 0..graph.vertices() as Vertex {
            for &head in graph.neighbours(tail) {
                rows[head as usize].push(tail);
            }
        }
        of_rows(rows)
    }

    fn simply_induced(graph: &Csr, order: &[Vertex]) -> Csr {
        let new = |u: &Vertex| order.iter().position(|old| old == u);
        let row = |&old: &Vertex| {
            let row = graph.neighbours(old).iter().filter_map(new);
            let mut row: Vec<Vertex> = row.map(|u| u as Vertex).collect();
            row.sort_unstable();
            row
        };
        of_rows(order.iter().map(row).collect())
    }

    proptest! {
        #[test]
        fn reversed_and_induced_agree_with_simple_versions(
            n in 1u32..150,
            degree in 0u32..12,
            seed: u64,
            threads in 1usize..6,
            kept in prop::collection::vec(any::<(bool, u32)>(), 150),
        ) {
            let edges = u64::from(n * degree / 2).min(u64::from(n * (n - 1) / 2));
            let symmetric = generate::erdos_renyi(n, edges, seed).unwrap();
            let mut order: Vec<Vertex> = (0..n).filter(|&v| kept[v as usize].0).collect();
            order.sort_by_key(|&v| kept[v as usize].1);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for graph in [symmetric.csr(), &directed(symmetric.csr())] {
                let both = || (graph.reversed(), graph.induced(&order));
                let (reversed, induced) = pool.install(both);
                prop_assert_eq!(reversed, simply_reversed(graph));
                prop_assert_eq!(induced, simply_induced(graph, &order));
            }
        }
    }

    #[test]
    fn many_arcs_are_reversed_and_renumbered() {
        let symmetric = generate::erdos_renyi(50_000, 200_000, 1).unwrap();
        let graph = directed(symmetric.csr());
        assert_eq!(graph.reversed(), simply_reversed(&graph));
        let backwards: Vec<Vertex> = (0..50_000).rev().collect();
        let turned = graph.induced(&backwards);
        assert_eq!(turned.arcs(), graph.arcs());
        assert_eq!(turned.induced(&backwards), graph);
        // The row of the hub of a star is longer than a task.
        let star = generate::star(200_000).unwrap();
        let backwards: Vec<Vertex> = (0..200_000).rev().collect();
        let turned = star.csr().induced(&backwards);
        assert_eq!(turned.neighbours(199_999), (0..199_999).collect::<Vec<_>>());
        assert_eq!(
            (turned.max_degree(), Csr::empty(0).max_degree()),
            (199_999, 0)
        );
    }

    #[test]
    fn rows_are_cut_into_runs_of_equally_many_arcs() {
        assert_eq!(cut(&[0u32, 2, 4, 6, 8], 2), [0..2, 2..4]);
        assert_eq!(cut(&[0u32, 8, 8, 8], 2), [0..1, 1..3]);
        assert_eq!(cut(&[0u32], 3), [0..0, 0..0, 0..0]);
    }
}
