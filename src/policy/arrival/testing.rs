//! How tests of arrival processes run them.
//!
//! Not tests: each process has its own, and `mod.rs` those that hold for all.

use super::Arrivals;
use crate::input::testing;
pub(super) use crate::input::testing::{read_in, refused_in};
use crate::random::{Purpose, Seed, Stream, StreamKey};

/// The stream of these tests.
pub(super) fn stream() -> Stream {
    StreamKey::named(Seed(1), 0, "producers.test", Purpose::Arrival).stream()
}

/// Reads a process.
pub(super) fn read(text: &str) -> Arrivals {
    testing::read(text).expect(text)
}

/// What is wrong with a process that must not be read.
pub(super) fn problems(text: &str) -> String {
    testing::refused::<Arrivals>(text)
}

/// The first `times` arrivals: instants in nanoseconds, and counts.
pub(super) fn run(arrivals: &Arrivals, times: usize) -> Vec<(u64, u32)> {
    let mut source = arrivals.source();
    let mut stream = stream();
    std::iter::from_fn(|| source.next(&mut stream))
        .map(|next| (next.at.as_nanos(), next.count))
        .take(times)
        .collect()
}

/// The instants of all arrivals up to a horizon, in seconds.
pub(super) fn seconds(arrivals: &Arrivals, horizon: f64) -> Vec<f64> {
    let mut source = arrivals.source();
    let mut stream = stream();
    std::iter::from_fn(|| source.next(&mut stream))
        .map(|next| next.at.as_secs_f64())
        .take_while(|at| *at < horizon)
        .collect()
}
