//! A key with its example as assignments that work: with what the key needs beside it, and with
//! the names of the scenario that `init` writes.
//!
//! Not what a key means.

use crate::scenario::{Key, keys};

/// Tables that hold one of several things: an assignment puts a whole one in the place of another.
const ONE_OF: [&str; 2] = ["producers.NAME.arrivals", "producers.NAME.on_full"];

/// Keys that do nothing without another of their table, beside those that are required.
const NEEDS: [(&str, &str); 20] = [
    ("consumers.NAME.calls.per", "breaker"),
    ("dependencies.NAME.overload.above", "slowdown"),
    ("dependencies.NAME.overload.most", "slowdown"),
    ("consumers.NAME.retry.budget_per", "budget"),
    ("producers.NAME.on_full.block.wake_up", "admission"),
    ("queues.NAME.delivery.heartbeat", "visibility_timeout"),
    ("queues.NAME.delivery.max_extension", "visibility_timeout"),
    ("queues.NAME.delivery.sweep", "visibility_timeout"),
    ("queues.NAME.delivery.late_ack", "visibility_timeout"),
    ("queues.NAME.delivery.limit_counts", "return_limit"),
    ("consumers.NAME.crash.consumers", "at"),
    ("consumers.NAME.crash.restart", "mtbf"),
    ("consumers.NAME.publishes.copies", "queue"),
    ("consumers.NAME.publishes.size", "queue"),
    ("consumers.NAME.publishes.priority", "queue"),
    ("consumers.NAME.publishes.on_full", "queue"),
    ("consumers.NAME.publishes.keys", "queue"),
    ("consumers.NAME.publishes.poison", "queue"),
    ("consumers.NAME.publishes.confirm_loss", "queue"),
    ("consumers.NAME.publishes.send_batch", "queue"),
];

/// What a key needs in another component. Queues that an example names are left to the reader:
/// assignments add none.
const ELSEWHERE: [(&str, &str); 3] = [
    ("queues.NAME.groups", "producers.checkout.keys=1000"),
    ("consumers.NAME.guard", "producers.checkout.keys=1000"),
    ("producers.NAME.poison.keys", "producers.checkout.keys=1000"),
];

/// The name of a dependency, of which the first scenario has none.
const DEPENDENCY: &str = "dependencies.mailer";

/// What puts one there.
const MAILER: &str = "dependencies.mailer={ servers = 10, service = \"100ms\" }";

/// The components of the first scenario, and a dependency.
const NAMES: [(&str, &str); 6] = [
    ("dependencies.NAME", DEPENDENCY),
    ("producers.NAME", "producers.checkout"),
    ("queues.NAME", "queues.orders"),
    ("consumers.NAME", "consumers.fleet"),
    ("outages.N", "outages.0"),
    ("expect.N", "expect.0"),
];

/// The assignments of a key's example, the key itself last.
pub(super) fn assignments(key: &Key) -> Vec<String> {
    let elsewhere = ELSEWHERE.iter().filter(|(needs, _)| key.pattern == *needs);
    let mut all: Vec<_> = elsewhere.map(|(_, other)| (*other).to_owned()).collect();
    let whole = key.pattern.split('.').collect::<Vec<_>>();
    if let ["producers" | "consumers", _, "calls", ..] = whole[..] {
        all.push(MAILER.to_owned());
    }
    if let ["outages", _, "calls" | "slowdown"] = whole[..] {
        all.push(MAILER.to_owned());
        all.push(format!("outages.0.target={DEPENDENCY}"));
    }
    all.push(own(key));
    all
}

fn own(key: &Key) -> String {
    let known = NAMES.iter();
    let component = known.clone().find(|(named, _)| {
        let rest = key.pattern.strip_prefix(named);
        rest.is_some_and(|rest| rest.starts_with('.'))
    });
    let (prefix, name) = component.map_or_else(
        || {
            let section = key.pattern.split('.').next().unwrap_or(key.pattern);
            (section, section)
        },
        |(prefix, name)| (*prefix, *name),
    );
    let rest = &key.pattern[prefix.len()..];
    let parts: Vec<&str> = rest.split('.').filter(|part| !part.is_empty()).collect();
    let mut pattern = prefix.to_owned();
    let mut dotted = name.to_owned();
    for (place, part) in parts.iter().enumerate() {
        let siblings = beside(&pattern, part);
        if *part == "N" || !siblings.is_empty() || ONE_OF.contains(&pattern.as_str()) {
            return format!("{dotted}={}", nested(key, &pattern, &parts[place..]));
        }
        pattern = format!("{pattern}.{part}");
        dotted = format!("{dotted}.{part}");
    }
    format!("{dotted}={}", key.example)
}

/// The rest of a key as a value, with what it needs at each level.
fn nested(key: &Key, pattern: &str, parts: &[&str]) -> String {
    match parts {
        [] => value(key.example),
        ["N", rest @ ..] => format!("[{}]", nested(key, &format!("{pattern}.N"), rest)),
        [part, rest @ ..] => {
            let inner = nested(key, &format!("{pattern}.{part}"), rest);
            let mut fields: Vec<_> = beside(pattern, part)
                .iter()
                .map(|other| {
                    let name = other.pattern.rsplit('.').next().unwrap_or("");
                    format!("{name} = {}", value(other.example))
                })
                .collect();
            fields.push(format!("{part} = {inner}"));
            format!("{{ {} }}", fields.join(", "))
        }
    }
}

/// The keys of a table that one of them needs beside it.
fn beside(table: &str, part: &str) -> Vec<&'static Key> {
    // What the first scenario has already is not needed once more.
    let is_component = NAMES
        .iter()
        .any(|(pattern, name)| *pattern == table && *name != DEPENDENCY);
    let pattern = format!("{table}.{part}");
    let needs = |name: &str| {
        let pair = |(own, other): &(&str, &str)| *own == pattern && *other == name;
        NEEDS.iter().any(pair)
    };
    let is_needed = |key: &&Key| {
        let name = key.pattern.strip_prefix(table);
        let name = name.and_then(|rest| rest.strip_prefix('.'));
        name.is_some_and(|name| {
            let required = key.default.starts_with("required") && !is_component;
            name != part && !name.contains('.') && (required || needs(name))
        })
    };
    keys().iter().filter(is_needed).collect()
}

/// An example as it stands in a table: words in quotes.
fn value(example: &str) -> String {
    let digits = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit() || b"_.".contains(&byte))
    };
    if example.starts_with(['{', '[', '"']) || digits(example) || example == "true" {
        example.to_owned()
    } else {
        format!("\"{example}\"")
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scenario::{Color, Scenario};

    /// Keys that the first scenario has no place for: they stand instead of one that it has.
    const INSTEAD: [&str; 8] = [
        "producers.NAME.calls",
        "producers.NAME.queues",
        "producers.NAME.arrivals.trace",
        "outages.N.windows",
        "outages.N.windows.N.start",
        "outages.N.windows.N.duration",
        "outages.N.mtbf",
        "outages.N.mttr",
    ];

    #[test]
    fn every_example_works_on_the_first_scenario() {
        for key in keys().iter().filter(|key| !INSTEAD.contains(&key.pattern)) {
            let assignments = assignments(key);
            let queues = "[queues.dead]\n[queues.mails]\n";
            let text = format!("{}\n{queues}", include_str!("starter.toml"));
            let loaded = Scenario::from_text("s.toml", &text, &assignments, Path::new(""));
            if let Err(why) = loaded {
                panic!("{assignments:?}: {}", why.render(Color::Never));
            }
        }
    }

    #[test]
    fn what_a_key_needs_stands_beside_it() {
        let of = |pattern: &str| {
            let key = keys().iter().find(|key| key.pattern == pattern);
            assignments(key.expect("a key")).join(" ")
        };
        assert_eq!(
            of("producers.NAME.confirm_loss.timeout"),
            "producers.checkout.confirm_loss={ share = \"0.1%\", timeout = \"2s\" }"
        );
        assert_eq!(
            of("queues.NAME.delivery.heartbeat"),
            "queues.orders.delivery={ visibility_timeout = \"30s\", heartbeat = \"10s\" }"
        );
        assert_eq!(
            of("queues.NAME.delivery.visibility_timeout"),
            "queues.orders.delivery.visibility_timeout=30s"
        );
        assert_eq!(of("consumers.NAME.count"), "consumers.fleet.count=60");
    }
}
