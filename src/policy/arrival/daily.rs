//! A day that comes again: a profile of 24 hourly rates, or a sine.
//!
//! Not a schedule, which happens once. The run begins at `start` o'clock, midnight unless said
//! otherwise.

use std::f64::consts::TAU;

use super::flow::{Course, Flow, Pacing};
use crate::input::{Fields, Problem, Problems};
use crate::units::{Rate, Ratio, SimDuration, SimTime};

const HOUR: SimDuration = SimDuration::from_secs(3_600);
const DAY: SimDuration = SimDuration::from_secs(86_400);
/// Pieces of a quarter of an hour in the polygon that stands for a sine; it is nowhere more than
/// 0.06 % of the amplitude off, and has the sine's mean exactly.
const SINE_PIECES: u64 = 96;

/// A rate that repeats every 24 hours.
#[derive(Clone, Debug, PartialEq)]
pub struct Daily {
    pacing: Pacing,
    flow: Flow,
}

impl Daily {
    /// Hour by hour: each of the 24 rates holds for its hour, so that hourly counts are kept; the
    /// run begins at `start` after midnight.
    pub fn profile(rates: &[Rate; 24], start: SimDuration, pacing: Pacing) -> Self {
        let start = start.as_nanos() % DAY.as_nanos();
        let hour = HOUR.as_nanos();
        let first = start / hour;
        let courses = (0..=24)
            .map(|i| {
                let from = ((first + i) * hour).saturating_sub(start);
                let rate = rates[((first + i) % 24) as usize];
                (SimTime::from_nanos(from), Course::Level(rate))
            })
            .filter(|(from, _)| from.as_nanos() < DAY.as_nanos());
        let flow = Flow::new(&courses.collect::<Vec<_>>(), Some(DAY));
        Self { pacing, flow }
    }

    /// `mean · (1 + amplitude · cos)`, highest at `peak` after midnight.
    pub fn sine(
        mean: Rate,
        amplitude: Ratio,
        peak: SimDuration,
        start: SimDuration,
        pacing: Pacing,
    ) -> Self {
        let mean = mean.as_per_second();
        let at = |piece: u64| {
            let time = start.as_secs_f64() - peak.as_secs_f64();
            let turns = time / DAY.as_secs_f64() + piece as f64 / SINE_PIECES as f64;
            (mean * (1.0 + amplitude.get() * (TAU * turns).cos())).max(0.0)
        };
        let course = |piece: u64| {
            let from = SimTime::from_nanos(piece * (DAY.as_nanos() / SINE_PIECES));
            (from, Course::Ramp(at(piece), at(piece + 1)))
        };
        let courses: Vec<_> = (0..SINE_PIECES).map(course).collect();
        let flow = Flow::new(&courses, Some(DAY));
        Self { pacing, flow }
    }

    /// Reads `{ profile = [24 rates], start }` or `{ mean, amplitude, peak, start }`, and `pacing`.
    pub(super) fn read(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let pacing = fields.or("pacing", Pacing::default(), problems);
        let start = fields.or("start", SimDuration::ZERO, problems);
        let daily = if fields.has("profile") {
            let profile = fields.required_spanned::<Vec<Rate>>("profile", problems)?;
            let given = profile.it.len();
            let Ok(rates) = <[Rate; 24]>::try_from(profile.it) else {
                let title = format!("a daily profile of {given} rates");
                let problem = Problem::error(title, profile.span, "must be 24, one an hour");
                problems.file(problem);
                return None;
            };
            Self::profile(&rates, start, pacing)
        } else {
            let mean = fields.required("mean", problems);
            let amplitude = fields.required("amplitude", problems);
            let peak = fields.required("peak", problems);
            Self::sine(mean?, amplitude?, peak?, start, pacing)
        };
        if daily.flow.amount() > 0.0 {
            return Some(daily);
        }
        let problem = Problem::error("the rate is zero all day", fields.place(), "nothing comes");
        problems.file(problem.help("give at least one hour a rate above zero"));
        None
    }

    pub(super) fn pacing(&self) -> Pacing {
        self.pacing
    }

    pub(super) fn flow(&self) -> &Flow {
        &self.flow
    }

    pub(super) fn mean_rate(&self) -> f64 {
        self.flow.amount() / DAY.as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{problems, read, run, seconds};
    use crate::units::SimTime;

    fn profile(busy: usize, rest: &str) -> String {
        let rates: Vec<_> = (0..24)
            .map(|hour| if hour == busy { "36/h" } else { "0/h" })
            .collect();
        format!("{{ daily = {{ profile = {rates:?}, {rest} }} }}")
    }

    const HOUR: u64 = 3_600_000_000_000;

    #[test]
    fn an_hour_keeps_its_count_and_comes_again() {
        let all = run(&read(&profile(3, "")), 73);
        assert_eq!((all[0].0, all[35].0), (3 * HOUR, 3 * HOUR + 35 * HOUR / 36));
        assert_eq!((all[36].0, all[72].0), (27 * HOUR, 51 * HOUR));
        let daily = read(&profile(3, ""));
        assert!((daily.mean_rate().expect("a rate") - 36.0 / 86_400.0).abs() < 1e-15);
        assert!(!daily.ends() && daily.last_change().is_none());
    }

    #[test]
    fn starts_in_the_middle_of_an_hour() {
        let all = run(&read(&profile(3, "start = \"3h 30m\"")), 37);
        // Half an hour is left, 18 messages; the other 18 come at the end of the day.
        assert_eq!((all[0].0, all[17].0), (0, 17 * HOUR / 36));
        assert_eq!((all[18].0, all[36].0), (23 * HOUR + HOUR / 2, 24 * HOUR));
    }

    #[test]
    fn a_sine_is_highest_at_its_peak_and_keeps_its_mean() {
        let text =
            "{ daily = { mean = \"1000/h\", amplitude = 0.5, peak = \"14h\", start = \"2h\" } }";
        let daily = read(text);
        assert!((daily.mean_rate().expect("a rate") * 3600.0 - 1000.0).abs() < 1e-9);
        let day = seconds(&daily, 86_400.0);
        assert!((day.len() as f64 - 24_000.0).abs() <= 1.0, "{}", day.len());
        // The peak is 12 h after the start; within an hour of it mean and 0.5 sin(a)/a, a = π/12.
        let peak = day
            .iter()
            .filter(|at| (*at / 3600.0 - 12.0).abs() < 1.0)
            .count() as f64;
        let a = std::f64::consts::PI / 12.0;
        let known = 2_000.0 * (1.0 + 0.5 * a.sin() / a);
        assert!((peak - known).abs() < 3.0, "{peak}, not {known}");
        let flow = daily
            .rate_segments(SimTime::from_nanos(48 * HOUR))
            .expect("a flow");
        let area: f64 = flow
            .windows(2)
            .map(|pair| pair[0].1 * (pair[1].0 - pair[0].0))
            .sum();
        assert!((area - 48_000.0).abs() < 20.0, "{area}");
    }

    #[test]
    fn refuses_other_days() {
        let told = problems("{ daily = { profile = [\"1/s\"] } }");
        assert!(told.contains("a daily profile of 1 rates"), "{told}");
        assert!(problems(&profile(24, "")).contains("zero all day"));
        let told = problems("{ daily = { mean = \"1/s\", amplitude = 2, peak = \"14h\" } }");
        assert!(
            told.contains("between 0 and 1") || told.contains("not a ratio"),
            "{told}"
        );
    }
}
