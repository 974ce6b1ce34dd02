//! Sizes a fleet by arithmetic and closed forms: nothing is simulated.
//!
//! Not the command `queuecast size`, which prints the same as a table.
//!
//! `cargo run --example size`

use std::error::Error;

use queuecast::experiment::size::{Limit, Question, WaitGoal, WaitMeasure};
use queuecast::units::SimDuration;

fn main() -> Result<(), Box<dyn Error>> {
    let mut question = Question::new(1_200.0, 0.040);
    question.outage_s = Some(60.0);
    question.recover_within = Some(SimDuration::from_secs(300));
    question.consumers = vec![48, 55, 60, 75];
    question.wait = vec![WaitGoal {
        text: "p99 <= 50 ms".to_owned(),
        measure: WaitMeasure::ExceededBy(0.01),
        at_most_s: 0.050,
        limit: Limit::AtMost,
    }];
    let answer = question.answer()?;

    println!("in flight on average: {}", answer.offered_load);
    for row in &answer.rows {
        let drain = row
            .drain_s
            .map_or("never".to_owned(), |drain| format!("{drain:.0} s"));
        println!(
            "{:>3} consumers: {:>3.0} % busy, caught up after {drain}",
            row.consumers,
            row.utilization * 100.0
        );
    }
    for goal in &answer.goals {
        println!("{}: {:?}", goal.goal, goal.consumers);
    }
    println!(
        "smallest: {:?}, because of: {}",
        answer.smallest, answer.binding
    );
    Ok(())
}
