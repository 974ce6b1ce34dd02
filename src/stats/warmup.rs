//! Where the warm-up of a run ends: MSER-5 (White, Cobb & Spratt 2000, cited from memory). It
//! says where to cut one series; it neither detects trends nor makes intervals.
//!
//! The series is cut into batches of 5 (an incomplete last one is dropped); of the k batch means
//! Z the first d <= k/2 are removed that minimize sum (Z - mean)^2 / (k - d)^2, on ties the
//! smaller d. A minimum at the last allowed d means that the series had not settled.

/// Observations in a batch.
const BATCH: usize = 5;

/// Where MSER-5 cuts a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Warmup {
    /// Observations to remove at the start.
    pub removed: usize,
    /// Mean of the complete batches that remain.
    pub mean: f64,
    /// Whether the series settled.
    pub verdict: Verdict,
}

/// Whether a series settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The cut lies inside the first half.
    Settled,
    /// The best cut is the last that was allowed: run longer.
    NotSettled,
}

/// MSER-5 of a series of observations; `None` if there is not one complete batch.
pub fn mser5(series: &[f64]) -> Option<Warmup> {
    let means: Vec<f64> = series
        .chunks_exact(BATCH)
        .map(|batch| batch.iter().sum::<f64>() / BATCH as f64)
        .collect();
    let last = means.len() / 2;
    // Mean and sum of squares of Z_d, ..., Z_{k-1} for falling d (Welford's update): on a tie the
    // later, smaller d wins.
    let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
    let mut best: Option<(f64, usize, f64)> = None;
    for (d, z) in means.iter().enumerate().rev() {
        count += 1.0;
        let deviation = z - mean;
        mean += deviation / count;
        squares += deviation * (z - mean);
        let statistic = squares / (count * count);
        if d <= last && best.is_none_or(|(least, ..)| statistic <= least) {
            best = Some((statistic, d, mean));
        }
    }
    let (_, d, mean) = best?;
    let verdict = if d < last || d == 0 {
        Verdict::Settled
    } else {
        Verdict::NotSettled
    };
    Some(Warmup {
        removed: d * BATCH,
        mean,
        verdict,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_cut_off_exactly() {
        let series: Vec<f64> = (0..200)
            .map(|i| if i < 35 { 100.0 } else { f64::from(i % 5) })
            .collect();
        let warmup = mser5(&series).unwrap();
        assert_eq!(warmup.removed, 35);
        assert!((warmup.mean - 2.0).abs() < 1e-12);
        assert_eq!(warmup.verdict, Verdict::Settled);
    }

    #[test]
    fn a_constant_series_loses_nothing() {
        let warmup = mser5(&[7.0; 103]).unwrap();
        assert_eq!((warmup.removed, warmup.verdict), (0, Verdict::Settled));
    }

    #[test]
    fn a_steady_climb_has_not_settled() {
        let series: Vec<f64> = (0..1000).map(f64::from).collect();
        let warmup = mser5(&series).unwrap();
        assert_eq!((warmup.removed, warmup.verdict), (500, Verdict::NotSettled));
    }

    #[test]
    fn too_short_a_series_has_no_answer() {
        assert_eq!(mser5(&[1.0; 4]), None);
        assert_eq!(mser5(&[1.0; 5]).unwrap().removed, 0);
    }
}
