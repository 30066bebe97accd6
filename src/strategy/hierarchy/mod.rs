//! Strategy `hierarchy`: sweeps over the overlay of a contraction hierarchy, thousands of roots at
//! a time, a lane each. [`crate::prepare::hierarchy`] has the overlay; `cl/hierarchy/` says what
//! each kernel does.
//!
//! A batch needs no answer from the device: how many launches there are depends on the overlay
//! alone. So a whole batch is enqueued at once, and the host goes on with the next one.

mod layout;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{About, DeviceEngine, DeviceStrategy, EnginePlan, LengthType, Number, Strategy, Takes};
use crate::device::buffers::{BufferSet, Buffers, PendingRead, Place};
use crate::device::find::DeviceKind;
use crate::device::launch::{Arg, Grid, Launcher};
use crate::device::wait::{finish, flush};
use crate::device::{DeviceError, DeviceInfo, DeviceOptions, Session, Source};
use crate::engine::{Engine, EngineError, Precision, Root, Sums};
use crate::prepare::Prepared;
use crate::prepare::hierarchy::{Flows, Hierarchy};
use layout::Layout;

/// Work-items of a work-group.
const WORK_GROUP: usize = 64;
/// Lanes of a work-item: a vector load.
const ITEM_LANES: usize = 4;
/// Parts at most into which work-items of a group are divided that share the arcs of a vertex.
const SLOTS: usize = 16;
/// Each part has at least this many of them.
const ARCS_OF_SLOT: usize = 8;
/// A level of more work-groups needs no such division.
const GROUPS: usize = 1 << 14;
/// D where none is given.
const DEGREE: u32 = 16;
/// Lanes where none are given.
const LANES: usize = 8192;
/// Lanes on a device that is a CPU, whose caches are small.
const CPU_LANES: usize = 256;
/// Part of the device's memory that is used at most.
const MEMORY: f64 = 0.8;
/// Batches that are enqueued before the host waits for the first of them.
const BATCHES: usize = 2;
/// In arrays of lanes: there is no root.
const NONE: u32 = u32::MAX;

/// Graphs of more levels are searched in f64 where precision `mixed` is asked for.
const MIXED_LEVELS: usize = 511;

/// How far sums of precision `mixed` may be from the true ones, relative to them. A path count has
/// been rounded to 24 bits once for each level that it has passed, a coefficient by its count and
/// once for each level on its way up; scores and flows are products of the two. All terms are
/// positive, so sums have no larger errors.
fn mixed_error(levels: usize) -> f64 {
    let roundings = 3.0 * (levels + 1) as f64 * f64::from(f32::EPSILON) / 2.0;
    roundings / (1.0 - roundings)
}

/// See the module.
pub struct HierarchyStrategy;

impl HierarchyStrategy {
    fn source(options: &DeviceOptions, info: &DeviceInfo, mixed: bool) -> Source {
        let wanted = options.lanes.map_or(LANES, |lanes| lanes as usize);
        let group = WORK_GROUP.min(wanted / ITEM_LANES);
        Source {
            name: "hierarchy".into(),
            texts: &[include_str!("../../../cl/hierarchy/hierarchy.cl")],
            work_group: options.work_group_of(group, info),
            macros: vec![
                ("MOST_ARCS", options.degree.unwrap_or(DEGREE) as usize),
                ("MIXED", usize::from(mixed)),
            ],
            optimise_for_cpu: false,
        }
    }
}

impl DeviceStrategy for HierarchyStrategy {
    fn about(&self) -> &About {
        static ABOUT: About = About {
            name: "hierarchy",
            line: "On devices: sweeps over a contraction hierarchy, a lane for each root; for road \
                   networks and other graphs of small separators, with lengths or without",
            paper: "Geisberger, Sanders, Schultes and Delling, \"Contraction hierarchies\", WEA \
                    2008; Delling, Goldberg, Nowatzyk and Werneck, \"PHAST\", IPDPS 2011",
            takes: Takes {
                directed: true,
                lengths: true,
                contracted: false,
                whole: true,
                twins: false,
                edges: true,
            },
            numbers: &[Number::Degree, Number::Lanes],
        };
        &ABOUT
    }

    fn kernels(&self, options: &DeviceOptions, info: &DeviceInfo, _: LengthType) -> Vec<Source> {
        let mixed = options.precision == Precision::Mixed;
        vec![Self::source(options, info, mixed)]
    }

    fn engine<'s>(
        &'static self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError> {
        let hierarchy = prepared.hierarchy().map_err(|why| {
            let name = self.name();
            DeviceError::Refused(format!("strategy {name} cannot search this graph: {why}"))
        })?;
        engine(session, prepared, hierarchy)
    }
}

/// Where what a launch needs is.
struct Arrays {
    /// Written for each batch: rank and position of the root of each lane, and its sources.
    roots: Place,
    root_vertex: Place,
    sources: Place,
    status: Place,
    /// Sums: by tile and arc to a lower vertex, by arc to a higher one, by tile and position, by
    /// part of a tile and split vertex, and by position.
    flows: Place,
    rising: Place,
    scores: Place,
    split_scores: Place,
    climb_scores: Place,
}

struct Kernels {
    climb: Launcher,
    forward: Launcher,
    backward: Launcher,
    backward_reduce: Launcher,
    descend: Launcher,
    climb_sums: Launcher,
    /// Path ends of directed graphs, if they are counted.
    path_ends: Option<[Launcher; 2]>,
    add_flows: Launcher,
    add_scores: Launcher,
    add_split_scores: Launcher,
}

/// What a batch is written from; it stays until the device has read it.
#[derive(Default)]
struct Batch {
    roots: Vec<u32>,
    root_vertex: Vec<u32>,
    sources: Vec<f64>,
    sources_f32: Vec<f32>,
}

struct HierarchySearch<'s> {
    session: &'s Session,
    prepared: &'s Prepared,
    hierarchy: Arc<Hierarchy>,
    layout: Layout,
    kernels: Kernels,
    arrays: Arrays,
    lanes: usize,
    /// Tiles of lanes, one for a work-group.
    tiles: usize,
    work_group: usize,
    error_bound: f64,
    collect_time: Duration,
    /// Batches under way, each with the read that ends it.
    under_way: VecDeque<(Batch, PendingRead)>,
    /// Those whose memory may be used again.
    spare: Vec<Batch>,
    sums: Collected,
    /// Dropped last: launchers point into it.
    buffers: Buffers,
}

/// What has been read back, in the device's order.
struct Collected {
    flows: Vec<f64>,
    rising: Vec<f64>,
    scores: Vec<f64>,
    split_scores: Vec<f64>,
    climb_scores: Vec<f64>,
}

fn engine<'s>(
    session: &'s Session,
    prepared: &'s Prepared,
    hierarchy: Arc<Hierarchy>,
) -> Result<DeviceEngine<'s>, DeviceError> {
    let (options, info) = (&session.options, &session.info);
    let degree = options.degree.unwrap_or(DEGREE);
    let layout = Layout::new(prepared, &hierarchy, degree as usize);
    let levels = layout.levels.len();
    let mixed = options.precision == Precision::Mixed && levels <= MIXED_LEVELS;
    let source = HierarchyStrategy::source(options, info, mixed);
    let tile = source.work_group * ITEM_LANES;
    let (n, arcs) = (hierarchy.vertices(), hierarchy.arcs());
    let deepest = layout.depths.iter().max().map_or(0, |&d| d as usize + 1);
    let real = options.precision.bytes();
    let row = if mixed { 4 } else { real };
    // Bytes of a lane: rows of all vertices, pieces, and ancestors.
    let of_lane = n * (4 + 2 * row) + layout.most_pieces * real + deepest * (8 + 3 * real);
    let largest = (n * row.max(4)).max(1);
    let fit = ((info.memory as f64 * MEMORY) as usize / of_lane.max(1))
        .min(info.max_buffer as usize / largest);
    let wanted = match options.lanes {
        Some(lanes) => lanes as usize,
        None if info.kind == DeviceKind::Cpu => CPU_LANES,
        None => LANES,
    };
    // Batches of equal size, of whole tiles.
    let roots = prepared.roots.len().max(1);
    let most = wanted.min(fit.max(tile)) / tile * tile;
    let batches = roots.div_ceil(most.max(tile));
    let lanes = roots.div_ceil(batches).div_ceil(tile) * tile;
    let tiles = lanes / tile;

    let mut set = BufferSet::new(session);
    let score = set.score_bytes();
    let splits = layout.split_vertex.len();
    let bytes = |count: usize, each: usize| (count * each) as u64;
    let offsets = set.filled("overlay offsets", &layout.offsets);
    let heads = set.filled("overlay heads", &layout.heads);
    let direction = |set: &mut BufferSet<'_>, of: &crate::prepare::hierarchy::Direction| {
        let lengths = set.filled("overlay lengths", of.lengths.clone());
        [lengths, set.reals("overlay paths", of.paths.clone())]
    };
    let up = direction(&mut set, &layout.up);
    let down = layout.down.as_ref().map(|down| direction(&mut set, down));
    let down = down.unwrap_or(up);
    let falling = direction(&mut set, &layout.falling);
    let subtrees = set.filled("subtrees", bytemuck::cast_slice::<_, u32>(&layout.subtrees));
    let parents = set.filled("parents", &layout.parents);
    let depths = set.filled("depths", &layout.depths);
    let weights = set.reals("weights", &layout.weights);
    let lower_offsets = set.filled("lower offsets", &layout.lower_offsets);
    let lower = set.filled("lower ends", &layout.lower);
    let chunks = set.filled("chunks", bytemuck::cast_slice::<_, u32>(&layout.chunks));
    let pieces = set.filled("pieces of chunks", &layout.pieces);
    let split_vertex = set.filled("split vertices", &layout.split_vertex);
    let split_pieces = bytemuck::cast_slice::<_, u32>(&layout.split_pieces);
    let split_pieces = set.filled("pieces of split vertices", split_pieces);
    let arrays = Arrays {
        roots: set.unset("ranks of roots", bytes(lanes, 4)),
        root_vertex: set.unset("roots", bytes(lanes, 4)),
        sources: set.unset("sources of lanes", bytes(lanes, real)),
        status: set.zeroed("overflow of path counts", 4),
        flows: set.zeroed("flows of falling arcs", bytes(tiles * arcs, score)),
        rising: set.zeroed("flows of rising arcs", bytes(arcs, score)),
        scores: set.zeroed("scores of tiles", bytes(tiles * n, score)),
        split_scores: set.zeroed(
            "scores of split vertices",
            bytes(tiles * SLOTS * splits, score),
        ),
        climb_scores: set.zeroed("scores", bytes(n, score)),
    };
    let climb = |set: &mut BufferSet<'_>, what, each| set.unset(what, bytes(deepest * lanes, each));
    let path = climb(&mut set, "ancestors of roots", 4);
    let climb_distance = climb(&mut set, "distances of ancestors", 4);
    let climb_count = climb(&mut set, "path counts of ancestors", real);
    let climb_any = climb(&mut set, "dependencies of ancestors", real);
    let climb_score = climb(&mut set, "scores of ancestors", real);
    let distance = set.unset("distances of all lanes", bytes(n * lanes, 4));
    let count = set.unset("path counts of all lanes", bytes(n * lanes, row));
    let coefficient = set.unset("coefficients of all lanes", bytes(n * lanes, row));
    let partial = set.unset("partial sums", bytes(layout.most_pieces * lanes, real));
    let total = set.total();
    let kernels = session.build(&source)?;
    let buffers = set.make()?;
    let uint = |number: usize| Arg::Uint(number as u32);
    let kernel = |name, numbers: &[usize], places: &[Place]| {
        let mut args: Vec<Arg> = numbers.iter().map(|&number| uint(number)).collect();
        args.extend(buffers.args(places.iter().copied()));
        kernels.launcher(name, &args)
    };
    let leaves = layout.levels.last().map_or(0, |level| level.vertices.start);
    let [up_lengths, up_paths] = up;
    let [down_lengths, down_paths] = down;
    let Arrays {
        roots: ranks,
        root_vertex,
        sources,
        status,
        ..
    } = arrays;
    let kernels = Kernels {
        climb: kernel(
            "climb",
            &[deepest],
            &[
                offsets,
                heads,
                up_lengths,
                up_paths,
                parents,
                depths,
                root_vertex,
                climb_distance,
                climb_count,
            ],
        )?,
        forward: kernel(
            "forward",
            &[0, 0, 1, lanes, deepest],
            &[
                offsets,
                heads,
                down_lengths,
                down_paths,
                subtrees,
                depths,
                weights,
                ranks,
                sources,
                climb_distance,
                climb_count,
                distance,
                count,
                coefficient,
                status,
            ],
        )?,
        backward: kernel(
            "backward",
            &[0, lanes, arcs, n],
            &[
                chunks,
                pieces,
                lower_offsets,
                lower,
                falling[0],
                falling[1],
                subtrees,
                weights,
                ranks,
                sources,
                distance,
                count,
                coefficient,
                partial,
                arrays.flows,
                arrays.scores,
            ],
        )?,
        backward_reduce: kernel(
            "backward_reduce",
            &[0, 1, lanes, splits],
            &[
                split_vertex,
                split_pieces,
                subtrees,
                weights,
                ranks,
                sources,
                count,
                coefficient,
                partial,
                arrays.split_scores,
            ],
        )?,
        descend: kernel(
            "descend",
            &[lanes, leaves, deepest],
            &[
                offsets,
                heads,
                up_lengths,
                up_paths,
                parents,
                depths,
                weights,
                root_vertex,
                sources,
                path,
                distance,
                count,
                coefficient,
                climb_distance,
                climb_count,
                climb_any,
                climb_score,
            ],
        )?,
        climb_sums: kernel(
            "climb_sums",
            &[lanes, deepest],
            &[
                offsets,
                heads,
                up_lengths,
                up_paths,
                subtrees,
                depths,
                ranks,
                climb_distance,
                climb_count,
                climb_any,
                climb_score,
                arrays.rising,
                arrays.climb_scores,
            ],
        )?,
        path_ends: match prepared.count_endpoints {
            false => None,
            true => Some([
                kernel(
                    "met",
                    &[lanes],
                    &[root_vertex, sources, distance, arrays.climb_scores],
                )?,
                kernel(
                    "reached",
                    &[lanes, n],
                    &[root_vertex, sources, distance, arrays.climb_scores],
                )?,
            ]),
        },
        add_flows: kernel("add_tiles", &[arcs, tiles], &[arrays.flows])?,
        add_scores: kernel("add_tiles", &[n, tiles], &[arrays.scores])?,
        add_split_scores: kernel(
            "add_tiles",
            &[splits, tiles * SLOTS],
            &[arrays.split_scores],
        )?,
    };
    let why = format!(
        "{arcs} overlay arcs on {} levels, elimination tree {deepest} deep, {lanes} lanes",
        levels
    );
    let plan = EnginePlan {
        why,
        degree: Some(degree),
        virtual_vertices: Some(layout.pieces.len()),
        lanes,
        ..EnginePlan::new(Strategy::Hierarchy, source.work_group, total)
    };
    let search = HierarchySearch {
        session,
        prepared,
        kernels,
        arrays,
        lanes,
        collect_time: Duration::ZERO,
        error_bound: if mixed { mixed_error(levels) } else { 0.0 },
        tiles,
        work_group: source.work_group,
        under_way: VecDeque::new(),
        spare: Vec::new(),
        sums: Collected {
            flows: vec![0.0; arcs],
            rising: vec![0.0; arcs],
            scores: vec![0.0; n],
            split_scores: vec![0.0; splits],
            climb_scores: vec![0.0; n],
        },
        hierarchy,
        layout,
        buffers,
    };
    Ok(DeviceEngine {
        engine: Box::new(search),
        plan,
    })
}

impl Batch {
    fn fill(&mut self, search: (&Hierarchy, &Layout), roots: &[Root], lanes: usize) {
        let (hierarchy, layout) = search;
        let rank = |root: &Root| hierarchy.rank[root.vertex as usize];
        let mut sorted: Vec<(u32, u32)> = roots.iter().map(|r| (rank(r), r.sources)).collect();
        sorted.sort_unstable();
        self.roots.clear();
        self.root_vertex.clear();
        self.sources.clear();
        for &(rank, sources) in &sorted {
            self.roots.push(rank);
            self.root_vertex.push(layout.positions[rank as usize]);
            self.sources.push(sources.into());
        }
        self.roots.resize(lanes, NONE);
        self.root_vertex.resize(lanes, NONE);
        self.sources.resize(lanes, 0.0);
        self.sources_f32.clear();
        self.sources_f32
            .extend(self.sources.iter().map(|&sources| sources as f32));
    }
}

impl HierarchySearch<'_> {
    /// Enqueues everything that a batch of roots takes.
    fn enqueue(&mut self, roots: &[Root]) -> Result<(), DeviceError> {
        if self.under_way.len() >= BATCHES {
            self.finish_oldest()?;
        }
        let queue = &self.session.queue;
        let mut batch = self.spare.pop().unwrap_or_default();
        batch.fill((&self.hierarchy, &self.layout), roots, self.lanes);
        let arrays = &self.arrays;
        // SAFETY: the vectors stay as they are until the batch has been waited for: it is kept in
        // `under_way` until then, and `drop` waits.
        unsafe {
            self.buffers[arrays.roots].write_later(queue, &batch.roots)?;
            self.buffers[arrays.root_vertex].write_later(queue, &batch.root_vertex)?;
            let sources = &mut self.buffers[arrays.sources];
            match self.session.options.precision.is_double() {
                true => sources.write_later(queue, &batch.sources)?,
                false => sources.write_later(queue, &batch.sources_f32)?,
            }
        }
        let launched = self.launch();
        let status = &self.buffers[self.arrays.status];
        let read = PendingRead::enqueue(queue, status, 1)?;
        self.under_way.push_back((batch, read));
        launched?;
        flush(queue)
    }

    fn launch(&self) -> Result<(), DeviceError> {
        let (queue, kernels) = (&self.session.queue, &self.kernels);
        let set = |launcher: &Launcher, index, number: usize| {
            launcher.set(index, Arg::Uint(number as u32))
        };
        let groups = |count, slots| Grid::groups(count, self.tiles * slots, self.work_group);
        let each_lane = Grid::groups(self.lanes, 1, self.work_group);
        kernels.climb.enqueue(queue, each_lane)?;
        let levels = &self.layout.levels;
        for (at, level) in levels.iter().enumerate() {
            let slots = self.slots(level.vertices.len(), level.most_arcs);
            set(&kernels.forward, 0, level.vertices.start)?;
            set(&kernels.forward, 1, usize::from(at + 1 == levels.len()))?;
            set(&kernels.forward, 2, slots)?;
            let grid = groups(level.vertices.len(), slots);
            kernels.forward.enqueue(queue, grid)?;
        }
        for level in levels.iter().rev() {
            if !level.chunks.is_empty() {
                set(&kernels.backward, 0, level.chunks.start)?;
                let grid = groups(level.chunks.len(), 1);
                kernels.backward.enqueue(queue, grid)?;
            }
            if !level.splits.is_empty() {
                let slots = self.slots(level.splits.len(), level.most_pieces);
                set(&kernels.backward_reduce, 0, level.splits.start)?;
                set(&kernels.backward_reduce, 1, slots)?;
                let grid = groups(level.splits.len(), slots);
                kernels.backward_reduce.enqueue(queue, grid)?;
            }
        }
        kernels.descend.enqueue(queue, each_lane)?;
        let vertices = self.hierarchy.vertices();
        let each_vertex = Grid::groups(vertices, 1, self.work_group);
        kernels.climb_sums.enqueue(queue, each_vertex)?;
        if let Some([met, reached]) = &kernels.path_ends {
            met.enqueue(queue, each_vertex)?;
            reached.enqueue(queue, Grid::items(self.lanes, self.work_group))?;
        }
        Ok(())
    }

    /// Into how many parts the work-items of a group are divided on a level of so many `vertices`,
    /// where one of them has so many `arcs`: levels of few vertices leave the device idle
    /// otherwise.
    fn slots(&self, vertices: usize, arcs: usize) -> usize {
        let is_good = |&slots: &usize| {
            self.work_group.is_multiple_of(slots)
                && arcs >= ARCS_OF_SLOT * slots
                && vertices * self.tiles * slots <= GROUPS
        };
        let powers = std::iter::successors(Some(2), |slots| Some(2 * slots));
        let most = powers.take_while(|&slots| slots <= SLOTS && is_good(&slots));
        most.last().unwrap_or(1)
    }

    /// Waits for the oldest batch under way.
    fn finish_oldest(&mut self) -> Result<(), DeviceError> {
        if let Some((batch, read)) = self.under_way.pop_front() {
            let waited = read.wait();
            self.spare.push(batch);
            waited?;
        }
        Ok(())
    }

    /// Moves the sums of the device to the host.
    fn move_sums(&mut self) -> Result<(), DeviceError> {
        let queue = &self.session.queue;
        let precision = self.session.score_precision();
        let Arrays {
            flows,
            rising,
            scores,
            split_scores,
            climb_scores,
            ..
        } = self.arrays;
        let sums = &mut self.sums;
        let each = |numbers: &Vec<f64>| Grid::items(numbers.len(), self.work_group);
        self.kernels.add_flows.enqueue(queue, each(&sums.flows))?;
        let splits = each(&sums.split_scores);
        self.kernels.add_split_scores.enqueue(queue, splits)?;
        self.kernels.add_scores.enqueue(queue, each(&sums.scores))?;
        for (place, to) in [
            (flows, &mut sums.flows),
            (rising, &mut sums.rising),
            (scores, &mut sums.scores),
            (split_scores, &mut sums.split_scores),
            (climb_scores, &mut sums.climb_scores),
        ] {
            self.buffers[place].add_to(queue, precision, to)?;
            self.buffers[place].clear(queue)?;
        }
        Ok(())
    }
}

impl Engine for HierarchySearch<'_> {
    fn roots_wanted(&self) -> usize {
        self.lanes
    }

    fn roots_together(&self) -> usize {
        self.lanes
    }

    fn roots_in_flight(&self) -> usize {
        self.under_way.len() * self.lanes
    }

    fn collect_time(&self) -> Duration {
        self.collect_time
    }

    fn error_bound(&self) -> f64 {
        self.error_bound
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        for roots in roots.chunks(self.lanes) {
            self.enqueue(roots)?;
        }
        Ok(())
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        while !self.under_way.is_empty() {
            self.finish_oldest()?;
        }
        let queue = &self.session.queue;
        let mut status = [0u32];
        self.buffers[self.arrays.status].read(queue, &mut status)?;
        if status[0] != 0 {
            return Err(EngineError::too_many_paths(None, self.session));
        }
        let start = Instant::now();
        self.move_sums()?;
        let collected = &mut self.sums;
        let mut flows = Flows::zero(&self.hierarchy);
        let layout = &self.layout;
        layout.add_flows(
            &self.hierarchy,
            &collected.rising,
            &collected.flows,
            &mut flows,
        );
        for (position, &rank) in layout.ranks.iter().enumerate() {
            let vertex = self.hierarchy.vertex[rank as usize] as usize;
            sums.vertices[vertex] += collected.scores[position] + collected.climb_scores[position];
        }
        for (&position, score) in layout.split_vertex.iter().zip(&collected.split_scores) {
            let rank = layout.ranks[position as usize];
            sums.vertices[self.hierarchy.vertex[rank as usize] as usize] += score;
        }
        for numbers in [
            &mut collected.flows,
            &mut collected.rising,
            &mut collected.scores,
            &mut collected.split_scores,
            &mut collected.climb_scores,
        ] {
            numbers.fill(0.0);
        }
        self.hierarchy
            .unpack(&mut flows, &self.prepared.network(), sums);
        self.collect_time = start.elapsed();
        Ok(())
    }
}

impl Drop for HierarchySearch<'_> {
    fn drop(&mut self) {
        // The queue may still be reading the vectors of batches. If the driver cannot say that it
        // is done with them, they are leaked.
        if finish(&self.session.queue).is_err() {
            std::mem::forget(std::mem::take(&mut self.under_way));
        }
    }
}
