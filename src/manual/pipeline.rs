//! Capacity tests in a build pipeline: how does a change that costs capacity fail the build?
//!
//! Not a load test: nothing of yours runs. What is tested is the model of your service, with the
//! numbers that are written down beside its configuration.
//!
//! # What must hold
//!
//! A scenario carries its expectations, and `test` holds it to them:
//!
//! ```toml
//! # capacity.toml
//! title = "Checkout survives 60 s without consumers"
//!
//! [producers.checkout]
//! queue    = "orders"
//! arrivals = { constant = { rate = "120/s" } }
//!
//! [queues.orders]
//! capacity = 10_000
//!
//! [consumers.fleet]
//! queue   = "orders"
//! count   = 7
//! service = "40ms"
//!
//! [[outages]]
//! target   = "consumers.fleet"
//! start    = "0s"
//! duration = "60s"
//!
//! [[expect]]
//! that = "queues.orders.rejected == 0"
//!
//! [[expect]]
//! that = "queues.orders.drained_at <= 4m"
//! ```
//!
//! ```console
//! $ queuecast test capacity.toml
//! ok  capacity.toml  2 expectations
//!
//! 1 passed, 0 failed
//! ```
//!
//! Somebody makes an order cost 55 ms instead of 40:
//!
//! ```console
//! $ queuecast test capacity.toml --set consumers.fleet.service=55ms
//! FAILED  capacity.toml  1 of 2 expectations not held
//!     expected  queues.orders.drained_at <= 4m
//!     observed  1,049.065 s
//!
//! 0 passed, 1 failed
//! $ echo $?
//! 1
//! ```
//!
//! 15 ms more, and recovery takes a quarter of an hour: 7 consumers at 55 ms are 127/s, and the
//! headroom went from 55/s to 7/s. Let the build read the numbers that change, rate and service
//! time, from where they are kept, and pass them by `--set`.
//!
//! # Exit codes
//!
//! | code | means | in a pipeline |
//! |---|---|---|
//! | 0 | all holds | go on |
//! | 1 | an expectation or an objective does not | fail: the service has not the capacity |
//! | 2 | the input is wrong: a key, a unit, a file | fail: mend the scenario |
//! | 3 | a limit stopped the run (`horizon`, `max_alive`) | fail: the numbers are of a part |
//! | 130, 143 | Ctrl-C, or a signal to end | no answer: run it again |
//!
//! ```console
//! $ queuecast test capacity.toml --set consumers.fleet.cuont=8
//! …
//! help: did you mean `count`?
//! …
//! $ echo $?
//! 2
//! $ queuecast run capacity.toml --set run.horizon=2m --no-report --quiet
//! …
//! PARTIAL RESULT: stopped at 120 s by the horizon
//! …
//! $ echo $?
//! 3
//! ```
//!
//! `test` takes folders too, and runs all files in spite of one that fails.
//!
//! # In a pipeline
//!
//! ```yaml
//! capacity:
//!   stage: test
//!   script:
//!     - queuecast test capacity/ --set producers.checkout.arrivals.constant.rate="$PEAK_RATE"
//!     - queuecast run capacity/checkout.toml --output report
//!   artifacts:
//!     when: always
//!     paths: [report]
//! ```
//!
//! The second line writes the page that is attached to the build: `report.html` holds all of it.
//!
//! # Numbers for scripts
//!
//! `--format json` has every metric under its name, times in seconds, `null` for what did not
//! happen:
//!
//! ```console
//! $ queuecast run capacity.toml --no-report --format json \
//!     | jq '.metrics["queues.orders.drained_at"]'
//! 190.8
//! $ queuecast test capacity.toml --set consumers.fleet.count=6 --format json \
//!     | jq -r '.[].expect[] | select(.held | not) | .that + " was " + .observed'
//! queues.orders.drained_at <= 4m was 299.8 s
//! ```
//!
//! # Pin the history
//!
//! The same file, seed and version give the same digest, on any number of threads. A digest that is
//! kept in the repository tells that *something* about the model changed, also where no expectation
//! notices:
//!
//! ```console
//! $ queuecast run capacity.toml --no-report --format json --jobs 1 | jq -r .digest > digest.txt
//! $ queuecast run capacity.toml --no-report --format json --jobs 2 | jq -r .digest \
//!     | diff digest.txt -
//! $ queuecast run capacity.toml --no-report --format json --set consumers.fleet.service=41ms \
//!     | jq -r .digest | diff digest.txt -
//! 1c1
//! …
//! $ echo $?
//! 1
//! ```
//!
//! A millisecond more meets both expectations, and is another history. The seed is a part of it:
//! pin that too. A new version of queuecast may change digests; [`determinism`](super::determinism)
//! says what is promised.
//!
//! An expectation on something random needs room for its interval: `wait.p99 < 200ms` that is met
//! by 195 ± 20 ms holds under one seed and fails under the next. With a fixed seed it does not
//! flicker, but it does not mean much either: widen it, or add `replications`.
//!
//! Next: [`tracing`](super::tracing), where a number comes from.
