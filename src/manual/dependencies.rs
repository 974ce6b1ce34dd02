//! Dependencies: who is called by handlers, or by producers themselves; how callers defend
//! themselves; and when a failure outlasts its cause.
//!
//! Not every key: `queuecast explain dependencies` and `explain calls` have those. The rules below
//! spell out E6 and E7 of [`semantics`](super::semantics).
//!
//! # The words
//!
//! A *request* is what a caller wants once: one for each message (or batch) of a handler, one for
//! each arrival of a producer that calls inline. A *call* is one attempt at the dependency: the
//! first, a retry, or a hedge. An *answer* is good, or failed. A caller *leaves* a call when its
//! timeout or its deadline is over, when a hedge has won, or when it crashes; the work on the call
//! goes on all the same, and is *wasted*. *Goodput* is good answers in time, a second;
//! *amplification* is calls over requests.
//!
//! # The station
//!
//! **1. A request of a handler begins when its own service time is over**, and the handler is held
//! until the request has ended: its service and its busy time include that. A batch makes one
//! request, whose failure fails the whole batch. A producer's request begins at its arrival;
//! nothing is published. Work that fails by itself, or that finds nothing to do, calls nobody. A
//! request that fails in no time at all holds its handler for a microsecond, so that a message that
//! comes back at once does not hold the clock still. *Tests:* `handlers.rs:
//! a_handler_is_held_until_its_answer`, `handlers.rs:
//! a_failed_request_fails_the_attempt_on_the_message`, `handlers.rs:
//! a_refusal_of_no_time_does_not_hold_the_clock`.
//!
//! **2. At the door, in this order:** all servers down and `calls = "fail_fast"`: refused; above
//! `limit`: refused as throttled; about to wait longer than `shed`: refused; the line full: refused
//! (`queue` counts waiting calls: one that finds a free server never waits). A refusal is told at
//! once. Otherwise a free server takes the call, or it waits. About to wait is one service time
//! over the servers for each call in line, and for the one at the door. *Tests:* `rules.rs:
//! a_door_refuses_in_its_order`, `theory.rs: a_bounded_station_is_m_m_c_k`, `rate_limit.rs:
//! a_bucket_is_full_at_first_and_fills_at_its_rate`, `rate_limit.rs:
//! parts_of_a_token_are_kept_exactly`, `rate_limit.rs: a_window_takes_its_calls_and_no_more`.
//!
//! **3. A service time is drawn for the request and the attempt**, so that it is the same under
//! every defence: comparisons are paired. It is multiplied by `slowdown` of an outage, and by
//! `overload`, as they are when the work begins. A failing call takes as long as any other, or as
//! `takes` says. *Tests:* `storms_and_ways_out.rs:
//! the_same_seed_meets_the_same_load_with_and_without_a_defence`, `rules.rs:
//! overload_makes_each_call_slower`, `rules.rs: part_of_it_stops_and_slowness_multiplies`.
//!
//! **4. The timeout counts from the moment the call reaches the station.** An answer at the very
//! instant of the timeout is in time. A server that becomes free takes the next call by `order`;
//! with `expired = "dropped"` it passes over those whose caller has left, or will have within
//! `margin`, at no cost; such a caller does not know, and waits until its timeout. *Tests:*
//! `rules.rs: work_goes_on_after_its_caller_has_left`, `rules.rs:
//! an_answer_at_the_very_timeout_is_in_time`, `rules.rs: expired_calls_are_dropped_at_their_turn`,
//! `rules.rs: a_line_has_an_order`, `theory.rs: late_answers_are_the_tail_of_m_m_c`.
//!
//! **5. An outage stops a share of the servers**, to the nearest whole number, the last ones; what
//! they work on finishes, freezes, or crashes (its caller sees a failed answer at once). While all
//! are stopped, calls wait in the line (`"hang"`), or are refused (`"fail_fast"`). With `slowdown`
//! and without `share` no server stops: a brownout. *Tests:* `rules.rs:
//! a_hung_dependency_keeps_calls_waiting`, `rules.rs:
//! part_of_it_stops_and_slowness_multiplies`.
//!
//! # The caller
//!
//! **6. Each attempt asks, in this order:** is anything of the deadline left? does the breaker
//! permit it? has the limit of calls out at once room (else wait as long as it allows)? Only then
//! is a call made. What is not permitted fails at once, is retried like any other failure, and is
//! no call in the breaker's window. A deadline cuts short whatever goes on at its instant: a call,
//! a wait for room, a wait between attempts; the request has then timed out, and neither breaker
//! nor limit learns anything from a call that it cut short. *Tests:* `rules.rs:
//! a_failed_call_is_tried_again_after_its_wait`, `rules.rs:
//! a_limit_of_calls_out_makes_requests_wait_or_fail`.
//!
//! **7. When an attempt has failed** (a timeout, a refusal, a failed answer, not called), its retry
//! budget hears of it and may refuse; then the policy decides, and the wait holds handler or
//! request. What becomes of a handler's message whose request has failed is the fleet's way with
//! failed work: `retry` of the consumers, or the queue's redelivery and dead letters. A producer's
//! request ends *accepted*, *timed out* (its last attempt did), *rejected* (no retry was
//! configured), or *abandoned* (retries used up, or refused by the budget). A consumer that crashes
//! leaves its calls, and what its requests shared is as it was at first. The calls of a handler
//! that stands still (an outage that freezes) go on, and time out; it does something about them
//! when it goes on itself. *Tests:* `handlers.rs: a_consumer_that_crashes_leaves_its_calls`,
//! `handlers.rs: a_frozen_handler_hears_its_answer_when_it_goes_on`, `storms_and_ways_out.rs:
//! budgets_cut_retries_off_where_their_sources_say`.
//!
//! **8. A breaker** sees attempts, hedges and all; it opens when the share of failed (or slow)
//! calls among the last `window` has come to its threshold, once `minimum` have ended; stays open
//! for `open`; then lets `trials` through, and closes if their shares are below the thresholds,
//! else opens again. As resilience4j's, it forgets what it has seen whenever it turns, does not
//! look at calls that end while it is open, and decides after as many trials as `minimum` asks for
//! if those are fewer. *Tests:* `rules.rs: a_breaker_opens_and_lets_a_trial_through`, `breaker.rs:
//! opens_when_half_of_the_window_fails_and_not_before_the_minimum`, `breaker.rs:
//! resilience4j_opens_at_call_100_with_50_failures`, `breaker.rs:
//! a_half_open_one_lets_its_trials_through_and_decides_by_them`, `breaker.rs:
//! trials_that_fail_open_it_again_for_as_long`, `breaker.rs:
//! a_minimum_below_the_trials_decides_among_them`, `breaker.rs:
//! slow_calls_open_it_though_they_go_well`, `breaker.rs:
//! what_ends_while_it_is_open_is_not_looked_at`.
//!
//! **9. A limit of calls out at once** is fixed, or moves: `aimd` adds one after each call that
//! goes well while at least half of the limit is out, and keeps a part of it, rounded down, after
//! one that does not (Netflix's `AIMDLimit`). *Tests:* `concurrency.rs: a_fixed_limit_stays`,
//! `concurrency.rs: one_more_when_well_used_and_a_tenth_less_when_not_well`.
//!
//! **10. A hedge** is a further call `after` the last one of an attempt has had no answer for so
//! long, `at_most` times; the first good answer ends the request, and the other calls are left. It
//! is not made where there is no room for it among the calls out at once. *Tests:* `rules.rs:
//! a_hedge_is_made_beside_a_slow_call`.
//!
//! **11. Who shares** the budget, the breaker and the limit: the handlers of a consumer, or the
//! fleet (`per`). A producer is one client.
//!
//! # When a failure outlasts its cause
//!
//! One load, two stable states. A dependency that answers C calls a second, first come first
//! served, whose callers leave after T and call r times more, has a second state beside the good
//! one if
//!
//! > λ (1 + r) > C
//!
//! and its line can hold C · T calls: then each call that is worked on has been left already, every
//! request fails and makes all of its r retries, and those keep the line as long as it is. No
//! answer is in time, though the servers are never idle (Bronson, Aghayev, Charapko, Zhu,
//! "Metastable failures in distributed systems", HotOS 2021, cited from memory). A trigger longer
//! than T, of any kind, is enough to get there.
//!
//! What helps takes a side of that condition away, or the waste; each has a scenario:
//!
//! | way out | why | `storm_…` |
//! |---|---|---|
//! | a line well below C · T, or `shed` below T | no call waits so long | `bounded_line`, `shed` |
//! | a retry budget that fits | λ (1 + share) < C | `budget`, and not `budget_80` |
//! | a deadline of one timeout | no retry that nobody waits for | `deadline` |
//! | a breaker, AIMD | the load falls below C while calls fail | `breaker`, `aimd` |
//! | the youngest first | new calls are answered, old ones later, for nobody | `lifo`, `adaptive` |
//! | dropping expired calls, with a margin | what is begun is answered in time | `drop_margin` |
//!
//! What does not help: backoff and jitter alone (the rate in the long run is the same λ (1 + r)),
//! and dropping expired calls without a margin: those that are left a moment later are begun, and
//! wasted (`storm_jitter`, `storm_drop_expired`). `queuecast check` warns of the condition, with
//! the scenario's numbers. *Tests:* `collapse.rs: a_storm_can_outlast_its_cause`, `collapse.rs:
//! a_budget_holds_only_as_far_as_it_reaches`.
//!
//! Handlers are gentler than inline callers: one that waits makes no other call, so a fleet of n
//! makes at most n / T calls a second while none is answered.
//!
//! *Recovered* is defined: goodput is counted in whole windows of `run.recovery.window`, and
//! `recovered_at` is the start of the first, after the last disturbance, from which on every window
//! holds at least `run.recovery.share` of the level before, less three standard deviations of that
//! count, so that chance alone is no relapse. `never` is an answer. The level before is the mean
//! from the end of the warm-up to the first disturbance; where there is no such time it is what was
//! offered after the last. *Tests:* `comeback.rs:
//! it_is_back_after_the_last_window_that_had_too_little`, `storms_and_ways_out.rs:
//! without_retries_it_recovers`.
//!
//! # The map of what comes back
//!
//! `queuecast stability SCENARIO --vary KEY=VALUES [--vary KEY=VALUES]` runs every pair of values
//! and says in which share of runs all of `--recovered` (every `recovered_at` of a dependency, else
//! of a queue) happened. Under common random numbers a replication is the same world at every
//! point, and has a threshold of its own along the first key, which bisection finds: the boundary
//! is the median of these thresholds, and its interval that of a median by order statistics
//! (`--level`, from 6 runs on). Quantities are looked at by size, however they are listed. Runs
//! that come back, do not, and do again along the key are counted and said. Beside the map stands
//! what rates alone say: calls when every call is given up against the capacity, with each
//! defence's way out; the fixed points of the mean field for an M/M/c station; the critical outage
//! of the fluid. The warnings of `check` are of the same judgement
//! (`experiment::stability::judge`), with the same rates. *Tests:* `stability.rs:
//! more_calls_than_the_capacity_is_where_a_storm_stays`, `a_load_and_its_trigger_make_a_map`, and
//! beside the code.
//!
//! # What holds the numbers
//!
//! A simulation of its own, made by others for eleven storms of 60/s or 90/s at 100/s, and its
//! intervals: `storm.rs` runs all of them with eight seeds each, and goodput, amplification, and
//! the share of answers for nobody agree within 99.9 %, as do who recovers and, to a window of
//! 10 s, when. Two things had to be found out. Its wasted share is one of answers, by number: by
//! the time of servers ([`wasted_work`](crate::outcome::DependencyRecord::wasted_work)) it is some
//! ten times as large while all is well, since a call that is late then is a long one. And its
//! retry budget of 20 % of the requests forgets nothing; Finagle's, which forgets what is older
//! than `ttl` slice by slice, allows 3 in 10,000 fewer calls at a `ttl` of 10 s. *Tests:*
//! `storm.rs: the_first_quarter_of_the_table_holds`, `storms_and_ways_out.rs:
//! one_load_has_two_stable_states`, `storms_and_ways_out.rs: with_a_retry_budget_it_recovers`,
//! `mod.rs: nothing_is_lost_or_invented_whoever_is_called`.
//!
//! # Defaults of libraries
//!
//! `preset = "resilience4j"` in `calls` stands for the defaults of a library; `queuecast explain
//! resilience4j` lists them with their sources, as do the tables of [`brokers`](super::brokers).
