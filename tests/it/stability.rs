//! `stability`: the map of a storm, its boundary, and what rates alone say of it.
//!
//! Not the search of the boundary, which is tested beside its code.

use serde_json::Value;

use crate::cli::Desk;

const MAP: [&str; 6] = [
    "stability",
    "storm_collapse.toml",
    "--vary",
    "producers.web.calls.retry.attempts=1..3",
    "--no-report",
    "--replications",
];

fn counted(points: &Value, what: &str) -> Vec<u64> {
    let points = points.as_array().expect("points").iter();
    let count = |point: &Value| point["metrics"][what].as_u64().expect("a count");
    points.map(count).collect()
}

#[test]
fn more_calls_than_the_capacity_is_where_a_storm_stays() {
    let desk = Desk::new();
    desk.put(
        "storm_collapse.toml",
        include_str!("../../scenarios/storm_collapse.toml"),
    );
    // 60/s against 100/s: one call each lets go, two and three do not (rule E6).
    let json = desk
        .call(&[&MAP[..], &["2", "--format", "json"]].concat())
        .json();
    assert_eq!(json["recovered"][0], "dependencies.bank.recovered_at");
    assert_eq!(counted(&json["points"], "runs"), [2, 2, 2]);
    assert_eq!(counted(&json["points"], "recovered"), [2, 0, 0]);
    let points = json["points"].as_array().expect("points").iter();
    let outlooks: Vec<_> = points.map(|point| &point["rates"][0]["outlook"]).collect();
    let stays = "can stay collapsed";
    assert_eq!(outlooks, ["lets go", stays, stays]);
    let boundary = &json["boundaries"][0];
    assert_eq!(boundary["recovers"], "below");
    assert_eq!(boundary["median"], "2");
    // Two runs are too few for an interval.
    assert_eq!(boundary["level"], Value::Null);
}

#[test]
fn what_cannot_be_mapped_is_said() {
    let desk = Desk::new();
    desk.put(
        "storm_collapse.toml",
        include_str!("../../scenarios/storm_collapse.toml"),
    );
    for (more, reason) in [
        (
            ["1", "--recovered", "queues.q.depth.max"],
            "the scenario has no metric `queues.q.depth.max`",
        ),
        (["1", "--level", "2"], "2 is no level"),
    ] {
        let answer = desk.call(&[&MAP[..], &more].concat());
        assert_eq!(answer.code, 2);
        assert!(answer.stderr.contains(reason), "{}", answer.stderr);
    }
}
