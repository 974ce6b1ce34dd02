//! Sweeps: a scenario at many points, on one machine or on many.
//!
//! Not the search for one point, nor the comparison of two.
//!
//! # A sweep
//!
//! `queuecast sweep SCENARIO --vary KEY=VALUES` runs a scenario at every value of a key, and at
//! every combination when several keys vary. Any key can vary that `--set` can change; each value
//! is checked like the file, and an error points at the value.
//!
//! | written | means |
//! |---|---|
//! | `48,55,60` | these |
//! | `48..80:4` | from 48 in steps of 4, up to 80: both ends, when a step meets the second |
//! | `1..400` | steps of 1, for whole numbers |
//! | `30s..2m:30s`, `1000/s..1400/s:100/s`, `5%..25%:5%` | quantities, with a step of their kind |
//! | `1..1000:x10`, `1ms..1s:x2` | each so many times the one before, while not above the second |
//! | `reject,block` | words |
//! | `"a,b",{ block = { timeout = "30s" } }` | TOML, where a comma is part of a value |
//!
//! Lists and ranges can be mixed with commas. Steps are exact: `0.1..0.9:0.1` is nine decimals, not
//! nine sums of floats. Steps by a factor start from the first value each time; digits that no
//! longer matter are rounded (six remain, whole parts are never rounded). A range may not go down,
//! and no value may come twice.
//!
//! With several keys, the first one given is the slowest, as in a nest of loops. With `--pair` they
//! go side by side: the first value of each, then the second; they need equally many.
//!
//! A scenario can carry its sweep; `run`, `test`, and `check` do not vary it. What is given with
//! `--vary` takes the place of all of it:
//!
//! ```toml
//! [sweep]
//! vary = { "consumers.fleet.count" = "50..96:2", "outages.0.duration" = "10s..200s:10s" }
//! show = ["queues.orders.rejected", "queues.orders.recovery_time"]
//! ```
//!
//! # What comes of it
//!
//! The table shows the metrics of `--metric`, else those of `show`, else those of the objectives
//! and the first four that move of what most sweeps are about. CSV (`sweep.csv`, and
//! `--format csv`) and JSON have every metric of every point, with the ends of its 95 % interval
//! where there are replications. Objectives are judged at each point, and a point that misses one
//! is no error: the exit code is 0. It is 3 when a limit stopped a point, which is marked, since
//! its numbers are those of a part of its run.
//!
//! Each shown metric has a picture, as SVG and with `--png` as PNG too. Over one key it is a curve
//! with the band of its intervals and the level that an objective asks for; an open circle at the
//! top is a point at which it never happened. Over two keys it is a map, the darker the more, with
//! a line along which the objectives on that metric begin to be met (all objectives, when none is
//! on it) and a dot in each cell that meets them. Nothing is drawn between the points. Keys that go
//! side by side are drawn over the first; over three keys and more there is no picture.
//!
//! # Chance
//!
//! Every point has the seed and the replications of the scenario, and every component draws from a
//! stream of its own name: the n-th message arrives at the same instant and needs the same work at
//! every point at which it exists. So two points differ by what was varied, and hardly by chance:
//! between 59 and 60 consumers the variance of the difference is less than a tenth of that between
//! independent runs (`mod.rs: two_fleets_that_share_their_chance_differ_ten_times_less_by_chance`).
//! The price: all points share the luck of the seed, and the table as a whole can be lucky. That is
//! what replications are for.
//!
//! # One incident and its answers
//!
//! `queuecast compare A B` holds scenarios against the first of them. A scenario can bring what it
//! is held against itself: `[compare]` has the variants, each a name and the keys that it changes,
//! in quotes, with whole values. `queuecast compare SCENARIO` with that file alone runs it as it
//! stands and once for each variant, under one chance, and lays all side by side:
//!
//! ```toml
//! [compare]
//! baseline = "nothing"                # what the scenario as it stands is called
//! show = ["queues.orders.drained_at", "queues.orders.dropped"]
//!
//! [compare.variants.more]
//! "consumers.fleet.count" = 25
//!
//! [compare.variants.shed]
//! "queues.orders.capacity" = 1_875
//! "queues.orders.overflow" = "drop_oldest"
//! ```
//!
//! `show` names what the question is about. Only that is judged, so that fewer hypotheses share
//! the level: a row each, with the value in every arm, and the paired difference from the baseline
//! with its interval, or the verdict where it is not known to differ. `--metric` takes its place,
//! and so do other scenarios and `--to` that of the variants. `run`, `test`, `sweep`, and `plan` do
//! not look at the section. `--set` changes the baseline, and with it every variant, before these
//! are laid over it.
//!
//! `scenarios/backpressure_five_answers.toml` asks the question of backpressure: a crowd, and what
//! more consumers, cheaper work, shedding, and slow producers do about it, against nothing
//! (`compare.rs: a_file_holds_an_incident_and_its_answers`).
//!
//! # Stopped, and gone on with
//!
//! The results file grows by a whole line as soon as a point and all before it are done. It is
//! called `sweep.unfinished-FINGERPRINT.csv` until it is complete, then `sweep.csv`. After a kill,
//! a Ctrl-C, or a power cut the same command reads it, drops a line that was half written, and
//! computes what is missing: the files and the answer are those of an uninterrupted sweep, to the
//! byte (`files.rs: a_killed_sweep_goes_on_and_ends_with_the_same_bytes`). A sweep that is complete
//! is shown without computing anything; remove `sweep.csv` to compute it again.
//!
//! The last cell of each row, `seal`, is a hash of the others. A row that was changed after it was
//! written is told, and computed again with those behind it (`files.rs:
//! a_row_that_somebody_changed_is_computed_again`). It finds slips, not forgers.
//!
//! The fingerprint is of the version, the scenario's text, the model with all assignments (so of
//! the numbers in the files that it names as well), and the keys with their values. What is shown,
//! and the number of threads, are not in it. Files that only a varied value names are not read for
//! it.
//!
//! Points and replications are tasks of one pool, taken in order, and results are folded in order:
//! `--jobs` changes the time and no byte (`mod.rs:
//! a_sweep_is_the_same_for_any_number_of_threads`).
//!
//! # Many machines
//!
//! `--shard 2/8` computes the second of eight parts: every eighth point, so that parts are alike.
//! Each part writes `sweep.2-of-8.csv` and can be stopped like a whole. `queuecast merge` joins
//! them into the `sweep.csv` of an undivided sweep, to the byte (`files.rs:
//! four_parts_make_the_whole_to_the_byte`), and refuses parts of another sweep, points that are
//! missing, points that come twice, rows that were changed, and files that end within a line. With
//! more parts than points some have none, which are joined like the others. The `sweep` command
//! without `--shard` then finds every point there, and makes table and pictures.
//!
//! `--shard auto` reads the part from a job's environment:
//!
//! | engine | which part | of how many |
//! |---|---|---|
//! | Slurm array | `SLURM_ARRAY_TASK_ID`, with `_MIN` and `_STEP` | `SLURM_ARRAY_TASK_COUNT` |
//! | Kubernetes indexed job | `JOB_COMPLETION_INDEX` | `QUEUECAST_SHARDS`, set by the job |
//!
//! Without `--shard` such a job computes everything, and says so. Ready to use are
//! `scenarios/cluster/slurm_array.sh` and `scenarios/cluster/kubernetes_indexed_job.yaml`; the
//! first is tested with a real Slurm (`slurm.rs:
//! an_array_job_on_a_real_slurm_makes_the_whole`, where one is installed), the second is not tested
//! with a real Kubernetes.
