//! What was measured: a file of values, each as likely as the next, or a few quantiles
//! ([`super::Quantiles`]).
//!
//! Not a fit of a smooth law to the values: a draw is one of them.

use std::sync::Arc;

use rand::{Rng, RngExt};

use super::Quantiles;
use super::quantity::Quantity;
use super::reading::{Unfit, one_form};
use crate::input::{Fields, Problems};

/// A law by example.
#[derive(Clone, Debug, PartialEq)]
pub enum Empirical {
    /// One of the values.
    Sample(Sample),
    /// Through a few quantiles.
    Quantiles(Quantiles),
}

/// Measured values, each as likely as the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// In rising order.
    values: Arc<[f64]>,
    /// Their mean.
    mean: f64,
}

impl Sample {
    /// The law of these values.
    ///
    /// # Errors
    /// When there are none, or one is negative or no finite number.
    pub fn new(mut values: Vec<f64>) -> Result<Self, Unfit> {
        if values.is_empty() {
            return Err(Unfit::new(
                "file",
                "there are no values",
                "give at least one",
            ));
        }
        if let Some(bad) = values
            .iter()
            .find(|value| !(value.is_finite() && **value >= 0.0))
        {
            let help = "every value is zero or more";
            return Err(Unfit::new(
                "file",
                format!("{bad} is among the values"),
                help,
            ));
        }
        values.sort_by(f64::total_cmp);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        Ok(Self {
            values: values.into(),
            mean,
        })
    }

    fn average(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.values.iter().map(|value| of(*value)).sum::<f64>() / self.values.len() as f64
    }
}

impl From<Sample> for Empirical {
    fn from(sample: Sample) -> Self {
        Self::Sample(sample)
    }
}

impl From<Quantiles> for Empirical {
    fn from(quantiles: Quantiles) -> Self {
        Self::Quantiles(quantiles)
    }
}

impl Empirical {
    /// Reads `{ file, column }`, the numbers being seconds, bytes, or counts; or
    /// `{ quantiles = { p50, p99, … } }`.
    pub(super) fn read<Q: Quantity>(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        one_form(fields, &[&["file", "column"], &["quantiles"]], problems)?;
        if let Some(entry) = fields.entry("quantiles") {
            let mut inner = Fields::open(&entry.value, "quantiles", problems)?;
            let law = Quantiles::read::<Q>(&mut inner, problems);
            inner.close(problems);
            return law.map(Self::Quantiles);
        }
        let values = fields.csv_column(problems, |cell| match cell.parse::<f64>() {
            Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
            Ok(_) => Err(format!("`{cell}` is not zero or more")),
            Err(_) => Err(format!("`{cell}` is not a number")),
        })?;
        let law = Sample::new(values).map(Self::Sample);
        law.map_err(|unfit| unfit.file(fields, problems)).ok()
    }

    pub(super) fn draw<R: Rng>(&self, rng: &mut R) -> f64 {
        match self {
            Self::Sample(it) => it.values[rng.random_range(0..it.values.len())],
            Self::Quantiles(it) => it.draw(rng),
        }
    }

    pub(super) fn mean(&self) -> f64 {
        match self {
            Self::Sample(it) => it.mean,
            Self::Quantiles(it) => it.moment(1),
        }
    }

    pub(super) fn variance(&self) -> f64 {
        match self {
            Self::Sample(it) => it.average(|value| (value - it.mean).powi(2)),
            Self::Quantiles(it) => it.moment(2) - it.moment(1).powi(2),
        }
    }

    pub(super) fn third_moment(&self) -> f64 {
        match self {
            Self::Sample(it) => it.average(|value| value.powi(3)),
            Self::Quantiles(it) => it.moment(3),
        }
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        match self {
            Self::Sample(it) => {
                it.values.partition_point(|value| *value <= x) as f64 / it.values.len() as f64
            }
            Self::Quantiles(it) => it.cdf(x),
        }
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        match self {
            Self::Sample(it) => {
                // The guard keeps 0.9 of 10 values the ninth, whatever 0.9 * 10 rounds to.
                let rank = (p * it.values.len() as f64 * (1.0 - 1e-12)).ceil() as usize;
                it.values[rank.clamp(1, it.values.len()) - 1]
            }
            Self::Quantiles(it) => it.quantile(p),
        }
    }

    pub(super) fn max(&self) -> f64 {
        match self {
            Self::Sample(it) => it.values[it.values.len() - 1],
            Self::Quantiles(it) => it.max(),
        }
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        match self {
            Self::Sample(it) => Self::Sample(Sample {
                values: it.values.iter().map(|value| value * factor).collect(),
                mean: it.mean * factor,
            }),
            Self::Quantiles(it) => Self::Quantiles(it.scaled(factor)),
        }
    }

    pub(super) fn words(&self, show: fn(f64) -> String) -> String {
        let mean = show(self.mean());
        match self {
            Self::Sample(it) => format!("empirical, mean {mean}, {} values", it.values.len()),
            Self::Quantiles(it) => format!("empirical, mean {mean}, {}", it.words(show)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::testing;
    use super::*;
    use crate::input::testing::{read_in, refused_in};
    use crate::random::{DurationLaw, Law};

    #[test]
    fn a_sample_has_its_own_moments_and_steps() {
        let law = Empirical::from(Sample::new(vec![3.0, 1.0, 1.0, 7.0]).expect("fits"));
        let law = Law::from(law);
        testing::moments(&law, 3.0, 6.0, (1.0 + 1.0 + 27.0 + 343.0) / 4.0);
        testing::draws(&law, [1.0, 1.0, 1.0, 1.0, 3.0]);
        for (share, at) in [(0.0, 1.0), (0.5, 1.0), (0.51, 3.0), (0.75, 3.0), (1.0, 7.0)] {
            assert!((law.quantile(share) - at).abs() < 1e-15, "{share}");
        }
        assert!((law.cdf(1.0) - 0.5).abs() < 1e-15 && (law.cdf(6.9) - 0.75).abs() < 1e-15);
    }

    fn data() -> Problems {
        Problems::in_folder(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/laws"))
    }

    fn file(file: &str, column: &str) -> String {
        format!("{{ empirical = {{ file = \"{file}\", column = \"{column}\" }} }}")
    }

    #[test]
    fn reads_a_column_of_a_file() {
        let law: DurationLaw = read_in(data(), &file("service.csv", "seconds")).expect("a law");
        assert!((law.mean() - 0.05).abs() < 1e-15, "{}", law.mean());
        assert_eq!(law.to_string(), "empirical, mean 50ms, 4 values");
    }

    #[test]
    fn says_which_file_column_and_row() {
        for (name, column, reasons) in [
            (
                "nowhere.csv",
                "seconds",
                &["cannot read `nowhere.csv`", "relative to the scenario"][..],
            ),
            (
                "service.csv",
                "second",
                &["no column `second`", "did you mean `seconds`"],
            ),
            (
                "bad.csv",
                "seconds",
                &["row 3 of `bad.csv`: `soon`", "row 5 of `bad.csv`: `-1`"],
            ),
            ("empty.csv", "seconds", &["no rows"]),
        ] {
            let told = refused_in::<DurationLaw>(data(), &file(name, column));
            assert!(reasons.iter().all(|reason| told.contains(reason)), "{told}");
        }
    }
}
