//! `queuecast size`: how many consumers, by arithmetic and closed forms, at once.
//!
//! Not the arithmetic (`experiment::size`), and not how the answer is laid out as text.

mod page;

use std::str::FromStr;

use super::exit::{Exit, Failed};
use super::options::{Common, Format};
use super::output::print;
use crate::experiment::size::{Limit, Question, Sizing, WaitGoal, WaitMeasure};
use crate::fluid::Bound;
use crate::units::{QuantityError, Rate, SimDuration, read_count};

/// Work out how many consumers are needed, without a simulation
///
/// Little's law gives the break-even: arrivals times service time. Beyond it a
/// fleet has headroom, and headroom is what works off a backlog after an
/// outage. Give goals and it finds the smallest fleet that meets each.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// How many messages come: 1200/s, 90/min, 4.3M/day
    #[arg(long, value_name = "RATE")]
    arrivals: Rate,
    /// How long a consumer works on one: 40ms, 1m 30s
    #[arg(long, value_name = "TIME")]
    service: SimDuration,
    /// The whole fleet stands still for so long
    #[arg(long, value_name = "TIME")]
    outage: Option<SimDuration>,
    /// Fleets to compare: 48,55,60 or 48..80:4
    #[arg(long, value_name = "N,N,A..B:STEP", value_parser = fleets)]
    consumers: Option<Fleets>,
    /// The queue holds so many waiting messages and refuses more
    #[arg(long, value_name = "COUNT", value_parser = count)]
    bound: Option<u64>,
    /// Goal: no message waits any more so long after the outage
    #[arg(long, value_name = "TIME", requires = "outage")]
    recover_within: Option<SimDuration>,
    /// How uneven service times are: 0 constant, 1 exponential [default: 1]
    #[arg(long, value_name = "CV")]
    service_cv: Option<f64>,
    /// Goal for the wait without an outage: "p99<=200ms", "mean<=50ms"; may be repeated
    #[arg(long, value_name = "GOAL", value_parser = wait_goal)]
    wait: Vec<WaitGoal>,
}

const EXAMPLES: &str = "\
Examples:
  queuecast size --arrivals 1200/s --service 40ms
  queuecast size --arrivals 1200/s --service 40ms --outage 60s \\
                 --consumers 48,55,60,75 --bound 100000
  queuecast size --arrivals 1200/s --service 40ms --outage 90s \\
                 --recover-within 5m --wait \"p99<=20ms\"

Waits are those of a fleet that is never interrupted, with Poisson arrivals:
exact for exponential and for constant service, approximate otherwise. Quantiles: p50,
p90, p95, p99, p999, and mean.

Exit codes: 0 done; 1 no fleet meets a goal; 2 the input is wrong";

/// The most fleets in one table.
const MOST_FLEETS: u64 = 10_000;

/// Fleets to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fleets(Vec<u64>);

/// Runs the command.
pub(super) fn run(args: &Args, common: &Common) -> Result<Exit, Failed> {
    let sizing = args.question().answer();
    let sizing = sizing.map_err(|error| Failed::new(error.to_string()))?;
    print(&match common.format {
        Format::Text => page::text(args, &sizing),
        Format::Json => json(&sizing)?,
        Format::Csv => csv(&sizing)?,
    })?;
    Ok(match sizing.smallest {
        Some(_) => Exit::Done,
        None => Exit::NotMet,
    })
}

impl Args {
    fn question(&self) -> Question {
        let fleets = self.consumers.as_ref().map(|fleets| fleets.0.clone());
        Question {
            service_cv: self.service_cv.unwrap_or(1.0),
            outage_s: self.outage.map(SimDuration::as_secs_f64),
            consumers: fleets.unwrap_or_default(),
            bound: self
                .bound
                .map_or(Bound::Unlimited, |bound| Bound::Messages(bound as f64)),
            recover_within: self.recover_within,
            wait: self.wait.clone(),
            ..Question::new(self.arrivals.as_per_second(), self.service.as_secs_f64())
        }
    }
}

fn json(sizing: &Sizing) -> Result<String, Failed> {
    let text = serde_json::to_string_pretty(sizing);
    let text = text.map_err(|error| Failed::new(format!("cannot write JSON: {error}")))?;
    Ok(text + "\n")
}

fn csv(sizing: &Sizing) -> Result<String, Failed> {
    let cannot = |error: String| Failed::new(format!("cannot write CSV: {error}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in &sizing.rows {
        writer
            .serialize(row)
            .map_err(|error| cannot(error.to_string()))?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| cannot(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| cannot(error.to_string()))
}

fn count(text: &str) -> Result<u64, QuantityError> {
    read_count(text.trim())
}

/// Reads `48,55,60` and `48..80:4`, both ends included, and any mixture.
fn fleets(text: &str) -> Result<Fleets, String> {
    let mut all = Vec::new();
    for part in text.split(',').map(str::trim) {
        let Some((from, rest)) = part.split_once("..") else {
            all.push(count(part).map_err(|error| error.to_string())?);
            continue;
        };
        let (to, step) = rest.split_once(':').unwrap_or((rest, "1"));
        let [from, to, step] = [from, to, step].map(count);
        let said = |error: QuantityError| error.to_string();
        let (from, to, step) = (from.map_err(said)?, to.map_err(said)?, step.map_err(said)?);
        if step == 0 || to < from {
            return Err(format!("`{part}` is no range; write `48..80:4`"));
        }
        if (to - from) / step >= MOST_FLEETS {
            return Err(format!(
                "`{part}` has more than {MOST_FLEETS} fleets; give a step"
            ));
        }
        all.extend((from..=to).step_by(usize::try_from(step).unwrap_or(usize::MAX)));
    }
    Ok(Fleets(all))
}

/// Reads `p99<=200ms` and `mean <= 50ms`.
fn wait_goal(text: &str) -> Result<WaitGoal, String> {
    let expected = "write `p99<=200ms`; there are mean, p50, p90, p95, p99 and p999";
    let Some((measure, longest)) = text.split_once('<') else {
        return Err(format!("`<=` is missing; {expected}"));
    };
    let (limit, longest) = match longest.strip_prefix('=') {
        Some(longest) => (Limit::AtMost, longest),
        None => (Limit::Below, longest),
    };
    let measure = match measure.trim() {
        "mean" => WaitMeasure::Mean,
        "p50" => WaitMeasure::ExceededBy(0.5),
        "p90" => WaitMeasure::ExceededBy(0.1),
        "p95" => WaitMeasure::ExceededBy(0.05),
        "p99" => WaitMeasure::ExceededBy(0.01),
        "p999" => WaitMeasure::ExceededBy(0.001),
        other => return Err(format!("`{other}` is no measure of a wait; {expected}")),
    };
    let longest = SimDuration::from_str(longest.trim()).map_err(|error| error.to_string())?;
    Ok(WaitGoal {
        text: text.trim().to_owned(),
        measure,
        at_most_s: longest.as_secs_f64(),
        limit,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fleets_are_lists_and_ranges() {
        let read = |text| fleets(text).map(|fleets| fleets.0);
        assert_eq!(read("48,55, 60"), Ok(vec![48, 55, 60]));
        assert_eq!(read("48..56:4,75"), Ok(vec![48, 52, 56, 75]));
        assert_eq!(read("3..5"), Ok(vec![3, 4, 5]));
        for wrong in [
            "",
            "a",
            "5..3",
            "1..9:0",
            "1..1_000_000",
            "4.5",
            "1..",
            "-3",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn goals_for_the_wait_have_a_measure_and_a_time() {
        let goal = wait_goal("p99 <= 200ms").expect("a goal");
        assert_eq!(goal.measure, WaitMeasure::ExceededBy(0.01));
        assert!((goal.at_most_s - 0.2).abs() < 1e-15);
        assert_eq!(goal.limit, Limit::AtMost);
        let below = wait_goal("p99<200ms").expect("a goal");
        assert_eq!(below.limit, Limit::Below);
        assert_eq!(
            wait_goal("mean<=50ms").expect("a goal").measure,
            WaitMeasure::Mean
        );
        for wrong in ["p99", "p98<=1s", "p99<=5", "p99>200ms", "<=1s"] {
            assert!(wait_goal(wrong).is_err(), "{wrong}");
        }
    }
}
