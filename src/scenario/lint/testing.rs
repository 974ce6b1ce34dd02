//! How warnings are tested: a small scenario that has none, and assignments over it.
//!
//! Not the pictures of warnings: those are snapshots.

use std::path::Path;

use crate::scenario::{Color, Scenario};

const PLAIN: &str = r#"
[run]
stop = "1h"
[producers.p]
queue    = "q"
arrivals = { poisson = { rate = "1/h" } }
[queues.q]
[consumers.c]
queue   = "q"
service = "100ms"
[[outages]]
target   = "consumers.c"
start    = "1m"
duration = "30s"
"#;

/// Makes the consumers call `dependencies.d`, which can answer 100/s.
pub(super) const CALLED: [&str; 2] = [
    "dependencies.d={ servers = 10, service = \"100ms\", timeout = \"1s\" }",
    "consumers.c.calls=d",
];

/// Makes `queues.d` the dead-letter queue, which stands in the scenario then.
pub(super) const DEAD: &str = "queues.q.dead_letter=d";

/// The same, watched by an alert and with a way to get there, before other assignments.
pub(super) fn watched<'a>(sets: &[&'a str]) -> Vec<&'a str> {
    let alert = "alerts=[{ when = \"queues.d.depth > 0\" }]";
    [&[DEAD, alert, "queues.q.delivery.max_receives=5"], sets].concat()
}

/// All warnings of the scenario with these assignments.
pub(super) fn warnings(sets: &[&str]) -> String {
    let dead = sets.contains(&DEAD);
    let text = if dead {
        PLAIN.replace("[consumers.c]", "[queues.d]\n[consumers.c]")
    } else {
        PLAIN.to_owned()
    };
    let owned: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let scenario = Scenario::from_text("a.toml", &text, &owned, Path::new(""));
    let scenario = scenario.unwrap_or_else(|failure| panic!("{sets:?}\n{failure}"));
    scenario.render_warnings(Color::Never)
}

/// Panics unless exactly one warning is filed, with both texts in it.
pub(super) fn fires(sets: &[&str], title: &str, numbers: &str) {
    let told = warnings(sets);
    assert_eq!(told.matches("warning:").count(), 1, "{sets:?}\n{told}");
    assert!(told.contains(title), "{sets:?}\n{told}");
    assert!(told.contains(numbers), "{sets:?}\n{told}");
}

/// Panics when there is a warning.
pub(super) fn quiet(sets: &[&str]) {
    let told = warnings(sets);
    assert_eq!(told, "", "{sets:?}");
}
