//! The smallest place of an ordered list that meets what is asked, and the greatest below it that
//! fails: from a guess by steps that double, then by halves.
//!
//! Not a proof that nothing below meets it: that takes for granted that more helps. Who searches
//! looks at further places.

use super::Standing;

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The smallest place that meets it.
    pub meets: Option<usize>,
    /// The greatest place below it (or at all) that fails.
    pub fails: Option<usize>,
    /// Places between the two at which it is undecided.
    pub open: Vec<usize>,
}

/// Undecided places that are passed on the way down to one that fails.
const MOST_OPEN: usize = 5;

/// Searches places `0..len` by asking `stands`. An undecided place counts as one that does not
/// meet it: the answer is one that is known to.
pub(super) fn smallest<E>(
    len: usize,
    guess: Option<usize>,
    mut stands: impl FnMut(usize) -> Result<Standing, E>,
) -> Result<Found, E> {
    let mut meets = |place| stands(place).map(|it| it == Standing::Meets);
    // Nothing is known of `low - 1`; `high` meets it, or is the end.
    let (mut low, mut high) = (0, len);
    if let Some(guess) = guess.filter(|guess| *guess < len) {
        let mut step = 1;
        if meets(guess)? {
            high = guess;
            while low < high {
                let place = high.saturating_sub(step).max(low);
                if !meets(place)? {
                    low = place + 1;
                    break;
                }
                (high, step) = (place, step * 2);
            }
        } else {
            low = guess + 1;
            while low < len {
                let place = (low + step - 1).min(len - 1);
                if meets(place)? {
                    high = place;
                    break;
                }
                (low, step) = (place + 1, step * 2);
            }
        }
    } else if len > 0 {
        if meets(len - 1)? {
            high = len - 1;
        } else {
            low = len;
        }
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if meets(middle)? {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    let mut found = Found {
        meets: (high < len).then_some(high),
        ..Found::default()
    };
    for place in (0..high).rev().take(MOST_OPEN) {
        match stands(place)? {
            Standing::Open => found.open.push(place),
            Standing::Fails => {
                found.fails = Some(place);
                break;
            }
            Standing::Meets => break,
        }
    }
    found.open.reverse();
    Ok(found)
}

/// How many places one search asks about, at most.
pub(super) fn most_asked(len: usize) -> usize {
    2 * (usize::BITS - len.leading_zeros()) as usize + 2 + MOST_OPEN
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// What a search finds where all from `from` on meet it, and how many places it asks about.
    fn find(len: usize, from: usize, guess: Option<usize>) -> (Found, usize) {
        let mut asked = BTreeSet::new();
        let found = smallest(len, guess, |place| {
            asked.insert(place);
            let meets = place >= from;
            Ok::<_, ()>(if meets {
                Standing::Meets
            } else {
                Standing::Fails
            })
        });
        (found.expect("it cannot fail"), asked.len())
    }

    #[test]
    fn any_guess_leads_to_the_smallest() {
        for len in [1, 2, 7, 40] {
            for from in 0..=len {
                for guess in (0..len).map(Some).chain([None]) {
                    let (found, asked) = find(len, from, guess);
                    assert_eq!(found.meets, (from < len).then_some(from), "{len} {guess:?}");
                    assert_eq!(found.fails, from.checked_sub(1), "{len} {from} {guess:?}");
                    assert!(asked <= most_asked(len), "{asked} of {len}");
                }
            }
        }
        assert_eq!(
            find(400, 64, Some(64)).1,
            2,
            "a right guess needs its neighbour alone"
        );
    }

    #[test]
    fn what_is_undecided_is_passed_and_named() {
        let stands = |place| {
            Ok::<_, ()>(match place {
                0..=3 => Standing::Fails,
                4..=5 => Standing::Open,
                _ => Standing::Meets,
            })
        };
        for guess in [None, Some(2), Some(5), Some(9)] {
            let found = smallest(12, guess, stands).expect("it cannot fail");
            let expected = Found {
                meets: Some(6),
                fails: Some(3),
                open: vec![4, 5],
            };
            assert_eq!(found, expected, "{guess:?}");
        }
    }

    #[test]
    fn nothing_to_search_finds_nothing() {
        assert_eq!(find(0, 0, None).0, Found::default());
    }
}
