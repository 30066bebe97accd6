//! `brandes devices`.

use std::io::{self, Write};

use anyhow::Result;
use comfy_table::{Table, presets};

use super::args::DevicesArgs;
use super::say;
use crate::opencl::device::{DeviceInfo, enumerate};

/// Lists the OpenCL devices. None at all is an answer too, with its reason on standard error.
pub fn devices(args: &DevicesArgs) -> Result<i32> {
    let found: Vec<DeviceInfo> = match enumerate() {
        Ok(found) => found.into_iter().map(|device| device.info).collect(),
        Err(error) if error.is_absence() => {
            say(error);
            Vec::new()
        }
        Err(error) => return Err(error.into()),
    };
    let mut out = io::stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut out, &found)?;
        writeln!(out)?;
        return Ok(0);
    }
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header([
        "number",
        "name",
        "kind",
        "units",
        "memory",
        "largest buffer",
        "fp64",
        "platform",
        "driver",
    ]);
    for info in &found {
        table.add_row([
            info.number.to_string(),
            info.name.clone(),
            format!("{:?}", info.kind).to_lowercase(),
            info.compute_units.to_string(),
            gib(info.memory),
            gib(info.max_buffer),
            if info.fp64 { "yes" } else { "no" }.to_string(),
            info.platform.clone(),
            info.driver.clone(),
        ]);
    }
    if found.is_empty() {
        writeln!(out, "no devices")?;
    } else {
        writeln!(out, "{}", table.trim_fmt())?;
    }
    Ok(0)
}

fn gib(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30))
}
