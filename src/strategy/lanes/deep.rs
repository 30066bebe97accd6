//! Components whose searches may need more level masks than there are.

use crate::engine::Root;
use crate::prepare::ComponentRanges;

/// Components that may be deeper than there are masks for.
pub struct DeepComponents {
    ranges: ComponentRanges,
    deep: Vec<bool>,
}

impl DeepComponents {
    /// By the depths of a search in each, no other of which is more than twice as deep; `None` if
    /// there are none, or if depths are not known.
    pub fn of(ranges: &ComponentRanges, depths: &[u32], planes: usize) -> Option<Self> {
        let deep: Vec<bool> = depths
            .iter()
            .map(|&depth| 2 * depth as usize + 2 > planes)
            .collect();
        deep.contains(&true).then(|| DeepComponents {
            ranges: ranges.clone(),
            deep,
        })
    }

    /// The roots in such components, and the others.
    pub fn part(&self, roots: &[Root]) -> (Vec<Root>, Vec<Root>) {
        let deep = |root: &Root| self.deep[self.ranges.component(root.vertex)];
        roots.iter().partition(|root| deep(root))
    }
}
