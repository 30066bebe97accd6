//! Strategies `vertex`, `work-efficient` and `warp` on weighted graphs: `cl/weighted.cl` says how
//! they search. One root per work-group, as in [`super::root_per_group`], whose engine this is with
//! other kernels.
//!
//! There is a program for each type of lengths. That of [`LengthType::U32`] is made ready before
//! the graph is there, the others when they turn out to be needed.

mod tables;

use super::root_per_group::{Form, Parts, SlotSums, Slots};
use super::{DeviceEngine, EnginePlan};
use crate::device::buffers::{BufferPlan, DeviceBuffer};
use crate::device::launch::{Arg, Launcher};
use crate::device::{DeviceError, DeviceInfo, Session};
use crate::graph::Lengths;
use crate::prepare::Prepared;
use tables::{Tables, WORDS};

/// Work-items of a work-group. A round settles few vertices where searches are long: some fifty on
/// roads.
pub const WORK_GROUP: usize = 128;
/// The same with virtual warps, which take several work-items for a vertex.
pub const WARP_WORK_GROUP: usize = 256;

/// What distances are kept in on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LengthType {
    /// Integers of 32 bits.
    U32,
    /// Integers of 64 bits.
    U64,
    /// Doubles.
    F64,
}

impl LengthType {
    /// That of these lengths.
    fn of(lengths: &Lengths) -> LengthType {
        match lengths {
            Lengths::U32(_) => LengthType::U32,
            Lengths::U64(_) => LengthType::U64,
            Lengths::F64(_) => LengthType::F64,
        }
    }

    /// That of a graph; [`LengthType::U32`] if it has no lengths, and where nothing is known yet.
    pub fn of_graph(prepared: Option<&Prepared>) -> LengthType {
        let lengths = prepared.and_then(|prepared| prepared.lengths.as_ref());
        lengths.map_or(LengthType::U32, LengthType::of)
    }

    /// Bytes of a distance.
    fn bytes(self) -> usize {
        match self {
            LengthType::U32 => 4,
            LengthType::U64 | LengthType::F64 => 8,
        }
    }

    /// Name of a kernel of this type.
    fn kernel(self, form: Form, name: &str) -> String {
        let lengths = match self {
            LengthType::U32 => "u32",
            LengthType::U64 => "u64",
            LengthType::F64 => "f64",
        };
        let form = match form {
            Form::Warp => "warp",
            Form::Vertex => "vertex",
            _ => "work_efficient",
        };
        format!("weighted_{lengths}_{form}_{name}")
    }

    /// Checks that a device can lower distances of this type.
    fn check(self, info: &DeviceInfo) -> Result<(), DeviceError> {
        let missing = |feature| {
            Err(DeviceError::Missing {
                device: info.name.clone(),
                feature,
            })
        };
        match self {
            LengthType::U64 | LengthType::F64 if !info.int64_atomics => missing(
                "64-bit atomics (cl_khr_int64_extended_atomics), which these weights need; use --device none",
            ),
            LengthType::F64 if !info.fp64 => {
                missing("64-bit floats, which these weights need; use --device none")
            }
            _ => Ok(()),
        }
    }
}

/// What one slot needs for a graph of `n` vertices, in the order of the kernels' parameters.
fn slot_buffers(form: Form, n: usize, kind: LengthType, real: usize) -> [(&'static str, u64); 8] {
    let bytes = |each: usize, count: usize| (each * count) as u64;
    let (all, lists) = match form {
        Form::Vertex => (n, 0),
        _ => (0, n),
    };
    let dist = kind.bytes();
    // A round settles at least one vertex.
    let ends = if lists > 0 { n + 2 } else { 0 };
    [
        ("distances of all slots", bytes(dist, n)),
        ("path counts of all slots", bytes(real, n)),
        ("coefficients of all slots", bytes(real, n)),
        ("rounds of all slots", bytes(4, all)),
        ("settled vertices of all slots", bytes(2 * dist, lists)),
        ("round ends of all slots", bytes(4, ends)),
        ("open vertices of all slots", bytes(2 * 4, lists)),
        ("scores of all slots", bytes(real, n)),
    ]
}

/// Makes the engine of a form for a graph with lengths; see [`super::Strategy::engine`].
pub fn engine<'s>(
    session: &'s Session,
    prepared: &Prepared,
    lengths: &Lengths,
    form: Form,
) -> Result<DeviceEngine<'s>, DeviceError> {
    let (options, info) = (&session.options, &session.info);
    let kind = LengthType::of(lengths);
    kind.check(info)?;
    let graph = &prepared.graph;
    let reverse = prepared.reverse.as_ref();
    let n = graph.vertices();
    let work_group = session.work_group(form.strategy());
    let (knob, why) = form.knob(prepared, options, work_group)?;
    let score = options.score_precision(info);

    let words = |count: usize| 4 * count as u64;
    let arcs = (WORDS.0 * kind.bytes() * graph.arcs()) as u64;
    let mut plan = BufferPlan(vec![
        ("CSR offsets", words(n + 1)),
        ("arcs", arcs),
        ("shortest arcs", (WORDS.1 * kind.bytes() * n) as u64),
        ("weights", (options.precision.bytes() * n) as u64),
        ("scores", (score.bytes() * n) as u64),
    ]);
    if reverse.is_some() {
        plan.0.extend([
            ("reverse CSR offsets", words(n + 1)),
            ("reverse arcs", arcs),
        ]);
    }
    let mut needs = slot_buffers(form, n, kind, options.precision.bytes()).to_vec();
    if options.count_edges {
        plan.0.push(SlotSums::of_arcs(session, graph.arcs()));
        needs.push(SlotSums::of_arcs_in_slot(session, graph.arcs()));
    }
    let slots = Slots::plan(session, work_group, prepared, &mut plan, needs)?;

    let tables = Tables::new(session, graph, lengths, reverse)?;
    let offsets = DeviceBuffer::filled(session, graph.offsets())?;
    let reverse_offsets = reverse
        .map(|reverse| DeviceBuffer::filled(session, reverse.offsets()))
        .transpose()?;
    let weight = DeviceBuffer::reals(session, &prepared.weight)?;
    let mut of_slots = slots.make(session)?;
    let claims = slots.make_claims(session)?;

    let buffer = Arg::Buffer;
    let count = Arg::Uint(n as u32);
    let mut args = vec![
        Arg::Uint(0),
        Arg::Uint(knob.value()),
        buffer(&claims.roots),
        buffer(&claims.status),
        count,
        Arg::Uint(graph.arcs() as u32),
        Arg::Uint(u32::from(reverse.is_some())),
        Arg::Uint(u32::from(prepared.count_endpoints)),
    ];
    if kind == LengthType::F64 {
        args.push(Arg::Ulong(prepared.tie_tolerance.to_bits()));
    }
    args.extend([
        buffer(&offsets),
        buffer(&tables.arcs),
        buffer(reverse_offsets.as_ref().unwrap_or(&offsets)),
        buffer(tables.reverse_arcs.as_ref().unwrap_or(&tables.arcs)),
        buffer(&tables.shortest),
        buffer(&weight),
    ]);
    args.extend(of_slots.iter().map(buffer));
    let search = Launcher::new(session, &kind.kernel(form, "search"), &args)?;
    let add = (form.strategy(), &*kind.kernel(form, "add_slots"));
    let (vertex_sums, arc_sums) =
        SlotSums::in_order(session, add, graph, (slots.count, &of_slots))?;
    let mut engine_plan = EnginePlan::new(form.strategy(), session, plan.total());
    engine_plan.why = why;
    engine_plan.slots = Some(slots.count);
    engine_plan.warp_size = knob.warp_size(form);
    let mut buffers = vec![offsets, weight, tables.arcs, tables.shortest];
    buffers.extend(reverse_offsets);
    buffers.extend(tables.reverse_arcs);
    buffers.append(&mut of_slots);
    let parts = Parts {
        search,
        work_group,
        claims,
        vertex_sums,
        arc_sums,
        _buffers: buffers,
        n,
        slots: slots.count,
        knob,
        names: None,
    };
    Ok(DeviceEngine {
        plan: engine_plan,
        engine: parts.engine(session),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::find::DeviceKind;

    #[test]
    fn long_lengths_need_wide_atomics_and_doubles_need_doubles() {
        let device = |fp64, int64_atomics| DeviceInfo {
            number: 0,
            name: "Small".into(),
            platform: String::new(),
            platform_version: String::new(),
            driver: String::new(),
            kind: DeviceKind::Gpu,
            compute_units: 1,
            max_work_group: 64,
            local_memory: 1024,
            memory: 1000,
            max_buffer: 600,
            fp64,
            int64_atomics,
        };
        let able = |kind: LengthType, fp64, atomics| kind.check(&device(fp64, atomics)).is_ok();
        assert!(able(LengthType::U32, false, false));
        assert!(able(LengthType::U64, false, true) && !able(LengthType::U64, true, false));
        assert!(able(LengthType::F64, true, true) && !able(LengthType::F64, true, false));
        let error = LengthType::F64.check(&device(false, true)).unwrap_err();
        assert!(error.to_string().starts_with("Small has no 64-bit floats"));
    }
}
