//! How many consumers there should be, decided now and then from what waits (rule D5).
//!
//! Not who starts and stops them, nor how long a start takes: components do that.

mod behaviour;
mod hpa;
mod keda;
mod ramp;
mod target_tracking;
mod window;

pub use behaviour::{Behaviour, Direction, Limit};
pub use hpa::Hpa;
pub use keda::Keda;
pub use ramp::Ramp;
pub use target_tracking::TargetTracking;

use crate::units::{SimDuration, SimTime};

/// How a fleet's size follows its work.
#[derive(Clone, Debug, PartialEq)]
pub struct Scaling {
    /// What decides.
    pub rule: Rule,
    /// What it looks at.
    pub watches: Watches,
    /// The fewest consumers.
    pub min: u32,
    /// The most consumers.
    pub max: u32,
    /// How long a consumer takes from being wanted to working.
    pub start_up: SimDuration,
}

/// What decides how many consumers there should be.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// The Kubernetes horizontal pod autoscaler.
    Hpa(Hpa),
    /// KEDA: the same from one consumer on, and a poll of its own between none and one.
    Keda(Keda),
    /// So much backlog for each consumer, with a cooldown after each change (EC2 target tracking).
    TargetTracking(TargetTracking),
    /// So many more each minute while there is work (Lambda pollers of an SQS queue).
    Ramp(Ramp),
}

/// What a rule looks at, in its fleet's queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watches {
    /// Messages that wait.
    Depth,
    /// Messages that wait and messages in flight.
    DepthAndInFlight,
    /// The same as `Depth`, but no more than so much: lag is capped where more consumers than
    /// partitions would stand idle.
    CappedDepth(u64),
}

/// What a rule sees of its fleet and queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// When.
    pub now: SimTime,
    /// Consumers wanted so far.
    pub wanted: u32,
    /// What it watches.
    pub backlog: u64,
}

/// A rule at run time.
#[derive(Clone, Debug)]
pub struct Scaler {
    scaling: Scaling,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Hpa(behaviour::History),
    Keda(keda::State),
    TargetTracking(target_tracking::State),
    Ramp,
}

impl Scaling {
    /// The rule at its start.
    pub fn scaler(&self) -> Scaler {
        let state = match &self.rule {
            Rule::Hpa(_) => State::Hpa(behaviour::History::default()),
            Rule::Keda(_) => State::Keda(keda::State::default()),
            Rule::TargetTracking(_) => State::TargetTracking(target_tracking::State::default()),
            Rule::Ramp(_) => State::Ramp,
        };
        Scaler {
            scaling: self.clone(),
            state,
        }
    }

    /// How often the rule looks.
    pub fn every(&self) -> SimDuration {
        match &self.rule {
            Rule::Hpa(hpa) => hpa.sync,
            Rule::Keda(keda) => keda.look(),
            Rule::TargetTracking(rule) => rule.every,
            Rule::Ramp(ramp) => ramp.every(),
        }
    }

    /// What the rule sees of a backlog of waiting messages and messages in flight.
    pub fn reads(&self, waiting: u64, in_flight: u64) -> u64 {
        match self.watches {
            Watches::Depth => waiting,
            Watches::DepthAndInFlight => waiting + in_flight,
            Watches::CappedDepth(most) => waiting.min(most),
        }
    }
}

impl Scaler {
    /// How many consumers there should be from now on.
    pub fn wanted(&mut self, sight: Sight) -> u32 {
        let Scaling { min, max, .. } = self.scaling;
        let wanted = match (&self.scaling.rule, &mut self.state) {
            (Rule::Hpa(hpa), State::Hpa(history)) => hpa.wanted(sight, history, min, max),
            (Rule::Keda(keda), State::Keda(state)) => keda.wanted(sight, state, min, max),
            (Rule::TargetTracking(rule), State::TargetTracking(state)) => rule.wanted(sight, state),
            (Rule::Ramp(_), State::Ramp) => Ramp::wanted(sight, min),
            (Rule::Hpa(_) | Rule::Keda(_) | Rule::TargetTracking(_) | Rule::Ramp(_), _) => {
                unreachable!("a rule has the state that was made for it")
            }
        };
        wanted.clamp(min, max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{Rate, Ratio};

    fn hpa(target: f64) -> Hpa {
        Hpa {
            target,
            sync: SimDuration::from_secs(15),
            tolerance: Ratio::new(0.1).expect("a ratio"),
            behaviour: Behaviour::default(),
        }
    }

    fn first(scaling: &Scaling, wanted: u32, backlog: u64) -> u32 {
        let now = SimTime::ZERO;
        scaling.scaler().wanted(Sight {
            now,
            wanted,
            backlog,
        })
    }

    fn scaling(rule: Rule, watches: Watches, max: u32) -> Scaling {
        Scaling {
            rule,
            watches,
            min: 1,
            max,
            start_up: SimDuration::ZERO,
        }
    }

    /// 64 partitions of 3,000: the lag that is told is capped at 192,000, and from 59 to 63
    /// consumers that is within the tolerance.
    #[test]
    fn a_capped_lag_leaves_the_fleet_stuck_below_its_partitions() {
        let watches = Watches::CappedDepth(64 * 3_000);
        let scaling = scaling(Rule::Hpa(hpa(3_000.0)), watches, 64);
        let lag = scaling.reads(450_000, 0);
        assert_eq!(lag, 192_000);
        let stuck = (1..=64).filter(|wanted| first(&scaling, *wanted, lag) == *wanted);
        assert_eq!(stuck.collect::<Vec<_>>(), [59, 60, 61, 62, 63, 64]);
    }

    /// 10 s of latency at 0.1 s a message: 100 each; 1,500 wait for 15.
    #[test]
    fn backlog_for_each_instance() {
        let rule = TargetTracking {
            target: 100.0,
            every: SimDuration::from_secs(60),
            cooldown_out: SimDuration::ZERO,
            cooldown_in: SimDuration::ZERO,
        };
        let scaling = scaling(Rule::TargetTracking(rule), Watches::Depth, 1_000);
        assert_eq!(first(&scaling, 10, 1_500), 15);
    }

    #[test]
    fn keda_wakes_at_a_poll_above_the_activation_and_sleeps_after_the_cooldown() {
        let keda = Keda {
            hpa: hpa(5.0),
            poll: SimDuration::from_secs(30),
            cooldown: SimDuration::from_secs(300),
            activation: 10,
        };
        let scaling = Scaling {
            min: 0,
            ..scaling(Rule::Keda(keda), Watches::DepthAndInFlight, 100)
        };
        assert_eq!(first(&scaling, 0, 10), 0, "strictly above");
        assert_eq!(first(&scaling, 0, 11), 1);
        let mut scaler = scaling.scaler();
        let mut wanted = 0;
        let mut last = None;
        for look in 0..200_u64 {
            let now = SimTime::ZERO + SimDuration::from_secs(look * 15);
            let backlog = if look < 20 { 50 } else { 0 };
            let next = scaler.wanted(Sight {
                now,
                wanted,
                backlog,
            });
            if next == 0 && wanted > 0 {
                last = Some(look * 15);
            }
            wanted = next;
        }
        // Active at the poll of 270 s for the last time; at the first poll 300 s later, none.
        assert_eq!(last, Some(570));
    }

    #[test]
    fn a_ramp_of_300_a_minute_takes_4_15_minutes_from_5_to_1250() {
        let ramp = Ramp {
            rate: Rate::new(300, SimDuration::from_secs(60)),
        };
        let looks = 1_250 - 5;
        let seconds = ramp.every().as_secs_f64() * f64::from(looks);
        assert!((seconds / 60.0 - 4.15).abs() < 1e-9);
    }
}
