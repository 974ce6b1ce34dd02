//! Independent replications of one model, in parallel, folded in order: the same result for any
//! number of threads (rule A3).
//!
//! Not how many are enough.

use std::ops::Range;

use rayon::prelude::*;

use crate::model::Model;
use crate::outcome::RunRecord;
use crate::sim::{Detail, Progress, measure};

/// The number of the replication that pilots the others.
pub(super) const PILOT: u32 = u32::MAX;

/// Runs replications `0..count`, in the order of their numbers whatever the threads. Only the
/// first keeps levels over time, when `detail` asks for them.
pub fn replicate(
    model: &Model,
    count: u32,
    detail: Detail,
    progress: Progress<'_>,
) -> Vec<RunRecord> {
    round(model, 0..count, detail, progress)
}

/// Runs some of the replications.
pub(super) fn round(
    model: &Model,
    numbers: Range<u32>,
    detail: Detail,
    progress: Progress<'_>,
) -> Vec<RunRecord> {
    let run = |replication| {
        let detail = if replication == 0 {
            detail
        } else {
            Detail::Measures
        };
        measure(model, replication, detail, progress)
    };
    numbers.into_par_iter().map(run).collect()
}

/// The digest of an experiment: the runs' digests in order, folded into one; a single run's own.
pub fn digest(runs: &[RunRecord]) -> u64 {
    digest_of(runs.iter().map(|run| run.digest))
}

/// The same of digests alone.
pub(super) fn digest_of(digests: impl ExactSizeIterator<Item = u64>) -> u64 {
    let fold = |all: u64, one: u64| (all.rotate_left(23) ^ one).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    match digests.len() {
        1 => digests.sum(),
        _ => digests.fold(0, fold),
    }
}
