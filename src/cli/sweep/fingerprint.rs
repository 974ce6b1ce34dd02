//! What tells one sweep from another: a number that changes with anything that changes a result.
//!
//! Not a seal against bad intent: 64 bits tell sweeps apart that honest people make.

use std::fmt::Write;

use crate::report::sweep::Fnv;
use crate::scenario::{Grid, Scenario};

/// The fingerprint of a sweep: of the version, the text of the scenario, the model that is made of
/// it with all assignments (and with the numbers of the files that it names), and of the keys that
/// vary with their values.
pub(super) fn fingerprint(scenario: &Scenario, grid: &Grid<'_>) -> u64 {
    let mut hash = Fnv::default();
    // Writing to a hash cannot fail.
    let _ = write!(
        hash,
        "queuecast {}\n{}\n",
        env!("CARGO_PKG_VERSION"),
        scenario.text
    );
    let _ = write!(hash, "{:?}\n{:?}\n", scenario.model, scenario.objectives);
    let _ = write!(hash, "{:?}", grid.walk());
    for axis in grid.axes() {
        let _ = write!(hash, "\n{}", axis.key);
        for setting in &axis.settings {
            let _ = write!(hash, "\t{:?}", setting.text);
        }
    }
    hash.0
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn whatever_changes_a_result_changes_the_fingerprint() {
        let base = "[producers.p]\nqueue = \"q\"\ncount = 3\narrivals = { constant = { rate = \
                    \"1/s\" } }\n[queues.q]\n[consumers.c]\nqueue = \"q\"\nservice = \"1s\"\n";
        let of = |text: &str, sets: &[&str], vary: &str| {
            let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
            let scenario = Scenario::from_text("base.toml", text, &sets, Path::new(""));
            let scenario = scenario.expect("a scenario");
            let grid = scenario.grid(&[vary.to_owned()], None).expect("a grid");
            fingerprint(&scenario, &grid)
        };
        let vary = "consumers.c.count=1..3";
        let plain = of(base, &[], vary);
        assert_eq!(plain, of(base, &[], "consumers.c.count=1,2,3"));
        let others = [
            of(&format!("{base}concurrency = 2\n"), &[], vary),
            of(base, &["run.seed=2"], vary),
            of(base, &["run.replications=2"], vary),
            of(base, &[], "consumers.c.count=1..4"),
            of(base, &[], "consumers.c.concurrency=1..3"),
        ];
        assert!(others.iter().all(|other| *other != plain));
    }
}
