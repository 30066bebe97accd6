//! Rows with a number for each lane. The compiler turns the loops into vector instructions.

/// The number of roots of a batch.
pub const LANES: usize = 16;

/// A distance per lane.
pub(super) type Distances = [u32; LANES];
/// A path count, dependency or the like per lane.
pub(super) type Numbers = [f64; LANES];

/// Zero in all lanes.
pub(super) const ZERO: Numbers = [0.0; LANES];

/// Returns `number` if `keep`, else zero, without a branch.
#[inline(always)]
pub(super) fn only(number: f64, keep: bool) -> f64 {
    f64::from_bits(number.to_bits() & u64::from(keep).wrapping_neg())
}

/// Relaxes an arc of this length and multiplicity: shorter paths replace the known ones, and paths
/// of equal length are added to them.
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

/// Returns `multiplicity` times the numbers in lanes in which an arc of this length leads from
/// distance `from` to distance `to`, and zero in the others.
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

/// Returns the numbers, with zero in these lanes, a bit for each.
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

/// Returns the sum over the lanes of the products.
#[inline(always)]
pub(super) fn dot(a: &Numbers, b: &Numbers) -> f64 {
    // Eight partial sums, which vectors of any width can add.
    let mut sums = [0.0; 8];
    for lane in 0..LANES {
        sums[lane % 8] += a[lane] * b[lane];
    }
    (sums[0] + sums[4]) + (sums[1] + sums[5]) + ((sums[2] + sums[6]) + (sums[3] + sums[7]))
}

/// Returns `a / b` in lanes in which `b` is above zero, and zero in the others.
#[inline(always)]
pub(super) fn quotients(a: &Numbers, b: &Numbers) -> Numbers {
    let mut result = ZERO;
    for lane in 0..LANES {
        result[lane] = only(a[lane] / b[lane], b[lane] > 0.0);
    }
    result
}
