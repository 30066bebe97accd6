//! Builds a simple graph in compressed sparse rows from a list of edges.

mod rows;

use crate::memory;

use self::rows::rows;

use super::error::{BuildError, Problem};
use super::formats::symmetry::Balance;
use super::weights::{Scaled, Weight, WeightIs, longest_path, scaled};
use super::{Graph, Labels, Lengths, Simplified, Vertex, WeightInfo, WeightOptions};

/// The largest number of vertices of a graph: devices count them in 32 bits.
const LIMIT: usize = u32::MAX as usize;

/// The edges of a part of an input.
#[derive(Debug, Default)]
pub(super) struct Piece {
    /// The edges without self-loops.
    pub edges: Vec<[Vertex; 2]>,
    /// A weight for each edge if weights were asked for.
    pub weights: Vec<Weight>,
    /// Whether each edge is undirected; empty if the input does not say so for each edge.
    pub undirected: Vec<bool>,
    /// The number of self-loops.
    pub loops: u64,
    /// The number of edges whose value in a matrix is zero; counted only without weights.
    pub zeros: u64,
}

/// Collects edges as an input states them. Self-loops are counted and dropped at once.
#[derive(Debug, Clone, Default)]
pub struct EdgeList {
    /// The edges in parts, so that several cores can make them.
    edges: Vec<Vec<[Vertex; 2]>>,
    loops: u64,
    /// A weight for each edge and the meaning of weights, if they were asked for.
    weights: Option<(Vec<Weight>, WeightIs)>,
    /// The weight of edges for which the input has none.
    default_weight: Option<Weight>,
    weights_dropped: bool,
    both_ways: bool,
    /// Whether the input says that entries, except those in `undirected`, are arcs of one
    /// direction.
    arcs: bool,
    /// For each entry of a [mixed](Self::push_mixed) list, whether it stands for both arcs.
    undirected: Vec<bool>,
}

impl EdgeList {
    /// Makes an empty list with room for `edges` entries.
    pub fn with_capacity(edges: usize) -> Self {
        EdgeList {
            edges: vec![Vec::with_capacity(edges)],
            ..EdgeList::default()
        }
    }

    /// Makes a list of the parts of an input. It holds weights if `options` are given; otherwise it
    /// only notes whether the input is `weighted`.
    pub(super) fn of_pieces(
        pieces: Vec<Piece>,
        options: Option<&WeightOptions>,
        weighted: bool,
    ) -> EdgeList {
        let loops = pieces.iter().map(|piece| piece.loops).sum();
        let (mut edges, mut lists, mut undirected) = (Vec::new(), Vec::new(), Vec::new());
        for piece in pieces {
            edges.push(piece.edges);
            lists.push(piece.weights);
            undirected.extend(piece.undirected);
        }
        EdgeList {
            edges,
            loops,
            arcs: undirected.contains(&false),
            undirected,
            weights: options.map(|options| {
                let weights = lists.into_iter().flatten().collect();
                (weights, options.meaning)
            }),
            weights_dropped: options.is_none() && weighted,
            ..EdgeList::default()
        }
    }

    /// Adds the edge from `tail` to `head`.
    #[inline]
    pub fn push(&mut self, tail: Vertex, head: Vertex) {
        if tail == head {
            self.loops += 1;
        } else {
            match self.edges.last_mut() {
                Some(part) => part.push([tail, head]),
                None => self.edges.push(vec![[tail, head]]),
            }
        }
    }

    /// Adds the edge from `tail` to `head`, and its weight if the list
    /// [holds weights](Self::take_weights).
    #[inline]
    pub(super) fn push_weighted(&mut self, tail: Vertex, head: Vertex, weight: Option<Weight>) {
        if tail != head
            && let (Some((list, _)), Some(weight)) = (&mut self.weights, weight)
        {
            list.push(weight);
        }
        self.push(tail, head);
    }

    /// Adds an edge of a file with arcs and undirected edges. An `undirected` edge stands for both
    /// arcs even if a directed graph is asked for.
    #[inline]
    pub(super) fn push_mixed(
        &mut self,
        [tail, head]: [Vertex; 2],
        weight: Option<Weight>,
        undirected: bool,
    ) {
        self.arcs |= !undirected;
        if tail != head {
            self.undirected.push(undirected);
        }
        self.push_weighted(tail, head, weight);
    }

    /// Adds the other arc of each edge that [stands for both](Self::push_mixed), or sets
    /// `both_ways` if all edges do.
    fn unfold_undirected(&mut self) {
        let undirected = std::mem::take(&mut self.undirected);
        self.both_ways |= !undirected.is_empty() && undirected.iter().all(|&both| both);
        if self.both_ways || undirected.is_empty() {
            return;
        }
        let edges = self.edges.iter().flatten().zip(undirected).enumerate();
        let others = edges.filter(|(_, (_, both))| *both);
        let others = others.map(|(entry, (&[tail, head], _))| ([head, tail], entry));
        let (others, entries): (Vec<_>, Vec<usize>) = others.unzip();
        self.edges.push(others);
        if let Some((list, _)) = &mut self.weights {
            for entry in entries {
                list.push(list[entry]);
            }
        }
    }

    /// Makes the list hold weights: each edge must then come with one, in [`Self::push_weighted`].
    pub(super) fn take_weights(&mut self, meaning: WeightIs) {
        self.weights = Some((Vec::new(), meaning));
    }

    /// Sets the weight of edges for which the input has none.
    pub(super) fn set_default_weight(&mut self, weight: Option<Weight>) {
        self.default_weight = weight;
    }

    /// Returns whether the list holds weights.
    pub(super) fn is_weighted(&self) -> bool {
        self.weights.is_some()
    }

    /// Returns whether the input has to state the weight of each edge.
    pub(super) fn needs_weights(&self) -> bool {
        self.weights.is_some() && self.default_weight.is_none()
    }

    /// Parses the weight of an edge if the list holds weights. Otherwise notes that the input has
    /// weights, unless the text is the number 1.
    ///
    /// # Errors
    /// [`Problem`] if the weight is missing or not a positive number.
    pub(super) fn weight_of(&mut self, text: Option<&[u8]>) -> Result<Option<Weight>, Problem> {
        match text {
            Some(text) if self.is_weighted() => return Weight::parse(text).map(Some),
            None if self.needs_weights() => {
                return Err(Problem::weight_missing("weight", "attribute"));
            }
            Some(text) => self.weights_dropped |= !Weight::is_one(text),
            None => {}
        }
        Ok(self.default_weight)
    }

    /// Adds `count` self-loops.
    pub fn add_loops(&mut self, count: u64) {
        self.loops += count;
    }

    /// Notes that the input has weights, which this list does not hold.
    pub fn set_weights_dropped(&mut self) {
        self.weights_dropped = true;
    }

    /// Notes that each entry stands for both arcs even if a directed graph is asked for, as in file
    /// formats that store one triangle of a symmetric matrix.
    pub fn set_both_ways(&mut self) {
        self.both_ways = true;
    }

    /// Notes that entries are arcs of one direction, as the entries of a matrix are.
    pub fn set_arcs(&mut self) {
        self.arcs = true;
    }

    /// Returns the number of entries so far, self-loops included.
    pub fn entries(&self) -> u64 {
        self.edges.iter().map(|part| part.len() as u64).sum::<u64>() + self.loops
    }

    /// Builds the graph of `labels.len()` vertices.
    ///
    /// # Errors
    /// [`BuildError`] if there are more vertices or arcs than 32 bits can count, or too little
    /// memory.
    ///
    /// # Panics
    /// If an edge names a vertex that has no label.
    pub fn build(mut self, labels: Labels, directed: bool) -> Result<Graph, BuildError> {
        let vertices = labels.len();
        check_vertices(vertices)?;
        if directed {
            self.unfold_undirected();
        }
        let entries = self.entries();
        let symmetric = !directed || self.both_ways;
        let symmetrised = !directed && self.arcs && !self.both_ways && !self.is_symmetric();
        let (csr, weights) = match self.weights {
            None => (rows(self.edges, vertices, symmetric, |_| ())?.0, None),
            Some((list, meaning)) => {
                let longest =
                    |lengths: &[u64]| longest_path(&self.edges, lengths, vertices, symmetric);
                let Scaled { keys, unit } = scaled(&list, meaning, longest);
                drop(list);
                // Narrow keys take half the memory.
                let (csr, weights) = if unit.is_some() && longest(&keys) < u128::from(u32::MAX) {
                    let key = move |edge: usize| keys[edge] as u32;
                    let (csr, keys) = rows(self.edges, vertices, symmetric, key)?;
                    let keys = keys.into_iter().map(u64::from);
                    (csr, lengths(keys, unit, true, meaning))
                } else {
                    let key = move |edge: usize| keys[edge];
                    let (csr, keys) = rows(self.edges, vertices, symmetric, key)?;
                    (csr, lengths(keys.into_iter(), unit, false, meaning))
                };
                (csr, Some(weights))
            }
        };
        let distinct = csr.arcs() / (1 + usize::from(symmetric));
        Ok(Graph {
            simplified: Simplified {
                entries,
                loops: self.loops,
                merged: entries - self.loops - distinct as u64,
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
        let weight = |entry: usize| self.weights.as_ref().map(|(list, _)| list[entry]);
        let mut balance = Balance::default();
        for (entry, &[tail, head]) in self.edges.iter().flatten().enumerate() {
            if self.undirected.get(entry) != Some(&true) {
                balance.add(tail, head, weight(entry));
            }
        }
        balance.is_even()
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
}

impl From<Vec<[Vertex; 2]>> for EdgeList {
    /// Makes a list of edges `[tail, head]` without copying them.
    fn from(edges: Vec<[Vertex; 2]>) -> Self {
        let mut piece = Piece {
            edges,
            ..Piece::default()
        };
        piece.drop_loops();
        EdgeList::of_pieces(vec![piece], None, false)
    }
}

/// Refuses more vertices than 32 bits can count, or than there is memory for.
pub(super) fn check_vertices(vertices: usize) -> Result<(), BuildError> {
    /// The least number of bytes per vertex in a graph, its preparation and scores.
    const BYTES: usize = 40;
    /// Needs up to this many bytes are not checked: to find the available memory takes as long as
    /// to search a small graph.
    const SMALL: usize = 16 << 20;
    if vertices > LIMIT {
        return Err(BuildError::TooManyVertices { vertices });
    }
    // A file can declare any number of vertices.
    let bytes = vertices.saturating_mul(BYTES);
    if bytes > SMALL && memory::available().is_some_and(|available| bytes > available) {
        let bytes = bytes as u64;
        return Err(BuildError::Memory { bytes });
    }
    Ok(())
}

/// Converts keys to lengths of arcs, which have 32 bits if they [fit](Lengths::U32). Keys are
/// integers in units of `unit`, or without a unit the bits of doubles.
pub(super) fn lengths(
    keys: impl Iterator<Item = u64>,
    unit: Option<f64>,
    fits: bool,
    meaning: WeightIs,
) -> (Lengths, WeightInfo) {
    let lengths = match unit {
        Some(_) if fits => Lengths::U32(keys.map(|key| key as u32).collect()),
        Some(_) => Lengths::U64(keys.collect()),
        None => Lengths::F64(keys.map(f64::from_bits).collect()),
    };
    let range = lengths.range();
    let info = WeightInfo {
        meaning,
        unit,
        min: range.map(|(min, _)| min * unit.unwrap_or(1.0)),
        max: range.map(|(_, max)| max * unit.unwrap_or(1.0)),
    };
    (lengths, info)
}

#[cfg(test)]
mod tests;
