//! The README: every `$ queuecast …` in it answers as it says there. With `QUEUECAST_BLESS=1` in
//! the environment the answers are written into it.

use std::path::Path;

use crate::cli::{Desk, OUTAGE};

const BEGIN: &str = "```console\n$ queuecast ";
const END: &str = "```\n";

#[test]
fn the_commands_of_the_readme_answer_as_it_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let written = std::fs::read_to_string(&path).expect("a README");
    let desk = Desk::new();
    desk.put("scenarios/outage_reject.toml", OUTAGE);
    let mut made = String::new();
    let mut rest = written.as_str();
    let mut commands = 0;
    while let Some(at) = rest.find(BEGIN) {
        let (before, block) = rest.split_at(at + BEGIN.len());
        let (command, block) = block.split_once('\n').expect("a line");
        let end = block.find(END).expect("an end of the block");
        let unquoted = |word: &'_ str| word.trim_matches('\'').to_owned();
        let args: Vec<_> = command.split(' ').map(unquoted).collect();
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        made += before;
        made += command;
        made += "\n";
        made += &desk.call(&args).stdout;
        rest = &block[end..];
        commands += 1;
    }
    made += rest;
    assert!(commands >= 3, "only {commands} commands are shown");
    if std::env::var_os("QUEUECAST_BLESS").is_some() {
        std::fs::write(&path, &made).expect("written");
    } else {
        assert!(
            written == made,
            "run the tests with QUEUECAST_BLESS=1, and look at what changed"
        );
    }
}
