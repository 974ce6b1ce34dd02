//! Arguments inside the name of a quantity, such as `Wq_p999` or `P(Wq>0.1)`. Knows no model.

/// The probability above a percentile whose digits follow `prefix`: `Wq_p999` leaves 0.001 above.
///
/// One or two digits are per cent (`p5` is 5 %, `p50` the median); from three on they follow a
/// decimal point (`p999` is 99.9 %); a written point is per cent again (`p99.9`). The tail is
/// found from the decimal digits, because 1 - 0.9 in floating point is not 0.1 and a percentile
/// that is exactly zero would come out as 1e-16.
pub(crate) fn percentile_tail(name: &str, prefix: &str) -> Option<f64> {
    let digits = name.strip_prefix(prefix)?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    if whole.is_empty() || all.len() > 15 || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let places = match (whole.len(), digits.contains('.')) {
        (1 | 2, true) => 2 + fraction.len(),
        (1, false) => 2,
        (_, true) => return None,
        (length, false) => length,
    };
    let scale = 10_u64.pow(places as u32);
    let part = all
        .parse::<u64>()
        .ok()
        .filter(|&part| 0 < part && part < scale)?;
    Some((scale - part) as f64 / scale as f64)
}

/// The number between `prefix` and `suffix`: `P(Wq>0.1)` with `P(Wq>` and `)` is 0.1.
pub(crate) fn number_in(name: &str, prefix: &str, suffix: &str) -> Option<f64> {
    let text = name.strip_prefix(prefix)?.strip_suffix(suffix)?;
    super::params::number(text).filter(|number| number.is_finite())
}

/// The count after `prefix`: `wait_of_arrival_10` is 10.
pub(crate) fn count_in(name: &str, prefix: &str) -> Option<u64> {
    name.strip_prefix(prefix)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_leaves_its_exact_tail() {
        let tail = |name| percentile_tail(name, "Wq_p");
        assert_eq!(tail("Wq_p90"), Some(0.1));
        assert_eq!(tail("Wq_p999"), Some(0.001));
        assert_eq!(tail("Wq_p99.9"), Some(0.001));
        assert_eq!(tail("Wq_p5"), Some(0.95));
        assert_eq!(tail("Wq_p9999"), Some(0.0001));
        for odd in [
            "Wq_p",
            "Wq_p0",
            "Wq_p00",
            "Wq_p-1",
            "Wq_pé",
            "Wq_p.",
            "W_p50",
            "Wq_p999.1",
        ] {
            assert_eq!(tail(odd), None, "{odd}");
        }
    }

    #[test]
    fn numbers_and_counts_sit_inside_names() {
        assert_eq!(number_in("P(Wq>0.25)", "P(Wq>", ")"), Some(0.25));
        assert_eq!(number_in("P(Wq>x)", "P(Wq>", ")"), None);
        assert_eq!(count_in("wait_of_arrival_10", "wait_of_arrival_"), Some(10));
        assert_eq!(count_in("wait_of_arrival_-1", "wait_of_arrival_"), None);
    }
}
