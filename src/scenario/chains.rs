//! Fleets that publish make chains of queues: which comes before which, and whether one leads
//! back to itself.
//!
//! Not how messages run through them.

use std::collections::VecDeque;

use crate::model::{FleetId, Id, Model};

/// The fleets so that each comes after those that feed its queue; or the dotted names along a
/// loop, in the order of flow.
pub(super) fn in_order(model: &Model) -> Result<Vec<FleetId>, Vec<String>> {
    let graph = Graph::of(model);
    let mut feeders: Vec<usize> = graph.before.iter().map(Vec::len).collect();
    let free = (0..feeders.len()).filter(|node| feeders[*node] == 0);
    let mut free: VecDeque<usize> = free.collect();
    let mut order = Vec::new();
    while let Some(node) = free.pop_front() {
        order.push(node);
        for next in &graph.after[node] {
            feeders[*next] -= 1;
            if feeders[*next] == 0 {
                free.push_back(*next);
            }
        }
    }
    let queues = model.queues.len();
    match feeders.iter().position(|left| *left > 0) {
        Some(held) => Err(graph.round(held, &feeders, model)),
        None => Ok(order
            .into_iter()
            .filter_map(|n| n.checked_sub(queues))
            .map(Id::at)
            .collect()),
    }
}

/// Queues, then fleets, as nodes: a queue leads to its fleets, a fleet to where it publishes.
struct Graph {
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
}

impl Graph {
    fn of(model: &Model) -> Self {
        let queues = model.queues.len();
        let nodes = queues + model.fleets.len();
        let mut graph = Self {
            before: vec![Vec::new(); nodes],
            after: vec![Vec::new(); nodes],
        };
        for (id, fleet) in model.fleets.pairs() {
            let node = queues + id.index();
            graph.lead(fleet.queue.index(), node);
            if let Some(publishes) = fleet.publishes {
                let targets = &model.producers[publishes.producer].queues;
                for target in targets {
                    graph.lead(node, target.index());
                }
            }
        }
        graph
    }

    fn lead(&mut self, from: usize, to: usize) {
        self.after[from].push(to);
        self.before[to].push(from);
    }

    /// Backwards from a node that waits for its feeders for ever, one of them each time, until
    /// one comes again: between the two lies a loop.
    fn round(&self, held: usize, feeders: &[usize], model: &Model) -> Vec<String> {
        let mut path = vec![held];
        let mut seen = vec![None; feeders.len()];
        let mut node = held;
        let start = loop {
            if let Some(start) = seen[node] {
                break start;
            }
            seen[node] = Some(path.len() - 1);
            let waits = self.before[node]
                .iter()
                .find(|feeder| feeders[**feeder] > 0);
            node = *waits.expect("a node that is held has a feeder that is held");
            path.push(node);
        };
        let queues = model.queues.len();
        let name = |node: &usize| match node.checked_sub(queues) {
            Some(fleet) => model.fleets[FleetId::at(fleet)].name.clone(),
            None => model.queues[Id::at(*node)].name.clone(),
        };
        path[start..].iter().rev().map(name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;

    fn stages(publishes: &[&str]) -> String {
        let head = "[run]\nstop = \"1h\"\n[producers.p]\nqueue = \"q0\"\n\
                    arrivals = { poisson = { rate = \"1/s\" } }\n";
        let stage = |(at, to): (usize, &&str)| {
            let publishes = match *to {
                "" => String::new(),
                to => format!("publishes = {{ queues = [{to}] }}\n"),
            };
            format!(
                "[queues.q{at}]\n[consumers.c{at}]\nqueue = \"q{at}\"\nservice = \"1ms\"\n\
                 {publishes}"
            )
        };
        let stages: Vec<_> = publishes.iter().enumerate().map(stage).collect();
        head.to_owned() + &stages.concat()
    }

    fn load(publishes: &[&str]) -> Result<Scenario, String> {
        let text = stages(publishes);
        let scenario = Scenario::from_text("a.toml", &text, &[], std::path::Path::new(""));
        scenario.map_err(|failure| failure.to_string())
    }

    #[test]
    fn feeders_come_first() {
        let diamond = ["\"q2\", \"q1\"", "\"q3\"", "\"q3\"", ""];
        let order = in_order(&load(&diamond).expect("no loop").model).expect("no loop");
        let place = |fleet| order.iter().position(|id| id.index() == fleet);
        assert!(place(0) < place(1) && place(0) < place(2));
        assert!(place(1) < place(3) && place(2) < place(3));
        assert_eq!(order.len(), 4);
    }

    #[test]
    fn a_loop_is_named_without_what_leads_to_it() {
        let error = load(&["\"q1\"", "\"q2\"", "\"q1\", \"q3\"", ""]).unwrap_err();
        let found = [
            "queues.q1 -> consumers.c1 -> queues.q2",
            "queues.q2 -> consumers.c2",
        ];
        assert!(found.iter().all(|part| error.contains(part)), "{error}");
        assert!(
            !error.contains("consumers.c0 ->") && !error.contains("q3 ->"),
            "{error}"
        );
        let alone = load(&["\"q0\""]).unwrap_err();
        assert!(alone.contains("the loop is "), "{alone}");
    }

    #[test]
    fn a_long_chain_is_no_deep_recursion() {
        let names: Vec<_> = (1..=5_000).map(|at| format!("\"q{at}\"")).collect();
        let mut publishes: Vec<&str> = names.iter().map(String::as_str).collect();
        publishes.push("");
        let model = load(&publishes).expect("no loop").model;
        assert_eq!(in_order(&model).map(|order| order.len()), Ok(5_001));
    }
}
