//! What races against what: strategies first, then their numbers one at a time.

use std::iter;

use anyhow::{Result, bail};

use super::check::{Check, check};
use super::race::{Measurer, NO_TIME, Observer, Race, Track};
use super::setting::{Lists, Place, Setting};
use crate::app::bench::Subject;
use crate::app::distinct::distinct;

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
    /// Whether everything listed is measured, and nothing eliminated.
    pub sweep: bool,
    /// Seconds.
    pub budget: f64,
}

/// What came out.
#[derive(Debug, Clone)]
pub struct Tuning {
    /// All candidates. The first one is the default.
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
        match self.check.adopted {
            true => self.best,
            false => DEFAULT,
        }
    }
}

/// Tunes.
///
/// # Errors
/// If no candidate can search, with the reason.
pub fn tune<M: Measurer>(plan: &Plan, measurer: &mut M, observe: Observer) -> Result<Tuning> {
    let mut race = Race {
        measurer,
        tracks: vec![Track::new(plan.default)],
        roots: plan.place.roots,
        keep_all: plan.sweep,
        observe,
    };
    let best = if plan.sweep {
        let all = plan.subjects.iter().flat_map(|&s| plan.lists.product(s));
        let all = candidates(&mut race, iter::once(plan.default).chain(all));
        race.run(&all, BEFORE_CHECK * plan.budget).first().copied()
    } else {
        coarse_to_fine(plan, &mut race)
    };
    let Some(best) = best else {
        let failures = race.tracks.into_iter().find_map(|track| track.failure);
        bail!(failures.unwrap_or("the budget is too small".into()));
    };
    let (best, measurer, mut tracks) = (race.tracks[best].setting, race.measurer, race.tracks);
    if !plan.sweep {
        // Numbers that there was no time for are many, and of no interest.
        let plain = |track: &Track| track.setting == Setting::plain(track.setting.subject);
        tracks.retain(|track| plain(track) || track.failure.as_deref() != Some(NO_TIME));
    }
    let is_best = |track: &Track| track.setting == best;
    let best = tracks.iter().position(is_best).unwrap_or(DEFAULT);
    tracks[best].dropped_after = None;
    let (roots, until) = (plan.place.roots, plan.budget);
    let check = check(measurer, &tracks[best], &tracks[DEFAULT], roots, until);
    Ok(Tuning {
        tracks,
        best,
        check,
    })
}

fn coarse_to_fine<M: Measurer>(plan: &Plan, race: &mut Race<M>) -> Option<usize> {
    let around = |setting: &Setting| plan.lists.neighbours(setting, &plan.place);
    let plain = plan.subjects.iter().map(|&subject| Setting::plain(subject));
    let all = candidates(race, iter::once(plan.default).chain(plain));
    let numbers = race.tracks.iter().any(|t| !around(&t.setting).is_empty());
    let end = if numbers { STRATEGIES } else { BEFORE_CHECK };
    let ranked = race.run(&all, end * plan.budget);
    let mut best = *ranked.first()?;

    // What `auto` chose raced under its own name too; from here on, one of the two is enough.
    let chosen = race.tracks[DEFAULT].last.and_then(|last| last.strategy);
    let chosen = chosen.map(|strategy| Setting::plain(Subject::Device(strategy)));
    if Some(race.tracks[best].setting) == chosen {
        best = DEFAULT;
    }
    let named = |race: &Race<M>, c: usize| match race.tracks[c].setting {
        setting if c == DEFAULT => chosen.unwrap_or(setting),
        setting => setting,
    };
    // The best of the strategies asked for, and others so close behind that their numbers may make
    // up for it.
    let asked = |setting: &Setting| plan.subjects.contains(&setting.subject);
    let mut bases: Vec<Setting> = Vec::new();
    let mut first = f64::INFINITY;
    for c in ranked {
        let (setting, seconds) = (named(race, c), race.seconds(c));
        if asked(&setting) && !bases.contains(&setting) && seconds <= BEHIND * first {
            bases.push(setting);
            first = first.min(seconds);
        }
    }
    bases.truncate(LEADERS);
    for step in 0..STEPS {
        let end = if step == 0 { NUMBERS } else { BEFORE_CHECK } * plan.budget;
        let known = |setting: &Setting| race.tracks.iter().any(|t| t.setting == *setting);
        let near = bases.iter().filter(|base| asked(base)).flat_map(around);
        let new: Vec<Setting> = near.filter(|s| Some(*s) != chosen && !known(s)).collect();
        if new.is_empty() || race.measurer.now() >= end {
            break;
        }
        // The best so far takes part again: times drift.
        let best_so_far = race.tracks[best].setting;
        let entrants = candidates(race, new.into_iter().chain([best_so_far]));
        let fastest = race.run(&entrants, end).first().copied();
        match fastest.filter(|&c| race.seconds(c) < race.seconds(best)) {
            Some(fastest) => best = fastest,
            None => break,
        }
        bases = vec![named(race, best)];
    }
    Some(best)
}

/// The numbers of these settings, new or not, each once.
fn candidates<M>(race: &mut Race<M>, settings: impl Iterator<Item = Setting>) -> Vec<usize> {
    distinct(settings.map(|setting| {
        let known = race.tracks.iter().position(|t| t.setting == setting);
        known.unwrap_or_else(|| {
            race.tracks.push(Track::new(setting));
            race.tracks.len() - 1
        })
    }))
}
