//! The reference tables as models: a row is a model to simulate, a metric, and its exact value.
//!
//! Not the comparison.

use std::collections::BTreeMap;

use queuecast::model::{Counts, Id, InFlight, Model, Outage, Restart, Stop, Windows};
use queuecast::policy::arrival::{Arrivals, Batch, Constant, Poisson, Renewal};
use queuecast::random::law::{
    CountLaw, DurationLaw, Erlang, Exponential, Gamma, Hyperexponential, Law, Lognormal, Uniform,
};
use queuecast::units::{Rate, Ratio, SimDuration, SimTime};

pub(crate) type Params = BTreeMap<String, String>;

/// One case of a table: its model's name, parameters, and exact values.
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) model: String,
    pub(crate) params: Params,
    pub(crate) values: BTreeMap<String, f64>,
}

/// The cases of a table, in order; values that are words are left out.
pub(crate) fn cases(table: &str) -> Vec<Case> {
    let path = format!("tests/data/reference/{table}.csv");
    let mut cases: Vec<Case> = Vec::new();
    for row in csv::Reader::from_path(path).unwrap().records() {
        let row = row.unwrap();
        if cases.last().is_none_or(|case| case.id != row[0]) {
            let params = row[2].split(';').map(|pair| pair.split_once('=').unwrap());
            cases.push(Case {
                id: row[0].into(),
                model: row[1].into(),
                params: params.map(|(k, v)| (k.into(), v.into())).collect(),
                values: BTreeMap::new(),
            });
        }
        if let Some(value) = row[4].parse().ok().filter(|value: &f64| value.is_finite()) {
            let case = cases.last_mut().unwrap();
            case.values.insert(row[3].into(), value);
        }
    }
    cases
}

/// `3`, `0.5`, or `1/0.8`.
pub(crate) fn number(text: &str) -> f64 {
    match text.split_once('/') {
        Some((above, below)) => number(above) / number(below),
        None => text.parse().unwrap(),
    }
}

impl Case {
    pub(crate) fn get(&self, key: &str) -> Option<f64> {
        self.params.get(key).map(|text| number(text))
    }

    pub(crate) fn servers(&self) -> u32 {
        self.get("c").map_or(1, |c| c as u32)
    }

    /// The law of `service`, or exponential of rate `mu`; `None` for laws without moments enough.
    fn service(&self) -> Option<DurationLaw> {
        match (self.params.get("service"), self.get("mu")) {
            (Some(text), _) => law(text, None),
            (None, Some(mu)) => Some(exponential(1.0 / mu)),
            (None, None) => None,
        }
    }

    /// The arrivals, of whatever form.
    pub(crate) fn arrivals(&self) -> Option<Arrivals> {
        if let Some(rate) = self.params.get("lambda") {
            return Some(poisson(rate));
        }
        if let Some(rate) = self.params.get("lambda_batches") {
            let size = self.params["batch"].strip_prefix("fixed(mean=")?;
            let size = size.trim_end_matches(')').parse().unwrap();
            return Some(Arrivals::Batch(Box::new(Batch {
                arrivals: poisson(rate),
                size: CountLaw::constant(size),
            })));
        }
        let text = self.params.get("arrivals")?;
        let mean = self.params.get("mean_interarrival");
        if text == "deterministic" {
            let rate = per_second(mean?.strip_prefix("1/")?);
            let offset = SimDuration::ZERO;
            return Some(Arrivals::Constant(Constant { rate, offset }));
        }
        let gaps = law(text, mean.map(|mean| number(mean)))?;
        Some(Arrivals::Renewal(Renewal { gaps }))
    }

    /// The model to simulate, not yet with an end; `None` for what is not simulated here.
    pub(crate) fn model(&self) -> Option<Model> {
        let (servers, service) = (self.servers(), self.service()?);
        let mut model = Model::plain(self.arrivals()?, servers, service, Stop::At(SimTime::ZERO));
        if let Some(places) = self.get("K") {
            let queue = &mut model.queues[Id::at(0)];
            let (places, servers) = (places as u64, u64::from(servers));
            // Both ways of counting say the same here.
            if places % 2 == 0 || places == servers {
                (queue.capacity, queue.counts) = (places, Counts::WaitingAndInFlight);
            } else {
                queue.capacity = places - servers;
            }
        }
        if let (Some(fails), Some(repairs)) = (self.get("failure_rate"), self.get("repair_rate")) {
            model.outages.push(Outage {
                fleet: Id::at(0),
                windows: Windows::Random {
                    up: exponential(1.0 / fails),
                    down: exponential(1.0 / repairs),
                },
                share: Ratio::ONE,
                in_flight: InFlight::Freeze,
                restart: Restart::InPhase,
            });
        }
        Some(model)
    }
}

pub(crate) fn exponential(mean: f64) -> DurationLaw {
    DurationLaw::new(Exponential::new(mean).unwrap().into())
}

pub(crate) fn per_second(text: &str) -> Rate {
    format!("{text}/s").parse().unwrap()
}

pub(crate) fn poisson(rate: &str) -> Arrivals {
    let rate = per_second(rate);
    Arrivals::Poisson(Poisson { rate })
}

/// `erlang(k=2,mean=1)`; `mean` where the text has none. `None` for laws of infinite or nearly
/// infinite variance, which no simulation of practical length confirms.
pub(crate) fn law(text: &str, mean: Option<f64>) -> Option<DurationLaw> {
    let (name, rest) = text.split_once('(').unwrap_or((text, ""));
    let parts: BTreeMap<&str, &str> = rest
        .trim_end_matches(')')
        .split(',')
        .filter_map(|part| part.split_once('='))
        .collect();
    let get = |key: &str| parts.get(key).map(|text| number(text));
    let mean = get("mean").or(mean);
    let law: Law = match name {
        "exponential" => Exponential::new(mean?).unwrap().into(),
        "deterministic" => {
            return Some(DurationLaw::constant(SimDuration::from_secs_rounded(mean?)));
        }
        "erlang" => Erlang::new(get("k")? as u32, mean?).unwrap().into(),
        "gamma" => Gamma::new(get("shape")?, mean?).unwrap().into(),
        "lognormal" => {
            let cv = get("scv")?.sqrt();
            Lognormal::from_mean_cv(mean?, cv).unwrap().into()
        }
        "hyperexp2" => match (get("p"), get("scv")) {
            (Some(p), _) => {
                let means = [1.0 / get("rate1")?, 1.0 / get("rate2")?];
                Hyperexponential::new(p, means).unwrap().into()
            }
            (None, Some(scv)) => {
                let balanced = Hyperexponential::from_mean_cv(mean?, scv.sqrt());
                balanced.unwrap().into()
            }
            (None, None) => return None,
        },
        "uniform" => match (get("low"), get("high")) {
            (Some(low), Some(high)) => Uniform::new(low, high).unwrap().into(),
            _ => Uniform::new(0.0, 2.0 * mean?).unwrap().into(),
        },
        _ => return None,
    };
    // Beyond these a mean wait is made by a few messages in a run.
    let most = if name == "lognormal" { 4.01 } else { 6.01 };
    (law.scv() < most).then(|| DurationLaw::new(law))
}
