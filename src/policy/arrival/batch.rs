//! Batches: whenever another process has an arrival, a random number come at once.
//!
//! Not how consumers take messages: that is the batch of a fleet.

use super::{Arrivals, Interarrival, Next, Source as Whole};
use crate::input::{Fields, Problem, Problems};
use crate::random::{CountLaw, Stream};
use crate::units::SimTime;

/// A process whose arrivals are batches.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// When batches come.
    pub arrivals: Arrivals,
    /// How many messages are in each; an empty batch is no arrival.
    pub size: CountLaw,
}

/// The least chance that a batch is not empty: below it one could wait for ever.
const LEAST_CHANCE: f64 = 1e-6;

impl Batch {
    /// Reads `{ arrivals = <any process but clients>, size = <law of counts> }`.
    pub(super) fn read(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let size = fields.required_spanned::<CountLaw>("size", problems);
        let arrivals = fields.required_spanned::<Arrivals>("arrivals", problems)?;
        if matches!(arrivals.it, Arrivals::Clients(_)) {
            let problem = Problem::error("clients send one by one", arrivals.span, "no batches");
            problems.file(problem.help("use another process, such as `poisson`"));
            return None;
        }
        let size = size?;
        if size.it.at_least_one() < LEAST_CHANCE {
            let title = "the batches are empty";
            problems.file(Problem::error(
                title,
                size.span,
                "rounds to zero nearly always",
            ));
            return None;
        }
        Some(Self {
            arrivals: arrivals.it,
            size: size.it,
        })
    }

    pub(super) fn source(&self) -> Source {
        Source {
            arrivals: self.arrivals.source(),
            size: self.size.clone(),
        }
    }

    /// The mean number in a batch.
    fn mean_size(&self) -> f64 {
        self.size.moments().0
    }

    pub(super) fn mean_rate(&self) -> Option<f64> {
        Some(self.arrivals.mean_rate()? * self.mean_size())
    }

    pub(super) fn segments(&self, horizon: SimTime) -> Option<Vec<(f64, f64)>> {
        let size = self.mean_size();
        let all = self.arrivals.rate_segments(horizon)?;
        Some(
            all.into_iter()
                .map(|(from, rate)| (from, rate * size))
                .collect(),
        )
    }

    pub(super) fn interarrival(&self) -> Option<Interarrival> {
        let Some(Interarrival::Poisson { rate }) = self.arrivals.interarrival() else {
            return None;
        };
        let (mean_size, mean_square) = self.size.moments();
        Some(Interarrival::PoissonBatches {
            rate,
            mean_size,
            mean_square,
        })
    }
}

#[derive(Clone, Debug)]
pub(super) struct Source {
    arrivals: Whole,
    size: CountLaw,
}

impl Source {
    pub(super) fn next(&mut self, stream: &mut Stream) -> Option<Next> {
        loop {
            let next = self.arrivals.next(stream)?;
            let sizes = (0..next.count).map(|_| self.size.draw(stream));
            let count = sizes.fold(0, u64::saturating_add);
            if count > 0 {
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                return Some(Next { at: next.at, count });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{problems, read, run};
    use super::Interarrival;

    #[test]
    fn every_arrival_is_a_batch() {
        let text = "{ batch = { arrivals = { constant = { rate = \"10/s\" } }, size = 3 } }";
        assert_eq!(run(&read(text), 2), [(0, 3), (100_000_000, 3)]);
        assert_eq!(read(text).mean_rate(), Some(30.0));
    }

    #[test]
    fn an_empty_batch_is_no_arrival() {
        let text = "{ batch = { arrivals = { constant = { rate = \"10/s\" } }, \
                    size = { uniform = { min = 0, max = 1 } } } }";
        let all = run(&read(text), 1_000);
        assert!(all.iter().all(|(_, count)| *count == 1));
        // The thousandth batch that is not empty is about the two thousandth of all.
        let last = all[999].0 as f64 / 1e8;
        assert!((last - 2_000.0).abs() < 4.0 * 2_000.0_f64.sqrt(), "{last}");
    }

    #[test]
    fn is_poisson_batches_to_theory() {
        let text = "{ batch = { arrivals = { poisson = { rate = \"10/s\" } }, \
                    size = { uniform = { min = 1, max = 6 } } } }";
        let Some(Interarrival::PoissonBatches {
            rate,
            mean_size,
            mean_square,
        }) = read(text).interarrival()
        else {
            panic!("batches");
        };
        assert!((rate - 10.0).abs() < 1e-12 && (mean_size - 3.5).abs() < 1e-12);
        assert!((mean_square - 91.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn refuses_empty_batches_and_clients() {
        let arrivals = "arrivals = { poisson = { rate = \"1/s\" } }";
        let told = problems(&format!("{{ batch = {{ {arrivals}, size = 0 }} }}"));
        assert!(told.contains("the batches are empty"), "{told}");
        let clients = "arrivals = { clients = { count = 3, think = \"1s\" } }";
        let told = problems(&format!("{{ batch = {{ {clients}, size = 2 }} }}"));
        assert!(told.contains("clients send one by one"), "{told}");
    }
}
