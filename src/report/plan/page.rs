//! The page of a plan.
//!
//! Not its words and tables, which the text has too.

use super::{PlanReport, Wanted};
use crate::experiment::plan::{Examined, Standing};
use crate::experiment::readings::read;
use crate::report::assumptions::ALWAYS;
use crate::report::grid::{Grid, Side};
use crate::report::number::count;
use crate::report::page::{Block, Page, Section, Tone};
use crate::report::sources;

impl PlanReport<'_> {
    /// The whole plan as a page.
    pub fn html(&self) -> String {
        let scenario = self.scenario_text.trim_end().to_owned();
        let same = "The same command on the same version gives the same bytes, on any number of \
                    threads.";
        let again = vec![
            Block::Code(self.command.to_owned()),
            Block::Aside(same.to_owned()),
        ];
        let carries = self.headroom.iter().map(|it| self.carries(it));
        let page = Page {
            title: format!("{}: planned", self.title),
            made_by: "plan",
            banner: None,
            facts: self.facts(),
            sections: vec![
                Section::new("answer", "The answer", self.answer_blocks()),
                Section::new("objectives", "Objectives", vec![Block::Table(self.needs())]),
                Section::new("pictures", "Pictures", vec![Block::Figures(self.figures())]),
                Section::new(
                    "examined",
                    "Everything that was run",
                    self.examined_blocks(),
                ),
                Section::new("headroom", "Headroom", vec![Block::List(carries.collect())]),
                Section::new("readings", "How it is known", self.reading_blocks()),
                Section::new("warnings", "Warnings", self.warning_blocks()),
                Section::new("assumptions", "Assumptions", self.assumption_blocks()),
                Section::new("scenario", "The scenario", vec![Block::Code(scenario)]),
                Section::new("again", "Run it again", again),
            ],
            json: self.json(),
        };
        page.html()
    }

    /// The root of all randomness.
    pub(super) fn seed(&self) -> Option<u64> {
        Some(self.plan.examined.first()?.model.plan.seed.0)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let runs: usize = self.plan.examined.iter().map(|it| it.runs.len()).sum();
        let mut facts = vec![
            ("scenario", self.path.to_owned()),
            ("values", self.axis.ticks.len().to_string()),
            ("runs", count(runs as u64)),
        ];
        facts.extend(self.seed().map(|seed| ("seed", seed.to_string())));
        if let Some(shown) = self.shown() {
            let at = self.value(shown.place);
            facts.push(("digest", format!("{:016x} (at {at})", shown.digest())));
        }
        facts.push(("queuecast", env!("CARGO_PKG_VERSION").to_owned()));
        facts
    }

    /// The value that the page says most of: the answer, or else the last that fails.
    fn shown(&self) -> Option<&Examined> {
        let found = &self.plan.found;
        self.plan.of(found.meets.or(found.fails)?)
    }

    fn answer_blocks(&self) -> Vec<Block> {
        let tone = match self.plan.found.meets {
            Some(_) => Tone::Good,
            None => Tone::Bad,
        };
        let said = self.answer().rows;
        let mut blocks: Vec<Block> = Vec::new();
        for (place, row) in said.into_iter().enumerate() {
            blocks.push(match place {
                0 => Block::Verdict(tone, format!("{}.", row[1])),
                _ => Block::Text(format!("{}: {}", capital(&row[0]), row[1])),
            });
        }
        if let Some(place) = self.plan.found.fails {
            blocks.extend(
                self.plan
                    .of(place)
                    .map(|it| Block::Text(self.neighbour(it))),
            );
        }
        blocks
    }

    /// The value before the answer, with the numbers by which it fails.
    fn neighbour(&self, value: &Examined) -> String {
        let failing = value.standings.iter().enumerate();
        let failing = failing.filter(|(_, (standing, _))| *standing == Standing::Fails);
        let one = |(index, _): (usize, _)| {
            let asked = &self.objectives[index];
            format!(
                "{} is {}, and {} is asked for",
                asked.metric,
                self.observed(value, index),
                asked.text
            )
        };
        let each: Vec<String> = failing.map(one).collect();
        let less = match self.wanted {
            Wanted::Smallest => "less",
            Wanted::Largest => "more",
        };
        let value = self.value(value.place);
        let lead = match self.plan.found.meets {
            Some(_) => format!("One step {less}, {value}, fails"),
            None => format!("At {value}, the last of them"),
        };
        format!("{lead}: {}.", each.join("; "))
    }

    fn examined_blocks(&self) -> Vec<Block> {
        let all = self.plan.examined.iter();
        let key = self.axis.key.rsplit('.').next().unwrap_or(&self.axis.key);
        let mut digests = Grid::new(
            "the histories",
            &[key, "runs", "digest"],
            &[Side::Right, Side::Right, Side::Left],
        );
        digests.rows = all.clone().map(|it| self.history(it)).collect();
        vec![
            Block::Table(self.observations("everything that was run", all)),
            Block::Text(format!("Decided {}.", self.decided())),
            Block::Text(format!("Order: {}.", self.order())),
            Block::List(self.notes()),
            Block::Heading("Digests".to_owned()),
            Block::Table(digests),
        ]
    }

    fn history(&self, value: &Examined) -> Vec<String> {
        vec![
            self.value(value.place).to_owned(),
            value.runs.len().to_string(),
            format!("{:016x}", value.digest()),
        ]
    }

    fn reading_blocks(&self) -> Vec<Block> {
        let Some(shown) = self.shown() else {
            return Vec::new();
        };
        let readings = read(&shown.model, &shown.measures, &shown.runs);
        let (table, below) = sources::tables(&readings);
        let at = format!("At {} = {}.", self.axis.key, self.value(shown.place));
        vec![Block::Aside(at), Block::Table(table), Block::Table(below)]
    }

    fn warning_blocks(&self) -> Vec<Block> {
        vec![Block::List(self.warnings.to_vec())]
    }

    fn assumption_blocks(&self) -> Vec<Block> {
        let mut lines: Vec<String> = ALWAYS.map(str::to_owned).into();
        lines.push(
            "More of the key is taken to help everywhere but where values were run.".to_owned(),
        );
        if self.plan.by_chance() {
            let shared = "All values meet the same random numbers: they differ by the key alone.";
            lines.push(shared.to_owned());
        }
        vec![Block::List(lines)]
    }
}

/// A word that begins a sentence.
fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|it| it.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
