//! From one run to a decision: `compare` and `plan`, and what their verdicts are worth.
//!
//! Not how a single number is known: that is [`statistics`](super::statistics).
//!
//! # Comparing
//!
//! ```console
//! $ queuecast compare scenarios/outage_reject.toml scenarios/block_fifo.toml --no-report
//! …
//! B against A
//!   metric                               A         B     difference     change
//!   checkout.rejected                8,000         0         -8,000     -100 %
//! …
//! $ queuecast compare scenarios/outage_reject.toml --no-report \
//!     --to consumers.fleet.count=75 --to consumers.fleet.count=90
//! …
//! ```
//!
//! The first scenario is the baseline, A; a variation of it is written with `--to`, several keys
//! with commas between them. All run under the baseline's seed, replication by replication, and so
//! meet the same messages (rule A3). What is judged is the difference of each pair: between 59 and
//! 60 consumers it varies less than a tenth of what two independent runs would.
//!
//! Without chance one run of each is made and every difference is exact, down to the nanosecond.
//! With chance twenty pairs are made, unless the scenarios or `--replications` ask for another
//! number. A single pair is not refused, but says nothing of what is chance, and the report says
//! so.
//!
//! **When does a metric move?** Some hundred metrics are looked at together. At 95 % each, five of
//! them would seem to move where nothing does. So the verdicts are taken as a family, by the rule
//! of S. Holm (1979): with all metrics that differ in some pair as hypotheses, the probability that
//! even one of those called moved is not is at most 5 %. Holm's rule rather than Bonferroni's,
//! since it calls at least as many; rather than a rate of false discoveries, since a reader acts on
//! single lines; and it holds however the tests hang together, which waits, sojourns and depths do
//! closely. Intervals stay at 95 % each: they say how large a change is, not whether there is one.
//! What has an interval without zero and yet is not called moved is *unclear*; more pairs tell.
//! `--metric queues.orders.wait` makes the family smaller, and its verdicts sharper.
//!
//! A metric that did not happen in every run (`full_at` of a queue that mostly is not) has no mean
//! difference. Whether it happens more often is tested by the pairs in which it happened on one
//! side alone (the exact sign test). Components that stand in one scenario alone are listed.
//!
//! Runs that stop when they have drained end at instants of their own, and then counts and averages
//! are over different times: the report says so. Compare counts over one time, with `--set
//! run.stop=10m`.
//!
//! # Planning
//!
//! ```console
//! $ queuecast plan scenarios/outage_reject.toml --vary consumers.fleet.count=1..400 \
//!     --objective "queues.orders.drained_at <= 331s" --no-report
//! …
//!   answer   consumers.fleet.count = 65, the smallest of 1 to 400 (400 values)
//!            that meets its objective
//! …
//!   count  objective                         observed  runs  stands
//!      64  queues.orders.drained_at <= 331s   339.8 s     1  fails
//!      65  queues.orders.drained_at <= 331s   325.2 s     1  meets
//! …
//! ```
//!
//! The smallest value of a key that meets every objective: those of the scenario and those of the
//! command line. Any key whose values have an order will do. With `--largest` it is the largest
//! value, for keys of which less is better.
//!
//! *Where to look.* Closed forms and the arithmetic of rates say for each objective where it is
//! first met. The search begins at the greatest of these, steps on by one, two, four … until it has
//! a value on either side, and halves what lies between; without a form it halves the whole range.
//!
//! *What decides.* Without chance, one run. With chance, an objective asks for a mean over runs
//! like these, be it of an average, a percentile, or an instant. After 20, 40, 80 and 160 runs
//! (`--replications` is the most) the interval of that mean is held against what is asked: wholly
//! on one side decides, across leaves it open. The risk of each look at each objective of each
//! value that the search could come to is a part of one less the level, all the same size, so that
//! all decisions of a plan together hold at 95 % however the search went, and looking again costs
//! nothing in truth. What is still open at the end is called undecided, and never an answer.
//!
//! *Where a form is exact.* M/M/c in steady state needs no runs, and runs cannot decide what the
//! form can: P(wait) at 59 consumers is 8.5 % where 10 % are allowed, but a margin of a tenth of a
//! percent would take millions of messages. So an exact form decides where the readings say that it
//! applies, and the runs are made all the same. They contradict it firmly when the interval of a
//! mean does, or for a percentile or a maximum when most runs lie on the other side. That happens
//! where runs are short: against the time in which the queue forgets its empty start, or in which
//! its rare crowds come. At 1,200/s and 40 ms, one message in 200 waits longer than 100 ms for 50
//! consumers, and most runs of 20 seconds see none that does. The plan then says so and errs to the
//! safe side: what fails by the form or by the runs fails.
//!
//! *What never counts as met.* A run that a limit stops (the horizon, messages alive, events) meets
//! nothing. A quantity that one run lacks, such as an instant that did not come, has no mean and is
//! not met; `== never` is met while it happened in none. Where all runs say the same number their
//! word is taken.
//!
//! *Evidence.* The value before the answer is shown with its numbers; the objectives that fail
//! there are the binding ones. Each objective's own need is searched as well. That more helps is
//! checked on the next value, the ends of the range, and some between, but below the answer only
//! where no form already says that an objective fails; a value out of order is reported, and a
//! smaller one that meets all becomes the answer. Between the values that were run there may be
//! others.
//!
//! *Headroom.* At the answer each outage is made longer and each steady source faster, one at a
//! time and in steps of about a hundredth, until an objective fails.
//!
//! # The fluid and the discrete answer
//!
//! After an outage of 90 s at a bound of 100,000, the fluid is empty at 90 s + 100,000/(25 c -
//! 1,200) seconds: 423.33 s for 60 consumers. Simulated, they come back in phase and take whole
//! messages, and the queue first is empty at 90 s + 40 ms ⌈(100,000 - c)/(c - 48)⌉: 423.16 s. With
//! `drained_at <= 331s` both say 65. With `drained_at <= 423.2s` the fluid says 61 and the
//! simulation 60: the plan answers 60, and its note says why. The other way it cannot be, since at
//! most c messages are in hand instead of waiting. A ceiling in plain floating point is a third
//! answer, and a wrong one: (10/s + 5,400/60 s) 70 ms is 7 consumers and not 8; see
//! `theory::staffing`.
