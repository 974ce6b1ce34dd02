//! What `run` leaves on the disk, whatever happens to it.

use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use super::Desk;

const FILES: [&str; 8] = [
    "depth.svg",
    "handlers.svg",
    "lag.svg",
    "rates.svg",
    "report.html",
    "series.csv",
    "summary.json",
    "timeline.txt",
];

#[test]
fn a_run_writes_its_files() {
    let desk = Desk::new();
    let answer = desk.call(&["run", "outage_reject.toml", "--format", "json"]);
    assert_eq!(desk.names("output"), ["outage_reject"]);
    assert_eq!(desk.names("output/outage_reject"), FILES);
    assert_eq!(
        desk.read("output/outage_reject/summary.json"),
        answer.stdout
    );
}

#[test]
fn pictures_come_as_png_too_when_asked_for() {
    let desk = Desk::new();
    desk.call(&[
        "run",
        "outage_reject.toml",
        "--png",
        "--output",
        "there/deep",
    ]);
    let names = desk.names("there/deep/outage_reject");
    for name in ["depth.png", "lag.png", "rates.png"] {
        assert!(names.iter().any(|it| it == name), "{names:?}");
    }
}

#[test]
fn no_report_writes_nothing() {
    let desk = Desk::new();
    assert_eq!(
        desk.call(&["run", "outage_reject.toml", "--no-report"])
            .code,
        0
    );
    assert_eq!(desk.names("."), ["outage_reject.toml"]);
}

#[test]
fn a_place_that_cannot_be_written_to_is_an_error_with_a_way_out() {
    let desk = Desk::new();
    let args = [
        "run",
        "outage_reject.toml",
        "--output",
        "outage_reject.toml",
    ];
    let answer = desk.call(&args);
    assert_eq!(answer.code, 2);
    assert!(
        answer.stderr.starts_with("error: cannot "),
        "{}",
        answer.stderr
    );
    assert!(
        answer.stderr.contains("hint: choose another place"),
        "{}",
        answer.stderr
    );
    // The answer itself was there already.
    assert!(answer.stdout.contains("Timeline"));
}

#[test]
fn a_run_that_is_killed_leaves_the_old_result() {
    let desk = Desk::new();
    desk.call(&["run", "outage_reject.toml"]);
    let before = desk.read("output/outage_reject/summary.json");
    let endless = [
        "run",
        "outage_reject.toml",
        "--set",
        "run.stop=10000h",
        "--set",
        "run.horizon=10000h",
    ];
    let mut child = desk
        .command(&endless)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    sleep(Duration::from_millis(300));
    assert!(
        child.try_wait().expect("a state").is_none(),
        "it should still run"
    );
    child.kill().expect("killed");
    child.wait().expect("gone");
    assert_eq!(desk.read("output/outage_reject/summary.json"), before);
    assert_eq!(desk.names("output"), ["outage_reject"]);
    assert_eq!(desk.names("output/outage_reject"), FILES);
}
