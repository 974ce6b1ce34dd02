//! Labels that must not lie on each other.
//!
//! Not their text, nor how it is drawn.

/// Moves the places of labels apart until neighbours are `gap` away from each other, all between
/// `low` and `high`, in the order of where they would like to be.
pub(super) fn spread(wanted: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    let mut placed = wanted.to_vec();
    let mut free_from = low;
    for &place in &order {
        placed[place] = placed[place].max(free_from);
        free_from = placed[place] + gap;
    }
    let mut free_to = high;
    for &place in order.iter().rev() {
        placed[place] = placed[place].min(free_to);
        free_to = placed[place] - gap;
    }
    placed
}

/// About how wide a text is, as a share of the size of its letters: on the wide side for the
/// fonts that browsers have, so that nothing is cut off.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let share = |letter: char| match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | '\'' | '|' => 0.32,
        ' ' | 't' | 'f' | 'r' | '(' | ')' | '-' | '/' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' => 0.98,
        'A'..='Z' => 0.72,
        _ if letter.is_ascii() => 0.63,
        _ => 1.0,
    };
    size * text.chars().map(share).sum::<f64>()
}

/// As much of a text as there is room for.
pub(super) fn cut(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut kept = text.to_owned();
    while width(&kept, size) + size > room && kept.pop().is_some() {}
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_distance_and_their_order() {
        let placed = spread(&[50.0, 50.0, 10.0, 99.0], 14.0, 0.0, 100.0);
        assert_eq!(placed, [50.0, 64.0, 10.0, 99.0]);
        let at_the_floor = spread(&[100.0, 100.0, 100.0], 14.0, 0.0, 100.0);
        assert_eq!(at_the_floor, [72.0, 86.0, 100.0]);
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(cut("orders", 13.0, 100.0), "orders");
        let name = cut("a-queue-with-a-name-that-goes-on-for-ever", 13.0, 100.0);
        assert!(name.ends_with('…') && width(&name, 13.0) <= 100.0, "{name}");
    }
}
