//! Assigns the roots of a batch to lanes.
//!
//! Searches in different components never meet, so a lane may have a root of each component: the
//! lanes of a component are numbered from 0, and a batch is as wide as the component with the most
//! roots. The factor of a lane then differs by component, so each component has a row of factors,
//! which begins at a multiple of [`ITEM_LANES`].

use super::sizes::ITEM_LANES;
use crate::engine::Root;
use crate::prepare::Prepared;

/// The roots of a batch and their lanes.
#[derive(Debug, Clone, Default)]
pub struct Assignment {
    /// The vertex of each root.
    pub vertices: Vec<u32>,
    /// The lane of each root.
    pub lanes: Vec<u32>,
    /// For each component, the number of lanes with a root of it.
    pub lane_counts: Vec<u32>,
    /// For each component, the position of its row of factors.
    pub first_factor: Vec<u32>,
    /// For each component and lane, the factor of the root.
    pub factors: Vec<f64>,
}

impl Assignment {
    /// Makes an empty assignment for graphs with this number of components.
    pub fn new(components: usize) -> Assignment {
        Assignment {
            lane_counts: vec![0; components],
            first_factor: vec![0; components],
            ..Assignment::default()
        }
    }

    /// Assigns the first of these roots, as many as fit into `lanes` lanes, and returns their
    /// number. The factors are those of [`Prepared::factor`].
    pub fn assign(&mut self, prepared: &Prepared, roots: &[Root], lanes: usize) -> usize {
        let component = |root: &Root, components: usize| match components {
            1 => 0,
            _ => prepared.ranges.component(root.vertex),
        };
        let components = self.lane_counts.len();
        self.lane_counts.fill(0);
        self.vertices.clear();
        self.lanes.clear();
        for root in roots {
            let component = component(root, components);
            let lane = self.lane_counts[component];
            if lane as usize == lanes {
                break;
            }
            self.lane_counts[component] += 1;
            self.vertices.push(root.vertex);
            self.lanes.push(lane);
        }
        let mut end = 0;
        for (first, &count) in self.first_factor.iter_mut().zip(&self.lane_counts) {
            *first = end;
            end += count.next_multiple_of(ITEM_LANES as u32);
        }
        let assigned = self.vertices.len();
        self.factors.clear();
        // Lanes without a root have factor 0.
        self.factors.resize(lanes.max(end as usize), 0.0);
        for (&root, &lane) in roots[..assigned].iter().zip(&self.lanes) {
            let place = self.first_factor[component(&root, components)] + lane;
            self.factors[place as usize] = prepared.factor(root);
        }
        assigned
    }

    /// Returns the number of lanes with a root.
    pub fn width(&self) -> usize {
        self.lane_counts.iter().copied().max().unwrap_or(0) as usize
    }
}
