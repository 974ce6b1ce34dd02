//! The laws, as they are listed for people: parameters, meaning, and an example each.
//!
//! Not their mathematics; a test holds the examples to the readers.

/// A law of random numbers as it is written in a scenario.
#[derive(Clone, Copy, Debug)]
pub(super) struct Law {
    pub(super) name: &'static str,
    pub(super) takes: &'static str,
    pub(super) doc: &'static str,
    /// What is written in place of a quantity.
    pub(super) example: &'static str,
}

macro_rules! laws {
    ($($name:literal, $takes:literal, $example:literal, $doc:literal;)*) => {
        &[$(Law { name: $name, takes: $takes, doc: $doc, example: $example }),*]
    };
}

/// Every law, in the order of how often people need it.
pub(super) const LAWS: &[Law] = laws! {
    "constant", "a quantity", "40ms",
        "always the same; a plain quantity is this";
    "exponential", "{ mean } or { rate }", "{ exponential = { mean = \"40ms\" } }",
        "without memory; cv 1";
    "uniform", "{ min, max }", "{ uniform = { min = \"20ms\", max = \"60ms\" } }",
        "anything between two ends alike";
    "erlang", "{ k, mean }", "{ erlang = { k = 4, mean = \"40ms\" } }",
        "the sum of k exponentials; steadier than one";
    "gamma", "{ mean, cv } or { shape, mean }", "{ gamma = { mean = \"40ms\", cv = 0.5 } }",
        "like erlang, for any cv";
    "hyperexponential", "{ mean, cv } or { p, means }",
        "{ hyperexponential = { mean = \"40ms\", cv = 3 } }",
        "one of two exponentials; wilder than one, cv at least 1";
    "lognormal", "two of mean, cv, p50 and other quantiles; p99 at most 14.97 times mean",
        "{ lognormal = { mean = \"40ms\", p99 = \"200ms\" } }",
        "the usual shape of latencies: many short, a few long";
    "weibull", "{ shape, mean }, { shape, scale }, or two quantiles",
        "{ weibull = { mean = \"40ms\", shape = 0.7 } }",
        "an exponential that is stretched (shape below 1) or compressed";
    "pareto", "{ alpha, mean } or { alpha, min }",
        "{ pareto = { alpha = 2.5, mean = \"40ms\" } }",
        "a power-law tail: rare, and very long";
    "mixture", "a list of { weight, law }",
        "{ mixture = [{ weight = 9, law = \"20ms\" }, { weight = 1, law = \"220ms\" }] }",
        "one of several laws, by weight";
    "empirical", "{ file, column } or { quantiles }",
        "{ empirical = { quantiles = { p50 = \"30ms\", p90 = \"80ms\", p99 = \"400ms\" } } }",
        "what was measured: values in a CSV file, or a few quantiles";
};

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::random::law::NAMES;
    use crate::scenario::Scenario;

    #[test]
    fn every_law_is_listed_once() {
        let mut listed: Vec<_> = LAWS.iter().map(|law| law.name).collect();
        let mut known = NAMES.to_vec();
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
    }

    #[test]
    fn every_example_is_read() {
        let starter = include_str!("starter.toml");
        for law in LAWS {
            let set = format!("consumers.fleet.service={}", law.example);
            let read = Scenario::from_text("s.toml", starter, &[set], Path::new(""));
            read.unwrap_or_else(|failure| panic!("{}: {failure}", law.name));
        }
    }
}
