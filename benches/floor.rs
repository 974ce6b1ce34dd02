//! Floors: the fastest loops that compute the same numbers and nothing else. Not general: each is
//! written by hand for one workload.

use std::collections::VecDeque;
use std::hint::black_box;

use queuecast::random::{Purpose, Seed, Stream, StreamKey};
use queuecast::stats::Histogram;
use queuecast::units::SimDuration;
use rand_distr::{Distribution, Exp1};

fn stream(purpose: Purpose) -> Stream {
    StreamKey::named(Seed(1), 0, "floor", purpose).stream()
}

fn exponential(mean: f64, stream: &mut Stream) -> f64 {
    let draw: f64 = Exp1.sample(stream);
    draw * mean
}

/// Lindley's recursion (1952) for M/M/1 at utilization 0.8, with a histogram of the waits.
pub(crate) fn lindley(messages: u64) -> u64 {
    let (mut gaps, mut work) = (stream(Purpose::Arrival), stream(Purpose::Service));
    let mut waits = Histogram::default();
    let mut wait = 0.0_f64;
    for _ in 0..messages {
        waits.record(SimDuration::from_secs_rounded(wait));
        let change = exponential(0.8, &mut work) - exponential(1.0, &mut gaps);
        wait = (wait + change).max(0.0);
    }
    black_box(waits.mean());
    messages
}

/// The recursion for M/M/c at utilization 0.8: a tournament of the instants at which the servers
/// are free, and a histogram of the waits.
pub(crate) fn many_servers(servers: usize, messages: u64) -> u64 {
    let (mut gaps, mut work) = (stream(Purpose::Arrival), stream(Purpose::Service));
    let mut waits = Histogram::default();
    let leaves = servers.next_power_of_two();
    let bits = leaves.ilog2();
    let mut nodes = vec![u64::MAX; 2 * leaves];
    let set = |nodes: &mut Vec<u64>, server: usize, free: u64| {
        let mut node = leaves + server;
        let mut winner = free << bits | server as u64;
        nodes[node] = winner;
        while node > 1 {
            winner = winner.min(nodes[node ^ 1]);
            node >>= 1;
            nodes[node] = winner;
        }
    };
    (0..servers).for_each(|server| set(&mut nodes, server, 0));
    let gap = 1e9 / (0.8 * servers as f64);
    let mut now = 0;
    for _ in 0..messages {
        now += exponential(gap, &mut gaps) as u64;
        let (free, server) = (nodes[1] >> bits, nodes[1] as usize & (leaves - 1));
        let start = free.max(now);
        waits.record(SimDuration::from_nanos(start - now));
        set(
            &mut nodes,
            server,
            start + exponential(1e9, &mut work) as u64,
        );
    }
    black_box(waits.mean());
    messages
}

/// The 90 s outage of the worked example: constant arrivals and work, 60 consumers in phase, a
/// bound of 100,000, until the queue is empty.
pub(crate) fn outage() -> u64 {
    const PERIOD: u64 = 2;
    const SERVICE: u64 = 96;
    let mut waiting: VecDeque<u64> = VecDeque::with_capacity(100_000);
    let mut waits = Histogram::default();
    let (mut arrival, mut offered, mut rejected) = (1, 0_u64, 0_u64);
    let mut pull = 90 * 2_400;
    loop {
        while arrival < pull {
            offered += 1;
            if waiting.len() < 100_000 {
                waiting.push_back(arrival);
            } else {
                rejected += 1;
            }
            arrival += PERIOD;
        }
        for _ in 0..60 {
            if let Some(since) = waiting.pop_front() {
                waits.record(SimDuration::from_nanos((pull - since) * 416_667));
            }
        }
        if waiting.is_empty() {
            break;
        }
        pull += SERVICE;
    }
    black_box((waits.mean(), rejected));
    offered
}
