//! `brandes devices`.

use std::io::{self, Write};

use anyhow::Result;
use serde_json::json;

use super::args::DevicesArgs;
use super::{json, say};
use crate::app::report::columns::{aligned, cell, terminal_width, with_header};
use brandes::device::find::{DeviceInfo, Survey, survey};
use brandes::device::{DeviceOptions, Session};
use brandes::report::words::size;
use brandes::strategy::{self, Feature, LengthType, self_test};
use brandes::{DeviceSelection, Query, Strategy};

/// Lists the OpenCL devices, and the errors of platforms and devices that could not be queried.
/// Succeeds without devices too: the reason is on standard error.
pub fn devices(args: &DevicesArgs) -> Result<i32> {
    if let Some(selection) = &args.test {
        return test(args, selection);
    }
    let survey = match survey() {
        Ok(survey) => survey,
        Err(error) if error.is_absence() => {
            say(error);
            Survey::default()
        }
        Err(error) => return Err(error.into()),
    };
    let found: Vec<DeviceInfo> = survey.devices.into_iter().map(|d| d.info).collect();
    let mut out = io::stdout().lock();
    if args.json {
        let devices = found.iter().map(|info| json!(info));
        let left_out = survey.left_out.iter();
        let left_out = left_out.map(|failure| json!({"error": failure.to_string()}));
        json(&mut out, &devices.chain(left_out).collect::<Vec<_>>())?;
        return Ok(0);
    }
    match found.is_empty() {
        true => writeln!(out, "no devices")?,
        false => write!(out, "{}", table(&found, terminal_width()))?,
    }
    for failure in &survey.left_out {
        writeln!(out, "{failure}")?;
    }
    Ok(0)
}

/// Runs the self-test of strategies on devices, and prints which pass. Exit code 0: all pass; 1:
/// some do not.
fn test(args: &DevicesArgs, selection: &DeviceSelection) -> Result<i32> {
    let named = args.strategy.as_ref().map(std::slice::from_ref);
    let options = DeviceOptions {
        precision: args.precision.unwrap_or_default(),
        no_fallback: args.precision.is_some(),
        weighted: args.weighted,
        count_edges: args.edges,
        cache: !args.no_cache,
        ..DeviceOptions::default()
    };
    let others = [
        (Feature::Lengths, args.weighted),
        (Feature::Edges, args.edges),
    ];
    let needed = Feature::needed(&Query::default(), others);
    let suits = |strategy: &&Strategy| strategy.covers(&needed);
    let mut out = io::stdout().lock();
    let mut failures = 0;
    for found in survey()?.select(selection)? {
        let (number, device) = (found.info.number, &found.info.name);
        for &strategy in named.unwrap_or(strategy::ALL).iter().filter(suits) {
            let name = strategy.name();
            let programs = |options: &_, info: &_| strategy.kernels(options, info);
            let session = Session::open(&found, options, programs, &mut Vec::new());
            let test = |session| self_test::run(&session, strategy, LengthType::U32);
            match session.and_then(test) {
                Ok(()) => writeln!(out, "{number} {device}: {name} passes")?,
                Err(error) => {
                    failures += 1;
                    writeln!(out, "{number} {name}: {error}")?;
                }
            }
            out.flush()?;
        }
    }
    Ok(i32::from(failures > 0))
}

/// Returns a table with a row per device, cut to `width`; the JSON has names in full.
fn table(found: &[DeviceInfo], width: Option<u16>) -> String {
    let row = |info: &DeviceInfo| {
        vec![
            cell("number", info.number.to_string()),
            cell("name", info.name.clone()),
            cell("kind", format!("{:?}", info.kind).to_lowercase()),
            cell("units", info.compute_units.to_string()),
            cell("memory", size(info.memory)),
            cell("buffer", size(info.max_buffer)),
            cell("fp64", if info.fp64 { "yes" } else { "no" }.to_string()),
            cell("platform", info.platform.clone()),
            cell("driver", info.driver.clone()),
        ]
    };
    let rows: Vec<_> = found.iter().map(row).collect();
    let left: Vec<usize> = (0..9).collect();
    aligned(&with_header(&rows), &left, &[1, 7, 8], width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_do_not_wrap_on_a_terminal_and_are_whole_elsewhere() {
        let info = |name: &str| DeviceInfo {
            name: name.into(),
            platform: "Portable Computing Language".into(),
            memory: 150_000_000_000,
            ..DeviceInfo::default()
        };
        let long = "cpu-skylake-avx512-Intel(R) Xeon(R) CPU @ 2.80GHz";
        let found = [info(long), info("NVIDIA H200")];
        let whole = table(&found, None);
        assert!(whole.contains("CPU @ 2.80GHz") && table(&found, Some(200)) == whole);
        for width in [100, 90, 80] {
            let narrow = table(&found, Some(width));
            let fits = |line: &str| line.chars().count() <= usize::from(width);
            assert!(narrow.lines().count() == 3 && narrow.lines().all(fits));
            assert!(narrow.contains('…'), "{narrow}");
        }
    }
}
