//! Tracing a number to its formula: the report says 6.156 ms; says who?
//!
//! Not the theory itself: [`theory`](super::theory) lists the forms, where they hold, and who found
//! them.
//!
//! # From the number to the name
//!
//! Every predicted value carries the name of what it was computed with. `check` shows them without
//! a run:
//!
//! ```console
//! $ queuecast check scenarios/calm_day.toml
//! …
//!   consumers.fleet     60 x 1 handlers of queues.orders, exponential, mean 40ms:
//!                       1500/s, offered load 48, utilization 0.80
//! …
//!   queues.orders         6.156 ms         -          -
//!   .wait.p99        exact, M/M/60
//! …
//! ```
//!
//! *exact, M/M/60*: Poisson arrivals, exponential service, 60 servers; exact under these
//! assumptions. What is measured is told by `explain`:
//!
//! ```console
//! $ queuecast explain queues.orders.wait.p99
//! queues.NAME.wait.p99 (metric)
//!   means  from acceptance to first delivery
//!   unit   seconds
//! $ queuecast explain M/M/c
//! M/M/c (term)
//!   means  Poisson arrivals, exponential service, c servers (Erlang C)
//! ```
//!
//! # From the name to the formula
//!
//! `formula` computes the same by itself, with the letters of queueing theory: λ = 1,200/s, μ =
//! 1/40 ms = 25/s, c = 60.
//!
//! ```console
//! $ queuecast formula M/M/c lambda=1200 mu=25 c=60 --quantity Wq_p99
//! 0.006155840100189786
//! $ queuecast formula M/M/c lambda=1200 mu=25 c=60
//! …
//!   rho            0.8
//!   a              48.0
//!   p_wait         0.06339196529509815
//! …
//!   Wq             0.0002113065509836605
//! …
//! ```
//!
//! And by hand, from two of these: a message waits longer than t with probability C(c, a) e^(−(cμ −
//! λ)t), where C(c, a) = `p_wait` is Erlang's C formula. With 1 % that is t =
//! ln(0.0634/0.01)/(1,500 − 1,200) s = 6.16 ms. The mean is C/(cμ − λ) = 0.0634/300 s = 0.211 ms.
//! (Erlang 1917; the page of [`crate::theory::mmc`] has the source.) 94 % of
//! all messages do not wait at all, so that `p50` and `p90` are 0 s, and no error.
//!
//! # From the formula to the run
//!
//! ```console
//! $ queuecast run scenarios/calm_day.toml --no-report --quiet
//! …
//!   queues.orders         6.156 ms         -      6.1 ± 1.2 ms  agree
//!   .wait.p99        exact, M/M/60
//! …
//! ```
//!
//! The simulation shares no code with the formula; it counts messages. In JSON, the same value with
//! its name:
//!
//! ```console
//! $ queuecast run scenarios/calm_day.toml --no-report --quiet --format json \
//!     | jq -c '.theory["queues.orders.wait.p99"]'
//! {"value":0.006155840100189786,"how":"exact","source":"M/M/60"}
//! ```
//!
//! # The arithmetic of rates
//!
//! *fluid, reject* in a report is `fluid outage, reject` here:
//!
//! ```console
//! $ queuecast formula "fluid outage, reject" lambda=1200 service=0.04 c=60 outage=90 bound=100000
//! …
//!   rejected
//!      8000.0
//! …
//!   t_empty
//!      423.3333333333333
//! …
//! ```
//!
//! The simulation says 423.16 s, and its report why: the fleet comes back in phase and works in
//! steps of 40 ms. T + S ⌈(B − c)/(c − λS)⌉ = 90 s + 40 ms · ⌈99,940/12⌉ = 423.16 s, to the
//! nanosecond.
//!
//! # Many questions at once
//!
//! A table in, the same table with one column more out: for a spreadsheet, or to check this program
//! against another.
//!
//! ```console
//! $ printf '%s\n' model,params,quantity \
//!     'M/M/c,lambda=1200;mu=25;c=60,Wq_p99' \
//!     'M/M/c,lambda=1200;mu=25;c=55,Wq_p99' > questions.csv
//! $ queuecast formula --file questions.csv
//! model,params,quantity,computed
//! M/M/c,lambda=1200;mu=25;c=60,Wq_p99,0.006155840100189786
//! M/M/c,lambda=1200;mu=25;c=55,Wq_p99,0.018129293503809776
//! $ queuecast list models
//! …
//!   M/M/c
//! …
//! ```
//!
//! That is how the tests do it: the tables in `tests/data/reference` were computed independently,
//! by other algorithms with more digits, and hold every form to the precision that each row states.
//!
//! # When there is no formula
//!
//! A report then names the reason ("no closed form for queues.orders: an outage makes the load
//! change over time"). Take the reason away, and trace what is left: the calm day before the outage
//! has a form, and so has the drain after it. What is between them, only the simulation knows.
//!
//! This is the end of the path; [`planning`](super::planning) and [`sweeps`](super::sweeps) go on
//! from here.
