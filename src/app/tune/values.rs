//! The values to try for the numeric options of strategies.

use crate::app::bench::{Setting, Subject};
use brandes::cpu::EngineName;
use brandes::cpu::lanes::LANES;
use brandes::strategy::{NumericOption, Strategy, WARP_SIZES};

/// The values to try for each numeric option of each strategy.
#[derive(Debug, Clone, Default)]
pub struct Values {
    /// The values given, in the order of [`NumericOption::ALL`]. For an empty list, the usual
    /// values are tried.
    pub given: [Vec<u32>; 5],
    /// Whether the device is a CPU.
    pub is_cpu: bool,
    /// The largest number of work-items of a work-group.
    pub max_work_group: usize,
    /// The number of roots of the graph.
    pub roots: usize,
}

impl Values {
    /// Returns the values to try for a numeric option of a subject; none if the subject does not
    /// have the option.
    pub fn to_try(&self, subject: Subject, option: NumericOption) -> Vec<u32> {
        let given = &self.given[option as usize];
        let strategy = match subject {
            Subject::Engine(EngineName::Lanes) if option == NumericOption::Lanes => {
                let is_given = |lanes: &u32| given.is_empty() || given.contains(lanes);
                return LANES
                    .map(|lanes| lanes as u32)
                    .into_iter()
                    .filter(is_given)
                    .collect();
            }
            Subject::Device(strategy) if strategy != Strategy::Auto && strategy.has(option) => {
                strategy
            }
            _ => return Vec::new(),
        };
        if !given.is_empty() {
            // Devices take multiples of 32 lanes; other numbers are for CPU engines.
            let fits = |value: &u32| option != NumericOption::Lanes || value.is_multiple_of(32);
            return given.iter().copied().filter(fits).collect();
        }
        let has_lanes = strategy.has(NumericOption::Lanes);
        let (usual, most): (&[u32], usize) = match option {
            NumericOption::Degree if has_lanes => (&[64, 128, 256, 512, 1024], usize::MAX),
            NumericOption::Degree => (&[4, 8, 16, 32, 64, 128], usize::MAX),
            // Lanes beyond the number of roots stay empty, so much larger values are not tried.
            NumericOption::Lanes if self.is_cpu => (&[64, 128, 256, 512, 1024], 2 * self.roots),
            NumericOption::Lanes => (&[512, 1024, 2048, 4096, 8192], 2 * self.roots),
            // The program's own choice fills the device.
            NumericOption::Searches => (&[], 0),
            NumericOption::WarpSize => (&WARP_SIZES, usize::MAX),
            // Large kernels of strategies with lanes choose their own size, and each value needs
            // another program.
            NumericOption::WorkGroup if has_lanes => (&[], 0),
            NumericOption::WorkGroup => (&[64, 128, 256, 384, 512, 1024], self.max_work_group),
        };
        let is_useful = |value: &u32| *value as usize <= most;
        usual.iter().copied().filter(is_useful).collect()
    }

    /// Returns `base` with every combination of the values to try; `None` for an option comes
    /// first.
    pub fn combinations(&self, base: Setting) -> Vec<Setting> {
        let mut all = vec![base];
        for option in NumericOption::ALL {
            let mut values = vec![None];
            values.extend(self.to_try(base.subject, option).into_iter().map(Some));
            Setting::expand(&mut all, &values, |one, value| {
                *one.numbers.get_mut(option) = value;
            });
        }
        all.retain(Setting::has_whole_warps);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(strategy: Strategy) -> Setting {
        Setting::plain(Subject::Device(strategy))
    }

    fn engine(engine: EngineName) -> Setting {
        Setting::plain(Subject::Engine(engine))
    }

    #[test]
    fn combinations_are_of_the_numbers_that_the_strategy_has() {
        let values = Values {
            max_work_group: 256,
            roots: 1000,
            ..Values::default()
        };
        let words = |base: Setting| -> Vec<String> {
            let all = values.combinations(base).into_iter();
            all.map(|near| near.words()).collect()
        };
        let vertex = [", work-group 64", ", work-group 128", ", work-group 256"];
        assert_eq!(
            words(plain(Strategy::Vertex)),
            ["", vertex[0], vertex[1], vertex[2]].map(|numbers| format!("vertex{numbers}"))
        );
        let lanes = words(plain(Strategy::Lanes));
        assert_eq!(lanes[0], "lanes");
        assert!(lanes.contains(&"lanes, D 64, lanes 1024".to_string()));
        assert!(!lanes.iter().any(|words| words.contains("2048")));
        let of_cores = ["", ", lanes 8", ", lanes 16", ", lanes 32", ", lanes 64"];
        assert_eq!(
            words(engine(EngineName::Lanes)),
            of_cores.map(|numbers| format!("cpu-lanes{numbers}"))
        );
        for none in [
            plain(Strategy::Auto),
            engine(EngineName::Clustered),
            Setting::plain(Subject::Cpu),
        ] {
            assert_eq!(words(none).len(), 1, "{none:?}");
        }
    }
}
