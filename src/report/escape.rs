//! Text made safe for HTML and SVG.
//!
//! Not for Markdown or shells.

/// `text` with the five letters escaped that mean something in markup, and without the control
/// characters that XML forbids.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(letter),
            _ if letter.is_control() => safe.push('\u{fffd}'),
            _ => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_that_means_something_in_markup_is_left() {
        assert_eq!(
            escaped("a<b>&\"'\u{1b}[1m\n"),
            "a&lt;b&gt;&amp;&quot;&#39;\u{fffd}[1m\n"
        );
        assert_eq!(escaped("Größe 40 µs"), "Größe 40 µs");
    }
}
