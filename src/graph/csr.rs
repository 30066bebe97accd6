//! Compressed sparse rows: the one shape in which every engine sees a graph.

use rayon::prelude::*;

/// A vertex number inside the program, `0..n`. Labels of the input are kept by [`super::Labels`].
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

impl Csr {
    /// Wraps arrays that already have the shape described above.
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

    /// A graph of `n` vertices and no arcs.
    pub fn empty(n: usize) -> Self {
        Csr::new(vec![0; n + 1], Vec::new())
    }

    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of arcs; an undirected edge counts twice.
    pub fn arcs(&self) -> usize {
        self.targets.len()
    }

    /// Number of arcs out of `v`.
    pub fn degree(&self, v: Vertex) -> usize {
        (self.offsets[v as usize + 1] - self.offsets[v as usize]) as usize
    }

    /// The heads of the arcs out of `v`, ascending.
    pub fn neighbours(&self, v: Vertex) -> &[Vertex] {
        &self.targets[self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize]
    }

    /// Position of the arc from `tail` to `head` among [`Csr::targets`], if there is that arc; else that
    /// of the next one in the row.
    pub fn arc(&self, tail: Vertex, head: Vertex) -> usize {
        let row = self.neighbours(tail);
        self.offsets[tail as usize] as usize + row.partition_point(|&u| u < head)
    }

    /// Row starts, `n + 1` of them.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Arc heads, row after row.
    pub fn targets(&self) -> &[Vertex] {
        &self.targets
    }

    /// Bytes of its arrays.
    pub fn bytes(&self) -> usize {
        size_of_val(self.offsets()) + size_of_val(self.targets())
    }

    /// The tail of every arc, row after row.
    pub fn tails(&self) -> Vec<Vertex> {
        let mut tails = Vec::with_capacity(self.arcs());
        for v in 0..self.vertices() as Vertex {
            tails.resize(self.offsets[v as usize + 1] as usize, v);
        }
        tails
    }

    /// The same arcs turned round: row `v` lists the tails of the arcs into `v`.
    pub fn reversed(&self) -> Csr {
        let n = self.vertices();
        let mut offsets = vec![0u32; n + 1];
        for &head in &self.targets {
            offsets[head as usize + 1] += 1;
        }
        for v in 0..n {
            offsets[v + 1] += offsets[v];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; self.targets.len()];
        // Tails are visited in ascending order, so each row comes out sorted.
        for tail in 0..n as Vertex {
            for &head in self.neighbours(tail) {
                let slot = &mut next[head as usize];
                targets[*slot as usize] = tail;
                *slot += 1;
            }
        }
        Csr { offsets, targets }
    }

    /// The subgraph of the vertices in `order`, renumbered to their positions in `order`.
    /// Arcs to vertices that `order` does not name are dropped.
    pub fn induced(&self, order: &[Vertex]) -> Csr {
        const GONE: Vertex = Vertex::MAX;
        let mut position = vec![GONE; self.vertices()];
        for (new, &old) in order.iter().enumerate() {
            position[old as usize] = new as Vertex;
        }
        let kept = |old: Vertex| {
            self.neighbours(old)
                .iter()
                .map(|&u| position[u as usize])
                .filter(|&u| u != GONE)
        };
        let mut offsets = vec![0u32; order.len() + 1];
        for (new, &old) in order.iter().enumerate() {
            offsets[new + 1] = offsets[new] + kept(old).count() as u32;
        }
        let mut targets = vec![0; offsets[order.len()] as usize];
        let mut rest = targets.as_mut_slice();
        let mut rows = Vec::with_capacity(order.len());
        for (new, &old) in order.iter().enumerate() {
            let (row, tail) = rest.split_at_mut((offsets[new + 1] - offsets[new]) as usize);
            rows.push((row, old));
            rest = tail;
        }
        rows.into_par_iter().for_each(|(row, old)| {
            for (slot, u) in row.iter_mut().zip(kept(old)) {
                *slot = u;
            }
            row.sort_unstable();
        });
        Csr { offsets, targets }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path4() -> Csr {
        Csr::new(vec![0, 1, 3, 5, 6], vec![1, 0, 2, 1, 3, 2])
    }

    #[test]
    fn reversing_a_symmetric_graph_changes_nothing() {
        assert_eq!(path4().reversed(), path4());
    }

    #[test]
    fn reversing_twice_gives_the_graph_back() {
        let arcs = Csr::new(vec![0, 2, 2, 3], vec![1, 2, 0]);
        assert_eq!(arcs.reversed(), Csr::new(vec![0, 1, 2, 3], vec![2, 0, 0]));
        assert_eq!(arcs.reversed().reversed(), arcs);
    }

    #[test]
    fn an_induced_subgraph_is_renumbered_and_sorted() {
        let middle = path4().induced(&[2, 1]);
        assert_eq!(middle, Csr::new(vec![0, 1, 2], vec![1, 0]));
        let turned = path4().induced(&[3, 2, 1, 0]);
        assert_eq!(turned, path4());
    }
}
