//! The fluid solver against the closed forms, which it does not know, and against itself: what
//! comes in goes out.

#![expect(clippy::float_cmp, reason = "equal fractions round to equal numbers")]

use proptest::prelude::*;
use queuecast::fluid::outage::Outage;
use queuecast::fluid::{
    Admission, Bound, Inputs, OnFull, Segment, Totals, Trajectory, capacity_of, run,
};

fn at(from_s: f64, rate: f64) -> Segment {
    Segment { from_s, rate }
}

fn block(admission: Admission, timeout: Option<f64>) -> OnFull {
    OnFull::Block { admission, timeout }
}

/// 100/s to 50/s, full at 20 s, publishers that give up after 10 s, until 60 s.
fn overload(admission: Admission) -> Trajectory {
    run(&Inputs {
        bound: Bound::Messages(1000.0),
        on_full: block(admission, Some(10.0)),
        horizon_s: 60.0,
        arrivals: vec![at(0.0, 100.0)],
        capacity: vec![at(0.0, 50.0)],
        retention: None,
    })
    .unwrap()
}

#[test]
fn an_overload_with_timeouts_depends_on_the_order() {
    // In order everybody blocks, and the head ages by half a second a second: 10 s old at 40 s.
    let fifo = overload(Admission::Fifo);
    assert_eq!(fifo.max_blocked().value, 1000.0);
    assert_eq!(fifo.totals().blocked_ever, 4000.0);
    assert_eq!(fifo.totals().timed_out, 1000.0);
    // Else those who block are never served: 10 s old at 30 s. With newcomers first only they
    // block; in reversed order everybody does, half of them for no time.
    let newcomers_first = overload(Admission::NewcomersFirst);
    assert_eq!(newcomers_first.max_blocked().value, 500.0);
    assert_eq!(newcomers_first.totals().blocked_ever, 2000.0);
    assert_eq!(newcomers_first.totals().timed_out, 1500.0);
    let lifo = overload(Admission::Lifo);
    assert_eq!(lifo.max_blocked().value, 500.0);
    assert_eq!(lifo.totals().blocked_ever, 4000.0);
    assert_eq!(lifo.totals().timed_out, 1500.0);
    for history in [fifo, newcomers_first, lifo] {
        assert_eq!(history.longest_block().unwrap(), 10.0);
        assert_eq!(history.unblocked_at(), None);
    }
}

/// An outage that fills the queue or not, with headroom after it.
fn outages() -> impl Strategy<Value = (f64, f64, u64, f64, f64)> {
    (
        1_u32..2000,
        1_u32..2000,
        1_u64..40,
        1_u32..500,
        1_u32..200_000,
    )
        .prop_map(|(rate, service_ms, spare, outage, bound)| {
            let (rate, service) = (f64::from(rate), f64::from(service_ms) / 1000.0);
            let consumers = (rate * service).ceil() as u64 + spare;
            (
                rate,
                service,
                consumers,
                f64::from(outage),
                f64::from(bound),
            )
        })
}

fn after_outage(
    (rate, service, consumers, outage, bound): (f64, f64, u64, f64, f64),
    on_full: OnFull,
) -> Trajectory {
    run(&Inputs {
        bound: Bound::Messages(bound),
        on_full,
        arrivals: vec![at(0.0, rate)],
        capacity: vec![at(outage, capacity_of(consumers, service))],
        retention: None,
        horizon_s: f64::INFINITY,
    })
    .unwrap()
}

/// Random inputs of every kind, followed for 300 s.
fn histories() -> impl Strategy<Value = Inputs> {
    let rates = || {
        prop::collection::vec((1_u32..40, 0_u32..40), 1..8).prop_map(|steps| {
            let mut from_s = 0.0;
            let segment = |(lasts, rate): (u32, u32)| {
                let segment = at(from_s, f64::from(rate) * 10.0);
                from_s += f64::from(lasts);
                segment
            };
            steps.into_iter().map(segment).collect::<Vec<_>>()
        })
    };
    let seconds = || proptest::option::of((1_u32..60).prop_map(f64::from));
    let order = prop::sample::select(vec![
        Admission::Fifo,
        Admission::NewcomersFirst,
        Admission::Lifo,
    ]);
    let on_full = prop_oneof![
        Just(OnFull::Reject),
        Just(OnFull::DropOldest),
        (order, seconds()).prop_map(|(admission, timeout)| block(admission, timeout)),
    ];
    (rates(), rates(), 1_u32..5000, on_full, seconds()).prop_map(
        |(arrivals, capacity, bound, on_full, retention)| Inputs {
            arrivals,
            capacity,
            bound: Bound::Messages(f64::from(bound)),
            on_full,
            retention,
            horizon_s: 300.0,
        },
    )
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: proptest::test_runner::RngSeed::Fixed(2),
        ..ProptestConfig::default()
    })]

    #[test]
    fn agrees_with_the_closed_form_of_a_rejecting_outage(case in outages(), share in 0.0..1.0) {
        let (rate, service, consumers, outage, bound) = case;
        let bound = Bound::Messages(bound);
        let form = Outage::new(rate, service, consumers, outage, bound).unwrap();
        let history = after_outage(case, OnFull::Reject);
        prop_assert_eq!(history.max_level().value, form.backlog());
        prop_assert_eq!(history.first_full(), form.full_at());
        prop_assert_eq!(history.totals().rejected, form.rejected());
        prop_assert_eq!(history.empties_at(), form.empties_at());
        prop_assert_eq!(history.max_lag().value, form.max_lag());
        let lag = history.lag_at(outage + share * form.drain().unwrap());
        let expected = form.lag_after_share(share).unwrap();
        prop_assert!((lag - expected).abs() <= 1e-9 * outage, "{} {}", lag, expected);
    }

    #[test]
    fn agrees_with_the_closed_forms_of_a_blocking_outage(
        case in outages(),
        order in prop::sample::select(vec![
            Admission::Fifo,
            Admission::NewcomersFirst,
            Admission::Lifo,
        ]),
        timeout in proptest::option::of((1_u32..200).prop_map(f64::from)),
    ) {
        let (rate, service, consumers, outage, bound) = case;
        let bound = Bound::Messages(bound);
        let form = Outage::new(rate, service, consumers, outage, bound).unwrap();
        let form = form.blocking(order, timeout).unwrap();
        let history = after_outage(case, block(order, timeout));
        prop_assert_eq!(history.max_blocked().value, form.at_once);
        prop_assert_eq!(history.totals().blocked_ever, form.ever);
        prop_assert_eq!(Some(history.totals().timed_out), form.timed_out);
        prop_assert_eq!(history.empties_at(), form.empties_at);
        if form.ever > 0.0 {
            prop_assert_eq!(history.longest_block(), form.longest);
            prop_assert_eq!(history.unblocked_at(), form.unblocked_at);
        }
        if let Some(seconds) = form.publisher_seconds {
            prop_assert_eq!(history.totals().blocked_publisher_seconds, seconds);
        }
    }

    #[test]
    fn nothing_is_lost_on_the_way(case in histories()) {
        let history = run(&case).unwrap();
        let Totals { offered, accepted, served, rejected, expired, dropped, timed_out, .. } =
            history.totals();
        let (level, blocked) = (history.level_at(300.0), history.blocked_at(300.0));
        prop_assert!(close(offered, accepted + rejected + timed_out + blocked));
        prop_assert!(close(accepted, served + expired + dropped + level));
        let Bound::Messages(bound) = case.bound else { unreachable!() };
        for point in history.breakpoints() {
            prop_assert!(0.0 <= point.level && point.level <= bound);
            prop_assert!(point.blocked >= 0.0 && (point.blocked == 0.0 || point.level == bound));
            prop_assert!(point.lag_s <= case.retention.unwrap_or(300.0));
        }
    }
}
