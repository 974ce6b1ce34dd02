//! Visibility timeouts against the reference table, by simulation (rule D4): how often a message
//! is delivered, how often it is a dead letter, and how much work it makes, when late
//! acknowledgements are honoured (A) and when they are refused (B). Source: independent
//! calculations handed to the project.
//!
//! Not the formula of the same table, which `formula` compares.
//!
//! Each row is simulated with ten replications of its own seed, 20,000 messages in all; the mean of
//! the replications against the exact value is Student's t, told as the normal z that is as
//! unlikely. Seeds are fixed, so that the outcome is too: the probabilities below are those with
//! which a right simulator had failed when the seeds were chosen.

use std::collections::BTreeMap;

use super::visibility::visible_after;
use crate::theory::most_misses;
use crate::theory::normal_deviation;
use crate::theory::tables::{Case, cases, exponential, law};
use queuecast::experiment::replicate::replicate;
use queuecast::model::{
    Counted, DeadLetter, Id, LateAck, Model, Origin, Queue, QueueId, Rework, Stop,
};
use queuecast::outcome::RunRecord;
use queuecast::policy::arrival::{Arrivals, Constant};
use queuecast::random::Seed;
use queuecast::random::law::{DurationLaw, Pareto};
use queuecast::sim::Detail;
use queuecast::units::{Rate, SimDuration};
use rayon::prelude::*;

const REPLICATIONS: u32 = 10;
const MESSAGES: u64 = 2_000;
/// Fewer expected occurrences are too few for a normal law of their number.
const ENOUGH: f64 = 200.0;

/// The law of a row, and whether the mean of 2,000 of its draws is nearly normal.
fn service(case: &Case) -> (DurationLaw, bool) {
    let text = &case.params["service"];
    let inner = |name: &str| text.strip_prefix(name)?.strip_suffix(')');
    if let Some(mean) = inner("exp(mean=") {
        return (exponential(mean.parse().unwrap()), true);
    }
    if let Some(mean) = inner("det(mean=") {
        let mean = SimDuration::from_secs_rounded(mean.parse().unwrap());
        return (DurationLaw::constant(mean), true);
    }
    if inner("pareto(").is_some() {
        assert_eq!(text, "pareto(mean=10,alpha=2.5)");
        // Its mean is scale α / (α - 1).
        let law = Pareto::new(2.5, 6.0).unwrap();
        return (DurationLaw::new(law.into()), false);
    }
    if text == "lognormal(mean=20,scv=10)" {
        let law = queuecast::random::law::Lognormal::from_mean_cv(20.0, 10.0_f64.sqrt());
        return (DurationLaw::new(law.unwrap().into()), false);
    }
    (law(text, None).unwrap_or_else(|| panic!("{text}")), true)
}

/// Messages ten a second, each on its own: consumers enough, as is asserted of the record.
fn model(case: &Case, late_ack: LateAck, receives: u32, seed: u64) -> Model {
    let rate = Rate::per_second(10);
    let arrivals = Arrivals::Constant(Constant {
        rate,
        offset: SimDuration::ZERO,
    });
    let (law, _) = service(case);
    let busy = 10.0 * law.mean() * case.values["B_mean_deliveries"];
    let consumers = (busy + 10.0 * busy.sqrt() + 50.0) as u32;
    let mut model = Model::plain(arrivals, consumers, law, Stop::Settled);
    model.plan.seed = Seed(seed);
    if let Origin::Arrivals { count, .. } = &mut model.producers[Id::at(0)].origin {
        *count = Some(MESSAGES);
    }
    model.fleets[Id::at(0)].handling.rework = Rework::Resample;
    model.queues.push(Queue::plain("queues.dead"));
    let delivery = &mut model.queues[Id::at(0)].delivery;
    let timeout = SimDuration::from_secs_rounded(case.get("visibility").unwrap());
    delivery.redelivery = visible_after(timeout);
    delivery.late_ack = late_ack;
    delivery.max_receives = Some(receives);
    delivery.dead_letter = Some(DeadLetter {
        queue: QueueId::at(1),
        expired: Counted::No,
        dropped: Counted::No,
    });
    model
}

fn simulate(model: &Model) -> Vec<RunRecord> {
    let records = replicate(model, REPLICATIONS, Detail::Measures, &|_| {});
    for record in &records {
        assert_eq!(record.queues[Id::at(0)].flows.accepted, MESSAGES);
        let fleet = &model.fleets[Id::at(0)];
        let busy = record.fleets[Id::at(0)].busy.max;
        assert!(busy < f64::from(fleet.count), "not enough consumers");
    }
    records
}

/// One comparison: what it is of, and its z.
struct Compared {
    label: String,
    z: f64,
}

struct Comparison<'a> {
    case: &'a Case,
    all: Vec<Compared>,
}

impl Comparison<'_> {
    fn note(&mut self, quantity: &str, records: &[RunRecord], of: impl Fn(&RunRecord) -> f64) {
        let values: Vec<f64> = records.iter().map(of).collect();
        let exact = self.case.values[quantity];
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let z = if exact == 0.0 && mean == 0.0 {
            0.0
        } else {
            normal_deviation(&values, exact)
        };
        let label = format!("{} {quantity}: {mean}, not {exact}", self.case.id);
        self.all.push(Compared { label, z });
    }

    /// Whether something of this probability a message is neither too rare nor too common here.
    fn happens(&self, quantity: &str) -> bool {
        let total = f64::from(REPLICATIONS) * MESSAGES as f64;
        let share = self.case.values[quantity];
        share == 0.0 || share * total > ENOUGH
    }
}

fn per_message(count: u64) -> f64 {
    count as f64 / MESSAGES as f64
}

fn compare(case: &Case, place: u64) -> Vec<Compared> {
    let receives = case.get("max_receive_count").unwrap() as u32;
    let normal = service(case).1;
    let mut comparison = Comparison {
        case,
        all: Vec::new(),
    };
    for (late_ack, rule, work, seed) in [
        (LateAck::Honoured, "A", "A_work_per_message", 1),
        (LateAck::Refused, "B", "B_work_per_message_if_run_to_end", 2),
    ] {
        let records = simulate(&model(case, late_ack, receives, 10 * place + seed));
        let deliveries = format!("{rule}_mean_deliveries");
        let flows = |record: &RunRecord| record.queues[Id::at(0)].flows;
        if comparison.happens("p_exceeds") {
            let delivered = |record: &RunRecord| per_message(flows(record).delivered);
            comparison.note(&deliveries, &records, delivered);
        }
        let dead = format!("{rule}_p_dlq");
        if comparison.happens(&dead) {
            let share = |record: &RunRecord| per_message(flows(record).dead_lettered);
            comparison.note(&dead, &records, share);
        }
        if normal {
            comparison.note(work, &records, |record| {
                let each = record.fleets[Id::at(0)].service.mean.unwrap();
                each * per_message(flows(record).delivered)
            });
        }
        if rule == "B" && comparison.happens("p_exceeds") {
            let share = |record: &RunRecord| {
                let flows = flows(record);
                flows.lapsed as f64 / flows.delivered as f64
            };
            comparison.note("p_exceeds", &records, share);
        }
    }
    // With two receives at most, a message is redelivered at most once: when it is a duplicate.
    if comparison.happens("p_exceeds") {
        let records = simulate(&model(case, LateAck::Honoured, 2, 10 * place + 3));
        let share = |record: &RunRecord| per_message(record.queues[Id::at(0)].flows.redelivered);
        comparison.note("A_p_duplicate", &records, share);
    }
    comparison.all
}

/// About 300 comparisons: none beyond 4.5 (7e-6 each, 0.2 % all together), and no more outside of
/// their 99.9 % intervals than 99.9 % lets (binomial, at 1e-3).
#[test]
fn visibility_timeouts_are_as_calculated() {
    let cases = cases("visibility");
    assert!(cases.len() > 50, "the whole table");
    let compared: Vec<Compared> = (0..cases.len())
        .into_par_iter()
        .flat_map_iter(|place| compare(&cases[place], place as u64))
        .collect();
    assert!(compared.len() > 250, "{}", compared.len());
    let kinds = compared.iter().fold(BTreeMap::new(), |mut kinds, it| {
        let kind = it.label.split(' ').nth(1).unwrap_or_default();
        *kinds.entry(kind).or_insert(0) += 1;
        kinds
    });
    assert!(
        kinds.len() == 8 && kinds.values().all(|count| *count > 8),
        "{kinds:?}"
    );
    let beyond = |limit: f64| {
        let unusual = compared.iter().filter(|it| it.z.abs() > limit);
        let told: Vec<_> = unusual
            .map(|it| format!("{:.2}  {}", it.z, it.label))
            .collect();
        (told.len(), told.join("\n"))
    };
    let (wrong, told) = beyond(4.5);
    assert_eq!(wrong, 0, "{told}");
    let (missed, told) = beyond(3.290_527);
    let most = most_misses(compared.len(), 1e-3, 1e-3);
    assert!(missed <= most, "{missed}, at most {most}:\n{told}");
}
