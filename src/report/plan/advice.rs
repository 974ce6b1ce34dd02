//! What to say of an objective that no value of the key meets: how near the best came, whether the
//! key moves the metric, and what else to change.
//!
//! Not a second plan: the keys are named that act on such a metric, not their values.

use super::PlanReport;
use crate::experiment::plan::{Trend, Unmet};

impl PlanReport<'_> {
    /// How near the best value came, and what the key does.
    pub(super) fn unmet(&self, it: &Unmet) -> String {
        let objective = &self.objectives[it.objective];
        let key = &self.axis.key;
        let best = it.best.and_then(|place| self.plan.of(place));
        let best = best.map(|best| {
            let observed = self.observed(best, it.objective);
            format!("; the best is {observed}, at {}", self.value(best.place))
        });
        let (first, last) = (self.value(it.between.0), self.value(it.between.1));
        let moves = match it.trend {
            Trend::Still => format!(
                "; from {first} to {last} {} does not move with {key}, as far as the runs tell: \
                 no {key} mends it",
                objective.metric
            ),
            Trend::Nearer => format!("; from {first} to {last} it comes nearer"),
            Trend::Farther => format!("; from {first} to {last} it goes farther off"),
            Trend::Unknown => String::new(),
        };
        let best = best.unwrap_or_default();
        format!(
            "`{}`: no value that was run meets it{best}{moves}",
            objective.text
        )
    }

    /// What else to try.
    pub(super) fn instead(&self, it: &Unmet) -> String {
        let metric = &self.objectives[it.objective].metric;
        let name = metric.splitn(3, '.').nth(2).unwrap_or(metric);
        let keys = keys_that_act_on(name);
        let wider = match it.trend {
            Trend::Nearer => "a wider range; or ",
            Trend::Farther => "the other end of the range; or ",
            Trend::Still | Trend::Unknown => "",
        };
        format!("{wider}{keys}; `queuecast explain KEY` tells of each")
    }
}

/// The keys that act on a metric, by its name within its component.
fn keys_that_act_on(name: &str) -> &'static str {
    let first = name.split('.').next().unwrap_or(name);
    match first {
        "duplicates" | "duplicate_effects" | "redelivered" | "lapsed" | "overlaps" => {
            "a longer `visibility_timeout` or a `heartbeat`, where work outlasts its lease; \
             `idempotency`, where it is done again after crashes and lost acks"
        }
        "dead_lettered" | "dead_lettered_done" | "dead_letters" | "failed" | "failed_for_good" => {
            "a larger `max_receives`, a `retry` with a longer backoff, or a longer \
             `visibility_timeout`"
        }
        "rejected" | "rejected_share" | "timed_out" | "abandoned" | "full_at" => {
            "a larger `capacity`, or `on_full` (block, retry) for the publisher"
        }
        "dropped" | "expired" => "a larger `capacity`, a longer `retention`, or `overflow`",
        "lost" => "`ack = \"after\"`, a longer `retention`, or a `dead_letter` queue",
        "out_of_order" | "out_of_order_by_key" => {
            "`groups` of the queue, or one consumer with `concurrency = 1`"
        }
        _ => "a shorter `service`, more `concurrency`, or fewer arrivals",
    }
}
