//! The picture of dependencies: what waits for them, and what is made of the calls to them.
//!
//! Not the pictures of queues ([`super::pictures`]), with which it shares its steps.

use super::axis::Quantity;
use super::figure::{COLOURS, Line, Panel, Shape, Stroke};
use super::pictures::{stairs, steps};
use crate::model::{DependencyId, Model};
use crate::outcome::{CallSample, Series};
use crate::report::names::last_part;

/// What is counted for a line of rates.
type Counted = fn(&CallSample) -> u64;

/// The lines of rates, the lowest layer first.
const RATES: [(&str, usize, Counted); 3] = [
    ("too late", 1, |sample| sample.late),
    ("answered in time", 2, |sample| sample.answered),
    ("calls", 0, |sample| sample.calls),
];

/// Calls waiting, then the rates of each dependency.
pub(super) fn panels(model: &Model, series: &Series, end: f64) -> Vec<Panel> {
    let line = |(place, (id, samples)): (usize, (DependencyId, &Vec<CallSample>))| {
        let at = |index| series.end_of(index).as_secs_f64().min(end);
        let read = samples.iter().enumerate();
        let read = read.map(|(index, sample)| (at(index), sample.depth as f64));
        let name = last_part(&model.dependencies[id].name);
        let points = std::iter::once((0.0, 0.0)).chain(read).collect();
        Line::new(name, place % COLOURS, Shape::Slope, points)
    };
    let waiting = Panel {
        heading: "calls waiting".to_owned(),
        quantity: Quantity::Number,
        lines: series.dependencies.pairs().enumerate().map(line).collect(),
        bounds: Vec::new(),
    };
    let rates = |(id, samples): (DependencyId, &Vec<CallSample>)| {
        let steps = steps(series, samples.len(), end);
        let line = |(name, colour, read): (&str, usize, Counted)| {
            let mut line = Line::new(name, colour, Shape::Steps, stairs(&steps, samples, read));
            if name == "calls" {
                line.stroke = Stroke::Dashed;
            }
            line
        };
        let is_told = |line: &Line| line.name != "too late" || line.highest() > 0.0;
        Panel {
            heading: format!(
                "{}, calls a second",
                last_part(&model.dependencies[id].name)
            ),
            quantity: Quantity::Number,
            lines: RATES.into_iter().map(line).filter(is_told).collect(),
            bounds: Vec::new(),
        }
    };
    let rates = series.dependencies.pairs().map(rates);
    std::iter::once(waiting).chain(rates).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn waits_and_rates_have_their_panels() {
        let (model, runs) = fixture::calling();
        let series = runs[0].series.as_ref().expect("a series");
        let panels = panels(&model, series, 60.0);
        let names = |panel: &Panel| -> Vec<String> {
            panel.lines.iter().map(|line| line.name.clone()).collect()
        };
        assert_eq!(names(&panels[0]), ["mailer"]);
        assert_eq!(names(&panels[1]), ["too late", "answered in time", "calls"]);
        assert!((panels[0].lines[0].highest() - 40.0).abs() < 1e-9);
        assert!((panels[1].lines[2].highest() - 4.0).abs() < 1e-9);
    }
}
