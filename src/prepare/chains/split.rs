//! Tables that tell which sources inside a chain reach a target by which end.
//!
//! Let a chain of length l join a and b. A source at distance p from a reaches target t by a if its
//! way by a, p + d(a, t), is shorter than that by b, l - p + d(b, t): if 2 p < x for x = l + d(b,
//! t) - d(a, t). It reaches t by b if 2 p > x, and by both ends if these are equal. x is in 0..=2
//! l. So the sources before some position leave by a, those after it by b, and those at the
//! position by both.

/// Tables of all chains. Chain c has a *threshold* 2 p for each inner vertex, ascending, and one
/// more that no x reaches. Beside each threshold is the number of sources before its vertex.
#[derive(Debug, Clone, Default)]
pub struct Splits {
    /// The tables of each chain.
    pub chains: Vec<Split>,
    /// The thresholds of all chains.
    pub thresholds: Vec<u32>,
    /// Per threshold, the number of sources inside the chain before it.
    pub before: Vec<f64>,
    /// Per bucket x >> shift, the number of thresholds of the chain below the smallest x of the
    /// bucket. The scan for x begins there.
    pub buckets: Vec<u32>,
}

/// The places of the tables of a chain in [`Splits`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Split {
    /// Length of the chain.
    pub length: u32,
    /// Its first threshold.
    pub first: u32,
    /// Its last threshold, which no x reaches.
    pub last: u32,
    /// Its first bucket.
    pub bucket: u32,
    /// A bucket has 2^shift values of x.
    pub shift: u32,
}

impl Splits {
    /// Adds a chain of this length, with the position and the number of sources of each inner
    /// vertex.
    pub(super) fn push(
        &mut self,
        length: u32,
        positions: &[u32],
        sources: impl Iterator<Item = f64>,
    ) {
        let most = 4 * (positions.len() + 1);
        let shift = (0..32).find(|&shift| ((2 * length) >> shift) < most as u32);
        let mut split = Split {
            length,
            first: self.thresholds.len() as u32,
            bucket: self.buckets.len() as u32,
            shift: shift.unwrap_or(31),
            ..Split::default()
        };
        let mut below = 0;
        for bucket in 0..=(2 * length) >> split.shift {
            let least = bucket << split.shift;
            while below < positions.len() && 2 * positions[below] < least {
                below += 1;
            }
            self.buckets.push(below as u32);
        }
        let mut before = 0.0;
        for (&position, sources) in positions.iter().zip(sources) {
            self.thresholds.push(2 * position);
            self.before.push(before);
            before += sources;
        }
        split.last = self.thresholds.len() as u32;
        self.thresholds.push(u32::MAX);
        self.before.push(before);
        self.chains.push(split);
    }

    /// Returns the number of sources before each inner vertex of a chain, and that of all.
    pub(super) fn before(&self, chain: usize) -> &[f64] {
        let split = self.chains[chain];
        &self.before[split.first as usize..=split.last as usize]
    }

    /// Returns the number of sources of a chain that reach a target by each end alone, and of those
    /// that reach it by both. The arguments after `split` are the distances of the target from the
    /// ends.
    #[inline(always)]
    pub fn sources(&self, split: Split, [from_0, from_1]: [u32; 2]) -> ([f64; 2], f64) {
        // For a target that neither end reaches, x is arbitrary, but has to be in range.
        let x = (split.length + from_1).wrapping_sub(from_0);
        let x = x.min(2 * split.length);
        let bucket = split.bucket + (x >> split.shift);
        let mut at = (split.first + self.buckets[bucket as usize]) as usize;
        while self.thresholds[at] < x {
            at += 1;
        }
        let total = self.before[split.last as usize];
        let near = self.before[at];
        match self.thresholds[at] == x {
            false => ([near, total - near], 0.0),
            true => {
                let next = self.before[at + 1];
                ([near, total - next], next - near)
            }
        }
    }
}
