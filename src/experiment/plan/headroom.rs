//! How far the answer carries: the longest outage, and the highest rate of arrivals, at which it
//! still meets every objective.
//!
//! Not every way to fail: one thing is made worse at a time, and the rest stays as it is.

use super::Standing;
use super::bench::{Terms, opened};
use super::{Step, Told};
use crate::model::{Model, Origin, Windows};
use crate::policy::arrival::Interarrival;
use crate::units::SimDuration;

/// What is made worse.
#[derive(Clone, Debug, PartialEq)]
pub struct Strain {
    /// The scenario's key.
    pub key: String,
    /// What it is: "outages of consumers.fleet".
    pub what: String,
    /// In what it is counted.
    pub measure: Measure,
    /// What it is in the scenario: seconds, or a second.
    pub now: f64,
}

/// In what a strain is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Seconds.
    Duration,
    /// Messages a second.
    Rate,
}

impl Measure {
    /// A value as a scenario writes it.
    pub fn written(self, value: f64) -> String {
        match self {
            Self::Duration => SimDuration::from_secs_rounded(value).to_string(),
            Self::Rate => format!("{value}/s"),
        }
    }
}

/// How far one strain can go.
#[derive(Clone, Debug, PartialEq)]
pub struct Headroom {
    /// What is made worse.
    pub strain: Strain,
    /// The most at which every objective is still met.
    pub up_to: f64,
    /// The least known at which they are not; `None` when all that was tried is met.
    pub beyond: Option<f64>,
    /// The objectives, by place, that are not met there.
    pub fails: Vec<usize>,
}

/// As far as it is tried: so many times what it is.
const MOST: f64 = 16.0;
/// Models that are looked at for one strain, at most: four doublings, and halves.
pub(super) const MOST_ASKED: usize = 4 + 11;

/// What can be made worse in `model`: outages at stated times that have one key for their length,
/// and sources of a steady rate.
pub fn strains(model: &Model) -> Vec<Strain> {
    let outages = model.outages.iter().enumerate();
    let outages = outages.filter_map(|(place, outage)| match &outage.windows {
        Windows::Fixed(windows) => match windows[..] {
            [(_, span)] => Some(Strain {
                key: format!("outages.{place}.duration"),
                what: format!("the outage of {}", model.fleets[outage.fleet].name),
                measure: Measure::Duration,
                now: span.as_secs_f64(),
            }),
            _ => None,
        },
        Windows::Random { .. } => None,
    });
    let rates = model.producers.iter().filter_map(|producer| {
        let Origin::Arrivals { arrivals, .. } = &producer.origin else {
            return None;
        };
        let (kind, rate) = match arrivals.interarrival()? {
            Interarrival::Constant { rate } => ("constant", rate),
            Interarrival::Poisson { rate } => ("poisson", rate),
            Interarrival::Renewal(_) | Interarrival::PoissonBatches { .. } => return None,
        };
        Some(Strain {
            key: format!("{}.arrivals.{kind}.rate", producer.name),
            what: format!("the arrivals of {}", producer.name),
            measure: Measure::Rate,
            now: rate,
        })
    });
    outages
        .chain(rates)
        .filter(|strain| strain.now > 0.0)
        .collect()
}

/// How far a strain can go, in steps of about a hundredth of what it is; `None` when the scenario
/// cannot be varied so, or does not meet its objectives as it is.
pub(super) fn headroom(
    strain: Strain,
    terms: Terms<'_>,
    vary: &dyn Fn(&str) -> Option<Model>,
    told: Told<'_>,
) -> Option<Headroom> {
    let step = round_step(strain.now / 100.0);
    let mut fails = Vec::new();
    let mut meets = |steps: u64| -> Option<bool> {
        let written = strain.measure.written(steps as f64 * step);
        let mut value = opened(0, vary(&written)?, terms);
        let all: Vec<usize> = (0..terms.objectives.len()).collect();
        let step = |_: Step<'_>| {
            (told.step)(Step::Strain {
                what: &strain.what,
                value: &written,
            });
        };
        let of_strain = Told {
            step: &step,
            ..told
        };
        let met = value.examine(terms, &all, of_strain) == Standing::Meets;
        if !met {
            let failed = value.standings.iter().enumerate();
            let failed = failed.filter(|(_, (standing, _))| *standing != Standing::Meets);
            fails = failed.map(|(place, _)| place).collect();
        }
        Some(met)
    };
    let now = (strain.now / step).floor() as u64;
    let most = (MOST * strain.now / step).floor() as u64;
    let (mut low, mut high) = (now, None);
    while high.is_none() && low < most {
        let next = (low * 2).min(most);
        if meets(next)? {
            low = next;
        } else {
            high = Some(next);
        }
    }
    while let Some(end) = high.filter(|end| end - low > 1) {
        let middle = low + (end - low) / 2;
        if meets(middle)? {
            low = middle;
        } else {
            high = Some(middle);
        }
    }
    Some(Headroom {
        up_to: f64::max(low as f64 * step, strain.now),
        beyond: high.map(|end| end as f64 * step),
        fails,
        strain,
    })
}

/// The greatest of 1, 2 and 5 times a power of ten that is no more.
fn round_step(most: f64) -> f64 {
    let power = 10_f64.powf(most.log10().floor());
    let fits = |factor: &&f64| **factor * power <= most * (1.0 + 1e-9);
    power * [5.0, 2.0, 1.0].iter().find(fits).unwrap_or(&1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_numbers_of_about_a_hundredth() {
        for (now, step) in [(90.0, 0.5), (1_200.0, 10.0), (100.0, 1.0), (0.3, 0.002)] {
            assert!(
                (round_step(now / 100.0) - step).abs() < 1e-12 * step,
                "{now}"
            );
        }
    }

    #[test]
    fn a_strain_is_written_as_a_scenario_reads_it() {
        assert_eq!(Measure::Duration.written(97.5), "1m 37.5s");
        assert_eq!(Measure::Rate.written(1_310.0), "1310/s");
    }
}
