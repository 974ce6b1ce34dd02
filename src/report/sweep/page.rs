//! The page of a sweep.
//!
//! Not its table and its pictures, which are made beside it.

use super::pictures::Picture;
use super::{Axis, Record, Sweep, Tick};
use crate::report::number::counted;
use crate::report::page::{Block, Page, Section, Tone};

impl Sweep<'_> {
    /// The whole sweep as a page.
    pub fn html(&self) -> String {
        let scenario = self.scenario_text.trim_end().to_owned();
        let same = "The same command on the same version gives the same bytes, on any number of \
                    threads or machines.";
        let again = vec![
            Block::Code(self.command.to_owned()),
            Block::Aside(same.to_owned()),
        ];
        let points = vec![Block::Table(self.table()), Block::List(self.notes())];
        let page = Page {
            title: self.title.to_owned(),
            made_by: "sweep",
            banner: self.unfinished(),
            facts: vec![
                ("scenario", self.path.to_owned()),
                ("points", self.places.len().to_string()),
                ("seed", self.seed.to_string()),
                ("queuecast", env!("CARGO_PKG_VERSION").to_owned()),
            ],
            sections: vec![
                Section::new("objectives", "Objectives", self.objective_blocks()),
                Section::new("pictures", "Pictures", self.picture_blocks()),
                Section::new("points", "The points", points),
                Section::new("varied", "What varies", self.varied_blocks()),
                Section::new("scenario", "The scenario", vec![Block::Code(scenario)]),
                Section::new("again", "Run it again", again),
            ],
            json: self.json(),
        };
        page.html()
    }

    fn unfinished(&self) -> Option<String> {
        let stopped = self.partial().count() as u64;
        let points = counted(stopped, "point");
        (stopped > 0).then(|| format!("PARTIAL RESULT: a limit stopped {points}"))
    }

    fn objective_blocks(&self) -> Vec<Block> {
        if self.goals.is_empty() {
            return Vec::new();
        }
        let good: Vec<&Record> = self.records.iter().filter(|it| it.is_good()).collect();
        let all = counted(self.records.len() as u64, "point");
        let verdict = match good.as_slice() {
            [] => Block::Verdict(Tone::Bad, format!("Met at none of {all}.")),
            [first, ..] => {
                let (met, first) = (good.len(), self.name(first.point));
                let said = format!("Met at {met} of {all}, the first of them {first}.");
                Block::Verdict(Tone::Good, said)
            }
        };
        let goals = self.goals.iter().map(|goal| goal.that.clone());
        vec![verdict, Block::List(goals.collect())]
    }

    fn picture_blocks(&self) -> Vec<Block> {
        let mut lines = Vec::new();
        let mut blocks = Vec::new();
        for picture in self.pictures() {
            match picture {
                Picture::Line(figure) => lines.push(figure),
                Picture::Map(map) => blocks.push(Block::Heat(Box::new(map))),
            }
        }
        blocks.push(Block::Figures(lines));
        blocks
    }

    fn varied_blocks(&self) -> Vec<Block> {
        let line = |axis: &Axis| {
            let texts: Vec<&str> = axis.ticks.iter().map(|tick: &Tick| &*tick.text).collect();
            format!("{}: {}", axis.key, texts.join(", "))
        };
        let side = if self.paired {
            "Side by side: the first value of one with the first of the other, and so on."
        } else {
            ""
        };
        vec![
            Block::List(self.axes.iter().map(line).collect()),
            Block::Aside(side.to_owned()),
        ]
    }
}
