//! Who searched: roots per worker of each run, and the kernels of devices.

use super::{Figure, Run};
use crate::app::page::number::{duration, share, short};
use crate::app::page::svg::rows::{Row, Rows};
use crate::app::page::table::{Columns, count, number, seconds, text};
use brandes::report::words::{counted, named};
use brandes::report::{DevicePart, KernelPart, ProfilePart, Report, WorkerPart};

const CPU: usize = 0;
const DEVICE: usize = 1;

/// A CPU worker, or a device, which need not have searched: its name, colour, how it searched, and
/// what it did or how far it came.
type Worker<'r> = (String, usize, String, Result<&'r WorkerPart, String>);

fn all(run: &Report) -> Vec<Worker<'_>> {
    let mut all: Vec<Worker> = Vec::new();
    for device in &run.devices {
        let plan = device.plan.as_ref().map(|plan| plan.strategy.name());
        let how = plan.into_iter().chain([device.info.name.as_str()]);
        let how = how.collect::<Vec<_>>().join(", ");
        let part = run.work_of(device).ok_or_else(|| named(device.state));
        all.push((format!("device {}", device.info.number), DEVICE, how, part));
    }
    for worker in run.cpu_workers() {
        let (name, how) = (format!("cpu {}", worker.number), worker.engine);
        let how = how.map_or("", |engine| engine.name());
        all.push((name, CPU, how.into(), Ok(worker)));
    }
    all
}

fn row((label, colour, how, part): &Worker) -> Row {
    match part {
        Err(state) => Row::bars(label, [], &format!("0 ({state})")),
        Ok(part) => {
            let (roots, busy) = (counted(part.roots, "root"), duration(part.busy_seconds));
            let title = format!("{label} ({how}): {roots}, busy for {busy}");
            Row::bars(label, [(*colour, part.roots as f64, title)], &roots)
        }
    }
}

/// Roots per worker of a run.
pub fn workers((name, run): &Run) -> Option<Figure> {
    let workers = all(run);
    let total: usize = run.workers.iter().map(|worker| worker.roots).sum();
    let share = |part: &WorkerPart| part.roots as f64 / total.max(1) as f64;
    let percent = |part: f64| format!("{:.1}%", 100.0 * part);
    let of = |(.., part): &Worker, what: &dyn Fn(&WorkerPart) -> f64| {
        part.as_ref().ok().map(|part| what(part))
    };
    let name_of_chart = format!("Roots per worker of {name}");
    let chart = Rows::new(name_of_chart, short, workers.iter().map(row));
    let notes = vec![run.plan.why.clone()];
    let table = Columns::of(&workers)
        .column("worker", |(label, ..)| text(&**label))
        .column("how", |(_, _, how, _)| text(&**how))
        .column("roots", |w| {
            count(of(w, &|part| part.roots as f64).unwrap_or(0.0))
        })
        .column("share", |w| number(of(w, &share), percent))
        .column("busy s", |w| seconds(of(w, &|part| part.busy_seconds)))
        .column("idle at the end s", |w| {
            seconds(of(w, &|part| part.idle_tail_seconds))
        });
    (!workers.is_empty()).then(|| table.figure(name, notes, chart.draw()))
}

/// Seconds of the kernels of each device whose times were taken.
pub fn kernels((name, run): &Run) -> Vec<Figure> {
    let figure = |device: &DevicePart| {
        let title = format!("{name} on {}", device.info.name);
        Some(of_profile(title, device.profile.as_ref()?))
    };
    run.devices.iter().filter_map(figure).collect()
}

fn of_profile(title: String, profile: &ProfilePart) -> Figure {
    let row = |kernel: &KernelPart| {
        let launches = counted(kernel.launches as usize, "launch");
        let end = format!("{}, {}", duration(kernel.seconds), share(kernel.share));
        let title = format!("{}: {end}, {launches}", kernel.name);
        Row::bars(&kernel.name, [(DEVICE, kernel.seconds, title)], &end)
    };
    let rows = profile.kernels.iter().map(row);
    let chart = Rows::new(format!("Seconds of kernels, {title}"), duration, rows);
    Columns::of(&profile.kernels)
        .column("kernel", |kernel| text(&*kernel.name))
        .column("launches", |kernel| count(kernel.launches as f64))
        .column("seconds", |kernel| seconds(kernel.seconds))
        .column("share", |kernel| number(kernel.share, share))
        .figure(title, Vec::new(), chart.draw())
}
