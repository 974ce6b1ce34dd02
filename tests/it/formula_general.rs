//! The non-Markovian closed forms and the output analysis against the reference tables
//! (independent calculations handed to the project). Not the simulated rows: those of batch-means
//! coverage say how far a method errs, and no formula gives them.

use queuecast::formula::{self, Value};

/// Checks every row of a table with a closed form; returns how many there were.
fn check(table: &str) -> usize {
    let text = match table {
        "mg1" => include_str!("../data/reference/mg1.csv"),
        "mg1_percentiles" => include_str!("../data/reference/mg1_percentiles.csv"),
        "mdc" => include_str!("../data/reference/mdc.csv"),
        "gim" => include_str!("../data/reference/gim.csv"),
        "ggc" => include_str!("../data/reference/ggc_exact_and_approx.csv"),
        _ => include_str!("../data/reference/output_analysis.csv"),
    };
    let mut wrong = Vec::new();
    let mut rows = 0;
    let mut last = (String::new(), None);
    for record in csv::Reader::from_reader(text.as_bytes()).records() {
        let record = record.unwrap();
        let [id, model, params, quantity, expected, precision] =
            std::array::from_fn(|i| record[i].to_owned());
        if model.starts_with("batch-means coverage") {
            continue;
        }
        let key = format!("{model};{params}");
        if last.0 != key {
            last = (key, formula::open(&model, &params.parse().unwrap()).ok());
        }
        let value = last
            .1
            .as_ref()
            .and_then(|solved| solved.quantity(&quantity));
        if !value.is_some_and(|value| agrees(value, &expected, &precision)) {
            wrong.push(format!(
                "{id} {model} {params} {quantity}: {value:?}, not {expected}"
            ));
        }
        rows += 1;
    }
    assert!(
        wrong.is_empty(),
        "{} of {rows}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    rows
}

/// Within 1e-9 relative, or the row's own precision where that is wider.
fn agrees(value: Value, expected: &str, precision: &str) -> bool {
    let text = value.to_string();
    let (Ok(computed), Ok(expected)) = (text.parse::<f64>(), expected.parse::<f64>()) else {
        return text == expected;
    };
    let mut words = precision.split_whitespace();
    let (kind, size) = (
        words.next(),
        words.next().and_then(|word| word.parse().ok()),
    );
    let (relative, absolute) = match (kind, size) {
        (Some("abs"), Some(size)) => (1e-9, size),
        (Some("rel"), Some(size)) => (f64::max(1e-9, size), 0.0),
        _ => (1e-9, 0.0),
    };
    // A percentile that is zero in exact arithmetic may stand as 4e-51 in a table.
    computed.to_bits() == expected.to_bits()
        || (computed - expected).abs() <= (relative * expected.abs()).max(absolute).max(1e-40)
}

#[test]
fn mg1_means_and_variances() {
    assert_eq!(check("mg1"), 607);
}

#[test]
fn mg1_percentiles() {
    assert_eq!(check("mg1_percentiles"), 154);
}

#[test]
fn mdc() {
    assert_eq!(check("mdc"), 452);
}

#[test]
fn gim() {
    assert_eq!(check("gim"), 745);
}

#[test]
fn ggc_exact_and_approximate() {
    assert_eq!(check("ggc"), 1319);
}

#[test]
fn output_analysis() {
    assert_eq!(check("output_analysis"), 98);
}
