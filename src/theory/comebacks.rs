//! Work on a message that comes back until some attempt at it ends well: at every lapse of its
//! visibility while an attempt may still run, and after each crash of its consumer.
//!
//! Not waiting: a free handler takes each delivery as soon as it is due. Elementary: attempts begin
//! at 0, V, 2V, ...; crashes are Poisson; sums over the attempts that begin before the first one
//! that ends well (Wald 1944 for attempts that draw anew).

use super::visibility::{LateDelete, deliveries_of_one};

/// How messages come back. Times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comebacks {
    /// What an attempt may do after its visibility lapsed.
    pub rule: LateDelete,
    /// Time between deliveries; infinite when only a crash brings another.
    pub period: f64,
    /// For how long a delivery is held before and after the work on it.
    pub ahead: f64,
    /// Mean time between the crashes of a consumer; infinite for none.
    pub up: f64,
    /// The most deliveries of one message; infinite for no bound.
    pub most: f64,
    /// For how long a message can live.
    pub life: f64,
}

/// What all attempts at a message come to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worked {
    /// Attempts begun.
    pub attempts: f64,
    /// Handler time, in seconds.
    pub work: f64,
    /// What of it is the first to be done, in seconds; done too late counts, if it is the first.
    pub useful: f64,
    /// Attempts begun while another was at work on the same message.
    pub overlaps: f64,
    /// The probability that its deliveries are used up before an attempt ends well.
    pub given_up: f64,
}

/// Attempts that draw anew are followed until one more is less likely than this.
const LEFT: f64 = 1e-12;
/// No more attempts than this are followed one by one ...
const MOST_FOLLOWED: f64 = 10_000.0;
/// ... and no more than this for which of them is done first.
const FEW: f64 = 20.0;

impl Comebacks {
    /// A message each attempt at which takes `service`.
    ///
    /// k attempts begin until the first could be done; each ends well with probability e^(-S/up).
    pub fn same(&self, service: f64) -> Worked {
        let lives = self.lives(service);
        let crash = 1.0 - lives;
        let held = service + self.ahead;
        let first = deliveries_of_one(self.rule, held, self.period, None);
        let most = self.bound();
        if first > most {
            return Worked {
                attempts: most,
                work: (most * self.each(service)).min(most * self.life),
                useful: service * (1.0 - crash.powf(most)),
                overlaps: most - 1.0,
                given_up: 1.0,
            };
        }
        let more = most - first;
        let again = if crash <= 0.0 {
            0.0
        } else if lives * more < 1e-9 {
            more.min(1.0 / lives)
        } else {
            crash / lives * -((more * (-lives).ln_1p()).exp_m1())
        };
        let given_up = crash.powf(more + 1.0);
        let attempts = first + again;
        let most_work = if self.period.is_finite() {
            f64::INFINITY
        } else {
            self.life
        };
        Worked {
            attempts,
            work: (attempts * self.each(service)).min(most_work),
            useful: service * (1.0 - crash.powf(most)),
            overlaps: first - 1.0,
            given_up,
        }
    }

    /// The same where each attempt draws anew from a law, which is known by points and weights,
    /// the points rising and the weights 1 in all.
    pub fn anew(&self, law: &[(f64, f64)]) -> Worked {
        let mean = |of: &dyn Fn(f64) -> f64| law.iter().map(|(s, w)| w * of(*s)).sum::<f64>();
        let each = mean(&|s| self.each(s));
        // P(done by t): it takes no longer, and its consumer lives so long.
        let mut sum = 0.0;
        let done: Vec<(f64, f64)> = law
            .iter()
            .map(|(s, w)| {
                sum += w * self.lives(*s);
                (s + self.ahead, sum)
            })
            .collect();
        let by = |t: f64| {
            let after = done.partition_point(|(at, _)| *at <= t);
            after.checked_sub(1).map_or(0.0, |last| done[last].1)
        };
        let late = |nth: f64| match self.rule {
            LateDelete::Honoured if self.period.is_finite() => 1.0 - by(nth * self.period),
            LateDelete::Refused | LateDelete::Honoured => 1.0 - by(self.period),
        };
        let most = self.bound();
        let (mut attempts, mut left, mut nth) = (0.0, 1.0, 0.0);
        while nth < most && left > LEFT && nth < MOST_FOLLOWED {
            attempts += left;
            nth += 1.0;
            left *= late(nth);
        }
        if nth >= MOST_FOLLOWED && left > LEFT {
            attempts = most;
        }
        let given_up = if nth < most { 0.0 } else { left };
        let in_hand = mean(&|s| f64::from(s + self.ahead > self.period)) * self.lives(self.period);
        let useful = if attempts > FEW {
            mean(&|s| s) * (1.0 - given_up)
        } else if self.period.is_finite() {
            self.winners(law, &by, nth)
        } else {
            let well = mean(&|s| self.lives(s));
            mean(&|s| s * self.lives(s)) / well * (1.0 - given_up)
        };
        Worked {
            attempts,
            work: attempts * each,
            useful: useful.min(attempts * each),
            overlaps: attempts * in_hand,
            given_up,
        }
    }

    /// The mean work of the attempt that ends well first, where one does: of any attempt, the time
    /// that it takes while no other of `most` has been done before.
    fn winners(&self, law: &[(f64, f64)], by: &dyn Fn(f64) -> f64, most: f64) -> f64 {
        let first = |nth: f64, s: f64| {
            let (mut alone, mut other) = (self.lives(s), 0.0);
            while other < most && alone > LEFT {
                let since = (nth - other).mul_add(self.period, s + self.ahead);
                if since <= 0.0 {
                    break;
                }
                if other.total_cmp(&nth).is_ne() {
                    alone *= 1.0 - by(since);
                }
                other += 1.0;
            }
            alone
        };
        let mut useful = 0.0;
        for nth in (0..).map(f64::from).take_while(|nth| *nth < most) {
            let won = law.iter().map(|(s, w)| w * s * first(nth, *s)).sum::<f64>();
            useful += won;
            if won < 1e-6 * useful {
                break;
            }
        }
        useful
    }

    /// P(an attempt of so much work sees no crash).
    fn lives(&self, service: f64) -> f64 {
        (-service / self.up).exp()
    }

    /// The mean time of an attempt: its work, or until the crash.
    fn each(&self, service: f64) -> f64 {
        let time = if self.up.is_finite() {
            -self.up * (-service / self.up).exp_m1()
        } else {
            service
        };
        time.min(self.life)
    }

    /// No more deliveries than are allowed, or than its life has room for.
    fn bound(&self) -> f64 {
        if self.period.is_finite() {
            self.most.min((self.life / self.period).floor() + 1.0)
        } else {
            self.most
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::breakdown::{repeat_anew, repeat_identical};

    const ALONE: Comebacks = Comebacks {
        rule: LateDelete::Honoured,
        period: f64::INFINITY,
        ahead: 0.0,
        up: f64::INFINITY,
        most: f64::INFINITY,
        life: f64::INFINITY,
    };

    fn near(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
    }

    #[test]
    fn without_a_visibility_crashes_alone_repeat() {
        let crashing = Comebacks { up: 10.0, ..ALONE };
        near(crashing.same(5.0).work, repeat_identical(5.0, 10.0));
        let law = [(2.0, 0.5), (8.0, 0.5)];
        let alive = 0.5 * ((-0.2_f64).exp() + (-0.8_f64).exp());
        near(crashing.anew(&law).work, repeat_anew(alive, 10.0));
        // Three deliveries: 1 + c + c^2.
        let three = Comebacks {
            most: 3.0,
            ..crashing
        }
        .same(5.0);
        let c = 1.0 - (-0.5_f64).exp();
        near(three.attempts, 1.0 + c + c * c);
        near(three.given_up, c * c * c);
    }

    #[test]
    fn with_both_a_copy_comes_at_each_lapse_until_one_is_done() {
        // 25 s of work on 10 s: begun at 0, 10, 20, and at 30 s if the first crashed, and so on.
        let both = Comebacks {
            period: 10.0,
            up: 50.0,
            ..ALONE
        };
        let c = 1.0 - (-0.5_f64).exp();
        let found = both.same(25.0);
        near(found.attempts, 3.0 + c / (1.0 - c));
        near(found.work, found.attempts * 50.0 * c);
        near(found.overlaps, 2.0);
        let five = Comebacks { most: 5.0, ..both }.same(25.0);
        near(five.attempts, 3.0 + c + c * c);
        near(five.given_up, c * c * c);
        let two = Comebacks { most: 2.0, ..both }.same(25.0);
        near(two.given_up, 1.0);
        near(two.attempts, 2.0);
    }

    #[test]
    fn a_draw_that_is_long_loses_to_one_that_is_short() {
        // 1 s or 25 s at even odds, on 10 s. The first is long (1/2): a second begins at 10 s, and
        // is done at 11 s (1/4), or is long as well (1/4): a third begins at 20 s, and is done at
        // 21 s (1/8) or is long (1/8), so that the first is done at 25 s.
        let law = [(1.0, 0.5), (25.0, 0.5)];
        let found = Comebacks {
            period: 10.0,
            ..ALONE
        }
        .anew(&law);
        near(found.attempts, 1.75);
        near(found.work, 1.75 * 13.0);
        near(found.useful, 0.875 + 0.125 * 25.0);
        let refused = Comebacks {
            rule: LateDelete::Refused,
            period: 10.0,
            ..ALONE
        };
        near(refused.anew(&law).attempts, 2.0);
        near(refused.anew(&law).useful, 0.875 + 0.125 * 25.0);
    }
}
