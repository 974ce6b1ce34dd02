//! The catalogue of keys: what each takes, what it is when it is not there, what it means.
//!
//! Not the readers, which decide; a test holds the two together. The parameters of laws, arrival
//! processes and retry policies stand with those.

use std::sync::LazyLock;

use super::key_list;

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
    &KEYS
}

static KEYS: LazyLock<Vec<Key>> = LazyLock::new(key_list::all);

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
    // The calls of a producer have the keys of those of consumers, but for `per`.
    if let Some((name, key)) = asked.split_once(".calls.")
        && let Some(name) = name.strip_prefix("producers.")
        && key != "per"
    {
        return explain(&format!("consumers.{name}.calls.{key}"));
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::super::{Reason, Scenario};
    use super::*;

    /// A word that is near to no key.
    const STRANGER: &str = "zzzzzzzzzzzzzzzzzzzz";

    /// Scenarios that have every table between them.
    const BASES: [&str; 3] = [
        r#"
        [run]
        stop = "1h"
        [producers.p]
        queue = "orders"
        arrivals = { poisson = { rate = "1/s" } }
        on_full = { block = { admission = "newcomers_first" } }
        keys = { count = 10 }
        poison = {}
        confirm_loss = { share = "1%" }
        [queues.orders]
        capacity = 10
        memory = { limit = "1GiB", on_limit = "crash" }
        dead_letter = { queue = "dead" }
        redrive = { at = "1m", rate = "1/s", to = "mails" }
        calls = {}
        [queues.orders.delivery]
        visibility_timeout = "30s"
        return_limit = 3
        ack_timeout = { limit = "30m" }
        [queues.mails]
        [queues.dead]
        [consumers.fleet]
        queue = "orders"
        service = "1ms"
        batch = { size = 2 }
        fails = {}
        limit = { rate = "10/min" }
        retry = { attempts = 2, budget = "grpc" }
        crash = { at = "1s" }
        idempotency = { claim = { expires = "1m" } }
        schedule = [{ from = "1m", count = 2 }]
        publishes = { queue = "mails" }
        [consumers.fleet.calls]
        dependency = "bank"
        retry = { attempts = 2 }
        breaker = {}
        concurrency = { fixed = { limit = 1 } }
        hedge = { after = "1ms" }
        [dependencies.bank]
        servers = 1
        service = "1ms"
        queue = {}
        fails = { share = 0.1 }
        overload = { above = 1, slowdown = 0.1 }
        limit = { token_bucket = { rate = "1/s", burst = 1 } }
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
        replications = { until = "5%", of = "queues.orders.wait.mean" }
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
        r#"
        [run]
        stop = "1h"
        [producers.p]
        calls = "bank"
        arrivals = { poisson = { rate = "1/s" } }
        [producers.other]
        queue = "orders"
        arrivals = { poisson = { rate = "1/s" } }
        [queues.orders]
        [consumers.fleet]
        queue = "orders"
        service = "0s"
        calls = { dependency = "bank", concurrency = { aimd = {} } }
        [dependencies.bank]
        servers = 1
        service = "1ms"
        queue = { order = { adaptive = { above = "1ms" } } }
        limit = { window = { calls = 1, per = "1s" } }
        [[outages]]
        target = "dependencies.bank"
        start = "1s"
        duration = "1s"
        "#,
    ];

    fn set(base: &str, assignment: String) -> Result<Scenario, super::super::Failure> {
        Scenario::from_text("base.toml", base, &[assignment], Path::new(""))
    }

    fn real(pattern: &str, position: usize) -> String {
        let name = match pattern.split('.').next() {
            Some("producers") => "p",
            Some("queues") => "orders",
            Some("dependencies") => "bank",
            _ => "fleet",
        };
        let real = pattern.replace("NAME", name);
        // The second base has its random outage in the second place.
        let real = real.replacen('N', &position.to_string(), 1);
        real.replace('N', "0")
    }

    /// The assignment of a key that cannot stand beside what the bases have.
    fn instead(key: &Key) -> Option<String> {
        let example = match key.pattern.rsplit_once('.')?.1 {
            // There is no such file.
            "trace" => "{ poisson = { rate = \"1/s\" } }".to_owned(),
            process => format!("{{ {process} = {} }}", key.example),
        };
        if key.pattern.starts_with("producers.NAME.arrivals.") {
            return Some(format!("producers.p.arrivals={example}"));
        }
        let retry = key.pattern.strip_prefix("producers.NAME.on_full.retry")?;
        let policy = match retry {
            "" => key.example.to_owned(),
            ".attempts" => format!("{{ attempts = {} }}", key.example),
            ".budget" => format!("{{ attempts = 2, budget = \"{}\" }}", key.example),
            ".jitter" => format!("{{ attempts = 2, jitter = \"{}\" }}", key.example),
            _ => format!("{{ attempts = 2, backoff = {} }}", key.example),
        };
        Some(format!("producers.p.on_full={{ retry = {policy} }}"))
    }

    #[test]
    fn each_key_of_the_catalogue_is_accepted_by_its_reader() {
        for key in keys() {
            let example = key.example.replace("mailer", "bank");
            let assignment = |at| format!("{}={example}", real(key.pattern, at));
            let ways = [(0, 0), (1, 0), (1, 1), (2, 0)];
            if let Some(whole) = instead(key) {
                set(BASES[0], whole).expect(key.pattern);
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
        let lists = [(0, 0), (1, 0), (2, 0)].iter().filter_map(|(base, at)| {
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
            "run.replications",
            "producers.NAME",
            "producers.NAME.keys",
            "producers.NAME.poison",
            "producers.NAME.confirm_loss",
            "producers.NAME.on_full.block",
            "producers.NAME.on_full.block.admission.newcomers_first",
            "queues.NAME",
            "queues.NAME.memory",
            "queues.NAME.memory.on_limit.crash",
            "queues.NAME.delivery",
            "queues.NAME.delivery.ack_timeout",
            "queues.NAME.dead_letter",
            "queues.NAME.redrive",
            "queues.NAME.calls",
            "consumers.NAME",
            "consumers.NAME.batch",
            "consumers.NAME.fails",
            "consumers.NAME.limit",
            "consumers.NAME.retry",
            "consumers.NAME.crash",
            "consumers.NAME.idempotency.claim",
            "consumers.NAME.schedule.N",
            "consumers.NAME.publishes",
            "consumers.NAME.calls",
            "consumers.NAME.calls.breaker",
            "consumers.NAME.calls.concurrency.fixed",
            "consumers.NAME.calls.concurrency.aimd",
            "consumers.NAME.calls.hedge",
            "run.recovery",
            "dependencies.NAME",
            "dependencies.NAME.queue",
            "dependencies.NAME.queue.order.adaptive",
            "dependencies.NAME.fails",
            "dependencies.NAME.overload",
            "dependencies.NAME.limit.token_bucket",
            "dependencies.NAME.limit.window",
            "outages.N",
            "outages.N.windows.N",
            "outages.N.in_flight.crash",
            "alerts.N",
            "expect.N",
            "objectives.N",
            "sweep",
            "compare",
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
        let inline = patterns("producers.web.calls.retry.attempts");
        assert_eq!(inline, ["consumers.NAME.calls.retry.attempts"]);
        assert!(patterns("producers.web.calls.per").is_empty());
        assert_eq!(patterns("wake_up").len(), 2);
        assert!(patterns("nonsense").is_empty());
    }
}
