//! The gallery: every scenario loads without a word, meets its expectations, and has the digest
//! of `tests/golden/digests.txt`, on any number of threads and with any recorder.
//!
//! Not what the numbers should be: that stands in the scenarios, derived. A digest that changes is
//! a history that changes. When that is meant, `UPDATE_GOLDEN=1 cargo test gallery` writes the
//! file anew, and the difference is read in review.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use queuecast::experiment::conduct;
use queuecast::experiment::replicate::digest;
use queuecast::outcome::{Catalogue, Kind, Measures, RunRecord, Subject};
use queuecast::scenario::{Color, Scenario};
use queuecast::sim::{Detail, simulate};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

const GOLDEN: &str = "tests/golden/digests.txt";

/// A scenario of the gallery and what became of it on four threads.
struct Played {
    name: String,
    scenario: Scenario,
    runs: Vec<RunRecord>,
}

static GALLERY: LazyLock<Vec<Played>> = LazyLock::new(|| {
    let play = |path: &PathBuf| {
        let scenario = load(path);
        let runs = runs_on(4, &scenario);
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        Played {
            name,
            scenario,
            runs,
        }
    };
    files().iter().map(play).collect()
});

fn files() -> Vec<PathBuf> {
    let entries = fs::read_dir("scenarios").unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    files.sort();
    files
}

fn load(path: &Path) -> Scenario {
    Scenario::load(path, &[]).unwrap_or_else(|failure| panic!("{failure}"))
}

/// Warnings that scenarios show on purpose; there are no others.
const MEANT: &[(&str, &str)] = &[
    ("at_most_once", "loses the messages at work"),
    ("check_then_insert", "are delivered again while"),
    ("claim", "are delivered again while"),
    ("claim_too_short", "are delivered again while"),
    ("dead_letters_unread", "nobody is told of dead letters"),
    ("dead_letters_unread", "may vanish before they are read"),
    ("generated_key", "are delivered again while"),
    ("lag_alerts", "loses messages when its consumers are away"),
    ("lints", "loses messages when its consumers are away"),
    ("lints", "are delivered again while"),
    ("lints", "nobody is told of dead letters"),
    ("lints", "may vanish before they are read"),
    ("lints", "are always idle"),
    ("lints", "is retried together"),
    ("lints", "waits with the broker for longer"),
    ("lints", "holds work that others could do"),
    ("long_work", "are delivered again while"),
    ("long_work_rabbitmq", "loses its connection while it works"),
    ("prefetch_high", "holds work that others could do"),
    ("preset_rabbitmq_classic", "holds work that others could do"),
    ("preset_rabbitmq_quorum", "holds work that others could do"),
    (
        "preset_rabbitmq_quorum",
        "drops messages that cannot be worked on",
    ),
    ("preset_redis_celery", "loses the messages at work"),
    ("preset_sidekiq", "loses the messages at work"),
    ("retention", "loses messages when its consumers are away"),
    ("retry_exponential", "is retried together"),
    ("retry_fixed", "is retried together"),
    ("storm_blip", "can stay down when its cause has gone"),
    ("storm_blip_paused", "can stay down when its cause has gone"),
    ("storm_brownout", "can stay down when its cause has gone"),
    ("storm_budget_80", "can stay down when its cause has gone"),
    ("storm_collapse", "can stay down when its cause has gone"),
    (
        "storm_drop_expired",
        "can stay down when its cause has gone",
    ),
    ("storm_jitter", "can stay down when its cause has gone"),
    ("unique_key", "are delivered again while"),
    ("unique_key_crash", "are delivered again while"),
    ("unique_key_crash", "can leave work undone for ever"),
    ("visibility", "are delivered again while"),
];

fn runs_on(threads: usize, scenario: &Scenario) -> Vec<RunRecord> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(|| conduct(&scenario.model, Detail::Measures, &|_| {}).runs)
}

fn golden() -> BTreeMap<String, String> {
    let text = fs::read_to_string(GOLDEN).unwrap_or_default();
    let pair = |line: &str| {
        let (name, digest) = line.split_once(' ')?;
        Some((name.to_owned(), digest.trim().to_owned()))
    };
    text.lines().filter_map(pair).collect()
}

#[test]
fn every_scenario_is_silent_and_meets_its_expectations() {
    let mut wrong = Vec::new();
    for Played {
        name,
        scenario,
        runs,
    } in GALLERY.iter()
    {
        let warned = scenario.render_warnings(Color::Never);
        let meant = MEANT.iter().filter(|(meant, _)| meant == name);
        let titles: Vec<_> = meant.map(|(_, title)| *title).collect();
        let shows_all = titles.iter().all(|title| warned.contains(title));
        if !shows_all || scenario.warnings() != titles.len() {
            wrong.push(format!("{name}: {warned}"));
        }
        if scenario.expectations.is_empty() {
            wrong.push(format!("{name}: expects nothing"));
        }
        if let Some(run) = runs.iter().find(|run| run.ended.why.is_partial()) {
            wrong.push(format!("{name}: {:?}", run.ended));
        }
        let measures = Measures::of(Catalogue::of(&scenario.model), runs);
        for expected in &scenario.expectations {
            let observed = measures.value(&expected.metric);
            if !expected.holds(observed) {
                wrong.push(format!("{name}: {}, but {observed:?}", expected.text));
            }
        }
    }
    assert!(GALLERY.len() >= 70, "only {} scenarios", GALLERY.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_digest_is_golden() {
    let line = |played: &Played| format!("{} {:016x}", played.name, digest(&played.runs));
    let text = GALLERY.iter().map(line).collect::<Vec<_>>().join("\n") + "\n";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(GOLDEN, &text).unwrap();
    }
    let golden = fs::read_to_string(GOLDEN).unwrap_or_default();
    assert_eq!(
        text, golden,
        "histories have changed; if that is meant: UPDATE_GOLDEN=1"
    );
}

/// Rule A3: the same on one thread as on four.
#[test]
fn threads_change_no_digest() {
    let golden = golden();
    for path in files() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let alone = format!("{:016x}", digest(&runs_on(1, &load(&path))));
        assert_eq!(golden.get(&name), Some(&alone), "{name}");
    }
}

/// Rule A3: the same with all recorders as with none.
#[test]
fn recorders_change_no_digest() {
    GALLERY.par_iter().for_each(|played| {
        for run in &played.runs {
            let ((), ended, digest) = simulate(&played.scenario.model, run.replication, ());
            assert_eq!((ended, digest), (run.ended, run.digest), "{}", played.name);
        }
    });
}

/// Rule H1: what `lag_alerts.toml` says of its four alerts, second by second.
#[test]
fn age_tells_before_depth_does() {
    let of = |name: &str| GALLERY.iter().find(|played| played.name == name).unwrap();
    let Played { scenario, runs, .. } = of("lag_alerts");
    let fired: Vec<_> = runs[0]
        .timeline
        .iter()
        .filter_map(|moment| match (moment.subject, moment.kind) {
            (Subject::Alert(alert), Kind::AlertFired { .. }) => {
                let name = scenario.model.alerts[alert].name.as_str();
                Some((name, moment.at.as_secs_f64().round() as u64))
            }
            _ => None,
        })
        .collect();
    let told = [
        ("nobody works", 70),
        ("too old", 151),
        ("messages expire", 360),
    ];
    assert_eq!(fired, told);
}
