//! The arrays of the overlay for the device, with vertices by elimination level, the highest first.

use std::ops::Range;

use crate::prepare::Prepared;
use crate::prepare::chains::NO_CHAIN;
use crate::prepare::hierarchy::{Direction, Flows, Hierarchy};

/// The value in [`Layout::pieces`] of a chunk that is not a piece of a split vertex.
const NO_PIECE: u32 = u32::MAX;

/// The arrays of the overlay. Positions number the vertices by level.
#[derive(Default)]
pub(super) struct Layout {
    /// Rank of each position.
    pub(super) ranks: Vec<u32>,
    /// Position of each rank.
    pub(super) positions: Vec<u32>,
    /// Arcs of a position to higher vertices, which have lower positions: offsets of shape (n + 1),
    /// the position of each head, and numbers of the arcs in the hierarchy.
    pub(super) offsets: Vec<u32>,
    pub(super) heads: Vec<u32>,
    rising_arc: Vec<u32>,
    /// Lengths and path counts of these arcs, rising and falling; `down` is `None` if they are
    /// equal.
    pub(super) up: Direction,
    pub(super) down: Option<Direction>,
    /// First and last rank in the subtree of each position.
    pub(super) subtrees: Vec<[u32; 2]>,
    /// For each position, that of its parent in the elimination tree, its depth in the tree, and
    /// its weight as a target.
    pub(super) parents: Vec<u32>,
    pub(super) depths: Vec<u32>,
    pub(super) weights: Vec<f64>,
    /// For each position, the chain that has the vertex inside, or [`NO_CHAIN`].
    pub(super) chain_of: Vec<u32>,
    /// Levels in the order of the way down; the last one has the leaves of the elimination tree.
    pub(super) levels: Vec<Level>,
    /// Arcs to lower vertices, by higher end: offsets of shape (n + 1), the lower ends, lengths and
    /// path counts from the higher to the lower end, and numbers of the arcs in the hierarchy.
    pub(super) lower_offsets: Vec<u32>,
    pub(super) lower_ends: Vec<u32>,
    pub(super) falling: Direction,
    falling_arc: Vec<u32>,
    /// Chunks of these arcs: the range of their higher ends, and the range of the arcs.
    pub(super) chunks: Vec<[u32; 4]>,
    /// For each chunk, its number among the pieces of its level, or [`NO_PIECE`].
    pub(super) pieces: Vec<u32>,
    /// Vertices whose arcs to lower vertices are split into pieces, and the range of the pieces.
    pub(super) split_vertex: Vec<u32>,
    pub(super) split_pieces: Vec<[u32; 2]>,
    /// The most pieces of a level.
    pub(super) most_pieces: usize,
}

/// Vertices of a level, and the chunks and split vertices on it.
#[derive(Clone, Default)]
pub(super) struct Level {
    pub(super) vertices: Range<usize>,
    pub(super) chunks: Range<usize>,
    pub(super) splits: Range<usize>,
    /// The most arcs of a vertex to higher ones.
    pub(super) most_arcs: usize,
    /// The most pieces of a split vertex.
    pub(super) most_pieces: usize,
}

impl Layout {
    /// Makes the arrays, with chunks of at most `degree` arcs.
    pub(super) fn new(prepared: &Prepared, hierarchy: &Hierarchy, degree: usize) -> Layout {
        let n = hierarchy.vertices();
        let mut height = vec![0u32; n];
        for v in 0..n as u32 {
            for arc in hierarchy.arcs_of(v) {
                let above = hierarchy.heads[arc] as usize;
                height[above] = height[above].max(height[v as usize] + 1);
            }
        }
        let mut ranks: Vec<u32> = (0..n as u32).collect();
        ranks.sort_by_key(|&v| std::cmp::Reverse((height[v as usize], v)));
        let mut positions = vec![0; n];
        for (position, &rank) in (0..).zip(&ranks) {
            positions[rank as usize] = position;
        }
        let first = hierarchy.subtrees();
        let depths = hierarchy.depths();
        let by_rank = || ranks.iter().map(|&rank| rank as usize);
        let by_vertex = || by_rank().map(|rank| hierarchy.vertex[rank] as usize);
        let parents = by_rank().map(|rank| positions[hierarchy.parent[rank] as usize]);
        let mut layout = Layout {
            subtrees: by_rank().map(|v| [first[v], v as u32]).collect(),
            parents: parents.collect(),
            depths: by_rank().map(|v| depths[v]).collect(),
            weights: by_vertex().map(|v| prepared.weight[v]).collect(),
            chain_of: match &prepared.chains {
                Some(chains) => by_vertex().map(|v| chains.chain_of[v]).collect(),
                None => vec![NO_CHAIN; n],
            },
            offsets: vec![0],
            ..Layout::default()
        };
        for &rank in &ranks {
            let arcs = hierarchy.arcs_of(rank);
            layout.rising_arc.extend(arcs.map(|arc| arc as u32));
            layout.offsets.push(layout.rising_arc.len() as u32);
        }
        let arcs = &layout.rising_arc;
        let heads = arcs.iter().map(|&arc| hierarchy.heads[arc as usize]);
        layout.heads = heads.map(|head| positions[head as usize]).collect();
        layout.up = permuted(&hierarchy.up, arcs);
        layout.down = hierarchy.down.as_ref().map(|down| permuted(down, arcs));
        (layout.ranks, layout.positions) = (ranks, positions);
        layout.add_levels(&height);
        layout.add_lower_arcs(hierarchy, degree);
        layout
    }

    /// Returns the largest number of ancestors of a vertex, counting itself.
    pub(super) fn most_ancestors(&self) -> usize {
        let deepest = self.depths.iter().max();
        deepest.map_or(0, |&depth| depth as usize + 1)
    }

    fn add_levels(&mut self, height: &[u32]) {
        let height_of = |rank: &u32| height[*rank as usize];
        let mut start = 0;
        for level in self.ranks.chunk_by(|a, b| height_of(a) == height_of(b)) {
            let arcs = self.offsets[start..=start + level.len()].windows(2);
            let most_arcs = arcs.map(|ends| (ends[1] - ends[0]) as usize).max();
            self.levels.push(Level {
                vertices: start..start + level.len(),
                most_arcs: most_arcs.unwrap_or(0),
                ..Level::default()
            });
            start += level.len();
        }
    }

    fn add_lower_arcs(&mut self, hierarchy: &Hierarchy, degree: usize) {
        let n = self.ranks.len();
        let mut next_slot = vec![0u32; n + 1];
        for &head in &self.heads {
            next_slot[head as usize + 1] += 1;
        }
        for v in 0..n {
            next_slot[v + 1] += next_slot[v];
        }
        self.lower_offsets = next_slot.clone();
        self.lower_ends.resize(self.heads.len(), 0);
        self.falling_arc.resize(self.heads.len(), 0);
        for (v, ends) in self.offsets.windows(2).enumerate() {
            for arc in ends[0] as usize..ends[1] as usize {
                let slot = &mut next_slot[self.heads[arc] as usize];
                self.lower_ends[*slot as usize] = v as u32;
                self.falling_arc[*slot as usize] = self.rising_arc[arc];
                *slot += 1;
            }
        }
        self.falling = permuted(hierarchy.down(), &self.falling_arc);
        let mut levels = std::mem::take(&mut self.levels);
        for level in &mut levels {
            self.add_chunks(level, degree as u32);
        }
        self.levels = levels;
    }

    /// Cuts the arcs of a level to lower vertices into chunks.
    fn add_chunks(&mut self, level: &mut Level, degree: u32) {
        (level.chunks.start, level.splits.start) = (self.chunks.len(), self.split_vertex.len());
        let mut pieces = 0;
        // True if more vertices may be added to the last chunk.
        let mut is_open = false;
        for v in level.vertices.clone() {
            let [begin, end] = [self.lower_offsets[v], self.lower_offsets[v + 1]];
            let v = v as u32;
            if begin == end {
                continue;
            }
            if end - begin > degree {
                let before = pieces;
                for from in (begin..end).step_by(degree as usize) {
                    self.chunks.push([v, v + 1, from, end.min(from + degree)]);
                    self.pieces.push(pieces);
                    pieces += 1;
                }
                self.split_vertex.push(v);
                self.split_pieces.push([before, pieces]);
                level.most_pieces = level.most_pieces.max((pieces - before) as usize);
                is_open = false;
                continue;
            }
            match self.chunks.last_mut() {
                Some(last) if is_open && end - last[2] <= degree => {
                    (last[1], last[3]) = (v + 1, end)
                }
                _ => {
                    self.chunks.push([v, v + 1, begin, end]);
                    self.pieces.push(NO_PIECE);
                }
            }
            is_open = true;
        }
        (level.chunks.end, level.splits.end) = (self.chunks.len(), self.split_vertex.len());
        self.most_pieces = self.most_pieces.max(pieces as usize);
    }

    /// Adds flows in the order of these arrays to `flows`, which is in the order of the hierarchy:
    /// `rising` has one per arc to a higher vertex, `falling` one per arc to a lower vertex.
    pub(super) fn add_flows(
        &self,
        rising: impl Iterator<Item = f64>,
        falling: &[f64],
        flows: &mut Flows,
    ) {
        for (&arc, flow) in self.rising_arc.iter().zip(rising) {
            flows.up[arc as usize] += flow;
        }
        for (&arc, flow) in self.falling_arc.iter().zip(falling) {
            flows.down[arc as usize] += flow;
        }
    }
}

/// Returns the lengths and path counts of arcs with these numbers.
fn permuted(all: &Direction, arcs: &[u32]) -> Direction {
    Direction {
        lengths: arcs.iter().map(|&arc| all.lengths[arc as usize]).collect(),
        paths: arcs.iter().map(|&arc| all.paths[arc as usize]).collect(),
    }
}
