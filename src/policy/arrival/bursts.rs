//! So many at once: at one time, so many times, or again and again.
//!
//! Not random: for bursts at random times, batch a Poisson process.

use super::Next;
use crate::input::{Fields, Problem, Problems};
use crate::units::{SimDuration, SimTime};

/// `size` messages at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bursts {
    /// How many come at once.
    pub size: u32,
    /// When the first burst comes.
    pub at: SimDuration,
    /// Whether and when it comes again.
    pub again: Again,
}

/// How often a burst comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// Once.
    Never,
    /// So many times in all, so far apart.
    Times(u32, SimDuration),
    /// For ever, so far apart.
    Always(SimDuration),
}

/// In the flow a burst is spread over so much time.
const SPREAD: SimDuration = SimDuration::from_millis(1);
/// A flow of more bursts is told as their mean rate.
const MOST_TOLD: u64 = 10_000;

impl Bursts {
    /// Reads `{ size, at }`, `{ size, every, times }`; `offset` is another word for `at`.
    pub(super) fn read(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let word = if fields.has("offset") { "offset" } else { "at" };
        let at = fields.or(word, SimDuration::ZERO, problems);
        let every = fields.spanned::<SimDuration>("every", problems);
        let times = fields.spanned::<u32>("times", problems);
        let size = fields.required_spanned::<u32>("size", problems)?;
        for (what, span, zero) in [
            ("size", Some(size.span), size.it == 0),
            (
                "times",
                times.as_ref().map(|it| it.span.clone()),
                times.as_ref().is_some_and(|it| it.it == 0),
            ),
            (
                "every",
                every.as_ref().map(|it| it.span.clone()),
                every.as_ref().is_some_and(|it| it.it.is_zero()),
            ),
        ] {
            if let (Some(span), true) = (span, zero) {
                let title = format!("bursts with a `{what}` of zero");
                problems.file(Problem::error(title, span, "must be above zero"));
                return None;
            }
        }
        let again = match (every, times) {
            (Some(every), Some(times)) => Again::Times(times.it, every.it),
            (Some(every), None) => Again::Always(every.it),
            (None, Some(times)) if times.it > 1 => {
                let title = format!("{} bursts, but not how far apart", times.it);
                let problem = Problem::error(title, times.span, "needs `every`");
                problems.file(problem.help("add `every = \"1m\"`"));
                return None;
            }
            (None, _) => Again::Never,
        };
        Some(Self {
            size: size.it,
            at,
            again,
        })
    }

    /// The instant of burst `k`, if there is one that the clock can hold.
    fn instant(&self, k: u64) -> Option<SimTime> {
        let every = match self.again {
            Again::Never if k > 0 => return None,
            Again::Times(times, _) if k >= u64::from(times) => return None,
            Again::Never => SimDuration::ZERO,
            Again::Times(_, every) | Again::Always(every) => every,
        };
        let nanos = every
            .as_nanos()
            .checked_mul(k)?
            .checked_add(self.at.as_nanos())?;
        Some(SimTime::from_nanos(nanos)).filter(|at| *at < SimTime::MAX)
    }

    pub(super) fn source(&self) -> Source {
        Source {
            bursts: *self,
            k: 0,
        }
    }

    /// The last of finitely many.
    pub(super) fn last(&self) -> Option<SimTime> {
        match self.again {
            Again::Never => self.instant(0),
            Again::Times(times, _) => self.instant(u64::from(times) - 1),
            Again::Always(_) => None,
        }
    }

    pub(super) fn mean_rate(&self) -> Option<f64> {
        match self.again {
            Again::Never | Again::Times(..) => None,
            Again::Always(every) => Some(f64::from(self.size) / every.as_secs_f64()),
        }
    }

    /// Each burst as a flow of a millisecond (or of the time to the next one, if that is less);
    /// ten thousand and more endless ones as their mean rate.
    pub(super) fn segments(&self, horizon: SimTime) -> Vec<(f64, f64)> {
        let spread = match self.again {
            Again::Never => SPREAD,
            Again::Times(_, every) | Again::Always(every) => SPREAD.min(every),
        };
        let bursts = (0..)
            .map_while(|k| self.instant(k))
            .take_while(|at| *at <= horizon);
        let told = bursts.take(MOST_TOLD as usize + 1).collect::<Vec<_>>();
        if let (Some(rate), true) = (self.mean_rate(), told.len() as u64 > MOST_TOLD) {
            return vec![(0.0, 0.0), (self.at.as_secs_f64(), rate)];
        }
        let rate = f64::from(self.size) / spread.as_secs_f64();
        let mut all = vec![(0.0, 0.0)];
        for at in told {
            all.push((at.as_secs_f64(), rate));
            all.push((at.saturating_add(spread).as_secs_f64(), 0.0));
        }
        all
    }
}

#[derive(Clone, Debug)]
pub(super) struct Source {
    bursts: Bursts,
    k: u64,
}

impl Source {
    pub(super) fn next(&mut self) -> Option<Next> {
        let at = self.bursts.instant(self.k)?;
        self.k += 1;
        Some(Next {
            at,
            count: self.bursts.size,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{problems, read, run};
    use crate::units::SimTime;

    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn once_so_often_or_always() {
        let once = read("{ bursts = { size = 500, at = \"10s\" } }");
        assert_eq!(run(&once, 9), [(10 * SECOND, 500)]);
        assert_eq!(once.last_change(), Some(SimTime::from_nanos(10 * SECOND)));
        assert!(once.ends() && once.mean_rate().is_none());

        let thrice = read("{ bursts = { size = 5, offset = \"1s\", every = \"2s\", times = 3 } }");
        assert_eq!(
            run(&thrice, 9),
            [(SECOND, 5), (3 * SECOND, 5), (5 * SECOND, 5)]
        );
        assert_eq!(thrice.last_change(), Some(SimTime::from_nanos(5 * SECOND)));

        let always = read("{ bursts = { size = 5, every = \"2s\" } }");
        assert_eq!(run(&always, 3), [(0, 5), (2 * SECOND, 5), (4 * SECOND, 5)]);
        assert!(!always.ends() && always.last_change().is_none());
        assert_eq!(always.mean_rate(), Some(2.5));
    }

    #[test]
    fn flows_within_a_millisecond() {
        let once = read("{ bursts = { size = 500, at = \"10s\" } }");
        let flow = once.rate_segments(SimTime::MAX).expect("a flow");
        assert_eq!(flow, [(0.0, 0.0), (10.0, 500_000.0), (10.001, 0.0)]);
        let many = read("{ bursts = { size = 5, every = \"2ms\" } }");
        let hour = SimTime::from_nanos(3_600 * SECOND);
        assert_eq!(
            many.rate_segments(hour),
            Some(vec![(0.0, 0.0), (0.0, 2_500.0)])
        );
    }

    #[test]
    fn refuses_what_never_or_always_comes() {
        for (text, reason) in [
            ("size = 0", "`size` of zero"),
            ("size = 1, every = \"0s\"", "`every` of zero"),
            ("size = 1, times = 3", "not how far apart"),
            ("size = 1, at = \"1s\", offset = \"1s\"", "no key `at`"),
        ] {
            let told = problems(&format!("{{ bursts = {{ {text} }} }}"));
            assert!(told.contains(reason), "{text}: {told}");
        }
    }
}
