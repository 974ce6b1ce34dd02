//! Keys of messages: how many there are, and how often each comes (rule F1).
//!
//! Not what a key decides: a group, a partition, an order.

use rand::Rng;
use rand_distr::{Distribution, Uniform, Zipf};

use crate::input::{Data, Fields, Problem, Problems, Read, Value};

/// Keys from 0 up, of a stated popularity.
#[derive(Clone, Debug, PartialEq)]
pub struct Keys {
    count: u64,
    popularity: Popularity,
}

#[derive(Clone, Debug, PartialEq)]
enum Popularity {
    Uniform(Uniform<u64>),
    Zipf(Zipf<f64>, f64),
}

impl Keys {
    /// So many keys, each as likely as the others; `None` when there is none.
    pub fn uniform(count: u64) -> Option<Self> {
        let popularity = Popularity::Uniform(Uniform::new(0, count).ok()?);
        Some(Self { count, popularity })
    }

    /// So many keys, the k-th (from 1) in proportion to `k^-exponent` (Zipf's law); `None` when
    /// there is none, or the exponent is negative or not finite.
    pub fn zipf(count: u64, exponent: f64) -> Option<Self> {
        if count == 0 || !exponent.is_finite() {
            return None;
        }
        let popularity = Popularity::Zipf(Zipf::new(count as f64, exponent).ok()?, exponent);
        Some(Self { count, popularity })
    }

    /// The exponent of Zipf's law; `None` when each key is as likely as the others.
    pub fn exponent(&self) -> Option<f64> {
        match &self.popularity {
            Popularity::Uniform(_) => None,
            Popularity::Zipf(_, exponent) => Some(*exponent),
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// A key: with Zipf's law, 0 is the most popular.
    pub fn draw<R: Rng>(&self, rng: &mut R) -> u64 {
        match &self.popularity {
            Popularity::Uniform(uniform) => uniform.sample(rng),
            Popularity::Zipf(zipf, _) => zipf.sample(rng) as u64 - 1,
        }
    }
}

impl Read for Keys {
    const EXPECTS: &'static str = "a count of keys, or { count = 1000, zipf = 1.1 }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let Data::Table(_) = &value.data else {
            let keys = Self::uniform(u64::read(value, problems)?);
            return keys.or_else(|| refuse("a key of none", value, "must be 1 or more", problems));
        };
        let mut fields = Fields::open(value, "keys", problems)?;
        let count = fields.required::<u64>("count", problems);
        let zipf = fields.spanned::<f64>("zipf", problems);
        fields.close(problems);
        let count = count?;
        if count == 0 {
            return refuse(
                "a key of none",
                value,
                "`count` must be 1 or more",
                problems,
            );
        }
        let Some(zipf) = zipf else {
            return Self::uniform(count);
        };
        let keys = Self::zipf(count, zipf.it);
        if keys.is_none() {
            let title = format!("{} is no exponent of Zipf's law", zipf.it);
            problems.file(Problem::error(title, zipf.span, "must be 0 or more"));
        }
        keys
    }
}

fn refuse(title: &str, value: &Value, label: &str, problems: &mut Problems) -> Option<Keys> {
    problems.file(Problem::error(title, value.span.clone(), label));
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::testing::{read, refused};
    use crate::random::{Purpose, Seed, StreamKey};

    fn counts(keys: &Keys, draws: u64) -> Vec<f64> {
        let mut stream = StreamKey::named(Seed(5), 0, "keys", Purpose::Key).stream();
        let mut counts = vec![0.0; keys.count() as usize];
        for _ in 0..draws {
            counts[keys.draw(&mut stream) as usize] += 1.0;
        }
        counts
    }

    #[test]
    fn keys_come_as_often_as_their_law_says() {
        let uniform = counts(&Keys::uniform(4).expect("four keys"), 40_000);
        // Binomial (40,000, 1/4): sd 87; five sd either way has a chance below 1e-6, and the seed
        // is fixed.
        assert!(
            uniform.iter().all(|seen| (seen - 10_000.0).abs() < 435.0),
            "{uniform:?}"
        );
        let zipf = counts(&Keys::zipf(3, 1.0).expect("three keys"), 110_000);
        // Shares 6/11, 3/11, 2/11: 60,000, 30,000, 20,000, each with an sd below 166.
        for (seen, expected) in zipf.iter().zip([60_000.0, 30_000.0, 20_000.0]) {
            assert!((seen - expected).abs() < 830.0, "{zipf:?}");
        }
    }

    #[test]
    fn reads_a_count_or_a_law() {
        assert_eq!(read("1000"), Keys::uniform(1_000));
        assert_eq!(read("{ count = 5 }"), Keys::uniform(5));
        assert_eq!(read("{ count = 5, zipf = 1.1 }"), Keys::zipf(5, 1.1));
        for (text, reason) in [
            ("0", "a key of none"),
            ("{ count = 0, zipf = 1 }", "a key of none"),
            ("{ zipf = 1 }", "lacks `count`"),
            ("{ count = 2, zipf = -1 }", "no exponent"),
        ] {
            let told = refused::<Keys>(text);
            assert!(told.contains(reason), "{text}: {told}");
        }
    }

    #[test]
    fn there_is_no_key_of_none() {
        assert_eq!(Keys::uniform(0), None);
        assert_eq!(Keys::zipf(0, 1.0), None);
        assert_eq!(Keys::zipf(5, -1.0), None);
        assert_eq!(Keys::zipf(5, f64::NAN), None);
    }
}
