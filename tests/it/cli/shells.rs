//! `completions` and `man`: scripts that shells can read, and pages that a man can.
//!
//! Not what the options mean.

use std::process::{Command, Stdio};

use super::Desk;

/// Runs a program of the machine on a file; `None` where there is no such program.
fn reads(program: &str, args: &[&str], desk: &Desk) -> Option<(bool, String)> {
    let mut command = Command::new(program);
    let command = command
        .args(args)
        .current_dir(desk.path())
        .stdin(Stdio::null());
    let Ok(output) = command.output() else {
        eprintln!("skipped: no {program} on this machine");
        return None;
    };
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    Some((output.status.success(), said))
}

#[test]
fn every_shell_has_its_script_with_every_command() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let answer = desk.call(&["completions", shell]);
        assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{shell}");
        for word in ["run", "size", "explain", "replications"] {
            assert!(answer.stdout.contains(word), "{shell}: {word}");
        }
        desk.put(&format!("queuecast.{shell}"), &answer.stdout);
    }
    for (shell, args) in [
        ("bash", ["-n", "queuecast.bash"]),
        ("zsh", ["-n", "queuecast.zsh"]),
        ("fish", ["--no-execute", "queuecast.fish"]),
    ] {
        if let Some((good, said)) = reads(shell, &args, &desk) {
            assert!(good, "{shell}: {said}");
        }
    }
}

#[test]
fn bash_completes_commands_and_options() {
    let desk = Desk::new();
    desk.put(
        "queuecast.bash",
        &desk.call(&["completions", "bash"]).stdout,
    );
    let asks = "source queuecast.bash; COMP_WORDS=(queuecast run --rep); COMP_CWORD=2; \
                _queuecast queuecast --rep run; echo \"${COMPREPLY[@]}\"";
    if let Some((good, said)) = reads("bash", &["-c", asks], &desk) {
        assert!(good && said.contains("--replications"), "{said}");
    }
}

#[test]
fn every_command_has_its_page() {
    let desk = Desk::new();
    let answer = desk.call(&["man", "man1"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let pages = desk.names("man1");
    for page in ["queuecast.1", "queuecast-run.1", "queuecast-size.1"] {
        assert!(pages.iter().any(|name| name == page), "{pages:?}");
        let text = desk.read(&format!("man1/{page}"));
        assert!(text.contains(".TH"), "{page}");
        if let Some((good, said)) = reads("man", &["-l", &format!("man1/{page}")], &desk) {
            assert!(good && said.contains("NAME"), "{page}: {said}");
        }
    }
    let first = desk.call(&["man"]);
    assert_eq!(first.stdout, desk.read("man1/queuecast.1"));
}

#[test]
fn a_folder_for_pages_that_cannot_be_is_said() {
    let desk = Desk::new();
    let answer = desk.call(&["man", "outage_reject.toml"]);
    assert_eq!(answer.code, 2);
    let said = "error: cannot write to `outage_reject.toml`";
    assert!(answer.stderr.starts_with(said), "{}", answer.stderr);
}
