//! The ledger of a run as it is shown: where the publishes and the messages of each component are
//! at the end.
//!
//! Not the check that it balances, which every run makes (rule B2).

use crate::model::Model;
use crate::outcome::{Ledger, RunRecord};

/// Where the publishes or messages of a component are at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Account {
    /// Its full name: `queues.orders`.
    pub(super) component: String,
    /// What they are, and how many: `("accepted", 100_000)`. The first is the sum of the others.
    pub(super) entries: Vec<(&'static str, u64)>,
}

/// The accounts of a run: publishers, then queues, in the order of the model.
pub(super) fn accounts(model: &Model, run: &RunRecord) -> Vec<Account> {
    let publishers = model.producers.iter().zip(run.publisher_ledgers.iter());
    let publishers = publishers.map(|(producer, ledger)| Account {
        component: producer.name.clone(),
        entries: publishes(ledger).to_vec(),
    });
    let queues = model.queues.iter().zip(run.queue_ledgers.iter());
    let queues = queues.map(|(queue, ledger)| Account {
        component: queue.name.clone(),
        entries: messages(ledger).to_vec(),
    });
    publishers.chain(queues).collect()
}

fn publishes(ledger: &Ledger) -> [(&'static str, u64); 7] {
    let flows = &ledger.flows;
    [
        ("offered", flows.offered),
        ("accepted", flows.accepted),
        ("rejected", flows.rejected),
        ("timed_out", flows.timed_out),
        ("abandoned", flows.abandoned),
        ("blocked", ledger.blocked),
        ("to_retry", ledger.postponed),
    ]
}

fn messages(ledger: &Ledger) -> [(&'static str, u64); 7] {
    let flows = &ledger.flows;
    [
        ("accepted", flows.accepted),
        ("completed", flows.completed),
        ("waiting", ledger.waiting),
        ("in_flight", ledger.in_flight),
        ("dropped", flows.dropped),
        ("expired", flows.expired),
        ("lost", flows.lost),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn what_came_in_is_somewhere() {
        let (model, runs) = fixture::outage();
        let accounts = accounts(&model, &runs[0]);
        let names: Vec<_> = accounts.iter().map(|it| it.component.as_str()).collect();
        assert_eq!(names, ["producers.checkout", "queues.orders"]);
        for account in accounts {
            let (came_in, is_now) = account.entries.split_first().expect("entries");
            assert!(came_in.1 > 0, "{account:?}");
            let sum: u64 = is_now.iter().map(|(_, many)| many).sum();
            assert_eq!(came_in.1, sum, "{account:?}");
        }
    }
}
