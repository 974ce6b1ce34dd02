//! Numbers as the sentences of an experiment write them.
//!
//! Not the numbers of a report.

/// A share in per cent, to two digits: `38 %`, `0.7 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", two_digits(100.0 * share))
}

/// How many times, to two digits: `14`, `2.5`.
pub(super) fn times(factor: f64) -> String {
    two_digits(factor)
}

/// A large number of messages: `850 million`.
pub(super) fn many(count: f64) -> String {
    for (size, word) in [(1e12, "trillion"), (1e9, "billion"), (1e6, "million")] {
        if count >= size {
            return format!("{} {word}", two_digits(count / size));
        }
    }
    two_digits(count)
}

/// A rate, to four digits: `80`, `24.06`.
pub(super) fn rate(per_second: f64) -> String {
    digits(per_second, 4)
}

fn two_digits(number: f64) -> String {
    digits(number, 2)
}

fn digits(number: f64, digits: i32) -> String {
    if number == 0.0 || !number.is_finite() {
        return number.to_string();
    }
    let shift = 10_f64.powi(digits - 1 - number.abs().log10().floor() as i32);
    // Divided rather than multiplied, so that 0.7 is written as 0.7.
    ((number * shift).round() / shift).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_digits_are_enough() {
        assert_eq!(percent(0.384), "38 %");
        assert_eq!(percent(0.0071), "0.71 %");
        assert_eq!(percent(1.0), "100 %");
        assert_eq!(times(14.4), "14");
        assert_eq!(times(2.54), "2.5");
        assert_eq!(many(848_000_000.0), "850 million");
        assert_eq!(many(1.55e9), "1.6 billion");
        assert_eq!(many(1234.0), "1200");
        assert_eq!(
            (rate(80.0), rate(24.0625)),
            ("80".to_owned(), "24.06".to_owned())
        );
    }
}
