//! Reading a report: what stands in `report.html` and in the text of a run, in which order, and
//! what to believe of it.
//!
//! Not what the metrics mean ([`scenario_format`](super::scenario_format) lists them), nor how sure
//! they are ([`statistics`](super::statistics)).
//!
//! # Where it is
//!
//! `queuecast run outage.toml` prints the text and writes `output/outage/report.html`, one file
//! that holds everything: it can be sent by mail, put beside a design review, and opened without a
//! connection. Beside it are the same things for other readers: `summary.json` for scripts,
//! `series.csv` for spreadsheets, `timeline.txt`, and the pictures as SVG (`--png`: as PNG too).
//!
//! # From the top
//!
//! **Is the result whole?** A banner says "PARTIAL RESULT" when a limit stopped the run: its
//! numbers are those of a part. The exit code is 3.
//!
//! **Which result is it?** The seed, the number of replications, and the digest. Two reports with
//! one digest tell one history, to the nanosecond.
//!
//! **Expectations.** What the scenario said must come out, whether it did, and what was observed.
//! Exit code 1 when one is off.
//!
//! **Warnings.** What is odd about the scenario, such as a visibility timeout that is shorter than
//! the work. Read these before the numbers.
//!
//! **The timeline** is the story: what went down, what filled, what was refused, what came back,
//! what recovered. In the page, an instant of it can be clicked and is then shown in the charts.
//! Of several replications it is that of the first; the summary is of all.
//!
//! **The pictures**: messages waiting, the age of the oldest, rates, and handlers. Grey is an
//! outage, dashed is a bound. Depth and lag are read at the end of each bucket of time and joined;
//! rates are means over a bucket, which is why they are steps; a spike within a bucket is in the
//! metrics (`depth.max`, `peak_retries_per_100ms`) and not in the line.
//!
//! **How it is known**: closed form, fluid, simulation. Where they agree, believe them. Where they
//! differ, the line below names the assumption that fails, and that is often the finding: a mean
//! wait that queueing theory puts at milliseconds is minutes because of an outage.
//!
//! **The summary**: each component's numbers, zeros left out. `±` is half of the 95 % interval,
//! over replications or, in one long run, over batches. Percentiles of `wait` cover the messages
//! that were delivered; a note says how many were not.
//!
//! **The ledger**: where every message is at the end. It balances, or there would be no report.
//!
//! **What was understood, assumptions, the scenario, the command**: enough for somebody else to
//! disagree with the model and to run it again.
//!
//! # With hands
//!
//! - Pointing at a chart reads its values at the nearest bucket; all charts show the same instant.
//! - Dragging over a chart zooms all of them, a double click or "All" shows everything again. The
//!   vertical axis follows what is in view.
//! - On a keyboard: Tab reaches a chart, the arrows read values, with Shift they move the view, `+`
//!   and `-` zoom, `0` or Escape shows all. What is read is announced to screen readers.
//! - `report.html#t=83.3` opens at an instant, `report.html#t=80,100` at a span of time, in
//!   seconds: a link to a moment can be put into a review.
//! - Below each chart its numbers are a table. Without script, all of this page is there but the
//!   pointing and the zoom.
//!
//! # In a terminal
//!
//! Below the timeline the text draws depth and age of up to three queues, those in which most
//! waited. A column is as high as the highest value within its span; whatever is above zero is
//! seen. The last rows say what was down. Letters are blocks; a terminal that says that it is dumb,
//! or that its locale is not UTF-8, gets plain ones. Files and pipes always get UTF-8, so that an
//! answer does not depend on who reads it.
