//! Semantics: what exactly happens, as numbered rules, each with the tests that hold it.
//!
//! Not how a scenario is written ([`scenario_format`](super::scenario_format)), nor how the rules
//! are implemented. Rules that belong to mechanisms of a later version are listed, and said to be
//! so; their numbers are kept free. Tests are named by file and function.
//!
//! # A. Time and order
//!
//! **A1. The clock is a whole number of nanoseconds.** Message k = 0, 1, 2 … of a constant source
//! comes at `start + offset + k/rate`, rounded once, from exact integer arithmetic; never one
//! period after the last, so that rounding does not add up. Schedules and daily profiles are exact
//! in the same way on their level stretches. *Tests:* `constant.rs:
//! the_hundred_and_eight_thousandth_is_on_the_dot`, `schedule.rs:
//! what_is_due_is_carried_over_a_change_and_over_silence`, `time.rs:
//! a1_message_k_is_at_the_exact_multiple_of_the_period`.
//!
//! **A2. Events of one instant act in a fixed order.** First what gives room: outages end,
//! consumers restart, fleets grow, a broker comes back, a waiter wakes up. Then completions, by the
//! number of the handler. Then timers: retries, block timeouts, retention. Then what takes room
//! away: outages start, fleets shrink. Then publishes. Last, observation: alerts and samples.
//! Within a rank, as scheduled. So a handler freed now serves the message that arrives now; a slot
//! freed now admits the publisher whose timeout is now; a fleet that stops at t does not take the
//! message of t. *Tests:* `calendar.rs: events_of_one_instant_act_in_the_order_of_their_ranks`,
//! `calendar.rs: within_a_rank_the_order_of_scheduling_holds_and_handlers_go_by_number`,
//! `worked_example.rs: the_worked_example_is_exact_under_every_convention`, `time.rs:
//! a2_a_slot_freed_now_admits_the_publisher_whose_timeout_is_now`, `time.rs:
//! a2_a_completion_at_the_very_deadline_of_another_message_saves_it`, `time.rs:
//! a2_a_fleet_that_stops_now_does_not_take_the_message_that_arrives_now`.
//!
//! **A3. Same scenario, same seed, same build: same digest,** whatever the number of threads and
//! the recorders attached. Every purpose of every component (arrival gaps, service, think times …)
//! has a stream of random numbers of its own, named by seed, replication, component and purpose,
//! and the draws that belong to a message follow from the message: another component or another
//! consumer changes nobody else's draws. See [`determinism`](super::determinism). *Tests:*
//! `gallery.rs: threads_change_no_digest`, `gallery.rs: recorders_change_no_digest`, `stream.rs:
//! every_part_of_the_name_matters`, `stream.rs: a_message_keeps_its_draw_whatever_came_before`.
//!
//! **A4. Everything is bounded:** simulated time by `run.horizon`, messages alive by
//! `run.max_alive`, tries by `attempts`. A run that meets a bound ends with a reason, and its
//! result is marked partial. *Tests:* `calendar.rs: nothing_comes_at_or_after_the_end`,
//! `diagnostics.rs: ends_that_never_come`, `time.rs: a4_too_many_alive_end_the_run_with_a_reason`,
//! `time.rs: a2_a_publish_at_the_very_end_is_not_made_and_a_completion_is`.
//!
//! # B. Conservation
//!
//! **B1. What came in is somewhere.** An execution is counted apart from a message, and a message
//! ends in exactly one state. At every instant, for each queue and each producer:
//!
//! ```text
//! accepted = waiting + in flight + completed + dropped + expired + lost
//! offered  = accepted + rejected + timed out + abandoned + blocked + waiting to retry
//! ```
//!
//! **B2. The ledger is checked** at the end of every run, in release builds too, and after every
//! event in debug builds, against what the components really hold. A ledger that does not balance
//! is a panic with the seed, never a result. *Tests* of both: every run of a model, first of all
//! `gallery.rs: every_scenario_is_silent_and_meets_its_expectations`.
//!
//! **B3. Little's law is checked on every run** that is measured from its start, to the nanosecond:
//! the number waiting, integrated over time, is the sum of what each message waited. The two sides
//! come from recorders that share no code. *Test:* the same.
//!
//! # C. Queue, bound and publish
//!
//! **C1. `capacity` counts waiting messages,** not those in flight; `capacity_counts =
//! "waiting_and_in_flight"` is the other convention. Deliveries that come back to a full queue are
//! kept: the bound holds publishers back, never redeliveries; `returned = "drop"` is for brokers
//! that do otherwise. *Tests:* `worked_example.rs:
//! the_worked_example_is_exact_under_every_convention`, which has both conventions, `publish.rs:
//! c1_a_bound_counts_who_waits_or_who_is_in_flight_too`, `publish.rs:
//! c1_redeliveries_come_back_to_a_full_queue_unless_it_drops_them`.
//!
//! **C2. A full queue refuses,** or it makes room: `overflow` drops the oldest, the newcomer, or
//! the lowest priority. A refused publisher fails at once (`reject`), waits (`block`), or comes
//! back later (`retry`). A publish ends in exactly one of accepted, rejected, timed out, abandoned.
//! *Scenarios:* `outage_reject`, `block_fifo`, `backpressure_shed`. *Tests:* `gallery.rs:
//! every_scenario_is_silent_and_meets_its_expectations`, `publish.rs:
//! c2_a_refused_publisher_fails_at_once`, `publish.rs:
//! c2_a_refused_publisher_tries_again_and_gives_up_after_its_last_attempt`, `queue.rs:
//! c2_drop_oldest_lets_the_head_go`.
//!
//! **C3. Who gets a freed slot is said.** `fifo`: as they came, and a newcomer joins the end.
//! `newcomers_first`: those that came since slots were last handed out go first, the others get
//! what is left, as they came. With `wake_up` a freed slot stays open while the waiter wakes, and a
//! newcomer that finds it takes it. `random` and `lifo` over all who wait. One order for all who
//! block on a queue. *Tests:* `admission.rs:
//! each_order_admits_as_it_says_and_passes_over_the_gone`, `admission.rs:
//! newcomers_go_before_those_left_over`, `worked_example.rs:
//! the_worked_example_is_exact_under_every_convention`, `publish.rs:
//! c3_each_order_of_admission_has_its_own_longest_wait`, `publish.rs:
//! c3_a_newcomer_takes_the_slot_that_a_waiter_wakes_up_to`. *Scenarios:* `block_fifo`,
//! `block_newcomers`, `block_wake_up`, `block_random`, `block_lifo`, `block_lifo_patient`.
//!
//! **C4. `connections` bounds how many publishers of a producer can be blocked at once;** past it a
//! publish is rejected. Blocked publishers, their times, and the connection-seconds are reported.
//! *Tests:* `publish.rs: c4_connections_bound_the_publishers_that_are_blocked_at_once`.
//!
//! **C5. Retention takes the oldest,** from the head, at the very instant, counted as `expired`. A
//! memory limit counts the bytes of waiting and in-flight messages; on reaching it the broker
//! blocks publishers, refuses them, or goes down with all it held. *Scenarios:* `retention`,
//! `unbounded`, `unbounded_block`. *Tests:* `gallery.rs:
//! every_scenario_is_silent_and_meets_its_expectations`, `queue.rs:
//! c5_retention_expires_at_the_instant_while_nobody_takes`, `queue.rs:
//! c5_full_memory_blocks_publishers_whatever_their_policy`, `queue.rs:
//! c5_full_memory_takes_the_broker_down_with_what_it_held`.
//!
//! **C6. Shedding:** drop the oldest, the newest, the lowest priority; time to live at delivery.
//! *Tests:* `order.rs: every_order_knows_its_oldest`, `order.rs: each_order_serves_as_it_says`,
//! `queue.rs: c6_drop_newest_lets_the_newcomer_go`, `queue.rs:
//! c6_drop_lowest_lets_the_youngest_of_the_lowest_priority_go`, `queue.rs:
//! c6_a_time_to_live_is_looked_at_on_delivery`.
//!
//! # D. Consumers and outages
//!
//! **D1. A free handler takes the next message at once.** A fleet has `count` consumers with
//! `concurrency` handlers each; of several free ones the lowest number goes first. Fleets of one
//! queue take turns. Prefetch and batches come with a later version. *Tests:* `idle.rs:
//! gives_the_least`, `consumers.rs: d1_a_fleet_has_count_times_concurrency_handlers`.
//!
//! **D2. An outage stops new deliveries at its start.** Work in hand completes (`finish`), stands
//! still and goes on (`freeze`), or is lost (`crash`), and its message comes back at once or at the
//! restart. `share` stops part of a fleet. Consumers come back at the same instant (`in_phase`), or
//! one by one over a mean service time (`staggered`). *Tests:* `worked_example.rs:
//! the_worked_example_is_exact_under_every_convention`, `worked_example.rs:
//! the_table_restarts_on_a_grid`, `consumers.rs:
//! d2_an_outage_stops_new_deliveries_and_names_what_becomes_of_work_in_hand`, `consumers.rs:
//! d2_a_share_stops_that_part_of_the_fleet`, `consumers.rs:
//! d2_a_staggered_restart_spreads_over_one_service_time`.
//!
//! **D3.** An acknowledgement before or after the work, and acknowledgements that are lost: a later
//! version. Now a message is acknowledged when the work is done.
//!
//! **D4. What comes back is next.** A message whose work was lost goes to the head of its queue, in
//! the order of acceptance, and is worked on from the start with its own service time. Visibility
//! timeouts, receive counts and dead letters: a later version. *Tests:* `order.rs:
//! what_comes_back_is_next`, `consumers.rs:
//! d4_a_lost_message_comes_back_to_the_head_and_is_counted`, `consumers.rs:
//! d4_the_broker_may_miss_the_consumer_only_at_its_restart`. *Scenario:* `redelivery`.
//!
//! **D5. A fleet changes its size by schedule.** Consumers that are scaled away finish what they
//! do. Autoscaling: a later version. *Scenario:* `backpressure_consumers`. *Tests:* `consumers.rs:
//! d5_a_schedule_adds_handlers_that_take_what_waits`.
//!
//! # E. Failure, retry, dead letters
//!
//! **E1, E3 to E7.** Failing handlers, redelivery with a delay, dead-letter queues, dependencies,
//! budgets and breakers: a later version.
//!
//! **E2. Backoff:** `raw(n) = min(cap, base · factorⁿ)`, n = 0 for the first retry. Jitter none:
//! raw; full: uniform on 0 to raw; equal: raw/2 and uniform on 0 to raw/2; decorrelated: the
//! smaller of the cap and a uniform draw from the base to three times the last delay. Now for
//! publishes. *Tests:* `retry.rs: mean_delays_are_the_reference`, `retry.rs:
//! drawn_delays_are_the_reference`, `equal.rs: fills_its_windows_and_stays_in_them`.
//!
//! # F. Ordering, partitions, logs
//!
//! **F1 to F4.** A later version.
//!
//! # G. Effects: duplicates, idempotency, dual write, outbox
//!
//! **G1 to G3.** A later version.
//!
//! # H. What is reported, and how sure it is
//!
//! **H1. Lag is the age of the oldest waiting message;** depth is a count. An alert is evaluated
//! every so often, fires when its condition has held for long enough, and clears when it does not
//! hold. *Tests:* `gallery.rs: age_tells_before_depth_does`, `time.rs:
//! h1_lag_is_an_age_and_depth_a_count`, `time.rs:
//! h1_an_alert_fires_when_its_condition_has_held_and_clears_when_it_does_not`. *Scenario:*
//! `lag_alerts`.
//!
//! **H2. Every number says how it is known:** exact, fluid, or simulated with an interval. See
//! [`statistics`](super::statistics). *Test:* `confidence.rs: agrees_with_a_printed_table`.
//!
//! **H2a. Every latency names its start.** `publish_latency` and `sojourn` begin when the publish
//! was meant to happen, `wait` at acceptance. What is unfinished at the end is counted, and said.
//! *Tests:* `time.rs: h2a_every_latency_names_its_start`, `time.rs:
//! h2a_a_metric_of_nothing_is_absent`.
//!
//! **H3. Three readings side by side:** closed form, fluid, simulation, wherever they apply; where
//! they differ by more than the interval the report names the assumption that fails.
