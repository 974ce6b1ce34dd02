//! Decisions: why this and not that, as answers to questions that were asked, or will be.
//!
//! Not the rules themselves ([`semantics`](super::semantics)).
//!
//! # The code
//!
//! **Why enums and no traits for policies?** The set is closed: a planner for message queues, not a
//! framework. An enum with a `match` without wildcard makes the compiler list every place that a
//! new policy has to think of. A boxed trait would move that list to run time, and cost an
//! indirection for each message. The one trait that users implement is
//! [`Recorder`](crate::sim::Recorder), because what they want to watch cannot be foreseen.
//!
//! **Why events that command and facts that report?** An event is about the future and can be
//! overtaken; a fact has happened. Statistics, timeline, ledger, and digest hear facts only, so
//! that adding a metric cannot change a history.
//!
//! **Why a calendar with three stores?** See [`performance`](super::performance): each kind of
//! event has its own pattern of insertion, and the bench says what the split is worth. To everyone
//! else it is one calendar with one order.
//!
//! **Why are a message's draws keyed by its identity (`StreamKey::at`) and not taken from a
//! sequence?** A sequence is used in the order of service, which depends on the fleet: with one
//! consumer more, each message would get another's work, and two fleets could not be compared.
//! Keyed, the n-th message needs the same work in both. It also need not be stored: it is drawn
//! again.
//!
//! **Why are charts written by hand?** They are written as SVG by hand and rendered with resvg,
//! because a chart here is a few paths and labels that have to look right in one way, are compared
//! byte for byte in tests, and must not draw in a plotting library's fonts and defaults.
//!
//! **Why two ways of delivering?** Most queues of a capacity question have nothing that comes back:
//! a handler takes a message, works, and is done. Such a queue keeps no leases, no receive counts,
//! no traces of effects, and its messages are 40 bytes. As soon as something is asked that needs
//! them (a timeout, a failure, a key, a dead-letter queue), the queue is a leased one, and pays for
//! it. The two give the same history where they say the same: `metamorphic.rs:
//! leases_that_never_strike_change_nothing`.
//!
//! **Why are timers not taken off the calendar?** Most visibility timeouts never strike: the
//! message is acknowledged first. Taking each out of a heap costs a search or an index; leaving it
//! costs a look when it is due. A lease, a job, and a message have a generation beside their slot,
//! and an event that names a past one does nothing. A heartbeat does not move its timer either:
//! when it strikes, it asks when the last heartbeat was.
//!
//! **Why do messages keep their place?** A message that comes back goes to where it stood, and not
//! to the end: RabbitMQ does so where it can, an SQS queue has no end to speak of, and a message
//! that starts again at the end would be overtaken by all that came meanwhile, which no broker here
//! does. So the line is ordered by the instant at which a message first came to the queue.
//!
//! **Why does a lost acknowledgement close the connection?** Acknowledgements travel on the
//! connection that the broker watches. When one is lost there, the connection is; a timer that
//! would bring back the message alone, with the consumer still connected, exists in no broker
//! without a visibility timeout.
//!
//! **Why does an attempt that finds nothing to do take no time?** Looking up a key is a millisecond
//! beside the work that it saves; what it costs can be put into `delivery_delay`.
//!
//! **Why is a plain queue leased when somebody asks for `unacked_age`?** Because the age of
//! deliveries is kept with the leases. It changes what is kept, and nothing that happens.
//!
//! **Why are the fields of handling listed by name where readings are made?** So that the compiler
//! asks of each new one whether a closed form still holds. A form that is called exact and is not
//! is worse than none.
//!
//!
//! # The scenario format
//!
//! **Why are values read by hand and not derived with serde?** A derived reader stops at the first
//! error. This program reports all errors of a file at once, each with its place, its reason and
//! the way out, and for that each value has to be read though its neighbour is wrong.
//!
//! **Why a reader on spans?** Because an error without a place is a riddle. Each value keeps the
//! range of bytes that it was read from, those of `--set` included; references, conditions, and
//! units inside strings point into them.
//!
//! **Why are quantities strings with units?** `service = 40` is a bug that looks like a number.
//!
//! **Why is a rate a count per time, and not a period?** 1,200/s has no whole period in
//! nanoseconds. Kept as a ratio, the 108,000th message is where it belongs.
//!
//! **Why is `fifo` the default admission and `reject` the default policy?** They are the ones that
//! hide least: a rejection is visible at once, and a fair line makes nobody wait for others' luck.
//!
//! # Sweeps
//!
//! **Why `--pair`, and not a form of `--vary` for paired keys?** A comma already separates values,
//! and what most people pair is all that varies. What is paired in part can be written as two
//! sweeps.
//!
//! **Why may a range end before its second end?** `1ms..1s:x2` ends at 512 ms, and nobody wants to
//! work that out before writing it. That both ends are included is a promise about steps that meet
//! them.
//!
//! **Why no Parquet?** The crates that write it bring a hundred others and a format that changes
//! with their versions, and the results file must grow line by line and be read back after a kill.
//! CSV with a point a line does; every tool that reads Parquet reads it too.
//!
//! **Why does every row carry the fingerprint of its sweep?** A comment or a file beside it would
//! get lost on the way from a cluster. A row that says whose it is can be joined, or refused.
//!
//! **Why is `--shard auto` not the default in a job that has an index?** Because then the same
//! command would compute less in a job than at a desk, and a user who starts eight different
//! sweeps as an array would get an eighth of each. The templates say `--shard auto`; a sweep that
//! finds an index and was told nothing says so.
//!
//! **Why is every n-th point a part, and not a block?** Neighbours cost alike: a block of small
//! fleets, which take longest to drain, would keep one machine busy while the others are done.
//!
//! **Why does an objective that is missed not fail a sweep?** A sweep is drawn to see where it is
//! missed. `test` and `run` fail.
//!
//! # The worked example
//!
//! A service publishes 1,200/s, 60 consumers of 40 ms are away for 90 s, the queue holds 100,000.
//!
//! **Why does a waiter that wakes up act before the slots that are freed at the same instant?** Its
//! own slot was freed a wake-up ago and has been open since; the slots freed now have only begun to
//! be open, and newcomers may take them first. The other order would let a waiter take a slot that
//! newcomers should have had a chance at, and the number blocked would no longer be the 8,000 of
//! the reference.
//!
//! **Why does a slot that is freed at the very instant of a timeout go to the publisher whose
//! timeout it is?** Rule A2: completions act before timers. The generator of the reference table
//! lets an arrival act before a timeout at the same instant, and so do we not; in none of its rows
//! does the difference show, because arrivals come half a period off.
//!
//! **Why does a staggered restart block 39,998 publishers and not the table's 39,996?** The table
//! restarts each handler on its grid of 1/2400 s, rounded down; here handlers come back evenly to
//! the nanosecond. `worked_example.rs: the_table_restarts_on_a_grid` has an independent loop that
//! yields either number with either rounding.
//!
//! **Why is the queue empty at 423.16 s when the text says 423.3 s?** Because consumers that
//! restart at one instant work in steps of 40 ms; see [`theory`](super::theory). With `restart =
//! "staggered"` it is 423.33 s.
//!
//! **Why 752 time-outs under `lifo` and not the fluid 800?** The same steps; `block_lifo.toml` has
//! the arithmetic.
//!
//! # The metrics
//!
//! **Why does `block_time` include publishes that timed out, when the table's `longest_wait` does
//! not?** A publisher that waited 30 s in vain has waited 30 s, and its connection was held as
//! long. Leaving it out makes the longest wait shorter the more give up.
//!
//! **Why does `offered` of a fan-out producer count one publish per copy?** Each copy is accepted
//! or refused by its own queue, and the ledger (B1) has to balance for each. Divide by the number
//! of queues for events.
//!
//! **Why is `drained_at` counted from the last disturbance?** An empty queue before the outage, or
//! between two of them, says nothing about recovery. Without any disturbance there is no such
//! instant, and the metric is absent.
//!
//! **Why is a metric that did not happen absent, and not zero?** "Full at 0 s" is an answer, to
//! another question. In conditions its value is `never`.
//!
//! **Why does `depth` not count messages in flight?** RabbitMQ's ready messages and SQS's visible
//! ones do not; `in_flight` is its own level.
//!
//! **Why does a copy of each event cost a queue and not a pointer?** Because that is what it costs
//! the broker that has to deliver it.
//!
//! **Why does a blocked handler of a chain count as in flight, but not as waiting for service?**
//! Its message is not acknowledged until its own publishes have ended; a slow second stage
//! therefore shows in the first one's `in_flight` and `utilization`.
//!
//! # The pages
//!
//! **Why one file with a script in it, and not a folder with a library of charts?** A report is
//! mailed, attached, and opened years later behind a firewall. What is inside it cannot be lost,
//! moved or blocked. The charts are drawn before the page is written, as SVG, and are complete
//! without the script; it adds reading and zoom in some 400 lines, where the libraries that do
//! this are hundreds of kilobytes in each report, with releases of their own to follow.
//!
//! **Why does the page forbid itself connections?** Its `Content-Security-Policy` allows inline
//! style and script and nothing from anywhere. So a mistake of ours that would ask for something
//! is blocked and told by the browser, and a test that opens the page in Chromium finds it:
//! `browser.rs: the_page_of_a_run_has_the_numbers_of_its_json`. What a scenario says is escaped:
//! `browser.rs: what_a_scenario_says_is_read_and_not_done`.
//!
//! **Why does the page carry `summary.json`?** So that the numbers of a report can be checked and
//! taken by a machine long after the folder around it is gone. It is the same text, byte for byte.
//!
//! **Why are the series in the page rounded to nine digits?** They are there to be pointed at.
//! `series.csv` has them all.
//!
//! **Why two drawings of each chart?** One for wide screens, with names at the ends of the lines,
//! one for phones, with names above them. Scaled down, the first could not be read; laid out by
//! script, there would be none without it.
//!
//! **Why is the drawing of a terminal printed always, without colour?** So that a text in a log, a
//! test or a mail is the text that was seen. Colour is for messages, on terminals alone.
//!
//! **Why clap_complete and clap_mangen?** They are parts of clap, released with it, and read the
//! options from where they are declared: a script or a page cannot be out of date. Together they
//! bring one more crate, roff, of a few hundred lines.
