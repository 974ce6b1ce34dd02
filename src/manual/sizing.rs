//! Sizing a fleet: how many consumers are enough, on a calm day and after an outage?
//!
//! Not what is lost while nobody works: that is [`outage`](super::outage). How a plan decides
//! stands in [`planning`](super::planning).
//!
//! # Two goals, two fleets
//!
//! Say what is enough: a wait that customers do not notice, and a time in which a backlog must be
//! gone. `size` answers from formulas, in no time:
//!
//! ```console
//! $ queuecast size --arrivals 120/s --service 40ms --outage 60s \
//!     --recover-within 3m --wait 'p99<=25ms'
//!   offered load  4.800 in work at once: 120/s times 40ms (Little's law)
//!   break-even    5 consumers
//!   backlog       7,200 waiting after an outage of 1m
//! …
//!   smallest fleet: 9 consumers, decided by `p99<=25ms`
//!   goal               needs      then  with one less
//!   stable                 5              no headroom
//!   recover within 3m      7   130.9 s          240 s
//!   p99<=25ms              9  17.84 ms       32.95 ms
//! …
//! ```
//!
//! Each goal has a fleet of its own, and the largest one wins; the last column shows that one less
//! fails. The offered load a = λS (arrivals times service) is what must be busy on average; what is
//! beyond it, c − a, is the headroom that works off a backlog. For small fleets the wait decides,
//! for large ones the outage: at ten times the rate, 60 consumers leave a mean wait of 0.2 ms, and
//! it is the recovery that asks for more.
//!
//! # How uneven is the work?
//!
//! The formula above is M/M/c: Poisson arrivals, exponential service. Work that varies more makes
//! waits longer at the same load, and utilization does not show it. Give the coefficient of
//! variation (standard deviation over mean) of your service times:
//!
//! ```console
//! $ queuecast size --arrivals 1200/s --service 40ms --wait 'p99<=20ms' --service-cv 0
//! …
//!   p99<=20ms     52  19.46 ms       27.09 ms
//! …
//! $ queuecast size --arrivals 1200/s --service 40ms --wait 'p99<=20ms' --service-cv 2
//! …
//!   p99<=20ms     58  18.29 ms       23.24 ms
//! …
//! ```
//!
//! Six consumers between work that is always the same and work with a long tail. Cv 0 is M/D/c,
//! exact; cv 2 is an approximation, and the last lines of the answer say how far it has been off.
//! Where it matters, simulate.
//!
//! # Let the simulation decide
//!
//! `plan` asks the same of a scenario, with all that is in it. This one has both goals as
//! `[[objectives]]`:
//!
//! ```console
//! $ queuecast plan scenarios/plan_smallest_fleet.toml --no-report \
//!     --vary consumers.fleet.count=8..10 --replications 20
//! …
//!   answer   consumers.fleet.count = 9, the smallest of 8 to 10 (3 values) that
//!            meets all 2 objectives
//!   binding  queues.orders.wait.p99 <= 25ms
//! …
//!   count  objective                     closed form       observed  runs  stands
//!       8  queues.orders.wait.p99 <=        32.95 ms  34.0 ± 1.8 ms    20  fails
//!          25ms
//! …
//!       9  queues.orders.wait.p99 <=        17.84 ms  18.3 ± 1.1 ms    20  meets
//!          25ms
//! …
//! ```
//!
//! Formula and simulation agree, and 8 fails by both. `binding` names the goal to argue about
//! before money is spent: were 35 ms good enough, the answer would be 8. `headroom`, below, says
//! how much longer an outage, or how much more traffic, this fleet survives.
//!
//! # What a fluid mean hides
//!
//! "recover within 3m" of `size` is an average of rates, and what `plan` holds against a goal is
//! the interval of a mean over incidents. With random traffic about half of all single incidents
//! take longer than their mean, so ask for less than you can bear. And neither knows that a fleet
//! of 9 is a fleet of 8 while one consumer is being deployed: size for the fleet that is up.
//!
//! # Next
//!
//! Your service times are known to you as percentiles or as a file: `{ lognormal = { p50 = "30ms",
//! p99 = "400ms" } }`, `{ empirical = { file = "service.csv", column = "seconds" } }`. Put them
//! into the scenario and plan again; the fleet changes more than by any other key.
//!
//! Next: [`outage`](super::outage), what happens while the fleet is away.
