//! A swarm of random models: whatever a model says, nothing is lost or invented, nobody stands
//! idle while messages wait, and the same run is the same history (rules A3, A4, B1 to B3).
//!
//! Not whether the numbers are right: only what must hold of all of them.

mod calls;
mod draw;
pub(crate) mod leases;
mod promises;
mod tape;

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use queuecast::model::{Counts, InFlight, Model, OnLimit, Overflow, Stop};
use queuecast::outcome::{Moment, RunRecord, Subject, Why};
use queuecast::policy::admission::Admission;
use queuecast::sim::{Detail, Fact, Levels, Recorder, measure, simulate};
use queuecast::units::{SimDuration, SimTime};

/// How many models; `QUEUECAST_SWARM=1000000` tries so many others, from a seed of their own.
const MODELS: u32 = 15_000;
const LEASED_MODELS: u32 = 8_000;
const CALLING_MODELS: u32 = 8_000;
const WORDS: usize = 160;
const WORDS_OF_LEASES: usize = 200;
const WORDS_OF_CALLS: usize = 160;
/// More events than any of these models can have in its four seconds.
const MOST_EVENTS: u64 = 2_000_000;

/// Looks at the levels now and then, at the end of an instant, when all that is due has happened.
struct Watch<'m> {
    model: &'m Model,
    every: SimDuration,
}

impl Recorder for Watch<'_> {
    fn observe(&mut self, _now: SimTime, _fact: &Fact) {}

    fn next_sample(&self, now: SimTime) -> Option<SimTime> {
        Some(now + self.every)
    }

    fn sample(&mut self, now: SimTime, levels: &Levels) {
        let crashes =
            |outage: &queuecast::model::Outage| matches!(outage.in_flight, InFlight::Crash(_));
        for (id, queue) in self.model.queues.pairs() {
            let seen = &levels.queues[id];
            let idle = self.model.fleets.pairs().any(|(fleet, config)| {
                let (busy, up) = levels.fleets[fleet];
                config.queue == id && busy < up
            });
            assert!(
                seen.depth == 0 || !idle,
                "{now}: {} wait, and a handler is idle",
                seen.depth
            );
            assert!(
                seen.depth > 0 || seen.lag.is_zero(),
                "{now}: nobody waits, for {:?}",
                seen.lag
            );
            if !self.model.outages.iter().any(crashes) {
                assert!(seen.depth <= queue.capacity, "{now}: {} wait", seen.depth);
            }
            let patient = matches!(queue.admission, Admission::WakeUp(_));
            let breaks = queue
                .memory
                .is_some_and(|m| matches!(m.on_limit, OnLimit::Crash { .. }));
            if queue.counts == Counts::Waiting && queue.capacity > 0 && !patient && !breaks {
                let full = queue.overflow == Overflow::Refuse && seen.depth >= queue.capacity;
                let heavy = queue.memory.is_some_and(|m| seen.memory >= m.limit.0);
                assert!(
                    seen.blocked == 0 || full || heavy,
                    "{now}: blocked though there is room"
                );
            }
        }
    }
}

/// Rule B1, from the outside.
fn check_ledgers(model: &Model, record: &RunRecord) {
    for ledger in &record.queue_ledgers {
        let f = &ledger.flows;
        let ended = f.completed + f.dropped + f.expired + f.lost + f.deduplicated;
        let moved = f.dead_lettered + f.redriven;
        assert_eq!(
            f.accepted + f.dead_letters + f.redriven_in,
            ledger.waiting + ledger.delayed + ledger.in_flight + ended + moved,
            "{ledger:?}"
        );
        assert!(f.completed + f.redelivered <= f.delivered, "{ledger:?}");
        assert!(f.duplicate_effects <= f.effects, "{ledger:?}");
    }
    for ledger in &record.publisher_ledgers {
        let f = &ledger.flows;
        let ended = f.accepted + f.rejected + f.timed_out + f.abandoned;
        assert_eq!(
            f.offered,
            ended + ledger.blocked + ledger.postponed + ledger.in_flight,
            "{ledger:?}"
        );
    }
    let sum = |ledgers: &mut dyn Iterator<Item = &queuecast::outcome::Ledger>| {
        ledgers
            .map(|l| (l.flows.offered, l.flows.accepted, l.blocked))
            .fold((0, 0, 0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2))
    };
    let (queues, publishers) = (&record.queue_ledgers, &record.publisher_ledgers);
    // What producers call for themselves comes to no queue.
    let inline = model.producers.iter().map(|it| it.calls.is_some());
    let publishing = publishers.iter().zip(inline);
    let mut publishing = publishing.filter_map(|(it, inline)| (!inline).then_some(it));
    assert_eq!(
        sum(&mut queues.iter()),
        sum(&mut publishing),
        "who publishes, and where"
    );
    for fleet in &model.fleets {
        if let Some(publishes) = fleet.publishes {
            let each = u64::from(publishes.copies)
                * model.producers[publishes.producer].queues.len() as u64;
            let flows = &record.publisher_ledgers[publishes.producer].flows;
            // Each lost confirm is published again, sooner or later.
            let offered = flows.offered;
            let once = flows.confirms_lost == 0;
            let whole = !once || offered.is_multiple_of(each);
            assert!(whole || record.ended.why == Why::MessageLimit);
        }
    }
}

/// Dead letters that nobody takes: they are at their end.
fn resting(model: &Model, record: &RunRecord) -> u64 {
    let rests = |id| {
        let fed = |queue: &queuecast::model::Queue| {
            queue
                .delivery
                .dead_letter
                .is_some_and(|dead| dead.queue == id)
        };
        model.queues.iter().any(fed) && !model.fleets.iter().any(|fleet| fleet.queue == id)
    };
    let ledgers = record.queue_ledgers.pairs().filter(|(id, _)| rests(*id));
    ledgers.map(|(_, ledger)| ledger.waiting).sum()
}

/// The run ended for the reason that it gives.
fn check_end(model: &Model, record: &RunRecord) {
    let plan = &model.plan;
    let sum = |of: fn(&queuecast::outcome::Ledger) -> u64| {
        record.queue_ledgers.iter().map(of).sum::<u64>()
    };
    let waiting = sum(|l| l.waiting);
    let unsettled = waiting - resting(model, record);
    let in_flight = sum(|l| l.in_flight);
    let delayed = sum(|l| l.delayed);
    let publishing = sum(|l| l.blocked + l.postponed) + delayed;
    // A publish that waits for its confirm is in nobody's ledger: it has been accepted.
    let confirms = model
        .producers
        .iter()
        .all(|p| p.stamp.confirm_loss.is_none());
    let at = record.ended.at;
    assert!(at <= plan.horizon, "{:?}", record.ended);
    match record.ended.why {
        Why::Duration => assert_eq!(plan.stop, Stop::At(at)),
        Why::Horizon => assert_eq!(at, plan.horizon),
        Why::MessageLimit => {
            let calls = !model.callers.is_empty();
            assert!(!confirms || calls || waiting + in_flight + publishing > plan.most_alive);
        }
        Why::EventLimit => unreachable!("the drawn plans have no such limit"),
        Why::Settled => assert_eq!(
            (plan.stop, unsettled + in_flight + publishing),
            (Stop::Settled, 0)
        ),
        Why::Drained => {
            assert_eq!(
                (plan.stop, unsettled, sum(|l| l.blocked)),
                (Stop::Drained, 0, 0)
            );
            assert!(
                model.calm_from().is_some_and(|calm| calm <= at),
                "{:?}",
                record.ended
            );
        }
    }
}

fn check_levels(record: &RunRecord) {
    for queue in &record.queues {
        for level in [
            queue.depth,
            queue.in_flight,
            queue.lag,
            queue.blocked,
            queue.memory,
        ] {
            assert!(level.mean >= 0.0 && level.end >= 0.0, "{level:?}");
            // A mean is an area over a time, and may be off by its rounding.
            assert!(level.mean <= level.max * (1.0 + 1e-12), "{level:?}");
            assert!(level.end <= level.max, "{level:?}");
        }
        for times in [
            queue.wait,
            queue.sojourn,
            queue.publish_latency,
            queue.block_time,
        ] {
            let ordered = [
                times.p50, times.p90, times.p95, times.p99, times.p999, times.max,
            ];
            assert!(ordered.is_sorted(), "{times:?}");
        }
    }
    for fleet in &record.fleets {
        let share = fleet.utilization.unwrap_or(0.0);
        assert!((0.0..=1.0 + 1e-12).contains(&share), "{fleet:?}");
    }
}

/// What the whole swarm did: a swarm that never blocks anybody says nothing about blocking.
#[derive(Debug, Default)]
struct Reach {
    events: u64,
    /// By [`Why`]: drained, settled, duration, horizon, too many messages.
    ends: [u64; 5],
    /// Rejected, timed out, abandoned, ever blocked, dropped, expired, lost, redelivered.
    flows: [u64; 8],
    crashed: u64,
    alerts: u64,
    leased: promises::Reach,
    calls: calls::Reach,
}

impl Reach {
    fn add(&mut self, record: &RunRecord) {
        self.events += record.events;
        self.ends[record.ended.why as usize] += 1;
        for queue in &record.queue_ledgers {
            let f = &queue.flows;
            let seen = [
                f.rejected,
                f.timed_out,
                f.abandoned,
                f.blocked_ever,
                f.dropped,
                f.expired,
                f.lost,
                f.redelivered,
            ];
            self.flows
                .iter_mut()
                .zip(seen)
                .for_each(|(sum, more)| *sum += more);
        }
        self.crashed += record.fleets.iter().map(|fleet| fleet.crashed).sum::<u64>();
        let alert = |moment: &&Moment| matches!(moment.subject, Subject::Alert(_));
        self.alerts += record.timeline.iter().filter(alert).count() as u64;
    }

    fn least(&self) -> u64 {
        let least = |counts: &[u64]| counts.iter().copied().min().unwrap_or(0);
        let others = self.events.min(self.crashed).min(self.alerts);
        least(&self.ends).min(least(&self.flows)).min(others)
    }
}

/// How a drawn model delivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deliveries {
    Plain,
    Leased,
    /// Some handlers, and some producers, call dependencies.
    Calling,
}

/// The model that these words tell, the second half its deliveries.
fn drawn(words: &[u32], deliveries: Deliveries) -> Model {
    let (first, second) = words.split_at(words.len().min(WORDS));
    let mut model = draw::model(first);
    match deliveries {
        Deliveries::Plain => {}
        Deliveries::Leased => leases::lay_over(&mut model, second),
        Deliveries::Calling => {
            let (leases, calls) = second.split_at(second.len().min(WORDS_OF_LEASES));
            // Half of them on plain queues.
            if calls.first().is_some_and(|word| word % 2 == 1) {
                leases::lay_over(&mut model, leases);
            }
            calls::lay_over(&mut model, calls.get(1..).unwrap_or_default());
        }
    }
    model
}

fn check(words: &[u32], deliveries: Deliveries, reach: &mut Reach) {
    let model = drawn(words, deliveries);
    let quiet = |_| {};
    let record = measure(&model, 0, Detail::Measures, &quiet);
    assert!(record.events < MOST_EVENTS, "{} events", record.events);
    check_ledgers(&model, &record);
    check_end(&model, &record);
    check_levels(&record);
    let again = measure(&model, 0, Detail::Measures, &quiet);
    assert_eq!(format!("{record:?}"), format!("{again:?}"), "run again");
    let series = measure(&model, 0, Detail::Series, &quiet);
    assert_eq!(
        (record.digest, record.ended),
        (series.digest, series.ended),
        "with a series"
    );
    let ((), ended, digest) = simulate(&model, 0, ());
    assert_eq!(
        (record.digest, record.ended),
        (digest, ended),
        "without a recorder"
    );
    reach.add(&record);
    if deliveries == Deliveries::Calling {
        calls::check(&model, &record);
        return reach.calls.add(&record);
    }
    let every = SimDuration::from_millis(10);
    if deliveries == Deliveries::Leased {
        let tally = promises::Tally {
            model: &model,
            every,
            crashed: BTreeMap::new(),
            delayed: 0,
            waiting: BTreeMap::new(),
            overshot: 0,
        };
        let (tally, ..) = simulate(&model, 0, tally);
        promises::check(&tally, &record, &mut reach.leased.tried);
        return reach.leased.add(&record, &tally);
    }
    simulate(
        &model,
        0,
        Watch {
            model: &model,
            every,
        },
    );
}

/// Tries so many models; `QUEUECAST_SWARM` asks for others.
fn swarm(models: u32, deliveries: Deliveries) -> (bool, Reach) {
    let asked = std::env::var("QUEUECAST_SWARM").ok();
    let asked = asked.map(|asked| asked.parse::<u32>().expect("a number of models"));
    let mut seed = [11; 32];
    seed[..4].copy_from_slice(&asked.unwrap_or(0).to_le_bytes());
    let config = ProptestConfig {
        cases: asked.unwrap_or(models),
        failure_persistence: None,
        max_shrink_iters: 500,
        ..ProptestConfig::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let reach = std::cell::RefCell::new(Reach::default());
    let words = match deliveries {
        Deliveries::Plain => WORDS,
        Deliveries::Leased => WORDS + WORDS_OF_LEASES,
        Deliveries::Calling => WORDS + WORDS_OF_LEASES + WORDS_OF_CALLS,
    };
    let result =
        TestRunner::new_with_rng(config, rng).run(&prop::collection::vec(any::<u32>(), words), {
            |words| {
                check(&words, deliveries, &mut reach.borrow_mut());
                Ok(())
            }
        });
    if let Err(proptest::test_runner::TestError::Fail(why, words)) = &result {
        panic!("{why}\n{:#?}", drawn(words, deliveries));
    }
    result.expect("every model was tried");
    (asked.is_some(), reach.into_inner())
}

#[test]
fn nothing_is_lost_or_invented_in_any_model() {
    let (asked, reach) = swarm(MODELS, Deliveries::Plain);
    assert!(asked || reach.least() >= 100, "{reach:?}");
}

#[test]
fn nothing_is_lost_or_invented_whoever_is_called() {
    let (asked, reach) = swarm(CALLING_MODELS, Deliveries::Calling);
    assert!(asked || reach.calls.least() >= 100, "{:?}", reach.calls);
}

#[test]
fn nothing_is_lost_or_invented_however_messages_come_back() {
    let (asked, reach) = swarm(LEASED_MODELS, Deliveries::Leased);
    assert!(asked || reach.leased.least() >= 100, "{:?}", reach.leased);
}
