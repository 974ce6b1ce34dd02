//! The page of a run: which sections it has, and what stands in each.
//!
//! Not the place where anything is computed, and not HTML: tables and sentences come from the
//! other files, the frame from `page`.

use super::grid::{Grid, Side};
use super::names::Names;
use super::number::count;
use super::page::{Block, Instant, Page, Section, Tone};
use super::timeline::{Clock, sentence};
use super::{Report, plot, sources, summary};
use crate::outcome::Moment;

impl Report<'_> {
    /// The whole report as a page.
    pub fn html(&self) -> String {
        self.page().html()
    }

    fn page(&self) -> Page {
        let (readings, below) = sources::tables(self.readings);
        let readings = vec![Block::Table(readings), Block::Table(below)];
        let warnings = vec![Block::List(self.warnings.to_vec())];
        let understood = vec![Block::List(self.understood.to_vec())];
        Page {
            title: self.model.title.clone(),
            made_by: "run",
            banner: self.partial_text(),
            facts: self.facts(),
            sections: vec![
                Section::new("expectations", "Expectations", self.expected_blocks()),
                Section::new("warnings", "Warnings", warnings),
                Section::new("timeline", "Timeline", self.timeline_blocks()),
                Section::new("pictures", "Pictures", self.picture_blocks()),
                Section::new("readings", "How it is known", readings),
                Section::new("summary", "Summary", self.summary_blocks()),
                Section::new("ledger", "Ledger", self.ledger_blocks()),
                Section::new("understood", "What was understood", understood),
                Section::new("assumptions", "Assumptions", self.assumption_blocks()),
                Section::new("scenario", "The scenario", self.scenario_blocks()),
                Section::new("again", "Run it again", self.command_blocks()),
            ],
            json: self.json(),
        }
    }

    /// The file, and what the command changed of it.
    fn scenario_blocks(&self) -> Vec<Block> {
        let file = self.scenario_text.trim_end();
        match self.command.find(" --") {
            Some(at) if !file.is_empty() => vec![
                Block::Code(file.to_owned()),
                Block::Text("Run with".to_owned()),
                Block::Code(self.command[at..].trim_start().to_owned()),
            ],
            Some(_) | None => vec![Block::Code(file.to_owned())],
        }
    }

    fn command_blocks(&self) -> Vec<Block> {
        let same = "The same command on the same version gives the same digest.";
        vec![
            Block::Code(self.command.to_owned()),
            Block::Aside(same.to_owned()),
        ]
    }

    /// Which run this is, and how it ended.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let ended = self.ended();
        let at = Clock::reaching(ended.at).show(ended.at);
        let why = ended.why.word().replace('_', " ");
        vec![
            ("scenario", self.path.to_owned()),
            ("ended", format!("{why}, {at}")),
            ("seed", self.model.plan.seed.0.to_string()),
            ("replications", self.runs.len().to_string()),
            ("digest", self.digest_text()),
            ("queuecast", env!("CARGO_PKG_VERSION").to_owned()),
        ]
    }

    fn expected_blocks(&self) -> Vec<Block> {
        let held = self.expectations.iter().filter(|expected| expected.held);
        let (all, held) = (self.expectations.len(), held.count());
        let (tone, verdict) = match all - held {
            0 => (Tone::Good, format!("All {all} held.")),
            missed => (Tone::Bad, format!("{missed} of {all} not held.")),
        };
        if all == 0 {
            return Vec::new();
        }
        vec![
            Block::Verdict(tone, verdict),
            Block::Table(self.expectation_grid()),
        ]
    }

    fn timeline_blocks(&self) -> Vec<Block> {
        let run = self.shown();
        let (names, clock) = (Names::of(self.model), Clock::reaching(run.ended.at));
        let instant = |moment: &Moment| Instant {
            seconds: moment.at.as_secs_f64(),
            clock: clock.show(moment.at),
            text: sentence(self.model, &names, run, moment),
        };
        let instants: Vec<_> = run.timeline.iter().map(instant).collect();
        if instants.is_empty() {
            return Vec::new();
        }
        self.of_first(vec![Block::Timeline(instants)])
    }

    /// Says which run these blocks show, when there are several.
    fn of_first(&self, mut blocks: Vec<Block>) -> Vec<Block> {
        let runs = self.runs.len();
        if runs > 1 && !blocks.is_empty() {
            let said = format!("Of the first of {runs} runs.");
            blocks.insert(0, Block::Aside(said));
        }
        blocks
    }

    fn picture_blocks(&self) -> Vec<Block> {
        let figures = plot::pictures(self.model, self.shown());
        if figures.is_empty() {
            return Vec::new();
        }
        self.of_first(vec![Block::Figures(figures)])
    }

    fn summary_blocks(&self) -> Vec<Block> {
        let measured = self.measured();
        let measured = measured.trim_matches([' ', '(', ')']).to_owned();
        let mut blocks = vec![Block::Aside(measured)];
        for card in summary::cards(self.model, self.measures) {
            blocks.push(Block::Heading(card.name));
            blocks.extend(card.grids.into_iter().map(Block::Table));
        }
        blocks
    }

    fn ledger_blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for account in self.ledger() {
            let caption = format!("ledger of {}", account.component);
            let sides = [Side::Left, Side::Right, Side::Right];
            let mut grid = Grid::new(&caption, &["", "came in", "is"], &sides);
            let came = account.came.iter().map(|(name, many)| (name, many, 0));
            let are = account.are.iter().map(|(name, many)| (name, many, 1));
            // What is zero is no part of a sum.
            for (name, many, column) in came.chain(are).filter(|(_, many, _)| **many > 0) {
                let mut row = vec![(*name).to_owned(), String::new(), String::new()];
                row[1 + column] = count(*many);
                grid.rows.push(row);
            }
            if !grid.rows.is_empty() {
                blocks.extend([Block::Heading(account.component), Block::Table(grid)]);
            }
        }
        self.of_first(blocks)
    }
}

#[cfg(test)]
mod tests {
    use crate::report::fixture::Told;

    #[test]
    fn what_a_scenario_says_cannot_become_markup() {
        let html = Told::blocked().report().html();
        assert!(html.contains("<h1>Blocked &lt;publishers&gt; &amp; &quot;two&quot; queues</h1>"));
        assert!(html.contains("&lt;/pre&gt;&lt;script&gt;alert(&#39;no&#39;)&lt;/script&gt;"));
        // The result, the charts, and what reads them.
        assert_eq!(html.matches("<script").count(), 3);
        assert_eq!(html.matches("</script").count(), 3);
        // The file, what changed it, and the command.
        assert_eq!(html.matches("</pre>").count(), 3);
    }

    #[test]
    fn a_page_stands_alone_and_is_the_same_to_the_byte() {
        let html = Told::outage().report().html();
        assert_eq!(html, Told::outage().report().html());
        // A name, not an address.
        let outside = html.replace("http://www.w3.org/2000/svg", "");
        for bad in ["http:", "https:", "url(", "@import", "src=", "NaN", "fetch"] {
            assert!(!outside.contains(bad), "{bad}");
        }
        let ids: Vec<&str> = html
            .split(" id=\"")
            .skip(1)
            .filter_map(|s| s.split('"').next())
            .collect();
        let mut once = ids.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), ids.len(), "an id names one thing");
        for referred in html
            .split("href=\"#")
            .skip(1)
            .filter_map(|s| s.split('"').next())
        {
            assert!(ids.contains(&referred), "{referred}");
        }
    }

    #[test]
    fn a_page_carries_the_result_as_its_file_has_it() {
        let told = Told::outage();
        let html = told.report().html();
        let start = "<script type=\"application/json\" id=\"result\">";
        let (_, behind) = html.split_once(start).expect("the result");
        let (json, _) = behind.split_once("</script>").expect("its end");
        assert_eq!(json.replace("\\u003c", "<"), told.report().json());
    }

    #[test]
    fn every_picture_has_its_numbers_and_its_words() {
        let html = Told::outage().report().html();
        let pictures = html.matches("<figure").count();
        assert_eq!(pictures, 4);
        for each in ["</details>", "<title id=", "<desc id="] {
            let times = if each == "</details>" { 1 } else { 2 };
            assert_eq!(html.matches(each).count(), times * pictures, "{each}");
        }
        // A minute in: 1,200/s with nobody to take them.
        let row = "<th scope=\"row\" class=\"right\">60 s</th><td class=\"right\">72,000</td>";
        let minute = row.replace("60 s", "1 min");
        assert!(html.contains(row) || html.contains(&minute), "{html}");
    }

    #[test]
    fn a_ledger_has_what_came_in_and_where_it_is() {
        let html = Told::leased().report().html();
        let ledger = html.split("<h2 id=\"ledger\">").nth(1).expect("a ledger");
        let ledger = ledger.split("</section>").next().expect("its end");
        let row = |name: &str, came: &str, is: &str| {
            let cell = "</td><td class=\"right\">";
            let row = format!("<th scope=\"row\">{name}</th><td class=\"right\">{came}{cell}{is}<");
            assert!(ledger.contains(&row), "{row} is not in {ledger}");
        };
        row("accepted", "1,000", "");
        row("redriven_in", "6", "");
        row("completed", "", "996");
        row("dead_lettered", "", "10");
        row("dead_letters", "10", "");
        row("waiting", "", "4");
        assert!(!ledger.contains("expired"));
    }

    #[test]
    fn a_partial_result_says_so_at_the_top() {
        let html = Told::blocked().report().html();
        let banner = html
            .find("PARTIAL RESULT: stopped at 420 s by the horizon")
            .expect("a banner");
        assert!(banner < html.find("<main").expect("a body"));
        assert!(!Told::outage().report().html().contains("PARTIAL"));
    }
}
