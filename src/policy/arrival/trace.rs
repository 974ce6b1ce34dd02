//! What was recorded: a CSV file of instants, or of counts per interval.
//!
//! Not a law of gaps: a trace comes as it came, once.

use std::sync::Arc;

use super::Next;
use crate::input::{Fields, Problem, Problems};
use crate::units::{Decimal, NANOS_PER_SECOND, Rate, SimDuration, SimTime};

/// Recorded arrivals.
#[derive(Clone, Debug, PartialEq)]
pub enum Trace {
    /// The instant of each, none before the one before it.
    Instants(Arc<[SimTime]>),
    /// How many came in each interval; within it they are spread evenly, from its start on.
    Counts {
        /// The length of an interval.
        per: SimDuration,
        /// The count of each.
        counts: Arc<[u64]>,
    },
}

/// Instants are told as a flow in about so many intervals, none shorter than a second.
const TOLD: u64 = 1_000;

impl Trace {
    /// Reads `{ file, column }`: instants in seconds; or `{ file, column, per }`: counts.
    pub(super) fn read(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        if fields.has("per") {
            let per = fields.required_spanned::<SimDuration>("per", problems);
            let counts = fields.csv_column(problems, |cell| {
                let count = cell.parse::<u64>();
                count.map_err(|_| format!("`{cell}` is not a whole number, zero or more"))
            });
            let (per, counts) = (per?, counts?);
            if per.it.is_zero() {
                let title = "counts per no time at all";
                problems.file(Problem::error(title, per.span, "must be above zero"));
                return None;
            }
            return Some(Self::Counts {
                per: per.it,
                counts: counts.into(),
            });
        }
        let mut before = SimTime::ZERO;
        let instants = fields.csv_column(problems, |cell| {
            let at = instant(cell)?;
            if at < before {
                return Err(format!(
                    "`{cell}` comes before the row before it ({before})"
                ));
            }
            before = at;
            Ok(at)
        })?;
        Some(Self::Instants(instants.into()))
    }

    pub(super) fn source(&self) -> Source {
        Source {
            trace: self.clone(),
            row: 0,
            within: 0,
        }
    }

    /// The last instant, or the end of the last interval.
    pub(super) fn end(&self) -> SimTime {
        match self {
            Self::Instants(instants) => instants.last().copied().unwrap_or(SimTime::ZERO),
            Self::Counts { per, counts } => start_of(*per, counts.len()),
        }
    }

    /// Rates of the intervals; instants are counted in intervals first.
    pub(super) fn segments(&self) -> Vec<(f64, f64)> {
        let binned;
        let (per, counts) = match self {
            Self::Counts { per, counts } => (*per, &**counts),
            Self::Instants(instants) => {
                let nanos = (self.end().as_nanos() / TOLD).max(NANOS_PER_SECOND);
                let last = self.end().as_nanos() / nanos;
                let mut bins = vec![0; last as usize + 1];
                for at in &**instants {
                    bins[(at.as_nanos() / nanos) as usize] += 1;
                }
                binned = bins;
                (SimDuration::from_nanos(nanos), &binned[..])
            }
        };
        let rate = |(i, count): (usize, &u64)| {
            (
                start_of(per, i).as_secs_f64(),
                *count as f64 / per.as_secs_f64(),
            )
        };
        let mut all: Vec<_> = counts.iter().enumerate().map(rate).collect();
        all.push((start_of(per, counts.len()).as_secs_f64(), 0.0));
        all
    }
}

/// The start of interval `i`.
fn start_of(per: SimDuration, i: usize) -> SimTime {
    SimTime::from_nanos(per.as_nanos().saturating_mul(i as u64))
}

/// Seconds, read exactly; `1e-3` by way of a float.
fn instant(cell: &str) -> Result<SimTime, String> {
    let exact = Decimal::split(cell).filter(|(_, rest)| rest.is_empty());
    let nanos = match exact {
        Some((number, _)) => number.times(NANOS_PER_SECOND),
        None => cell
            .parse::<f64>()
            .ok()
            .filter(|seconds| (0.0..1e10).contains(seconds))
            .map(|seconds| SimDuration::from_secs_rounded(seconds).as_nanos()),
    };
    let at = nanos
        .map(SimTime::from_nanos)
        .filter(|at| *at < SimTime::MAX);
    at.ok_or_else(|| format!("`{cell}` is not an instant in seconds, zero or more"))
}

#[derive(Clone, Debug)]
pub(super) struct Source {
    trace: Trace,
    row: usize,
    within: u64,
}

impl Source {
    pub(super) fn next(&mut self) -> Option<Next> {
        let at = match &self.trace {
            Trace::Instants(instants) => {
                let at = *instants.get(self.row)?;
                self.row += 1;
                at
            }
            Trace::Counts { per, counts } => {
                while self.within >= *counts.get(self.row)? {
                    self.row += 1;
                    self.within = 0;
                }
                let spread = Rate::new(counts[self.row], *per).span_of(self.within);
                self.within += 1;
                start_of(*per, self.row).saturating_add(spread)
            }
        };
        (at < SimTime::MAX).then_some(Next { at, count: 1 })
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::Arrivals;
    use super::super::testing::{read, read_in, refused_in, run};
    use super::*;

    fn data() -> Problems {
        Problems::in_folder(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/laws"))
    }

    fn text(parameters: &str) -> String {
        format!("{{ trace = {{ file = \"trace.csv\", {parameters} }} }}")
    }

    #[test]
    fn instants_come_as_they_came() {
        let trace: Arrivals = read_in(data(), &text("column = \"at\"")).expect("a trace");
        let all = run(&trace, 9);
        assert_eq!(
            all,
            [
                (500_000_000, 1),
                (1_000_000_001, 1),
                (1_000_000_001, 1),
                (3_500_000_000, 1)
            ]
        );
        assert!(trace.ends());
        assert_eq!(
            trace.last_change(),
            Some(SimTime::from_nanos(3_500_000_000))
        );
        let flow = trace.rate_segments(SimTime::MAX).expect("a flow");
        assert_eq!(
            flow,
            [(0.0, 1.0), (1.0, 2.0), (2.0, 0.0), (3.0, 1.0), (4.0, 0.0)]
        );
    }

    #[test]
    fn counts_are_spread_over_their_interval() {
        let trace: Arrivals =
            read_in(data(), &text("column = \"count\", per = \"1s\"")).expect("a trace");
        let halves = [(0, 1), (500_000_000, 1), (2_000_000_000, 1)];
        assert_eq!(run(&trace, 3), halves);
        assert_eq!(run(&trace, 99).len(), 2 + 3 + 1);
        assert_eq!(run(&trace, 99)[3].0, 2_333_333_333);
        assert_eq!(
            trace.last_change(),
            Some(SimTime::from_nanos(4_000_000_000))
        );
    }

    /// A steady count per interval is the constant source.
    #[test]
    fn a_steady_trace_is_a_constant_source() {
        let steady = Arrivals::Trace(Trace::Counts {
            per: SimDuration::from_secs(1),
            counts: vec![1_200; 20].into(),
        });
        let constant = read("{ constant = { rate = \"1200/s\" } }");
        assert_eq!(run(&steady, 24_000), run(&constant, 24_000));
    }

    #[test]
    fn says_which_row_is_wrong() {
        let told = refused_in::<Arrivals>(data(), &text("column = \"back\""));
        assert!(
            told.contains("row 4 of `trace.csv`: `1` comes before"),
            "{told}"
        );
        assert!(
            told.contains("row 5 of `trace.csv`: `-2` is not an instant"),
            "{told}"
        );
        let told = refused_in::<Arrivals>(data(), &text("column = \"at\", per = \"1s\""));
        assert!(
            told.contains("row 2 of `trace.csv`: `0.5` is not a whole number"),
            "{told}"
        );
    }
}
