//! A Markov-modulated Poisson process of two phases (MMPP-2): exponential stays in each, Poisson
//! arrivals at the phase's own rate.
//!
//! Not a schedule: when the phases change is random.

use rand::RngExt;
use rand_distr::Exp1;

use super::{Interarrival, Next};
use crate::input::{Fields, Problem, Problems, Read, Value, Variant};
use crate::random::Stream;
use crate::random::law::Hyperexponential;
use crate::units::{Rate, SimDuration, SimTime};

/// Two phases with a rate each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnOff {
    /// The rate while on.
    pub on: Rate,
    /// The rate while off, often zero.
    pub off: Rate,
    /// The mean stay on.
    pub mean_on: SimDuration,
    /// The mean stay off.
    pub mean_off: SimDuration,
    /// The phase in which it starts.
    pub start: Phase,
}

/// In which phase a run starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// In either, with the shares of time that they have in the long run.
    #[default]
    Stationary,
    /// On.
    On,
    /// Off.
    Off,
}

impl Read for Phase {
    const EXPECTS: &'static str = "\"stationary\", \"on\" or \"off\"";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let known = ["stationary", "on", "off"];
        let variant = Variant::of(value, "a phase to start in", &known, problems)?;
        variant.bare(problems);
        Some(match variant.name {
            "on" => Self::On,
            "off" => Self::Off,
            _ => Self::Stationary,
        })
    }
}

impl OnOff {
    /// Reads `{ on, off, mean_on, mean_off, start }`; `off` is zero and `start` stationary unless
    /// said otherwise.
    pub(super) fn read(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let start = fields.or("start", Phase::default(), problems);
        let off = fields.or("off", Rate::ZERO, problems);
        let on = fields.required_spanned::<Rate>("on", problems);
        let mean_on = fields.required_spanned::<SimDuration>("mean_on", problems);
        let mean_off = fields.required_spanned::<SimDuration>("mean_off", problems);
        let (on, mean_on, mean_off) = (on?, mean_on?, mean_off?);
        for mean in [&mean_on, &mean_off] {
            if mean.it.is_zero() {
                let title = "a phase that lasts no time";
                let problem = Problem::error(title, mean.span.clone(), "must be above zero");
                problems.file(problem);
                return None;
            }
        }
        if on.it.is_zero() && off.is_zero() {
            let problem = Problem::error("both rates are zero", on.span, "nothing comes");
            problems.file(problem.help("give `on` a rate above zero"));
            return None;
        }
        Some(Self {
            on: on.it,
            off,
            mean_on: mean_on.it,
            mean_off: mean_off.it,
            start,
        })
    }

    /// The mean time from the start of one stay on to the start of the next, in seconds.
    pub fn mean_cycle(&self) -> f64 {
        self.mean_on.as_secs_f64() + self.mean_off.as_secs_f64()
    }

    fn share_on(&self) -> f64 {
        let (on, off) = (self.mean_on.as_secs_f64(), self.mean_off.as_secs_f64());
        on / (on + off)
    }

    pub(super) fn mean_rate(&self) -> f64 {
        let share = self.share_on();
        share * self.on.as_per_second() + (1.0 - share) * self.off.as_per_second()
    }

    /// With one silent phase the gaps are independent and hyperexponential (Kuczura 1973, cited
    /// from memory): with rate λ while on, γ from on to off and ω back, their transform is
    /// λ(s + ω) / (s² + (λ + γ + ω)s + λω), whose poles are the two rates of the branches, and
    /// the probabilities follow from p r1 + (1 - p) r2 = λ. With two rates there is no such law.
    pub(super) fn interarrival(&self) -> Option<Interarrival> {
        let (rate, leave, come) = match (self.on.is_zero(), self.off.is_zero()) {
            (false, true) => (self.on, self.mean_on, self.mean_off),
            (true, false) => (self.off, self.mean_off, self.mean_on),
            (true, true) | (false, false) => return None,
        };
        let rate = rate.as_per_second();
        let (leave, come) = (1.0 / leave.as_secs_f64(), 1.0 / come.as_secs_f64());
        let sum = rate + leave + come;
        let fast = f64::midpoint(sum, (sum * sum - 4.0 * rate * come).sqrt());
        let slow = rate * come / fast;
        let p = (rate - slow) / (fast - slow);
        let law = Hyperexponential::new(p.clamp(0.0, 1.0), [1.0 / fast, 1.0 / slow]).ok()?;
        Some(Interarrival::Renewal(law.into()))
    }

    pub(super) fn source(&self) -> Source {
        let mean_gap = |rate: Rate| 1.0 / rate.as_per_second();
        Source {
            now: SimTime::ZERO,
            until: None,
            on: true,
            mean_gaps: [mean_gap(self.off), mean_gap(self.on)],
            mean_stays: [self.mean_off.as_secs_f64(), self.mean_on.as_secs_f64()],
            chance_on: match self.start {
                Phase::Stationary => self.share_on(),
                Phase::On => 1.0,
                Phase::Off => 0.0,
            },
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Source {
    now: SimTime,
    /// When the phase ends; `None` before the first draw.
    until: Option<SimTime>,
    on: bool,
    /// In seconds, off and on; infinite at a rate of zero.
    mean_gaps: [f64; 2],
    mean_stays: [f64; 2],
    chance_on: f64,
}

impl Source {
    pub(super) fn next(&mut self, stream: &mut Stream) -> Option<Next> {
        let mut until = self.until.unwrap_or_else(|| {
            self.on = stream.random::<f64>() < self.chance_on;
            self.stay(stream)
        });
        loop {
            // A gap that would outlast the phase is dropped and drawn anew in the next one: the
            // exponential law has no memory.
            let gap = stream.sample::<f64, _>(Exp1) * self.mean_gaps[usize::from(self.on)];
            let at = self.now.saturating_add(SimDuration::from_secs_rounded(gap));
            if at < until {
                (self.now, self.until) = (at, Some(until));
                return Some(Next { at, count: 1 });
            }
            if until == SimTime::MAX {
                return None;
            }
            self.now = until;
            self.on = !self.on;
            until = self.stay(stream);
        }
    }

    /// The end of a stay that begins now.
    fn stay(&self, stream: &mut Stream) -> SimTime {
        let stay = stream.sample::<f64, _>(Exp1) * self.mean_stays[usize::from(self.on)];
        self.now
            .saturating_add(SimDuration::from_secs_rounded(stay))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{problems, read, run, seconds};
    use super::super::{Arrivals, Interarrival};
    use crate::random::Law;

    const HALF: &str = "{ on_off = { on = \"30/s\", mean_on = \"1s\", mean_off = \"2s\" } }";

    /// Over a time t the count of an MMPP has mean λt and, for long t, variance
    /// λt + 2t · share · (1 - share) · (on - off)² / (1/mean_on + 1/mean_off).
    #[test]
    fn keeps_its_long_run_rate_and_is_more_than_poisson() {
        let horizon = 60_000.0;
        let counted = seconds(&read(HALF), horizon).len() as f64;
        let mean = 10.0 * horizon;
        let variance = mean + 2.0 * horizon * (2.0 / 9.0) * 900.0 / 1.5;
        assert!(
            ((counted - mean) / variance.sqrt()).abs() < 4.0,
            "{counted} of {mean}"
        );
    }

    /// Mean gap 1/λ; the scv of the gaps is 1 + 2γλ/(γ + ω)² (γ from on to off, ω back).
    #[test]
    fn a_silent_phase_makes_hyperexponential_gaps() {
        let Some(Interarrival::Renewal(law)) = read(HALF).interarrival() else {
            panic!("gaps of one law");
        };
        assert!((law.mean() - 0.1).abs() < 1e-12);
        let scv = 1.0 + 2.0 * 1.0 * 30.0 / 2.25;
        assert!((law.scv() - scv).abs() < 1e-9, "{} not {scv}", law.scv());
        let times = seconds(&read(HALF), 20_000.0);
        let beyond = times
            .windows(2)
            .filter(|pair| pair[1] - pair[0] > 1.0)
            .count() as f64;
        let gaps = (times.len() - 1) as f64;
        let tail = 1.0 - law.cdf(1.0);
        let deviation = (gaps * tail * (1.0 - tail)).sqrt();
        assert!(
            (beyond - gaps * tail).abs() < 4.0 * deviation,
            "{beyond} of {}",
            gaps * tail
        );
        assert!(matches!(law, Law::Hyperexponential(_)));
    }

    #[test]
    fn starts_where_it_is_told() {
        let start = |phase: &str| {
            let text = format!(
                "{{ on_off = {{ on = \"1000/s\", mean_on = \"1h\", mean_off = \"1h\", \
                 start = \"{phase}\" }} }}"
            );
            run(&read(&text), 1)[0].0
        };
        assert!(start("on") < 1_000_000_000);
        assert!(start("off") > 1_000_000_000);
    }

    #[test]
    fn refuses_phases_without_arrivals_or_time() {
        let told = problems("{ on_off = { on = \"0/s\", mean_on = \"1s\", mean_off = \"2s\" } }");
        assert!(told.contains("both rates are zero"), "{told}");
        let told = problems("{ on_off = { on = \"1/s\", mean_on = \"0s\", mean_off = \"2s\" } }");
        assert!(told.contains("lasts no time"), "{told}");
        let two =
            "{ on_off = { on = \"3/s\", off = \"1/s\", mean_on = \"1s\", mean_off = \"1s\" } }";
        let two: Arrivals = read(two);
        assert_eq!(two.interarrival(), None);
        assert_eq!(two.mean_rate(), Some(2.0));
    }
}
