//! The page of a comparison.
//!
//! Not its words and tables, which the text has too.

use super::{ArmOrigin, ComparisonReport, overlaid};
use crate::experiment::compare::{Arm, letter};
use crate::report::grid::{Grid, Side};
use crate::report::number::counted;
use crate::report::page::{Block, Instant, Page, Section};
use crate::report::plot;
use crate::units::SimTime;

impl ComparisonReport<'_> {
    /// The whole comparison as a page.
    pub fn html(&self) -> String {
        let comparison = self.comparison;
        let baseline = &comparison.arms[0].model;
        let arms = vec![Block::Table(self.arms()), Block::Table(self.remarks())];
        let figures = plot::overlaid(&overlaid(comparison));
        let page = Page {
            title: format!("{}: compared", baseline.title),
            made_by: "compare",
            banner: self.unfinished(),
            facts: vec![
                ("runs of each", comparison.pairs().to_string()),
                ("seed", baseline.plan.seed.0.to_string()),
                ("queuecast", env!("CARGO_PKG_VERSION").to_owned()),
            ],
            sections: vec![
                Section::new("arms", "What is compared", arms),
                Section::new("differences", "Differences", self.difference_blocks()),
                Section::new("timeline", "Timeline", self.timeline_blocks()),
                Section::new(
                    "pictures",
                    "Pictures",
                    self.of_first(Block::Figures(figures)),
                ),
                Section::new("scenarios", "The scenarios", self.scenario_blocks()),
                Section::new(
                    "again",
                    "Run it again",
                    vec![Block::Code(self.command.to_owned())],
                ),
            ],
            json: self.json(),
        };
        page.html()
    }

    fn unfinished(&self) -> Option<String> {
        let partial = |arm: &Arm| arm.runs.iter().any(|run| run.ended.why.is_partial());
        let arms = self.comparison.arms.iter().enumerate();
        let letters = arms.filter(|(_, arm)| partial(arm));
        let letters: Vec<String> = letters.map(|(at, _)| letter(at).to_string()).collect();
        let named = letters.join(" and ");
        (!letters.is_empty()).then(|| format!("PARTIAL RESULT: a limit stopped runs of {named}"))
    }

    fn arms(&self) -> Grid {
        let sides = [Side::Left, Side::Left, Side::Left, Side::Left];
        let head = if self.origins.iter().any(|it| it.name.is_some()) {
            ["", "name", "what it changes", "digest"]
        } else {
            ["", "title", "scenario", "digest"]
        };
        let mut grid = Grid::new("what is compared", &head, &sides);
        for (at, arm) in self.comparison.arms.iter().enumerate() {
            grid.rows.push(vec![
                letter(at).to_string(),
                self.origins[at]
                    .name
                    .clone()
                    .unwrap_or(arm.model.title.clone()),
                self.changes(at),
                format!("{:016x}", arm.digest),
            ]);
        }
        grid
    }

    /// Every file once, and what the arms change of theirs.
    fn scenario_blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for (at, origin) in self.origins.iter().enumerate() {
            let same =
                |other: &ArmOrigin| (&other.path, &other.text) == (&origin.path, &origin.text);
            let first = self.origins.iter().position(same).unwrap_or(at);
            let lead = if first == at {
                blocks.push(Block::Heading(format!("{}: {}", letter(at), origin.path)));
                blocks.push(Block::Code(origin.text.clone()));
                "With"
            } else {
                let heading = format!("{}: the file of {}", letter(at), letter(first));
                blocks.push(Block::Heading(heading));
                "It with"
            };
            let set = origin
                .set
                .iter()
                .map(|(key, value)| format!("{key} = {value}"));
            let set: Vec<String> = set.collect();
            if !set.is_empty() {
                blocks.push(Block::Text(lead.to_owned()));
                blocks.push(Block::Code(set.join("\n")));
            }
        }
        blocks
    }

    fn difference_blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        if self.side_by_side() {
            let rule = self.rule().map(Block::Text);
            blocks.push(Block::Heading("Side by side".to_owned()));
            blocks.push(Block::Table(self.values()));
            blocks.push(Block::Heading("Differences from A".to_owned()));
            blocks.push(Block::Table(self.gaps()));
            blocks.extend(rule);
            return blocks;
        }
        for arm in 1..self.comparison.arms.len() {
            blocks.push(Block::Heading(format!("{} against A", letter(arm))));
            let (moved, below) = self.found(arm);
            if moved.rows.is_empty() {
                blocks.push(Block::Text("Nothing moves.".to_owned()));
            }
            blocks.extend([Block::Table(moved), Block::Table(below)]);
        }
        blocks
    }

    fn timeline_blocks(&self) -> Vec<Block> {
        let clock = self.clock();
        let instant = |it: super::merged::Merged| {
            let arms: Vec<String> = it.arms.iter().map(|at| letter(*at).to_string()).collect();
            Instant {
                seconds: it.at.as_secs_f64(),
                clock: clock.show(it.at),
                text: format!("{}: {}", arms.join(" "), it.text),
            }
        };
        let instants: Vec<_> = self.merged().into_iter().map(instant).collect();
        self.of_first(Block::Timeline(instants))
    }

    /// Says of which runs something is, when there are several.
    fn of_first(&self, block: Block) -> Vec<Block> {
        let pairs = self.comparison.pairs() as u64;
        let said = match pairs {
            1 => String::new(),
            _ => format!("Of the first of {} of each.", counted(pairs, "run")),
        };
        let ended = self.comparison.arms.iter().map(|arm| arm.runs[0].ended.at);
        if ended.max().is_none_or(|at| at == SimTime::ZERO) {
            return Vec::new();
        }
        vec![Block::Aside(said), block]
    }
}
