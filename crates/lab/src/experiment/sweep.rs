//! Parameters that take one value after the other.

use std::collections::BTreeMap;

/// A value for each parameter.
type Values = BTreeMap<String, String>;

/// More values than this are a mistake.
const MOST: usize = 10_000;

/// Every combination of the values of swept parameters; one empty one if nothing is swept.
pub(super) fn grid(sweeps: &BTreeMap<String, String>) -> Result<Vec<Values>, String> {
    let mut grid = vec![Values::new()];
    for (name, text) in sweeps {
        let values = values(text).map_err(|wrong| format!("sweep.{name}: {wrong}"))?;
        if grid.len().saturating_mul(values.len()) > MOST {
            return Err(format!("the sweeps have more than {MOST} combinations of values"));
        }
        let with = |so_far: &Values| {
            let (so_far, name) = (so_far.clone(), name.clone());
            values
                .iter()
                .map(move |value| {
                    let mut combination = so_far.clone();
                    combination.insert(name.clone(), value.clone());
                    combination
                })
                .collect::<Vec<_>>()
        };
        grid = grid.iter().flat_map(with).collect();
    }
    Ok(grid)
}

/// Puts the values in place of `{name}`.
pub(super) fn fill(text: &str, values: &Values) -> Result<String, String> {
    let mut filled = text.to_owned();
    for (name, value) in values {
        filled = filled.replace(&format!("{{{name}}}"), value);
    }
    match filled.split_once('{').and_then(|(_, rest)| rest.split_once('}')) {
        Some((name, _)) => Err(format!("'{text}' names {{{name}}}, which [methods.sweep] does not have")),
        None => Ok(filled),
    }
}

/// The values of `1.0..2.0 step 0.2`, both ends included, or of `1, 2, 5`.
fn values(text: &str) -> Result<Vec<String>, String> {
    let wrong =
        || format!("'{text}' is neither a range such as 1.0..2.0 step 0.2 nor values such as 1, 2, 5");
    let Some((range, step)) = text.split_once("step") else {
        if text.contains("..") || text.trim().is_empty() {
            return Err(wrong());
        }
        return Ok(text.split(',').map(|value| value.trim().to_owned()).collect());
    };
    let (from, to) = range.split_once("..").ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|it| it.is_finite()).ok_or_else(wrong);
    let (first, last, width) = (number(from)?, number(to)?, number(step)?);
    // The places after the point are those that were written.
    let places = |text: &str| text.trim().split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let places = places(from).max(places(step));
    let count = ((last - first) / width + 1e-9).floor();
    if width <= 0.0 || !(0.0..MOST as f64).contains(&count) {
        return Err(wrong());
    }
    Ok((0..=count as usize).map(|i| format!("{:.places$}", first + i as f64 * width)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends() {
        assert_eq!(values("1.0..2.0 step 0.2").unwrap(), ["1.0", "1.2", "1.4", "1.6", "1.8", "2.0"]);
        assert_eq!(values("2..9 step 3").unwrap(), ["2", "5", "8"]);
        assert_eq!(values("1, 2.5,x").unwrap(), ["1", "2.5", "x"]);
        for wrong in ["1..2", "1..0 step 1", "1..2 step 0", "a..b step c", "", "0..1e9 step 1"] {
            assert!(values(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn grids_have_every_combination() {
        let sweeps = [("a", "1, 2"), ("b", "0.5..1.0 step 0.5")].map(|(k, v)| (k.to_owned(), v.to_owned()));
        let grid = grid(&sweeps.into()).unwrap();
        assert_eq!(grid.len(), 4);
        assert_eq!(fill("h:x={a},y={b}", &grid[3]).unwrap(), "h:x=2,y=1.0");
        assert!(fill("h:{c}", &grid[0]).is_err());
    }
}
