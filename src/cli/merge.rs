//! `queuecast merge`: joins the parts of a sweep that many machines computed.
//!
//! Not a computation: the joined file is byte for byte what one machine would have written, and
//! `sweep` without `--shard` shows it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::exit::{Exit, Failed};
use super::listing::Listing;
use super::options::{Common, Format};
use super::output::print;
use crate::report::number::counted;
use crate::report::sweep::{FIRST, LAST, is_sealed};

/// Join the parts of a sweep
///
/// Takes the files that `queuecast sweep --shard I/N` wrote, and writes the
/// sweep.csv that one run without `--shard` would have written, to the byte.
/// Refuses parts of another sweep, points that are missing and points that are
/// there twice. The same `sweep` command without `--shard` then shows the whole,
/// with pictures, and computes nothing again.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// The parts, in any order
    #[arg(required = true)]
    parts: Vec<PathBuf>,
    /// The joined file [default: sweep.csv beside the first part]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  queuecast merge output/outage/sweep.*-of-8.csv
  queuecast merge a/sweep.1-of-2.csv b/sweep.2-of-2.csv --output sweep.csv

Exit codes: 0 joined; 2 the parts do not make one whole, and nothing is written";

/// A part that was read.
struct Part<'a> {
    path: &'a Path,
    header: csv::StringRecord,
    rows: Vec<csv::StringRecord>,
}

/// Runs the command.
pub(super) fn run(args: &Args, common: &Common) -> Result<Exit, Failed> {
    let parts: Result<Vec<Part<'_>>, Failed> = args.parts.iter().map(|path| read(path)).collect();
    let parts = parts?;
    let whole = join(&parts)?;
    let first = parts[0].path;
    let target = args
        .output
        .clone()
        .unwrap_or_else(|| first.with_file_name("sweep.csv"));
    if let Some(part) = parts.iter().find(|part| is_one(part.path, &target)) {
        let message = format!("`{}` is one of the parts", part.path.display());
        return Err(Failed::new(message).hint("write the whole elsewhere: `--output FILE`"));
    }
    write(&target, &whole)?;
    let text = match common.format {
        Format::Csv => whole,
        Format::Text | Format::Json => {
            let mut listing = Listing::new(&["part", "points"]);
            for part in &parts {
                let points = part.rows.len().to_string();
                listing.push([&part.path.display().to_string(), &points]);
            }
            listing.render(common.format)?
        }
    };
    print(&text)?;
    let (many, target) = (counted(parts.len() as u64, "part"), target.display());
    common.tell(&format!("joined {many} into {target}\n"));
    Ok(Exit::Done)
}

fn read(path: &Path) -> Result<Part<'_>, Failed> {
    let shown = path.display();
    let text = fs::read_to_string(path)
        .map_err(|error| Failed::new(format!("cannot read `{shown}`: {error}")))?;
    if text.is_empty() {
        let failed = Failed::new(format!("`{shown}` is empty"));
        return Err(failed.hint("no sweep wrote it: even a part without points has a first line"));
    }
    if !text.ends_with('\n') {
        let failed = Failed::new(format!("`{shown}` ends in the middle of a line"));
        return Err(failed.hint("its sweep was stopped; the same command completes it"));
    }
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let unreadable =
        |error: csv::Error| Failed::new(format!("`{shown}` is no results file: {error}"));
    let header = reader.headers().map_err(unreadable)?.clone();
    if !header.iter().take(FIRST.len()).eq(FIRST) || header.iter().next_back() != Some(LAST) {
        let failed = Failed::new(format!("`{shown}` is not what a sweep writes"));
        return Err(failed.hint("parts are called `sweep.1-of-8.csv`, in `output/SCENARIO/`"));
    }
    let rows: Result<Vec<_>, _> = reader.records().collect();
    let rows = rows.map_err(unreadable)?;
    if let Some(row) = rows.iter().find(|row| !is_sealed(row)) {
        let line = row.position().map_or(0, csv::Position::line);
        let message = format!("line {line} of `{shown}` was changed after it was written");
        let way = "take the file as the sweep wrote it; or remove it, and compute the part again";
        return Err(Failed::new(message).hint(way));
    }
    Ok(Part { path, header, rows })
}

/// Whether two paths are one file.
fn is_one(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        (Err(_), _) | (_, Err(_)) => false,
    }
}

/// The whole, when the parts make one.
fn join(parts: &[Part<'_>]) -> Result<String, Failed> {
    let first = &parts[0];
    let mut points: BTreeMap<usize, (&Part<'_>, &csv::StringRecord)> = BTreeMap::new();
    // Fingerprint and number of points, and the part that said so.
    let mut sweep: Option<(&str, &str, &Part<'_>)> = None;
    for part in parts {
        if part.header != first.header {
            return Err(foreign(first, part));
        }
        for row in &part.rows {
            let [fingerprint, of, point] = [0, 1, 2].map(|place| row.get(place).unwrap_or(""));
            let (known, all, by) = *sweep.get_or_insert((fingerprint, of, part));
            if (known, all) != (fingerprint, of) {
                return Err(foreign(by, part));
            }
            let number = point.parse().ok().zip(of.parse::<usize>().ok());
            let Some((point, _)) = number.filter(|(point, of)| (1..=*of).contains(point)) else {
                let shown = part.path.display();
                return Err(Failed::new(format!(
                    "`{shown}` has a point `{point}` of `{of}`"
                )));
            };
            if let Some((other, _)) = points.insert(point, (part, row)) {
                let (one, two) = (other.path.display(), part.path.display());
                let message = format!("point {point} is in `{one}` and in `{two}`");
                return Err(Failed::new(message).hint("give every part once"));
            }
        }
    }
    let all = sweep.map_or("0", |(_, all, _)| all).parse().unwrap_or(0);
    let missing: Vec<usize> = (1..=all).filter(|it| !points.contains_key(it)).collect();
    match missing[..] {
        [] if all > 0 => {}
        [] => return Err(Failed::new("the parts have no points at all")),
        [one, ..] => {
            let many = counted(missing.len() as u64, "point");
            let message = format!("{many} of {all} missing, the first is {one}");
            let way = "a part was not given, or is not complete: look for `unfinished` in its \
                       folder";
            return Err(Failed::new(message).hint(way));
        }
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    let rows = points.values().map(|(_, row)| *row);
    for row in std::iter::once(&first.header).chain(rows) {
        writer
            .write_record(row)
            .expect("rows of one length go into memory");
    }
    let bytes = writer.into_inner().expect("memory takes them");
    Ok(String::from_utf8(bytes).expect("they were text"))
}

fn foreign(one: &Part<'_>, other: &Part<'_>) -> Failed {
    let (one, other) = (one.path.display(), other.path.display());
    let failed = Failed::new(format!("`{other}` is a part of another sweep than `{one}`"));
    failed.hint(
        "parts have the same scenario, keys and values, seed, replications and version of \
         queuecast",
    )
}

/// Writes the file beside its place and moves it there.
fn write(target: &Path, text: &str) -> Result<(), Failed> {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(".unfinished");
    let beside = target.with_file_name(name);
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, target));
    written.map_err(|error| Failed::new(format!("cannot write `{}`: {error}", target.display())))
}
