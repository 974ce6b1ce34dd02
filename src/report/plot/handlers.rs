//! The picture of the handlers: how many could work, and how many did.
//!
//! Not their utilization, which is a metric.

use super::axis::{Axis, Quantity};
use super::figure::{Figure, Line, Panel, Shade, Shape};
use crate::model::{FleetId, Model};
use crate::outcome::Series;
use crate::report::names::last_part;

/// A panel a fleet; `None` without fleets.
pub(super) fn figure(model: &Model, series: &Series, end: f64, shades: &[Shade]) -> Option<Figure> {
    let panel = |(id, levels): (FleetId, &Vec<(u32, u32)>)| {
        let line = |name, colour, read: fn(&(u32, u32)) -> u32| {
            let at = |index| series.end_of(index).as_secs_f64().min(end);
            let points = levels.iter().enumerate();
            let points = points.map(|(index, level)| (at(index), f64::from(read(level))));
            // The first reading is the first that there is.
            let first = levels.first().map(|level| (0.0, f64::from(read(level))));
            let points = first.into_iter().chain(points).collect();
            Line::new(name, colour, Shape::Steps, points)
        };
        Panel {
            heading: format!("{}, handlers", last_part(&model.fleets[id].name)),
            quantity: Quantity::Number,
            lines: vec![
                line("able to work", 5, |level| level.1),
                line("at work", 0, |level| level.0),
            ],
            bounds: Vec::new(),
        }
    };
    let panels: Vec<Panel> = series.fleets.pairs().map(panel).collect();
    (!panels.is_empty()).then(|| Figure {
        name: "handlers".to_owned(),
        title: "Handlers".to_owned(),
        axis: Axis::time(end),
        shades: shades.to_vec(),
        panels,
    })
}
