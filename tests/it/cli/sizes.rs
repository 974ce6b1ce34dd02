//! `size`: the numbers of the worked example, its text, and goals.

use serde_json::json;

use super::Desk;

const WORKED: [&str; 11] = [
    "size",
    "--arrivals",
    "1200/s",
    "--service",
    "40ms",
    "--outage",
    "60s",
    "--consumers",
    "48,55,60,75",
    "--bound",
    "100000",
];

#[test]
fn the_worked_example_in_numbers() {
    let answer = Desk::new().call(&[&WORKED[..], &["--format", "json"]].concat());
    assert_eq!(answer.code, 0);
    let json = answer.json();
    assert_eq!(json["offered_load"].to_string(), "48.0");
    assert_eq!(json["break_even"], 48);
    assert_eq!(json["backlog"], 72_000);
    let near = |value: &serde_json::Value, expected: f64, within: f64| {
        let value = value.as_f64().expect("a number");
        assert!(
            (value - expected).abs() < within,
            "{value} is not {expected}"
        );
    };
    near(&json["bound_fill_s"], 83.33, 0.005);
    // Consumers, throughput, utilization, headroom, drain: the table of the worked example.
    let table = [
        (48, 1200.0, 1.0, 0.0, None),
        (55, 1375.0, 0.8727, 175.0, Some(411.43)),
        (60, 1500.0, 0.8, 300.0, Some(240.0)),
        (75, 1875.0, 0.64, 675.0, Some(106.67)),
    ];
    let rows = json["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), table.len());
    for (row, (consumers, throughput, utilization, headroom, drain)) in rows.iter().zip(table) {
        assert_eq!(row["consumers"], consumers);
        near(&row["throughput_per_s"], throughput, 1e-9);
        near(&row["utilization"], utilization, 5e-5);
        near(&row["headroom_per_s"], headroom, 1e-9);
        match drain {
            Some(drain) => near(&row["drain_s"], drain, 5e-3),
            None => assert_eq!(row["drain_s"], json!(null)),
        }
    }
}

#[test]
fn the_worked_example_as_text() {
    insta::assert_snapshot!(Desk::new().seen(&WORKED));
}

#[test]
fn goals_each_have_their_fleet() {
    let goals = [
        "--recover-within",
        "5m",
        "--wait",
        "p99 <= 20ms",
        "--wait",
        "mean<=1ms",
    ];
    let args = [
        "size",
        "--arrivals",
        "1200/s",
        "--service",
        "40ms",
        "--outage",
        "90s",
    ];
    insta::assert_snapshot!(Desk::new().seen(&[&args[..], &goals].concat()));
}

#[test]
fn refused_publishes_are_no_part_of_the_backlog() {
    let goals = [
        "--bound",
        "68000",
        "--recover-within",
        "3m",
        "--service-cv",
        "0",
    ];
    let args = [
        "size",
        "--arrivals",
        "1200/s",
        "--service",
        "40ms",
        "--outage",
        "60s",
    ];
    insta::assert_snapshot!(Desk::new().seen(&[&args[..], &goals].concat()));
}

#[test]
fn what_is_assumed_of_the_service_is_said() {
    let asked = ["size", "--arrivals", "50/s", "--service", "400ms"];
    let assumed = Desk::new().call(&asked).stdout;
    assert!(
        assumed.contains("taken for exponential (cv 1)"),
        "{assumed}"
    );
    let given = Desk::new()
        .call(&[&asked[..], &["--service-cv", "1"]].concat())
        .stdout;
    assert!(!given.contains("taken for"), "{given}");
}

#[test]
fn csv_has_a_row_for_each_fleet() {
    let answer = Desk::new().call(&[&WORKED[..], &["--format", "csv"]].concat());
    let lines: Vec<_> = answer.stdout.lines().collect();
    assert!(lines[0].starts_with("consumers,throughput_per_s,utilization,headroom_per_s,drain_s"));
    assert!(lines[1].starts_with("48,1200.0,1.0,0.0,,"), "{}", lines[1]);
    assert_eq!(lines.len(), 5);
}

#[test]
fn what_cannot_be_read_says_what_could() {
    let desk = Desk::new();
    let base = ["size", "--arrivals", "1200/s", "--service", "40ms"];
    for (wrong, says) in [
        (&["--bound", "many"][..], "--bound"),
        (&["--consumers", "60..48"], "write `48..80:4`"),
        (&["--wait", "p98<=1s"], "there are mean, p50"),
        (&["--wait", "p99<=200"], "has no unit"),
        (&["--recover-within", "5m"], "--outage"),
        (&["--consumers", "0"], "at least one consumer"),
        (&["--service-cv", "NaN"], "coefficient of variation"),
        (
            &["--outage", "60s", "--recover-within", "0s"],
            "time to recover must be above 0",
        ),
    ] {
        let answer = desk.call(&[&base[..], wrong].concat());
        assert_eq!(answer.code, 2, "{wrong:?}: {}", answer.stderr);
        assert!(answer.stderr.starts_with("error: "), "{}", answer.stderr);
        assert!(answer.stderr.contains(says), "{wrong:?}: {}", answer.stderr);
        assert!(answer.stdout.is_empty());
    }
    let without_unit = desk.call(&["size", "--arrivals", "1200", "--service", "40ms"]);
    assert!(
        without_unit.stderr.contains("\"1200/s\""),
        "{}",
        without_unit.stderr
    );
}
