//! A value halfway between two, and the model there: what a bisection asks for.
//!
//! Not which values: a range is read in [`super::values`].

use super::quantity::Quantity;
use super::values::made;
use super::{Grid, Point, Setting};
use crate::scenario::Failure;

impl Setting {
    /// The value halfway to `other`, of the same kind, to six digits; whole numbers stay whole.
    /// `None` when there is none between them, or they are no quantities of one kind.
    pub fn midpoint(&self, other: &Self) -> Option<Self> {
        let (low, high) = (Quantity::parse(&self.text)?, Quantity::parse(&other.text)?);
        if !low.is_like(&high) {
            return None;
        }
        let middle = low.midpoint(&high);
        let apart = middle.is_above(&low) && high.is_above(&middle);
        apart.then(|| made(&middle, &self.value.span))
    }
}

impl Grid<'_> {
    /// The model at values that are no point of the grid: one for each key, in their order.
    ///
    /// # Errors
    /// When a value is wrong.
    ///
    /// # Panics
    /// When there are not as many values as keys.
    pub fn compile_at(&self, settings: &[&Setting]) -> Result<Point, Failure> {
        assert_eq!(settings.len(), self.axes.len(), "a value for each key");
        let mut single = self.clone();
        for (axis, setting) in single.axes.iter_mut().zip(settings) {
            axis.settings = vec![(*setting).clone()];
        }
        single.compile(0)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::scenario::Scenario;

    const BASE: &str = r#"
        [run]
        stop = "1s"
        [producers.p]
        queue = "orders"
        arrivals = { constant = { rate = "10/s" } }
        [queues.orders]
        [consumers.fleet]
        queue = "orders"
        count = 3
        service = "40ms"
    "#;

    #[test]
    fn values_meet_halfway() {
        let base = Scenario::from_text("base.toml", BASE, &[], Path::new("")).expect("a scenario");
        for (ends, due) in [
            ("48,55", Some("51")),
            ("48,49", None),
            ("1s,2s", Some("1.5s")),
            ("1s,1500ms", Some("1250ms")),
            ("9/s,10/s", Some("9.5/s")),
            // Six digits do not tell them from what lies between.
            ("1.00001,1.00002", None),
            ("one,two", None),
            ("1s,2/s", None),
        ] {
            let vary = [format!("consumers.fleet.count={ends}")];
            let grid = base.grid(&vary, None).expect("a grid");
            let [low, high] = grid.axes()[0].settings.as_slice() else {
                panic!("two values");
            };
            let middle = low.midpoint(high).map(|it| it.text);
            assert_eq!(middle.as_deref(), due, "{ends}");
        }
    }

    #[test]
    fn a_model_stands_between_the_points() {
        let base = Scenario::from_text("base.toml", BASE, &[], Path::new("")).expect("a scenario");
        let vary = ["consumers.fleet.count=10,21".to_owned()];
        let grid = base.grid(&vary, None).expect("a grid");
        let settings = &grid.axes()[0].settings;
        let middle = settings[0].midpoint(&settings[1]).expect("15");
        let model = grid.compile_at(&[&middle]).expect("a model").model;
        assert_eq!(model.fleets.iter().next().expect("a fleet").count, 15);
    }
}
