//! What redeliveries make of the load of a fleet, in words: how much of the work is wasted, and how
//! many consumers it takes.
//!
//! Not how it is worked out ([`crate::experiment::readings`]).

use super::load::Load;
use crate::experiment::readings::{Redone, redone};
use crate::model::{FleetId, Model};

/// The load of a fleet with what it does again.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Redelivered {
    redone: Redone,
    /// Messages a second.
    rate: f64,
    consumers: u32,
    concurrency: u32,
}

impl Redelivered {
    /// Of a fleet that is its queue's only one, when something is offered to it at a known rate.
    pub(super) fn of(model: &Model, id: FleetId, load: &Load) -> Option<Self> {
        let fleet = &model.fleets[id];
        let alone = load.readers(fleet.queue) == 1 && fleet.handling.limit.is_none();
        let rate = load
            .offered(fleet.queue)
            .filter(|rate| alone && *rate > 0.0)?;
        Some(Self {
            redone: redone(model, id)?,
            rate,
            consumers: Load::consumers(fleet),
            concurrency: Load::at_once(fleet),
        })
    }

    fn utilization(&self, work: f64) -> f64 {
        let handlers = f64::from(self.consumers) * f64::from(self.concurrency);
        self.rate * work / (handlers * self.redone.up)
    }

    /// Whether the fleet cannot do it even while what comes back has to wait.
    pub(super) fn is_too_much(&self) -> bool {
        self.utilization(self.redone.busy) >= 1.0
    }

    /// Whether some messages are worked on for ever.
    pub(super) fn is_endless(&self) -> bool {
        self.redone.free.is_infinite()
    }

    /// Deliveries a second of messages that somebody still works on.
    pub(super) fn overlaps(&self) -> f64 {
        self.rate * self.redone.overlaps
    }

    /// Messages a second that run out of deliveries by lapses and crashes alone.
    pub(super) fn given_up(&self) -> f64 {
        self.rate * self.redone.given_up
    }

    /// Messages a second that the fleet can complete.
    pub(super) fn capacity(&self) -> f64 {
        self.rate / self.utilization(self.redone.busy)
    }

    /// `needs 4 consumers, not 2`, when these cannot do it.
    pub(super) fn needs(&self) -> Option<String> {
        if !self.is_too_much() {
            return None;
        }
        let each = f64::from(self.concurrency) * self.redone.up;
        let needs = (self.rate * self.redone.free / each).floor() + 1.0;
        let too_few = needs.is_finite() && needs > f64::from(self.consumers);
        too_few.then(|| format!("needs {needs} consumers, not {}", self.consumers))
    }

    /// `with what is done again (failures) the load is about 1.2, 33 % of it wasted`
    pub(super) fn told(&self) -> String {
        let Redone { free, up, .. } = &self.redone;
        let causes = self.redone.causes.join(" and ");
        if self.is_endless() {
            return format!("with what is done again ({causes}) some messages never end");
        }
        let offered = three_digits(self.rate * free / up);
        let wasted = 100.0 * self.redone.wasted();
        let wasted = if wasted >= 0.5 {
            format!(", {wasted:.0} % of it wasted")
        } else {
            String::new()
        };
        format!("with what is done again ({causes}) the load is about {offered}{wasted}")
    }

    /// For what is understood of the fleet.
    pub(super) fn words(&self) -> String {
        let told = self.told();
        if self.is_endless() {
            return format!("; {told}");
        }
        let utilization = self.utilization(self.redone.free);
        let needs = match self.needs() {
            Some(needs) => format!(": {needs}"),
            None if utilization >= 1.0 => ", less where what comes back has to wait".to_owned(),
            None => String::new(),
        };
        format!("; {told}, utilization {utilization:.2}{needs}")
    }
}

/// An approximation claims no more.
fn three_digits(number: f64) -> String {
    let digits = 2 - number.abs().log10().floor() as i32;
    let scale = 10_f64.powi(digits.clamp(0, 9));
    ((number * scale).round() / scale).to_string()
}

#[cfg(test)]
mod tests {
    use crate::scenario::{Color, Scenario};

    const JOBS: &str = r#"
        [run]
        stop = "1h"
        [producers.p]
        queue = "q"
        arrivals = { poisson = { rate = "10/s" } }
        [queues.q]
        delivery = { visibility_timeout = "10s" }
        [consumers.c]
        queue = "q"
        count = 60
        service = { exponential = { mean = "5s" } }
    "#;

    fn scenario(sets: &[&str]) -> Scenario {
        let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
        let scenario = Scenario::from_text("a.toml", JOBS, &sets, std::path::Path::new(""));
        scenario.unwrap_or_else(|failure| panic!("{sets:?}\n{failure}"))
    }

    fn fleet(sets: &[&str]) -> String {
        let parts = scenario(sets).understood();
        let fleet = parts.into_iter().find(|part| part.name == "consumers.c");
        fleet.expect("is there").text
    }

    fn tells(sets: &[&str], words: &str) {
        let told = fleet(sets);
        assert!(told.contains(words), "{sets:?}\n{told}");
    }

    #[test]
    fn lapsed_visibility_saturates_a_fleet_that_looks_idle() {
        // E[S ceil(S/V)] = 5 (2 q/(1 - q)^2 + 1/(1 - q)), q = e^-2: 7.59 s, 34.1 % of it wasted.
        let load = "utilization 0.83; with what is done again (lapsed visibility) the load is \
                    about 75.9, 34 % of it wasted, utilization 1.26: needs 76 consumers, not 60";
        tells(&[], load);
        // A claim lets nobody else work on it.
        let claim = "consumers.c.idempotency={ claim = { expires = \"1m\" } }";
        assert!(!fleet(&[claim]).contains("done again"));
        let warnings = scenario(&[]).render_warnings(Color::Never);
        let never = "never drains: 10/s offered, at most 7.9";
        assert!(warnings.contains(never), "{warnings}");
        assert!(
            warnings.contains("needs 76 consumers, not 60"),
            "{warnings}"
        );
        assert!(warnings.contains("`rework = \"restart\"`"), "{warnings}");
    }

    #[test]
    fn two_handlers_keep_what_comes_back_waiting() {
        // It comes back to one of two handlers, who has 2.5 s to go on the average.
        let sets = [
            "consumers.c.count=2",
            "producers.p.arrivals.poisson.rate=0.28/s",
        ];
        tells(
            &sets,
            "utilization 1.06, less where what comes back has to wait",
        );
        assert!(
            !scenario(&sets)
                .render_warnings(Color::Never)
                .contains("never drains")
        );
    }

    #[test]
    fn failures_and_crashes_are_load_too() {
        let plain = "queues.q.delivery={}";
        // 1/(1 - 1/4) attempts each.
        tells(
            &[plain, "consumers.c.fails=25%"],
            "(failures) the load is about 66.7, 25 % of it wasted, utilization 1.11: needs 67",
        );
        let lost = [plain, "consumers.c.ack_loss=50%"];
        tells(
            &lost,
            "(lost acknowledgements) the load is about 100, 50 % of it wasted",
        );
        // Work of 5 s that begins again after crashes 10 s apart: 10 (e^0.5 - 1) = 6.487 s, by
        // consumers that are up half of the time.
        let crash = "consumers.c.crash={ mtbf = \"10s\", restart = \"10s\" }";
        let sets = [plain, crash, "consumers.c.service=5s"];
        tells(
            &sets,
            "(crashes) the load is about 130, 23 % of it wasted, utilization 2.16",
        );
    }

    #[test]
    fn defaults_that_decide_are_told() {
        let rework = "the same service time each delivery (`rework`)";
        tells(&[], rework);
        assert!(!fleet(&["consumers.c.service=5s"]).contains(rework));
        let crash = "consumers.c.crash={ mtbf = \"1h\" }";
        let end = "acts at the very end of the work, so that what a crash cuts off has had no \
                   effect yet (`effect_at = \"50%\"` has some repeated)";
        let lapse = "; a lapsed visibility repeats it all the same";
        tells(&[crash], &format!("{end}{lapse}"));
        let plain = fleet(&[crash, "queues.q.delivery={}"]);
        assert!(plain.contains(end) && !plain.contains(lapse), "{plain}");
        assert!(!fleet(&[]).contains(end));
        tells(
            &[crash, "consumers.c.effect_at=50%"],
            "acts at 50% of the work",
        );
    }

    #[test]
    fn poison_without_a_limit_never_ends() {
        let endless = "with what is done again (failures) some messages never end";
        let poison = ["queues.q.delivery={}", "producers.p.poison=1%"];
        tells(&poison, endless);
        let limited = [poison[0], poison[1], "queues.q.delivery.max_receives=3"];
        // 1.02 attempts each.
        tells(&limited, "the load is about 51,");
    }
}
