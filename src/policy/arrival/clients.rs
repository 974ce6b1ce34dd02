//! A closed loop: clients that think, send, and wait for the answer before they think again.
//!
//! Not a source of arrivals: when a client sends depends on when it was answered, so the
//! simulator drives this one.

use crate::input::{Fields, Problem, Problems, Read, Value, Variant};
use crate::random::DurationLaw;

/// `clients` that each send one message at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Clients {
    /// How many there are.
    pub clients: u32,
    /// How long each thinks before it sends; the first thought starts with the run.
    pub think: DurationLaw,
    /// What a client waits for before it thinks again.
    pub wait_for: WaitFor,
}

/// Each is an event on the calendar from the start.
const MOST_CLIENTS: u32 = 16_000_000;

/// What ends a client's wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WaitFor {
    /// The queue has taken the message, or the publish has failed: a publisher that confirms.
    #[default]
    Accepted,
    /// The message has been worked on to its end: a call that waits for its answer.
    Completed,
}

impl Clients {
    pub(super) fn read(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let wait_for = fields.or("wait_for", WaitFor::default(), problems);
        let think = fields.required("think", problems);
        let clients = fields.required_spanned::<u32>("count", problems)?;
        if clients.it == 0 {
            let problem = Problem::error("there are no clients", clients.span, "must be 1 or more");
            problems.file(problem);
            return None;
        }
        if clients.it > MOST_CLIENTS {
            let title = format!("{} clients are more than {MOST_CLIENTS}", clients.it);
            problems.file(Problem::error(title, clients.span, "too many"));
            return None;
        }
        Some(Self {
            clients: clients.it,
            think: think?,
            wait_for,
        })
    }
}

impl Read for WaitFor {
    const EXPECTS: &'static str = "\"accepted\" or \"completed\"";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let known = ["accepted", "completed"];
        let variant = Variant::of(value, "something to wait for", &known, problems)?;
        variant.bare(problems);
        Some(match variant.name {
            "completed" => Self::Completed,
            _ => Self::Accepted,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Arrivals;
    use super::super::testing::{problems, read, run};
    use super::WaitFor;

    #[test]
    fn are_left_to_the_simulator() {
        let text = "{ clients = { count = 50, think = \"2s\", wait_for = \"completed\" } }";
        let arrivals = read(text);
        assert!(run(&arrivals, 1).is_empty() && arrivals.mean_rate().is_none());
        let Arrivals::Clients(clients) = arrivals else {
            panic!("clients")
        };
        assert_eq!(
            (clients.clients, clients.wait_for),
            (50, WaitFor::Completed)
        );
        assert!(problems("{ clients = { count = 0, think = \"2s\" } }").contains("no clients"));
        let crowd = problems("{ clients = { count = 16_000_001, think = \"2s\" } }");
        assert!(crowd.contains("more than 16000000"), "{crowd}");
    }
}
