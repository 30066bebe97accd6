//! What would make a search faster that has begun.

use super::{Wishes, chains_worth_serving};
use crate::cpu::{self, CpuEngine, CpuOptions, EngineName, Staff};
use crate::device::DeviceSelection;
use crate::prepare::{Prepared, When};
use crate::strategy::Strategy;

/// What can be said of a search under way that takes long.
#[derive(Clone, Copy)]
pub struct Advice<'a> {
    wishes: &'a Wishes,
    prepared: &'a Prepared,
    /// Devices that take part.
    devices: usize,
}

impl<'a> Advice<'a> {
    /// Of a search in which so many devices take part.
    pub fn new(wishes: &'a Wishes, prepared: &'a Prepared, devices: usize) -> Self {
        Advice {
            wishes,
            prepared,
            devices,
        }
    }

    /// Settings that would make all of it faster, one phrase each.
    pub fn faster(&self) -> Vec<String> {
        let mut faster = Vec::new();
        if self.devices == 0 {
            faster.push(match self.wishes.devices {
                DeviceSelection::None => {
                    "a GPU would be faster, if 'brandes devices' lists one".to_string()
                }
                _ => "no device takes part, and a GPU would be faster".to_string(),
            });
        }
        if self.forbids_contraction() {
            faster.push(
                "chains of degree-2 vertices are many: leave `chains`, `strategy` and \
                 `cpu-engine` to auto"
                    .into(),
            );
        } else if self.devices > 0 {
            let auto = Strategy::Auto.likely(self.prepared);
            if self.wishes.strategy != Strategy::Auto && self.wishes.strategy != auto {
                faster.push(format!("`strategy auto` would choose {}", auto.name()));
            }
        } else if self.wishes.cpu.options.engine == CpuEngine::Plain {
            faster.extend(self.better_engine());
        }
        faster
    }

    /// Whether a search serves sources inside chains too.
    pub fn contracted(&self) -> bool {
        self.prepared.chains.is_some()
    }

    /// What CPU workers would do in place of searching a root at a time.
    fn better_engine(&self) -> Option<String> {
        let staff = Staff::of(self.prepared, num_cpus::get());
        let better = match cpu::plan(self.prepared, &CpuOptions::default(), staff).engine {
            EngineName::Lanes => "lanes` searches from many roots",
            EngineName::Clustered => "clustered` searches from eight neighbouring roots",
            EngineName::Hierarchy => "hierarchy` sweeps over a contraction hierarchy",
            EngineName::Plain | EngineName::Dijkstra => return None,
        };
        Some(format!("`cpu-engine {better} at a time"))
    }

    /// Whether sources inside chains would be served if settings did not forbid it.
    fn forbids_contraction(&self) -> bool {
        let (wishes, prepared) = (self.wishes, self.prepared);
        let named = wishes.devices != DeviceSelection::None && !wishes.strategy.takes().contracted;
        let forbidden = wishes.prepare.reduce.chains == When::Never
            || !matches!(
                wishes.cpu.options.engine,
                CpuEngine::Auto | CpuEngine::Hierarchy
            )
            || named;
        let (options, devices) = (CpuOptions::default(), self.devices > 0);
        forbidden && chains_worth_serving(prepared, options, num_cpus::get(), devices).is_some()
    }
}
