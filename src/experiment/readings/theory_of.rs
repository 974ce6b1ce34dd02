//! The closed form of each queue: which it is, and what it says of the metrics.
//!
//! Not the formulas, which are in [`crate::theory`], nor the fluid.

use super::found::{Doubt, Found, LongRun, Told, Window, known, number, seconds};
use super::load_of::load;
use super::source_of::{Question, Source, law};
use super::station_of::{Breaks, Service, Steady, steady};
use crate::model::{Dependency, Model, Origin, QueueId};
use crate::outcome::How;
use crate::policy::order::Order;
use crate::random::Law;
use crate::theory::batch::BatchArrivals;
use crate::theory::breakdown::{Breakdowns, FailureClock};
use crate::theory::gim::GiMc;
use crate::theory::mmc::Mmc;
use crate::theory::priority::{Class, waits_many_servers, waits_non_preemptive};
use crate::theory::run_length::MmcWaiting;
use crate::theory::station::{self, Law as Known, Places, Refusal, Station, waits};
use crate::theory::transform::Transform;

/// The two-sided 99 % point of the normal law.
const Z_99: f64 = 2.575_829_303_548_901;

/// Percentiles of the histograms are within a bucket's width.
const BUCKET: f64 = 0.004;

const TAILS: [(&str, f64); 5] = [
    ("p50", 0.5),
    ("p90", 0.1),
    ("p95", 0.05),
    ("p99", 0.01),
    ("p999", 0.001),
];

/// What a form says.
struct Form {
    source: String,
    how: How,
    refused: f64,
    wait: f64,
    /// From the first delivery to the end of work, of the messages that are done.
    stay: f64,
    /// The same of all messages.
    held: f64,
    waits: [Option<f64>; 5],
    sojourns: [Option<f64>; 5],
}

/// All closed forms of a model.
pub(super) fn theory_of(model: &Model, window: Window) -> Told {
    let mut told = Told::default();
    for (queue, it) in model.queues.pairs() {
        let asked = Question {
            model,
            window,
            queue,
            downstream: &[],
        };
        let formed = steady(asked).and_then(|station| Ok((form(&station)?, station)));
        match formed {
            Ok((form, station)) => {
                told.found.extend(metrics(asked, &form, &station));
                told.notes.extend(by_priority(model, queue, &station));
            }
            Err(why) => {
                let load = load(asked);
                let waits = if load.is_empty() { "" } else { "its waits; " };
                told.none.push(format!("{}: {waits}{why}", it.name));
                told.found.extend(load);
            }
        }
    }
    let of = |it: &Dependency| format!("{}: calls are simulated only", it.name);
    told.none.extend(model.dependencies.iter().map(of));
    told
}

fn form(station: &Steady<'_>) -> Result<Form, String> {
    if station.utilization() >= 1.0 - 1e-12 && station.places == Places::Unlimited {
        return Err(format!(
            "not steady: {:.4} messages a second come and its consumers can do {:.4}, so what \
             waits grows for ever",
            station.source.rate(),
            station.source.rate() / station.utilization(),
        ));
    }
    match (&station.source, station.breaks) {
        (_, Some(breaks)) => broken(station, breaks),
        (Source::Batches { rate, mean, square }, None) => batches(station, (*rate, *mean, *square)),
        (Source::Poisson(rate), None) => {
            by_station(station, Known::Known(Transform::exponential(1.0 / rate)))
        }
        (Source::Renewal(gaps), None) => by_station(station, law(gaps)),
    }
}

fn only_means(source: String, wait: f64, stay: f64) -> Form {
    Form {
        source,
        how: How::Exact,
        refused: 0.0,
        wait,
        stay,
        held: stay,
        waits: [None; 5],
        sojourns: [None; 5],
    }
}

fn broken(station: &Steady<'_>, breaks: Breaks) -> Result<Form, String> {
    let rate = station.source.rate();
    let mu = 1.0 / station.service.mean();
    let clock = FailureClock::Always;
    let form = Breakdowns::new(rate, mu, 1.0 / breaks.up, 1.0 / breaks.down, clock)
        .map_err(|error| error.to_string())?;
    let source = "M/M/1 with breakdowns".to_owned();
    Ok(only_means(source, form.mean_wait(), form.mean_completion()))
}

fn batches(station: &Steady<'_>, (rate, mean, square): (f64, f64, f64)) -> Result<Form, String> {
    let exponential = matches!(station.service, Service::Drawn(Law::Exponential(_)));
    if !exponential || station.handlers != 1 || station.places != Places::Unlimited {
        return Err(
            "with batches the closed form is for one handler and exponential service".to_owned(),
        );
    }
    let stay = station.service.mean();
    let form =
        BatchArrivals::new(rate, mean, square, 1.0 / stay).map_err(|error| error.to_string())?;
    Ok(only_means("M[X]/M/1".to_owned(), form.mean_wait(), stay))
}

fn by_station(station: &Steady<'_>, arrivals: Known) -> Result<Form, String> {
    let service = station.service.law();
    let waits = waits(&Station {
        arrivals,
        service,
        servers: station.handlers,
        places: station.places,
    });
    let waits = waits.map_err(|refusal| match refusal {
        Refusal::TooLight { rho } => format!(
            "approximations from two moments are not trusted below 80 % load, and this is {:.0} %",
            rho * 100.0
        ),
        Refusal::InfiniteVariance => "a law without a variance has no closed form here".to_owned(),
        Refusal::Unstable { .. } | Refusal::NoStation | Refusal::BoundedPlaces => {
            refusal.to_string()
        }
    })?;
    if !waits.mean.is_finite() {
        return Err("its mean wait is infinite: the service has no variance".to_owned());
    }
    Ok(Form {
        source: name(waits.source, station),
        how: match waits.how {
            station::How::Exact => How::Exact,
            station::How::Approximate => How::Approximate,
        },
        refused: waits.refused,
        wait: waits.mean,
        stay: station.service.stay(),
        held: service.mean(),
        waits: [waits.p50, waits.p90, waits.p95, waits.p99, waits.p999],
        sojourns: sojourns(station, arrivals),
    })
}

/// The name with its numbers: `M/M/60`.
fn name(form: &str, station: &Steady<'_>) -> String {
    let c = station.handlers;
    let drawn = match &station.service {
        Service::Drawn(law) => *law,
        Service::Attempts(_, handled) => {
            let form = form.replace("/c", &format!("/{c}"));
            return format!("{form}, {} attempts each", number(handled.total.attempts));
        }
    };
    let stages = match drawn {
        Law::Erlang(_) | Law::Gamma(_) => "E2",
        Law::Hyperexponential(_) => "H2",
        Law::Constant(_)
        | Law::Exponential(_)
        | Law::Uniform(_)
        | Law::Lognormal(_)
        | Law::Weibull(_)
        | Law::Pareto(_)
        | Law::Mixture(_)
        | Law::Empirical(_) => "PH",
    };
    let even = matches!(&station.source, Source::Renewal(Law::Constant(_)));
    let form = form
        .replace("PH", stages)
        .replace("GI", if even { "D" } else { "GI" });
    let form = form.replace("/c", &format!("/{c}"));
    match station.places {
        Places::Bounded(room) => form.replace("/K", &format!("/{}", room + u64::from(c))),
        Places::Unlimited => form,
    }
}

/// Percentiles of the sojourn, where wait and service are both exponential.
fn sojourns(station: &Steady<'_>, arrivals: Known) -> [Option<f64>; 5] {
    if !station.service.is_exponential() || station.places != Places::Unlimited {
        return [None; 5];
    }
    let mu = 1.0 / station.service.mean();
    if let Source::Poisson(rate) = station.source {
        let form = Mmc::new(rate, mu, station.handlers.into()).ok();
        return TAILS.map(|(_, tail)| form.map(|form| form.sojourn_exceeded_with(tail)));
    }
    let form = match arrivals {
        Known::Known(law) => GiMc::new(&law, mu, station.handlers).ok(),
        Known::Moments { .. } => None,
    };
    TAILS.map(|(_, tail)| form.as_ref().map(|form| form.sojourn_exceeded_with(tail)))
}

/// What the form says of each metric.
fn metrics(asked: Question<'_>, form: &Form, station: &Steady<'_>) -> Vec<Found> {
    let model = asked.model;
    let queue = &model.queues[asked.queue];
    let rate = station.source.rate() * (1.0 - form.refused);
    let work = station.service.mean();
    let handlers = f64::from(station.handlers);
    let scatter = Scatter::of(station, asked.window);
    let assumes = long_run(station);
    let mut all = Vec::new();
    let mut add = |metric: String, value: f64, grain: f64, scatter: Option<f64>| {
        all.push(Found {
            metric,
            queue: asked.queue,
            known: known(Some(value), form.how, &form.source),
            grain,
            scatter,
            assumes: Some(assumes),
        });
    };
    let of = |metric: &str| format!("{}.{metric}", queue.name);
    // At the edges of the run there is work that is half done, or not begun.
    let span = asked.window.span().filter(|span| *span > 0.0);
    let edge = |held: f64| span.map_or(0.0, |span| held / span);
    let present = rate * (form.wait + form.held) + 1.0;
    add(of("wait.mean"), form.wait, 1e-9, scatter.wait);
    add(
        of("sojourn.mean"),
        form.wait + form.stay,
        1e-9,
        scatter.sojourn,
    );
    add(of("depth.mean"), rate * form.wait, 0.0, scatter.depth);
    let busy = rate * form.held;
    let edge_busy = edge(present * work);
    add(of("in_flight.mean"), busy, edge_busy, scatter.busy);
    let done = rate * (1.0 - station.service.given_up());
    add(of("goodput"), done, edge(present), scatter.rate);
    if station.places != Places::Unlimited {
        add(of("rejected_share"), form.refused, 0.0, None);
    }
    if let (Some(fleet), None) = (station.fleet, station.breaks) {
        let per = |x: f64| x / handlers;
        let metric = format!("{}.utilization", model.fleets[fleet].name);
        add(metric, per(busy), per(edge_busy), scatter.busy.map(per));
    }
    // Whichever message goes next, the mean is the same; the percentiles are not.
    if queue.order == Order::Fifo {
        for (kind, values) in [("wait", form.waits), ("sojourn", form.sojourns)] {
            for ((tail, _), value) in TAILS.iter().zip(values) {
                if let Some(value) = value {
                    add(
                        of(&format!("{kind}.{tail}")),
                        value,
                        1e-9 + BUCKET * value,
                        None,
                    );
                }
            }
        }
    }
    all
}

/// Half of the 99 % interval of one run, metric by metric, where the variance is known: of what is
/// done and of the work in it from renewal theory, of what waits from the chain of M/M/c.
#[derive(Default)]
struct Scatter {
    wait: Option<f64>,
    sojourn: Option<f64>,
    depth: Option<f64>,
    busy: Option<f64>,
    rate: Option<f64>,
}

impl Scatter {
    fn of(station: &Steady<'_>, window: Window) -> Self {
        let Some(span) = window.span().filter(|span| *span > 0.0) else {
            return Self::default();
        };
        if station.places != Places::Unlimited || station.breaks.is_some() {
            return Self::default();
        }
        let (rate, work) = (station.source.rate(), station.service.mean());
        let (ca2, cs2) = (station.source.scv(), station.service.scv());
        let half = |variance: f64| Z_99 * (variance / span).sqrt();
        let depth = chain(station).map(|it| half(it.asymptotic_variance()));
        // Little's law holds of the averages of a long run as well.
        let wait = depth.map(|depth| depth / rate);
        let service = half(work * work * cs2 / rate);
        Self {
            wait,
            sojourn: wait.map(|wait| wait.hypot(service)),
            depth,
            busy: Some(half(rate * work * work * (ca2 + cs2))),
            rate: (station.service.given_up() <= 0.0).then(|| half(rate * ca2)),
        }
    }
}

fn chain(station: &Steady<'_>) -> Option<MmcWaiting> {
    let markov = matches!(station.source, Source::Poisson(_)) && station.service.is_exponential();
    let mu = 1.0 / station.service.mean();
    let form = MmcWaiting::new(station.source.rate(), mu, station.handlers);
    form.ok()
        .filter(|_| markov && station.places == Places::Unlimited && station.breaks.is_none())
}

/// How long the station remembers: the inverse of the spectral gap of M/M/1(/K) at the rate of the
/// whole crew (Morse 1955, cited from memory), stretched by the variation, or a service time.
pub(super) fn long_run(station: &Steady<'_>) -> LongRun {
    let rate = station.source.rate();
    let able = rate / station.utilization();
    let scv = [station.source.scv(), station.service.scv()];
    let (places, cosine) = match station.places {
        Places::Unlimited => (f64::INFINITY, 1.0),
        Places::Bounded(room) => {
            let room = room as f64;
            (room, (std::f64::consts::PI / (room + 2.0)).cos())
        }
    };
    let gap = rate + able - 2.0 * (rate * able).sqrt() * cosine;
    let stretched = f64::midpoint(scv[0], scv[1]) / gap;
    LongRun {
        relaxation: stretched.max(station.service.mean()),
        one_percent: chain(station).map(|it| it.time_for_1pct_95()),
        scv,
        places,
        doubt: Doubt::Moments,
    }
}

/// Cobham's waits, class by class, where messages have priorities and the form is known.
fn by_priority(model: &Model, queue: QueueId, station: &Steady<'_>) -> Option<String> {
    let unbroken = station.breaks.is_none() && station.places == Places::Unlimited;
    if model.queues[queue].order != Order::Priority || !unbroken {
        return None;
    }
    if !matches!(station.source, Source::Poisson(_)) {
        return None;
    }
    let mut rates = std::collections::BTreeMap::new();
    for producer in model
        .producers
        .iter()
        .filter(|it| it.queues.contains(&queue))
    {
        let Origin::Arrivals { arrivals, .. } = &producer.origin else {
            return None;
        };
        let priority = producer.priority.law();
        if priority.variance() > 0.0 {
            return None;
        }
        let level = priority.mean().round_ties_even() as u64;
        *rates.entry(level).or_insert(0.0) += arrivals.mean_rate()?;
    }
    let (levels, rates): (Vec<u64>, Vec<f64>) = rates.into_iter().rev().unzip();
    let mean = station.service.mean();
    let waits = if station.service.is_exponential() {
        waits_many_servers(&rates, 1.0 / mean, station.handlers.into()).ok()?
    } else if station.handlers == 1 {
        let second_moment = mean * mean * (1.0 + station.service.scv());
        let class = |lambda: &f64| Class {
            lambda: *lambda,
            mean,
            second_moment,
        };
        waits_non_preemptive(&rates.iter().map(class).collect::<Vec<_>>()).ok()?
    } else {
        return None;
    };
    let each = levels.iter().zip(&waits);
    let each: Vec<_> = each
        .map(|(level, wait)| format!("priority {level} waits {}", seconds(*wait)))
        .collect();
    let name = &model.queues[queue].name;
    (levels.len() > 1).then(|| format!("{name}: mean waits (Cobham): {}", each.join(", ")))
}
