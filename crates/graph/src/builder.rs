//! Builds a simple graph in compressed sparse rows from a list of edges.

mod rows;

use rayon::prelude::*;

use crate::memory;

use self::rows::rows;

use super::error::{BuildError, Problem};
use super::formats::symmetry::Balance;
use super::weights::{Weight, WeightIs, longest_path, scaled};
use super::{Graph, Labels, Lengths, Simplified, Vertex, WeightInfo, WeightOptions};

/// The largest number of vertices of a graph, because devices count them in 32 bits.
const MOST_VERTICES: usize = u32::MAX as usize;

/// Edges of a part of an input.
#[derive(Debug, Clone, Default)]
pub(super) struct Piece {
    /// The edges without self-loops.
    pub edges: Vec<[Vertex; 2]>,
    /// A weight for each edge if weights were asked for.
    pub weights: Vec<Weight>,
    /// Whether each edge stands for both arcs even if a directed graph is requested; empty if the
    /// input states no directions of single edges.
    pub undirected: Vec<bool>,
    /// The number of self-loops.
    pub loops: u64,
    /// The number of `edges` whose value in a matrix is zero, if weights were not asked for.
    pub zeros: u64,
}

/// A list of edges as an input states them. Self-loops are counted and dropped as they are added.
#[derive(Debug, Clone, Default)]
pub struct EdgeList {
    /// The edges in parts, so that several cores can read them.
    pub(super) pieces: Vec<Piece>,
    /// The meaning of weights, if they were asked for: [`Self::push_weighted`] must then get the
    /// weight of each edge.
    pub(super) meaning: Option<WeightIs>,
    /// The weight of edges for which the input has none.
    pub(super) default_weight: Option<Weight>,
    /// Whether the input has weights that this list does not hold.
    pub(super) weights_dropped: bool,
    /// Whether each entry stands for both arcs even if a directed graph is requested, as in file
    /// formats that store one triangle of a symmetric matrix.
    pub(super) both_ways: bool,
    /// Whether the entries are both arcs of each edge.
    pub(super) is_mirrored: bool,
    /// Whether the input states a direction for some entries, as a matrix that is not symmetric
    /// does.
    pub(super) has_arcs: bool,
}

impl EdgeList {
    /// Makes an empty list with room for `edges` entries.
    pub fn with_capacity(edges: usize) -> Self {
        let mut list = EdgeList::default();
        list.piece().edges.reserve_exact(edges);
        list
    }

    /// Makes a list of the parts of an input. It holds weights if `options` are given; otherwise it
    /// only records whether the input is `weighted`.
    pub(super) fn of_pieces(
        pieces: Vec<Piece>,
        options: Option<&WeightOptions>,
        weighted: bool,
    ) -> EdgeList {
        EdgeList {
            has_arcs: pieces.iter().any(|piece| piece.undirected.contains(&false)),
            pieces,
            meaning: options.map(|options| options.meaning),
            weights_dropped: options.is_none() && weighted,
            ..EdgeList::default()
        }
    }

    /// Returns the part that edges are added to.
    #[inline]
    fn piece(&mut self) -> &mut Piece {
        if self.pieces.is_empty() {
            self.pieces.push(Piece::default());
        }
        let last = self.pieces.len() - 1;
        &mut self.pieces[last]
    }

    /// Adds the edge from `tail` to `head`.
    #[inline]
    pub fn push(&mut self, tail: Vertex, head: Vertex) {
        self.push_weighted(tail, head, None);
    }

    /// Adds the edge from `tail` to `head`, and its weight if the list holds weights.
    #[inline]
    pub(super) fn push_weighted(&mut self, tail: Vertex, head: Vertex, weight: Option<Weight>) {
        let weight = weight.filter(|_| self.is_weighted());
        let piece = self.piece();
        if tail == head {
            piece.loops += 1;
        } else {
            piece.edges.push([tail, head]);
            piece.weights.extend(weight);
        }
    }

    /// Adds an edge of a file with arcs and undirected edges. An `undirected` edge stands for both
    /// arcs even if a directed graph is requested.
    #[inline]
    pub(super) fn push_mixed(
        &mut self,
        [tail, head]: [Vertex; 2],
        weight: Option<Weight>,
        undirected: bool,
    ) {
        self.has_arcs |= !undirected;
        if tail != head {
            self.piece().undirected.push(undirected);
        }
        self.push_weighted(tail, head, weight);
    }

    /// Fills an empty list with the entries of an adjacency matrix, the arcs from rows to columns,
    /// and their weights if the list holds weights. Those of a symmetric matrix are undirected
    /// edges.
    pub(super) fn fill_with_matrix(&mut self, edges: Vec<[Vertex; 2]>, weights: Vec<Weight>) {
        let mut piece = Piece {
            edges,
            weights,
            ..Piece::default()
        };
        piece.drop_loops();
        self.is_mirrored = piece.balance().is_symmetric();
        (self.both_ways, self.has_arcs) = (self.is_mirrored, !self.is_mirrored);
        self.pieces = vec![piece];
    }

    /// Adds the opposite arc of each [undirected](Self::push_mixed) edge, or sets `both_ways` if
    /// all edges are undirected.
    fn unfold_undirected(&mut self) {
        let mut undirected = self.pieces.iter().flat_map(|piece| &piece.undirected);
        self.both_ways |= undirected.next() == Some(&true) && undirected.all(|&both| both);
        for piece in self.pieces.iter_mut().filter(|_| !self.both_ways) {
            let undirected = piece.undirected.iter().enumerate();
            for (entry, _) in undirected.filter(|(_, both)| **both) {
                let [tail, head] = piece.edges[entry];
                piece.edges.push([head, tail]);
                piece.weights.extend(piece.weights.get(entry).copied());
            }
        }
    }

    /// Returns whether the list holds weights.
    pub(super) fn is_weighted(&self) -> bool {
        self.meaning.is_some()
    }

    /// Returns whether the input has to state the weight of each edge.
    pub(super) fn needs_weights(&self) -> bool {
        self.is_weighted() && self.default_weight.is_none()
    }

    /// If the list holds weights, parses the weight of an edge; a missing one is the default
    /// weight. If it holds none, records that the input has weights, unless the text is missing or
    /// the number 1.
    ///
    /// # Errors
    /// [`Problem`] if the weight is missing and there is no default, or if the text is no weight.
    pub(super) fn weight_of(&mut self, text: Option<&[u8]>) -> Result<Option<Weight>, Problem> {
        match (text, self.meaning) {
            (Some(text), Some(meaning)) => return Weight::parse(text, meaning).map(Some),
            (None, _) if self.needs_weights() => {
                return Err(Problem::weight_missing("weight", "attribute"));
            }
            (Some(text), None) => self.weights_dropped |= !Weight::is_one(text),
            (None, _) => {}
        }
        Ok(self.default_weight)
    }

    /// Returns the number of entries so far, self-loops included.
    pub fn entries(&self) -> u64 {
        let entries = |piece: &Piece| piece.edges.len() as u64 + piece.loops;
        self.pieces.iter().map(entries).sum()
    }

    /// Builds the graph of `labels.len()` vertices.
    ///
    /// # Errors
    /// [`BuildError`] if there are more vertices or arcs than 32 bits can count, too little memory,
    /// or lengths of zero beside others that have no common unit.
    ///
    /// # Panics
    /// If an edge names a vertex that has no label.
    pub fn build(mut self, labels: Labels, directed: bool) -> Result<Graph, BuildError> {
        let vertices = labels.len();
        check_vertices(vertices as u64)?;
        if directed {
            self.unfold_undirected();
        }
        let loops: u64 = self.pieces.iter().map(|piece| piece.loops).sum();
        let entries = (self.entries() - loops) / (1 + u64::from(self.is_mirrored)) + loops;
        let has_both = !directed || self.both_ways;
        let symmetric = has_both && !self.is_mirrored;
        let symmetrised = !directed && self.has_arcs && !self.both_ways && !self.is_symmetric();
        let parts = self.pieces.into_iter();
        let (edges, weights): (Vec<_>, Vec<_>) = parts.map(|p| (p.edges, p.weights)).unzip();
        let (csr, weights) = match self.meaning {
            None => (rows(edges, vertices, symmetric, |_| ())?.0, None),
            Some(meaning) => {
                let longest = |keys: &[u64]| {
                    let edges = edges.iter().flatten().copied();
                    longest_path(edges, keys, vertices, symmetric)
                };
                let (keys, unit) = scaled(weights.iter().flatten(), meaning, longest)?;
                drop(weights);
                // A key is a length: a multiple of the unit, or the bits of a double. Keys of 32
                // bits take half the memory.
                let (csr, lengths) = if unit.is_some() && longest(&keys) < u128::from(u32::MAX) {
                    let (csr, keys) = rows(edges, vertices, symmetric, |edge| keys[edge] as u32)?;
                    (csr, Lengths::U32(keys))
                } else {
                    let (csr, keys) = rows(edges, vertices, symmetric, |edge| keys[edge])?;
                    let lengths = match unit {
                        Some(_) => Lengths::U64(keys),
                        None => Lengths::F64(bytemuck::cast_vec(keys)),
                    };
                    (csr, lengths)
                };
                let range = lengths.range();
                let info = WeightInfo {
                    meaning,
                    unit,
                    min: range.map(|(min, _)| min * unit.unwrap_or(1.0)),
                    max: range.map(|(_, max)| max * unit.unwrap_or(1.0)),
                };
                (csr, Some((lengths, info)))
            }
        };
        let distinct = csr.arcs() / (1 + usize::from(has_both));
        Ok(Graph {
            simplified: Simplified {
                entries,
                loops,
                merged: entries - loops - distinct as u64,
                weights_dropped: self.weights_dropped,
                symmetrised,
            },
            csr,
            weights,
            labels,
            directed,
        })
    }

    /// Returns whether each arc occurs equally often in both directions, with the same weight.
    fn is_symmetric(&self) -> bool {
        let balances = self.pieces.iter().map(Piece::balance);
        let balance = balances.fold(Balance::default(), Balance::and);
        balance.is_symmetric()
    }
}

impl Piece {
    /// Drops and counts self-loops.
    pub fn drop_loops(&mut self) {
        let is_loop = |&[tail, head]: &[Vertex; 2]| tail == head;
        let loops = self.edges.iter().filter(|edge| is_loop(edge)).count();
        if loops > 0 {
            let mut kept = self.edges.iter().map(|edge| !is_loop(edge));
            self.weights.retain(|_| kept.next() == Some(true));
            let mut kept = self.edges.iter().map(|edge| !is_loop(edge));
            self.undirected.retain(|_| kept.next() == Some(true));
            self.edges.retain(|edge| !is_loop(edge));
        }
        self.loops += loops as u64;
    }

    /// Returns the balance of all arcs.
    fn balance(&self) -> Balance {
        let balances = self.edges.par_iter().enumerate().map(|(entry, &ends)| {
            match self.undirected.get(entry) {
                Some(true) => Balance::default(),
                _ => Balance::of_arc(ends, self.weights.get(entry).copied()),
            }
        });
        balances.reduce(Balance::default, Balance::and)
    }
}

impl From<Vec<[Vertex; 2]>> for EdgeList {
    /// Makes a list of edges `[tail, head]` without copying them.
    fn from(edges: Vec<[Vertex; 2]>) -> Self {
        let mut list = EdgeList::default();
        list.piece().edges = edges;
        list.piece().drop_loops();
        list
    }
}

/// Refuses more vertices than 32 bits can count, or than fit into the available memory.
pub(super) fn check_vertices(vertices: u64) -> Result<(), BuildError> {
    let vertices = vertices as usize;
    /// The smallest number of bytes that the graph, its preparation and the scores take per vertex.
    const BYTES: usize = 40;
    if vertices > MOST_VERTICES {
        return Err(BuildError::TooMany(vertices, "vertices"));
    }
    // A file can declare any number of vertices.
    let bytes = vertices.saturating_mul(BYTES);
    if memory::exceeded_by(bytes) {
        return Err(BuildError::Memory(bytes as u64));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
