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
        (
            ["1", "--level", "30%"],
            "a level lies between 50% and 100%, such as 95%",
        ),
        (
            ["1", "--halvings", "nan"],
            "expected a whole number from 0 to 30",
        ),
    ] {
        let answer = desk.call(&[&MAP[..], &more].concat());
        assert_eq!(answer.code, 2);
        assert!(answer.stderr.contains(reason), "{}", answer.stderr);
    }
}

/// Values are looked at by size, however they are written, and a level is a share.
#[test]
fn values_that_fall_have_the_boundary_of_those_that_rise() {
    let desk = Desk::new();
    desk.put(
        "storm_collapse.toml",
        include_str!("../../scenarios/storm_collapse.toml"),
    );
    let of = |attempts: &str| {
        let vary = format!("producers.web.calls.retry.attempts={attempts}");
        let head = ["stability", "storm_collapse.toml", "--vary", &vary];
        let rest = ["--replications", "1", "--level", "95%", "--no-report"];
        let answer = desk.call(&[&head[..], &rest, &["--format", "json"]].concat());
        assert_eq!(answer.code, 0, "{}", answer.stderr);
        answer.json()
    };
    let (rising, falling) = (of("1,3"), of("3,1"));
    assert_eq!(rising["points"], falling["points"]);
    assert_eq!(rising["boundaries"], falling["boundaries"]);
    assert_eq!(falling["boundaries"][0]["recovers"], "below");
    assert_eq!(falling["notes"], serde_json::json!([]));
}

/// The load and the length of the outage: each longer outage is a row, and in each a boundary of
/// the load with its interval, and what rates alone say of it.
#[test]
fn a_load_and_its_trigger_make_a_map() {
    let desk = Desk::new();
    desk.put(
        "storm_collapse.toml",
        include_str!("../../scenarios/storm_collapse.toml"),
    );
    let load = "producers.web.arrivals.poisson.rate=20/s,60/s";
    let trigger = "outages.0.duration=30s,100ms";
    let head = ["stability", "storm_collapse.toml"];
    let vary = ["--vary", load, "--vary", trigger];
    let rest = ["--replications", "6", "--halvings", "1", "--no-report"];
    let call = |format: &str| desk.call(&[&head[..], &vary, &rest, &["--format", format]].concat());
    let json = call("json").json();
    // By size: the short outage first. 20/s x 4 are less than 100/s, and 60/s x 4 are more; at
    // 60/s a tenth of a second leaves 6 calls, of which no caller tires.
    assert_eq!(counted(&json["points"], "recovered"), [6, 6, 6, 0]);
    let boundary = &json["boundaries"][1];
    assert_eq!(boundary["set"]["outages.0.duration"], "30s");
    assert_eq!(
        (&boundary["recovers"], &boundary["level"]),
        (&"below".into(), &0.95.into())
    );
    assert!(boundary["low"].is_string() && boundary["high"].is_string());
    let text = call("text").stdout;
    let mut rows = text.lines().filter(|line| line.contains("30s"));
    let row = rows.next_back().expect("a boundary");
    let told = text.contains("(95 %)") && row.ends_with("20/s to 60/s");
    assert!(told, "{text}");
    let csv = call("csv").stdout;
    let first = csv.lines().nth(1).expect("a row");
    assert!(first.starts_with("100ms,20/s,6,6,"), "{csv}");
}

#[test]
fn a_scenario_that_nothing_disturbs_is_told() {
    let desk = Desk::new();
    let calm = include_str!("../../scenarios/storm_collapse.toml").replace("[[outages]]", "[x]");
    let start = calm.find("[x]").expect("it was there");
    let rest = calm[start + 3..]
        .find("\n[")
        .map_or(calm.len(), |at| start + 3 + at);
    desk.put("calm.toml", &format!("{}{}", &calm[..start], &calm[rest..]));
    let vary = ["--vary", "producers.web.calls.retry.attempts=1,2"];
    let more = [
        "--replications",
        "1",
        "--no-report",
        "--set",
        "run.stop=10s",
    ];
    let answer = desk.call(&[&["stability", "calm.toml"][..], &vary, &more].concat());
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    for text in [&answer.stdout, &answer.stderr] {
        assert!(text.contains("nothing scheduled disturbs"), "{text}");
    }
}
