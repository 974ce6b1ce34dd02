//! Rules C1 to C4: bounds, refusals, and who gets a freed slot.
//!
//! Not what a queue drops by itself.

use queuecast::scenario::{Color, Scenario};
use queuecast::sim::Fact;

use crate::world::{Story, one};

const SETTLED: &str = "stop = \"settled\"";
const THREE: &str = "arrivals = { bursts = { size = 3, at = \"0s\" } }";

fn retried(service: &str) -> Story {
    let p = format!(
        "{THREE}\non_full = {{ retry = {{ \
         attempts = 3, backoff = {{ fixed = \"1s\" }} }} }}"
    );
    one(
        SETTLED,
        &p,
        "capacity = 1",
        &format!("service = \"{service}\""),
        "",
    )
}

#[test]
fn c1_a_bound_counts_who_waits_or_who_is_in_flight_too() {
    let rejected = |counts: &str| {
        let p = "arrivals = { bursts = { size = 5, at = \"0s\" } }";
        let q = format!("capacity = 2\ncapacity_counts = \"{counts}\"");
        one(SETTLED, p, &q, "service = \"1s\"", "").flows().rejected
    };
    assert_eq!(
        (rejected("waiting"), rejected("waiting_and_in_flight")),
        (2, 3)
    );
}

#[test]
fn c1_redeliveries_come_back_to_a_full_queue_unless_it_drops_them() {
    let returned = |returned: &str| {
        let p = "arrivals = { bursts = { size = 2, at = \"0s\" } }";
        let outage = "[[outages]]\ntarget = \"consumers.c\"\nstart = \"1s\"\nduration = \"1s\"\n\
                      in_flight = \"crash\"";
        let q = format!("capacity = 1\nreturned = \"{returned}\"");
        let story = one(SETTLED, p, &q, "service = \"4s\"", outage);
        (
            story.queue().depth.max,
            story.flows().dropped,
            story.flows().completed,
        )
    };
    assert_eq!(returned("keep"), (2.0, 0, 2));
    assert_eq!(returned("drop"), (1.0, 1, 1));
}

#[test]
fn c2_a_refused_publisher_fails_at_once() {
    let story = one(SETTLED, THREE, "capacity = 1", "service = \"1s\"", "");
    assert_eq!(
        story.when(|fact| matches!(fact, Fact::Rejected { .. })),
        [0]
    );
    assert_eq!(
        (story.flows().accepted, story.queue().full_at.is_some()),
        (2, true)
    );
}

#[test]
fn c2_a_refused_publisher_tries_again_and_gives_up_after_its_last_attempt() {
    // Three tries, at 0, 1 and 2: the line is full until 10.
    let story = retried("10s");
    assert_eq!(
        story.when(|fact| matches!(fact, Fact::Abandoned { .. })),
        [2_000]
    );
    assert_eq!((story.flows().completed, story.flows().abandoned), (2, 1));
    // The line has room from 1.5 on: the try at 2 gets in.
    let story = retried("1500ms");
    assert_eq!((story.flows().completed, story.flows().abandoned), (3, 0));
    assert_eq!(story.queue().publish_latency.max, Some(2.0));
    assert_eq!(story.ends(), [1_500, 3_000, 4_500]);
}

/// Messages at 0, 0.1, 0.2 and 0.3, one more at 1.5; each takes a second, and one may wait. So the
/// ones of 0.2, 0.3 and 1.5 are blocked, and slots are freed at 1, 2 and 3.
fn admitted(admission: &str) -> Vec<u64> {
    let on_full = format!("on_full = {{ block = {{ admission = \"{admission}\" }} }}");
    let p = format!("arrivals = {{ constant = {{ rate = \"10/s\" }} }}\ncount = 4\n{on_full}");
    let late = format!(
        "[producers.late]\nqueue = \"q\"\n\
         arrivals = {{ bursts = {{ size = 1, at = \"1500ms\" }} }}\n{on_full}"
    );
    let story = one(SETTLED, &p, "capacity = 1", "service = \"1s\"", &late);
    assert_eq!(
        story.when(|fact| matches!(fact, Fact::Admitted { .. })),
        [1_000, 2_000, 3_000]
    );
    story.admissions()
}

#[test]
fn c3_each_order_of_admission_has_its_own_longest_wait() {
    assert_eq!(admitted("fifo"), [800, 1_700, 1_500]);
    assert_eq!(admitted("newcomers_first"), [800, 500, 2_700]);
    assert_eq!(admitted("lifo"), [700, 500, 2_800]);
    let total: u64 = admitted("random").iter().sum();
    assert_eq!(total, 4_000, "who pays changes, the total does not");
}

#[test]
fn c3_a_newcomer_takes_the_slot_that_a_waiter_wakes_up_to() {
    let on_full = "on_full = { block = { admission = \"newcomers_first\", wake_up = \"300ms\" } }";
    let p = format!("arrivals = {{ constant = {{ rate = \"10/s\" }} }}\ncount = 3\n{on_full}");
    let late = |at: &str| {
        let late = format!(
            "[producers.late]\nqueue = \"q\"\n\
             arrivals = {{ bursts = {{ size = 1, at = \"{at}\" }} }}\n{on_full}"
        );
        one(SETTLED, &p, "capacity = 1", "service = \"1s\"", &late)
    };
    // The slot of 1 s is open until 1.3. At 1.2 a newcomer takes it, and the waiter of 0.2 gets
    // the slot of 2 s, at 2.3.
    let barged = late("1200ms");
    assert_eq!(barged.admissions(), [2_100]);
    // At 1.4 it is too late: the waiter has it, and it is the newcomer that wakes up at 2.3.
    assert_eq!(late("1400ms").admissions(), [1_100, 900]);
}

#[test]
fn c4_connections_bound_the_publishers_that_are_blocked_at_once() {
    let p = "arrivals = { bursts = { size = 4, at = \"0s\" } }\n\
             on_full = { block = { connections = 1 } }";
    let story = one(SETTLED, p, "capacity = 1", "service = \"1s\"", "");
    assert_eq!((story.flows().accepted, story.flows().rejected), (3, 1));
    let publisher = &story.record.publishers[queuecast::model::Id::at(0)];
    assert_eq!(
        (publisher.blocked.max, publisher.blocked_seconds),
        (1.0, 1.0)
    );
    assert_eq!(publisher.block_time.max, Some(1.0));
}

#[test]
fn a_closed_loop_thinks_after_what_it_waits_for() {
    let closed = |wait_for: &str| {
        let p = format!(
            "count = 3\n\
             arrivals = {{ clients = {{ count = 1, think = \"1s\", wait_for = \"{wait_for}\" }} }}"
        );
        one(SETTLED, &p, "", "service = \"2s\"", "")
    };
    let accepted = |story: &Story| story.when(|fact| matches!(fact, Fact::Accepted { .. }));
    assert_eq!(accepted(&closed("accepted")), [1_000, 2_000, 3_000]);
    assert_eq!(accepted(&closed("completed")), [1_000, 4_000, 7_000]);
    // The last message is done at 9, and nobody thinks about a fourth.
    assert_eq!(closed("completed").record.ended.at.as_secs_f64(), 9.0);
}

#[test]
fn a_closed_loop_has_one_queue() {
    let text = "[run]\nstop = \"1s\"\n[producers.p]\nqueues = [\"a\", \"b\"]\n\
                arrivals = { clients = { count = 1, think = \"1s\" } }\n[queues.a]\n[queues.b]\n\
                [consumers.c]\nqueue = \"a\"\nservice = \"1s\"";
    let failure = Scenario::from_text("a.toml", text, &[], std::path::Path::new(""));
    let told = failure
        .expect_err("it would think twice")
        .render(Color::Never);
    assert!(
        told.contains("clients that publish to several queues"),
        "{told}"
    );
}
