//! What every law is tested for: its moments, its inverse, and five draws.
//!
//! Not the goodness of the draws: that is `tests/it/laws.rs`.

use std::collections::BTreeMap;

use super::Law;
pub(super) use crate::input::testing::{read, refused};
use crate::random::{Purpose, Seed, Stream, StreamKey};

/// The stream of these tests.
pub(super) fn stream() -> Stream {
    StreamKey::named(Seed(1), 0, "laws", Purpose::Service).stream()
}

/// The first five draws from the stream of these tests, to a relative 1e-12: an independent
/// implementation of ln or exp may differ in the last bit.
pub(super) fn draws(law: &Law, expected: [f64; 5]) {
    let mut rng = stream();
    let drawn = [(); 5].map(|()| law.draw(&mut rng));
    let near = |(drawn, expected): (&f64, &f64)| (drawn / expected - 1.0).abs() < 1e-12;
    assert!(drawn.iter().zip(&expected).all(near), "drawn {drawn:?}");
    // Draws scale with the law.
    let (mut rng, scaled) = (stream(), law.scaled(3.0));
    let tripled = [(); 5].map(|()| scaled.draw(&mut rng) / 3.0);
    assert!(
        tripled.iter().zip(&expected).all(near),
        "scaled {tripled:?}"
    );
}

/// Mean, variance, E X^3 to a relative 1e-12.
pub(super) fn moments(law: &Law, mean: f64, variance: f64, third: f64) {
    for (found, known, what) in [
        (law.mean(), mean, "mean"),
        (law.variance(), variance, "variance"),
        (law.third_moment(), third, "third moment"),
        (law.scv(), variance / (mean * mean), "scv"),
    ] {
        assert!(
            (found / known - 1.0).abs() < 1e-11,
            "{what}: {found}, not {known}"
        );
    }
}

/// cdf of quantile is the share, all over the range, and the law's own ends hold.
pub(super) fn inverse(law: &Law) {
    for p in [
        1e-6,
        0.01,
        0.1,
        0.25,
        0.5,
        0.75,
        0.9,
        0.99,
        0.999,
        1.0 - 1e-6,
    ] {
        let found = law.cdf(law.quantile(p));
        assert!((found - p).abs() < 1e-9, "{p}: {found}");
    }
    let edge = |x: f64, y: f64| x.to_bits() == y.to_bits();
    assert!(edge(law.quantile(1.0), law.max()), "{}", law.quantile(1.0));
    assert!(edge(law.cdf(f64::INFINITY), 1.0));
    assert!(edge(law.cdf(-1.0), 0.0));
}

/// How often each number comes in so many draws.
pub(super) fn tally(times: u32, mut draw: impl FnMut(&mut Stream) -> u64) -> BTreeMap<u64, u32> {
    let mut rng = stream();
    let mut seen = BTreeMap::new();
    for _ in 0..times {
        *seen.entry(draw(&mut rng)).or_default() += 1;
    }
    seen
}
