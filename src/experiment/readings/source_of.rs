//! The arrivals at a queue in the words of queueing theory: one process out of all its sources, or
//! the reason why theory has no word for it.
//!
//! Not the flow, which needs no word.

use super::found::Window;
use super::station_of::{Service, Steady, steady};
use crate::model::{FleetId, Model, Origin, Producer, QueueId};
use crate::policy::arrival::{Arrivals, Interarrival};
use crate::random::Law;
use crate::theory::station::{self, Places};
use crate::units::SimTime;

/// A source that ends before this share of the run is no steady load.
const LASTS: f64 = 0.95;

/// Who asks: of which queue, in which window, and which queues lie downstream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'a> {
    pub(super) model: &'a Model,
    pub(super) window: Window,
    pub(super) queue: QueueId,
    /// Queues that have been asked before: their messages come from here.
    pub(super) downstream: &'a [QueueId],
}

/// The arrivals at a queue.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Source {
    /// Exponential gaps, or several of these.
    Poisson(f64),
    /// Gaps of one law.
    Renewal(Law),
    /// Batches at exponential gaps.
    Batches { rate: f64, mean: f64, square: f64 },
}

impl Source {
    /// Messages a second.
    pub(super) fn rate(&self) -> f64 {
        match self {
            Self::Poisson(rate) => *rate,
            Self::Renewal(gaps) => 1.0 / gaps.mean(),
            Self::Batches { rate, mean, .. } => rate * mean,
        }
    }

    /// Variance of the count in a long time over its mean.
    pub(super) fn scv(&self) -> f64 {
        match self {
            Self::Poisson(_) => 1.0,
            Self::Renewal(gaps) => gaps.scv(),
            Self::Batches { mean, square, .. } => square / mean,
        }
    }
}

/// The arrivals at the queue in question.
pub(super) fn source_of(asked: Question<'_>) -> Result<Source, String> {
    let mut sources = Vec::new();
    let all = asked.model.producers.iter();
    for producer in all.filter(|producer| producer.queues.contains(&asked.queue)) {
        sources.push(match &producer.origin {
            Origin::Arrivals { .. } => of_producer(producer, asked)?,
            Origin::Fleet(fleet) => of_stage(*fleet, producer, asked)?,
        });
    }
    sources.retain(|source| source.rate() > 0.0);
    let poisson = |source: &Source| matches!(source, Source::Poisson(_));
    match sources.as_slice() {
        [] => Err("nobody publishes to it".to_owned()),
        [_] => Ok(sources.remove(0)),
        several if several.iter().all(poisson) => {
            Ok(Source::Poisson(several.iter().map(Source::rate).sum()))
        }
        _ => Err(
            "it has several sources that are not all Poisson; closed forms are for one renewal \
             source, or for Poisson sources together"
                .to_owned(),
        ),
    }
}

fn of_producer(producer: &Producer, asked: Question<'_>) -> Result<Source, String> {
    let Origin::Arrivals {
        start,
        arrivals,
        count,
        until,
    } = &producer.origin
    else {
        return Err(format!("{} has no arrivals of its own", producer.name));
    };
    let Some(words) = arrivals.interarrival() else {
        return Err(format!(
            "{} {}; closed forms are for steady arrivals with independent gaps",
            producer.name,
            habit(arrivals)
        ));
    };
    let source = match words {
        Interarrival::Poisson { rate } => Source::Poisson(rate),
        Interarrival::Constant { rate } if rate > 0.0 => {
            let gap = crate::random::law::Constant::new(1.0 / rate);
            Source::Renewal(
                gap.map_err(|_| "its arrivals have no gap".to_owned())?
                    .into(),
            )
        }
        Interarrival::Constant { .. } => Source::Poisson(0.0),
        Interarrival::Renewal(gaps) => Source::Renewal(gaps),
        Interarrival::PoissonBatches {
            rate,
            mean_size,
            mean_square,
        } => Source::Batches {
            rate,
            mean: mean_size,
            square: mean_square,
        },
    };
    let start = start.as_secs_f64();
    if start > asked.window.from {
        return Err(format!(
            "{} starts in the run; closed forms are for steady load",
            producer.name
        ));
    }
    let by_count = count.map(|count| start + count as f64 / source.rate());
    let ends = [until.map(SimTime::as_secs_f64), by_count];
    let ends = ends.into_iter().flatten().fold(f64::INFINITY, f64::min);
    if asked.window.end.is_some_and(|end| ends < LASTS * end) {
        return Err(format!(
            "{} ends in the run; closed forms are for steady load",
            producer.name
        ));
    }
    Ok(source)
}

/// What a process does that has no word.
fn habit(arrivals: &Arrivals) -> &'static str {
    match arrivals {
        Arrivals::Bursts(_) => "sends in bursts",
        Arrivals::Schedule(_) | Arrivals::Daily(_) => "changes its rate over time",
        Arrivals::Trace(_) => "follows a trace",
        Arrivals::Clients(_) => "waits for answers before it sends again",
        Arrivals::OnOff(_) => "goes on and off without being silent in between",
        Arrivals::Batch(_) => "sends batches at gaps that are not exponential",
        Arrivals::Constant(_) | Arrivals::Poisson(_) | Arrivals::Renewal(_) => {
            "has gaps that are not known"
        }
    }
}

/// A stage is followed upstream so far: where stages join, each step may double the work.
const MOST_STAGES: usize = 8;

/// Burke (1956): what leaves M/M/c in steady state is Poisson at the rate of what comes.
fn of_stage(fleet: FleetId, producer: &Producer, asked: Question<'_>) -> Result<Source, String> {
    let model = asked.model;
    let refused = || {
        format!(
            "its messages are the completions of {}, which are Poisson only behind M/M/c, one \
             copy each (Burke)",
            producer.name
        )
    };
    if asked.downstream.len() >= MOST_STAGES {
        return Err(format!(
            "it stands behind more than {MOST_STAGES} stages, and is not followed further"
        ));
    }
    let upstream = model.fleets[fleet].queue;
    let copies = model.fleets[fleet].publishes.map(|it| it.copies);
    if copies != Some(1) || upstream == asked.queue || asked.downstream.contains(&upstream) {
        return Err(refused());
    }
    let mut downstream = asked.downstream.to_vec();
    downstream.push(asked.queue);
    let before = steady(Question {
        queue: upstream,
        downstream: &downstream,
        ..asked
    });
    match before {
        Ok(before @ Steady { fleet: Some(_), .. }) if is_mmc(&before) => {
            Ok(Source::Poisson(before.source.rate()))
        }
        Ok(_) | Err(_) => Err(refused()),
    }
}

fn is_mmc(steady: &Steady<'_>) -> bool {
    matches!(steady.source, Source::Poisson(_))
        && matches!(steady.service, Service::Drawn(Law::Exponential(_)))
        && steady.places == Places::Unlimited
        && steady.breaks.is_none()
        && steady.utilization() < 1.0
}

/// A law of the model as theory knows it.
pub(super) fn law(law: &Law) -> station::Law {
    use crate::theory::transform::Transform;
    let mean = law.mean();
    station::Law::Known(match law {
        Law::Constant(_) => Transform::Deterministic { mean },
        Law::Exponential(_) => Transform::exponential(mean),
        Law::Erlang(it) => Transform::Gamma {
            mean,
            shape: f64::from(it.stages()),
        },
        Law::Gamma(_) => Transform::Gamma {
            mean,
            shape: 1.0 / law.scv(),
        },
        Law::Hyperexponential(it) => Transform::Hyperexponential {
            weight: it.p(),
            rates: it.means().map(|mean| 1.0 / mean),
        },
        Law::Uniform(_) => Transform::Uniform {
            low: law.quantile(0.0),
            high: law.max(),
        },
        Law::Lognormal(_) => Transform::Lognormal {
            mean,
            scv: law.scv(),
        },
        Law::Weibull(_) | Law::Pareto(_) | Law::Mixture(_) | Law::Empirical(_) => {
            return station::Law::Moments {
                mean,
                scv: law.scv(),
                third: Some(law.third_moment()).filter(|third| third.is_finite()),
            };
        }
    })
}
