//! Every row of the reference tables that involve no chance, from independent calculations handed
//! to the project. Rows marked exact must agree to 1e-12.

use queuecast::formula;

/// Compares every row of a table, and counts them.
fn check(table: &str) -> usize {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let mut wrong = Vec::new();
    let mut rows = 0;
    for record in reader.records() {
        let record = record.expect("the table is well formed");
        let (id, model, params) = (&record[0], &record[1], &record[2]);
        let (quantity, expected) = (&record[3], &record[4]);
        rows += 1;
        let computed = match formula::quantity(model, params, quantity) {
            Ok(value) => value.to_string(),
            Err(error) => error.to_string(),
        };
        if !agree(&computed, expected) {
            wrong.push(format!(
                "{id} {params} {quantity}: {expected}, not {computed}"
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {rows} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    rows
}

/// Words must be equal, numbers within 1e-12 of each other.
fn agree(computed: &str, expected: &str) -> bool {
    match (computed.parse::<f64>(), expected.parse::<f64>()) {
        (Ok(computed), Ok(expected)) => (computed - expected).abs() <= 1e-12 * expected.abs(),
        _ => computed == expected,
    }
}

#[test]
fn outage_with_rejection() {
    let table = include_str!("../data/reference/fluid_outage_reject.csv");
    assert_eq!(check(table), 144);
}

#[test]
fn outage_with_blocked_publishers() {
    let table = include_str!("../data/reference/fluid_outage_block.csv");
    assert_eq!(check(table), 317);
}

#[test]
fn rates_that_change() {
    let table = include_str!("../data/reference/fluid_piecewise.csv");
    assert_eq!(check(table), 149);
}

#[test]
fn steady_arrivals_to_steady_servers() {
    let table = include_str!("../data/reference/ddc.csv");
    assert_eq!(check(table), 45);
}

#[test]
fn a_quantity_takes_any_argument() {
    let quantity =
        |model, params, name| formula::quantity(model, params, name).unwrap().to_string();
    // 123.5 s: 60 s of 1200/s, then 63.5 s at a headroom of 300/s.
    let outage = "segments=0:1200:0|60:1200:1500;bound=100000;policy=reject";
    assert_eq!(
        quantity("fluid piecewise", outage, "level_at_123.5"),
        "52950.0"
    );
    // Two fifths of the drain done, three fifths of 60 s left.
    let outage = "lambda=1200;service=0.04;c=60;outage=60;bound=none";
    assert_eq!(
        quantity("fluid outage, reject", outage, "lag_at_drain_fraction_2/5"),
        "36.0"
    );
    // Arrival 77 is in round 9 of 8 servers, each round waits 100 ms - 80 ms more.
    let queue = "lambda=100;service=deterministic(mean=0.1);c=8";
    assert_eq!(quantity("D/D/c", queue, "wait_of_arrival_77"), "0.18");
}
