//! What is known of messages and their effects on the world outside, shared by all deliveries of
//! each (rules G1, G2).
//!
//! Not the deliveries themselves: several may be under way at once, and each calls here as it gets
//! to that point.

use std::collections::BTreeMap;

use super::Idempotency;
use crate::units::SimTime;

/// What is known of each message that somebody still holds, by its identity.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    known: BTreeMap<u64, Known>,
}

/// What is known of one message. Most are accepted by one queue only, which takes no allocation.
#[derive(Clone, Debug, Default)]
struct Known {
    holds: u32,
    first: Option<(u32, Trace)>,
    others: Vec<(u32, Trace)>,
}

/// What has become of a message in one queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// How often it has acted on the world outside: 0 is a lost effect, more than 1 a duplicate.
    pub effects: u32,
    /// How often work on it has succeeded.
    pub successes: u32,
    key: Key,
}

/// How the key stands by which duplicates are recognized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Key {
    /// Nobody has written it.
    #[default]
    Free,
    /// Somebody has reserved it, and may or may not have acted.
    Reserved,
    /// Somebody claimed it at this instant.
    Claimed(SimTime),
    /// Somebody has acted.
    Done,
}

/// Whether an attempt at a message acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// It does.
    Act,
    /// It does not: the message is taken for a duplicate.
    Skip,
    /// Not now: another attempt has claimed the key.
    Busy {
        /// When that claim is stale.
        until: SimTime,
    },
}

/// Whether a success is the first of its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nth {
    /// It is.
    First,
    /// There was one before.
    Again,
}

impl Effects {
    /// Nothing is known of any message.
    pub fn new() -> Self {
        Self::default()
    }

    /// Somebody more holds a message of this identity: a queue, a delivery, work under way.
    pub fn hold(&mut self, identity: u64) {
        self.known.entry(identity).or_default().holds += 1;
    }

    /// One of those who hold it does no longer. After the last one its traces are handed out, in
    /// the order of their first touch, and forgotten; before, there are none.
    ///
    /// # Panics
    /// When nobody holds it: that is a bug of the caller.
    pub fn release(&mut self, identity: u64) -> impl Iterator<Item = (u32, Trace)> + use<> {
        let known = self.held(identity);
        known.holds -= 1;
        let gone = if known.holds == 0 {
            self.known.remove(&identity).unwrap_or_default()
        } else {
            Known::default()
        };
        gone.first.into_iter().chain(gone.others)
    }

    /// A queue has accepted a message of this identity: from now on it has a trace there.
    ///
    /// # Panics
    /// When nobody holds it: that is a bug of the caller.
    pub fn touch(&mut self, identity: u64, queue: u32) {
        let known = self.held(identity);
        if known.trace(queue).is_some() {
            return;
        }
        let trace = (queue, Trace::default());
        match &known.first {
            None => known.first = Some(trace),
            Some(_) => known.others.push(trace),
        }
    }

    /// An attempt begins, and looks at the key.
    ///
    /// # Panics
    /// When the queue has not accepted it, as in all that follow: that is a bug of the caller.
    pub fn begin(&mut self, identity: u64, queue: u32, now: SimTime, how: Idempotency) -> Start {
        let key = &mut self.trace(identity, queue).key;
        match how {
            Idempotency::None => Start::Act,
            Idempotency::CheckThenInsert => match *key {
                Key::Free | Key::Reserved | Key::Claimed(_) => Start::Act,
                Key::Done => Start::Skip,
            },
            Idempotency::UniqueKey => match *key {
                Key::Free => {
                    *key = Key::Reserved;
                    Start::Act
                }
                Key::Reserved | Key::Claimed(_) | Key::Done => Start::Skip,
            },
            Idempotency::Claim { expires } => match *key {
                Key::Claimed(at) if now < at.saturating_add(expires) => Start::Busy {
                    until: at.saturating_add(expires),
                },
                Key::Free | Key::Reserved | Key::Claimed(_) => {
                    *key = Key::Claimed(now);
                    Start::Act
                }
                Key::Done => Start::Skip,
            },
        }
    }

    /// An attempt acts on the world outside; returns how many have by now, from 1.
    pub fn act(&mut self, identity: u64, queue: u32) -> u32 {
        let trace = self.trace(identity, queue);
        trace.effects += 1;
        trace.effects
    }

    /// An attempt that has acted writes its key, or completes it.
    pub fn done(&mut self, identity: u64, queue: u32) {
        self.trace(identity, queue).key = Key::Done;
    }

    /// An attempt has failed in an orderly way, and takes its reservation or claim back. A crash
    /// does not get to this.
    ///
    /// Nothing says whose claim it is: one that was taken over meanwhile is taken back too.
    pub fn give_up(&mut self, identity: u64, queue: u32) {
        let key = &mut self.trace(identity, queue).key;
        *key = match *key {
            Key::Free | Key::Reserved | Key::Claimed(_) => Key::Free,
            Key::Done => Key::Done,
        };
    }

    /// Work on it has succeeded.
    pub fn succeed(&mut self, identity: u64, queue: u32) -> Nth {
        let trace = self.trace(identity, queue);
        trace.successes += 1;
        if trace.successes == 1 {
            Nth::First
        } else {
            Nth::Again
        }
    }

    /// Whether work on it has succeeded, as far as it is known.
    pub fn has_succeeded(&self, identity: u64, queue: u32) -> bool {
        let known = self.known.get(&identity);
        let mut traces = known
            .into_iter()
            .flat_map(|known| known.first.iter().chain(&known.others));
        traces.any(|(of, trace)| *of == queue && trace.successes > 0)
    }

    fn trace(&mut self, identity: u64, queue: u32) -> &mut Trace {
        let trace = self.held(identity).trace(queue);
        trace.expect("a message is touched before it is worked on")
    }

    fn held(&mut self, identity: u64) -> &mut Known {
        let known = self.known.get_mut(&identity);
        known.expect("a message is held while it is known")
    }
}

impl Known {
    fn trace(&mut self, queue: u32) -> Option<&mut Trace> {
        let mut all = self.first.iter_mut().chain(&mut self.others);
        all.find(|(of, _)| *of == queue).map(|(_, trace)| trace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::SimDuration;

    const ID: u64 = 41;
    const QUEUE: u32 = 2;
    const CLAIM: Idempotency = Idempotency::Claim {
        expires: SimDuration::from_secs(10),
    };

    fn seconds(seconds: u64) -> SimTime {
        SimTime::ZERO + SimDuration::from_secs(seconds)
    }

    /// One message, held and accepted by one queue.
    fn one() -> Effects {
        let mut effects = Effects::new();
        effects.hold(ID);
        effects.touch(ID, QUEUE);
        effects
    }

    /// What the only queue saw, when the message is let go.
    fn acted(mut effects: Effects) -> u32 {
        let traces: Vec<_> = effects.release(ID).collect();
        assert_eq!(traces.len(), 1);
        assert_eq!(traces[0].0, QUEUE);
        traces[0].1.effects
    }

    fn begin(effects: &mut Effects, at: u64, how: Idempotency) -> Start {
        effects.begin(ID, QUEUE, seconds(at), how)
    }

    fn finish(effects: &mut Effects) {
        effects.act(ID, QUEUE);
        effects.done(ID, QUEUE);
    }

    #[test]
    fn without_idempotency_every_attempt_acts() {
        let mut effects = one();
        for nth in 1..=3 {
            assert_eq!(begin(&mut effects, 0, Idempotency::None), Start::Act);
            assert_eq!(effects.act(ID, QUEUE), nth);
            effects.done(ID, QUEUE);
        }
        assert_eq!(acted(effects), 3);
    }

    #[test]
    fn check_then_insert_acts_twice_when_two_overlap() {
        let how = Idempotency::CheckThenInsert;
        let mut effects = one();
        assert_eq!(begin(&mut effects, 0, how), Start::Act);
        assert_eq!(begin(&mut effects, 1, how), Start::Act);
        finish(&mut effects);
        finish(&mut effects);
        assert_eq!(acted(effects), 2);
    }

    #[test]
    fn check_then_insert_acts_once_when_one_follows_the_other() {
        let how = Idempotency::CheckThenInsert;
        let mut effects = one();
        assert_eq!(begin(&mut effects, 0, how), Start::Act);
        finish(&mut effects);
        assert_eq!(begin(&mut effects, 1, how), Start::Skip);
        assert_eq!(acted(effects), 1);
    }

    #[test]
    fn a_unique_key_acts_once_even_when_two_overlap() {
        let how = Idempotency::UniqueKey;
        let mut effects = one();
        assert_eq!(begin(&mut effects, 0, how), Start::Act);
        assert_eq!(begin(&mut effects, 1, how), Start::Skip);
        finish(&mut effects);
        assert_eq!(begin(&mut effects, 2, how), Start::Skip);
        assert_eq!(acted(effects), 1);
    }

    #[test]
    fn a_crash_after_the_reservation_leaves_the_work_undone() {
        let mut effects = one();
        assert_eq!(begin(&mut effects, 0, Idempotency::UniqueKey), Start::Act);
        // It crashes before it acts; the message is delivered again.
        assert_eq!(begin(&mut effects, 9, Idempotency::UniqueKey), Start::Skip);
        assert_eq!(acted(effects), 0);
    }

    #[test]
    fn a_stale_claim_is_taken_over_after_a_crash() {
        let mut effects = one();
        assert_eq!(begin(&mut effects, 0, CLAIM), Start::Act);
        // It crashes before it acts; the message is delivered again.
        let until = seconds(10);
        assert_eq!(begin(&mut effects, 9, CLAIM), Start::Busy { until });
        assert_eq!(begin(&mut effects, 10, CLAIM), Start::Act);
        let until = seconds(20);
        assert_eq!(begin(&mut effects, 11, CLAIM), Start::Busy { until });
        finish(&mut effects);
        assert_eq!(begin(&mut effects, 30, CLAIM), Start::Skip);
        assert_eq!(acted(effects), 1);
    }

    #[test]
    fn a_takeover_while_the_first_still_works_acts_twice() {
        let mut effects = one();
        assert_eq!(begin(&mut effects, 0, CLAIM), Start::Act);
        assert_eq!(begin(&mut effects, 10, CLAIM), Start::Act);
        finish(&mut effects);
        finish(&mut effects);
        assert_eq!(acted(effects), 2);
    }

    #[test]
    fn an_orderly_failure_frees_the_key_unless_it_is_done() {
        for how in [Idempotency::UniqueKey, CLAIM] {
            let mut effects = one();
            assert_eq!(begin(&mut effects, 0, how), Start::Act);
            effects.give_up(ID, QUEUE);
            assert_eq!(begin(&mut effects, 1, how), Start::Act, "{how:?}");
            finish(&mut effects);
            effects.give_up(ID, QUEUE);
            assert_eq!(begin(&mut effects, 2, how), Start::Skip, "{how:?}");
        }
    }

    #[test]
    fn the_last_to_let_go_learns_what_each_queue_saw() {
        let mut effects = one();
        effects.hold(ID);
        effects.touch(ID, 7);
        effects.touch(ID, QUEUE);
        finish(&mut effects);
        assert_eq!(effects.succeed(ID, QUEUE), Nth::First);
        assert_eq!(effects.succeed(ID, QUEUE), Nth::Again);
        assert_eq!(effects.release(ID).count(), 0);
        let traces: Vec<_> = effects.release(ID).collect();
        let done = Trace {
            effects: 1,
            successes: 2,
            key: Key::Done,
        };
        assert_eq!(traces, [(QUEUE, done), (7, Trace::default())]);
        assert!(effects.known.is_empty());
    }

    #[test]
    fn a_key_is_of_its_queue_and_message() {
        let mut effects = one();
        effects.touch(ID, 7);
        effects.hold(42);
        effects.touch(42, QUEUE);
        let how = Idempotency::UniqueKey;
        for (identity, queue) in [(ID, QUEUE), (ID, 7), (42, QUEUE)] {
            let start = effects.begin(identity, queue, SimTime::ZERO, how);
            assert_eq!(start, Start::Act, "{identity} of {queue}");
        }
    }
}
