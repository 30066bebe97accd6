//! Assigns the roots of a batch to lanes.
//!
//! Searches in different components never meet, so a lane may have a root of each component: the
//! lanes of a component are numbered from 0, and a batch is as wide as the component with most
//! roots. The factor of a lane then differs by component, so each component has a row of factors,
//! which begins at a multiple of [`ITEM_LANES`].

use std::sync::Arc;

use super::sizes::ITEM_LANES;
use crate::engine::Root;
use crate::prepare::ComponentRanges;

/// The roots of a batch and their lanes.
#[derive(Debug, Clone, Default)]
pub struct Deal {
    /// The component of each vertex; a single zero if there is only one component.
    pub component_of: Arc<[u32]>,
    /// The vertex of each root.
    pub vertices: Vec<u32>,
    /// The lane of each root.
    pub lanes: Vec<u32>,
    /// For each component, the number of lanes with a root of it.
    pub used: Vec<u32>,
    /// For each component, the position of its row of factors.
    pub first_factor: Vec<u32>,
    /// For each component and lane, the factor of the root.
    pub factors: Vec<f64>,
}

impl Deal {
    /// Makes an empty assignment.
    pub fn new(ranges: &ComponentRanges) -> Deal {
        let components = ranges.count().max(1);
        let numbers = |c: usize| ranges.vertices(c).map(move |_| c as u32);
        Deal {
            component_of: match components {
                1 => Arc::new([0]),
                _ => (0..components).flat_map(numbers).collect(),
            },
            vertices: Vec::new(),
            lanes: Vec::new(),
            used: vec![0; components],
            first_factor: vec![0; components],
            factors: Vec::new(),
        }
    }

    fn component(&self, root: &Root) -> usize {
        match self.used.len() {
            1 => 0,
            _ => self.component_of[root.vertex as usize] as usize,
        }
    }

    /// Assigns the first of these roots, as many as fit into `lanes` lanes, and returns their
    /// number. `factor` returns the [factor](crate::prepare::Prepared::factor) of a root.
    pub fn deal(&mut self, roots: &[Root], lanes: usize, factor: impl Fn(Root) -> f64) -> usize {
        self.used.fill(0);
        self.vertices.clear();
        self.lanes.clear();
        for root in roots {
            let component = self.component(root);
            let lane = self.used[component];
            if lane as usize == lanes {
                break;
            }
            self.used[component] += 1;
            self.vertices.push(root.vertex);
            self.lanes.push(lane);
        }
        let mut end = 0;
        for (first, &used) in self.first_factor.iter_mut().zip(&self.used) {
            *first = end;
            end += used.next_multiple_of(ITEM_LANES as u32);
        }
        let dealt = self.vertices.len();
        self.factors.clear();
        // Lanes without a root have factor 0.
        self.factors.resize(lanes.max(end as usize), 0.0);
        for (&root, &lane) in roots[..dealt].iter().zip(&self.lanes) {
            let component = self.component(&root);
            let place = self.first_factor[component] + lane;
            self.factors[place as usize] = factor(root);
        }
        dealt
    }

    /// Returns the number of lanes with a root.
    pub fn width(&self) -> usize {
        self.used.iter().copied().max().unwrap_or(0) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(root: Root) -> f64 {
        root.sources.into()
    }

    fn roots(vertices: &[u32]) -> Vec<Root> {
        let root = |&vertex| Root {
            vertex,
            sources: 10 + vertex,
        };
        vertices.iter().map(root).collect()
    }

    #[test]
    fn a_lane_has_a_root_of_each_component() {
        let ranges = ComponentRanges::from_numbers([0, 0, 0, 1, 1, 2].into_iter());
        let mut deal = Deal::new(&ranges);
        let all = roots(&[3, 0, 1, 5, 2, 4]);
        assert_eq!(deal.deal(&all, 2, sources), 4);
        assert_eq!(deal.lanes, [0, 0, 1, 0]);
        assert_eq!((&deal.used[..], deal.width()), (&[2, 1, 1][..], 2));
        assert_eq!(deal.first_factor, [0, 4, 8]);
        assert_eq!(
            (deal.factors[1], deal.factors[4], deal.factors[8]),
            (11.0, 13.0, 15.0)
        );
        assert_eq!(deal.deal(&all[4..], 2, sources), 2);
        assert_eq!(deal.used, [1, 1, 0]);
    }

    #[test]
    fn roots_of_one_component_have_a_lane_each() {
        let mut deal = Deal::new(&ComponentRanges::one(9));
        assert_eq!(deal.deal(&roots(&[8, 2, 4]), 6, sources), 3);
        assert_eq!((&deal.lanes[..], deal.width()), (&[0, 1, 2][..], 3));
        assert_eq!(deal.factors, [18.0, 12.0, 14.0, 0.0, 0.0, 0.0]);
    }
}
