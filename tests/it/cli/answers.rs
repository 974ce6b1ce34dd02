//! The smaller commands: check, test, formula, init, list, explain, and help.

use super::{Desk, OUTAGE};

#[test]
fn check_says_what_was_understood() {
    insta::assert_snapshot!(Desk::new().seen(&["check", "outage_reject.toml"]));
}

#[test]
fn check_warns_on_standard_error_and_succeeds() {
    let desk = Desk::new();
    let set = "consumers.fleet.count=48";
    let answer = desk.call(&["check", "outage_reject.toml", "--set", set]);
    assert_eq!(answer.code, 0);
    assert!(answer.stderr.starts_with("warning: "), "{}", answer.stderr);
    let json = desk
        .call(&["check", "outage_reject.toml", "--format", "json"])
        .json();
    assert_eq!(json[0]["part"], "run");
}

#[test]
fn test_tells_each_scenario() {
    let desk = Desk::new();
    desk.put("all/a/good.toml", OUTAGE);
    desk.put("all/b/off.toml", &OUTAGE.replace("== 8000", "== 8001"));
    let (plain, _) = OUTAGE
        .split_once("# What the arithmetic says")
        .expect("its expectations");
    desk.put("all/c/silent.toml", plain);
    let endless = "\n[[expect]]\nthat = \"queues.orders.drained_at == never\"\n";
    let stopped = plain.replace("\"1h\"", "\"2m\"") + endless;
    desk.put("all/d/stopped.toml", &stopped);
    desk.put("all/notes.txt", "no scenario");
    let seen = desk.seen(&["test", "all"]);
    assert!(seen.contains("exit code 1"), "{seen}");
    insta::assert_snapshot!(seen);
    desk.put(
        "all/b/broken.toml",
        &OUTAGE.replace("count   = 60", "cuont = 60"),
    );
    insta::assert_snapshot!("test_with_a_broken_file", desk.seen(&["test", "all"]));
}

#[test]
fn test_answers_scripts() {
    let desk = Desk::new();
    let args = ["test", "outage_reject.toml", "--format"];
    let json = desk.call(&[&args[..], &["json"]].concat()).json();
    assert_eq!(json[0]["result"], "ok");
    assert_eq!(json[0]["expect"].as_array().map(Vec::len), Some(5));
    let csv = desk.call(&[&args[..], &["csv"]].concat()).stdout;
    assert_eq!(csv.lines().count(), 6, "{csv}");
    assert_eq!(desk.call(&["test", "."]).code, 0);
    desk.put("empty/notes.txt", "");
    let none = desk.call(&["test", "empty"]);
    assert_eq!(none.code, 2);
    assert!(
        none.stderr.contains("there is no scenario"),
        "{}",
        none.stderr
    );
}

#[test]
fn formula_prints_all_quantities_or_one() {
    let desk = Desk::new();
    let model = ["formula", "M/M/c", "lambda=1200", "mu=25", "c=60"];
    insta::assert_snapshot!(desk.seen(&model));
    let one = desk.call(&[&model[..], &["--quantity", "rho"]].concat());
    assert_eq!(one.stdout, "0.8\n");
    let json = desk
        .call(&[&model[..], &["--format", "json"]].concat())
        .json();
    assert_eq!(json["quantities"]["rho"], 0.8);
    assert_eq!(json["quantities"]["stable"], true);
    let csv = desk.call(&[&model[..], &["--format", "csv"]].concat());
    assert!(csv.stdout.starts_with("quantity,value\n"), "{}", csv.stdout);
}

#[test]
fn formula_answers_a_table() {
    let desk = Desk::new();
    desk.put(
        "asked.csv",
        "case_id,model,params,quantity\nA,M/M/1,lambda=0.5;mu=1,L\nB,M/M/1,lambda=0.5;mu=1,none\n",
    );
    let answer = desk.call(&["formula", "--file", "asked.csv"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert_eq!(
        answer.stdout,
        "case_id,model,params,quantity,computed\n\
         A,M/M/1,lambda=0.5;mu=1,L,1.0\n\
         B,M/M/1,lambda=0.5;mu=1,none,\n"
    );
    let wrong = desk.call(&["formula", "--file", "outage_reject.toml"]);
    assert_eq!(wrong.code, 2, "{}", wrong.stderr);
}

#[test]
fn formula_says_what_is_wrong() {
    let desk = Desk::new();
    for (args, says) in [
        (&["M/M/X", "c=1"][..], "did you mean `M/M/c`"),
        (&["M/M/c", "lambda=1"], "is missing"),
        (
            &["M/M/c", "lambda=x", "mu=1", "c=1"],
            "`lambda=x` cannot be read",
        ),
        (
            &["M/M/c", "lambda=1", "mu=1", "c=2", "--quantity", "Q"],
            "no quantity `Q`",
        ),
        (&["M/M/c", "lambda"], "key=value"),
        (&["--file", "nowhere.csv"], "cannot read `nowhere.csv`"),
        (&[], "required"),
    ] {
        let answer = desk.call(&[&["formula"], args].concat());
        assert_eq!(answer.code, 2, "{args:?}");
        assert!(answer.stderr.contains(says), "{args:?}: {}", answer.stderr);
        assert!(answer.stdout.is_empty());
    }
}

#[test]
fn init_writes_a_scenario_that_runs_and_never_overwrites() {
    let desk = Desk::new();
    insta::assert_snapshot!(desk.seen(&["init", "mine.toml"]));
    let run = desk.call(&["run", "mine.toml", "--no-report"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    desk.put("mine.toml", "mine");
    let again = desk.call(&["init", "mine.toml"]);
    assert_eq!(again.code, 2);
    assert!(
        again.stderr.contains("is there already"),
        "{}",
        again.stderr
    );
    assert_eq!(desk.read("mine.toml"), "mine");
    let printed = desk.call(&["init", "-"]).stdout;
    desk.call(&["init"]);
    assert_eq!(desk.read("scenario.toml"), printed);
}

#[test]
fn list_tells_what_there_is() {
    let desk = Desk::new();
    desk.put("scenarios/outage.toml", OUTAGE);
    desk.put("scenarios/broken.toml", "[");
    for what in ["scenarios", "laws", "arrivals", "metrics", "keys", "models"] {
        let json = desk.call(&["list", what, "--format", "json"]).json();
        assert!(!json.as_array().expect("a list").is_empty(), "{what}");
    }
    let text = ["", "scenarios", "laws", "arrivals"].map(|what| {
        let args = ["list", what];
        desk.seen(if what.is_empty() { &args[..1] } else { &args })
    });
    insta::assert_snapshot!(text.join("\n"));
    assert_eq!(Desk::new().call(&["list", "scenarios"]).code, 2);
}

#[test]
fn explain_tells_what_a_word_means() {
    let desk = Desk::new();
    let asked = [
        "on_full",
        "consumers.fleet.count",
        "wait",
        "queues.orders.full_at",
        "lognormal",
        "p99",
        "outages",
        "drop_oldest",
        "M/M/c",
    ];
    let text: Vec<_> = asked
        .iter()
        .map(|word| desk.seen(&["explain", word]))
        .collect();
    insta::assert_snapshot!(text.join("\n"));
    let unknown = desk.call(&["explain", "conut"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("did you mean `count`?"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn help_fits_a_terminal_and_has_examples() {
    let desk = Desk::new();
    insta::assert_snapshot!(desk.seen(&["--help"]));
    for command in [
        "size", "run", "check", "test", "formula", "init", "list", "explain",
    ] {
        let answer = desk.call(&[command, "--help"]);
        assert_eq!(answer.code, 0);
        assert!(
            answer.stdout.contains("Examples:\n  queuecast "),
            "{command}"
        );
        for line in answer.stdout.lines() {
            assert!(line.chars().count() <= 80, "{command}: {line}");
        }
    }
    assert_eq!(desk.call(&[]).code, 2);
    assert_eq!(desk.call(&["simulate"]).code, 2);
}

#[test]
fn a_preset_is_told_with_its_sources() {
    let desk = Desk::new();
    insta::assert_snapshot!(desk.seen(&["explain", "preset", "redis_celery"]));
    let same = desk.call(&["explain", "redis_celery"]).stdout;
    assert_eq!(
        desk.call(&["explain", "preset", "redis_celery"]).stdout,
        same
    );
    let json = desk.call(&["explain", "sqs", "--format", "json"]).json();
    assert_eq!(json[0]["key"], "queues.NAME.delivery.visibility_timeout");
    assert_eq!(json[0]["default"], "\"30s\"");
    let near = desk.call(&["explain", "sqs_ffio"]);
    assert!(
        near.stderr.contains("did you mean `sqs_fifo`?"),
        "{}",
        near.stderr
    );
    insta::assert_snapshot!("list_presets", desk.seen(&["list", "presets"]));
}

#[test]
fn explain_takes_several_names_and_words_of_brokers() {
    let desk = Desk::new();
    let both = desk
        .call(&["explain", "wait.p99", "maxReceiveCount"])
        .stdout;
    assert!(both.contains("queues.NAME.wait.p99 (metric)"), "{both}");
    assert!(
        both.contains("queues.NAME.delivery.max_receives (key)"),
        "{both}"
    );
    let one = desk.call(&["explain", "wait.p99", "nonsense"]);
    assert_eq!(one.code, 2);
    assert!(
        one.stderr.contains("nothing is called `nonsense`"),
        "{}",
        one.stderr
    );
    let lag = desk.call(&["explain", "consumer", "lag"]).stdout;
    assert!(lag.contains("queues.NAME.lag (metric)"), "{lag}");
}

#[test]
fn formula_says_what_a_model_takes() {
    let desk = Desk::new();
    let none = desk.call(&["formula", "M/M/c"]);
    let takes = "takes c (a whole number), lambda (a number, as `0.04` or `1/30`)";
    assert!(none.stderr.contains(takes), "{}", none.stderr);
    let stray = desk.call(&["formula", "M/M/c", "lambda=1", "mu=2", "c=1", "lamda=3"]);
    assert_eq!(stray.code, 2);
    assert!(
        stray.stderr.contains("no parameter `lamda`"),
        "{}",
        stray.stderr
    );
    assert!(
        stray.stderr.contains("did you mean `lambda`?"),
        "{}",
        stray.stderr
    );
    assert_eq!(
        desk.call(&["list", "formulas"]).stdout,
        desk.call(&["list", "models"]).stdout
    );
}
