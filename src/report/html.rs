//! The report as one HTML file that is read offline, on a phone or on paper, in light or dark, with
//! eyes, keyboard or screen reader. It asks for nothing from anywhere and runs no script.
//!
//! Not the place where anything is computed: tables and sentences come from the other files.

use std::fmt::Write;

use super::escape::escaped;
use super::grid::{Grid, Side};
use super::names::Names;
use super::number::count;
use super::timeline::{Clock, sentence};
use super::{Report, plot, sources, summary};
use crate::outcome::Moment;

/// A part of the page: its anchor, its heading, and what is in it.
struct Section {
    id: &'static str,
    title: &'static str,
    body: String,
}

impl Report<'_> {
    /// The whole report as a page.
    pub fn html(&self) -> String {
        let sections: Vec<Section> = self
            .sections()
            .into_iter()
            .filter(|section| !section.body.is_empty())
            .collect();
        let mut contents = String::new();
        let mut main = String::new();
        for Section { id, title, body } in &sections {
            let title = escaped(title);
            let _ = writeln!(contents, "<li><a href=\"#{id}\">{title}</a></li>");
            let _ = write!(
                main,
                "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{title}</h2>\n{body}\
                 </section>\n"
            );
        }
        let title = escaped(&self.model.title);
        let partial = self.partial_text().map(|partial| {
            format!(
                "<p class=\"banner\" role=\"note\">{}</p>\n",
                escaped(&partial)
            )
        });
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title} (queuecast)</title>\n<style>\n{}{}</style>\n</head>\n<body>\n\
             <header>\n<h1>{title}</h1>\n{}{}<nav aria-label=\"Contents\">\n<ul>\n{contents}</ul>\n\
             </nav>\n</header>\n<main>\n{main}</main>\n</body>\n</html>\n",
            include_str!("page.css"),
            plot::page_style(),
            partial.unwrap_or_default(),
            self.facts(),
        )
    }

    fn sections(&self) -> [Section; 10] {
        let section = |id, title, body| Section { id, title, body };
        let (readings, below) = sources::tables(self.readings);
        [
            section("expectations", "Expectations", self.expectations_html()),
            section("warnings", "Warnings", list(self.warnings)),
            section("timeline", "Timeline", self.timeline_html()),
            section("pictures", "Pictures", self.pictures_html()),
            section(
                "readings",
                "How it is known",
                table(&readings) + &table(&below),
            ),
            section("summary", "Summary", self.summary_html()),
            section("ledger", "Ledger", self.ledger_html()),
            section("understood", "What was understood", list(self.understood)),
            section("scenario", "The scenario", self.scenario_html()),
            section("again", "Run it again", preformatted(self.command)),
        ]
    }

    /// The file, and what the command changed of it.
    fn scenario_html(&self) -> String {
        let file = preformatted(self.scenario_text);
        match self.command.find(" --") {
            Some(at) if !file.is_empty() => {
                let changes = escaped(self.command[at..].trim_start());
                format!("{file}<p>Run with: <code>{changes}</code></p>\n")
            }
            Some(_) | None => file,
        }
    }

    /// Which run this is, and how it ended.
    fn facts(&self) -> String {
        let ended = self.ended();
        let at = Clock::reaching(ended.at).show(ended.at);
        let facts = [
            ("scenario", self.path.to_owned()),
            (
                "ended",
                format!("{}, {at}", ended.why.word().replace('_', " ")),
            ),
            ("seed", self.model.plan.seed.0.to_string()),
            ("replications", self.runs.len().to_string()),
            ("digest", self.digest_text()),
            ("queuecast", env!("CARGO_PKG_VERSION").to_owned()),
        ];
        let mut list = "<dl>\n".to_owned();
        for (name, fact) in facts {
            let _ = writeln!(list, "<dt>{name}</dt><dd>{}</dd>", escaped(&fact));
        }
        list + "</dl>\n"
    }

    fn expectations_html(&self) -> String {
        let missed = self
            .expectations
            .iter()
            .filter(|expected| !expected.held)
            .count();
        let verdict = match (self.expectations.len(), missed) {
            (0, _) => return String::new(),
            (all, 0) => format!("<p class=\"good\">All {all} held.</p>\n"),
            (all, _) => format!("<p class=\"bad\">{missed} of {all} not held.</p>\n"),
        };
        verdict + &table(&self.expectation_grid())
    }

    fn timeline_html(&self) -> String {
        let run = self.shown();
        let (names, clock) = (Names::of(self.model), Clock::reaching(run.ended.at));
        let mut grid = Grid::new(
            "timeline",
            &["time", "what happened"],
            &[Side::Right, Side::Left],
        );
        let row = |moment: &Moment| {
            vec![
                clock.show(moment.at),
                sentence(self.model, &names, run, moment),
            ]
        };
        grid.rows = run.timeline.iter().map(row).collect();
        self.of_first_html(table(&grid))
    }

    /// Says of `shown` which run it shows, when there are several.
    fn of_first_html(&self, shown: String) -> String {
        match self.runs.len() {
            1 => shown,
            _ if shown.is_empty() => shown,
            runs => format!("<p class=\"muted\">Of the first of {runs} runs.</p>\n{shown}"),
        }
    }

    fn pictures_html(&self) -> String {
        let mut html = String::new();
        for picture in plot::pictures(self.model, self.shown()) {
            let [wide, narrow] = picture.inline();
            let _ = write!(
                html,
                "<figure>\n<div class=\"wide\">{wide}</div>\n<div class=\"narrow\">{narrow}</div>\n\
                 </figure>\n"
            );
        }
        self.of_first_html(html)
    }

    fn summary_html(&self) -> String {
        let mut html = String::new();
        let measured = self.measured();
        if !measured.is_empty() {
            let _ = writeln!(
                html,
                "<p class=\"muted\">{}</p>",
                escaped(measured.trim_matches([' ', '(', ')']))
            );
        }
        for card in summary::cards(self.model, self.measures) {
            let _ = writeln!(html, "<h3>{}</h3>", escaped(&card.name));
            card.grids
                .iter()
                .for_each(|grid| html.push_str(&table(grid)));
        }
        html
    }

    fn ledger_html(&self) -> String {
        let mut html = String::new();
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
            if grid.rows.is_empty() {
                continue;
            }
            let name = escaped(&account.component);
            let _ = writeln!(html, "<h3>{name}</h3>\n{}", table(&grid).trim_end());
        }
        self.of_first_html(html)
    }
}

fn list(lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut html = "<ul>\n".to_owned();
    for line in lines {
        let _ = writeln!(html, "<li>{}</li>", escaped(line));
    }
    html + "</ul>\n"
}

fn preformatted(text: &str) -> String {
    match text.trim_end() {
        "" => String::new(),
        text => format!("<pre tabindex=\"0\"><code>{}</code></pre>\n", escaped(text)),
    }
}

/// A table in a box within which it scrolls, so that a phone's page does not.
fn table(grid: &Grid) -> String {
    if grid.rows.is_empty() {
        return String::new();
    }
    let side = |place: usize| match grid.sides.get(place) {
        Some(Side::Right) => " class=\"right\"",
        Some(Side::Left) | None => "",
    };
    let caption = escaped(&grid.caption);
    let mut html = format!(
        "<div class=\"scroll\" role=\"group\" aria-label=\"{caption}\" tabindex=\"0\">\n<table>\n\
         <caption class=\"unseen\">{caption}</caption>\n"
    );
    if !grid.head.is_empty() {
        html.push_str("<thead><tr>");
        for (place, name) in grid.head.iter().enumerate() {
            let (element, scope) = if name.is_empty() {
                ("td", "")
            } else {
                ("th", " scope=\"col\"")
            };
            let _ = write!(
                html,
                "<{element}{scope}{}>{}</{element}>",
                side(place),
                escaped(name)
            );
        }
        html.push_str("</tr></thead>\n");
    }
    html.push_str("<tbody>\n");
    for row in &grid.rows {
        html.push_str("<tr>");
        for (place, cell) in row.iter().enumerate() {
            let (element, scope) = if place == 0 {
                ("th", " scope=\"row\"")
            } else {
                ("td", "")
            };
            let words = escaped(cell).replace('\n', "<br>");
            let _ = write!(html, "<{element}{scope}{}>{words}</{element}>", side(place));
        }
        html.push_str("</tr>\n");
    }
    html + "</tbody>\n</table>\n</div>\n"
}

#[cfg(test)]
mod tests {
    use crate::report::fixture::Told;

    #[test]
    fn what_a_scenario_says_cannot_become_markup() {
        let html = Told::blocked().report().html();
        assert!(html.contains("<h1>Blocked &lt;publishers&gt; &amp; &quot;two&quot; queues</h1>"));
        assert!(html.contains("&lt;/pre&gt;&lt;script&gt;alert(&#39;no&#39;)&lt;/script&gt;"));
        assert!(!html.contains("<script"));
        assert_eq!(html.matches("</pre>").count(), 2);
    }

    #[test]
    fn a_page_stands_alone_and_is_the_same_to_the_byte() {
        let html = Told::outage().report().html();
        assert_eq!(html, Told::outage().report().html());
        let outside = html.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        for bad in ["http", "url(", "@import", "src=", "NaN"] {
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
    fn a_ledger_has_what_came_in_and_where_it_is() {
        let html = Told::leased().report().html();
        let ledger = html.split("<h2 id=\"ledger\">").nth(1).expect("a ledger");
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
        assert!(banner < html.find("<main>").expect("a body"));
        assert!(!Told::outage().report().html().contains("PARTIAL"));
    }
}
