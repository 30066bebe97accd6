//! Parsers of values of options.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use schemars::{JsonSchema, schema_for};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Returns a parser that takes the values of an enum by their names in JSON. `--help` shows the
/// names with their documentation.
pub fn one_of<T>() -> impl TypedValueParser<Value = T>
where
    T: JsonSchema + DeserializeOwned + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(values_of::<T>()).try_map(|name| from_name(&name))
}

/// Returns a parser that takes the values of an enum as [`one_of`] does, or `auto`, which becomes
/// `None`.
pub fn auto_or_one_of<T>(auto: &'static str) -> impl TypedValueParser<Value = Option<T>>
where
    T: JsonSchema + DeserializeOwned + Clone + Send + Sync + 'static,
{
    let auto = [PossibleValue::new("auto").help(auto)];
    let names = auto.into_iter().chain(values_of::<T>());
    PossibleValuesParser::new(names).try_map(|name| match &name[..] {
        "auto" => Ok(None),
        name => from_name(name).map(Some),
    })
}

/// Returns the values of an enum by their names in JSON, with their documentation.
fn values_of<T: JsonSchema>() -> Vec<PossibleValue> {
    let schema = schema_for!(T);
    let values = schema.get("oneOf").and_then(Value::as_array);
    let shown = values.into_iter().flatten().filter_map(|value| {
        let help = value["description"].as_str()?;
        let help = help.trim_end_matches('.').replace('\n', " ");
        let help = help.replace('`', "");
        Some(PossibleValue::new(value["const"].as_str()?.to_string()).help(help))
    });
    shown.collect()
}

/// Returns the value with this name in JSON.
pub fn from_name<T: DeserializeOwned>(name: &str) -> serde_json::Result<T> {
    serde_json::from_value(name.into())
}

/// Reads a finite number of at least 0.
pub fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |x| x >= 0.0, "of at least 0")
}

/// Reads a finite number above 0.
pub fn above_zero(text: &str) -> Result<f64, String> {
    number(text, |x| x > 0.0, "above 0")
}

/// Reads a number from 0 to below 1.
pub fn below_one(text: &str) -> Result<f64, String> {
    number(text, |x| (0.0..1.0).contains(&x), "from 0 to below 1")
}

/// Reads a number above 0 and below 1.
pub fn between_0_and_1(text: &str) -> Result<f64, String> {
    number(text, |x| x > 0.0 && x < 1.0, "between 0 and 1")
}

/// Reads a finite number that `fits` accepts; messages describe these numbers by `range`.
fn number(text: &str, fits: fn(f64) -> bool, range: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&x| f64::is_finite(x) && fits(x));
    number.ok_or_else(|| format!("'{text}' is not a number {range}"))
}
