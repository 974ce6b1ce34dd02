//! A tape of random words from which a whole model is read, feature by feature. A word of zero
//! always means the plainest choice, so that a failing tape shrinks to a plain model.
//!
//! Not the models themselves: those are in [`super::draw`].

use queuecast::random::DurationLaw;
use queuecast::random::law::{
    Constant, Empirical, Erlang, Exponential, Hyperexponential, Law, Lognormal, Mixture, Pareto,
    Sample, Uniform,
};
use queuecast::units::{SimDuration, SimTime};

/// The words that are left. The first is the swarm's mask: which features this model may have.
pub(super) struct Tape<'a> {
    features: u32,
    words: std::slice::Iter<'a, u32>,
}

impl<'a> Tape<'a> {
    pub(super) fn new(words: &'a [u32]) -> Self {
        let mut words = words.iter();
        let features = words.next().copied().unwrap_or(0);
        Self { features, words }
    }

    /// A number below `bound`.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        self.words.next().map_or(0, |word| word % bound)
    }

    /// One of these; the first is the plainest.
    pub(super) fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize].clone()
    }

    /// Whether to use the feature of this number here: half of the time in a model that has it.
    pub(super) fn has(&mut self, feature: u32) -> bool {
        self.below(2) == 1 && self.features >> feature & 1 == 1
    }

    /// A time on a coarse grid, so that ties are common; now and then one off the grid.
    pub(super) fn span(&mut self, most_ms: u32) -> SimDuration {
        let ms = u64::from(self.below(most_ms / 10 + 1)) * 10;
        let off_grid = if self.below(4) == 3 { 333_333 } else { 0 };
        SimDuration::from_nanos(ms * 1_000_000 + off_grid)
    }

    pub(super) fn instant(&mut self, most_ms: u32) -> SimTime {
        SimTime::ZERO + self.span(most_ms)
    }

    /// A law of durations of about this mean or below; zero is among them unless `positive`.
    pub(super) fn law(&mut self, mean_ms: u32, positive: bool) -> DurationLaw {
        let least = SimDuration::from_millis(u64::from(positive));
        let mean = (self.span(mean_ms) + least).as_secs_f64();
        let fits = "its parameters are in range";
        if mean == 0.0 {
            return DurationLaw::constant(SimDuration::ZERO);
        }
        let law: Law = match self.below(9) {
            0 => return DurationLaw::constant(SimDuration::from_secs_rounded(mean)),
            1 => Exponential::new(mean).expect(fits).into(),
            2 => Uniform::new(mean / 2.0, mean * 1.5).expect(fits).into(),
            3 => Erlang::new(3, mean).expect(fits).into(),
            4 => Hyperexponential::new(0.1, [mean * 5.0, mean / 2.0])
                .expect(fits)
                .into(),
            5 => Lognormal::new(mean.ln(), 1.0).expect(fits).into(),
            6 => Pareto::new(1.5, mean / 3.0).expect(fits).into(),
            7 => {
                let sample = Sample::new(vec![mean / 2.0, mean, mean * 2.0]).expect(fits);
                Law::Empirical(Box::new(Empirical::Sample(sample)))
            }
            _ => {
                let slow = Exponential::new(mean * 2.0).expect(fits).into();
                let fast = Constant::new(mean / 2.0).expect(fits).into();
                Mixture::new(vec![(1.0, slow), (3.0, fast)])
                    .expect(fits)
                    .into()
            }
        };
        DurationLaw::new(law)
    }
}
