//! Known cases of retries: budgets of client libraries against a dependency that fails (an AWS SDK,
//! gRPC, Finagle), and many jobs against a limiter (sidekiq issue 6141). What is due follows from
//! the published rules; where somebody has only observed a number, it is told and not asserted.
//!
//! Not the arithmetic of a budget alone: that is tested where it is.

use queuecast::model::Model;
use queuecast::outcome::{Flows, RunRecord};
use queuecast::sim::{Detail, measure};

use crate::world::scenario;

fn run(model: &Model) -> RunRecord {
    measure(model, 0, Detail::Measures, &|_| {})
}

/// What becomes of a burst of messages, worked on by a fleet with these keys.
fn burst(messages: u32, fleet: &str) -> Flows {
    let record = run(&scenario(&format!(
        "[run]\nstop = \"settled\"\nhorizon = \"365d\"\n[producers.p]\nqueue = \"q\"\n\
         arrivals = {{ bursts = {{ size = {messages} }} }}\n[queues.q]\n\
         [consumers.c]\nqueue = \"q\"\nservice = \"1ms\"\n{fleet}"
    )));
    record.queues.iter().next().expect("a queue").flows
}

/// A client that tries so often, in place and at once, with a budget.
fn client(attempts: u32, budget: &str) -> String {
    format!("retry = {{ attempts = {attempts}, place = \"in_place\", budget = {budget} }}\n")
}

const DOWN: &str = "fails = { permanent = \"100%\" }\n";

/// While a dependency fails altogether: 500 tokens at 5, 10, and 14 a retry are 100, 50, and 35
/// retries, at 3 tries for each message; then there is one try for each.
#[test]
fn an_aws_client_makes_100_retries_and_then_none() {
    let usual = client(3, "\"aws_standard\"");
    let first = burst(50, &(DOWN.to_owned() + &usual));
    assert_eq!((first.failed, first.retries_refused), (150, 0), "3 tries");
    let all = burst(1_000, &(DOWN.to_owned() + &usual));
    assert_eq!((all.failed, all.retries), (1_100, 100));
    assert_eq!(all.retries_refused, 950, "1 try for each of the others");
    assert_eq!(all.dropped, 1_000, "and no dead-letter queue");
    for (cost, due) in [(10, 50), (14, 35)] {
        let dear = client(3, &format!("{{ aws_standard = {{ cost = {cost} }} }}"));
        assert_eq!(burst(1_000, &(DOWN.to_owned() + &dear)).retries, due);
    }
}

#[test]
fn each_consumer_has_a_budget_or_the_fleet_has_one() {
    let retries = |per: &str| {
        let retry = format!("budget = \"aws_standard\", budget_per = \"{per}\"");
        let retry = format!("retry = {{ attempts = 3, place = \"in_place\", {retry} }}");
        burst(4_000, &format!("{DOWN}count = 2\nconcurrency = 2\n{retry}")).retries
    };
    assert_eq!((retries("consumer"), retries("fleet")), (200, 100));
    // A consumer that is back from a crash is another process.
    let crash = "crash = { at = [\"500ms\", \"700ms\"], restart = \"10ms\" }\n";
    let fleet = DOWN.to_owned() + crash + &client(3, "\"aws_standard\"");
    assert_eq!(burst(4_000, &fleet).retries, 300);
}

/// What a producer's retries cost: 5 where the queue is full, 10 where its broker is down and
/// there is no answer.
#[test]
fn a_publisher_without_an_answer_pays_twice() {
    let retries = |queue: &str| {
        let record = run(&scenario(&format!(
            "[run]\nstop = \"1m\"\n[producers.p]\nqueue = \"q\"\n\
             arrivals = {{ constant = {{ rate = \"100/s\" }} }}\ncount = 1_000\n\
             on_full = {{ retry = {{ attempts = 3, budget = \"aws_standard\" }} }}\n\
             [queues.q]\n{queue}"
        )));
        let flows = &record.queues.iter().next().expect("a queue").flows;
        assert_eq!((flows.accepted, flows.abandoned), (1, 999));
        let publisher = &record.publishers.iter().next().expect("a producer").flows;
        assert_eq!(publisher.retries, flows.retries);
        (flows.retries, flows.retries_refused)
    };
    // 50 publishes are tried three times, and 949 are refused a second try.
    assert_eq!(retries("capacity = 1"), (100, 949));
    let crash = "{ limit = \"1KiB\", on_limit = { crash = { restart = \"1h\" } } }";
    assert_eq!(retries(&format!("memory = {crash}")), (50, 974));
}

/// A share f of calls fails whatever is done. Each failing call costs `retries · cost`, each good
/// one brings 1: f is sustained up to 1 / (1 + retries · cost), 16.7 %, 6.7 %, 9.1 %, and 3.4 %.
/// A little below nothing is refused in 50,000 calls; a little above the quota runs dry, and then
/// pays for no more than what comes in.
#[test]
fn an_aws_client_sustains_a_share_of_failing_calls() {
    for (cost, attempts, below, above) in [
        (5, 2, "15%", "18.5%"),
        (14, 2, "5.7%", "7.7%"),
        (5, 3, "8%", "10.2%"),
        (14, 3, "2.9%", "4%"),
    ] {
        let limit = 1.0 / f64::from(1 + (attempts - 1) * cost);
        let share = |text: &str| text.trim_end_matches('%').parse::<f64>().unwrap() / 100.0;
        assert!(share(below) < limit && limit < share(above));
        let calls = |share: &str| {
            let budget = format!("{{ aws_standard = {{ cost = {cost} }} }}");
            let fails = format!("fails = {{ permanent = \"{share}\" }}\n");
            burst(50_000, &(fails + &client(attempts, &budget)))
        };
        let (fine, dry) = (calls(below), calls(above));
        assert_eq!(fine.retries_refused, 0, "{cost}, {attempts}");
        assert!(dry.retries_refused > 0, "{cost}, {attempts}");
        for flows in [fine, dry] {
            assert!(u64::from(cost) * flows.retries <= 500 + flows.completed);
        }
    }
}

/// Ten tokens: four failures may be tried again, the fifth leaves half of them. In the long run a
/// share f of tries that fail is sustained while f <= 0.1 (1 - f): 9.1 %. With ten tokens chance
/// alone takes five now and then, so that is shown with a thousand, the most that are allowed.
#[test]
fn a_grpc_client_retries_four_failures_and_sustains_one_in_eleven() {
    let flows = burst(1_000, &(DOWN.to_owned() + &client(9, "\"grpc\"")));
    assert_eq!((flows.retries, flows.retries_refused), (4, 1_000));
    let refused = |share: &str| {
        let budget = "{ grpc = { tokens = 1000, ratio = 0.1 } }";
        let fails = format!("fails = \"{share}\"\n");
        burst(200_000, &(fails + &client(100, budget))).retries_refused
    };
    assert_eq!(refused("8.5%"), 0);
    assert!(refused("9.8%") > 0);
}

/// At most 1.2 times the calls and 10/s, however often each would be tried: over any time, and
/// the ten seconds that the budget remembers.
#[test]
fn a_finagle_client_makes_a_fifth_more_calls_and_ten_a_second() {
    let record = run(&scenario(&format!(
        "[run]\nstop = \"2m\"\n[producers.p]\nqueue = \"q\"\n\
         arrivals = {{ constant = {{ rate = \"100/s\" }} }}\n[queues.q]\n\
         [consumers.c]\nqueue = \"q\"\nconcurrency = 50\nservice = \"1ms\"\n{DOWN}{}",
        client(3, "\"finagle\"")
    )));
    let flows = record.queues.iter().next().expect("a queue").flows;
    assert_eq!(flows.offered, 12_000);
    let allowed = |seconds: u64| (100 / 5 + 10) * seconds;
    assert!(flows.retries <= allowed(120 + 10), "{}", flows.retries);
    assert!(flows.retries >= allowed(120), "{}", flows.retries);
}

/// A message whose retry is refused is not given up where its visibility brings it back by itself.
#[test]
fn what_a_budget_refuses_is_left_to_lapse() {
    let dead_at = |budget: &str| {
        let record = run(&scenario(&format!(
            "[run]\nstop = \"settled\"\nhorizon = \"1h\"\n[producers.p]\nqueue = \"q\"\n\
             arrivals = {{ bursts = {{ size = 1 }} }}\n[queues.q]\ndead_letter = \"dead\"\n\
             delivery = {{ visibility_timeout = \"30s\", max_receives = 3 }}\n[queues.dead]\n\
             [consumers.c]\nqueue = \"q\"\nservice = \"1s\"\n{DOWN}\
             retry = {{ attempts = 9, backoff = {{ fixed = \"4s\" }}{budget} }}"
        )));
        let flows = record.queues.iter().next().expect("a queue").flows;
        assert_eq!((flows.delivered, flows.dead_lettered), (3, 1));
        (record.ended.at.as_secs_f64(), flows.lapsed, flows.retries)
    };
    // Received at 0, 5, and 10 s, and out at 15 s.
    assert_eq!(dead_at(""), (15.0, 0, 2));
    // Received at 0, 30, and 60 s, and out at 90 s.
    let none = ", budget = { finagle = { share = \"0%\", per_second = 0 } }";
    assert_eq!(dead_at(none), (90.0, 3, 0));
}

/// Jobs against a limiter of 10/min, with this backoff: when the last is done, in seconds.
fn makespan(jobs: u32, backoff: &str) -> (f64, Flows) {
    let record = run(&scenario(&format!(
        "[run]\nstop = \"settled\"\nhorizon = \"60d\"\n[producers.app]\nqueue = \"jobs\"\n\
         arrivals = {{ bursts = {{ size = {jobs} }} }}\n[queues.jobs]\n\
         [consumers.workers]\nqueue = \"jobs\"\nconcurrency = 25\nservice = \"100ms\"\n\
         limit = {{ rate = \"10/min\", window = \"1m\" }}\n\
         retry = {{ attempts = 100_000, {backoff} }}"
    )));
    let flows = record.queues.iter().next().expect("a queue").flows;
    assert_eq!(flows.completed, u64::from(jobs));
    assert_eq!(
        (flows.failed, flows.retries),
        (flows.throttled, flows.throttled)
    );
    (record.ended.at.as_secs_f64(), flows)
}

/// N jobs take N/10 windows of a minute: the last begins in the last of them, no earlier than
/// (N/10 - 1) min. Who asks again every minute is as fast as that, and pays with attempts.
#[test]
fn jobs_that_ask_every_minute_leave_no_window_unused() {
    let (end, flows) = makespan(1_000, "backoff = { fixed = \"1m\" }");
    let bound = 99.0 * 60.0 + 0.1;
    assert!((bound..bound + 1.0).contains(&end), "{end}");
    // 990 + 980 + … + 10 refusals.
    assert_eq!(flows.throttled, 10 * (1..=99).sum::<u64>());
}

/// 10,000 jobs, 1,000 min at best. Linear backoff, 300 s for each attempt so far, with a spread of
/// 300 s that does not grow with it: the jobs of one attempt stay together in a crowd, and between
/// the crowds the limiter is unused, ever longer. Spread in proportion to the wait, the same
/// backoff is nearly as good as can be.
///
/// The issue tells of up to 3 days, 4.3 times the best. Which backoff and spread made them is not
/// known: the product's defaults could not be verified, and so these are ours, and its number is
/// not asserted. They take 92 h, 5.5 times the best (limiter used 18 %); with a spread of 600 s it
/// is 41 h; with full jitter 18 h.
#[test]
fn ten_thousand_jobs_come_back_in_crowds_or_spread_out() {
    let bound = 999.0 * 60.0 + 0.1;
    let linear = |spread: &str, jitter: &str| {
        let linear = format!("{{ linear = {{ base = \"300s\"{spread} }} }}");
        makespan(
            10_000,
            &format!("backoff = {linear}, jitter = \"{jitter}\""),
        )
        .0
    };
    let crowds = linear(", spread = \"300s\"", "none");
    let wider = linear(", spread = \"600s\"", "none");
    let spread = linear("", "full");
    assert!(bound <= spread && spread < 1.25 * bound, "{spread}");
    assert!(2.0 * bound < wider && wider < crowds, "{wider}, {crowds}");
    assert!(3.0 * bound < crowds, "{crowds}");
}
