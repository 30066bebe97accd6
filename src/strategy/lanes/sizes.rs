//! The number of roots of a batch, of batches under way, and of levels with masks.

use crate::device::find::DeviceKind;
use crate::device::{DeviceInfo, DeviceOptions};
use crate::engine::Precision;

/// The default number of lanes of a tile; a work-group has a work-item for each [`ITEM_LANES`] of
/// them.
const TILE_WIDTH: usize = 256;
/// Lanes of a work-item, one vector load of f64.
pub const ITEM_LANES: usize = 4;
/// Tiles of a batch on a GPU; 4,096 roots fill its multiprocessors even on small levels.
const TILES: usize = 4096 / TILE_WIDTH;
/// The number of batches under way: while the host looks at the levels of one batch, the device
/// searches the other.
const BATCHES: usize = 2;
/// The least and the largest number of levels for which masks are stored: a bit for each vertex and
/// lane says whether the level has the vertex.
pub const LEVELS: (usize, usize) = (8, 256);
/// The largest share of the device's memory to use.
const MEMORY: f64 = 0.8;

/// Returns the largest tile width, a power of two from 32 to [`TILE_WIDTH`], that divides the
/// number of lanes that the user chose.
pub fn tile_width(lanes: Option<u32>) -> usize {
    lanes.map_or(TILE_WIDTH, |lanes| 1 << lanes.trailing_zeros().clamp(5, 8))
}

/// Bytes of the numbers in rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Widths {
    /// Path counts.
    pub count: usize,
    /// Coefficients.
    pub coefficient: usize,
    /// All others.
    pub real: usize,
}

impl Widths {
    /// Returns the widths with which searches begin, and which suffice while path counts are small.
    /// In mixed precision, coefficients are floats, except those of queries: weights and decay may
    /// leave the range of floats.
    pub fn narrow(options: &DeviceOptions) -> Widths {
        let wide = Widths::wide(options.precision);
        let is_mixed = options.precision == Precision::Mixed && !options.query;
        Widths {
            count: 4,
            coefficient: if is_mixed { 4 } else { wide.real },
            ..wide
        }
    }

    /// Returns the widths that computations use.
    pub fn wide(precision: Precision) -> Widths {
        let real = precision.bytes();
        Widths {
            count: real,
            coefficient: real,
            real,
        }
    }
}

/// The buffers of a batch; `cl/lanes/lanes.cl` describes their contents.
pub struct Memory<B> {
    pub sigma: B,
    pub coefficient: B,
    pub levels: B,
    pub todo: B,
    pub partial: B,
    pub partial_mask: B,
    pub chunk_levels: B,
    pub alive: B,
    pub roots: B,
    pub root_lanes: B,
    pub used_lanes: B,
    pub first_factor: B,
    pub factors: B,
    pub tile_scores: B,
    pub scores: B,
    /// Sums of the arcs over the batches, if edges are counted.
    pub arc_sums: B,
    /// The number of vertices that each root has reached, if path ends are counted.
    pub reached: B,
    pub status: B,
}

/// The numbers that determine the sizes.
#[derive(Debug, Clone, Copy)]
pub struct Needs {
    /// Vertices of the prepared graph.
    pub vertices: usize,
    /// Components, whose roots share lanes.
    pub components: usize,
    /// Roots of all components.
    pub roots: usize,
    /// Roots of the component with the most roots.
    pub most_roots: usize,
    /// Pieces of split vertices, in the direction that has more.
    pub pieces: usize,
    /// Chunks, in the direction that has more.
    pub chunks: usize,
    /// Columns of sums of vertices.
    pub columns: usize,
    /// The number of sums of arcs: the arcs times the passes of a query, or 0 without `--edges`.
    pub sums_of_arcs: usize,
    /// Bytes of the graph itself on the device.
    pub graph_bytes: u64,
    /// The depth of searches to plan for.
    pub depth: u32,
}

/// The sizes of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Lanes of a tile.
    pub width: usize,
    /// Tiles of a batch.
    pub tiles: usize,
    /// Batches under way.
    pub batches: usize,
    /// Levels for which masks are stored, level 0 included.
    pub planes: usize,
    /// Bytes of the numbers in rows.
    pub widths: Widths,
}

impl Sizes {
    /// Returns the best sizes that fit the device. If the full sizes do not fit, it tries fewer
    /// level masks, then one batch under way, then, unless the user chose the lanes, fewer tiles.
    /// If no sizes fit, the check of the buffers fails later.
    pub fn choose(
        needs: &Needs,
        widths: Widths,
        info: &DeviceInfo,
        options: &DeviceOptions,
    ) -> Sizes {
        let width = tile_width(options.numbers.lanes);
        let wanted = match options.numbers.lanes {
            Some(lanes) => lanes as usize / width,
            // A CPU has few cores to fill, and its caches are small.
            None if info.kind == DeviceKind::Cpu => 2,
            None => TILES,
        };
        // Batches are of equal size: a last one of a few roots would cost as much as a full one.
        let all_tiles = needs.most_roots.div_ceil(width).max(1);
        let all_batches = all_tiles.div_ceil(wanted);
        let mut sizes = Sizes {
            width,
            tiles: match options.numbers.lanes {
                Some(_) => wanted.min(all_tiles),
                None => all_tiles.div_ceil(all_batches),
            },
            batches: BATCHES.min(all_batches),
            // In undirected graphs, no search is deeper than twice the depth of another one in its
            // component.
            planes: (2 * needs.depth as usize + 2).clamp(LEVELS.0, LEVELS.1),
            widths,
        };
        let fewest_planes = LEVELS.0.max(needs.depth as usize + 2);
        while !sizes.fit(needs, info) {
            if sizes.planes > fewest_planes {
                sizes.planes = fewest_planes;
            } else if sizes.batches > 1 {
                sizes.batches = 1;
            } else if sizes.tiles > 1 && options.numbers.lanes.is_none() {
                sizes.tiles = sizes.tiles.div_ceil(2);
                sizes.batches = BATCHES;
            } else {
                break;
            }
        }
        sizes
    }

    /// Returns the lanes of a batch.
    pub fn lanes(&self) -> usize {
        self.tiles * self.width
    }

    /// Estimates the largest number of roots of a batch. A lane has one root of the component with
    /// the most roots; the roots of the other components are assumed to be shared among its lanes
    /// evenly.
    pub fn batch_roots(&self, needs: &Needs) -> usize {
        let roots_of_lane = needs.roots.div_ceil(needs.most_roots.max(1));
        needs.roots.min(self.lanes() * roots_of_lane)
    }

    /// Returns the mask words of a row.
    pub fn words(&self) -> usize {
        self.width / 32
    }

    /// Returns the number of rows: one per vertex and tile.
    pub fn rows(&self, vertices: usize) -> usize {
        self.tiles * vertices
    }

    /// Plans the buffers of a batch by calls of `add` with a description, the bytes, and whether
    /// the buffer begins with zeros.
    pub fn memory<B>(
        &self,
        needs: &Needs,
        mut add: impl FnMut(&'static str, usize, bool) -> B,
    ) -> Memory<B> {
        let widths = self.widths;
        let (lanes, words, columns) = (self.lanes(), self.words(), needs.columns);
        let (rows, pieces) = (self.rows(needs.vertices), self.tiles * needs.pieces);
        let (roots, components) = (self.batch_roots(needs).max(1), needs.components);
        // The row of each component is padded, and work-groups read a whole tile.
        let factors = lanes + roots + ITEM_LANES * components.min(roots);
        let (masks, numbers) = (rows * words * 4, rows * self.width);
        let chunk_levels = self.tiles * needs.chunks * 4;
        let mut unset = |what, bytes| add(what, bytes, false);
        Memory {
            sigma: unset("path counts of all lanes", numbers * widths.count),
            coefficient: unset("coefficients of all lanes", numbers * widths.coefficient),
            levels: unset("level masks", masks * self.planes),
            todo: unset("masks of lanes to do", masks),
            partial: unset("partial sums", pieces * self.width * widths.real),
            partial_mask: unset("masks of partial sums", pieces * words * 4),
            chunk_levels: unset("levels of chunks", chunk_levels),
            alive: unset("levels with work left", self.tiles * self.planes * 4),
            roots: unset("roots", roots * 4),
            root_lanes: unset("lanes of roots", roots * 4),
            used_lanes: unset("lanes of components", components * 4),
            first_factor: unset("first factors of components", components * 4),
            factors: unset("source factors of lanes", factors * widths.real),
            tile_scores: add("scores of tiles", rows * columns * widths.real, true),
            scores: add("scores", needs.vertices * columns * 8, true),
            arc_sums: add("sums of arcs", needs.sums_of_arcs * 8, true),
            reached: add("vertices reached", needs.vertices * 4, true),
            status: add("overflow of path counts", 4, true),
        }
    }

    fn fit(&self, needs: &Needs, info: &DeviceInfo) -> bool {
        let (mut total, mut largest) = (0, 0);
        self.memory(needs, |_, bytes, _| {
            total += bytes as u64;
            largest = largest.max(bytes as u64);
        });
        let total = needs.graph_bytes + self.batches as u64 * total;
        total as f64 <= MEMORY * info.memory as f64 && largest <= info.max_buffer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: Widths = Widths {
        count: 8,
        coefficient: 8,
        real: 8,
    };

    /// Chooses sizes for a graph of 60,000 vertices on a device with this memory, and returns them
    /// with whether they fit.
    fn choose(gib: u64, roots: usize, sums_of_arcs: usize, lanes: Option<u32>) -> (Sizes, bool) {
        let memory = gib << 30;
        let info = DeviceInfo {
            compute_units: 132,
            memory,
            max_buffer: memory / 4,
            ..DeviceInfo::for_tests(DeviceKind::Gpu)
        };
        let needs = Needs {
            vertices: 60_000,
            components: 1,
            roots,
            most_roots: roots,
            pieces: 1000,
            chunks: 5000,
            columns: 1,
            sums_of_arcs,
            graph_bytes: 10 << 20,
            depth: 10,
        };
        let mut options = DeviceOptions::default();
        options.numbers.lanes = lanes;
        let sizes = Sizes::choose(&needs, WIDE, &info, &options);
        let fits = sizes.fit(&needs, &info);
        (sizes, fits)
    }

    #[test]
    fn a_large_device_takes_full_batches_and_a_small_one_what_fits() {
        let (sizes, _) = choose(140, 60_000, 0, None);
        assert_eq!((sizes.batches, sizes.planes), (2, 22));
        assert!(sizes.lanes() <= 4096 && sizes.lanes() > 3900);
        let (few, _) = choose(140, 100, 0, None);
        assert_eq!((few.batches, few.tiles), (1, 1));
        let lanes = [140, 16, 8, 4, 2, 1].map(|gib| {
            let (sizes, fits) = choose(gib, 60_000, 0, None);
            assert!(fits, "{gib} GiB");
            sizes.lanes()
        });
        assert!(lanes.is_sorted_by(|a, b| a >= b) && lanes[5] < lanes[0]);
        // Sums of arcs take their room.
        let batches = |sums_of_arcs| choose(16, 60_000, sums_of_arcs, None).0.batches;
        assert_eq!([0, 400_000_000].map(batches), [2, 1]);
    }

    #[test]
    fn lanes_asked_for_are_kept() {
        for (lanes, width, tiles) in [(32, 32, 1), (96, 32, 3), (64, 64, 1), (1024, 256, 4)] {
            let (sizes, _) = choose(140, 60_000, 0, Some(lanes));
            assert_eq!((sizes.width, sizes.tiles), (width, tiles), "{lanes}");
        }
    }
}
