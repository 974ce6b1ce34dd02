//! How many consumers: Little's law, break-even, headroom, drains, waits, and the smallest fleet
//! for each goal.
//!
//! Arithmetic and closed forms only, so it answers at once. Nothing is simulated, and nothing is
//! printed; the shape of the answer is in `sizing`.

use crate::exact::{Exact, from_f64, to_f64, whole};
use crate::fluid::Bound;
use crate::fluid::outage::Outage;
use crate::units::SimDuration;

pub use super::sizing::{Goal, Row, SizeError, Sizing};
pub use super::wait::{Known, Limit, WaitGoal, WaitMeasure, WaitModel};

use super::wait::Wait;

/// No goal is searched for beyond this fleet.
const MOST_CONSUMERS: u64 = 10_000_000;

/// What is known, and what is asked. Rates per second, times in seconds.
#[derive(Clone, Debug)]
pub struct Question {
    /// The arrival rate.
    pub arrivals: f64,
    /// The mean time a consumer needs for one message.
    pub service_s: f64,
    /// The coefficient of variation of that time; 1 is exponential, 0 is constant.
    pub service_cv: f64,
    /// An outage of the whole fleet, with an empty queue before it.
    pub outage_s: Option<f64>,
    /// The fleets to show; some that are worth a look when it is empty.
    pub consumers: Vec<u64>,
    /// The bound on waiting messages; publishes beyond it are rejected.
    pub bound: Bound,
    /// How long after the outage the backlog may last.
    pub recover_within: Option<SimDuration>,
    /// Goals for the wait when nothing is out.
    pub wait: Vec<WaitGoal>,
}

impl Question {
    /// Exponential service, no bound, no outage, no goal but stability.
    pub fn new(arrivals: f64, service_s: f64) -> Self {
        Self {
            arrivals,
            service_s,
            service_cv: 1.0,
            outage_s: None,
            consumers: Vec::new(),
            bound: Bound::Unlimited,
            recover_within: None,
            wait: Vec::new(),
        }
    }

    /// Works out the answer.
    ///
    /// # Errors
    /// A number is out of its range, or a time to recover is given without an outage.
    pub fn answer(&self) -> Result<Sizing, SizeError> {
        self.check()?;
        let load = from_f64(self.arrivals) * from_f64(self.service_s);
        // Without an outage its length is 0, and only the filling of the bound matters.
        let outage = self.outage_of(self.outage_s.unwrap_or(0.0), self.bound)?;
        let shown = self.outage_s.map(|_| &outage);
        let blocking = self.when_blocking(shown)?;
        let goals = self.goals(&load, &outage, blocking.as_ref());
        let binding = binding(&goals);
        let fleets = if self.consumers.is_empty() {
            worth_a_look(&load, &goals)
        } else {
            self.consumers.clone()
        };
        Ok(Sizing {
            offered_load: to_f64(&load),
            break_even: ceil(&load),
            backlog: shown.map(Outage::backlog),
            bound_fill_s: self.bound_fill(),
            rejected: shown.map(Outage::rejected),
            rejected_share: shown.map(Outage::rejected_share),
            backlog_when_blocking: self.when_blocking(shown)?.as_ref().map(Outage::backlog),
            rows: fleets
                .iter()
                .map(|&fleet| self.row(fleet, &load, shown))
                .collect(),
            wait_model: WaitModel::of(self.service_cv),
            smallest: binding.consumers,
            binding: binding.goal.clone(),
            goals,
        })
    }

    fn check(&self) -> Result<(), SizeError> {
        let positive = |what, value: f64| within(what, value, "above 0", value > 0.0);
        positive("the arrival rate", self.arrivals)?;
        positive("the service time", self.service_s)?;
        let cv = self.service_cv;
        let sane = (0.0..=1e6).contains(&cv);
        within("the coefficient of variation", cv, "0 to 1,000,000", sane)?;
        if let Some(outage) = self.outage_s {
            within("the outage", outage, "0 or more", outage >= 0.0)?;
        }
        if let Bound::Messages(bound) = self.bound {
            positive("the bound", bound)?;
        }
        if let Some(recovery) = self.recover_within {
            positive("the time to recover", recovery.as_secs_f64())?;
            self.outage_s.ok_or(SizeError::NothingToRecoverFrom)?;
        }
        for goal in &self.wait {
            within(
                "the longest wait",
                goal.at_most_s,
                "0 or more",
                goal.at_most_s >= 0.0,
            )?;
            if let WaitMeasure::ExceededBy(tail) = goal.measure {
                let between = 0.0 < tail && tail < 1.0;
                within(
                    "the share that waits longer",
                    tail,
                    "between 0 and 1",
                    between,
                )?;
            }
        }
        if self.consumers.contains(&0) {
            Err(SizeError::NoConsumers)
        } else {
            Ok(())
        }
    }

    fn outage_of(&self, seconds: f64, bound: Bound) -> Result<Outage, SizeError> {
        let (arrivals, service) = (self.arrivals, self.service_s);
        Ok(Outage::new(arrivals, service, 0, seconds, bound)?)
    }

    /// The outage as it is when publishers block, if some would be refused: all of it drains, those
    /// at the publishers too.
    fn when_blocking(&self, refusing: Option<&Outage>) -> Result<Option<Outage>, SizeError> {
        let (Some(refusing), Some(seconds)) = (refusing, self.outage_s) else {
            return Ok(None);
        };
        let refused = refusing.rejected() > 0.0;
        let blocking = refused.then(|| self.outage_of(seconds, Bound::Unlimited));
        blocking.transpose()
    }

    fn bound_fill(&self) -> Option<f64> {
        match self.bound {
            Bound::Unlimited => None,
            Bound::Messages(bound) => Some(to_f64(&(from_f64(bound) / from_f64(self.arrivals)))),
        }
    }

    fn row(&self, consumers: u64, load: &Exact, outage: Option<&Outage>) -> Row {
        let capacity = whole(consumers) / from_f64(self.service_s);
        let wait = self.wait_of(consumers, load);
        Row {
            consumers,
            throughput_per_s: to_f64(&capacity),
            utilization: to_f64(&(load / whole(consumers))),
            headroom_per_s: to_f64(&(capacity - from_f64(self.arrivals))),
            drain_s: outage.and_then(|outage| outage.with_consumers(consumers).drain()),
            wait_mean_s: wait.as_ref().map(Wait::mean),
            wait_p50_s: wait.as_ref().map(|wait| wait.exceeded_by(0.5)),
            wait_p99_s: wait.as_ref().map(|wait| wait.exceeded_by(0.01)),
        }
    }

    /// The steady wait; `None` for a fleet at break-even or below.
    fn wait_of(&self, consumers: u64, load: &Exact) -> Option<Wait> {
        let stable = whole(consumers) > *load;
        stable.then(|| Wait::new(self.arrivals, self.service_s, self.service_cv, consumers))?
    }

    fn goals(&self, load: &Exact, outage: &Outage, blocking: Option<&Outage>) -> Vec<Goal> {
        let stable = floor(load) + 1;
        let stability = Goal {
            goal: "stable".to_owned(),
            consumers: Some(stable),
            when_blocking: None,
            reached_s: None,
            one_less_s: None,
        };
        let recovery = self.recover_within.map(|target| {
            let drains = |outage: &Outage| {
                let fleet = outage.fleet_to_drain_within(target.as_secs_f64());
                fleet.max(stable)
            };
            let fleet = drains(outage);
            Goal {
                goal: format!("recover within {target}"),
                consumers: Some(fleet),
                when_blocking: blocking.map(drains),
                reached_s: outage.with_consumers(fleet).drain(),
                one_less_s: outage.with_consumers(fleet - 1).drain(),
            }
        });
        let waits = self.wait.iter().map(|goal| {
            let reached = |fleet| self.wait_of(fleet, load).map(|wait| goal.measure.of(&wait));
            let meets = |fleet| reached(fleet).is_some_and(|wait| goal.allows(wait));
            let fleet = smallest(stable, meets);
            Goal {
                goal: goal.text.clone(),
                consumers: fleet,
                when_blocking: None,
                reached_s: fleet.and_then(reached),
                one_less_s: fleet.and_then(|fleet| reached(fleet - 1)),
            }
        });
        std::iter::once(stability)
            .chain(recovery)
            .chain(waits)
            .collect()
    }
}

/// The goal that asks for the most consumers; one that cannot be met asks for more than any.
fn binding(goals: &[Goal]) -> &Goal {
    let asks = |goal: &&Goal| goal.consumers.unwrap_or(u64::MAX);
    goals
        .iter()
        .max_by_key(asks)
        .expect("stability is always a goal")
}

/// Break-even, fleets that are 90, 80, and 70 % busy, and the answers to the goals.
fn worth_a_look(load: &Exact, goals: &[Goal]) -> Vec<u64> {
    let busy = |percent: u64| ceil(&(load * whole(100) / whole(percent)));
    let mut fleets: Vec<u64> = [100, 90, 80, 70].into_iter().map(busy).collect();
    fleets.extend(goals.iter().filter_map(|goal| goal.consumers));
    fleets.sort_unstable();
    fleets.dedup();
    fleets
}

/// The smallest fleet from `least` on that `meets` a goal which every larger fleet meets too.
fn smallest(least: u64, meets: impl Fn(u64) -> bool) -> Option<u64> {
    let mut fails_at = least.saturating_sub(1);
    let mut step = 1;
    let mut meets_at = loop {
        let fleet = fails_at + step;
        if meets(fleet) {
            break fleet;
        }
        if fleet >= MOST_CONSUMERS {
            return None;
        }
        (fails_at, step) = (fleet, step * 2);
    };
    while meets_at - fails_at > 1 {
        let middle = u64::midpoint(fails_at, meets_at);
        if meets(middle) {
            meets_at = middle;
        } else {
            fails_at = middle;
        }
    }
    Some(meets_at)
}

fn within(
    what: &'static str,
    value: f64,
    range: &'static str,
    held: bool,
) -> Result<(), SizeError> {
    if held && value.is_finite() {
        Ok(())
    } else {
        Err(SizeError::OutOfRange { what, range, value })
    }
}

fn ceil(x: &Exact) -> u64 {
    u64::try_from(x.ceil().to_integer()).unwrap_or(u64::MAX)
}

fn floor(x: &Exact) -> u64 {
    u64::try_from(x.floor().to_integer()).unwrap_or(u64::MAX - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worked_example() -> Question {
        Question {
            outage_s: Some(60.0),
            consumers: vec![48, 55, 60, 75],
            bound: Bound::Messages(100_000.0),
            ..Question::new(1200.0, 0.04)
        }
    }

    #[test]
    fn the_worked_example_to_the_digit() {
        let json = serde_json::to_value(worked_example().answer().unwrap()).unwrap();
        assert_eq!(json["offered_load"].to_string(), "48.0");
        assert_eq!(json["break_even"].to_string(), "48");
        assert_eq!(json["backlog"].to_string(), "72000");
        assert_eq!(json["rejected"].to_string(), "0");
        assert_eq!(json["bound_fill_s"].to_string(), "83.33333333333333");
        let row = |consumers, throughput, utilization, headroom, drain: Option<f64>| {
            serde_json::json!({
                "consumers": consumers, "throughput_per_s": throughput, "utilization": utilization,
                "headroom_per_s": headroom, "drain_s": drain,
            })
        };
        let expected = [
            row(48, 1200.0, 1.0, 0.0, None),
            row(55, 1375.0, 48.0 / 55.0, 175.0, Some(2880.0 / 7.0)),
            row(60, 1500.0, 0.8, 300.0, Some(240.0)),
            row(75, 1875.0, 0.64, 675.0, Some(320.0 / 3.0)),
        ];
        for (row, expected) in json["rows"].as_array().unwrap().iter().zip(&expected) {
            for (key, value) in expected.as_object().unwrap() {
                assert_eq!(&row[key], value, "{key}");
            }
        }
        assert!(json["rows"][0]["wait_mean_s"].is_null());
    }

    #[test]
    fn goals_of_the_wait_have_the_fleets_of_the_reference() {
        // Independent calculations handed to the project: smallest c with P(W > t) <= alpha.
        let cases = [
            (1200.0, 0.04, 0.0, 0.5, 52),
            (1200.0, 0.04, 0.0, 0.1, 59),
            (1200.0, 0.04, 0.01, 0.01, 58),
            (1200.0, 0.04, 0.1, 0.001, 51),
            (100.0, 0.1, 0.2, 0.05, 12),
            (350.0, 0.25, 1.0, 0.01, 89),
        ];
        for (arrivals, service, at_most_s, tail, fleet) in cases {
            let measure = WaitMeasure::ExceededBy(tail);
            let goal = WaitGoal {
                text: "w".to_owned(),
                measure,
                at_most_s,
                limit: Limit::AtMost,
            };
            let question = Question {
                wait: vec![goal],
                ..Question::new(arrivals, service)
            };
            let sizing = question.answer().unwrap();
            assert_eq!(
                sizing.smallest,
                Some(fleet),
                "{arrivals} {service} {at_most_s} {tail}"
            );
            let goal = &sizing.goals[1];
            assert!(goal.reached_s.unwrap() <= at_most_s);
            assert!(goal.one_less_s.is_none_or(|wait| wait > at_most_s));
        }
        let row = Question {
            consumers: vec![52],
            ..worked_example()
        }
        .answer()
        .unwrap()
        .rows;
        assert!((row[0].wait_mean_s.unwrap() / 0.004_660_305_489_064_358 - 1.0).abs() < 1e-13);
    }

    #[test]
    fn the_goal_that_asks_for_most_binds() {
        let mean = WaitGoal {
            text: "mean<=5ms".to_owned(),
            measure: WaitMeasure::Mean,
            at_most_s: 0.005,
            limit: Limit::AtMost,
        };
        let question = Question {
            recover_within: Some(SimDuration::from_secs(120)),
            wait: vec![mean],
            ..worked_example()
        };
        let sizing = question.answer().unwrap();
        let fleets: Vec<_> = sizing.goals.iter().map(|goal| goal.consumers).collect();
        assert_eq!(fleets, [Some(49), Some(72), Some(52)]);
        assert_eq!(sizing.goals[1].reached_s, Some(120.0));
        assert_eq!(sizing.goals[1].one_less_s, Some(2880.0 / 23.0));
        assert_eq!(
            (sizing.smallest, sizing.binding.as_str()),
            (Some(72), "recover within 2m")
        );
        // 60,000 in 120 s need 1,700/s: 68 consumers. Blocked ones are no part of that.
        assert_eq!(sizing.goals[1].when_blocking, None);
        let bounded = Question {
            bound: Bound::Messages(60_000.0),
            ..question
        };
        let bounded = bounded.answer().unwrap();
        let recovery = &bounded.goals[1];
        assert_eq!(
            (recovery.consumers, recovery.when_blocking),
            (Some(68), Some(72))
        );
        assert_eq!(bounded.backlog_when_blocking, Some(72_000.0));
    }

    #[test]
    fn rates_that_are_quotients_break_even_exactly() {
        // 1000 an hour at 3.6 s each is 1 consumer, not a hair more.
        let sizing = Question::new(1000.0 / 3600.0, 3.6).answer().unwrap();
        assert_eq!(sizing.break_even, 1);
        assert_eq!(sizing.goals[0].consumers, Some(2));
        let shown: Vec<u64> = sizing.rows.iter().map(|row| row.consumers).collect();
        assert_eq!(shown, [1, 2]);
    }

    #[test]
    fn an_approximation_says_so() {
        let known = |service_cv| {
            let question = Question {
                service_cv,
                ..worked_example()
            };
            question.answer().unwrap().wait_model.known
        };
        assert_eq!([0.0, 1.0].map(known), [Known::Exact; 2]);
        assert_eq!([0.5, 2.0].map(known), [Known::Approximate; 2]);
    }

    #[test]
    fn a_question_that_makes_no_sense_is_refused() {
        let fine = Question::new(1.0, 1.0);
        for bad in [
            Question {
                arrivals: 0.0,
                ..fine.clone()
            },
            Question {
                service_s: f64::NAN,
                ..fine.clone()
            },
            Question {
                service_cv: -1.0,
                ..fine.clone()
            },
            Question {
                bound: Bound::Messages(0.0),
                ..fine.clone()
            },
            Question {
                recover_within: Some(SimDuration::from_secs(1)),
                ..fine.clone()
            },
            Question {
                consumers: vec![0],
                ..fine.clone()
            },
        ] {
            assert!(bad.answer().is_err(), "{bad:?}");
        }
        let error = Question {
            arrivals: -1.0,
            ..fine
        }
        .answer()
        .unwrap_err();
        assert_eq!(
            error.to_string(),
            "the arrival rate must be above 0, not -1"
        );
    }
}
