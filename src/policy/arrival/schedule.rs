//! A rate by schedule: levels from given instants on, with ramps between them.
//!
//! Not a day that comes again: that is the daily process.

use super::flow::{Course, Flow, Pacing};
use crate::input::{Data, Fields, Problem, Problems, Read, Spanned, Value};
use crate::units::{Rate, SimDuration, SimTime};

/// Levels of the rate, each from its instant on; before the first there is nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    steps: Vec<Step>,
    pacing: Pacing,
    flow: Flow,
}

/// One level of a schedule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// When the rate begins to change to this one.
    pub from: SimDuration,
    /// The rate once it has changed.
    pub rate: Rate,
    /// How long it takes to go straight from the rate before to this one.
    pub ramp: SimDuration,
}

impl Schedule {
    /// The schedule of these steps.
    ///
    /// # Panics
    /// When a step does not come after the one before it and its ramp.
    pub fn new(steps: Vec<Step>, pacing: Pacing) -> Self {
        let mut courses = vec![(SimTime::ZERO, Course::Level(Rate::ZERO))];
        let mut before = Rate::ZERO;
        for (i, step) in steps.iter().enumerate() {
            let from = SimTime::ZERO + step.from;
            let free = i
                .checked_sub(1)
                .map_or(SimTime::ZERO, |last| end_of(&steps[last]));
            assert!(
                from >= free,
                "a step of a schedule begins within the one before"
            );
            if step.ramp > SimDuration::ZERO {
                let ramp = Course::Ramp(before.as_per_second(), step.rate.as_per_second());
                courses.push((from, ramp));
            }
            courses.push((end_of(step), Course::Level(step.rate)));
            before = step.rate;
        }
        let flow = Flow::new(&courses, None);
        Self {
            steps,
            pacing,
            flow,
        }
    }

    /// Reads a list of steps, or `{ steps = [...], pacing }`.
    pub(super) fn read(body: &Value, problems: &mut Problems) -> Option<Self> {
        let (steps, pacing) = if matches!(body.data, Data::Array(_)) {
            (
                Vec::<Spanned<Step>>::read(body, problems)?,
                Pacing::default(),
            )
        } else {
            let mut fields = Fields::open(body, "schedule", problems)?;
            let pacing = fields.or("pacing", Pacing::default(), problems);
            let steps = fields.required("steps", problems);
            fields.close(problems);
            (steps?, pacing)
        };
        if steps.is_empty() {
            let problem = Problem::error("a schedule without steps", body.span.clone(), "");
            problems.file(problem.help("write `[{ from = \"0s\", rate = \"1200/s\" }, …]`"));
            return None;
        }
        for pair in steps.windows(2) {
            let (before, step) = (&pair[0].it, &pair[1].it);
            let late = step.from <= before.from || SimTime::ZERO + step.from < end_of(before);
            if late {
                let title = format!("this step begins at {}, within the one before", step.from);
                let label = format!("the one before is done at {}", end_of(before));
                let problem = Problem::error(title, pair[1].span.clone(), "too early")
                    .also(pair[0].span.clone(), label)
                    .help("steps come in the order of time, each after the ramp before it");
                problems.file(problem);
                return None;
            }
        }
        Some(Self::new(
            steps.into_iter().map(|step| step.it).collect(),
            pacing,
        ))
    }

    /// The steps.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub(super) fn pacing(&self) -> Pacing {
        self.pacing
    }

    pub(super) fn flow(&self) -> &Flow {
        &self.flow
    }

    /// The end of the last ramp or the last jump; `None` when the rate is the same from zero on.
    pub(super) fn last_change(&self) -> Option<SimTime> {
        self.steps
            .last()
            .map(end_of)
            .filter(|end| *end > SimTime::ZERO)
    }

    /// The first ramp or jump after zero.
    pub(super) fn first_change(&self) -> Option<SimTime> {
        let mut changes = self.steps.iter().filter(|it| end_of(it) > SimTime::ZERO);
        changes
            .next()
            .map(|step| SimTime::ZERO.saturating_add(step.from))
    }

    /// The rate of the last step, at which it goes on for ever.
    pub(super) fn last_rate(&self) -> Rate {
        self.steps.last().map_or(Rate::ZERO, |step| step.rate)
    }
}

fn end_of(step: &Step) -> SimTime {
    SimTime::ZERO
        .saturating_add(step.from)
        .saturating_add(step.ramp)
}

impl Read for Step {
    const EXPECTS: &'static str = "a step such as { from = \"0s\", rate = \"1200/s\" }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let mut fields = Fields::open(value, "step", problems)?;
        let from = fields.required("from", problems);
        let rate = fields.required("rate", problems);
        let ramp = fields.or("ramp", SimDuration::ZERO, problems);
        fields.close(problems);
        Some(Self {
            from: from?,
            rate: rate?,
            ramp,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{problems, read, run, seconds};
    use crate::units::SimTime;

    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn one_step_is_a_constant_source() {
        let one = read("{ schedule = [{ from = \"0s\", rate = \"1200/s\" }] }");
        let constant = read("{ constant = { rate = \"1200/s\" } }");
        assert_eq!(run(&one, 50_000), run(&constant, 50_000));
        assert_eq!(one.last_change(), None);
    }

    /// 10/s for 1.05 s leaves half an arrival due, which the next rate completes: at 4/s in 1/8 s.
    #[test]
    fn what_is_due_is_carried_over_a_change_and_over_silence() {
        let text = "{ schedule = [{ from = \"1s\", rate = \"10/s\" }, \
                    { from = \"2050ms\", rate = \"0/s\" }, \
                    { from = \"5s\", rate = \"4/s\" }, { from = \"6s\", rate = \"0/s\" }] }";
        let all = run(&read(text), 99);
        assert_eq!(all[0].0, SECOND);
        assert_eq!(all[10].0, 2 * SECOND);
        let rest: Vec<_> = all[11..].iter().map(|(at, _)| *at).collect();
        assert_eq!(
            rest,
            [5_125_000_000, 5_375_000_000, 5_625_000_000, 5_875_000_000]
        );
        assert!(read(text).ends());
        assert_eq!(
            read(text).last_change(),
            Some(SimTime::from_nanos(6 * SECOND))
        );
    }

    /// From 0 to 10/s in 10 s: Λ(t) = t²/2, so arrival k is at √(2k), and 50 are due in all.
    #[test]
    fn a_ramp_is_inverted() {
        let text = "{ schedule = [{ from = \"0s\", rate = \"10/s\", ramp = \"10s\" }] }";
        let all = run(&read(text), 61);
        for (k, (at, _)) in all.iter().take(50).enumerate() {
            let known = (2.0 * k as f64).sqrt() * 1e9;
            assert!((*at as f64 - known).abs() <= 1.0, "{k}: {at}, not {known}");
        }
        assert_eq!((all[50].0, all[60].0), (10 * SECOND, 11 * SECOND));
        assert_eq!(
            read(text).last_change(),
            Some(SimTime::from_nanos(10 * SECOND))
        );
        let flow = read(text).rate_segments(SimTime::MAX).expect("a flow");
        let area: f64 = flow
            .windows(2)
            .map(|pair| pair[0].1 * (pair[1].0 - pair[0].0))
            .sum();
        assert!((area - 50.0).abs() < 1e-9 && flow.last() == Some(&(10.0, 10.0)));
    }

    /// A Poisson process of changing rate: counts of each stretch within four deviations.
    #[test]
    fn poisson_pacing_keeps_the_counts() {
        let text = "{ schedule = { pacing = \"poisson\", steps = [\
                    { from = \"0s\", rate = \"100/s\" }, \
                    { from = \"100s\", rate = \"20/s\", ramp = \"100s\" }, \
                    { from = \"200s\", rate = \"0/s\" }] } }";
        let times = seconds(&read(text), 1e6);
        let first = times.iter().filter(|at| **at < 100.0).count() as f64;
        let second = times.len() as f64 - first;
        assert!((first - 10_000.0).abs() < 400.0, "{first}");
        assert!(
            (second - 6_000.0).abs() < 4.0 * 6_000.0_f64.sqrt(),
            "{second}"
        );
    }

    #[test]
    fn refuses_steps_out_of_order() {
        let steps = |text: &str| problems(&format!("{{ schedule = [{text}] }}"));
        let told = steps("{ from = \"5s\", rate = \"1/s\" }, { from = \"5s\", rate = \"2/s\" }");
        assert!(
            told.contains("begins at 5s, within the one before"),
            "{told}"
        );
        let told = steps(
            "{ from = \"0s\", rate = \"1/s\", ramp = \"9s\" }, { from = \"5s\", rate = \"2/s\" }",
        );
        assert!(told.contains("within the one before"), "{told}");
        assert!(steps("").contains("without steps"));
        assert!(steps("{ from = \"0s\" }").contains("lacks `rate`"));
    }
}
