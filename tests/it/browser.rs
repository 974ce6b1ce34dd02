//! The pages in a browser: headless Chromium opens each as a person would, and finds no error, no
//! request to anywhere, and the numbers of the result.
//!
//! Not how they look: that takes eyes. Without Chromium the tests say so and pass.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use queuecast::report::number::seconds;

use crate::cli::Desk;

/// What it is called here and there.
const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// The browser of this machine, if there is one that starts.
fn browser() -> Option<&'static str> {
    let starts = |name: &&&str| {
        let mut command = Command::new(name);
        command.arg("--version").stdout(Stdio::null());
        let status = command.stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    let found = NAMES.iter().find(starts).copied();
    if found.is_none() {
        // Seen with --nocapture, and in the log of whoever looks for what was not run.
        eprintln!("skipped: no Chromium on this machine (Debian: apt-get install chromium)");
    }
    found
}

/// A page as the browser has it after its script, with what it said and what it asked for.
struct Opened {
    dom: String,
    said: String,
    asked: Vec<String>,
}

fn open(browser: &str, desk: &Desk, page: &Path, hash: &str) -> Opened {
    let (profile, log) = (desk.path().join("profile"), desk.path().join("net.json"));
    let mut command = Command::new(browser);
    command.args([
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-sync",
        "--no-first-run",
        "--no-proxy-server",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--enable-logging=stderr",
        "--virtual-time-budget=5000",
        "--window-size=1280,900",
        "--dump-dom",
    ]);
    command
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--log-net-log={}", log.display()))
        .arg(format!("file://{}{hash}", page.display()));
    let Output { stdout, stderr, .. } = ended(command);
    let said = String::from_utf8_lossy(&stderr).into_owned();
    let dom = String::from_utf8_lossy(&stdout).into_owned();
    assert!(dom.contains("</html>"), "no page: {said}");
    Opened {
        dom,
        said: said
            .lines()
            .filter(|line| line.contains("CONSOLE"))
            .collect::<Vec<_>>()
            .join("\n"),
        asked: asked(&std::fs::read_to_string(&log).unwrap_or_default()),
    }
}

/// Runs a command that may hang, for a minute at most.
fn ended(mut command: Command) -> Output {
    let folder = tempfile::TempDir::new().expect("a folder");
    let [out, err] = ["out", "err"].map(|name| folder.path().join(name));
    let file = |path: &PathBuf| std::fs::File::create(path).expect("a file");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(file(&out))
        .stderr(file(&err))
        .spawn()
        .expect("the browser starts");
    let mut left = 1_200;
    while left > 0 && child.try_wait().expect("a state").is_none() {
        std::thread::sleep(Duration::from_millis(50));
        left -= 1;
    }
    if left == 0 {
        child.kill().expect("killed");
    }
    let status = child.wait().expect("gone");
    let read = |path: &PathBuf| std::fs::read(path).expect("it was written");
    Output {
        status,
        stdout: read(&out),
        stderr: read(&err),
    }
}

/// What the page asked for, in a log of the network: a browser asks for things of its own too.
fn asked(log: &str) -> Vec<String> {
    let by_page = "\"network_isolation_key\":\"file://";
    let lines = log.lines().filter(|line| line.contains(by_page));
    let address = |line: &str| {
        let (_, rest) = line.split_once("\"url\":\"")?;
        Some(rest.split_once('"')?.0.to_owned())
    };
    let addresses = lines.filter_map(address);
    addresses.filter(|it| !it.starts_with("file:")).collect()
}

/// What every page must be.
fn is_sound(opened: &Opened) {
    assert_eq!(opened.said, "", "the console is silent");
    let none: [&str; 0] = [];
    assert_eq!(opened.asked, none, "nothing is asked for");
    let script = "data-script=\"on\"";
    assert!(opened.dom.contains(script), "the script came to its end");
}

/// The text of the element that begins with `start`.
fn text_of<'a>(dom: &'a str, start: &str) -> &'a str {
    let (_, rest) = dom.split_once(start).expect("it is there");
    rest.split_once('<').expect("it ends").0
}

/// The first instant of a series after a minute, and the first column there: a depth.
fn a_minute_in(series: &str) -> (f64, u64) {
    let cells = |line: &str| {
        let mut cells = line.split(',');
        let at: f64 = cells.next()?.parse().ok()?;
        Some((at, cells.next()?.parse().ok()?))
    };
    let mut rows = series.lines().filter_map(cells);
    rows.find(|(at, _)| *at >= 60.0).expect("a row")
}

/// `72345` as `72,345`.
fn grouped(count: u64) -> String {
    format!("{},{:03}", count / 1_000, count % 1_000)
}

/// The test of the tests: what must not be is seen when it is.
#[test]
fn a_page_that_asks_for_something_or_fails_is_found_out() {
    let Some(browser) = browser() else { return };
    let desk = Desk::new();
    let page = "<!DOCTYPE html><img src=\"http://one.invalid/a.png\"><script>missing()</script>";
    desk.put("bad.html", page);
    let opened = open(browser, &desk, &desk.path().join("bad.html"), "");
    assert_eq!(opened.asked, ["http://one.invalid/a.png"]);
    let said = "missing is not defined";
    assert!(opened.said.contains(said), "{}", opened.said);
}

#[test]
fn the_page_of_a_run_has_the_numbers_of_its_json() {
    let Some(browser) = browser() else { return };
    let desk = Desk::new();
    let answer = desk.call(&["run", "outage_reject.toml", "--format", "json"]);
    let page = desk.path().join("output/outage_reject/report.html");
    let (at, depth) = a_minute_in(&desk.read("output/outage_reject/series.csv"));
    // 1,200/s have come, and nobody has taken any.
    assert!((60.0..61.0).contains(&at) && (72_000..73_200).contains(&depth));
    let opened = open(browser, &desk, &page, &format!("#t={at}"));
    is_sound(&opened);
    let dom = &opened.dom;
    let carried = text_of(dom, "<script type=\"application/json\" id=\"result\">");
    assert_eq!(carried, answer.stdout, "the page carries summary.json");
    let json = answer.json();
    let rejected = json["metrics"]["queues.orders.rejected"].as_u64();
    assert_eq!(rejected, Some(8_000));
    let cell = "<th scope=\"row\">rejected</th><td class=\"right\">8,000</td>";
    assert!(dom.contains(cell));
    for moment in json["timeline"].as_array().expect("a timeline") {
        let text = moment["text"].as_str().expect("a sentence");
        assert!(dom.contains(&format!("<td>{text}</td>")), "{text}");
    }
    let tip = dom.split("class=\"tip\"").nth(1).expect("what is read");
    let said = format!("orders <b>{}</b>", grouped(depth));
    assert!(tip.contains(&said), "{said}: {}", &tip[..400]);
}

#[test]
fn a_page_can_be_opened_at_a_span_of_time() {
    let Some(browser) = browser() else { return };
    let desk = Desk::new();
    desk.call(&["run", "outage_reject.toml"]);
    let page = desk.path().join("output/outage_reject/report.html");
    let opened = open(browser, &desk, &page, "#t=80,100");
    is_sound(&opened);
    assert!(opened.dom.contains("<output>80 s to 100 s</output>"));
    let along = opened.dom.split("class=\"along\"").nth(1).expect("an axis");
    let along = along.split("</g>").next().expect("its end");
    for mark in [">80 s<", ">90 s<", ">100 s<"] {
        assert!(along.contains(mark), "{along}");
    }
    // Every line is still drawn.
    for bad in ["NaN", "undefined", "d=\"\""] {
        let drawn = opened.dom.split("<main").nth(1).expect("a body");
        let drawn = drawn.split("</main>").next().expect("its end");
        assert!(!drawn.contains(bad), "{bad}");
    }
}

#[test]
fn the_page_of_a_sweep_is_sound_and_has_every_point() {
    let Some(browser) = browser() else { return };
    let desk = Desk::new();
    let one = ["sweep", "outage_reject.toml", "--vary"];
    let over = ["consumers.fleet.count=56..64:4", "--format", "json"];
    let answer = desk.call(&[&one[..], &over[..]].concat());
    let page = desk.path().join("output/outage_reject/sweep.html");
    let opened = open(browser, &desk, &page, "");
    is_sound(&opened);
    let json = answer.json();
    let points = json["points"].as_array().expect("points");
    assert_eq!(points.len(), 3);
    for point in points {
        let count = point["set"]["consumers.fleet.count"].to_string();
        let row = format!("<tr><th scope=\"row\" class=\"right\">{count}</th>");
        assert!(opened.dom.contains(&row), "{row}");
        let drained = point["metrics"]["queues.orders.drained_at"].as_f64();
        let cell = seconds(drained.expect("it drains"));
        assert!(
            opened
                .dom
                .contains(&format!("<td class=\"right\">{cell}</td>")),
            "{cell}"
        );
    }
}

#[test]
fn the_page_of_a_plan_is_sound_and_has_its_answer_and_the_neighbour() {
    let Some(browser) = browser() else { return };
    let desk = Desk::new();
    let one = [
        "plan",
        "outage_reject.toml",
        "--vary",
        "consumers.fleet.count=63..67",
    ];
    let asked = [
        "--objective",
        "queues.orders.drained_at <= 331s",
        "--format",
        "json",
    ];
    let answer = desk.call(&[&one[..], &asked[..]].concat());
    let page = desk.path().join("output/outage_reject/plan.html");
    let opened = open(browser, &desk, &page, "");
    is_sound(&opened);
    let start = "<script type=\"application/json\" id=\"result\">";
    let carried = text_of(&opened.dom, start).replace("\\u003c", "<");
    assert!(carried == answer.stdout, "the page carries plan.json");
    let json = answer.json();
    let failing = json["rejected"]["metrics"]["queues.orders.drained_at"].as_f64();
    let failing = seconds(failing.expect("it drains"));
    let neighbour = format!("One step less, 64, fails: queues.orders.drained_at is {failing},");
    // The answer, what 64 come to, each value with its history, the bound, and the scenario.
    let verdict = "<p class=\"verdict good\">consumers.fleet.count = 65, the smallest";
    for said in [
        verdict,
        &neighbour,
        "&lt;= 331s</text>",
        "[producers.checkout]",
    ] {
        assert!(opened.dom.contains(said), "{said}");
    }
    for point in json["points"].as_array().expect("points") {
        let digest = point["digest"].as_str().expect("a digest");
        assert!(opened.dom.contains(&format!(">{digest}</td>")), "{digest}");
    }
    let command = text_of(&opened.dom, "<code>queuecast plan ");
    assert!(
        command.ends_with("--objective 'queues.orders.drained_at &lt;= 331s'"),
        "{command}"
    );
}

#[test]
fn the_page_of_a_comparison_is_sound_and_has_what_moves() {
    let Some(browser) = browser() else { return };
    let desk = Desk::new();
    let set = "consumers.fleet.count=75";
    let args = [
        "compare",
        "outage_reject.toml",
        "--to",
        set,
        "--format",
        "json",
    ];
    let answer = desk.call(&args);
    let folder = desk.names("output/compare");
    let folder = desk.path().join("output/compare").join(&folder[0]);
    // Behind the end there is nothing to read, which is no error either.
    for hash in ["#t=100", "#t=100000"] {
        let opened = open(browser, &desk, &folder.join("report.html"), hash);
        is_sound(&opened);
        let carried = text_of(
            &opened.dom,
            "<script type=\"application/json\" id=\"result\">",
        );
        assert_eq!(carried, answer.stdout);
        assert!(opened.dom.contains("<h3>B against A</h3>"));
        // The file once, what B changes of it, and the command.
        assert_eq!(opened.dom.matches("[producers.checkout]").count(), 1);
        assert!(
            opened
                .dom
                .contains("<code>consumers.fleet.count = 75</code>")
        );
        assert!(
            opened
                .dom
                .contains("<code>queuecast compare outage_reject.toml --to ")
        );
        assert!(opened.dom.contains("orders.drained_at</th>"));
    }
}

#[test]
fn the_page_of_answers_is_sound_and_has_them_side_by_side() {
    let Some(browser) = browser() else { return };
    let desk = Desk::new();
    let compared = "[compare]\nbaseline = \"nothing\"\nshow = [\"queues.orders.rejected\"]\n\
                    [compare.variants.room]\n\"queues.orders.capacity\" = \"unbounded\"\n";
    let scenario = desk.read("outage_reject.toml") + compared;
    desk.put("answers.toml", &scenario);
    let answer = desk.call(&["compare", "answers.toml", "--format", "json"]);
    let page = "output/compare/nothing-room/report.html";
    let opened = open(browser, &desk, &desk.path().join(page), "");
    is_sound(&opened);
    let start = "<script type=\"application/json\" id=\"result\">";
    assert_eq!(text_of(&opened.dom, start), answer.stdout);
    // 1,200/s for 90 s are 8,000 more than the bound.
    for cell in ["B room", "8,000", "-8,000"] {
        assert!(opened.dom.contains(&format!(">{cell}</t")), "{cell}");
    }
}

#[test]
fn the_page_of_a_map_is_sound_and_has_its_boundary() {
    let Some(browser) = browser() else { return };
    let desk = Desk::new();
    desk.put(
        "storm_collapse.toml",
        include_str!("../../scenarios/storm_collapse.toml"),
    );
    let one = ["stability", "storm_collapse.toml", "--vary"];
    let attempts = "producers.web.calls.retry.attempts=1,2";
    let rest = ["--replications", "1", "--format", "json"];
    let answer = desk.call(&[&one[..], &[attempts], &rest].concat());
    let page = desk.path().join("output/storm_collapse/stability.html");
    let opened = open(browser, &desk, &page, "");
    is_sound(&opened);
    let start = "<script type=\"application/json\" id=\"result\">";
    assert_eq!(text_of(&opened.dom, start), answer.stdout);
    let boundary = &answer.json()["boundaries"][0]["median"];
    assert_eq!(boundary, "2");
    assert!(opened.dom.contains(">2</td>"), "the boundary");
    assert!(opened.dom.contains("can stay collapsed"), "what rates say");
}

#[test]
fn what_a_scenario_says_is_read_and_not_done() {
    let Some(browser) = browser() else { return };
    let desk = Desk::new();
    let title = "title=</script><script>document.title = \"taken\"</script><b>&amp;";
    desk.call(&["run", "outage_reject.toml", "--set", title]);
    let page = desk.path().join("output/outage_reject/report.html");
    let opened = open(browser, &desk, &page, "");
    is_sound(&opened);
    assert!(!opened.dom.contains("<title>taken"));
    assert!(opened.dom.contains("<h1>&lt;/script&gt;"), "it is shown");
}
