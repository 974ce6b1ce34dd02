//! The rows of a results file: a point each, written as CSV and read back to the bit.
//!
//! Not the file: who appends to it, and what a half-written line is worth, is the business of the
//! command. Columns:
//!
//! - `sweep`, the fingerprint of the whole sweep, `points`, how many it has, and `point`, from 1;
//! - the keys that vary, by their names;
//! - `replications`, `ended`, `ended_at` (seconds), `digest`;
//! - `objectives.N.met`, true or false, for each objective;
//! - every metric, empty where it did not happen; then, when there are replications, the ends of
//!   their intervals, as `queues.orders.wait.mean.low` and `.high`;
//! - `seal`, a hash of all cells before it: a row that somebody changed is not read back.

use super::seal::seal;
use super::{Record, Sweep};
use crate::outcome::{Ended, Unit, Why};
use crate::units::{NANOS_PER_SECOND, SimTime};

/// Which columns the rows of a sweep have.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The fingerprint of the sweep.
    pub fingerprint: u64,
    /// How many points it has in all.
    pub points: usize,
    /// The keys that vary.
    pub keys: Vec<String>,
    /// How many objectives there are.
    pub goals: usize,
    /// Names and units of the metrics.
    pub metrics: Vec<(String, Unit)>,
    /// Whether some point has more than one replication.
    pub ends: Ends,
}

/// Whether rows have the ends of intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// No point is repeated.
    None,
    /// Some are.
    Kept,
}

/// Why a row of a file is not one of this sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongRow {
    /// It has another fingerprint or another number of points.
    #[error("it is of another sweep")]
    Foreign,
    /// Its columns do not hold what they should.
    #[error("it cannot be read")]
    Unreadable,
    /// It was changed after it was written: its seal is another.
    #[error("it was changed after it was written")]
    Changed,
}

/// The columns before the keys.
pub const FIRST: [&str; 3] = ["sweep", "points", "point"];
const AFTER_KEYS: [&str; 4] = ["replications", "ended", "ended_at", "digest"];
/// The last column.
pub const LAST: &str = "seal";

/// Whether a row is as it was written, by its last cell.
pub fn is_sealed(row: &csv::StringRecord) -> bool {
    let before = row.len().saturating_sub(1);
    row.get(before) == Some(seal(row.iter().take(before)).as_str())
}

impl Layout {
    /// The names of the columns.
    pub fn header(&self) -> String {
        let mut cells: Vec<String> = FIRST.map(str::to_owned).to_vec();
        cells.extend(self.keys.iter().cloned());
        cells.extend(AFTER_KEYS.map(str::to_owned));
        cells.extend((0..self.goals).map(|goal| format!("objectives.{goal}.met")));
        cells.extend(self.metrics.iter().map(|(name, _)| name.clone()));
        if self.ends == Ends::Kept {
            let names = self
                .metrics
                .iter()
                .flat_map(|(name, _)| ["low", "high"].map(|end| format!("{name}.{end}")));
            cells.extend(names);
        }
        cells.push(LAST.to_owned());
        line(&cells)
    }

    /// A point as a line, with its end. `settings` are the values of the keys as they are written.
    pub fn row(&self, record: &Record, settings: &[&str]) -> String {
        let mut cells = vec![
            format!("{:016x}", self.fingerprint),
            self.points.to_string(),
            (record.point + 1).to_string(),
        ];
        cells.extend(settings.iter().map(|&text| text.to_owned()));
        cells.extend([
            record.replications.to_string(),
            record.ended.why.word().to_owned(),
            seconds(record.ended.at),
            format!("{:016x}", record.digest),
        ]);
        cells.extend(record.met.iter().map(bool::to_string));
        cells.extend(record.values.iter().map(|value| cell(*value)));
        if self.ends == Ends::Kept {
            for place in 0..self.metrics.len() {
                let ends = record.ends.get(place).copied().flatten();
                cells.push(cell(ends.map(|(low, _)| low)));
                cells.push(cell(ends.map(|(_, high)| high)));
            }
        }
        cells.push(seal(cells.iter().map(String::as_str)));
        line(&cells)
    }

    /// Reads a row back.
    ///
    /// # Errors
    /// When it is not a row of this layout.
    pub fn read(&self, row: &csv::StringRecord) -> Result<Record, WrongRow> {
        let mut cells = row.iter();
        let mut next = || cells.next().ok_or(WrongRow::Unreadable);
        let fingerprint = format!("{:016x}", self.fingerprint);
        if next()? != fingerprint || next()? != self.points.to_string() {
            return Err(WrongRow::Foreign);
        }
        let wrong = WrongRow::Unreadable;
        let point: usize = next()?.parse().map_err(|_| wrong)?;
        let point = point.checked_sub(1).ok_or(wrong)?;
        for _ in &self.keys {
            next()?;
        }
        let replications = next()?.parse().map_err(|_| wrong)?;
        let why = Why::named(next()?).ok_or(wrong)?;
        let at = instant(next()?).ok_or(wrong)?;
        let digest = u64::from_str_radix(next()?, 16).map_err(|_| wrong)?;
        let met = (0..self.goals).map(|_| next()?.parse().map_err(|_| wrong));
        let met = met.collect::<Result<Vec<bool>, _>>()?;
        let mut number = || match next()? {
            "" => Ok(None),
            text => text.parse::<f64>().map(Some).map_err(|_| wrong),
        };
        let values = self.metrics.iter().map(|_| number());
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let mut ends = Vec::new();
        if self.ends == Ends::Kept {
            for _ in &self.metrics {
                let (low, high) = (number()?, number()?);
                ends.push(low.zip(high));
            }
            if replications < 2 {
                ends.clear();
            }
        }
        cells.next().ok_or(wrong)?;
        if cells.next().is_some() {
            return Err(wrong);
        }
        if !is_sealed(row) {
            return Err(WrongRow::Changed);
        }
        Ok(Record {
            point,
            replications,
            ended: Ended { why, at },
            digest,
            met,
            values,
            ends,
        })
    }
}

impl Sweep<'_> {
    /// The rows that there are, below the names of their columns.
    pub fn csv(&self, layout: &Layout) -> String {
        let row = |record: &Record| {
            let settings: Vec<_> = self.settings(record.point).collect();
            let texts: Vec<&str> = settings
                .iter()
                .map(|(_, tick)| tick.text.as_str())
                .collect();
            layout.row(record, &texts)
        };
        std::iter::once(layout.header())
            .chain(self.records.iter().map(row))
            .collect()
    }
}

/// Cells as a line of CSV, with its end.
fn line(cells: &[String]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(cells).expect("cells go into memory");
    let bytes = writer.into_inner().expect("memory takes them");
    String::from_utf8(bytes).expect("they were text")
}

fn cell(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// An instant with all its nanoseconds.
fn seconds(at: SimTime) -> String {
    let nanos = at.as_nanos();
    format!(
        "{}.{:09}",
        nanos / NANOS_PER_SECOND,
        nanos % NANOS_PER_SECOND
    )
}

fn instant(text: &str) -> Option<SimTime> {
    let (whole, part) = text.split_once('.')?;
    if part.len() != 9 {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    let nanos = whole.checked_mul(NANOS_PER_SECOND)?;
    Some(SimTime::from_nanos(nanos.checked_add(part.parse().ok()?)?))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{metrics, records};
    use super::*;

    fn layout(ends: Ends) -> Layout {
        Layout {
            fingerprint: 0x1234,
            points: 5,
            keys: vec!["consumers.fleet.count".to_owned()],
            goals: 1,
            metrics: metrics(),
            ends,
        }
    }

    fn parsed(text: &str) -> csv::StringRecord {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(text.as_bytes());
        reader.records().next().expect("a row").expect("readable")
    }

    #[test]
    fn what_is_written_is_read_back_to_the_bit() {
        for (ends, replications) in [(Ends::None, 1), (Ends::Kept, 3), (Ends::Kept, 1)] {
            let layout = layout(ends);
            for mut record in records(5, replications) {
                record.values[3] = Some(0.1 + 0.2);
                let row = layout.row(&record, &["a, \"b\""]);
                assert_eq!(row.matches('\n').count(), 1);
                assert_eq!(layout.read(&parsed(&row)), Ok(record));
                assert_eq!(parsed(&row).len(), parsed(&layout.header()).len());
            }
        }
    }

    #[test]
    fn a_row_that_was_changed_is_not_read_back() {
        let layout = layout(Ends::None);
        let record = &records(5, 1)[0];
        let row = parsed(&layout.row(record, &["48"]));
        assert!(is_sealed(&row));
        for place in 0..row.len() {
            let other: csv::StringRecord = row
                .iter()
                .enumerate()
                .map(|(at, cell)| if at == place { "7" } else { cell })
                .collect();
            assert!(!is_sealed(&other), "cell {place}");
            assert!(layout.read(&other).is_err(), "cell {place}");
        }
    }

    #[test]
    fn rows_of_others_are_known_for_what_they_are() {
        let own = layout(Ends::None);
        let record = &records(5, 1)[0];
        let other = Layout {
            fingerprint: 0x1235,
            ..own.clone()
        };
        let row = parsed(&other.row(record, &["1"]));
        assert_eq!(own.read(&row), Err(WrongRow::Foreign));
        let mut cut = own.row(record, &["1"]);
        cut.truncate(cut.len() / 2);
        assert_eq!(own.read(&parsed(&cut)), Err(WrongRow::Unreadable));
    }
}
