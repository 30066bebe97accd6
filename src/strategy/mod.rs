//! Strategies: ways of searching on a device. Each family has a folder, with its kernels in the
//! folder of the same name in `cl/`. [`ALL`] lists the strategies.

mod choose;
mod device_strategy;
mod errors;
mod frontier;
mod hierarchy;
mod lanes;
mod list;
mod local;
mod query;
pub mod self_test;
mod whole_device;

pub use crate::query::Feature;
pub use choose::{hierarchy_seconds, seconds_without_hierarchy};
pub use device_strategy::{
    About, DeviceEngine, DeviceStrategy, EnginePlan, NumericOption, Strategy,
};
use device_strategy::{CLAIM, TILES, check_steps, take_reached};
pub use frontier::{LengthType, WARP_SIZES};
pub use list::ALL;
use query::{DeviceQuery, QUERY};
pub use whole_device::ablation::Switch;
pub use whole_device::engine_without;
