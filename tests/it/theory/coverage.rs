//! Whether intervals cover what they say, and whether a run that knows too little says so.
//!
//! 400 repetitions of a 95 % interval that is right cover between 92 % and 98 % of the time with
//! probability 0.994; seeds are fixed, so that this was decided when they were chosen.

use std::f64::consts::LN_10;

use queuecast::experiment::{ENOUGH, LEVEL, conduct};
use queuecast::model::{Model, Stop, Warmup};
use queuecast::outcome::{Catalogue, Measures};
use queuecast::policy::arrival::{Arrivals, OnOff, Phase};
use queuecast::random::Seed;
use queuecast::sim::{Detail, measure, measure_in_batches};
use queuecast::stats::batch_means::Neighbours;
use queuecast::units::{SimDuration, SimTime};
use rayon::prelude::*;

use super::tables::{exponential, per_second, poisson};

const REPETITIONS: u64 = 400;

/// M/M/1 at 50 %: services of a second, `measured` seconds after a warm-up of 200 (34 relaxation
/// times).
fn half_loaded(measured: u64, seed: u64) -> Model {
    let stop = Stop::At(SimTime::ZERO + SimDuration::from_secs(200 + measured));
    let mut model = Model::plain(poisson("0.5"), 1, exponential(1.0), stop);
    model.plan.warmup = Warmup::For(SimDuration::from_secs(200));
    model.plan.seed = Seed(seed);
    model
}

/// The exact mean wait, and its 99th percentile: P(W > t) = rho e^-(mu - lambda)t.
fn exact() -> [(&'static str, f64); 2] {
    let p99 = 2.0 * (2.0 * LN_10 - 2.0_f64.ln());
    [("queues.q.wait.mean", 1.0), ("queues.q.wait.p99", p99)]
}

fn assert_covers(what: &str, hits: impl ParallelIterator<Item = [bool; 2]>) {
    let hits: Vec<_> = hits.collect();
    for (place, (name, _)) in exact().into_iter().enumerate() {
        let share = hits.iter().filter(|hit| hit[place]).count() as f64 / hits.len() as f64;
        assert!((0.92..=0.98).contains(&share), "{what}, {name}: {share}");
    }
}

/// Twenty replications of 5,000 messages: n w²/σ² is 3,400.
#[test]
fn intervals_of_replications_cover() {
    let hits = (0..REPETITIONS).into_par_iter().map(|seed| {
        let model = half_loaded(10_000, seed);
        let run = |replication| measure(&model, replication, Detail::Measures, &|_| {});
        let runs: Vec<_> = (0..20).map(run).collect();
        let measures = Measures::of(Catalogue::of(&model), &runs);
        exact().map(|(name, exact)| {
            let position = measures.catalogue().position(name).unwrap();
            let interval = measures.interval(position, LEVEL).unwrap();
            interval.low <= exact && exact <= interval.high
        })
    });
    assert_covers("replications", hits);
}

/// One run of 100,000 messages: n w²/σ² is 3,400 as well, far above the 340 from which the
/// reference finds batch means to cover as they should.
#[test]
fn intervals_of_batch_means_cover() {
    let hits = (0..REPETITIONS).into_par_iter().map(|seed| {
        let model = half_loaded(200_000, seed);
        let detail = Detail::Measures;
        let (run, batches) = measure_in_batches(&model, 0, detail, &|_| {}, LEVEL);
        // Watching in batches changes no history.
        if seed < 3 {
            let plain = measure(&model, 0, detail, &|_| {});
            assert_eq!(run.digest, plain.digest);
            assert_eq!(
                run.queues[queuecast::model::Id::at(0)].wait.mean,
                plain.queues[queuecast::model::Id::at(0)].wait.mean
            );
        }
        exact().map(|(name, exact)| {
            let batch = batches.iter().find(|batch| batch.metric == name).unwrap();
            let (interval, _) = batch.interval.unwrap();
            interval.low <= exact && exact <= interval.high
        })
    });
    assert_covers("batch means", hits);
}

/// Batches of so long a run seem to depend on each other only as often as a test at 5 % errs: of
/// 200 runs in 10 on average, and in more than 24 with probability 2e-5. Batches of a run that is
/// a hundredth as long do so far more often.
#[test]
fn short_runs_have_batches_that_depend_on_each_other() {
    let correlated = |measured| {
        let runs = (0..200).into_par_iter().filter(|seed| {
            let model = half_loaded(measured, *seed);
            let (_, all) = measure_in_batches(&model, 0, Detail::Measures, &|_| {}, LEVEL);
            let wait = all.iter().find(|it| it.metric == "queues.q.wait.mean");
            matches!(wait.unwrap().interval, Some((_, Neighbours::Correlated)))
        });
        runs.count()
    };
    let (long, short) = (correlated(200_000), correlated(2_000));
    assert!(long <= 24, "{long} of 200");
    assert!(short > 40, "{short} of 200");
}

/// Poisson arrivals that switch between two rates, served at one a second.
#[derive(Clone, Copy)]
struct Bursty {
    rates: [f64; 2],
    stays: [f64; 2],
}

type Matrix = [[f64; 2]; 2];

fn product(a: Matrix, b: Matrix) -> Matrix {
    [0, 1].map(|i| [0, 1].map(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j]))
}

fn inverse(m: Matrix) -> Matrix {
    let det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    [
        [m[1][1] / det, -m[0][1] / det],
        [-m[1][0] / det, m[0][0] / det],
    ]
}

impl Bursty {
    fn mean_rate(&self) -> f64 {
        let [a, b] = self.stays;
        (self.rates[0] * a + self.rates[1] * b) / (a + b)
    }

    /// The mean sojourn of MMPP-2/M/1 by its quasi-birth-death process (Neuts 1981): levels are
    /// messages, π_n = π_0 Rⁿ, and R the smallest solution of Λ + R (D - Λ - I) + R² = 0.
    fn mean_sojourn(&self) -> f64 {
        let ([on, off], [a, b]) = (self.rates, self.stays);
        let local = [
            [-1.0 / a - on - 1.0, 1.0 / a],
            [1.0 / b, -1.0 / b - off - 1.0],
        ];
        let mut r: Matrix = [[0.0; 2]; 2];
        // R = Λ (I + Λ - D - R)⁻¹, from below.
        for _ in 0..3_000_000 {
            let step = [0, 1].map(|i| [0, 1].map(|j| -local[i][j] - r[i][j]));
            r = product([[on, 0.0], [0.0, off]], inverse(step));
        }
        // π_0 (D - Λ + R) = 0, and π_0 (I - R)⁻¹ 1 = 1.
        let level0 = [local[0][0] + 1.0 + r[0][0], local[1][0] + r[1][0]];
        let weights = [level0[1], -level0[0]];
        let rest = inverse([[1.0 - r[0][0], -r[0][1]], [-r[1][0], 1.0 - r[1][1]]]);
        let sum = |m: Matrix| -> f64 { (0..2).map(|i| weights[i] * (m[i][0] + m[i][1])).sum() };
        // L = π_0 R (I - R)⁻² 1.
        let waiting = product(product(r, rest), rest);
        sum(waiting) / sum(rest) / self.mean_rate()
    }

    fn model(&self, span: f64, seed: u64) -> Model {
        let stay = SimDuration::from_secs_rounded;
        let arrivals = Arrivals::OnOff(OnOff {
            on: per_second(&self.rates[0].to_string()),
            off: per_second(&self.rates[1].to_string()),
            mean_on: stay(self.stays[0]),
            mean_off: stay(self.stays[1]),
            start: Phase::Stationary,
        });
        let stop = Stop::At(SimTime::ZERO + stay(span));
        let mut model = Model::plain(arrivals, 1, exponential(1.0), stop);
        model.plan.seed = Seed(seed);
        model
    }
}

/// A server that is busy 49 % of the time and makes messages wait for 849 s on average, since it
/// is overloaded for half an hour in every two hours.
const SLOW: Bursty = Bursty {
    rates: [1.4, 0.1],
    stays: [1_933.5, 4_511.5],
};

#[test]
fn the_exact_bursty_queue_reduces_to_what_is_known() {
    let steady = Bursty {
        rates: [0.5, 0.5],
        ..SLOW
    };
    assert!((steady.mean_sojourn() - 2.0).abs() < 1e-9);
    // So fast a change is none: the mean rate arrives.
    let fast = Bursty {
        stays: [3e-6, 7e-6],
        ..SLOW
    };
    assert!((fast.mean_sojourn() - 1.0 / 0.51).abs() < 1e-3);
    assert!((SLOW.mean_rate() - 0.49).abs() < 1e-12);
    assert!((SLOW.mean_sojourn() / 849.0 - 1.0).abs() < 1e-3);
}

/// However calm a run looks: either its mean sojourn is within twice what needs no remark, or it
/// says that it is not yet precise, or that it only grew. From half a burst to 150 of them, 40
/// seeds each.
#[test]
fn a_bursty_queue_is_said_to_be_imprecise_unless_it_is_precise() {
    let exact = SLOW.mean_sojourn();
    for cycles in [0.5, 3.0, 20.0, 150.0] {
        let runs = (0..40_u64).into_par_iter().filter(|seed| {
            let model = SLOW.model(cycles * (SLOW.stays[0] + SLOW.stays[1]), *seed);
            let found = conduct(&model, Detail::Measures, &|_| {});
            let seen = found.measures.value("queues.q.sojourn.mean").unwrap();
            let told = found.notes.iter().any(|note| {
                note.starts_with("queues.q is not yet precise")
                    || note.starts_with("queues.q.sojourn.mean is not yet precise")
                    || note.starts_with("queues.q grew to the end of the run")
            });
            let precise = (seen / exact - 1.0).abs() <= 2.0 * ENOUGH;
            assert!(
                told || precise,
                "{cycles} bursts, seed {seed}: {seen} {:?}",
                found.notes
            );
            told
        });
        // These are all too short: hardly one may claim to be precise.
        assert!(runs.count() >= 39, "{cycles} bursts");
    }
}

/// Bursts of seconds instead of hours: the same load, and a run as long as the longest above knows
/// the mean sojourn, says nothing, and is right.
#[test]
fn quick_bursts_are_known_and_nothing_is_said() {
    let quick = Bursty {
        stays: [3.0, 7.0],
        ..SLOW
    };
    let exact = quick.mean_sojourn();
    for seed in 0..4 {
        let found = conduct(&quick.model(1_000_000.0, seed), Detail::Measures, &|_| {});
        let seen = found.measures.value("queues.q.sojourn.mean").unwrap();
        assert!((seen / exact - 1.0).abs() < ENOUGH, "{seen} {exact}");
        assert!(found.notes.is_empty(), "{:?}", found.notes);
        let interval = found
            .batch_means
            .iter()
            .find(|it| it.0 == "queues.q.sojourn.mean");
        let interval = interval.unwrap().1;
        // ±4.5 standard errors.
        let slack = 2.2 * interval.half_width();
        assert!(
            (interval.mean - exact).abs() < slack,
            "{interval:?} {exact}"
        );
    }
}
