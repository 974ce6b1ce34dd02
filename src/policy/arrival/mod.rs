//! Arrival processes: when messages come, and how many at once.
//!
//! Not who sends them and what happens when a queue refuses (that is the publish policy), and not
//! the law of one number ([`crate::random::law`]).
//!
//! [`Arrivals`] is the configuration; [`Source`] is one run through it, with the little state that
//! takes.

mod batch;
mod bursts;
mod clients;
mod constant;
mod daily;
mod flow;
mod on_off;
mod poisson;
mod renewal;
mod schedule;
#[cfg(test)]
mod testing;
mod trace;

pub use batch::Batch;
pub use bursts::{Again, Bursts};
pub use clients::{Clients, WaitFor};
pub use constant::Constant;
pub use daily::Daily;
pub use flow::Pacing;
pub use on_off::{OnOff, Phase};
pub use poisson::Poisson;
pub use renewal::Renewal;
pub use schedule::{Schedule, Step};
pub use trace::Trace;

use crate::input::{Data, Problem, Problems, Read, Value, Variant};
use crate::random::{Law, Stream};
use crate::units::{Rate, SimTime};

/// The next arrival: `count` messages at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// When.
    pub at: SimTime,
    /// How many come at once.
    pub count: u32,
}

/// A process of arrivals, as it is configured.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrivals {
    /// Evenly spaced.
    Constant(Constant),
    /// Independent of each other.
    Poisson(Poisson),
    /// Independent gaps of one law.
    Renewal(Renewal),
    /// So many at once, at a time or periodically.
    Bursts(Bursts),
    /// Two phases with a Poisson process each.
    OnOff(OnOff),
    /// A random number at each arrival of another process.
    Batch(Box<Batch>),
    /// A rate that follows a schedule.
    Schedule(Schedule),
    /// A rate that repeats every day.
    Daily(Daily),
    /// As recorded in a file.
    Trace(Trace),
    /// Clients that wait for an answer before they send again; the simulator drives them.
    Clients(Clients),
}

/// The gaps between arrivals in the words of queueing theory. Rates are per second.
#[derive(Clone, Debug, PartialEq)]
pub enum Interarrival {
    /// Evenly spaced (D).
    Constant {
        /// Arrivals a second.
        rate: f64,
    },
    /// Exponential gaps (M).
    Poisson {
        /// Arrivals a second.
        rate: f64,
    },
    /// Independent gaps of one law, in seconds (GI).
    Renewal(Law),
    /// Batches at exponential gaps (`M[X]`).
    PoissonBatches {
        /// Batches a second.
        rate: f64,
        /// E X of the number in a batch.
        mean_size: f64,
        /// E X² of it.
        mean_square: f64,
    },
}

/// Names of the processes, as they are written.
pub const NAMES: [&str; 10] = [
    "constant", "poisson", "renewal", "bursts", "on_off", "batch", "schedule", "daily", "trace",
    "clients",
];

impl Arrivals {
    /// A run through the process from its start. Of clients it is empty: they send when they have
    /// been answered, which only the simulator knows.
    pub fn source(&self) -> Source {
        Source(match self {
            Self::Constant(it) => State::Constant(it.source()),
            Self::Poisson(it) => State::Poisson(it.source()),
            Self::Renewal(it) => State::Renewal(it.source()),
            Self::Bursts(it) => State::Bursts(it.source()),
            Self::OnOff(it) => State::OnOff(it.source()),
            Self::Batch(it) => State::Batch(Box::new(it.source())),
            Self::Schedule(it) => State::Flow(it.flow().source(it.pacing())),
            Self::Daily(it) => State::Flow(it.flow().source(it.pacing())),
            Self::Trace(it) => State::Trace(it.source()),
            Self::Clients(_) => State::Ended,
        })
    }

    /// The instant after which the process stays as it is: the last of finitely many bursts, the
    /// end of the last change of a schedule, the end of a trace. `None` when it never changes, or
    /// has a steady pattern (endless bursts, days).
    pub fn last_change(&self) -> Option<SimTime> {
        match self {
            Self::Bursts(it) => it.last(),
            Self::Batch(it) => it.arrivals.last_change(),
            Self::Schedule(it) => it.last_change(),
            Self::Trace(it) => Some(it.end()),
            Self::Constant(_)
            | Self::Poisson(_)
            | Self::Renewal(_)
            | Self::OnOff(_)
            | Self::Daily(_)
            | Self::Clients(_) => None,
        }
    }

    /// The first instant at which it changes, if it has a [`last_change`](Self::last_change): the
    /// first burst, the first change of a schedule, the start of a trace.
    pub fn first_change(&self) -> Option<SimTime> {
        self.last_change()?;
        match self {
            Self::Bursts(it) => Some(SimTime::ZERO.saturating_add(it.at)),
            Self::Batch(it) => it.arrivals.first_change(),
            Self::Schedule(it) => it.first_change(),
            Self::Trace(_) => Some(SimTime::ZERO),
            Self::Constant(_)
            | Self::Poisson(_)
            | Self::Renewal(_)
            | Self::OnOff(_)
            | Self::Daily(_)
            | Self::Clients(_) => None,
        }
    }

    /// Whether it ends by itself.
    pub fn ends(&self) -> bool {
        match self {
            Self::Constant(it) => it.rate.is_zero(),
            Self::Poisson(it) => it.rate.is_zero(),
            Self::Bursts(it) => it.last().is_some(),
            Self::Batch(it) => it.arrivals.ends(),
            Self::Schedule(it) => it.last_rate().is_zero(),
            Self::Trace(_) => true,
            Self::Renewal(_) | Self::OnOff(_) | Self::Daily(_) | Self::Clients(_) => false,
        }
    }

    /// Whether chance has a part in it.
    pub fn is_random(&self) -> bool {
        match self {
            Self::Poisson(_) | Self::OnOff(_) => true,
            Self::Renewal(it) => it.gaps.as_constant().is_none(),
            Self::Batch(it) => it.size.law().variance() > 0.0 || it.arrivals.is_random(),
            Self::Schedule(it) => it.pacing() == Pacing::Poisson,
            Self::Daily(it) => it.pacing() == Pacing::Poisson,
            Self::Clients(it) => it.think.as_constant().is_none(),
            Self::Constant(_) | Self::Bursts(_) | Self::Trace(_) => false,
        }
    }

    /// Messages a second in the long run: of a schedule its last rate; `None` where there is no
    /// such number (finitely many bursts, a trace, clients).
    pub fn mean_rate(&self) -> Option<f64> {
        match self {
            Self::Constant(it) => Some(it.rate.as_per_second()),
            Self::Poisson(it) => Some(it.rate.as_per_second()),
            Self::Renewal(it) => it.mean_rate(),
            Self::Bursts(it) => it.mean_rate(),
            Self::OnOff(it) => Some(it.mean_rate()),
            Self::Batch(it) => it.mean_rate(),
            Self::Schedule(it) => Some(it.last_rate().as_per_second()),
            Self::Daily(it) => Some(it.mean_rate()),
            Self::Trace(_) | Self::Clients(_) => None,
        }
    }

    /// The flow of messages up to `horizon`: rates per second, each from its instant in seconds
    /// to the next one's, the first from zero. What is random flows at its mean rate, a ramp in
    /// steps, a burst within a millisecond. `None` where there is no flow (clients, gaps of
    /// infinite mean).
    pub fn rate_segments(&self, horizon: SimTime) -> Option<Vec<(f64, f64)>> {
        match self {
            Self::Constant(it) => {
                let from = it.offset.as_secs_f64();
                let mut segments = vec![(from, it.rate.as_per_second())];
                if from > 0.0 {
                    segments.insert(0, (0.0, 0.0));
                }
                Some(segments)
            }
            Self::Poisson(_) | Self::Renewal(_) | Self::OnOff(_) => {
                self.mean_rate().map(|rate| vec![(0.0, rate)])
            }
            Self::Bursts(it) => Some(it.segments(horizon)),
            Self::Batch(it) => it.segments(horizon),
            Self::Schedule(it) => Some(it.flow().segments(horizon)),
            Self::Daily(it) => Some(it.flow().segments(horizon)),
            Self::Trace(it) => Some(it.segments()),
            Self::Clients(_) => None,
        }
    }

    /// The process in the words of queueing theory, where they have one for it.
    pub fn interarrival(&self) -> Option<Interarrival> {
        match self {
            Self::Constant(it) => Some(Interarrival::Constant {
                rate: it.rate.as_per_second(),
            }),
            Self::Poisson(it) => Some(Interarrival::Poisson {
                rate: it.rate.as_per_second(),
            }),
            Self::Renewal(it) => Some(Interarrival::Renewal(it.gaps.law().clone())),
            Self::OnOff(it) => it.interarrival(),
            Self::Batch(it) => it.interarrival(),
            Self::Bursts(_)
            | Self::Schedule(_)
            | Self::Daily(_)
            | Self::Trace(_)
            | Self::Clients(_) => None,
        }
    }
}

impl Read for Arrivals {
    const EXPECTS: &'static str = "a process such as { poisson = { rate = \"1200/s\" } }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        if let Data::String(text) = &value.data
            && text.parse::<Rate>().is_ok()
        {
            let title = format!("the rate {text} alone is not a process of arrivals");
            let problem = Problem::error(title, value.span.clone(), "even, or random?");
            problems.file(problem.help(format!(
                "write `{{ constant = {{ rate = \"{text}\" }} }}`, evenly spaced, or `{{ poisson = \
                 {{ rate = \"{text}\" }} }}`, at random"
            )));
            return None;
        }
        let variant = Variant::of(value, "a process of arrivals", &NAMES, problems)?;
        let plain = matches!(variant.name, "constant" | "poisson");
        if plain && variant.refuses_plain("rate", problems) {
            return None;
        }
        match (variant.name, variant.body) {
            ("renewal", Some(body)) => return Renewal::read(body, problems).map(Self::Renewal),
            ("schedule", Some(body)) => return Schedule::read(body, problems).map(Self::Schedule),
            _ => {}
        }
        let mut fields = variant.fields(problems)?;
        let keys = &mut fields;
        let arrivals = match variant.name {
            "constant" => Constant::read(keys, problems).map(Self::Constant),
            "poisson" => Poisson::read(keys, problems).map(Self::Poisson),
            "bursts" => Bursts::read(keys, problems).map(Self::Bursts),
            "on_off" => OnOff::read(keys, problems).map(Self::OnOff),
            "batch" => Batch::read(keys, problems).map(Box::new).map(Self::Batch),
            "daily" => Daily::read(keys, problems).map(Self::Daily),
            "trace" => Trace::read(keys, problems).map(Self::Trace),
            "clients" => Clients::read(keys, problems).map(Self::Clients),
            _ => None,
        };
        fields.close(problems);
        arrivals
    }
}

/// One run through a process.
#[derive(Clone, Debug)]
pub struct Source(State);

#[derive(Clone, Debug)]
enum State {
    Constant(constant::Source),
    Poisson(poisson::Source),
    Renewal(renewal::Source),
    Bursts(bursts::Source),
    OnOff(on_off::Source),
    Batch(Box<batch::Source>),
    Flow(flow::Source),
    Trace(trace::Source),
    Ended,
}

impl Source {
    /// The next arrival, never earlier than the one before; `None` when there is none, or none
    /// that the clock can hold.
    #[inline(always)]
    pub fn next(&mut self, stream: &mut Stream) -> Option<Next> {
        match &mut self.0 {
            State::Constant(source) => source.next(),
            State::Poisson(source) => source.next(stream),
            State::Renewal(_)
            | State::Bursts(_)
            | State::OnOff(_)
            | State::Batch(_)
            | State::Flow(_)
            | State::Trace(_)
            | State::Ended => self.next_of_a_rarer_one(stream),
        }
    }

    /// Kept out of the loop of a simulation, which is mostly of the plain ones.
    fn next_of_a_rarer_one(&mut self, stream: &mut Stream) -> Option<Next> {
        match &mut self.0 {
            State::Constant(source) => source.next(),
            State::Poisson(source) => source.next(stream),
            State::Renewal(source) => source.next(stream),
            State::Bursts(source) => source.next(),
            State::OnOff(source) => source.next(stream),
            State::Batch(source) => source.next(stream),
            State::Flow(source) => source.next(stream),
            State::Trace(source) => source.next(),
            State::Ended => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{problems, read, run};
    use super::*;

    const EVERY: [&str; 8] = [
        "{ constant = { rate = \"7/s\", offset = \"3ms\" } }",
        "{ poisson = { rate = \"7/s\" } }",
        "{ renewal = { lognormal = { mean = \"40ms\", cv = 2 } } }",
        "{ bursts = { size = 3, every = \"100ms\" } }",
        "{ on_off = { on = \"70/s\", off = \"1/s\", mean_on = \"1s\", mean_off = \"1s\" } }",
        "{ batch = { arrivals = { poisson = { rate = \"7/s\" } }, size = 4 } }",
        "{ schedule = { steps = [{ from = \"1s\", rate = \"9/s\", ramp = \"5s\" }, \
           { from = \"9s\", rate = \"2/s\", ramp = \"9s\" }], pacing = \"poisson\" } }",
        "{ daily = { mean = \"9/h\", amplitude = \"100%\", peak = \"14h\" } }",
    ];

    #[test]
    fn time_never_goes_back_and_the_same_stream_gives_the_same_arrivals() {
        for text in EVERY {
            let all = run(&read(text), 2_000);
            assert_eq!(all.len(), 2_000, "{text}");
            assert!(all.windows(2).all(|pair| pair[0].0 <= pair[1].0), "{text}");
            assert_eq!(all, run(&read(text), 2_000), "{text}");
            assert!(all.iter().all(|(_, count)| *count > 0), "{text}");
        }
    }

    #[test]
    fn what_is_random_differs_between_streams() {
        use crate::random::{Purpose, Seed, StreamKey};
        for text in EVERY {
            let arrivals = read(text);
            let with = |seed| {
                let key = StreamKey::named(Seed(seed), 0, "producers.test", Purpose::Arrival);
                let (mut source, mut stream) = (arrivals.source(), key.stream());
                let next = std::iter::from_fn(|| source.next(&mut stream));
                next.take(20).collect::<Vec<_>>()
            };
            assert_eq!(with(1) != with(2), arrivals.is_random(), "{text}");
        }
    }

    #[test]
    fn an_unknown_process_is_met_with_the_near_one() {
        let told = problems("{ poison = { rate = \"7/s\" } }");
        assert!(told.contains("did you mean `poisson`?"), "{told}");
        assert!(problems("{ constant = { rat = \"7/s\" } }").contains("did you mean `rate`?"));
    }

    #[test]
    fn a_source_is_small() {
        assert!(size_of::<Source>() <= 96, "{}", size_of::<Source>());
    }
}
