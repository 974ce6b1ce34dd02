//! A sweep on a real Slurm, by the template that the repository has for it. `.ci/slurm` starts one
//! on loopback, where it is installed.
//!
//! Not Kubernetes: there the variables are tested, and the job's file is not.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use super::{CSV, desk, swept};

/// What `.ci/slurm` exits with when it cannot run here.
const SKIPPED: i32 = 77;

#[test]
fn an_array_job_on_a_real_slurm_makes_the_whole() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let desk = desk();
    let run = Command::new(root.join(".ci/slurm"))
        .arg(env!("CARGO_BIN_EXE_queuecast"))
        .arg(desk.path())
        .arg(desk.path().join("small.toml"))
        .arg("4")
        .output()
        .expect("a shell");
    let told =
        String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    if run.status.code() == Some(SKIPPED) {
        let why = told.lines().find(|line| line.starts_with("skipped"));
        // Not `println`, which nobody sees of a test that passes.
        let line = format!("the test on a real Slurm is {}\n", why.unwrap_or("skipped"));
        std::io::stderr().write_all(line.as_bytes()).expect("told");
        return;
    }
    assert!(run.status.success(), "{told}");
    let parts = [1, 2, 3, 4].map(|part| format!("output/small/sweep.{part}-of-4.csv"));
    let mut args = vec!["merge"];
    args.extend(parts.iter().map(String::as_str));
    let merged = desk.call(&args);
    assert_eq!(merged.code, 0, "{}\n{told}", merged.stderr);
    let alone = super::desk();
    swept(&alone, &["--quiet"]);
    assert!(desk.read(CSV) == alone.read(CSV), "the joined file differs");
}
