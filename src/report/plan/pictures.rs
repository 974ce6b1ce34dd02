//! The pictures of a plan: each objective's metric over the values that were run, with its
//! interval, what is asked of it, and what closed forms and the fluid say.
//!
//! Not how they are drawn, and not what was not run: between two values nothing is known.

use super::PlanReport;
use crate::experiment::plan::Examined;
use crate::outcome::Known;
use crate::report::plot::{Figure, Line, Panel, Shape, Stroke};
use crate::report::sweep::{Axis, Goal, horizontal, measured_in};

impl PlanReport<'_> {
    /// A figure an objective; none where fewer than two values were run.
    pub(super) fn figures(&self) -> Vec<Figure> {
        let rising: Vec<&Examined> = match self.wanted {
            super::Wanted::Smallest => self.plan.examined.iter().collect(),
            super::Wanted::Largest => self.plan.examined.iter().rev().collect(),
        };
        if rising.len() < 2 {
            return Vec::new();
        }
        let ticks = rising.iter().map(|it| self.axis.ticks[it.place].clone());
        let axis = Axis {
            key: self.axis.key.clone(),
            ticks: ticks.collect(),
        };
        let (across, axis) = horizontal(&axis);
        let values: Vec<(f64, &Examined)> = across.into_iter().zip(rising).collect();
        let all = 0..self.objectives.len();
        all.map(|index| Figure {
            name: format!("plan-{}", index + 1),
            title: self.objectives[index].text.clone(),
            axis: axis.clone(),
            shades: Vec::new(),
            panels: vec![self.panel(index, &values)],
        })
        .collect()
    }

    fn panel(&self, index: usize, values: &[(f64, &Examined)]) -> Panel {
        let objective = &self.objectives[index];
        let happened = |value: &Examined| self.mean(value, index);
        let there = values.iter().filter(|(_, it)| happened(it).is_some());
        let points: Vec<(f64, f64)> = there
            .clone()
            .filter_map(|(x, it)| Some((*x, happened(it)?)))
            .collect();
        let missing = values.len() - points.len();
        let mut observed = Line::new("observed", 0, Shape::Dots, points);
        let band = there.map(|(_, it)| {
            let interval = self.interval(it, index)?;
            Some((interval.low, interval.high))
        });
        observed.band = band.collect::<Option<_>>().unwrap_or_default();
        let said = |name, colour, of: fn(&Examined) -> &[Option<Known>]| {
            let known = |(x, it): &(f64, &Examined)| Some((*x, of(it)[index].as_ref()?.value?));
            let points = values.iter().filter_map(known).collect();
            let mut line = Line::new(name, colour, Shape::Dots, points);
            line.stroke = Stroke::Dashed;
            line
        };
        let lines = [
            said("fluid", 2, |it| &it.fluid),
            said("closed form", 1, |it| &it.exact),
            observed,
        ];
        let unit = measured_in(objective.unit);
        Panel {
            heading: match missing {
                0 => unit.to_owned(),
                _ => format!(
                    "{unit} (at {missing} of {} it never happened)",
                    values.len()
                ),
            },
            quantity: objective.unit.into(),
            lines: lines
                .into_iter()
                .filter(|it| !it.points.is_empty())
                .collect(),
            bounds: Goal::from(objective).bound().into_iter().collect(),
        }
    }
}
