//! What a simulation takes for granted and a reader may not: a sentence each.
//!
//! Not the rules in full: those are in the manual's semantics. Not the assumptions that make
//! readings differ: each of those is named beside the numbers.

use super::Report;
use super::page::Block;
use super::timeline::Clock;
use crate::units::SimTime;

/// Of every run.
pub(super) const ALWAYS: [&str; 4] = [
    "The broker and the network take no time of their own, except where the scenario gives them \
     one: a message that is accepted can be delivered in the same instant.",
    "A free handler takes the next message at once, and a service time does not depend on how \
     much waits.",
    "Gaps between arrivals, service times and all other draws are independent of each other, each \
     from a stream of random numbers of its own.",
    "Times (wait, sojourn, block time) are of what has got so far: what is unfinished at the end \
     stands in the ledger, and in no time.",
];

impl Report<'_> {
    pub(super) fn assumption_blocks(&self) -> Vec<Block> {
        let mut lines: Vec<String> = ALWAYS.map(str::to_owned).into();
        let from = self.shown().measured_from;
        lines.push(if from > SimTime::ZERO {
            let from = Clock::reaching(self.shown().ended.at).show(from);
            format!("What happened before {from} is warm-up, and in no number.")
        } else {
            "Everything from the first instant on is measured: there is no warm-up.".to_owned()
        });
        vec![Block::List(lines)]
    }
}
