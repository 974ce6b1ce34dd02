//! The catalogue of keys: what each takes, what it is when it is not there, what it means.
//!
//! Not the readers, which decide; a test holds the two together. The parameters of laws, arrival
//! processes and retry policies stand with those.

/// A key of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its dotted name; `NAME` stands for a component, `N` for a position in a list.
    pub pattern: &'static str,
    /// What it takes.
    pub takes: &'static str,
    /// What it is when it is not there; "required" where it must be.
    pub default: &'static str,
    /// What it means, in one sentence.
    pub doc: &'static str,
    /// A value, as it is written behind `--set KEY=`.
    pub example: &'static str,
}

/// Every key, in the order in which people write them.
pub fn keys() -> &'static [Key] {
    KEYS
}

/// The keys that `asked` names: a dotted name with real names or placeholders in it
/// (`consumers.fleet.service`), or the end of one (`service`).
pub fn explain(asked: &str) -> Vec<&'static Key> {
    let exact: Vec<_> = KEYS
        .iter()
        .filter(|key| matches(key.pattern, asked))
        .collect();
    if !exact.is_empty() {
        return exact;
    }
    let ending = format!(".{asked}");
    KEYS.iter()
        .filter(|key| key.pattern.ends_with(&ending))
        .collect()
}

fn matches(pattern: &str, asked: &str) -> bool {
    let (pattern, asked) = (pattern.split('.'), asked.split('.'));
    let fits = |(part, word): (&str, &str)| match part {
        "NAME" => !word.is_empty(),
        "N" => word == "N" || word.bytes().all(|byte| byte.is_ascii_digit()),
        _ => part == word,
    };
    pattern.clone().count() == asked.clone().count() && pattern.zip(asked).all(fits)
}

macro_rules! keys {
    ($($pattern:literal, $takes:literal, $default:literal, $example:literal, $doc:literal;)*) => {
        &[$(Key {
            pattern: $pattern,
            takes: $takes,
            default: $default,
            doc: $doc,
            example: $example,
        }),*]
    };
}

#[rustfmt::skip]
const KEYS: &[Key] = keys! {
    "title", "text", "the file's name", "Checkout",
        "what the scenario is called in reports";
    "run.stop", "\"drained\", \"settled\", or a duration", "\"settled\" when all sources end, else \"drained\" when something disturbs", "10m",
        "what ends the run: no message waits after the last disturbance, every message has reached its end, or a time";
    "run.horizon", "a duration", "24h, or `stop` when that is a duration", "1h",
        "the bound on simulated time; reaching it is reported, and the result is partial";
    "run.seed", "a whole number", "1", "7",
        "the root of all randomness: same seed, same answer";
    "run.replications", "a count, at least 1", "1", "20",
        "how many independent runs there are";
    "run.warmup", "a duration, or \"auto\"", "0s", "30s",
        "what is left out of the statistics at the front; \"auto\" is found by MSER-5";
    "run.max_alive", "a count, at least 1", "20_000_000", "1M",
        "the bound on messages alive at once; reaching it ends the run and is reported";

    "producers.NAME.queue", "a queue's name", "this or `queues` is required", "orders",
        "where its messages go";
    "producers.NAME.queues", "a list of queues' names", "this or `queue` is required", "[\"orders\", \"mails\"]",
        "where its messages go, a copy to each";
    "producers.NAME.arrivals", "a process of arrivals", "required", "{ poisson = { rate = \"1200/s\" } }",
        "when messages come";
    "producers.NAME.start", "a duration", "0s", "10s",
        "when the arrivals begin";
    "producers.NAME.count", "a count, at least 1", "no end", "100_000",
        "after how many messages the producer ends";
    "producers.NAME.until", "a duration", "no end", "30s",
        "at which instant the producer ends; a message at that very instant is no longer published";
    "producers.NAME.size", "a size, or a law of sizes", "1KiB", "2KiB",
        "the size of a message, for memory limits";
    "producers.NAME.priority", "a count, or a law of counts", "0", "{ uniform = { min = 1, max = 9 } }",
        "the priority of a message; higher goes first in a queue whose order is \"priority\"";
    "producers.NAME.on_full", "\"reject\", \"block\", { block = … }, or { retry = … }", "\"reject\"", "block",
        "what the publisher does when a queue refuses: fail at once, wait for room, or try again later";
    "producers.NAME.on_full.block.timeout", "a duration", "waits for ever", "30s",
        "how long a blocked publisher waits before it gives up";
    "producers.NAME.on_full.block.connections", "a count, at least 1", "no bound", "2000",
        "how many publishers can be blocked at once; past it a publish is rejected";
    "producers.NAME.on_full.block.admission", "\"fifo\", \"newcomers_first\", \"random\", or \"lifo\"", "\"fifo\"", "newcomers_first",
        "which blocked publisher gets a slot that becomes free; one order for all that block on a queue";
    "producers.NAME.on_full.block.wake_up", "a duration", "none", "40ms",
        "how long a freed slot stays open to newcomers while a blocked publisher wakes up; with \"newcomers_first\"";
    "producers.NAME.on_full.block.admission.newcomers_first.wake_up", "a duration", "none", "40ms",
        "the same as `wake_up`, written within the order that it belongs to";
    "producers.NAME.on_full.retry", "a retry policy", "none", "{ attempts = 5 }",
        "how often and when a refused publish is tried again";

    "queues.NAME.capacity", "a count, at least 1, or \"unbounded\"", "\"unbounded\"", "100_000",
        "the most messages that the queue holds";
    "queues.NAME.capacity_counts", "\"waiting\", or \"waiting_and_in_flight\"", "\"waiting\"", "waiting_and_in_flight",
        "which messages the capacity counts";
    "queues.NAME.overflow", "\"refuse\", \"drop_oldest\", \"drop_newest\", or \"drop_lowest\"", "\"refuse\"", "drop_oldest",
        "what a full queue does with a publish; \"drop_lowest\" needs `order = \"priority\"`";
    "queues.NAME.returned", "\"keep\", or \"drop\"", "\"keep\"", "drop",
        "what happens to deliveries that come back to a full queue";
    "queues.NAME.order", "\"fifo\", \"lifo\", \"random\", or \"priority\"", "\"fifo\"", "lifo",
        "which waiting message goes next";
    "queues.NAME.retention", "a duration", "kept for ever", "4d",
        "how long a message may wait before it is expired at that instant";
    "queues.NAME.ttl", "a duration", "no limit", "30s",
        "how old a message may be when it is delivered; an older one is expired then";
    "queues.NAME.memory", "a table", "no limit", "{ limit = \"2GiB\" }",
        "the bound on the bytes of waiting and in-flight messages";
    "queues.NAME.memory.limit", "a size", "required", "2GiB",
        "how many bytes the queue may hold";
    "queues.NAME.memory.on_limit", "\"block\", \"refuse\", \"crash\", or { crash = … }", "\"block\"", "refuse",
        "what happens at the limit: publishers are blocked, refused, or the broker goes down with what it held";
    "queues.NAME.memory.on_limit.crash.restart", "a duration", "30s", "1m",
        "how long a crashed broker is down";

    "consumers.NAME.queue", "a queue's name", "required", "orders",
        "which queue it takes from";
    "consumers.NAME.count", "a count", "1", "60",
        "how many consumers there are";
    "consumers.NAME.concurrency", "a count, at least 1", "1", "8",
        "how many handlers each consumer has";
    "consumers.NAME.service", "a duration, or a law of durations", "required", "{ lognormal = { mean = \"40ms\", cv = 1.5 } }",
        "how long a handler works on a message";
    "consumers.NAME.schedule", "a list of { from, count }", "none", "[{ from = \"10m\", count = 75 }]",
        "changes of `count` at given instants";
    "consumers.NAME.schedule.N.from", "a duration", "required", "12m",
        "when the fleet changes its size";
    "consumers.NAME.schedule.N.count", "a count", "required", "80",
        "how many consumers there are from then on";
    "consumers.NAME.publishes", "a table", "nothing", "{ queue = \"mails\" }",
        "what a handler publishes when it has done its work: the next stage of a chain";
    "consumers.NAME.publishes.queue", "a queue's name", "this or `queues` is required", "mails",
        "where the messages of the next stage go";
    "consumers.NAME.publishes.queues", "a list of queues' names", "this or `queue` is required", "[\"mails\"]",
        "where the messages of the next stage go, a copy to each";
    "consumers.NAME.publishes.copies", "a count, at least 1", "1", "3",
        "how many messages it publishes to each queue for each one completed";
    "consumers.NAME.publishes.size", "a size, or a law of sizes", "1KiB", "4KiB",
        "the size of a message of the next stage";
    "consumers.NAME.publishes.priority", "a count, or a law of counts", "0", "5",
        "the priority of a message of the next stage";
    "consumers.NAME.publishes.on_full", "as of a producer", "\"reject\"", "block",
        "what a handler does when the next queue refuses";

    "outages.N.target", "\"consumers.NAME\"", "required", "consumers.fleet",
        "which fleet stops";
    "outages.N.start", "a duration", "required with `duration`", "5m",
        "when it stops";
    "outages.N.duration", "a duration", "this, `windows`, or `mtbf` is required", "90s",
        "how long it is down";
    "outages.N.windows", "a list of { start, duration }", "none", "[{ start = \"1m\", duration = \"10s\" }]",
        "several outages of the same kind, which may not overlap";
    "outages.N.windows.N.start", "a duration", "required", "2m",
        "when it stops";
    "outages.N.windows.N.duration", "a duration", "required", "20s",
        "how long it is down";
    "outages.N.mtbf", "a duration (the mean of an exponential law), or a law", "none", "6h",
        "time from the end of one outage to the start of the next: outages at random, for ever";
    "outages.N.mttr", "a duration (the mean of an exponential law), or a law", "required with `mtbf`", "{ constant = \"5m\" }",
        "how long each random outage lasts";
    "outages.N.share", "a ratio above 0", "1", "50%",
        "which part of the fleet stops, to the nearest whole number of consumers";
    "outages.N.in_flight", "\"finish\", \"freeze\", \"crash\", or { crash = … }", "\"finish\"", "freeze",
        "what becomes of the work in hand: it completes, goes on afterwards, or is lost and its message comes back";
    "outages.N.in_flight.crash.returns", "\"at_once\", or \"at_restart\"", "\"at_once\"", "at_restart",
        "when the messages of lost work are back in their queue";
    "outages.N.restart", "\"in_phase\", or \"staggered\"", "\"in_phase\"", "staggered",
        "whether the consumers come back at the same instant, or one by one over a mean service time";

    "alerts.N.when", "a condition", "required", "queues.orders.lag > 30s",
        "what is watched while the run goes on";
    "alerts.N.name", "text", "the condition", "too old",
        "what the alert is called in the timeline";
    "alerts.N.for", "a duration", "0s", "1m",
        "how long the condition must hold before the alert fires";
    "alerts.N.every", "a duration", "1s", "10s",
        "how often the condition is evaluated";
    "expect.N.that", "a condition", "required", "queues.orders.rejected == 0",
        "a number that `test` pins";
    "objectives.N.that", "a condition", "required", "queues.orders.wait.p99 <= 200ms",
        "what `plan` has to meet";
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::super::{Reason, Scenario};
    use super::*;

    /// A word that is near to no key.
    const STRANGER: &str = "zzzzzzzzzzzzzzzzzzzz";

    /// Scenarios that have every table between them.
    const BASES: [&str; 2] = [
        r#"
        [run]
        stop = "1h"
        [producers.p]
        queue = "orders"
        arrivals = { poisson = { rate = "1/s" } }
        on_full = { block = { admission = "newcomers_first" } }
        [queues.orders]
        capacity = 10
        memory = { limit = "1GiB", on_limit = "crash" }
        [queues.mails]
        [consumers.fleet]
        queue = "orders"
        service = "1ms"
        schedule = [{ from = "1m", count = 2 }]
        publishes = { queue = "mails" }
        [[outages]]
        target = "consumers.fleet"
        start = "1s"
        duration = "1s"
        in_flight = "crash"
        [[alerts]]
        when = "queues.orders.depth > 1"
        [[expect]]
        that = "queues.orders.depth.max > 1"
        [[objectives]]
        that = "queues.orders.depth.max > 1"
        "#,
        r#"
        [run]
        stop = "1h"
        [producers.p]
        queues = ["orders"]
        arrivals = { poisson = { rate = "1/s" } }
        on_full = { block = { admission = { newcomers_first = {} } } }
        [queues.orders]
        [queues.mails]
        [consumers.fleet]
        queue = "orders"
        service = "1ms"
        publishes = { queues = ["mails"] }
        [[outages]]
        target = "consumers.fleet"
        windows = [{ start = "1s", duration = "1s" }]
        [[outages]]
        target = "consumers.fleet"
        mtbf = "1h"
        mttr = "1m"
        "#,
    ];

    fn set(base: &str, assignment: String) -> Result<Scenario, super::super::Failure> {
        Scenario::from_text("base.toml", base, &[assignment], Path::new(""))
    }

    fn real(pattern: &str, position: usize) -> String {
        let name = match pattern.split('.').next() {
            Some("producers") => "p",
            Some("queues") => "orders",
            _ => "fleet",
        };
        let real = pattern.replace("NAME", name);
        // The second base has its random outage in the second place.
        let real = real.replacen("N", &position.to_string(), 1);
        real.replace('N', "0")
    }

    #[test]
    fn each_key_of_the_catalogue_is_accepted_by_its_reader() {
        for key in KEYS {
            let assignment = |at| format!("{}={}", real(key.pattern, at), key.example);
            let ways = [(0, 0), (1, 0), (1, 1)];
            if key.pattern.ends_with("on_full.retry") {
                // It stands instead of the base's blocking.
                let whole = format!("producers.p.on_full={{ retry = {} }}", key.example);
                set(BASES[0], whole).expect("a retry policy");
                continue;
            }
            let failures: Vec<_> = ways
                .iter()
                .filter_map(|(base, at)| set(BASES[*base], assignment(*at)).err())
                .map(|failure| failure.to_string())
                .collect();
            assert!(
                failures.len() < ways.len(),
                "{}\n{}",
                key.pattern,
                failures.join("\n")
            );
        }
    }

    /// The keys that a reader knows: what it lists when it meets a stranger.
    fn known_to_reader(table: &str) -> BTreeSet<String> {
        let prefix = if table.is_empty() {
            String::new()
        } else {
            format!("{table}.")
        };
        let lists = [(0, 0), (1, 0)].iter().filter_map(|(base, at)| {
            let assignment = real(&format!("{prefix}{STRANGER}"), *at) + "=1";
            let Reason::Wrong { problems, .. } = set(BASES[*base], assignment).err()?.0 else {
                return None;
            };
            let stranger = problems
                .sorted()
                .into_iter()
                .find(|it| it.title.contains(STRANGER))?;
            let known = stranger.help.last()?.split('`').skip(1).step_by(2);
            Some(known.map(str::to_owned).collect())
        });
        lists.max_by_key(BTreeSet::len).unwrap_or_default()
    }

    #[test]
    fn each_key_that_a_reader_knows_stands_in_the_catalogue() {
        let tables = [
            "run",
            "producers.NAME",
            "producers.NAME.on_full.block",
            "producers.NAME.on_full.block.admission.newcomers_first",
            "queues.NAME",
            "queues.NAME.memory",
            "queues.NAME.memory.on_limit.crash",
            "consumers.NAME",
            "consumers.NAME.schedule.N",
            "consumers.NAME.publishes",
            "outages.N",
            "outages.N.windows.N",
            "outages.N.in_flight.crash",
            "alerts.N",
            "expect.N",
            "objectives.N",
        ];
        for table in tables {
            let children = KEYS.iter().filter_map(|key| {
                let rest = key.pattern.strip_prefix(table)?.strip_prefix('.')?;
                (!rest.contains('.')).then(|| rest.to_owned())
            });
            assert_eq!(known_to_reader(table), children.collect(), "{table}");
        }
    }

    #[test]
    fn a_key_is_found_by_its_name_or_its_end() {
        let patterns = |asked| {
            explain(asked)
                .iter()
                .map(|key| key.pattern)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            patterns("consumers.fleet.service"),
            ["consumers.NAME.service"]
        );
        assert_eq!(patterns("outages.0.share"), ["outages.N.share"]);
        assert_eq!(patterns("wake_up").len(), 2);
        assert!(patterns("nonsense").is_empty());
    }
}
