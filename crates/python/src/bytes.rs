//! About the memory that objects of Python take.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyInt, PyList, PyString, PyTuple};

/// What the collector keeps before an object, and what the allocator rounds up.
const BESIDE: usize = 16;
/// States are seldom nested deeper than boards of rows of cells.
const DEPTH: u8 = 4;
/// Items of one object that are looked at; the others are taken to be like them.
const LOOKED_AT: usize = 64;

/// Bytes of a state with what belongs to it. Whole numbers and texts, which others share most often, do not count.
pub fn bytes(object: &Bound<'_, PyAny>) -> usize {
    below(object, DEPTH)
}

fn below(object: &Bound<'_, PyAny>, depth: u8) -> usize {
    if object.is_none() || object.is_instance_of::<PyInt>() || object.is_instance_of::<PyString>() {
        return 0;
    }
    let own = object.call_method0("__sizeof__").and_then(|size| size.extract::<usize>());
    let own = own.unwrap_or(64) + BESIDE;
    if depth == 0 {
        return own;
    }
    let rest = if let Ok(tuple) = object.cast::<PyTuple>() {
        several(tuple.iter(), tuple.len(), depth)
    } else if let Ok(list) = object.cast::<PyList>() {
        several(list.iter(), list.len(), depth)
    } else if let Ok(set) = object.cast::<PyFrozenSet>() {
        several(set.iter(), set.len(), depth)
    } else if let Ok(fields) = object.getattr("__dict__").and_then(|fields| Ok(fields.cast_into::<PyDict>()?))
    {
        let held = several(fields.values().iter(), fields.len(), depth);
        held + fields.call_method0("__sizeof__").and_then(|size| size.extract()).unwrap_or(64)
    } else {
        0
    };
    own + rest
}

fn several<'py>(items: impl Iterator<Item = Bound<'py, PyAny>>, count: usize, depth: u8) -> usize {
    let looked_at = count.min(LOOKED_AT);
    let held: usize = items.take(looked_at).map(|item| below(&item, depth - 1)).sum();
    (held * count).checked_div(looked_at).unwrap_or(0)
}
