//! Numbers that come from Python as costs and estimates.

use novelo_search::{Cost, Real};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt};

/// A cost or an estimate as it was given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    Whole(u64),
    Real(f64),
}

/// The largest whole number up to which all are exact as real ones.
const EXACT: u64 = 1 << 53;

impl Amount {
    /// A number from 0 on; otherwise what is wrong with it, in words that follow its name.
    pub fn of(number: &Bound<'_, PyAny>) -> Result<Self, String> {
        if let Ok(whole) = number.cast::<PyInt>() {
            return Self::whole(whole);
        }
        if !number.is_instance_of::<PyFloat>()
            && let Ok(index) = number.call_method0("__index__")
            && let Ok(whole) = index.cast::<PyInt>()
        {
            return Self::whole(whole);
        }
        match number.extract::<f64>() {
            Ok(real) if real.is_nan() => Err("is not a number (NaN)".into()),
            Ok(real) if real < 0.0 => Err(format!("is {real}: it must not be below 0")),
            Ok(real) => Ok(Self::Real(real)),
            Err(_) => Err(format!("is {}: it must be a number", shown(number))),
        }
    }

    fn whole(number: &Bound<'_, PyInt>) -> Result<Self, String> {
        if let Ok(whole) = number.extract::<u64>() {
            return Ok(Self::Whole(whole));
        }
        let below = number.lt(0).unwrap_or(false);
        let why = if below { "it must not be below 0" } else { "whole numbers go up to 2**64 - 1" };
        Err(format!("is {}: {why}", shown(number)))
    }

    /// As a real number; whole ones beyond 2**53 are none.
    pub fn real(self) -> Option<f64> {
        match self {
            Self::Whole(whole) => (whole <= EXACT).then_some(whole as f64),
            Self::Real(real) => Some(real),
        }
    }
}

/// The kinds of cost that problems from Python have.
pub trait Number: Cost {
    /// The number as this kind, if it can be.
    fn of(amount: Amount) -> Option<Self>;
    /// As Python has it.
    fn amount(self) -> Amount;
}

impl Number for u64 {
    fn of(amount: Amount) -> Option<Self> {
        match amount {
            Amount::Whole(whole) => Some(whole),
            Amount::Real(_) => None,
        }
    }

    fn amount(self) -> Amount {
        Amount::Whole(self)
    }
}

impl Number for u32 {
    fn of(amount: Amount) -> Option<Self> {
        match amount {
            Amount::Whole(whole) => whole.try_into().ok(),
            Amount::Real(_) => None,
        }
    }

    fn amount(self) -> Amount {
        Amount::Whole(self.into())
    }
}

impl Number for Real {
    fn of(amount: Amount) -> Option<Self> {
        amount.real().map(Self::new)
    }

    fn amount(self) -> Amount {
        Amount::Real(self.get())
    }
}

impl<'py> IntoPyObject<'py> for Amount {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            Self::Whole(whole) => whole.into_pyobject(py)?.into_any(),
            Self::Real(real) => real.into_pyobject(py)?.into_any(),
        })
    }
}

/// What an error says of an object: the beginning of its `repr`.
pub fn shown(object: &Bound<'_, PyAny>) -> String {
    const LONGEST: usize = 120;
    let text = object.repr().map_or_else(|_| "an object without repr".to_owned(), |text| text.to_string());
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text,
    }
}
