//! The results file: stopped sweeps that go on, parts that are joined, and what is refused.
//!
//! Not what stands in it.

use std::time::Duration;

use super::{CSV, SMALL, desk, swept};
use crate::cli::Desk;

/// The file of a sweep that is not complete: named by the fingerprint, the first cell of each row.
fn unfinished(whole: &str) -> String {
    let row = whole.lines().nth(1).expect("a row");
    let fingerprint = row.split(',').next().expect("a cell");
    format!("output/small/sweep.unfinished-{fingerprint}.csv")
}

fn remove(desk: &Desk, path: &str) {
    std::fs::remove_file(desk.path().join(path)).expect("removed");
}

#[test]
fn a_killed_sweep_goes_on_and_ends_with_the_same_bytes() {
    let whole = desk();
    let told = swept(&whole, &["--format", "json"]).stdout;
    let whole = whole.read(CSV);
    let killed = desk();
    let mut child = killed
        .command(&["sweep", "small.toml", "--jobs", "1", "--quiet"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("it starts");
    let growing = killed.path().join(unfinished(&whole));
    let rows = || std::fs::read_to_string(&growing).map_or(0, |text| text.lines().count());
    for _ in 0..60_000 {
        if rows() > 5 {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("killed");
    child.wait().expect("gone");
    assert!(rows() > 5, "it was killed too early, or was too quick");
    let answer = swept(&killed, &["--format", "json"]);
    assert!(
        answer.stderr.contains("of 480 points are known from"),
        "{}",
        answer.stderr
    );
    assert!(answer.stdout == told, "JSON differs");
    assert!(killed.read(CSV) == whole, "results files differ");
    assert!(!growing.exists());
}

#[test]
fn what_was_half_written_is_computed_again() {
    let desk = desk();
    let vary = ["--vary", "consumers.fleet.count=58..64", "--quiet"];
    swept(&desk, &vary);
    let whole = desk.read(CSV);
    let growing = unfinished(&whole);
    let header = whole.find('\n').expect("a header") + 1;
    let third = whole.match_indices('\n').nth(3).expect("rows").0 + 1;
    // In the header, in the first row, between rows, within a row, and rubbish behind rows.
    for cut in [
        0,
        header / 2,
        header,
        header + 30,
        third,
        third + 200,
        whole.len(),
    ] {
        for rubbish in ["", "\"", "0,1,2\n", "\u{0}"] {
            remove(&desk, CSV);
            desk.put(&growing, &format!("{}{rubbish}", &whole[..cut]));
            swept(&desk, &vary);
            assert!(desk.read(CSV) == whole, "cut at {cut}, then {rubbish:?}");
            assert!(!desk.path().join(&growing).exists());
        }
    }
}

#[test]
fn a_row_that_somebody_changed_is_computed_again() {
    let desk = desk();
    let vary = ["--vary", "consumers.fleet.count=58..64"];
    swept(&desk, &vary);
    let whole = desk.read(CSV);
    let growing = unfinished(&whole);
    // A digit of the third row is another; then two rows have changed places.
    let row = whole.lines().nth(3).expect("a row");
    let digits = row.rfind('1').expect("a digit");
    let edited = format!("{}2{}", &row[..digits], &row[digits + 1..]);
    let lines: Vec<&str> = whole.lines().collect();
    let mut swapped = lines.clone();
    swapped.swap(3, 4);
    for (text, words) in [
        (
            whole.replace(row, &edited),
            "line 4 of the results that were there: it was changed",
        ),
        (
            swapped.join("\n") + "\n",
            "line 4 of the results that were there: it is of another",
        ),
    ] {
        for place in [CSV, &growing] {
            remove(&desk, CSV);
            desk.put(place, &text);
            let answer = swept(&desk, &vary);
            assert!(answer.stderr.contains(words), "{}", answer.stderr);
            assert!(desk.read(CSV) == whole, "{place}");
        }
    }
}

#[test]
fn a_part_without_points_says_so_and_is_joined() {
    let desk = desk();
    let vary = ["--vary", "consumers.fleet.count=58,59"];
    swept(&desk, &vary);
    let whole = desk.read(CSV);
    remove(&desk, CSV);
    for part in ["1/3", "2/3", "3/3"] {
        let answer = swept(&desk, &[&vary[..], &["--shard", part]].concat());
        let told = answer.stderr.contains("this part has none of the 2 points");
        assert_eq!(told, part == "3/3", "{part}: {}", answer.stderr);
    }
    let parts = [1, 2, 3].map(|part| format!("output/small/sweep.{part}-of-3.csv"));
    let args: Vec<&str> = ["merge"]
        .into_iter()
        .chain(parts.iter().map(String::as_str))
        .collect();
    let answer = desk.call(&args);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(desk.read(CSV) == whole);
    // Never over one of the parts.
    let answer = desk.call(&[&args[..], &["--output", &parts[1]]].concat());
    assert_eq!(answer.code, 2);
    assert!(
        answer.stderr.contains("is one of the parts"),
        "{}",
        answer.stderr
    );
}

#[test]
fn a_finished_sweep_is_shown_again_and_another_takes_its_place() {
    let desk = desk();
    let fleets = ["--vary", "consumers.fleet.count=58..61"];
    let first = swept(&desk, &fleets);
    let again = swept(&desk, &fleets);
    assert_eq!(first.stdout, again.stdout);
    assert!(
        again.stderr.contains("4 of 4 points are known"),
        "{}",
        again.stderr
    );
    let other = ["--vary", "consumers.fleet.count=58..61", "--seed", "2"];
    assert!(!swept(&desk, &other).stderr.contains("are known"));
    desk.put(
        "small.toml",
        &SMALL.replace("capacity = 100", "capacity = 90"),
    );
    assert!(!swept(&desk, &fleets).stderr.contains("are known"));
}

#[test]
fn four_parts_make_the_whole_to_the_byte() {
    let desk = desk();
    swept(&desk, &["--quiet"]);
    let whole = desk.read(CSV);
    remove(&desk, CSV);
    for part in ["1/4", "2/4", "4/4"] {
        swept(&desk, &["--shard", part]);
    }
    let indexed = desk
        .command(&["sweep", "small.toml", "--shard", "auto", "--quiet"])
        .env("JOB_COMPLETION_INDEX", "2")
        .env("QUEUECAST_SHARDS", "4")
        .output()
        .expect("it runs");
    assert!(indexed.status.success());
    let parts = [3, 1, 4, 2].map(|part| format!("output/small/sweep.{part}-of-4.csv"));
    let mut args = vec!["merge"];
    args.extend(parts.iter().map(String::as_str));
    let answer = desk.call(&args);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(desk.read(CSV) == whole, "the joined file differs");
    // And nothing has to be computed to show it.
    let shown = swept(&desk, &[]);
    assert!(
        shown.stderr.contains("480 of 480 points are known"),
        "{}",
        shown.stderr
    );
}

#[test]
fn parts_that_make_no_whole_are_refused() {
    let desk = desk();
    let vary = ["--vary", "consumers.fleet.count=58..63"];
    for (part, seed) in [("1/2", "1"), ("2/2", "1"), ("1/3", "1"), ("2/3", "9")] {
        swept(
            &desk,
            &[&vary[..], &["--shard", part, "--seed", seed]].concat(),
        );
    }
    let name = |part: &str| format!("output/small/sweep.{part}.csv");
    let (one, two) = (name("1-of-2"), name("2-of-2"));
    let (third, stranger) = (name("1-of-3"), name("2-of-3"));
    let cut = desk.read(&two);
    desk.put("cut.csv", &cut[..cut.len() - 5]);
    desk.put("stranger.csv", "a,b\n1,2\n");
    desk.put("empty.csv", "");
    let rows = cut.lines().count();
    desk.put("edited.csv", &cut.replacen(",true,", ",false,", rows));
    assert_ne!(desk.read("edited.csv"), cut);
    let cases: [(&[&str], &str); 9] = [
        (&[&one], "3 points of 6 missing, the first is 2"),
        (&[&one, &one, &two], "point 1 is in"),
        (&[&one, &two, &third], "point 1 is in"),
        (&[&one, &stranger], "is a part of another sweep than"),
        (&[&one, "cut.csv"], "ends in the middle of a line"),
        (&[&one, "stranger.csv"], "is not what a sweep writes"),
        (&[&one, "empty.csv"], "`empty.csv` is empty"),
        (
            &[&one, "edited.csv"],
            "line 2 of `edited.csv` was changed after it was written",
        ),
        (&[&one, "nowhere.csv"], "cannot read `nowhere.csv`"),
    ];
    for (parts, words) in cases {
        let args: Vec<&str> = ["merge"].iter().chain(parts).copied().collect();
        let answer = desk.call(&args);
        assert_eq!(answer.code, 2, "{parts:?}");
        assert!(answer.stderr.contains(words), "{words}: {}", answer.stderr);
        assert!(!desk.path().join(CSV).exists(), "{parts:?}");
    }
}

#[test]
fn a_task_of_a_job_is_told_that_it_computes_everything() {
    let desk = desk();
    let output = desk
        .command(&["sweep", "small.toml", "--vary", "consumers.fleet.count=60"])
        .env("SLURM_ARRAY_TASK_ID", "2")
        .env("SLURM_ARRAY_TASK_MIN", "1")
        .env("SLURM_ARRAY_TASK_COUNT", "4")
        .output()
        .expect("it runs");
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(
        told.contains("task 2 of 4 of a job, and computes every point"),
        "{told}"
    );
}
