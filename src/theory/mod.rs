//! Closed forms: what queueing theory says exactly, approximately, or not at all.
