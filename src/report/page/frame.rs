//! The frame of a page: head, header, contents, sections, data, and the one script.
//!
//! Not what stands in the sections.

use std::fmt::Write;

use super::{Block, Page, chart};
use crate::report::escape::escaped;
use crate::report::plot;

/// What a browser may do with the page: nothing that needs a connection.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// The file.
pub(super) fn html(page: &Page) -> String {
    let mut contents = String::new();
    let mut main = String::new();
    for section in &page.sections {
        let html = section.html();
        if !html.is_empty() {
            let (id, title) = (section.id, escaped(section.title));
            let _ = writeln!(contents, "<li><a href=\"#{id}\">{title}</a></li>");
            main.push_str(&html);
        }
    }
    let title = escaped(&page.title);
    let made_by = page.made_by;
    let banner = page.banner.as_ref().map(|banner| {
        let banner = escaped(banner);
        format!("<p class=\"banner\" role=\"note\">{banner}</p>\n")
    });
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} (queuecast {made_by})</title>\n<style>\n{}{}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to the result</a>\n\
         <header>\n<h1>{title}</h1>\n{}{}<nav aria-label=\"Contents\">\n<ul>\n{contents}</ul>\n\
         </nav>\n</header>\n<main id=\"main\" tabindex=\"-1\">\n{main}</main>\n\
         <footer>\n<p class=\"muted\">Made by queuecast {}. This file asks for nothing from \
         anywhere, and reads the same without its script.</p>\n</footer>\n{}</body>\n</html>\n",
        include_str!("page.css"),
        plot::page_style(),
        banner.unwrap_or_default(),
        facts(page),
        env!("CARGO_PKG_VERSION"),
        scripts(page),
    )
}

fn facts(page: &Page) -> String {
    let mut list = "<dl>\n".to_owned();
    for (name, fact) in &page.facts {
        let _ = writeln!(list, "<div><dt>{name}</dt><dd>{}</dd></div>", escaped(fact));
    }
    list + "</dl>\n"
}

/// The data, and what reads it.
fn scripts(page: &Page) -> String {
    let blocks = page.sections.iter().flat_map(|section| &section.blocks);
    let figures = blocks.flat_map(|block| match block {
        Block::Figures(figures) => figures.as_slice(),
        Block::Text(_)
        | Block::Aside(_)
        | Block::Verdict(..)
        | Block::Heading(_)
        | Block::List(_)
        | Block::Table(_)
        | Block::Timeline(_)
        | Block::Heat(_)
        | Block::Code(_) => &[],
    });
    let charts = chart::data(figures);
    format!(
        "<script type=\"application/json\" id=\"result\">{}</script>\n\
         <script type=\"application/json\" id=\"charts\">{}</script>\n<script>\n{}</script>\n",
        embedded(&page.json),
        embedded(&charts.to_string()),
        include_str!("script.js"),
    )
}

/// JSON that nothing in it can end early: the letter stands in its texts only.
fn embedded(json: &str) -> String {
    json.replace('<', "\\u003c")
}
