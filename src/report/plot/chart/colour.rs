//! The colours of a map: from light to dark, so that more is darker to every eye.
//!
//! Not the palette of lines.

/// Five colours of "viridis" (van der Walt and Smith 2015, cited from memory), which grows evenly
/// in lightness and keeps its order in grey and with any kind of colour vision; here from its
/// light end.
const STOPS: [[f64; 3]; 5] = [
    [253.0, 231.0, 37.0],
    [94.0, 201.0, 98.0],
    [33.0, 145.0, 140.0],
    [59.0, 82.0, 139.0],
    [68.0, 1.0, 84.0],
];

/// The colour of a share between 0 and 1, as `#rrggbb`.
pub(super) fn of(share: f64) -> String {
    let [red, green, blue] = mixed(share).map(|part| part.round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Whether a text on the colour must be light.
pub(super) fn is_dark(share: f64) -> bool {
    let [red, green, blue] = mixed(share);
    // The weights of ITU-R BT.601.
    0.299 * red + 0.587 * green + 0.114 * blue < 140.0
}

fn mixed(share: f64) -> [f64; 3] {
    let last = STOPS.len() - 1;
    let place = share.clamp(0.0, 1.0) * last as f64;
    let low = (place as usize).min(last - 1);
    let part = place - low as f64;
    let mix = |at: usize| STOPS[low][at] + part * (STOPS[low + 1][at] - STOPS[low][at]);
    [mix(0), mix(1), mix(2)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_those_of_the_palette_and_lightness_falls() {
        assert_eq!((of(0.0).as_str(), of(1.0).as_str()), ("#fde725", "#440154"));
        let light = |share: f64| {
            let [red, green, blue] = mixed(share);
            0.299 * red + 0.587 * green + 0.114 * blue
        };
        for step in 0..100_u8 {
            let share = f64::from(step) / 100.0;
            assert!(light(share) > light(share + 0.01), "{share}");
        }
        assert!(!is_dark(0.0) && is_dark(1.0));
    }
}
