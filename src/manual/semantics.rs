//! Semantics: what exactly happens, as numbered rules, each with the tests that hold it.
//!
//! Not how a scenario is written ([`scenario_format`](super::scenario_format)), nor how the rules
//! are implemented; [`brokers`](super::brokers) shows the mechanisms at work. Rules that belong to
//! mechanisms of a later version are listed, and said to be so; their numbers are kept free. Tests
//! are named by file and function.
//!
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
//! number of the handler. Then dependencies answer, and answers of consumers arrive. Then timers:
//! retries, block timeouts, retention, timeouts of calls. Then what takes room away: outages start,
//! fleets shrink. Then publishes. Last, observation: alerts and samples.
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
//!
//! ```text
//! accepted + dead letters + redriven in
//!          = waiting + delayed + in flight + completed + dropped + expired + lost
//!          + deduplicated + dead-lettered + redriven
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
//! that do otherwise. A queue that refuses looks at its bound for each message; with `length_check
//! = "batch"` once a call, and all messages of a call (`send_batch`) get in when there is room for
//! the first, up to `send_batch - 1` of them beyond the bound. RabbitMQ's quorum queues do so with
//! the messages of a transaction. *Tests:* `worked_example.rs:
//! the_worked_example_is_exact_under_every_convention`, which has both conventions, `publish.rs:
//! c1_a_bound_counts_who_waits_or_who_is_in_flight_too`, `publish.rs:
//! c1_redeliveries_come_back_to_a_full_queue_unless_it_drops_them`, `calls.rs:
//! c1_a_bound_may_be_looked_at_once_a_call`, `calls.rs:
//! c1_blocked_publishers_overshoot_a_bound_with_their_call_too`.
//!
//! **C2. A full queue refuses,** or it makes room: `overflow` drops the oldest, the newcomer, or
//! the lowest priority. A refused publisher fails at once (`reject`), waits (`block`), or comes
//! back later (`retry`), a microsecond later at the soonest: a call takes some time, and one that
//! took none and were refused at once would hold the clock still. A publish ends in exactly one of
//! accepted, rejected, timed out, abandoned. *Scenarios:* `outage_reject`, `block_fifo`,
//! `backpressure_shed`. *Tests:* `gallery.rs: every_scenario_is_silent_and_meets_its_expectations`,
//! `publish.rs: c2_a_refused_publisher_fails_at_once`, `publish.rs:
//! c2_a_refused_publisher_tries_again_and_gives_up_after_its_last_attempt`, `queue.rs:
//! c2_drop_oldest_lets_the_head_go`, `calls.rs:
//! c2_a_publish_that_is_tried_again_at_once_takes_a_microsecond`.
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
//! queue take turns. With a `prefetch` the broker pushes: to consumers that hold fewer
//! unacknowledged messages than that, what they work on included, one after the other or the first
//! until it is full (`dispatch`). What a consumer holds is in flight, and stays with it though
//! another consumer is free. A `batch` waits for its size, or for its window, counted from its
//! first message; a consumer that stops begins with what it has. A batch takes the service times of
//! its messages one after the other, or the longest of them (`work = "once"`), of which each
//! message then has the share that its own time has in all of theirs. Messages, acknowledgements,
//! and requests travel `delivery_delay` each: a handler that asks is away for two ways and the
//! work; one that is pushed is not.
//!
//! *Tests:* `idle.rs: gives_the_least`, `consumers.rs:
//! d1_a_fleet_has_count_times_concurrency_handlers`, `delivery.rs:
//! d1_prefetched_messages_are_held_unacknowledged`, `delivery.rs:
//! d1_a_prefetch_counts_what_is_worked_on`, `delivery.rs: d1_dispatch_says_whose_turn_it_is`,
//! `delivery.rs: d1_a_batch_waits_until_its_size_or_its_window`, `delivery.rs:
//! d1_a_batch_may_be_one_piece_of_work`, `failure.rs:
//! d1_the_parts_of_a_batch_are_together_its_work`, `delivery.rs:
//! d1_a_message_travels_to_its_consumer_and_its_acknowledgement_back`.
//!
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
//! **D3. `ack = "before"` is at most once, `"after"` at least once.** Acknowledged when work on it
//! begins, a message cannot come back: a crash loses it, and a failure without `retry` makes it a
//! dead letter. It counts as completed when the work is done all the same. Acknowledged when the
//! work is done, it comes back after a crash, and after an acknowledgement that is lost on its way
//! (`ack_loss`): one draw a delivery. Where a closed connection brings messages back (D4), a lost
//! acknowledgement means that the connection is gone, and the message is back at once; under a
//! visibility timeout it is back when that lapses. The handler goes on in either case, and believes
//! that it is done. An attempt whose acknowledgement is lost takes a microsecond at least, as one
//! that fails (E1). *Tests:* `delivery.rs: d3_before_is_at_most_once`, `delivery.rs:
//! d3_after_is_at_least_once`, `delivery.rs: d3_before_loses_exactly_the_crashed`, `delivery.rs:
//! d3_after_loses_none`, `delivery.rs: d3_a_lost_acknowledgement_brings_the_message_back`,
//! `delivery.rs: d3_a_lost_early_acknowledgement_is_one`, `calls.rs:
//! e1_an_attempt_whose_acknowledgement_is_lost_takes_a_microsecond`. *Scenario:* `redelivery`.
//!
//! **D4. What comes back is next.** It goes to where it stood, the head as a rule: a message keeps
//! its place in the order in which messages first came to the queue. It is worked on from the
//! start, with its own service time (`rework = "restart"`), or with a new draw (`"resample"`),
//! whose n-th draw belongs to the n-th attempt of that delivery, whenever it is made.
//!
//! What brings a message back is named. Nothing said: the broker sees the connection close, and all
//! that the consumer held is back at once, in order. `visibility_timeout`: a timer that starts at
//! the delivery, time in the consumer's buffer included, whether or not somebody still works; when
//! it lapses the message is delivered again, and two may work on it at once. A crash is not seen
//! before that. A `heartbeat` starts the timer again while somebody works, every so often from the
//! beginning of the work on, and until `max_extension` after the receive; work that stands still
//! sends none, nor makes up for those that fell due meanwhile. A broker that looks now and then
//! (`sweep`) sees a lapse at its next look. `late_ack` says whether an acknowledgement after the
//! lapse still deletes the message, wherever it is by then: with another consumer, in line, or put
//! off.
//!
//! `max_receives` counts deliveries, the first included: the next one makes a dead letter.
//! `return_limit` counts returns, of the kinds that `limit_counts` names: a failed handler, a
//! crashed or disconnected consumer, an acknowledgement timeout, a lapse. `ack_timeout` is looked
//! at every so often; the channel of a consumer that holds a delivery for longer is closed, what it
//! works on is cut short, and all that it held comes back. `max_in_flight` holds deliveries back
//! while so many are not acknowledged; what was acknowledged before the work is not counted.
//!
//! A consumer that crashes has all of its handlers stop. What it had done by then is done: an
//! effect whose point had passed has happened (G1), of a batch at work those of its messages that
//! were through and the one that was past its point. What it publishes, when the work is done, goes
//! on. It is back after `restart`, and its time to the next crash begins anew, as after an outage
//! with `crash` and after a closed channel.
//!
//! *Tests:* `order.rs: what_comes_back_is_next`, `consumers.rs:
//! d4_a_lost_message_comes_back_to_the_head_and_is_counted`, `consumers.rs:
//! d4_the_broker_may_miss_the_consumer_only_at_its_restart`, `delivery.rs:
//! d4_work_is_done_again_in_its_own_time_or_in_another`, `delivery.rs:
//! d4_a_closed_connection_brings_all_that_was_held_back_to_the_head_in_order`, `delivery.rs:
//! d4_a_lapsed_message_is_worked_on_by_two_at_once`, `delivery.rs:
//! d4_time_in_the_buffer_counts_towards_the_visibility`, `delivery.rs:
//! d4_heartbeats_begin_with_the_work`, `delivery.rs:
//! d4_heartbeats_hold_a_message_for_twelve_hours_at_most`, `delivery.rs:
//! d4_work_that_stands_still_sends_no_heartbeat`, `delivery.rs:
//! d4_a_heartbeat_that_falls_due_while_the_work_stands_still_is_not_sent`, `delivery.rs:
//! d4_max_receives_counts_the_first`, `delivery.rs:
//! d4_a_late_acknowledgement_finds_the_message_wherever_it_is`, `delivery.rs:
//! d4_a_broker_that_sweeps_sees_a_lapse_at_its_next_look`, `limits.rs:
//! d4_max_in_flight_holds_deliveries_back`, `limits.rs:
//! d4_what_was_acknowledged_before_the_work_is_not_among_the_max_in_flight`, `limits.rs:
//! d4_a_return_limit_counts_returns_of_the_stated_kinds`, `limits.rs:
//! d4_an_acknowledgement_timeout_closes_the_channel_when_the_broker_looks`, `limits.rs:
//! d4_a_closed_channel_gives_back_all_that_its_consumer_held_and_is_closed_once`, `limits.rs:
//! d4_what_was_acknowledged_before_the_work_is_never_late`, `table.rs:
//! visibility_timeouts_are_as_calculated`. *Scenario:* `redelivery`.
//!
//!
//! **D5. A fleet changes its size by schedule, or by what waits.** Consumers that are scaled away
//! finish what they do, and give back what they hold and have not begun.
//!
//! `autoscale` names one rule. It looks at its queue every so often from the start of the run on,
//! first after that long: at the messages that wait (`depth`), at those in flight too
//! (`depth_and_in_flight`), or at those that wait up to a most (`capped_depth`). It counts the
//! consumers that are wanted, those that still start up included, and keeps between `min` and
//! `max`; `count` is the size at first. Those that are wanted more come after `start_up`; of those
//! wanted no more the ones that start up are called off first, the last first.
//!
//! - `hpa`, every `sync`: `ceil(backlog/target)`, and nothing while `backlog/(target x wanted)` is
//!   within `tolerance` of 1. It follows the least extreme recommendation of its `stabilization`
//!   window (none upwards, 300 s downwards), by no more than the widest of its limits allows
//!   (100 % or 4 consumers each 15 s upwards). The size that it finds at its first look counts as
//!   recommended then.
//! - `keda`: the same between one and `max`; every `poll` it goes from none to `min`, or to one,
//!   when the backlog is above `activation`, and to none when it has not been for `cooldown`: from
//!   any size, past the window and the limits of the autoscaler, as KEDA's executor does (kedacore/
//!   keda issues 7204 and 7770 ask for a way by one).
//! - `target_tracking`, `every` so often: `ceil(backlog/target)`, larger not within `cooldown_out`
//!   after it grew, smaller not within `cooldown_in` after any change.
//! - `ramp`: one more each time `rate` says so while anything waits, back to `min` when nothing
//!   does.
//!
//! An outage and a crash stop consumers; neither changes how many are wanted.
//!
//! Measured: `consumers` (mean, most, end), `size_changes`, `reversals`; `settled_at`, the last
//! change, if the size then kept for a quarter of the measured time; `overshoot`, the peak above
//! the size at which it settled, over that; `consumer_hours`, and with `cost_per_hour` their
//! `cost`, for fleets of one size too. What a fleet costs and how old its messages get go against
//! each other: `plan --objective "consumers.fleet.cost <= 20"` beside one on the lag says whether
//! both can be had.
//!
//! *Scenarios:* `backpressure_consumers`, `autoscale_keda`, `scaling_hpa_staircase`,
//! `scaling_backlog_per_consumer`, `scaling_lambda_ramp`, `scaling_stuck_on_one_partition`.
//! *Tests:* `cases/scaling.rs` (cases O02, O15 to O17), `sizes.rs:
//! a_fleet_has_settled_when_it_kept_its_size_for_a_quarter_of_the_time`, `consumers.rs:
//! d5_a_schedule_adds_handlers_that_take_what_waits`, `delivery.rs:
//! d5_a_consumer_that_is_scaled_away_gives_back_what_it_has_not_begun`, `behaviour.rs:
//! from_80_to_10_in_fourteen_steps`, `behaviour.rs: from_1_to_64_in_five_syncs`, `behaviour.rs:
//! down_only_after_300_s_of_lower_recommendations`, `mod.rs:
//! a_capped_lag_leaves_the_fleet_stuck_below_its_partitions`, `mod.rs:
//! backlog_for_each_instance`, `mod.rs:
//! keda_wakes_at_a_poll_above_the_activation_and_sleeps_after_the_cooldown`, `mod.rs:
//! a_ramp_of_300_a_minute_takes_4_15_minutes_from_5_to_1250`.
//!
//! # E. Failure, retry, dead letters
//!
//! **E1. A handler fails by chance, or for good.** `transient` is drawn anew for each attempt;
//! `permanent` is a share of messages, and so is the `poison` that a producer writes on a share of
//! its messages, or on all of some keys: every attempt on those fails, from `breaks_at` on (a bad
//! deploy) until `cured_at`, when the handler has been repaired. What an attempt will come to is
//! settled when it begins, and told when it ends. It takes as long as any other, or as `takes`
//! says, and a microsecond at least: one of no time on a message that comes back at once would hold
//! the clock still. `retry_on = "transient"` gives up on permanent failures at once. *Tests:*
//! `failure.rs:
//! e1_a_transient_failure_is_drawn_anew_for_each_attempt`, `failure.rs:
//! e1_a_handler_breaks_and_is_repaired`, `failure.rs:
//! e1_a_permanent_failure_is_of_the_message`, `failure.rs:
//! e1_poison_is_a_share_of_messages_or_all_of_a_key`, `failure.rs:
//! e1_retry_on_transient_sends_a_permanent_failure_straight_to_the_dead_letters`, `failure.rs:
//! e1_a_failing_attempt_takes_a_time_of_its_own_until_the_handler_is_repaired`.
//!
//!
//! **E2. Backoff:** `raw(n) = min(cap, base · factorⁿ)`, n = 0 for the first retry. Jitter none:
//! raw; full: uniform on 0 to raw; equal: raw/2 and uniform on 0 to raw/2; decorrelated: the
//! smaller of the cap and a uniform draw from the base to three times the last delay. For
//! publishes, and for work. *Tests:* `retry.rs: mean_delays_are_the_reference`, `retry.rs:
//! drawn_delays_are_the_reference`, `equal.rs: fills_its_windows_and_stays_in_them`, `failure.rs:
//! e2_the_delays_of_an_exponential_backoff_double_up_to_their_cap`, `failure.rs:
//! e2_an_equal_jitter_keeps_each_delay_within_its_window`.
//!
//! **E3. A retry in place holds its handler, a delayed one frees it.** In place the handler is busy
//! through its pauses, and counts so in `busy` and `utilization`, and as `wasted_work`; everything
//! behind it waits. A delayed message is with the broker until it is due, and then at its old
//! place, the head as a rule: others have passed it. Under a visibility timeout a delay is a change
//! of that timeout: the message stays in flight until it is due, and a sweep does not put it off.
//! Without `retry` a failed message is given back at once, or left to lapse. After its last attempt
//! it is a dead letter, and is dropped where there is no queue for those. Of a batch all comes back
//! (`failure = "whole"`), or what failed. In place, those of a batch that need no other attempt are
//! answered for at once. *Tests:* `failure.rs:
//! e3_a_retry_in_place_holds_its_handler_and_everything_behind_it`, `failure.rs:
//! e3_a_delayed_redelivery_frees_its_handler_and_reorders`, `failure.rs:
//! e3_a_delay_under_a_visibility_timeout_keeps_the_message_in_flight`, `failure.rs:
//! e3_a_broker_that_sweeps_still_ends_a_delay_when_it_is_due`, `failure.rs:
//! e3_without_a_retry_a_failed_message_comes_back_at_once_or_when_it_lapses`, `failure.rs:
//! e3_a_batch_comes_back_as_a_whole_or_only_what_failed`, `failure.rs:
//! e3_wasted_work_counts_the_pauses_of_a_retry_in_place`.
//!
//! **E4. Synchronization is measured:** `retries_peak` is the most retries in 100 ms, publishes
//! tried again and messages due for another attempt together. *Test:* `backoff.rs:
//! the_reported_peak_of_retries_is_that_of_the_table`.
//!
//! **E5. A dead-letter queue is a queue:** it has a depth, an age, alerts, consumers if somebody
//! gives it some. A message that comes to it is a new one there: its deliveries and failures are
//! counted from zero, what still works on the old one works to no end; its age goes on from its
//! first publish, and so does `retention`. Expired and dropped messages go there where `takes` says
//! so. A redrive starts at an instant, moves the oldest first, one by one at its rate, and ends
//! when there is none; to a queue with a `dedup_window` the message is new, unless `identity =
//! "same"`. Dead letters that nobody takes rest: they keep no run from being drained or settled.
//! *Tests:* `failure.rs: e5_a_redrive_moves_dead_letters_back_at_an_instant_and_a_rate`,
//! `failure.rs: e5_a_redriven_message_is_new_unless_it_is_said_to_be_the_same`, `failure.rs:
//! e5_retention_of_dead_letters_counts_from_the_original_publish`, `failure.rs:
//! e5_expired_and_dropped_messages_are_dead_letters_where_those_are_taken`, `failure.rs:
//! e5_resting_dead_letters_keep_no_run_waiting`.
//!
//! **E6. A dependency is a station of its own,** with servers, a line, and failures. A caller that
//! times out has gone, and its work is done all the same: that is counted as wasted, and goodput
//! beside it. See [`dependencies`](super::dependencies).
//!
//! **E7. A retry budget** bounds the retries of a client, whatever its policy allows, and `limit`
//! the attempts of a fleet: see [`scenario_format`](super::scenario_format). Breakers, limits of
//! calls out at once, deadlines, hedges, and load shedding are of those who call, and of whom they
//! call: see [`dependencies`](super::dependencies).
//!
//! # F. Ordering, partitions, logs
//!
//! **F1. Keys** are drawn by the producer, uniform or by Zipf's law; a message keeps its own.
//! Partitions are a later version. *Test:* `keys.rs: keys_come_as_often_as_their_law_says`.
//!
//!
//! **F2.** Logs with consumer groups: a later version.
//!
//! **F3. With `groups` one receive of a key is out at a time,** and its messages come in order: a
//! key is locked from its delivery until that is acknowledged, comes back, lapses, is put off, or
//! is a dead letter. A receive of a batch takes more of the same key first, then of others.
//! Messages without a key are one group. Calls are limited in windows of a whole second, of which
//! what is not used is lost: a publish beyond is refused, a receive or an acknowledgement waits for
//! the next window; a batch is one call, and so are the messages that a producer publishes to a
//! queue at one instant, as far as `send_batch` goes: they are taken or refused together, and
//! `throttled` counts them once. Publishers that are blocked, one call of theirs or several, are
//! let in call by call, each of which takes those of its own producer along; that they still wait
//! at the next window is not counted again. *Tests:* `groups.rs:
//! f3_messages_of_one_key_are_out_one_at_a_time`, `groups.rs: f3_other_keys_go_on`, `groups.rs:
//! f3_several_of_one_key_come_with_one_call`, `groups.rs:
//! f3_a_key_is_locked_until_its_message_lapses`, `groups.rs:
//! f3_a_key_is_unlocked_by_a_crash_and_by_a_dead_letter`, `groups.rs:
//! f3_a_failure_holds_up_its_key_only_while_it_is_out`, `limits.rs:
//! f3_a_receive_beyond_the_calls_of_a_second_waits_for_the_next`, `limits.rs:
//! f3_an_acknowledgement_beyond_the_calls_of_a_second_waits_for_the_next`, `limits.rs:
//! f3_a_publish_beyond_the_calls_of_a_second_is_refused`, `calls.rs:
//! f3_a_call_that_is_refused_is_refused_once_for_all_of_its_messages`, `calls.rs:
//! f3_a_call_takes_those_of_its_own_producer_along`, `calls.rs:
//! f3_only_messages_of_one_instant_go_with_one_call`.
//!
//! **F4. Order is measured:** messages done after one that was accepted later, overall and within a
//! key. With `guard = "version"` a message older than the last one applied of its key is ignored,
//! and counted; its work takes as long. A version is the instant of acceptance, so that of two
//! messages of one key accepted at the same instant neither is older. *Tests:* `groups.rs:
//! f4_order_is_measured_overall_and_by_key`, `groups.rs:
//! f4_a_version_guard_ignores_what_is_older_than_applied`.
//!
//!
//! # G. Effects: duplicates, idempotency, dual write, outbox
//!
//! **G1. Work acts on the world outside** when `effect_at` of its time has passed, at its end
//! unless said otherwise; an attempt that fails does not act. Effects are counted by message: 0
//! when nobody can act for it any more is `undone`, more than 1 are duplicates. A crash before the
//! point leaves no effect, one after it leaves one though the message comes back. *Tests:*
//! `effects.rs: g1_a_crash_before_the_effect_leaves_none_and_after_it_one`, `effects.rs:
//! g1_a_message_of_several_deliveries_has_an_effect_for_each`, `effects.rs:
//! g1_a_message_that_dies_without_an_effect_is_undone`.
//!
//! **G2. Idempotency.** `check_then_insert` looks when the attempt begins, and writes when it ends:
//! two that overlap both act. `unique_key` reserves when it begins: a crash in between leaves the
//! key taken, and the message undone. `claim` is taken over when it is stale; until then another
//! attempt leaves the message alone: it is put off until the claim is stale, or left to lapse. An
//! attempt that finds nothing to do takes no time, and acknowledges. A failure in an orderly way
//! frees the key. A key `generated_per_attempt` looks new each time and keeps nothing. A
//! `dedup_window` counts from the first accepted publish, and outlives the message; the end of the
//! window is outside. *Tests:* `effects.rs: g2_check_then_insert_lets_two_that_overlap_both_act`,
//! `effects.rs: g2_a_unique_key_lets_one_act`, `effects.rs:
//! g2_a_crash_between_reservation_and_action_leaves_it_undone`, `effects.rs:
//! g2_a_crash_between_action_and_completion_is_acted_on_again_but_by_a_unique_key`, `effects.rs:
//! g2_a_claim_is_taken_over_when_it_is_stale`, `effects.rs:
//! g2_a_claim_taken_over_while_the_first_still_works_acts_twice`, `effects.rs:
//! g2_an_orderly_failure_frees_the_key`, `effects.rs:
//! g2_a_key_made_anew_for_each_attempt_keeps_nothing`, `groups.rs:
//! g2_a_deduplication_window_counts_from_the_first_accepted_send_and_outlives_deletion`.
//!
//! **G3.** Dual write and outbox: a later version.
//!
//!
//! # H. What is reported, and how sure it is
//!
//! **H1. Lag is the age of the oldest waiting message;** depth is a count; `unacked_age` is that of
//! the oldest delivery that is not acknowledged, kept of queues whose messages can come back, and
//! of others when somebody asks. An alert is evaluated every so often, fires when its condition has
//! held for long enough, and clears when it does not hold. A queue is `drained_at` the first
//! instant after the last disturbance at which no message waits and nobody is blocked, once
//! everything of that instant has happened but its publishes: a slot that a blocked publisher takes
//! at once leaves no empty queue, and a message that is due at that instant comes after it (A2).
//! *Tests:* `gallery.rs: age_tells_before_depth_does`, `time.rs:
//! h1_lag_is_an_age_and_depth_a_count`, `time.rs:
//! h1_an_alert_fires_when_its_condition_has_held_and_clears_when_it_does_not`, `watched.rs:
//! h1_an_alert_on_the_age_of_unacknowledged_deliveries_fires_and_clears`, `watched.rs:
//! h1_a_plain_queue_keeps_the_age_of_deliveries_when_it_is_asked`, `queue.rs:
//! h1_a_queue_is_drained_when_no_slot_is_taken_at_once`, `queue.rs:
//! h1_a_queue_is_drained_before_the_message_of_that_instant_comes`, `queue.rs:
//! h1_a_queue_at_which_somebody_sleeps_is_not_drained`. *Scenario:* `lag_alerts`.
//!
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
//! they differ by more than the interval the report names the assumption that fails. Nothing is
//! called exact that a mechanism changes: work that is repeated at once is a longer service, with
//! its moments; where waits have no form the load still may; otherwise the mechanism is named.
//! *Tests:* `readings_fields.rs: every_field_leaves_the_form_exact_or_takes_the_claim_away`,
//! `readings_fields.rs: what_is_called_exact_by_the_plain_form_has_the_plain_history`,
//! `readings_handled.rs: work_that_is_repeated_at_once_is_a_longer_service`, `readings_handled.rs:
//! the_fluid_works_at_the_rate_that_repeated_work_leaves`.
//!
