//! The goodness of the draws: every law against its moments and its distribution function, through
//! a stream (draws in order) and through keys (a draw for each message), and streams of different
//! names against each other.
//!
//! Not whether a law is the right one for a service: that is for its user to know.
//!
//! Level of all tests: 4.5 standard errors, or a p-value above 1e-5. With about 150 comparisons
//! all of them hold together with a probability above 99.8 %; the seeds are fixed, so they hold
//! always or never.

use queuecast::random::law::{
    Constant, Empirical, Erlang, Exponential, Gamma, Hyperexponential, Lognormal, Mixture, Pareto,
    Quantiles, Sample, Uniform, Weibull,
};
use queuecast::random::{CountLaw, Law, Purpose, Seed, StreamKey};
use rand::Rng;
use statrs::distribution as known;
use statrs::distribution::ContinuousCDF;

use crate::sample::{Moments, chi_square, correlation, kolmogorov_smirnov};

const DRAWS: u32 = 50_000;
const LEAST_P: f64 = 1e-5;
const MOST_ERRORS: f64 = 4.5;

fn key(component: &str, purpose: Purpose) -> StreamKey {
    StreamKey::named(Seed(20), 0, component, purpose)
}

/// Draws in order, and draws of one message each.
fn both_ways(component: &str, mut draw: impl FnMut(&mut dyn Rng) -> f64) -> [Vec<f64>; 2] {
    let mut stream = key(component, Purpose::Service).stream();
    let in_order = (0..DRAWS).map(|_| draw(&mut stream)).collect();
    let messages = key("producers.web", Purpose::Message);
    let service = key(component, Purpose::Service);
    let of_messages = (0..u64::from(DRAWS))
        .map(|n| draw(&mut service.at(messages.identity(n))))
        .collect();
    [in_order, of_messages]
}

/// A distribution function.
type Cdf = Box<dyn Fn(f64) -> f64>;

/// The continuous laws, each with its distribution function by statrs where that has it.
fn continuous() -> Vec<(&'static str, Law, Cdf)> {
    fn by<C: ContinuousCDF<f64, f64> + 'static, E: std::fmt::Debug>(law: Result<C, E>) -> Cdf {
        let law = law.expect("a law of statrs");
        Box::new(move |x| law.cdf(x))
    }
    fn own(law: &Law) -> Cdf {
        let law = law.clone();
        Box::new(move |x| law.cdf(x))
    }
    let exponential = || Law::from(Exponential::new(0.04).expect("fits"));
    let uniform = || Law::from(Uniform::new(1.0, 3.0).expect("fits"));
    let mixture = Mixture::new(vec![(9.0, exponential()), (1.0, uniform())]);
    let mixture = Law::from(mixture.expect("fits"));
    let heavy = Hyperexponential::from_mean_cv(0.04, 3.0);
    let heavy = Law::from(heavy.expect("fits"));
    let points = [(0.5, 0.03), (0.9, 0.08), (0.99, 0.4)];
    let quantiles = Quantiles::new(&points, 0.0, f64::INFINITY).expect("fits");
    let quantiles = Law::from(Empirical::from(quantiles));
    let sigma = 2.0_f64.ln().sqrt();
    vec![
        ("exponential", exponential(), by(known::Exp::new(25.0))),
        ("uniform", uniform(), by(known::Uniform::new(1.0, 3.0))),
        (
            "erlang",
            Erlang::new(3, 0.3).expect("fits").into(),
            by(known::Erlang::new(3, 10.0)),
        ),
        (
            "gamma",
            Gamma::new(2.5, 0.5).expect("fits").into(),
            by(known::Gamma::new(2.5, 5.0)),
        ),
        (
            "gamma below one",
            Gamma::new(0.4, 2.0).expect("fits").into(),
            by(known::Gamma::new(0.4, 0.2)),
        ),
        (
            "lognormal",
            Lognormal::from_mean_cv(1.0, 1.0).expect("fits").into(),
            by(known::LogNormal::new(-sigma * sigma / 2.0, sigma)),
        ),
        (
            "weibull",
            Weibull::new(1.5, 2.0).expect("fits").into(),
            by(known::Weibull::new(1.5, 2.0)),
        ),
        (
            "pareto",
            Pareto::new(5.0, 1.0).expect("fits").into(),
            by(known::Pareto::new(1.0, 5.0)),
        ),
        ("hyperexponential", heavy.clone(), own(&heavy)),
        ("mixture", mixture.clone(), own(&mixture)),
        ("quantiles", quantiles.clone(), own(&quantiles)),
    ]
}

#[test]
fn continuous_laws_have_their_distribution() {
    for (name, law, cdf) in continuous() {
        for mut sample in both_ways(name, |mut rng| law.draw(&mut rng)) {
            let p = kolmogorov_smirnov(&mut sample, &cdf);
            assert!(p > LEAST_P, "{name}: p = {p}");
        }
    }
}

/// The test itself must be able to fail: the same law passes, one of a mean 4 % larger does not.
#[test]
fn a_wrong_law_is_found_out() {
    let law = Law::from(Exponential::new(1.0).expect("fits"));
    let p = |factor: f64| {
        let scaled = law.scaled(factor);
        let [mut sample, _] = both_ways("wrong", |mut rng| scaled.draw(&mut rng));
        kolmogorov_smirnov(&mut sample, |x| law.cdf(x))
    };
    assert!(
        p(1.0) > LEAST_P && p(1.04) < LEAST_P,
        "{} {}",
        p(1.0),
        p(1.04)
    );
}

/// Mean and variance; of the variance the error comes from the sample's fourth moment.
#[test]
fn all_laws_have_their_moments() {
    let sample = Sample::new(vec![0.02, 0.03, 0.05, 0.1]).expect("fits");
    let mut all = continuous();
    all.push(("sample", Empirical::from(sample).into(), Box::new(|_| 0.0)));
    for (name, law, _) in all {
        for sample in both_ways(name, |mut rng| law.draw(&mut rng)) {
            let found = Moments::of(&sample);
            let mean = (found.mean - law.mean()) / found.mean_error;
            assert!(mean.abs() < MOST_ERRORS, "{name}: mean {mean} errors off");
            let variance = (found.variance - law.variance()) / found.variance_error;
            assert!(
                variance.abs() < MOST_ERRORS,
                "{name}: variance {variance} errors off"
            );
        }
    }
    let constant = Law::from(Constant::new(0.04).expect("fits"));
    for sample in both_ways("constant", |mut rng| constant.draw(&mut rng)) {
        assert!(sample.iter().all(|x| (x - 0.04).abs() < f64::EPSILON));
    }
}

/// Counts from 0 to `last`, and all above, against P(n - 1/2 < X <= n + 1/2).
fn counts_fit(name: &str, law: &CountLaw, last: u32) {
    for sample in both_ways(name, |mut rng| law.draw(&mut rng) as f64) {
        let cell = |n: u32| {
            let seen = sample
                .iter()
                .filter(|x| (**x - f64::from(n)).abs() < 0.5)
                .count();
            let low = if n == 0 {
                0.0
            } else {
                law.law().cdf(f64::from(n) - 0.5)
            };
            let share = law.law().cdf(f64::from(n) + 0.5) - low;
            (seen as f64, share * f64::from(DRAWS))
        };
        let mut pairs: Vec<_> = (0..=last).map(cell).filter(|pair| pair.1 > 0.0).collect();
        let sums = pairs
            .iter()
            .fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        let rest = (f64::from(DRAWS) - sums.0, f64::from(DRAWS) - sums.1);
        if rest.1 > 1.0 {
            pairs.push(rest);
        } else {
            assert!(rest.0 < 1.0, "{name}: {} beyond the last", rest.0);
        }
        let p = chi_square(&pairs);
        assert!(p > LEAST_P, "{name}: p = {p}");
    }
}

#[test]
fn counts_have_their_chances() {
    let exponential = Exponential::new(3.0).expect("fits");
    counts_fit("batch", &CountLaw::new(exponential.into()), 20);
    let gamma = Gamma::new(2.0, 5.0).expect("fits");
    counts_fit("keys", &CountLaw::new(gamma.into()), 25);
    let die = Uniform::new(0.5, 6.5).expect("fits");
    counts_fit("die", &CountLaw::new(die.into()), 6);
}

/// Streams that differ in one part of their name, and the draws of one message for different
/// purposes, have nothing to do with each other; nor has a draw with the next.
#[test]
fn names_part_the_streams() {
    let law = Law::from(Uniform::new(0.0, 1.0).expect("fits"));
    let base = StreamKey::named(Seed(20), 0, "producers.a", Purpose::Arrival);
    let others = [
        StreamKey::named(Seed(21), 0, "producers.a", Purpose::Arrival),
        StreamKey::named(Seed(20), 1, "producers.a", Purpose::Arrival),
        StreamKey::named(Seed(20), 0, "producers.b", Purpose::Arrival),
        StreamKey::named(Seed(20), 0, "producers.a", Purpose::Service),
    ];
    let messages = key("producers.a", Purpose::Message);
    for (i, other) in others.into_iter().enumerate() {
        let (mut one, mut two) = (base.stream(), other.stream());
        let in_order: Vec<_> = (0..DRAWS)
            .map(|_| (law.draw(&mut one), law.draw(&mut two)))
            .collect();
        let of_messages: Vec<_> = (0..u64::from(DRAWS))
            .map(|n| messages.identity(n))
            .map(|it| (law.draw(&mut base.at(it)), law.draw(&mut other.at(it))))
            .collect();
        for pairs in [in_order, of_messages] {
            let errors = correlation(&pairs);
            assert!(errors.abs() < MOST_ERRORS, "stream {i}: {errors}");
        }
    }
    let [in_order, of_messages] = both_ways("successive", |mut rng| law.draw(&mut rng));
    for sample in [in_order, of_messages] {
        let pairs: Vec<_> = sample.windows(2).map(|pair| (pair[0], pair[1])).collect();
        let errors = correlation(&pairs);
        assert!(errors.abs() < MOST_ERRORS, "successive draws: {errors}");
    }
}

/// The generator of one message can give several draws, such as the delays of its retries.
#[test]
fn draws_of_one_message_are_parted() {
    let law = Law::from(Exponential::new(1.0).expect("fits"));
    let messages = key("producers.a", Purpose::Message);
    let jitter = key("producers.a", Purpose::Jitter);
    let pairs: Vec<_> = (0..u64::from(DRAWS))
        .map(|n| {
            let mut rng = jitter.at(messages.identity(n));
            (law.draw(&mut rng), law.draw(&mut rng))
        })
        .collect();
    let errors = correlation(&pairs);
    assert!(errors.abs() < MOST_ERRORS, "{errors}");
}
