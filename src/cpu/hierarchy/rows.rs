//! Rows of a number per lane. Plain loops, which the compiler makes vector instructions of.

/// Roots of a batch.
pub const LANES: usize = 16;

/// A distance per lane.
pub(super) type Distances = [u32; LANES];
/// A path count, dependency or the like per lane.
pub(super) type Numbers = [f64; LANES];

/// No number.
pub(super) const ZERO: Numbers = [0.0; LANES];

/// `number` where `keep`, else zero, without a branch.
#[inline(always)]
fn only(number: f64, keep: bool) -> f64 {
    f64::from_bits(number.to_bits() & u64::from(keep).wrapping_neg())
}

/// Paths that come over an arc of this length and multiplicity: shorter ones replace those known,
/// as long ones are added to them.
#[inline(always)]
pub(super) fn relax(
    (distances, paths): (&mut Distances, &mut Numbers),
    (from, from_paths): (&Distances, &Numbers),
    (length, multiplicity): (u32, f64),
) {
    for lane in 0..LANES {
        let distance = from[lane] + length;
        let known = distances[lane];
        let kept = only(paths[lane], distance >= known);
        let new = only(from_paths[lane] * multiplicity, distance <= known);
        paths[lane] = kept + new;
        distances[lane] = known.min(distance);
    }
}

/// `multiplicity` times the numbers of lanes in which an arc of this length leads from distance
/// `from` to distance `to`; zero in the others.
#[inline(always)]
pub(super) fn over_arc(
    from: &Distances,
    to: &Distances,
    (length, multiplicity): (u32, f64),
    numbers: &Numbers,
) -> Numbers {
    let mut result = ZERO;
    for lane in 0..LANES {
        let number = numbers[lane] * multiplicity;
        result[lane] = only(number, from[lane] + length == to[lane]);
    }
    result
}

/// Adds numbers lane by lane.
#[inline(always)]
pub(super) fn add(to: &mut Numbers, numbers: &Numbers) {
    for lane in 0..LANES {
        to[lane] += numbers[lane];
    }
}

/// The numbers, but for zero in some lanes, a bit for each.
#[inline(always)]
pub(super) fn without(numbers: &Numbers, lanes: u32) -> Numbers {
    let mut result = *numbers;
    if lanes != 0 {
        for lane in 0..LANES {
            result[lane] = only(numbers[lane], lanes >> lane & 1 == 0);
        }
    }
    result
}

/// The sum of products over the lanes.
#[inline(always)]
pub(super) fn dot(a: &Numbers, b: &Numbers) -> f64 {
    // Four sums side by side, as vectors of any width can add them.
    let mut sums = [0.0; 8];
    for lane in 0..LANES {
        sums[lane % 8] += a[lane] * b[lane];
    }
    (sums[0] + sums[4]) + (sums[1] + sums[5]) + ((sums[2] + sums[6]) + (sums[3] + sums[7]))
}

/// `a / b` where `b` is above zero, else zero.
#[inline(always)]
pub(super) fn quotients(a: &Numbers, b: &Numbers) -> Numbers {
    let mut result = ZERO;
    for lane in 0..LANES {
        result[lane] = only(a[lane] / b[lane], b[lane] > 0.0);
    }
    result
}
