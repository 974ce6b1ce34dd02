//! The map of what comes back after its disturbance, for people and for scripts.
//!
//! Not how it is found: that is [`crate::experiment::stability`].

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::{Map as Object, Value, json};

use super::csv::{cell, write};
use super::files::{WriteError, failed, replace};
use super::grid::{Grid, Side};
use super::number::fixed;
use super::page::{Block, Page, Section};
use super::plot::{Edge, HeatCell, HeatMap, Quantity};
use crate::experiment::stability::{Boundary, Cell, Condition, Map, Outlook, Side as Back};

/// What the letters of a map mean.
const LEGEND: &str = "+ all runs come back, - none, 1 to 9 so many tenths of them; rates alone: \
                      o lets go, x can stay collapsed, ! overloaded";
/// What its page is called.
const PAGE: &str = "stability.html";

/// A key and the values that it takes, as they are written and as JSON has them.
#[derive(Clone, Debug)]
pub struct Key {
    /// Its dotted name.
    pub name: String,
    /// Its values.
    pub values: Vec<(String, Value)>,
}

/// A map with what it was asked of.
#[derive(Clone, Debug)]
pub struct Stability {
    /// The scenario's title.
    pub title: String,
    /// Its path, as it was given.
    pub path: String,
    /// The text of its file.
    pub scenario_text: String,
    /// The command that gives this again.
    pub command: String,
    /// The root of all randomness.
    pub seed: u64,
    /// The metrics that must have happened.
    pub recovered: Vec<String>,
    /// The key along which boundaries are sought.
    pub across: Key,
    /// The other, if there is one.
    pub down: Option<Key>,
    /// The map, whose values are written like those of the keys.
    pub map: Map<String>,
    /// What rates alone say at each point, row by row like the map.
    pub conditions: Vec<Vec<Vec<Condition>>>,
    /// What must be known of it.
    pub notes: Vec<String>,
}

impl Stability {
    fn row_name(&self, row: usize) -> &str {
        self.down
            .as_ref()
            .map_or("", |key| key.values[row].0.as_str())
    }

    /// The text for a terminal: the map in letters, the boundary of each row, what rates say.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}\n\nWhat comes back: a run in which {} happened\n",
            self.title,
            self.recovered.join(" and ")
        );
        let _ = writeln!(
            text,
            "  across  {}, {} to {}",
            self.across.name,
            self.across.values[0].0,
            self.across.values[self.across.values.len() - 1].0
        );
        if let Some(down) = &self.down {
            let _ = writeln!(text, "  down    {}", down.name);
        }
        let _ = writeln!(text, "\nMap");
        text += &self.letters().text();
        for line in LEGEND.split("; ") {
            let _ = writeln!(text, "  {line}");
        }
        text += "\nWhere they cease to\n";
        text += &self.boundaries().text();
        for note in self.notes() {
            let _ = writeln!(text, "  {note}");
        }
        let reasons = self.reasons();
        if !reasons.rows.is_empty() {
            text += "\nWhat rates alone say\n";
            text += &reasons.text();
        }
        text
    }

    /// The map, a letter a point; beside it what rates say.
    fn letters(&self) -> Grid {
        let said = self.conditions.iter().flatten().any(|all| !all.is_empty());
        let name = self.down.as_ref().map_or("", |key| key.name.as_str());
        let mut grid = Grid::new(
            "Share of runs that come back",
            &[name, "simulated"],
            &[Side::Left, Side::Left],
        );
        if said {
            grid.head.push("rates alone".to_owned());
            grid.sides.push(Side::Left);
        }
        for (at, row) in self.map.rows.iter().enumerate() {
            let mut cells = vec![
                self.row_name(at).to_owned(),
                row.iter().map(letter).collect(),
            ];
            if said {
                let worst = |all: &Vec<Condition>| sign(worst(all));
                cells.push(self.conditions[at].iter().map(worst).collect());
            }
            grid.rows.push(cells);
        }
        grid
    }

    fn boundaries(&self) -> Grid {
        let name = self.down.as_ref().map_or("", |key| key.name.as_str());
        let mut grid = Grid::new(
            "Boundaries",
            &[name, "they come back", "half of them", "interval"],
            &[Side::Left, Side::Left, Side::Right, Side::Left],
        );
        let said = self.conditions.iter().flatten().any(|all| !all.is_empty());
        if said {
            grid.head.push("rates alone".to_owned());
            grid.sides.push(Side::Left);
        }
        for (at, found) in self.map.boundaries.iter().enumerate() {
            let [words, median, interval] = match found {
                None => [self.everywhere(at), String::new(), String::new()],
                Some(found) => told(found),
            };
            let mut row = vec![self.row_name(at).to_owned(), words, median, interval];
            row.extend(said.then(|| self.by_rates(at)));
            grid.rows.push(row);
        }
        grid
    }

    /// Between which values rates alone change their mind first; they know nothing of how long the
    /// disturbance is.
    fn by_rates(&self, row: usize) -> String {
        let goes = |at: usize| worst(&self.conditions[row][at]) == Some(Outlook::LetsGo);
        let values = &self.across.values;
        match (1..values.len()).find(|&at| goes(at) != goes(at - 1)) {
            Some(at) => format!("{} to {}", values[at - 1].0, values[at].0),
            None if goes(0) => "everywhere".to_owned(),
            None => "not sure".to_owned(),
        }
    }

    fn everywhere(&self, row: usize) -> String {
        let all = self.map.rows[row].iter().all(|cell| cell.recovered > 0);
        if all { "everywhere" } else { "nowhere" }.to_owned()
    }

    fn notes(&self) -> Vec<String> {
        let found = self.map.boundaries.iter().flatten();
        let crooked: u32 = found.map(|it| it.crooked).sum();
        let mut notes = self.notes.clone();
        if crooked > 0 {
            notes.push(format!(
                "{crooked} runs come back, do not, and do again along the key: their first change \
                 counts"
            ));
        }
        let runs = self.map.rows[0][0].of;
        let lacks = self.map.boundaries.iter().flatten();
        if runs > 1 && lacks.clone().any(|it| it.level.is_none()) {
            notes.push(format!(
                "{runs} runs are too few for an interval: take 6 or more (`--replications`)"
            ));
        }
        notes
    }

    /// What rates say, once for each way of saying it, with the first point of which they do.
    fn reasons(&self) -> Grid {
        let mut grid = Grid::new(
            "What rates alone say",
            &["", "why, and where first"],
            &[Side::Left; 2],
        );
        for (row, column, all) in self.places() {
            for found in all {
                let head = format!("{} {}", found.dependency, found.outlook.word());
                if grid.rows.iter().any(|said| said[0] == head) {
                    continue;
                }
                let mut why = found.because.clone();
                if let [healthy, threshold, _] = found.states[..] {
                    let _ = write!(
                        why,
                        "; mean field: {} of calls time out in the healthy state, and above {} it \
                         does not come back",
                        percent(healthy),
                        percent(threshold)
                    );
                }
                if let Some(critical) = found.critical_outage {
                    let _ = write!(
                        why,
                        "; fluid: not after a full outage above {} s",
                        fixed(critical, 2)
                    );
                }
                let _ = write!(why, "; first at {}", self.place(row, column));
                grid.rows.push(vec![head, why]);
            }
        }
        grid
    }

    fn places(&self) -> impl Iterator<Item = (usize, usize, &Vec<Condition>)> {
        let rows = self.conditions.iter().enumerate();
        rows.flat_map(|(row, all)| {
            let columns = all.iter().enumerate();
            columns.map(move |(column, found)| (row, column, found))
        })
    }

    /// A point in words.
    fn place(&self, row: usize, column: usize) -> String {
        let across = format!("{}={}", self.across.name, self.across.values[column].0);
        match &self.down {
            None => across,
            Some(down) => format!("{}={}, {across}", down.name, down.values[row].0),
        }
    }

    fn set(&self, row: usize, column: Option<usize>) -> Value {
        let mut set = Object::new();
        if let Some(down) = &self.down {
            set.insert(down.name.clone(), down.values[row].1.clone());
        }
        if let Some(column) = column {
            let (_, value) = &self.across.values[column];
            set.insert(self.across.name.clone(), value.clone());
        }
        Value::Object(set)
    }

    /// The map for scripts.
    pub fn json(&self) -> String {
        let points: Vec<Value> = self
            .places()
            .map(|(row, column, all)| {
                let cell = &self.map.rows[row][column];
                json!({
                    "set": self.set(row, Some(column)),
                    "metrics": {
                        "runs": cell.of,
                        "recovered": cell.recovered,
                        "recovered_share": f64::from(cell.recovered) / f64::from(cell.of),
                        "recovered_at": cell.at,
                    },
                    "rates": all.iter().map(rates).collect::<Vec<_>>(),
                })
            })
            .collect();
        let boundaries = self.map.boundaries.iter().enumerate().map(|(row, found)| {
            let found = found.as_ref();
            json!({
                "set": self.set(row, None),
                "key": self.across.name,
                "recovers": found.map(|it| side(it.side)).map_or_else(
                    || Value::from(self.everywhere(row)), Value::from),
                "median": found.and_then(|it| it.median.clone()),
                "low": found.and_then(|it| it.low.clone()),
                "high": found.and_then(|it| it.high.clone()),
                "level": found.and_then(|it| it.level),
                "not_monotone": found.map_or(0, |it| it.crooked),
            })
        });
        let whole = json!({
            "queuecast": env!("CARGO_PKG_VERSION"),
            "scenario": { "title": self.title, "path": self.path, "seed": self.seed },
            "recovered": self.recovered,
            "points": points,
            "boundaries": boundaries.collect::<Vec<_>>(),
            "notes": self.notes(),
        });
        format!("{whole:#}\n")
    }

    /// A line for each point.
    pub fn csv(&self) -> String {
        let keys = self.down.iter().chain([&self.across]);
        let mut head: Vec<String> = keys.map(|key| key.name.clone()).collect();
        head.extend(["runs", "recovered", "recovered_at_s", "rates"].map(str::to_owned));
        let rows = self.places().map(|(row, column, all)| {
            let at = &self.map.rows[row][column];
            let down = self.down.iter().map(|key| key.values[row].0.clone());
            let mut cells: Vec<String> = down.collect();
            cells.extend([
                self.across.values[column].0.clone(),
                at.of.to_string(),
                at.recovered.to_string(),
                cell(at.at),
                cell(worst(all).map(Outlook::word)),
            ]);
            cells
        });
        write(std::iter::once(head).chain(rows))
    }

    /// The picture: the share of runs that come back.
    pub fn heat(&self) -> HeatMap {
        let written = |key: &Key| key.values.iter().map(|(text, _)| text.clone()).collect();
        let up = match &self.down {
            Some(key) => Edge {
                name: key.name.clone(),
                values: written(key),
            },
            None => Edge {
                name: "runs".to_owned(),
                values: vec![self.map.rows[0][0].of.to_string()],
            },
        };
        let cell = |cell: &Cell| {
            let share = f64::from(cell.recovered) / f64::from(cell.of);
            HeatCell {
                value: Some(share),
                met: Some(share >= 0.5),
            }
        };
        HeatMap {
            name: "stability".to_owned(),
            title: "Share of runs that come back".to_owned(),
            across: Edge {
                name: self.across.name.clone(),
                values: written(&self.across),
            },
            up,
            quantity: Quantity::Share,
            cells: self.map.rows.iter().flatten().map(cell).collect(),
            boundary: Some("half of the runs come back".to_owned()),
        }
    }

    /// Writes the page into `folder`, which is made if need be, and returns its path. The page of a
    /// run in the same folder is `report.html`.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, WriteError> {
        std::fs::create_dir_all(folder).map_err(failed("create", folder))?;
        replace(folder, PAGE, self.html().as_bytes())?;
        Ok(folder.join(PAGE))
    }

    /// The page, in one file.
    pub fn html(&self) -> String {
        let asked = format!(
            "A run comes back when {} happened: goodput has come back to its level before the \
             disturbance, and stays.",
            self.recovered.join(" and ")
        );
        let reasons = self.reasons();
        let said = if reasons.rows.is_empty() {
            Vec::new()
        } else {
            vec![Block::Table(reasons)]
        };
        let page = Page {
            title: self.title.clone(),
            made_by: "stability",
            banner: None,
            facts: vec![
                ("seed", self.seed.to_string()),
                ("runs a point", self.map.rows[0][0].of.to_string()),
                ("queuecast", env!("CARGO_PKG_VERSION").to_owned()),
            ],
            sections: vec![
                Section::new(
                    "map",
                    "What comes back",
                    vec![
                        Block::Text(asked),
                        Block::Heat(Box::new(self.heat())),
                        Block::Table(self.letters()),
                        Block::Aside(LEGEND.to_owned()),
                    ],
                ),
                Section::new(
                    "boundary",
                    "Where runs cease to come back",
                    std::iter::once(Block::Table(self.boundaries()))
                        .chain(self.notes().into_iter().map(Block::Aside))
                        .collect(),
                ),
                Section::new("rates", "What rates alone say", said),
                Section::new(
                    "scenario",
                    "The scenario",
                    vec![
                        Block::Code(self.command.clone()),
                        Block::Code(self.scenario_text.clone()),
                    ],
                ),
            ],
            json: self.json(),
        };
        page.html()
    }
}

fn letter(cell: &Cell) -> char {
    match cell.recovered {
        0 => '-',
        all if all == cell.of => '+',
        some => {
            let tenths = (10 * some + cell.of / 2) / cell.of;
            char::from_digit(tenths.clamp(1, 9), 10).unwrap_or('?')
        }
    }
}

/// The worst of what is to be expected of several dependencies.
fn worst(all: &[Condition]) -> Option<Outlook> {
    let rank = |outlook: &Outlook| match outlook {
        Outlook::LetsGo => 0,
        Outlook::CanStay => 1,
        Outlook::Overloaded => 2,
    };
    all.iter().map(|it| it.outlook).max_by_key(rank)
}

fn sign(outlook: Option<Outlook>) -> char {
    match outlook {
        Some(Outlook::LetsGo) => 'o',
        Some(Outlook::CanStay) => 'x',
        Some(Outlook::Overloaded) => '!',
        None => ' ',
    }
}

fn side(side: Back) -> &'static str {
    match side {
        Back::Below => "below",
        Back::Above => "above",
    }
}

/// A boundary in words: on which side, where, how sure.
fn told(found: &Boundary<String>) -> [String; 3] {
    let outside = || "outside".to_owned();
    let end = |it: &Option<String>| it.clone().unwrap_or_else(outside);
    let interval = match found.level {
        None => String::new(),
        Some(level) => format!(
            "{} to {} ({} %)",
            end(&found.low),
            end(&found.high),
            fixed(100.0 * level, 0)
        ),
    };
    [side(found.side).to_owned(), end(&found.median), interval]
}

fn rates(found: &Condition) -> Value {
    json!({
        "dependency": found.dependency,
        "outlook": found.outlook.word(),
        "because": found.because,
        "fresh_per_s": found.fresh,
        "collapsed_per_s": found.collapsed,
        "capacity_per_s": found.capacity,
        "mean_field_timeouts": found.states,
        "critical_outage_s": found.critical_outage,
    })
}

fn percent(share: f64) -> String {
    format!(
        "{} %",
        fixed(100.0 * share, if share < 0.01 { 4 } else { 1 })
    )
}
