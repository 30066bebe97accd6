//! Who races against whom: strategies first, then their numbers one at a time.

use super::check::{Check, check};
use super::race::{Measurer, NO_TIME, Observer, Race, Track};
use super::setting::{Lists, Place, Setting};
use crate::app::bench::Subject;

/// What to try, and for how long.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What a run does when it is asked for nothing.
    pub default: Setting,
    /// Strategies to try beside the default.
    pub subjects: Vec<Subject>,
    /// Numbers to try.
    pub lists: Lists,
    /// The device.
    pub place: Place,
    /// Whether everything listed is measured, and nothing dropped.
    pub sweep: bool,
    /// Seconds.
    pub budget: f64,
}

/// What came out.
#[derive(Debug, Clone)]
pub struct Tuning {
    /// Everybody who took part. The first one is the default.
    pub tracks: Vec<Track>,
    /// The fastest, by number.
    pub best: usize,
    /// The fastest against the default.
    pub check: Check,
}

/// Number of [`Plan::default`].
pub const DEFAULT: usize = 0;

/// Parts of the budget gone after the strategies, after the first numbers, and before the check.
const STRATEGIES: f64 = 0.35;
const NUMBERS: f64 = 0.6;
const BEFORE_CHECK: f64 = 0.78;
/// Strategies whose numbers are tried, and how far behind the first they may be: as much as numbers
/// may gain.
const LEADERS: usize = 3;
const BEHIND: f64 = 1.5;
/// Times that the numbers of the best are tried around it.
const STEPS: usize = 4;

impl Tuning {
    /// The setting to use.
    pub fn adopted(&self) -> usize {
        if self.check.adopted {
            self.best
        } else {
            DEFAULT
        }
    }
}

/// Tunes. Fails if nobody can search, with the reason.
pub fn tune<M: Measurer>(
    plan: &Plan,
    measurer: &mut M,
    observe: Observer,
) -> Result<Tuning, String> {
    let mut race = Race {
        measurer,
        tracks: vec![Track::new(plan.default)],
        roots: plan.place.roots,
        entry_ends: 0.0,
        keep_all: plan.sweep,
        observe,
    };
    let best = if plan.sweep {
        sweep(plan, &mut race)
    } else {
        coarse_to_fine(plan, &mut race)
    };
    let Race {
        measurer,
        mut tracks,
        ..
    } = race;
    let Some(mut best) = best else {
        let reason = tracks.iter().find_map(|track| track.failure.as_deref());
        return Err(reason.unwrap_or("the budget is too small").into());
    };
    if !plan.sweep {
        // Numbers that there was no time for are many, and of no interest.
        let asked = |track: &Track| track.setting == Setting::plain(track.setting.subject);
        let untried = |track: &Track| track.failure.as_deref() == Some(NO_TIME) && !asked(track);
        best -= tracks[..best].iter().filter(|track| untried(track)).count();
        tracks.retain(|track| !untried(track));
    }
    let check = check(
        measurer,
        &tracks[best],
        &tracks[DEFAULT],
        plan.place.roots,
        plan.budget,
    );
    Ok(Tuning {
        tracks,
        best,
        check,
    })
}

fn sweep<M: Measurer>(plan: &Plan, race: &mut Race<M>) -> Option<usize> {
    for &subject in &plan.subjects {
        for setting in plan.lists.product(subject) {
            enter(race, setting);
        }
    }
    let all: Vec<usize> = (0..race.tracks.len()).collect();
    race.run(&all, BEFORE_CHECK * plan.budget).first().copied()
}

fn coarse_to_fine<M: Measurer>(plan: &Plan, race: &mut Race<M>) -> Option<usize> {
    for &subject in &plan.subjects {
        enter(race, Setting::plain(subject));
    }
    let around = |setting: &Setting| plan.lists.neighbours(setting, &plan.place);
    let numbers = race
        .tracks
        .iter()
        .any(|track| !around(&track.setting).is_empty());
    let all: Vec<usize> = (0..race.tracks.len()).collect();
    let end = if numbers { STRATEGIES } else { BEFORE_CHECK };
    let mut alive = race.run(&all, end * plan.budget);
    let mut best = *alive.first()?;

    // What `auto` chose raced under its own name too; from here on, one of the two is enough.
    let chosen = race.tracks[DEFAULT].last.and_then(|last| last.strategy);
    let chosen = chosen.map(|strategy| Setting::plain(Subject::Device(strategy)));
    let twin = race.tracks.iter().position(|t| Some(t.setting) == chosen);
    if let Some(twin) = twin.filter(|_| alive.contains(&DEFAULT)) {
        if alive.contains(&twin) {
            alive.retain(|&c| c != twin);
            race.tracks[twin].dropped_after = Some(race.tracks[twin].rounds.len());
        }
        if best == twin {
            best = DEFAULT;
        }
    }
    let named = |setting: Setting| match chosen {
        Some(chosen) if setting == plan.default => chosen,
        _ => setting,
    };
    let mut end = NUMBERS;
    let mut bases = leaders(race, plan, named);
    for _ in 0..STEPS {
        if race.measurer.now() >= end * plan.budget {
            break;
        }
        let mut entrants = Vec::new();
        for base in &bases {
            for setting in around(base) {
                if Some(setting) != chosen && !known(race, &setting) {
                    entrants.push(enter(race, setting));
                }
            }
        }
        if entrants.is_empty() {
            break;
        }
        // The best of before run too: times drift.
        alive.truncate(LEADERS);
        for &c in alive.iter().rev() {
            race.tracks[c].dropped_after = None;
            entrants.insert(0, c);
        }
        let left = race.run(&entrants, end * plan.budget);
        end = BEFORE_CHECK;
        // What seemed slower than a small sample of somebody may turn out to be the fastest after
        // all.
        let mut known = left.clone();
        known.extend((!left.contains(&best)).then_some(best));
        race.sort(&mut known);
        let Some(&now) = known.first() else { break };
        alive = known;
        let gained = now != best;
        best = now;
        if !gained {
            break;
        }
        bases = vec![named(race.tracks[best].setting)];
        bases.retain(|base| plan.subjects.contains(&base.subject));
    }
    race.tracks[best].dropped_after = None;
    Some(best)
}

/// The best of the strategies asked for, and others so close behind that their numbers may make up
/// for it.
fn leaders<M: Measurer>(
    race: &Race<M>,
    plan: &Plan,
    named: impl Fn(Setting) -> Setting,
) -> Vec<Setting> {
    let asked = |c: usize| {
        plan.subjects
            .contains(&named(race.tracks[c].setting).subject)
    };
    let seconds = |c: usize| race.tracks[c].predicted();
    let mut all: Vec<usize> = (0..race.tracks.len())
        .filter(|&c| race.tracks[c].failure.is_none() && seconds(c).is_some() && asked(c))
        .collect();
    race.sort(&mut all);
    let first = all.first().and_then(|&c| seconds(c)).unwrap_or(0.0);
    all.retain(|&c| seconds(c).is_some_and(|seconds| seconds <= BEHIND * first));
    let mut leaders = Vec::new();
    for base in all.into_iter().map(|c| named(race.tracks[c].setting)) {
        if !leaders.contains(&base) && leaders.len() < LEADERS {
            leaders.push(base);
        }
    }
    leaders
}

fn known<M>(race: &Race<M>, setting: &Setting) -> bool {
    race.tracks.iter().any(|track| track.setting == *setting)
}

/// Its number, new or not.
fn enter<M>(race: &mut Race<M>, setting: Setting) -> usize {
    let known = race.tracks.iter().position(|t| t.setting == setting);
    known.unwrap_or_else(|| {
        race.tracks.push(Track::new(setting));
        race.tracks.len() - 1
    })
}
