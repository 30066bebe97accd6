//! How many roots a batch holds, how many batches are under way, how many levels have masks.

use super::{TILE_WIDTH, tile_width};
use crate::device::find::DeviceKind;
use crate::device::{DeviceInfo, DeviceOptions};

/// Tiles of a batch on a GPU: 4,096 roots fill its multiprocessors even on small levels.
const TILES: usize = 4096 / TILE_WIDTH;
/// Batches under way: while the host looks at what one batch found, the device has the other.
const SLOTS: usize = 2;
/// Masks of this many levels are planned at least and at most.
const LEVELS: (usize, usize) = (8, 256);
/// Share of the device's memory that is used at most.
const MEMORY: f64 = 0.8;

/// What the sizes depend on.
#[derive(Debug, Clone, Copy)]
pub struct Needs {
    /// Searched vertices.
    pub vertices: usize,
    /// Roots to search from.
    pub roots: usize,
    /// Pieces of split vertices, in the direction that has more.
    pub pieces: usize,
    /// Chunks, in the direction that has more.
    pub chunks: usize,
    /// Arcs whose dependencies are summed: none, or all.
    pub counted_arcs: usize,
    /// Bytes of the graph itself on the device.
    pub graph: u64,
    /// Depth of the deepest of a few searches.
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
    pub slots: usize,
    /// Levels that have masks, level 0 included.
    pub planes: usize,
}

impl Sizes {
    /// Sizes that fit the device, if any do, from the best downwards: fewer level masks, one batch
    /// under way, fewer tiles. A number of lanes that the user asked for is kept.
    pub fn choose(needs: &Needs, info: &DeviceInfo, options: &DeviceOptions) -> Sizes {
        let width = tile_width(options.lanes);
        let wanted = match options.lanes {
            Some(lanes) => lanes as usize / width,
            // A CPU has no multiprocessors to fill, and its caches are small.
            None if info.kind == DeviceKind::Cpu => 2,
            None => TILES,
        };
        // Batches of equal size: a last one of a few roots would cost as much as a full one.
        let all = needs.roots.div_ceil(width).max(1);
        let batches = all.div_ceil(wanted);
        let mut sizes = Sizes {
            width,
            tiles: match options.lanes {
                Some(_) => wanted.min(all),
                None => all.div_ceil(batches),
            },
            slots: SLOTS.min(batches),
            // No search is deeper than twice the depth of another one in its component.
            planes: (2 * needs.depth as usize + 2).clamp(LEVELS.0, LEVELS.1),
        };
        while !sizes.fit(needs, info) {
            if sizes.planes > LEVELS.0.max(needs.depth as usize + 2) {
                sizes.planes = LEVELS.0.max(needs.depth as usize + 2);
            } else if sizes.slots > 1 {
                sizes.slots = 1;
            } else if sizes.tiles > 1 && options.lanes.is_none() {
                sizes.tiles = sizes.tiles.div_ceil(2);
                sizes.slots = SLOTS;
            } else {
                break; // the check of the buffers will say what does not fit
            }
        }
        sizes
    }

    /// Roots of a batch.
    pub fn lanes(&self) -> usize {
        self.tiles * self.width
    }

    /// Mask words of a row.
    pub fn words(&self) -> usize {
        self.width / 32
    }

    /// Rows of all tiles: one per vertex and tile.
    pub fn rows(&self, vertices: usize) -> usize {
        self.tiles * vertices
    }

    /// The buffers of one slot: what each holds, and its bytes, given the bytes of a number.
    pub fn buffers(&self, needs: &Needs, real: usize) -> Vec<(&'static str, u64)> {
        let rows = self.rows(needs.vertices) as u64;
        let (width, words, real) = (self.width as u64, self.words() as u64, real as u64);
        let pieces = (self.tiles * needs.pieces) as u64;
        vec![
            ("path counts of all lanes", rows * width * real),
            ("coefficients of all lanes", rows * width * real),
            ("level masks", rows * words * 4 * self.planes as u64),
            ("masks of lanes to do", rows * words * 4),
            ("scores of tiles", rows * real),
            ("partial sums", pieces * width * real),
            ("masks of partial sums", pieces * words * 4),
            ("levels of chunks", (self.tiles * needs.chunks * 4) as u64),
            ("levels alive", (self.tiles * self.planes * 4) as u64),
            ("scores", needs.vertices as u64 * 8),
            ("sums of arcs", needs.counted_arcs as u64 * 8),
        ]
    }

    fn fit(&self, needs: &Needs, info: &DeviceInfo) -> bool {
        let buffers = self.buffers(needs, 8);
        let slot: u64 = buffers.iter().map(|(_, bytes)| bytes).sum();
        let total = needs.graph + self.slots as u64 * slot;
        let largest = buffers.iter().map(|&(_, bytes)| bytes).max().unwrap_or(0);
        total as f64 <= MEMORY * info.memory as f64 && largest <= info.max_buffer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    fn device(memory: u64, kind: DeviceKind) -> DeviceInfo {
        DeviceInfo {
            number: 0,
            name: String::new(),
            platform: String::new(),
            platform_version: String::new(),
            driver: String::new(),
            kind,
            compute_units: 132,
            max_work_group: 1024,
            local_memory: 48 << 10,
            memory,
            max_buffer: memory / 4,
            fp64: true,
            int64_atomics: true,
        }
    }

    fn needs(vertices: usize, roots: usize) -> Needs {
        Needs {
            vertices,
            roots,
            pieces: 1000,
            chunks: 5000,
            counted_arcs: 0,
            graph: 10 << 20,
            depth: 10,
        }
    }

    #[test]
    fn a_large_device_takes_full_batches_and_two_at_a_time() {
        let gpu = device(140 * GIB, DeviceKind::Gpu);
        let sizes = Sizes::choose(&needs(60_000, 60_000), &gpu, &DeviceOptions::default());
        assert_eq!(sizes.slots, 2);
        assert_eq!(sizes.planes, 22);
        assert!(sizes.lanes() <= 4096 && sizes.lanes() > 3900);
        let few = Sizes::choose(&needs(60_000, 100), &gpu, &DeviceOptions::default());
        assert_eq!((few.slots, few.tiles), (1, 1));
    }

    #[test]
    fn a_small_device_takes_what_fits() {
        let whole = Sizes::choose(
            &needs(60_000, 60_000),
            &device(140 * GIB, DeviceKind::Gpu),
            &DeviceOptions::default(),
        );
        let mut last = whole.lanes();
        for gib in [16, 8, 4, 2, 1] {
            let gpu = device(gib * GIB, DeviceKind::Gpu);
            let sizes = Sizes::choose(&needs(60_000, 60_000), &gpu, &DeviceOptions::default());
            assert!(sizes.fit(&needs(60_000, 60_000), &gpu), "{gib} GiB");
            assert!(sizes.lanes() <= last);
            last = sizes.lanes();
        }
        assert!(last < whole.lanes());
    }

    #[test]
    fn sums_of_arcs_take_their_room() {
        let gpu = device(16 * GIB, DeviceKind::Gpu);
        let plain = needs(60_000, 60_000);
        let counting = Needs {
            counted_arcs: 400_000_000,
            ..plain
        };
        let slots = |needs| Sizes::choose(needs, &gpu, &DeviceOptions::default()).slots;
        assert_eq!((slots(&plain), slots(&counting)), (2, 1));
    }

    #[test]
    fn lanes_asked_for_are_kept() {
        let gpu = device(140 * GIB, DeviceKind::Gpu);
        for (lanes, width, tiles) in [
            (32, 32, 1),
            (96, 32, 3),
            (64, 64, 1),
            (384, 128, 3),
            (1024, 256, 4),
        ] {
            let options = DeviceOptions {
                lanes: Some(lanes),
                ..DeviceOptions::default()
            };
            let sizes = Sizes::choose(&needs(60_000, 60_000), &gpu, &options);
            assert_eq!((sizes.width, sizes.tiles), (width, tiles), "{lanes}");
        }
    }
}
