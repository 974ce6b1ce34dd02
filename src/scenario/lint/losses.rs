//! Warnings about crashes that lose messages, or leave work undone.
//!
//! Not how many they are: that takes a run.

use crate::input::{Problem, Problems};
use crate::model::{Ack, Fleet, FleetId, Id, InFlight, Model};
use crate::policy::idempotency::Idempotency;
use crate::scenario::names::Names;

/// Files the warnings of losses.
pub(super) fn check(model: &Model, names: &Names<'_>, problems: &mut Problems) {
    for (id, fleet) in model.fleets.pairs() {
        if crashes(id, fleet, model) {
            lost(id, fleet, names, problems);
            undone(id, fleet, names, problems);
        }
    }
}

/// Whether consumers of a fleet crash, by themselves or in an outage.
fn crashes(id: FleetId, fleet: &Fleet, model: &Model) -> bool {
    let outage = model
        .outages
        .iter()
        .any(|outage| outage.fleet == id && matches!(outage.in_flight, InFlight::Crash(_)));
    outage || fleet.handling.crash.is_some()
}

/// Messages that are acknowledged before the work that a crash takes away.
fn lost(id: FleetId, fleet: &Fleet, names: &Names<'_>, problems: &mut Problems) {
    if fleet.handling.ack == Ack::After {
        return;
    }
    let batch = fleet.handling.batch.map_or(1, |batch| batch.size);
    let most = u64::from(fleet.concurrency) * u64::from(batch);
    let title = format!("each crash of `{}` loses the messages at work", fleet.name);
    let label = format!("acknowledged already: up to {most} a consumer");
    let place = names.consumers.place(id.index(), &["ack"]);
    let problem = Problem::warning(title, place, label);
    problems.file(problem.help("write `ack = \"after\"`, and make the work idempotent"));
}

/// Keys that are taken when the work has not been done.
fn undone(id: FleetId, fleet: &Fleet, names: &Names<'_>, problems: &mut Problems) {
    if fleet.handling.idempotency != Idempotency::UniqueKey {
        return;
    }
    let at = fleet.handling.effect_at;
    let title = format!("a crash of `{}` can leave work undone for ever", fleet.name);
    let label = format!("the key is taken at the start, the effect comes at {at} of the work");
    let place = names.consumers.place(id.index(), &["idempotency"]);
    let problem = Problem::warning(title, place, label);
    problems
        .file(problem.help("claim for a while: `idempotency = { claim = { expires = \"1m\" } }`"));
}

#[cfg(test)]
mod tests {
    use super::super::testing::{fires, quiet};

    const CRASH: &str = "consumers.c.crash={ mtbf = \"1h\" }";
    const OUTAGE: &str = "outages.0.in_flight=crash";

    #[test]
    fn work_in_hand_comes_back() {
        let before = ["consumers.c.ack=before", "consumers.c.concurrency=4"];
        let title = "each crash of `consumers.c` loses the messages at work";
        for crash in [CRASH, OUTAGE] {
            fires(&[before[0], before[1], crash], title, "up to 4 a consumer");
            quiet(&[crash]);
        }
        quiet(&before);
    }

    #[test]
    fn a_key_is_given_back() {
        let unique = "consumers.c.idempotency=unique_key";
        fires(
            &[unique, CRASH],
            "can leave work undone for ever",
            "the key is taken",
        );
        quiet(&[unique]);
        quiet(&[
            "consumers.c.idempotency={ claim = { expires = \"1m\" } }",
            CRASH,
        ]);
    }
}
