//! Decorrelated jitter: min(cap, U(base, 3 · previous)), previous being the base at first.
//!
//! Not a spread of the backoff's wait: it grows by its own draws, and has the longest tail of the
//! four.

use rand::{Rng, RngExt};

use crate::units::SimDuration;

#[inline]
pub(in crate::policy::retry) fn spread<R: Rng>(
    base: SimDuration,
    cap: SimDuration,
    previous: SimDuration,
    rng: &mut R,
) -> SimDuration {
    let low = base.as_secs_f64();
    let width = (3.0 * previous.as_secs_f64() - low).max(0.0);
    SimDuration::from_secs_rounded(low + width * rng.random::<f64>()).min(cap)
}

/// Cells between base and cap on which the law of a wait is followed.
const CELLS: usize = 4_000;

/// The mean wait before retry `n` (from 0), in seconds. Until 3^(n+1) · base passes the cap it is
/// base · (2 · 1.5^(n+1) - 1); from then on the law of the wait is carried from one to the next
/// on a grid.
pub(in crate::policy::retry) fn mean(base: f64, cap: f64, retry: u32) -> f64 {
    let draws = f64::from(retry) + 1.0;
    if base * 3.0_f64.powf(draws) <= cap {
        return base * (2.0 * 1.5_f64.powf(draws) - 1.0);
    }
    let width = (cap - base) / CELLS as f64;
    if width <= 0.0 {
        return base.min(cap);
    }
    let middle = |cell: usize| base + width * (cell as f64 + 0.5);
    // The wait before was the base, surely: as a mass in no cell.
    let mut grid = Grid {
        cells: vec![0.0; CELLS],
        at_cap: 0.0,
        at_base: 1.0,
    };
    for _ in 0..retry {
        grid = grid.next(base, cap, width);
    }
    let mean_after = |wait: f64| {
        // E min(cap, U(base, 3 wait)).
        let top = 3.0 * wait;
        if top <= cap {
            f64::midpoint(base, top)
        } else {
            cap - (cap - base).powi(2) / (2.0 * (top - base))
        }
    };
    let inner = grid
        .cells
        .iter()
        .enumerate()
        .map(|(cell, mass)| mass * mean_after(middle(cell)));
    inner.sum::<f64>() + grid.at_cap * mean_after(cap) + grid.at_base * mean_after(base)
}

/// The law of a wait: the mass in each cell, and at both ends.
struct Grid {
    cells: Vec<f64>,
    at_cap: f64,
    at_base: f64,
}

impl Grid {
    /// The law of the next wait: each mass is spread evenly from base to three times its place.
    /// `spread[i]` collects the density of all that reach cell i and beyond, by adding each at
    /// the cell where it ends and summing from the right.
    fn next(&self, base: f64, cap: f64, width: f64) -> Self {
        let cells = self.cells.len();
        let mut density = vec![0.0; cells + 1];
        let mut at_cap = 0.0;
        let places = self.cells.iter().enumerate();
        let inner = places.map(|(cell, mass)| (base + width * (cell as f64 + 0.5), *mass));
        for (wait, mass) in inner.chain([(cap, self.at_cap), (base, self.at_base)]) {
            let reach = 3.0 * wait - base;
            if mass <= 0.0 || reach <= 0.0 {
                continue;
            }
            let whole = ((reach / width).floor() as usize).min(cells);
            let share = mass * width / reach;
            density[whole] += share;
            if whole < cells {
                // The last cell is reached in part: told apart so that no mass is lost.
                let part = reach / width - whole as f64;
                density[whole + 1] += share * part;
                density[whole] -= share * part;
            } else {
                at_cap += mass * (1.0 - cells as f64 * width / reach);
            }
        }
        let mut above = 0.0;
        let mut next = vec![0.0; cells];
        for cell in (0..cells).rev() {
            above += density[cell + 1];
            next[cell] = above;
        }
        Self {
            cells: next,
            at_cap,
            at_base: 0.0,
        }
    }
}
