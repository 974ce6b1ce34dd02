//! The map of what recovers: for each pair of values the share of runs that come back after the
//! disturbance, and for each value of the second key where along the first one they cease to.
//!
//! Not what it means to have come back: that is a metric, `recovered_at`, which is there or not.
//!
//! The boundary is found run by run: under common random numbers a replication is the same world
//! at every point, and has a threshold of its own, which bisection finds between the last value
//! at which it comes back and the next. The boundary is the median of these thresholds, and its
//! interval that of a median (order statistics, whose ranks are binomial: W. J. Conover,
//! "Practical nonparametric statistics"), which asks nothing of their law.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use statrs::distribution::{Binomial, DiscreteCDF};

use crate::experiment::points::Done;
use crate::experiment::warmup::settle;
use crate::model::{Model, Warmup};
use crate::outcome::Catalogue;
use crate::sim::{Detail, measure};

/// What is asked. `V` is a value of a key.
#[expect(missing_debug_implementations, reason = "it holds functions")]
pub struct Question<'a, V, E> {
    /// The values of the key along which the boundary is sought, in order of size where they have
    /// one; at least one.
    pub across: &'a [V],
    /// The values of the other key; one where there is none.
    pub down: &'a [V],
    /// The models of all points, row by row: for each value of the other key those of the first.
    pub points: &'a [Model],
    /// The model at a pair of values that is no point.
    pub compile: &'a (dyn Fn(&V, &V) -> Result<Model, E> + Sync),
    /// A value halfway between two; `None` when there is none.
    pub between: &'a (dyn Fn(&V, &V) -> Option<V> + Sync),
    /// The metrics that must have happened in a run that came back, by their full names.
    pub recovered: &'a [String],
    /// How many runs each point has.
    pub replications: u32,
    /// How often the gap between two values is halved.
    pub halvings: u32,
    /// The level of the boundary's interval.
    pub level: f64,
    /// Called when a run of a point, or a bisection, is done.
    pub progress: &'a (dyn Fn(Done) + Sync),
}

/// A point of the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// How many runs came back.
    pub recovered: u32,
    /// How many there were.
    pub of: u32,
    /// When they came back, on average, in seconds: the latest of the metrics asked for.
    pub at: Option<f64>,
}

/// Where runs cease to come back, or begin to, along the first key.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary<V> {
    /// The median of the runs' thresholds; `None` when half of them or more have none within the
    /// values.
    pub median: Option<V>,
    /// The interval's lower end; `None` below the values.
    pub low: Option<V>,
    /// Its upper end; `None` above them.
    pub high: Option<V>,
    /// Its level; `None` when there are too few runs for an interval.
    pub level: Option<f64>,
    /// On which side runs come back.
    pub side: Side,
    /// Runs that come back at one value, not at a later one, and again at one later still.
    pub crooked: u32,
}

/// On which side of a boundary runs come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// At small values.
    Below,
    /// At large values.
    Above,
}

/// The map: rows by the second key, in each a cell for every value of the first.
#[derive(Clone, Debug)]
pub struct Map<V> {
    /// The cells, row by row.
    pub rows: Vec<Vec<Cell>>,
    /// The boundary of each row; `None` where all runs come back everywhere, or none anywhere.
    pub boundaries: Vec<Option<Boundary<V>>>,
}

/// Counts the runs of points and the bisections that are done.
struct Count<'a> {
    done: AtomicUsize,
    of: usize,
    tell: &'a (dyn Fn(Done) + Sync),
}

impl Count<'_> {
    fn add(&self, tasks: usize) {
        let done = self.done.fetch_add(tasks, Ordering::Relaxed) + tasks;
        (self.tell)(Done { done, of: self.of });
    }
}

/// Draws the map.
///
/// # Errors
/// What `compile` says.
///
/// # Panics
/// When there are not as many points as pairs of values.
pub fn map<V: Clone + Sync + Send, E: Send>(asked: &Question<'_, V, E>) -> Result<Map<V>, E> {
    let (models, rows) = (asked.points, asked.down.len());
    assert_eq!(models.len(), rows * asked.across.len(), "a model a point");
    let runs = asked.replications as usize;
    let count = Count {
        done: AtomicUsize::new(0),
        of: (models.len() + rows) * runs,
        tell: asked.progress,
    };
    let ends: Vec<Option<f64>> = (0..models.len() * runs)
        .into_par_iter()
        .map(|task| {
            let end = recovery(&models[task / runs], (task % runs) as u32, asked.recovered);
            count.add(1);
            end
        })
        .collect();
    let width = asked.across.len() * runs;
    let rows: Vec<Vec<Cell>> = ends
        .chunks(width)
        .map(|row| row.chunks(runs).map(Cell::of).collect())
        .collect();
    let boundaries = asked
        .down
        .iter()
        .zip(ends.chunks(width))
        .map(|(down, row)| boundary(asked, down, row, &count))
        .collect::<Result<_, _>>()?;
    Ok(Map { rows, boundaries })
}

impl Cell {
    fn of(ends: &[Option<f64>]) -> Self {
        let times: Vec<f64> = ends.iter().copied().flatten().collect();
        Self {
            recovered: times.len() as u32,
            of: ends.len() as u32,
            at: (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64),
        }
    }
}

/// When the last of the metrics happened in one run, in seconds; `None` when one never did.
fn recovery(model: &Model, replication: u32, recovered: &[String]) -> Option<f64> {
    let settled;
    let model = match model.plan.warmup {
        Warmup::Auto => {
            settled = settle(model).0;
            &settled
        }
        Warmup::For(_) => model,
    };
    let record = measure(model, replication, Detail::Measures, &|_| {});
    let (catalogue, values) = (Catalogue::of(model), Catalogue::read(&record));
    recovered.iter().try_fold(0.0_f64, |last, name| {
        let at = values[catalogue.position(name)?]?;
        Some(last.max(at))
    })
}

/// The threshold of one run.
struct Threshold<V> {
    /// What orders thresholds: behind how many values it lies, and how far behind the last of
    /// these, in parts of the gap.
    rank: (usize, u64),
    /// Its value; `None` before the first of the values asked for, and behind the last.
    value: Option<V>,
}

fn boundary<V: Clone + Sync + Send, E: Send>(
    asked: &Question<'_, V, E>,
    down: &V,
    row: &[Option<f64>],
    counted: &Count<'_>,
) -> Result<Option<Boundary<V>>, E> {
    let runs = asked.replications as usize;
    let values = asked.across.len();
    let came_back = |at: usize, run: usize| row[at * runs + run].is_some();
    let count = |at: usize| (0..runs).filter(|&run| came_back(at, run)).count();
    let all: usize = (0..values).map(count).sum();
    if all == 0 || all == runs * values {
        counted.add(runs);
        return Ok(None);
    }
    let side = if count(0) >= count(values - 1) {
        Side::Below
    } else {
        Side::Above
    };
    let is_first_side = |back: bool| back == (side == Side::Below);
    let threshold = |run: usize| {
        let turn = (0..values).find(|&at| !is_first_side(came_back(at, run)));
        let behind = turn.unwrap_or(values);
        let inner = (1..values).contains(&behind);
        let found = inner.then(|| bisect(asked, down, run as u32, behind - 1, &is_first_side));
        counted.add(1);
        let (part, value) = found.transpose()?.map_or((0, None), |(p, v)| (p, Some(v)));
        Ok(Threshold {
            rank: (behind, part),
            value,
        })
    };
    let mut thresholds: Vec<Threshold<V>> = (0..runs)
        .into_par_iter()
        .map(threshold)
        .collect::<Result<_, E>>()?;
    thresholds.sort_by_key(|it| it.rank);
    let turns =
        |run: usize| (1..values).filter(move |&at| came_back(at - 1, run) != came_back(at, run));
    let crooked = (0..runs).filter(|&run| turns(run).count() > 1).count();
    let ends = ranks_around_median(runs, asked.level);
    let at = |rank: usize| thresholds[rank].value.clone();
    Ok(Some(Boundary {
        median: at((runs - 1) / 2),
        low: ends.and_then(|(low, _)| at(low)),
        high: ends.and_then(|(_, high)| at(high)),
        level: ends.map(|_| asked.level),
        side,
        crooked: crooked as u32,
    }))
}

/// The threshold of one run between a value and the next, and in which part of the gap it lies.
fn bisect<V: Clone, E>(
    asked: &Question<'_, V, E>,
    down: &V,
    run: u32,
    at: usize,
    is_first_side: &dyn Fn(bool) -> bool,
) -> Result<(u64, V), E> {
    let (mut low, mut high) = (asked.across[at].clone(), asked.across[at + 1].clone());
    let mut part = 0;
    for _ in 0..asked.halvings {
        part <<= 1;
        let Some(middle) = (asked.between)(&low, &high) else {
            continue;
        };
        let model = (asked.compile)(&middle, down)?;
        if is_first_side(recovery(&model, run, asked.recovered).is_some()) {
            low = middle;
            part |= 1;
        } else {
            high = middle;
        }
    }
    Ok((part, (asked.between)(&low, &high).unwrap_or(high)))
}

/// The ranks, from 0, of the ordered observations between which their law's median lies with at
/// least this confidence; `None` when there are too few.
fn ranks_around_median(count: usize, level: f64) -> Option<(usize, usize)> {
    let below = Binomial::new(0.5, count as u64).ok()?;
    let tail = (1.0 - level) / 2.0;
    let fits = |rank: &usize| below.cdf(*rank as u64) <= tail;
    let low = (0..count / 2).take_while(fits).last()?;
    Some((low, count - 1 - low))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    use crate::model::{FleetId, Id, InFlight, Outage, Restart, Stop, Windows};
    use crate::policy::arrival::{Arrivals, Constant};
    use crate::random::law::DurationLaw;
    use crate::units::{Rate, Ratio, SimDuration, SimTime};

    /// The worked example without a bound, for 500 s: so many handlers, so long an outage.
    fn worked(handlers: u32, outage: u64) -> Model {
        let arrivals = Arrivals::Constant(Constant {
            rate: Rate::per_second(1_200),
            offset: SimDuration::from_nanos(416_667),
        });
        let service = DurationLaw::constant(SimDuration::from_millis(40));
        let mut model = Model::plain(arrivals, handlers, service, Stop::Drained);
        model.plan.horizon = SimTime::ZERO + SimDuration::from_secs(500);
        model.outages.push(Outage {
            fleet: FleetId::at(0),
            windows: Windows::Fixed(vec![(SimTime::ZERO, SimDuration::from_secs(outage))]),
            share: Ratio::ONE,
            in_flight: InFlight::Finish,
            restart: Restart::InPhase,
        });
        model
    }

    #[test]
    fn the_boundary_is_the_smallest_fleet_that_drains() {
        let compile = |handlers: &u32, outage: &u32| -> Result<Model, Infallible> {
            Ok(worked(*handlers, u64::from(*outage)))
        };
        let between = |low: &u32, high: &u32| (high - low > 1).then(|| u32::midpoint(*low, *high));
        let (across, down) = ([48, 60, 72], [60, 400, 1]);
        let pairs = down
            .iter()
            .flat_map(|down| across.iter().map(move |it| (it, down)));
        let points: Result<Vec<Model>, _> = pairs.map(|(it, down)| compile(it, down)).collect();
        let done = AtomicUsize::new(0);
        let drawn = map(&Question {
            across: &across,
            down: &down,
            points: &points.expect("models"),
            compile: &compile,
            between: &between,
            recovered: &["queues.q.drained_at".to_owned()],
            replications: 1,
            halvings: 5,
            level: 0.95,
            progress: &|at| {
                assert_eq!(at.of, 12);
                done.fetch_max(at.done, Ordering::Relaxed);
            },
        });
        let drawn = drawn.expect("models");
        assert_eq!(done.into_inner(), 12, "nine points and three rows");
        let came_back = |row: &Vec<Cell>| row.iter().map(|cell| cell.recovered).collect::<Vec<_>>();
        let rows: Vec<_> = drawn.rows.iter().map(came_back).collect();
        // Empty at T + S ceil((B - c)/(c - 48)) with B = 1,200 T: after 60 s, 54 handlers need
        // until 539.6 s and 55 until 471.1 s; after 400 s, 72 need until 1,198.8 s.
        assert_eq!(rows, [[0, 1, 1], [0, 0, 0], [0, 1, 1]]);
        let first = drawn.boundaries[0].as_ref().expect("a boundary");
        assert_eq!((first.median, first.side), (Some(55), Side::Above));
        assert_eq!((first.level, first.crooked), (None, 0));
        assert_eq!(drawn.boundaries[1], None);
        // After a second, 49 handlers need until 47 s.
        assert_eq!(drawn.boundaries[2].as_ref().expect("one").median, Some(49));
        assert!((drawn.rows[0][1].at.expect("a time") - 299.8).abs() < 1e-6);
    }

    #[test]
    fn ranks_of_a_median_are_those_of_the_tables() {
        // Conover, table A3 with p = 1/2: n = 6 -> 1st and 6th (96.9 %), 10 -> 2nd and 9th
        // (97.9 %), 20 -> 6th and 15th (95.9 %).
        assert_eq!(ranks_around_median(5, 0.95), None);
        assert_eq!(ranks_around_median(6, 0.95), Some((0, 5)));
        assert_eq!(ranks_around_median(10, 0.95), Some((1, 8)));
        assert_eq!(ranks_around_median(20, 0.95), Some((5, 14)));
    }
}
