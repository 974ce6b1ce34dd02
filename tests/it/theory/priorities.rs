//! Two classes of messages: a recorder of the test's own tells them apart by the instants at which
//! they were accepted.

use std::collections::BTreeMap;

use queuecast::model::{Id, Model, ProducerId, Stop};
use queuecast::policy::order::Order;
use queuecast::random::Seed;
use queuecast::random::law::CountLaw;
use queuecast::sim::{Fact, Recorder, simulate};
use queuecast::units::{SimDuration, SimTime};
use rayon::prelude::*;

use super::normal_deviation;
use super::tables::{Case, cases, law, number, poisson};

const HIGH: usize = 0;
const LOW: usize = 1;

/// Waits of each producer's messages, from an instant on.
#[derive(Default)]
struct Classes {
    from: SimTime,
    /// Whose messages were accepted at an instant; the higher class is last.
    waiting: BTreeMap<SimTime, Vec<ProducerId>>,
    sums: [f64; 2],
    counts: [f64; 2],
}

impl Recorder for Classes {
    fn observe(&mut self, now: SimTime, fact: &Fact) {
        if let Fact::Accepted { producer, .. } = *fact {
            let same = self.waiting.entry(now).or_default();
            same.push(producer);
            same.sort_by(|a, b| b.cmp(a));
        } else if let Fact::Delivered {
            wait: Some(wait), ..
        } = *fact
        {
            let accepted = SimTime::from_nanos(now.as_nanos() - wait.as_nanos());
            let same = self.waiting.get_mut(&accepted).unwrap();
            let class = same.pop().unwrap().index();
            if same.is_empty() {
                self.waiting.remove(&accepted);
            }
            if accepted >= self.from {
                self.sums[class] += wait.as_secs_f64();
                self.counts[class] += 1.0;
            }
        }
    }
}

/// The model of a case whose classes have the same service; `None` for others, and for preemption.
fn model(case: &Case) -> Option<(Model, f64)> {
    if !case.model.contains("non-preemptive") {
        return None;
    }
    let same = |a: &str, b: &str| {
        let pair = case.params.get(a).zip(case.params.get(b));
        pair.and_then(|(a, b)| (a == b).then(|| a.clone()))
    };
    let rate = same("mu_high", "mu_low").or_else(|| case.params.get("mu").cloned());
    let service = match same("service_high", "service_low") {
        Some(text) => law(&text, None)?,
        None => super::tables::exponential(1.0 / number(&rate?)),
    };
    let mean = service.mean();
    let rates = ["lambda_high", "lambda_low"].map(|key| case.params[key].clone());
    let total: f64 = rates.iter().map(|rate| number(rate)).sum();
    let rho = total * mean / f64::from(case.servers());
    if rho > 0.91 {
        return None;
    }
    let mut model = Model::plain(
        poisson(&rates[HIGH]),
        case.servers(),
        service,
        Stop::At(SimTime::ZERO),
    );
    let mut low = model.producers[Id::at(0)].clone();
    if let queuecast::model::Origin::Arrivals { arrivals, .. } = &mut low.origin {
        *arrivals = poisson(&rates[LOW]);
    }
    low.name = "producers.low".into();
    model.producers.push(low);
    model.producers[Id::at(HIGH)].priority = CountLaw::constant(1);
    model.queues[Id::at(0)].order = Order::Priority;
    Some((model, total))
}

/// Every case of two classes with one service, ten replications of 200,000 messages: mean waits of
/// both classes; none beyond 4.5 (probability 1e-5 a row).
#[test]
fn two_classes_wait_as_cobham_says() {
    let rows = cases("priority");
    let rows: Vec<_> = rows
        .iter()
        .filter_map(|case| Some((case, model(case)?)))
        .collect();
    assert!(rows.len() >= 5, "{} cases", rows.len());
    let wrong: Vec<_> = rows
        .par_iter()
        .enumerate()
        .flat_map_iter(|(place, (case, (model, rate)))| {
            let mut model = model.clone();
            let span = |messages: f64| SimDuration::from_secs_rounded(messages / rate);
            let from = SimTime::ZERO + span(20_000.0);
            model.plan.stop = Stop::At(SimTime::ZERO + span(220_000.0));
            model.plan.seed = Seed(place as u64);
            let means: Vec<[f64; 2]> = (0..10)
                .map(|replication| {
                    let classes = Classes {
                        from,
                        ..Classes::default()
                    };
                    let (seen, ..) = simulate(&model, replication, classes);
                    [HIGH, LOW].map(|class| seen.sums[class] / seen.counts[class])
                })
                .collect();
            let deviation = move |(class, quantity): (usize, &str)| {
                let exact = *case.values.get(quantity)?;
                let values: Vec<f64> = means.iter().map(|means| means[class]).collect();
                let z = normal_deviation(&values, exact);
                (z.abs() > 4.5).then(|| format!("{} {quantity}: z = {z}", case.id))
            };
            [(HIGH, "Wq_high"), (LOW, "Wq_low")]
                .into_iter()
                .filter_map(deviation)
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
