//! The ledger of a run as it is shown: where the publishes and the messages of each component are
//! at the end.
//!
//! Not the check that it balances, which every run makes (rule B2).

use crate::model::{Model, Producer};
use crate::outcome::{CallerLedger, Ledger, RunRecord, StationLedger};

/// Where the publishes or messages of a component are at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Account {
    /// Its full name: `queues.orders`.
    pub(super) component: String,
    /// What came in, and how many: `("accepted", 100_000)`.
    pub(super) came: Vec<(&'static str, u64)>,
    /// Where they are: these sum to the same.
    pub(super) are: Vec<(&'static str, u64)>,
}

impl Account {
    /// All entries, what came in first.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.came.iter().chain(&self.are).copied()
    }
}

/// The accounts of a run: publishers, then queues, in the order of the model.
pub(super) fn accounts(model: &Model, run: &RunRecord) -> Vec<Account> {
    let publishers = model.producers.iter().zip(run.publisher_ledgers.iter());
    let publishers = publishers.map(|(producer, ledger)| publishes(producer, ledger));
    let queues = model.queues.iter().zip(run.queue_ledgers.iter());
    let queues = queues.map(|(queue, ledger)| messages(queue.name.clone(), ledger));
    let dependencies = model.dependencies.iter();
    let dependencies = dependencies.zip(run.dependency_ledgers.iter());
    let dependencies = dependencies.map(|(it, ledger)| calls(it.name.clone(), ledger));
    let callers = model.callers.iter().zip(run.caller_ledgers.iter());
    let callers = callers.map(|(it, ledger)| requests(format!("{}.calls", it.name), ledger));
    let messages = publishers.chain(queues);
    messages.chain(dependencies).chain(callers).collect()
}

fn calls(component: String, ledger: &StationLedger) -> Account {
    let flows = &ledger.flows;
    Account {
        component,
        came: vec![("calls", flows.calls)],
        are: vec![
            ("answered", flows.answered),
            ("failed", flows.failed),
            ("late", flows.late),
            ("refused", flows.refused),
            ("dropped", flows.dropped),
            ("crashed", flows.crashed),
            ("waiting", ledger.waiting),
            ("in_service", ledger.serving),
        ],
    }
}

fn requests(component: String, ledger: &CallerLedger) -> Account {
    let flows = &ledger.flows;
    Account {
        component,
        came: vec![("requests", flows.requests)],
        are: vec![
            ("succeeded", flows.succeeded),
            ("timed_out", flows.timed_out),
            ("failed", flows.failed),
            ("crashed", flows.crashed),
            ("open", ledger.open),
        ],
    }
}

fn publishes(producer: &Producer, ledger: &Ledger) -> Account {
    let flows = &ledger.flows;
    let mut are = vec![
        ("accepted", flows.accepted),
        ("rejected", flows.rejected),
        ("timed_out", flows.timed_out),
        ("abandoned", flows.abandoned),
        ("blocked", ledger.blocked),
        ("to_retry", ledger.postponed),
    ];
    if producer.calls.is_some() {
        are.push(("calling", ledger.in_flight));
    }
    Account {
        component: producer.name.clone(),
        came: vec![("offered", flows.offered)],
        are,
    }
}

fn messages(component: String, ledger: &Ledger) -> Account {
    let flows = &ledger.flows;
    Account {
        component,
        came: vec![
            ("accepted", flows.accepted),
            ("dead_letters", flows.dead_letters),
            ("redriven_in", flows.redriven_in),
        ],
        are: vec![
            ("completed", flows.completed),
            ("waiting", ledger.waiting),
            ("delayed", ledger.delayed),
            ("in_flight", ledger.in_flight),
            ("dead_lettered", flows.dead_lettered),
            ("redriven", flows.redriven),
            ("deduplicated", flows.deduplicated),
            ("dropped", flows.dropped),
            ("expired", flows.expired),
            ("lost", flows.lost),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn what_came_in_is_somewhere() {
        let mut components = Vec::new();
        for (model, runs) in [fixture::outage(), fixture::leased(), fixture::calling()] {
            for account in accounts(&model, &runs[0]) {
                let sum = |them: &[(&str, u64)]| them.iter().map(|(_, many)| many).sum::<u64>();
                assert_eq!(sum(&account.came), sum(&account.are), "{account:?}");
                components.push((account.component.clone(), sum(&account.came)));
            }
        }
        let came = |name: &str, many| (name.to_owned(), many);
        let expected = [
            came("producers.checkout", 508_000),
            came("queues.orders", 500_000),
            came("producers.checkout", 1_000),
            came("producers.dlq", 0),
            came("queues.orders", 1_006),
            came("queues.dlq", 10),
            came("producers.web", 120),
            came("dependencies.mailer", 160),
            came("producers.web.calls", 120),
        ];
        assert_eq!(components, expected);
    }
}
