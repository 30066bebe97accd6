//! Strategy `lanes`: batches of roots in one search, a lane each.
//!
//! Sariyuce, Saule, Kaya and Catalyurek searched from several sources at once ("Regularizing graph
//! centrality computations", 2015); here a batch has thousands of roots, so that all accesses to
//! path counts and coefficients are coalesced. `cl/lanes/` describes each kernel, [`batch`] takes
//! one batch through its levels, and this file distributes roots to batches.
//!
//! Two batches are under way at a time, each on a queue of its own. The host enqueues as many
//! levels as earlier batches needed, and goes on with the other batch while the device searches.
//! Rows are *narrow* at first, since loading rows limits the speed: path counts are floats in
//! double precision too, which are exact up to 2^24, and coefficients are floats in mixed
//! precision. A batch with larger path counts adds nothing to the scores; its roots, and all later
//! ones, are searched with rows of doubles. Masks are bits for each level, vertex and lane, for a
//! fixed number of levels. A batch with more levels adds nothing either; strategy `warp` searches
//! from its roots, and from all later ones.

mod assignment;
mod batch;
mod graph;
mod kernels;
mod sizes;

use std::collections::VecDeque;
use std::rc::Rc;

use super::{
    About, DeviceEngine, DeviceQuery, DeviceStrategy, EnginePlan, Feature, NumericOption, QUERY,
    Strategy,
};
use crate::device::buffers::{BufferSet, DeviceBuffer};
use crate::device::wait::finish;
use crate::device::{DeviceError, DeviceInfo, DeviceKind, DeviceOptions, Session, Source};
use crate::engine::{self, Engine, EngineError, OwnSums, Precision, Root, Sums};
use crate::graph::{Csr, Vertex};
use crate::prepare::chunks::Chunks;
use crate::prepare::{ComponentRanges, Prepared};
use batch::{Batch, Progress};
use graph::{DeviceChunks, DeviceGraph};
use sizes::{ITEM_LANES, LEVELS, Memory, Needs, Sizes, Widths, tile_width};

/// Work-items of a work-group, for kernels without lanes.
const WORK_GROUP: usize = 256;

/// The strategy for searches with more levels than there are masks. A work-group per root touches
/// each arc once, however many levels there are.
const FALLBACK: Strategy = Strategy::Warp;

const _: () = assert!(LEVELS.1 <= engine::MIXED_DEEPEST + 1);

/// Returns the default of D, the most arcs of a chunk. On eight graphs on an H200, sparse graphs
/// gained a few percent from small chunks, and large dense ones from large chunks.
fn degree(graph: &Csr) -> u32 {
    const FEW_VERTICES: usize = 16_384;
    match graph.arcs() / graph.vertices().max(1) {
        ..8 => 128,
        16.. if graph.vertices() >= FEW_VERTICES => 512,
        _ => 256,
    }
}

struct LanesSearch<'s> {
    session: &'s Session,
    graph: Rc<DeviceGraph<'s>>,
    /// Empty when `fallback` searches from all further roots.
    batches: Vec<Batch<'s>>,
    sizes: Sizes,
    /// Whether the next search begins with narrow rows even if earlier searches needed wide ones.
    begins_anew: bool,
    /// Batches that have begun, but whose last commands are not enqueued yet, oldest first.
    unfinished: VecDeque<usize>,
    /// Whether the next batch must finish before another one begins. True for the first batch on a
    /// CPU device: PoCL 5.0 probably aborts if two queues launch a kernel for the first time
    /// concurrently.
    next_batch_runs_alone: bool,
    /// The batch to begin next; batches take turns.
    next_batch: usize,
    /// The deepest level so far, of batches or of the sample.
    deepest: usize,
    /// For each component, whether a search in it may have more levels than there are masks; empty
    /// if depths are not known.
    component_may_be_deep: Vec<bool>,
    /// Roots of batches that were deeper than there are masks.
    roots_too_deep: Vec<Root>,
    /// Roots of batches with more paths than narrow rows can count.
    overflowed_roots: Vec<Root>,
    /// The engine for deep components, and for all further roots after a batch that was too deep.
    fallback: Option<Box<dyn Engine + 's>>,
    /// Sums of batches since the last collect.
    sums: OwnSums,
}

/// Strategy `lanes`.
pub struct Lanes;

impl Lanes {
    fn source(options: &DeviceOptions, info: &DeviceInfo, widths: Widths) -> Source {
        Source {
            name: "lanes".into(),
            texts: vec![
                QUERY,
                include_str!("../../../cl/lanes/lanes.cl"),
                include_str!("../../../cl/lanes/forward.cl"),
                include_str!("../../../cl/lanes/backward.cl"),
                include_str!("../../../cl/lanes/arcs.cl"),
            ],
            work_group: options.work_group_of(WORK_GROUP, info),
            macros: vec![
                ("LANES", tile_width(options.numbers.lanes)),
                ("ITEM_LANES", ITEM_LANES),
                ("NARROW_COUNTS", usize::from(widths.count < widths.real)),
                ("MIXED", usize::from(widths.coefficient < widths.real)),
            ],
            ..Source::default()
        }
    }
}

impl DeviceStrategy for Lanes {
    fn about(&self) -> About {
        use Feature::*;
        About {
            name: "lanes",
            line: "On devices: batches of roots in one search, a lane each; for graphs of small \
                   depth",
            takes: &[Edges, Twins, Squares, Query, Directed],
            numbers: &[NumericOption::Degree, NumericOption::Lanes],
        }
    }

    fn kernels(&self, options: &DeviceOptions, info: &DeviceInfo) -> Vec<Source> {
        let widths = Widths::narrow(options);
        vec![Self::source(options, info, widths)]
    }

    fn engine<'s>(
        &'static self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError> {
        let deepest = prepared.search_limit() as u32;
        let depth = prepared.depths().last().copied();
        let depth = depth.unwrap_or(0).min(deepest);
        // The level after the deepest needs a mask too.
        if depth as usize + 2 > LEVELS.1 {
            let mut fallback = FALLBACK.engine(session, prepared)?;
            fallback.plan.why = format!(
                "lanes have masks for {} levels, but a sampled search has {depth}; {}: {}",
                LEVELS.1 - 1,
                fallback.plan.strategy.name(),
                fallback.plan.why
            );
            return Ok(fallback);
        }
        let (graph, options) = (&prepared.graph, &session.options);
        let edges = options.count_edges;
        let degree = options.numbers.degree.unwrap_or_else(|| degree(graph));
        // The kernels of path ends expect one component.
        let ranges = match prepared.count_endpoints {
            true => &ComponentRanges::one(graph.vertices()),
            false => &prepared.ranges,
        };
        let too_large =
            "strategy lanes is for graphs of at most 2147483648 vertices; use another --strategy";
        let too_large = || DeviceError::Refused(too_large.into());
        let split = |csr| Chunks::new(csr, degree, ranges).ok_or_else(too_large);
        let out = split(graph)?;
        let reverse = prepared.reverse.as_ref().map(split).transpose()?;
        let larger = |size: fn(&Chunks) -> usize| size(&out).max(reverse.as_ref().map_or(0, size));

        let components = ranges.count().max(1);
        let numbers = |c: usize| ranges.vertices(c).map(move |_| c as u32);
        let component_of = match components {
            1 => vec![0],
            _ => (0..components).flat_map(numbers).collect(),
        };
        let depths = match ranges.count() > 1 && prepared.reverse.is_none() {
            true => ranges.depths(graph),
            false => Vec::new(),
        };
        // The depth to plan for includes components that the sampled searches did not reach, except
        // those more than twice as deep as the deepest of these searches.
        let shallow = depths.iter().copied().filter(|&deep| deep <= 2 * depth);
        let mut set = BufferSet::new(session);
        let vertices = 0..graph.vertices() as Vertex;
        let query = (options.query).then(|| DeviceQuery::plan(&mut set, prepared, None, vertices));
        let [columns, passes] = prepared.sum_columns();
        let graph = DeviceGraph {
            prepared,
            offsets: set.filled("CSR offsets", graph.offsets()),
            targets: set.filled("CSR targets", graph.targets()),
            tails: edges.then(|| set.filled("CSR tails", graph.tails())),
            weight: set.reals("weights", &prepared.weight),
            multiplicity: set.reals("multiplicities", prepared.multiplicities()),
            component_of: set.filled("components", component_of),
            out_arcs: DeviceChunks::plan(&mut set, &out),
            in_arcs: (reverse.as_ref()).map(|chunks| DeviceChunks::plan(&mut set, chunks)),
            query,
            needs: Needs {
                vertices: graph.vertices(),
                components,
                roots: prepared.roots.len(),
                most_roots: ranges.most(&prepared.roots),
                pieces: larger(Chunks::pieces),
                chunks: larger(|chunks| chunks.piece.len()),
                columns,
                sums_of_arcs: if edges { passes * graph.arcs() } else { 0 },
                graph_bytes: set.total(),
                depth: shallow.fold(depth, u32::max).min(deepest),
            },
        };
        let narrow = Widths::narrow(options);
        let sizes = Sizes::choose(&graph.needs, narrow, &session.info, options);
        let memories = plan_batches(&mut set, &graph.needs, &sizes);
        let bytes = set.total();
        // In undirected graphs, no search is deeper than twice the depth of another one in its
        // component.
        let may_be_too_deep =
            |depth: u32| (2 * depth as usize).min(deepest as usize) + 2 > sizes.planes;
        let mut search = LanesSearch {
            session,
            graph: Rc::new(graph),
            batches: Vec::new(),
            sizes,
            begins_anew: false,
            unfinished: VecDeque::new(),
            next_batch_runs_alone: false,
            next_batch: 0,
            deepest: depth as usize,
            component_may_be_deep: depths.into_iter().map(may_be_too_deep).collect(),
            roots_too_deep: Vec::new(),
            overflowed_roots: Vec::new(),
            fallback: None,
            sums: prepared.zero_sums(),
        };
        search.make_batches(set, memories)?;
        let why = format!(
            "{} lanes as {} tiles of {}, {} in flight and masks for {} levels, for a sampled depth \
             of {depth}",
            sizes.lanes(),
            sizes.tiles,
            sizes.width,
            ["one batch", "two batches"][sizes.batches - 1],
            sizes.planes,
        );
        let work_group = options.work_group_of(WORK_GROUP, &session.info);
        Ok(DeviceEngine {
            plan: EnginePlan {
                why,
                degree: Some(degree),
                lanes: sizes.lanes(),
                batches_in_flight: sizes.batches,
                ..EnginePlan::new(Strategy::Lanes, work_group, bytes)
            },
            engine: Box::new(search),
        })
    }
}

/// Plans the buffers of [`Sizes::batches`] batches.
fn plan_batches(set: &mut BufferSet, needs: &Needs, sizes: &Sizes) -> Vec<Memory<DeviceBuffer>> {
    let mut add = |what, bytes, is_zeroed| match is_zeroed {
        true => set.zeroed(what, bytes),
        false => set.unset(what, bytes),
    };
    let batches = 0..sizes.batches;
    batches.map(|_| sizes.memory(needs, &mut add)).collect()
}

impl LanesSearch<'_> {
    /// Finishes the oldest unfinished batch, and lists its roots if it has failed.
    fn finish_oldest(&mut self) -> Result<(), EngineError> {
        let Some(batch) = self.unfinished.pop_front() else {
            return Ok(());
        };
        let batch = &mut self.batches[batch];
        match batch.finish()? {
            Progress::Enqueued(depth) => self.deepest = self.deepest.max(depth),
            Progress::TooDeep => self.roots_too_deep.extend_from_slice(&batch.roots),
            Progress::TooManyPaths => self.overflowed_roots.extend_from_slice(&batch.roots),
        }
        Ok(())
    }

    /// Searches again from the roots of batches that failed: with wide rows or, if a batch was too
    /// deep, by another engine. All later roots are searched like that too. Keeps the sums of the
    /// batches, and frees their memory before it allocates more.
    fn search_failed(&mut self) -> Result<(), EngineError> {
        let is_too_deep = !self.roots_too_deep.is_empty();
        if is_too_deep && self.session.options.reproducible {
            let text = "a search was too deep for strategy lanes; choose another --strategy for \
                        reproducible scores";
            return Err(DeviceError::Refused(text.into()).into());
        }
        if !is_too_deep && self.overflowed_roots.is_empty() {
            return Ok(());
        }
        self.take_sums()?;
        if is_too_deep {
            self.batches.clear();
            let mut roots = std::mem::take(&mut self.roots_too_deep);
            roots.append(&mut self.overflowed_roots);
            return self.search_with_fallback(&roots);
        }
        self.replace_batches(Widths::wide(self.session.options.precision))?;
        let roots = std::mem::take(&mut self.overflowed_roots);
        self.search(&roots)
    }

    /// Replaces the batches, which must have no searches under way and no sums, by batches with
    /// rows of these widths.
    fn replace_batches(&mut self, widths: Widths) -> Result<(), DeviceError> {
        self.batches.clear();
        let (info, options) = (&self.session.info, &self.session.options);
        self.sizes = Sizes::choose(&self.graph.needs, widths, info, options);
        self.next_batch = 0;
        let mut set = BufferSet::new(self.session);
        let memories = plan_batches(&mut set, &self.graph.needs, &self.sizes);
        self.make_batches(set, memories)
    }

    /// Makes a batch for each of these groups of planned buffers of the set.
    fn make_batches(
        &mut self,
        set: BufferSet,
        memories: Vec<Memory<DeviceBuffer>>,
    ) -> Result<(), DeviceError> {
        let (session, sizes) = (self.session, self.sizes);
        let source = Lanes::source(&session.options, &session.info, sizes.widths);
        let kernels = session.build(&source)?;
        set.make_resident()?;
        let batch = |memory| Batch::new(session, &kernels, Rc::clone(&self.graph), sizes, memory);
        self.batches = memories.into_iter().map(batch).collect::<Result<_, _>>()?;
        self.next_batch_runs_alone = session.info.kind == DeviceKind::Cpu;
        Ok(())
    }

    /// Searches from these roots by the fallback engine.
    fn search_with_fallback(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let engine = match &mut self.fallback {
            Some(engine) => engine,
            none => none.insert(FALLBACK.engine(self.session, self.graph.prepared)?.engine),
        };
        engine.search(roots)
    }

    /// Finishes the batches, and moves their sums to `sums`.
    fn take_sums(&mut self) -> Result<(), EngineError> {
        while !self.unfinished.is_empty() {
            self.finish_oldest()?;
        }
        for batch in &mut self.batches {
            finish(&batch.queue)?;
            if batch.overflowed()? {
                return Err(EngineError::too_many_paths(None, self.session));
            }
            batch.take_sums(&mut self.sums)?;
        }
        Ok(())
    }
}

impl Engine for LanesSearch<'_> {
    fn roots_wanted(&self) -> usize {
        match &self.fallback {
            Some(engine) if self.batches.is_empty() => engine.roots_wanted(),
            _ => self.sizes.batch_roots(&self.graph.needs),
        }
    }

    fn roots_together(&self) -> usize {
        match &self.fallback {
            Some(engine) if self.batches.is_empty() => engine.roots_together(),
            _ => self.sizes.width,
        }
    }

    fn roots_in_flight(&self) -> usize {
        let batches = self.unfinished.iter();
        let batches = batches.map(|&batch| self.batches[batch].roots.len());
        let fallback = self.fallback.as_ref();
        fallback.map_or(0, |engine| engine.roots_in_flight())
            + self.roots_too_deep.len()
            + self.overflowed_roots.len()
            + batches.sum::<usize>()
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let narrow = Widths::narrow(&self.session.options);
        if std::mem::take(&mut self.begins_anew) && self.sizes.widths != narrow {
            self.replace_batches(narrow)?;
        }
        let shallow;
        let mut rest = roots;
        if self.component_may_be_deep.contains(&true) {
            let ranges = &self.graph.prepared.ranges;
            let is_deep = |root: &Root| self.component_may_be_deep[ranges.component(root.vertex)];
            let deep: Vec<Root>;
            (deep, shallow) = roots.iter().partition::<Vec<_>, _>(|&root| is_deep(root));
            rest = &shallow;
            if !deep.is_empty() {
                self.search_with_fallback(&deep)?;
            }
        }
        while !rest.is_empty() {
            if self.unfinished.len() == self.batches.len() {
                self.finish_oldest()?;
            }
            self.search_failed()?;
            if self.batches.is_empty() {
                return self.search_with_fallback(rest);
            }
            if self.unfinished.len() == self.batches.len() {
                continue;
            }
            let next_batch = self.next_batch;
            self.next_batch = (next_batch + 1) % self.batches.len();
            let most = rest.len().min(self.sizes.batch_roots(&self.graph.needs));
            let taken = self.batches[next_batch].begin(&rest[..most], self.deepest)?;
            self.unfinished.push_back(next_batch);
            rest = &rest[taken..];
            if std::mem::take(&mut self.next_batch_runs_alone) {
                self.finish_oldest()?;
                finish(&self.batches[next_batch].queue)?;
            }
        }
        Ok(())
    }

    fn error_bound(&self) -> f64 {
        match self.session.options.precision {
            Precision::Mixed if !self.session.options.query => engine::mixed_error(self.deepest),
            _ => 0.0,
        }
    }

    fn forget(&mut self) {
        self.next_batch = 0;
        self.begins_anew = true;
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        self.take_sums()?;
        while !(self.roots_too_deep.is_empty() && self.overflowed_roots.is_empty()) {
            self.search_failed()?;
            self.take_sums()?;
        }
        if let Some(engine) = &mut self.fallback {
            engine.collect(&mut self.sums.lend())?;
        }
        self.sums.move_to(sums);
        Ok(())
    }
}
