//! How many of the roots that are left a participant is to claim: the rule of shares, without a
//! clock or threads.
//!
//! Claims shrink towards the end, so that all end together. A claim that can end only after the
//! others could have searched everything is not made: a participant that is slow, or cannot search
//! a few roots faster than many, would hold them up.

/// Seconds of work that are worth waiting for at the end, if they take others as long. Smaller
/// batches would fill a GPU badly: of 2, 4, 8 and 16 ms, two GPUs ended most evenly with 16.
const SHORT: f64 = 0.016;

/// Searchers are taken to need only this part of the time that their rates tell: rates vary, and a
/// claim that ends just in time gains next to nothing.
const CAUTION: f64 = 0.8;

/// Seconds that workers have to save, as it seems from a device's first result. That one took it up
/// to 2.5 times as long as those after it (H200), so that what is saved can be a sixth of this:
/// about what mapping the workers' memory and its traffic cost a device.
const WORTH: f64 = 0.04;

/// How fast a participant searches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pace {
    /// Roots a second.
    pub rate: f64,
    /// Roots that take about as long as one.
    pub batch: usize,
    /// Seconds that the smallest claim takes.
    pub least: f64,
}

/// A participant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Searcher {
    pub pace: Pace,
    /// Seconds until they have searched what they have claimed.
    pub busy: f64,
}

impl Searcher {
    /// Seconds until they can have searched more than that.
    fn soonest(&self) -> f64 {
        self.busy + self.pace.least
    }
}

/// How many of `rest` roots to claim, of at most `wanted`. Nothing if that is best left to others;
/// one of them at least would then not be told the same. `unmeasured`: roots a second of
/// still others, of whom nothing more is known.
pub(super) fn fair(
    rest: usize,
    wanted: usize,
    me: Searcher,
    others: &[Searcher],
    unmeasured: f64,
) -> usize {
    if rest == 0 {
        return 0;
    }
    let Pace { rate, batch, .. } = me.pace;
    let others_rate = others.iter().map(|other| other.pace.rate).sum::<f64>();
    let share = rate / (rate + others_rate + unmeasured);
    // Half of the share, or nearly all of it if it is nearly everything: what others do meanwhile
    // is little then, and one large claim keeps a device busier than several.
    let part = rest as f64 * share * share.max(0.5);
    // From a float beyond the largest integer comes that integer.
    let batches = |roots: f64| (roots / batch as f64) as usize;
    let fair = batches(part.max(rate * SHORT) + batch as f64 - 0.5);
    let in_time = |time: f64| batches(rate * (time - me.busy)).max(1);
    // The others need at least this time, so that far from the end there is no need to know more.
    let least = CAUTION * rest as f64 / others_rate;
    let batches = if me.soonest() <= least && fair.min(wanted.div_ceil(batch)) <= in_time(least) {
        fair
    } else {
        let time = time_of(rest, others);
        if me.soonest() > time {
            return 0;
        }
        fair.min(in_time(time))
    };
    wanted.min(batches.saturating_mul(batch)).clamp(1, rest)
}

/// Whether `others` are done so much sooner if so many like `me` help them that it is worth being
/// in their way.
pub(super) fn worth_it(rest: usize, others: &[Searcher], me: Pace, many: usize) -> bool {
    let without = shared_time(rest as f64, others);
    let rate = others.iter().map(|other| other.pace.rate).sum::<f64>();
    let ours = many as f64 * me.rate;
    without * ours / (rate + ours) >= WORTH
}

/// Seconds in which `others` search `rest` roots, told with caution; infinite if there are none.
/// Never less than the one that is first done with another claim needs for it, so that this one
/// does not leave it to others.
fn time_of(rest: usize, others: &[Searcher]) -> f64 {
    let soonest = others
        .iter()
        .map(Searcher::soonest)
        .fold(f64::INFINITY, f64::min);
    (CAUTION * shared_time(rest as f64, others)).max(soonest)
}

/// Seconds in which `others` search `rest` roots, each from when it is no longer busy; those that
/// would not have searched one by then do nothing.
fn shared_time(rest: f64, others: &[Searcher]) -> f64 {
    let mut in_turn: Vec<_> = others.iter().collect();
    in_turn.sort_by(|a, b| a.soonest().total_cmp(&b.soonest()));
    // Of those that have searched some by then: the sum of rates, and the roots searched by time t
    // are rate * t - before.
    let (mut rate, mut before) = (0.0, 0.0);
    let mut time = f64::INFINITY;
    for other in in_turn {
        if other.soonest() >= time {
            break;
        }
        rate += other.pace.rate;
        before += other.pace.rate * other.busy;
        time = ((rest + before) / rate).max(other.soonest());
    }
    time
}

#[cfg(test)]
mod tests {
    use super::*;

    fn other(rate: f64, least: f64, busy: f64) -> Searcher {
        let pace = Pace {
            rate,
            batch: 1,
            least,
        };
        Searcher { pace, busy }
    }

    fn me(rate: f64, least: f64) -> Searcher {
        other(rate, least, 0.0)
    }

    #[test]
    fn others_share_what_is_left_as_they_become_free() {
        assert_eq!(shared_time(10.0, &[]), f64::INFINITY);
        assert_eq!(shared_time(10.0, &[other(5.0, 0.0, 1.0)]), 3.0);
        let both = [other(5.0, 0.0, 2.0), other(5.0, 0.0, 0.0)];
        assert_eq!(shared_time(20.0, &both), 3.0);
        // The other one is done before the first is free.
        assert_eq!(shared_time(10.0, &both), 2.0);
        assert_eq!(shared_time(5.0, &both), 1.0);
        // The second one has a batch, which is not over before the first has searched all.
        let batch = [other(5.0, 0.0, 0.0), other(5.0, 4.0, 0.0)];
        assert_eq!(shared_time(10.0, &batch), 2.0);
        assert_eq!(shared_time(30.0, &batch), 4.0);
        assert_eq!(shared_time(60.0, &batch), 6.0);
    }

    #[test]
    fn claims_are_part_of_the_share_and_no_less_than_a_moment() {
        let alike = [other(100.0, 0.01, 0.0)];
        assert_eq!(fair(1000, 600, me(100.0, 0.01), &alike, 0.0), 250);
        assert_eq!(fair(1000, 60, me(100.0, 0.01), &alike, 0.0), 60);
        // Nine tenths of what is left are this one's share: nine tenths of that.
        let slow = [other(100.0, 0.01, 0.0)];
        assert_eq!(fair(1000, 5000, me(900.0, 0.001), &slow, 0.0), 810);
        assert_eq!(fair(1000, 5000, me(900.0, 0.001), &[], 900.0), 250);
        // 16 ms of both.
        let quick = [other(1e5, 1e-5, 0.0)];
        assert_eq!(fair(3000, 5000, me(1e5, 1e-5), &quick, 0.0), 1600);
        assert_eq!(fair(1000, 5000, me(1e5, 1e-5), &[], 0.0), 1000);
        assert_eq!(fair(0, 5000, me(1e5, 1e-5), &[], 0.0), 0);
    }

    #[test]
    fn the_slow_leave_the_end_to_the_fast() {
        let device = [other(10_000.0, 0.001, 0.0)];
        // A root takes 0.1 s, the device all of them 0.05.
        assert_eq!(fair(500, 10, me(10.0, 0.1), &device, 0.0), 0);
        assert_eq!(fair(5000, 10, me(10.0, 0.1), &device, 0.0), 2);
        // It is busy for so long that a root may as well be searched.
        let later = [other(10_000.0, 0.001, 0.2)];
        assert_eq!(fair(500, 10, me(10.0, 0.1), &later, 0.0), 1);
        // Not if it would have to wait for this one's other work.
        assert_eq!(fair(500, 10, other(10.0, 0.1, 0.2), &later, 0.0), 0);
    }

    #[test]
    fn help_has_to_be_worth_it() {
        let device = [other(100_000.0, 0.001, 0.0)];
        let pace = me(100.0, 0.01).pace;
        // A hundredth of a second, and of ten.
        assert!(!worth_it(100_000, &device, pace, 10));
        assert!(worth_it(1_000_000, &device, pace, 10));
        assert!(worth_it(1, &[], pace, 1), "no others");
    }

    #[test]
    fn a_batch_is_not_cut_to_fit() {
        let device = [other(10_000.0, 0.001, 0.0)];
        // At the same rate, a root at a time is worth it, and a batch of 64 is not.
        assert!(fair(5000, 64, me(100.0, 0.01), &device, 0.0) > 0);
        assert_eq!(fair(5000, 64, me(100.0, 0.64), &device, 0.0), 0);
    }

    #[test]
    fn one_of_two_always_claims() {
        for (a, b) in [(0.01, 0.01), (0.01, 0.5), (2.0, 0.5)] {
            let claims = |mine: f64, them: f64| {
                let others = [other(64.0 / them, them, 0.0)];
                fair(1, 64, me(64.0 / mine, mine), &others, 0.0)
            };
            assert!(claims(a, b) + claims(b, a) > 0, "{a} {b}");
        }
    }
}
