//! Near saturation: the run says how long it must be, and is right within a factor of two.

use queuecast::experiment::replicate::replicate;
use queuecast::experiment::{Needs, conduct};
use queuecast::model::{Id, Model, Stop, Warmup};
use queuecast::random::law::DurationLaw;
use queuecast::sim::Detail;
use queuecast::theory::run_length::{MmcWaiting, Z_95};
use queuecast::units::{SimDuration, SimTime};

use super::tables::{exponential, poisson};

/// M/M/4 at 99 %, services of a second; its relaxation time is 10,000 s.
fn saturated(warmup: u64, measured: u64) -> Model {
    let stop = Stop::At(SimTime::ZERO + SimDuration::from_secs(warmup + measured));
    let mut model = Model::plain(poisson("3.96"), 4, exponential(1.0), stop);
    model.plan.warmup = Warmup::For(SimDuration::from_secs(warmup));
    model
}

/// The number of messages for ±1 % that the notes tell.
fn told(model: &Model) -> f64 {
    let found = conduct(model, Detail::Measures, &|_| {});
    let note = found
        .notes
        .iter()
        .find(|note| note.contains(" for ±1 %"))
        .expect("a length");
    let text = note.split(" for ±1 %").next().unwrap();
    let words: Vec<_> = text.rsplit(['(', ' ']).take(2).collect();
    let unit = match words[0] {
        "million" => 1e6,
        "billion" => 1e9,
        other => panic!("{other}: {note}"),
    };
    assert!(note.ends_with(": M/M/4 at 99 % load"), "{note}");
    let number: f64 = words[1].parse().unwrap();
    number * unit
}

/// Against the formula, and against what replications do: the variance of their mean waits, times
/// the messages of each. 48 replications of 25 relaxation times estimate that variance with a
/// standard error of a quarter or less, so a factor of two is three of them; the seed is fixed.
#[test]
fn the_length_that_is_told_is_right_within_a_factor_of_two() {
    let told = told(&saturated(100_000, 50_000));
    let form = MmcWaiting::new(3.96, 1.0, 4).unwrap();
    let formula = form.time_for_1pct_95() * 3.96;
    assert!((0.5..2.0).contains(&(told / formula)), "{told} {formula}");

    let model = saturated(100_000, 250_000);
    let runs = replicate(&model, 48, Detail::Measures, &|_| {});
    let wait = |run: &queuecast::outcome::RunRecord| run.queues[Id::at(0)].wait;
    let n = runs.len() as f64;
    let messages = runs.iter().map(|run| wait(run).count as f64).sum::<f64>() / n;
    // About the exact mean, since that is known.
    let exact = form.waiting() / 3.96;
    let squares = |run| (wait(run).mean.unwrap() - exact).powi(2);
    let variance = runs.iter().map(squares).sum::<f64>() / n;
    let needed = messages * variance * (Z_95 / 0.01 / exact).powi(2);
    assert!((0.5..2.0).contains(&(told / needed)), "{told} {needed}");
}

/// A run that is far too short says so of the mean wait, whatever its own interval, and says by how
/// many times; one that is long enough for a lighter load says nothing.
#[test]
fn a_short_run_near_saturation_says_so_and_a_long_one_at_half_load_is_silent() {
    for measured in [5_000, 20_000, 100_000] {
        let notes = conduct(&saturated(10_000, measured), Detail::Measures, &|_| {}).notes;
        let wait = notes
            .iter()
            .find(|it| it.starts_with("queues.q.wait.mean is not yet precise"));
        let wait = wait.unwrap_or_else(|| panic!("{measured}: {notes:?}"));
        assert!(wait.contains("times this run for ±5 %"), "{wait}");
    }
    let stop = Stop::At(SimTime::ZERO + SimDuration::from_secs(2_000_000));
    let light = Model::plain(poisson("0.5"), 1, exponential(1.0), stop);
    let notes = conduct(&light, Detail::Measures, &|_| {}).notes;
    assert!(notes.is_empty(), "{notes:?}");
}

/// What theory says beyond M/M/c: half as much variability, half as long; nothing with a bound.
#[test]
fn other_laws_need_a_length_in_proportion_and_bounds_have_none() {
    let stop = Stop::At(SimTime::ZERO);
    let of = |model: &Model| Needs::of(model, Id::at(0));
    let exponential_one = of(&Model::plain(poisson("0.9"), 1, exponential(1.0), stop)).unwrap();
    assert!((exponential_one.for_1pct / 1.7e7 - 1.0).abs() < 0.01);
    let constant = DurationLaw::constant(SimDuration::from_secs(1));
    let mut model = Model::plain(poisson("0.9"), 1, constant, stop);
    let constant_one = of(&model).unwrap();
    assert!((constant_one.for_1pct * 2.0 / exponential_one.for_1pct - 1.0).abs() < 1e-12);
    assert!(
        constant_one.source.ends_with("an approximation"),
        "{}",
        constant_one.source
    );
    model.queues[Id::at(0)].capacity = 10;
    assert_eq!(of(&model), None);
}
