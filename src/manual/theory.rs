//! Theory: which closed forms there are, where they hold, and who found them.
//!
//! Not the formulas, which stand with their code in [`crate::theory`], each with its source; and
//! not what is done with them in a report. Papers are cited by name, from memory.
//!
//! # Exact, within their assumptions
//!
//! | form | what it is | holds for | source |
//! |---|---|---|---|
//! | Little's law | L = λW | any stable system | Little 1961 |
//! | Erlang B | loss without waiting | Poisson arrivals, any work | Erlang 1917; Sevastyanov 1957 |
//! | M/M/c | waits, sojourns | Poisson, exponential work, FIFO | Erlang 1917; Cooper 1981 |
//! | M/M/c/K | the same with K places | K counts those in service | Gross and Harris |
//! | M/G/1 | mean, variance, tail | one server, any work | Pollaczek; Khinchine; Takács |
//! | M/D/c | mean, variance, distribution | constant work | Crommelin 1932; Franx 2001 |
//! | M/PH/c | mean wait | two phases: E₂, H₂ | Neuts 1981; Latouche and Ramaswami 1993 |
//! | GI/M/c | waits of renewal arrivals | exponential work | Takács 1957, 1962 |
//! | M/M/c+M | messages give up | exponential patience | Palm 1957; Mandelbaum and Zeltyn 2007 |
//! | M\[X\]/M/1 | batches | one server | Chaudhry and Templeton 1983 |
//! | priorities | waits by class | one server, or equal work | Cobham 1954; Kella, Yechiali 1985 |
//! | breakdowns | M/M/1 with repairs | exponential times | White and Christie 1958 |
//! | D/D/c | a queue from empty | nothing random | elementary |
//!
//! # Deliveries that come back
//!
//! Work that is repeated at once, by the handler that has the message or by the next one free, is a
//! longer service: the number of attempts and their times give its moments
//! ([`crate::theory::repetition`] has the sum), and M/G/1 holds with them; a geometric number of
//! exponential times is exponential, and M/M/c holds. Where a message comes back later, waits have
//! no form here, but the load has: mean attempts times service (Wald 1944). Deliveries that lapse
//! while somebody works make duplicates; mean deliveries ([`crate::theory::visibility`]) times
//! service is their load for a fleet that always has a handler free, and is labelled approximate.
//!
//! A consumer with a prefetch p and k handlers, ways of d each and work S, does min(k/S, p/(2d +
//! S)) a second at most; one whose handlers ask, k/(2d + S). The fluid works at these rates. Which
//! field of a model changes what is listed in the code of the readings, field by field.
//!
//!
//! # Fluid
//!
//! [`crate::fluid`] integrates rates in rational numbers: backlog, the instant a bound is reached,
//! what is rejected, dropped, or expired, how many are blocked, lag, and the drain. Closed forms
//! for one outage, with T its length, K the bound, h = μ − λ the headroom, N = λT − K, and g = T −
//! K/λ:
//!
//! | quantity | reject | block |
//! |---|---|---|
//! | backlog at T | min(λT, K) | λT, of which N blocked |
//! | rejected | λT − K | 0 |
//! | empty at | T + K/h | T + λT/h |
//! | longest block, FIFO | | g |
//! | longest block, newcomers first | | max(g, N/h) |
//! | longest block, LIFO | | g + N/h |
//! | blocked time in all | | N (g + N/h) / 2, in any order |
//!
//! Fluid knows no single message and no chance. A fleet that restarts in phase works in steps of
//! one service time S, and is empty at T + S · ⌈(B − c)/(c − λS)⌉ for a backlog B and c handlers
//! (423.16 s for `outage_reject`, where fluid says 423.33 s).
//!
//! # Approximate
//!
//! Two-moment formulas for G/G/c (Allen and Cunneen; Cosmetatos; Kimura; Whitt 1993) are labelled
//! so wherever they are shown. They are useless for many servers at moderate load: at 48 servers
//! half busy, Allen and Cunneen's overstates the mean wait of D/M/48 by a factor of 114,000. The
//! table of their errors stands in [`crate::theory::ggc_approx`].
//!
//! The mean field of retries ([`crate::theory::meanfield`]) treats retries as fresh arrivals; it
//! shows where a healthy state ends, not what happens on a given day.
//!
//! # How it is checked
//!
//! Against tables that were computed independently, with other algorithms and more digits
//! (`tests/data/reference`), to the precision that each row states; and by the simulation, which
//! shares no code with the theory: `calm_day`, `chain`, `sizing_60`, and `breakdowns` in the
//! gallery hold a closed form against a simulation.
//!
//! # Where there is none
//!
//! Groups of keys, limits on calls, consumers that crash at random, batches that are one piece of
//! work, prefetch (for waits), bursts, schedules, daily traffic, outages in random traffic, bounds
//! that count waiting messages only, drops of the oldest, time to live, blocking: simulate, and
//! look at the interval.
//!
