//! A plan as text for a terminal, 80 columns.
//!
//! Not every value that was run: JSON and CSV carry them all.

use std::fmt::Write;

use super::{PlanReport, Wanted, absent};
use crate::experiment::plan::{By, Examined, FIRST_LOOK, Headroom, Measure, Standing};
use crate::outcome::Unit;
use crate::report::grid::{Grid, Side};
use crate::report::number::{between, counted, plain};

impl PlanReport<'_> {
    /// The whole plan as text.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n{}\n\n", self.title, self.path);
        text.push_str(&self.answer().text());
        let _ = write!(text, "\n{}", self.needs().text());
        let _ = write!(text, "\n{}", self.evidence().text());
        let mut below = Grid::new("more", &[], &[Side::Left, Side::Left]);
        let mut say = |what: &str, said: String| below.rows.push(vec![what.to_owned(), said]);
        say("decided", self.decided());
        say("order", self.order());
        for (place, headroom) in self.headroom.iter().enumerate() {
            say(
                if place == 0 { "headroom" } else { "" },
                self.carries(headroom),
            );
        }
        for note in self.notes() {
            say("note", note);
        }
        let _ = write!(text, "\n{}", below.text());
        text
    }

    /// The answer, what binds, and what is open.
    pub(super) fn answer(&self) -> Grid {
        let (plan, key, wanted) = (self.plan, &self.axis.key, self.wanted.word());
        let mut grid = Grid::new("answer", &[], &[Side::Left, Side::Left]);
        let mut say = |what: &str, said: String| grid.rows.push(vec![what.to_owned(), said]);
        let [first, last] = match self.wanted {
            Wanted::Smallest => [0, self.axis.ticks.len() - 1],
            Wanted::Largest => [self.axis.ticks.len() - 1, 0],
        };
        let (first, last) = (self.value(first), self.value(last));
        let many = counted(self.axis.ticks.len() as u64, "value");
        let all = match self.objectives.len() {
            1 => "its objective".to_owned(),
            many => format!("all {many} objectives"),
        };
        match plan.found.meets {
            Some(place) => {
                let value = self.value(place);
                let of = format!("the {wanted} of {first} to {last} ({many}) that meets {all}");
                say("answer", format!("{key} = {value}, {of}"));
            }
            None => say(
                "answer",
                format!("none of {first} to {last} ({many}) meets {all}"),
            ),
        }
        let binding = plan
            .binding
            .iter()
            .map(|index| self.objectives[*index].text.as_str());
        let binding: Vec<_> = binding.collect();
        if !binding.is_empty() {
            say("binding", binding.join("; "));
        } else if plan.found.meets.is_some() {
            say(
                "binding",
                "none: the range begins with a value that is enough".to_owned(),
            );
        }
        for unmet in &plan.unmet {
            say("unmet", self.unmet(unmet));
            say("try", self.instead(unmet));
        }
        if !plan.found.open.is_empty() {
            let open = plan.found.open.iter().map(|place| self.value(*place));
            let open = open.collect::<Vec<_>>().join(", ");
            say(
                "undecided",
                format!(
                    "{open}: still open after {}; more may tell: `--replications {}`",
                    counted(plan.most_runs.into(), "run"),
                    4 * plan.most_runs
                ),
            );
        }
        grid
    }

    /// What each objective would need alone.
    pub(super) fn needs(&self) -> Grid {
        let head = ["objective", "alone", "closed form", "fluid"];
        let sides = [Side::Left, Side::Right, Side::Right, Side::Right];
        let mut grid = Grid::new("what each objective needs", &head, &sides);
        let cell = |place: Option<usize>| place.map_or("-", |it| self.value(it)).to_owned();
        for (index, objective) in self.objectives.iter().enumerate() {
            let [exact, fluid] = self.plan.predicted[index];
            let alone = match self.plan.alone[index].meets {
                Some(place) => self.value(place).to_owned(),
                None => "none".to_owned(),
            };
            grid.rows.push(vec![
                objective.text.clone(),
                alone,
                cell(exact),
                cell(fluid),
            ]);
        }
        grid
    }

    /// The answer, its neighbour that fails, and what is open between them.
    fn evidence(&self) -> Grid {
        let found = &self.plan.found;
        let shown = found.fails.into_iter().chain(found.open.iter().copied());
        let shown = shown.chain(found.meets);
        self.observations("evidence", shown.filter_map(|place| self.plan.of(place)))
    }

    /// How each objective stands at each of these values.
    pub(super) fn observations<'a>(
        &self,
        caption: &str,
        shown: impl Iterator<Item = &'a Examined>,
    ) -> Grid {
        let by_form = self.plan.examined.iter().flat_map(|it| &it.standings);
        let mut by_form = by_form.map(|(_, by)| *by);
        let by_form = by_form.any(|by| match by {
            By::ClosedForm | By::FormAgainstRuns | By::RunsAgainstForm => true,
            By::Simulation | By::Limit(_) => false,
        });
        let key = self.axis.key.as_str();
        let mut head = vec![key, "objective", "observed", "runs", "stands"];
        let mut sides = vec![
            Side::Right,
            Side::Left,
            Side::Right,
            Side::Right,
            Side::Left,
        ];
        if by_form {
            head.insert(2, "closed form");
            sides.insert(2, Side::Right);
        }
        // A long key would leave no room for what stands under it.
        if key.len() > 12 {
            head[0] = key.rsplit('.').next().unwrap_or(key);
        }
        let mut grid = Grid::new(caption, &head, &sides);
        for value in shown {
            for index in 0..self.objectives.len() {
                let mut row = vec![
                    self.value(value.place).to_owned(),
                    self.objectives[index].text.clone(),
                    self.observed(value, index),
                    value.runs.len().to_string(),
                    stands(value.standings[index]),
                ];
                if by_form {
                    row.insert(2, self.by_form(value, index));
                }
                grid.rows.push(row);
            }
        }
        grid
    }

    pub(super) fn observed(&self, value: &Examined, index: usize) -> String {
        let objective = &self.objectives[index];
        let place = value.measures.catalogue().position(&objective.metric);
        let present = place.map_or(0, |place| value.measures.present(place));
        if present < value.runs.len() && present > 0 {
            return format!("in {present} of {} runs", value.runs.len());
        }
        match (self.interval(value, index), self.mean(value, index)) {
            (Some(interval), _) => between(&interval, objective.unit),
            (None, Some(mean)) => plain(mean, objective.unit),
            (None, None) => absent(objective.unit).to_owned(),
        }
    }

    fn by_form(&self, value: &Examined, index: usize) -> String {
        let unit = self.objectives[index].unit;
        match &value.exact[index] {
            Some(known) => known.value.map_or("never".to_owned(), |it| plain(it, unit)),
            None => "-".to_owned(),
        }
    }

    /// By what it was decided, and how sure that is.
    pub(super) fn decided(&self) -> String {
        let plan = self.plan;
        if !plan.by_chance() {
            return "by one run of each value: nothing is left to chance".to_owned();
        }
        let level = 100.0 * plan.level;
        let standings = plan.examined.iter().flat_map(|it| &it.standings);
        let by: Vec<By> = standings.map(|(_, by)| *by).collect();
        let mut said = format!(
            "by 20 to {} runs of each value, until the mean lies on one side of what is asked; \
             all decisions together hold at {level} %",
            plan.most_runs
        );
        let few = |it: &Examined| it.runs.len() < FIRST_LOOK.min(plan.most_runs) as usize;
        let stopped = |it: &Examined| it.runs.iter().any(|run| run.ended.why.is_partial());
        if plan.examined.iter().any(|it| few(it) && !stopped(it)) {
            said += "; where there shall be none, one run that has some is enough";
        }
        if by.contains(&By::ClosedForm) {
            said += "; where a closed form is exact it decides, and the runs do not contradict it";
        }
        if by.contains(&By::FormAgainstRuns) {
            said += "; of some values only the closed form says that they fail: runs so short do \
                     not show what the long run does";
        }
        if by.contains(&By::RunsAgainstForm) {
            said += "; of some values only the runs say that they fail: so short, they are not \
                     the long run of the closed form";
        }
        said
    }

    /// Whether more helped wherever it was looked.
    pub(super) fn order(&self) -> String {
        let names = |places: &[usize]| {
            let names: Vec<_> = places.iter().map(|place| self.value(*place)).collect();
            names.join(", ")
        };
        let plan = self.plan;
        if !plan.exceptions.is_empty() {
            let stands = |place: &usize| {
                let standing = plan.of(*place).map(Examined::standing);
                let word = standing.map_or("unknown", Standing::word);
                format!("{} {word}", self.value(*place))
            };
            let odd: Vec<_> = plan.exceptions.iter().map(stands).collect();
            return format!(
                "NOT IN ORDER: {}; between the values that were run there may be others, which \
                 `queuecast sweep` shows",
                odd.join(", ")
            );
        }
        if plan.checked.is_empty() {
            return "no further value was run; that more helps is taken for granted".into();
        }
        format!(
            "further values stand as they should: {}; that the rest do is taken for granted",
            names(&plan.checked)
        )
    }

    pub(super) fn carries(&self, it: &Headroom) -> String {
        let unit = match it.strain.measure {
            Measure::Duration => Unit::Seconds,
            Measure::Rate => Unit::PerSecond,
        };
        let shown = |value: f64| plain(value, unit);
        let (what, now) = (&it.strain.what, shown(it.strain.now));
        let up_to = shown(it.up_to);
        let Some(beyond) = it.beyond else {
            return format!("survives {what} up to {up_to} at least ({now} now)");
        };
        let fails = it
            .fails
            .iter()
            .map(|index| self.objectives[*index].text.as_str());
        let fails: Vec<_> = fails.collect();
        format!(
            "survives {what} up to {up_to} ({now} now); at {} not: {}",
            shown(beyond),
            fails.join("; ")
        )
    }
}

fn stands((standing, by): (Standing, By)) -> String {
    match by {
        By::Limit(why) => format!("fails: stopped by {}", why.stopper()),
        By::Simulation | By::ClosedForm | By::FormAgainstRuns | By::RunsAgainstForm => {
            standing.word().to_owned()
        }
    }
}
