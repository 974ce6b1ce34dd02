//! `plan`: the worked example, the reference rows of staffing, what is out of order, and what
//! nothing meets.
//!
//! Not the search, which is tested beside its code.

use std::collections::BTreeMap;

use serde_json::json;

use crate::cli::{Answer, Desk};

/// Plans without files and without headroom, as JSON.
fn planned(desk: &Desk, file: &str, vary: &str, more: &[&str]) -> Answer {
    let args = ["plan", file, "--vary", vary, "--no-report", "--no-headroom"];
    desk.call(&[&args[..], &["--format", "json"], more].concat())
}

fn asked(objectives: &[&str]) -> Vec<String> {
    let both = objectives.iter().flat_map(|it| ["--objective", it]);
    both.map(str::to_owned).collect()
}

fn with<'a>(objectives: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    let all = objectives.iter().map(String::as_str);
    all.chain(more.iter().copied()).collect()
}

/// When `c` consumers of 40 ms that come back in phase have first drained 100,000 at 1,200/s.
fn drained_at(c: f64) -> f64 {
    90.0 + 0.04 * ((100_000.0 - c) / (c - 48.0)).ceil()
}

/// The smallest fleet by the fluid: (1,200/s + 100,000/D) 40 ms.
fn by_fluid(seconds: f64) -> f64 {
    ((1_200.0 + 100_000.0 / (seconds - 90.0)) * 0.04 - 1e-9).ceil()
}

#[test]
fn the_worked_example_has_its_fleet_and_the_neighbour_that_fails() {
    let desk = Desk::new();
    let fleet = "consumers.fleet.count=56..80";
    for (limit, answer) in [
        ("331s", 65.0),
        ("200s", 85.0),
        ("423.2s", 60.0),
        ("424s", 60.0),
    ] {
        let objective = format!("queues.orders.drained_at <= {limit}");
        let asked = asked(&[&objective]);
        let range = if answer > 80.0 {
            "consumers.fleet.count=70..100"
        } else {
            fleet
        };
        let json = planned(&desk, "outage_reject.toml", range, &with(&asked, &[])).json();
        let seconds: f64 = limit.trim_end_matches('s').parse().expect("seconds");
        // The formula of the discrete model decides, and the fluid differs by at most one.
        assert!(drained_at(answer) <= seconds && drained_at(answer - 1.0) > seconds);
        assert_eq!(json["answer"], answer, "{limit}");
        assert_eq!(json["binding"], objective);
        assert_eq!(json["objectives"][0]["fluid"], by_fluid(seconds), "{limit}");
        let rejected = &json["rejected"];
        assert_eq!(rejected["set"]["consumers.fleet.count"], answer - 1.0);
        let failing = rejected["metrics"]["queues.orders.drained_at"]
            .as_f64()
            .expect("an instant");
        assert!(
            (failing - drained_at(answer - 1.0)).abs() < 1e-6,
            "{failing}"
        );
        let differs = (by_fluid(seconds) - answer).abs() > 0.5;
        let notes = json["notes"].to_string();
        assert_eq!(
            differs,
            notes.contains("come back in phase"),
            "{limit}: {notes}"
        );
    }
}

#[test]
fn several_objectives_have_each_its_need_and_one_binds() {
    let desk = Desk::new();
    let objectives = [
        "queues.orders.drained_at <= 331s",
        "queues.orders.rejected <= 8000",
    ];
    let asked = asked(&objectives);
    let range = "consumers.fleet.count=56..80";
    let json = planned(&desk, "outage_reject.toml", range, &with(&asked, &[])).json();
    assert_eq!(json["answer"], 65);
    assert_eq!(json["binding"], objectives[0]);
    let each = json["objectives"].as_array().expect("a list");
    assert_eq!(
        (&each[0]["alone"], &each[1]["alone"]),
        (&json!(65), &json!(56))
    );
    assert_eq!(
        (&each[0]["binds"], &each[1]["binds"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(json["rejected"]["fails"], json!([objectives[0]]));
}

/// 65 consumers take 235.16 s for a full queue, however long the outage was: 331 s less that are
/// 95.84 s.
#[test]
fn the_answer_carries_an_outage_of_so_long() {
    let desk = Desk::new();
    let args = [
        "plan",
        "outage_reject.toml",
        "--vary",
        "consumers.fleet.count=64..66",
    ];
    let objective = ["--objective", "queues.orders.drained_at <= 331s"];
    let answer = desk.call(&[&args[..], &objective, &["--format", "json"]].concat());
    let json = answer.json();
    let outage = &json["headroom"][0];
    assert_eq!(outage["key"], "outages.0.duration");
    let last = 331.0 - (drained_at(65.0) - 90.0);
    assert_eq!(outage["up_to"], (last / 0.5).floor() * 0.5);
    assert_eq!(outage["beyond"], (last / 0.5).ceil() * 0.5);
    assert_eq!(outage["fails"], json!(["queues.orders.drained_at <= 331s"]));
    assert_eq!(
        json["headroom"][1]["key"],
        "producers.checkout.arrivals.constant.rate"
    );
    assert_eq!(
        desk.names("output/outage_reject"),
        ["plan.csv", "plan.html", "plan.json"]
    );
    assert_eq!(desk.read("output/outage_reject/plan.json"), answer.stdout);
}

/// The cases of the reference table of staffing: model, parameters, and smallest number.
fn sizing() -> Vec<(String, BTreeMap<String, String>, u32)> {
    let rows = csv::Reader::from_path("tests/data/reference/sizing.csv").expect("a table");
    let rows = rows.into_records().map(|row| row.expect("a row"));
    let rows = rows.filter(|row| &row[3] == "min_servers");
    let case = |row: csv::StringRecord| {
        let pairs = row[2].split(';').filter_map(|pair| pair.split_once('='));
        let params = pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
        (row[1].to_owned(), params, row[4].parse().expect("a number"))
    };
    rows.map(case).collect()
}

fn number(params: &BTreeMap<String, String>, key: &str) -> f64 {
    params[key].parse().expect(key)
}

/// Every drain of the table, message by message: the fluid says what the table says, also where
/// its answer is whole; the discrete fleet needs as many, or one fewer where it is done within the
/// goal by the messages that it has in hand.
#[test]
fn drains_are_those_of_the_reference() {
    let mut seen = 0;
    for (model, params, servers) in sizing().into_iter().filter(|it| it.0.contains("drain")) {
        let of = |key| number(&params, key);
        let (outage, target) = (of("outage"), of("target"));
        let capacity = match params["bound"].as_str() {
            "none" => "\"unbounded\"".to_owned(),
            bound => bound.to_owned(),
        };
        let text = format!(
            "[run]\nhorizon = \"{}s\"\n[producers.p]\nqueue = \"q\"\n\
             arrivals = {{ constant = {{ rate = \"{}/s\" }} }}\n[queues.q]\ncapacity = {capacity}\n\
             [consumers.f]\nqueue = \"q\"\nservice = \"{}s\"\n\
             [[outages]]\ntarget = \"consumers.f\"\nstart = \"0s\"\nduration = \"{outage}s\"\n",
            8.0 * (outage + target),
            params["lambda"],
            params["service"],
        );
        let desk = Desk::new();
        desk.put("drain.toml", &text);
        let asked = asked(&[&format!("queues.q.drained_at <= {}s", outage + target)]);
        let range = format!("consumers.f.count={}..{}", servers.max(4) - 3, servers + 3);
        let answer = planned(&desk, "drain.toml", &range, &with(&asked, &[]));
        let json = answer.json();
        assert_eq!(
            json["objectives"][0]["fluid"], servers,
            "{model} {params:?}"
        );
        let found = json["answer"].as_u64().expect("an answer") as u32;
        assert!(
            found == servers || found + 1 == servers,
            "{found}: {params:?}"
        );
        assert_eq!(found != servers, json["notes"] != json!([]), "{params:?}");
        seen += 1;
    }
    assert_eq!(seen, 8);
}

/// Every row of the table on M/M/c whose quantile is a metric. Runs of some seconds could decide
/// few of them; that is left to the form, which short runs may contradict where rare crowds matter
/// (p999), or where one server less is so near to saturation that an empty start is forgotten only
/// in minutes (350/s on 88 of 250 ms: 99.4 %). They cannot make a fleet smaller.
#[test]
fn staffing_for_a_wait_is_that_of_the_reference() {
    let mut seen = 0;
    for (_, params, servers) in sizing().into_iter().filter(|it| it.0.contains("Wq")) {
        let of = |key| number(&params, key);
        let quantiles = [
            ("0.5", "p50"),
            ("0.1", "p90"),
            ("0.05", "p95"),
            ("0.01", "p99"),
            ("0.001", "p999"),
        ];
        let named = quantiles
            .iter()
            .find(|(alpha, _)| *alpha == params["alpha"]);
        let Some((_, quantile)) = named else { continue };
        let (lambda, service) = (of("lambda"), of("mean_service"));
        // The time in which M/M/c forgets its start, with one server less than needed.
        let capacity = f64::from(servers - 1) / service;
        let forgets = 1.0 / (capacity.sqrt() - lambda.sqrt()).powi(2);
        let brink = forgets * lambda > 20_000.0;
        let forgotten = if brink { 0.0 } else { 10.0 * forgets };
        let span = (6_000.0 / lambda).max(forgotten).max(40.0 * service);
        let text = format!(
            "[run]\nstop = \"{}us\"\nwarmup = \"{}us\"\n[producers.p]\nqueue = \"q\"\n\
             arrivals = {{ poisson = {{ rate = \"{lambda}/s\" }} }}\n[queues.q]\n\
             [consumers.f]\nqueue = \"q\"\n\
             service = {{ exponential = {{ mean = \"{service}s\" }} }}\n",
            (span * 1.25e6).ceil(),
            (span * 0.25e6).ceil(),
        );
        let desk = Desk::new();
        desk.put("fleet.toml", &text);
        let asked = asked(&[&format!("queues.q.wait.{quantile} <= {}s", of("t"))]);
        let range = format!("consumers.f.count={}..{}", servers - 1, servers + 2);
        let most = ["--replications", "20"];
        let json = planned(&desk, "fleet.toml", &range, &with(&asked, &most)).json();
        assert_eq!(json["objectives"][0]["closed_form"], servers, "{params:?}");
        assert_eq!(json["answer"], servers, "{params:?}");
        assert_eq!(json["rejected"]["set"]["consumers.f.count"], servers - 1);
        let forms = [json!("closed_form"), json!("closed_form_against_runs")];
        let points = json["points"].as_array().expect("a list");
        for point in points.iter().filter(|it| !brink || it["stands"] == "meets") {
            let by = &point["objectives"][0]["by"];
            assert!(forms.contains(by), "{params:?}: {by} at {}", point["set"]);
        }
        seen += 1;
    }
    assert_eq!(seen, 10);
}

/// At most as many in flight as consumers: near 65 is met in the middle of the range alone.
#[test]
fn what_is_out_of_order_is_found_and_said() {
    let desk = Desk::new();
    let asked = asked(&["queues.orders.in_flight.max ~ 65 +- 6"]);
    let range = "consumers.fleet.count=49..80";
    let more = with(&asked, &["--set", "outages.0.duration=5s"]);
    let json = planned(&desk, "outage_reject.toml", range, &more).json();
    assert_eq!(json["answer"], 59);
    let exceptions = json["exceptions"].as_array().expect("a list");
    assert!(exceptions.contains(&json!(80)), "{exceptions:?}");
}

/// The gallery's plan: Erlang C says 9 for the wait, rates say 7 for the drain.
#[test]
fn the_gallery_has_its_smallest_fleet() {
    let desk = Desk::new();
    let scenario = include_str!("../../scenarios/plan_smallest_fleet.toml");
    desk.put("plan.toml", scenario);
    let args = ["plan", "plan.toml", "--no-headroom", "--format", "json"];
    let one = desk.call(&[&args[..], &["--jobs", "1"]].concat());
    assert_eq!(one.code, 0, "{}", one.stderr);
    let json = one.json();
    assert_eq!(json["answer"], 9);
    assert_eq!(json["binding"], "queues.orders.wait.p99 <= 25ms");
    let alone: Vec<_> = [0, 1].map(|it| &json["objectives"][it]["alone"]).to_vec();
    assert_eq!(alone, [&json!(9), &json!(7)]);
    let many = desk.call(&[&args[..], &["--jobs", "4"]].concat());
    assert_eq!(
        one.stdout, many.stdout,
        "the same for any number of threads"
    );
}

#[test]
fn what_nothing_meets_and_what_cannot_be_asked() {
    let desk = Desk::new();
    let asked_for = asked(&["queues.orders.drained_at <= 100s"]);
    let range = "consumers.fleet.count=58..60";
    let none = planned(&desk, "outage_reject.toml", range, &with(&asked_for, &[]));
    assert_eq!(none.code, 1);
    let json = none.json();
    assert_eq!(json["answer"], json!(null));
    assert_eq!(json["rejected"]["set"]["consumers.fleet.count"], 60);
    let nothing = planned(&desk, "outage_reject.toml", range, &[]);
    assert_eq!(nothing.code, 2);
    assert!(
        nothing.stderr.contains("no objective to meet"),
        "{}",
        nothing.stderr
    );
    let misspelt = asked(&["queues.orders.draned_at <= 100s"]);
    let misspelt = planned(&desk, "outage_reject.toml", range, &with(&misspelt, &[]));
    assert_eq!(misspelt.code, 2);
    assert!(
        misspelt.stderr.contains("did you mean `drained_at`?"),
        "{}",
        misspelt.stderr
    );
    let words = "queues.orders.order=fifo,lifo";
    let words = planned(&desk, "outage_reject.toml", words, &with(&asked_for, &[]));
    assert_eq!(words.code, 2);
    assert!(words.stderr.contains("have no order"), "{}", words.stderr);
}

#[test]
fn the_text_of_a_plan() {
    let desk = Desk::new();
    let args = [
        "plan",
        "outage_reject.toml",
        "--vary",
        "consumers.fleet.count=56..80",
    ];
    let more = [
        "--objective",
        "queues.orders.drained_at <= 423.2s",
        "--no-report",
        "--no-headroom",
    ];
    let seen = desk.seen(&[&args[..], &more].concat());
    for line in seen.lines().skip(1) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    insta::assert_snapshot!(seen);
}

/// Crashes make the effects double, each consumer as often as the messages that it holds: how many
/// consumers there are changes nothing.
#[test]
fn what_a_count_cannot_mend_is_said_soon() {
    let desk = Desk::new();
    desk.put(
        "crashes.toml",
        "[run]\nstop = \"2m\"\n[producers.p]\nqueue = \"jobs\"\n\
         arrivals = { poisson = { rate = \"50/s\" } }\n[queues.jobs]\npreset = \"sqs\"\n\
         [consumers.w]\nqueue = \"jobs\"\n\
         service = { lognormal = { mean = \"400ms\", p99 = \"5s\" } }\n\
         fails = \"5%\"\nack_loss = \"5%\"\n",
    );
    let asked = asked(&["queues.jobs.duplicates == 0"]);
    let range = "consumers.w.count=30..60";
    let answer = planned(&desk, "crashes.toml", range, &with(&asked, &[]));
    assert_eq!(answer.code, 1, "{}", answer.stderr);
    let json = answer.json();
    let unmet = &json["unmet"][0];
    assert_eq!(unmet["that"], "queues.jobs.duplicates == 0");
    assert_eq!(unmet["trend"], "still", "{unmet}");
    assert_eq!((&unmet["from"], &unmet["to"]), (&json!(30), &json!(60)));
    assert!(
        unmet["try"]
            .as_str()
            .expect("words")
            .contains("idempotency")
    );
    // One run with a duplicate decides; the ends have a few more, to see whether they differ.
    let points = json["points"].as_array().expect("a list");
    let runs: Vec<u64> = points.iter().filter_map(|it| it["runs"].as_u64()).collect();
    assert!(runs.iter().sum::<u64>() <= 15, "{runs:?}");
    let text = ["plan", "crashes.toml", "--vary", range, "--no-report"];
    let text = desk.call(&[&text[..], &with(&asked, &[])].concat());
    let words: Vec<&str> = text.stdout.split_whitespace().collect();
    let said = "does not move with consumers.w.count, as far as the runs tell: no \
                consumers.w.count mends it";
    assert!(words.join(" ").contains(said), "{}", text.stdout);
}
