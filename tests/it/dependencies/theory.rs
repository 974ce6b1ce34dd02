//! A dependency without timeouts is a plain station: its numbers lie in the intervals of the exact
//! ones.
//!
//! Not the closed forms themselves: those have tables of their own.

use super::*;
use queuecast::model::Warmup;
use queuecast::stats::confidence::student;
use queuecast::theory::mmc::Mmc;
use queuecast::theory::mmck::Mmck;

/// The 99.9 % interval of each of these numbers over eight runs holds the exact one.
fn holds<const N: usize>(model: &Model, of: impl Fn(&RunRecord) -> [f64; N], exact: [f64; N]) {
    let runs: Vec<_> = (0..8).map(|seed| of(&run(model, seed))).collect();
    for (place, known) in exact.into_iter().enumerate() {
        let values: Vec<f64> = runs.iter().map(|values| values[place]).collect();
        let found = student(&values, 0.999).expect("eight of them");
        assert!(
            found.low <= known && known <= found.high,
            "number {place}: {found:?}, not {known}"
        );
    }
}

#[test]
fn a_bounded_station_is_m_m_c_k() {
    let mut bounded = dependency(3, exponential(1.0));
    bounded.capacity = 4;
    let mut model = inline(poisson(3), bounded, 2_500.0);
    model.plan.warmup = Warmup::For(span(100.0));
    let exact = Mmck::new(3.0, 1.0, 3, 7).expect("in range");
    let numbers = |record: &RunRecord| {
        let station = &record.dependencies[station()];
        let flows = &station.flows;
        [
            flows.refused as f64 / flows.calls as f64,
            station.depth.mean,
            station.utilization.expect("servers"),
            station.latency.mean.expect("answers"),
            station.goodput,
        ]
    };
    let known = [
        exact.p_block(),
        exact.mean_waiting(),
        exact.utilization(),
        exact.mean_sojourn(),
        exact.throughput(),
    ];
    holds(&model, numbers, known);
}

/// Whatever the timeout, without retries a FIFO station does the same work: M/M/c, of which those
/// are late that take longer.
#[test]
fn late_answers_are_the_tail_of_m_m_c() {
    let mut model = inline(poisson(2), dependency(3, exponential(1.0)), 4_000.0);
    model.callers[client()].timeout = Some(span(2.0));
    model.plan.warmup = Warmup::For(span(100.0));
    let exact = Mmc::new(2.0, 1.0, 3).expect("in range");
    let numbers = |record: &RunRecord| {
        let flows = &record.dependencies[station()].flows;
        let answers = flows.answered + flows.late;
        [
            flows.late as f64 / answers as f64,
            record.dependencies[station()].depth.mean,
        ]
    };
    // P(W + S > t), S exponential of mean 1, W = 0 with 1 - C, else exponential of rate 1:
    // (1 - C) e^-t + C (1 + t) e^-t.
    let (c, t) = (exact.p_wait(), 2.0_f64);
    let late = ((1.0 - c) + c * (1.0 + t)) * (-t).exp();
    holds(&model, numbers, [late, exact.mean_waiting()]);
}
