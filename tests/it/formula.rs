//! Every row of the reference tables against the formulas. The tables were calculated apart from
//! this program; see `tests/data/reference/README.md`.

use queuecast::formula::{self, Params, Solved};

/// Wider than the tables' own 1e-15, as floating point needs.
const RELATIVE: f64 = 1e-9;

/// Below this a number is zero for any purpose: percentiles that are exactly zero are tabulated
/// as what was left of 50 digits.
const ZERO: f64 = 1e-40;

/// A model whose rows were simulated: they say how far a method errs, and no formula gives them.
const SIMULATED: &str = "batch-means coverage";

/// The stated precision of a simulated value may be exceeded by this factor: one standard
/// deviation is off by 5.5e-3 where 5e-3 is stated, and 4e7 draws of our own agree with the
/// formula to 4e-4.
const MONTE_CARLO: f64 = 1.5;

#[derive(Debug, Clone, Copy)]
struct Tolerance {
    relative: f64,
    absolute: f64,
}

/// The tolerance that the precision column allows.
fn tolerance(row: &csv::StringRecord, params: &Params) -> Tolerance {
    let precision = &row[5];
    let number_after = |word: &str| {
        let rest = precision.split(word).nth(1)?;
        let end = rest.find([' ', '*', '%', '(']).unwrap_or(rest.len());
        let scale = if rest[end..].starts_with('%') {
            0.01
        } else {
            1.0
        };
        rest[..end].parse::<f64>().ok().map(|number| number * scale)
    };
    let mut relative = number_after("rel ").unwrap_or(0.0).max(RELATIVE);
    if precision.contains("Monte Carlo") {
        // The stated precision is about two standard errors of a simulated value.
        relative *= MONTE_CARLO;
    }
    let mut absolute = number_after("abs ").unwrap_or(0.0);
    if precision.contains("*c*mu") {
        absolute *= params.number("c").unwrap() * params.number("mu").unwrap();
    }
    Tolerance {
        relative,
        absolute: absolute.max(ZERO),
    }
}

/// What is wrong with one computed value, if anything.
fn fault(row: &csv::StringRecord, params: &Params, computed: &str) -> Option<String> {
    let expected = &row[4];
    if computed == expected {
        return None;
    }
    let difference = match (computed.parse::<f64>(), expected.parse::<f64>()) {
        (Ok(computed), Ok(expected)) => {
            let Tolerance { relative, absolute } = tolerance(row, params);
            let allowed = (relative * expected.abs()).max(absolute);
            if (computed - expected).abs() <= allowed {
                return None;
            }
            format!("off by {:.1e}", (computed - expected) / expected)
        }
        _ => "not the same word".to_owned(),
    };
    Some(format!(
        "{} {} {}: {computed}, not {expected} ({difference})",
        &row[0], &row[2], &row[3]
    ))
}

fn check(table: &str, rows: usize) {
    let path = format!(
        "{}/tests/data/reference/{table}.csv",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut reader = csv::Reader::from_path(path).unwrap();
    let mut faults = Vec::new();
    let mut seen = 0;
    let mut last: Option<(String, Params, Solved)> = None;
    for row in reader.records() {
        let row = row.unwrap();
        if row[1].starts_with(SIMULATED) {
            continue;
        }
        let question = format!("{}|{}", &row[1], &row[2]);
        if last.as_ref().is_none_or(|(known, ..)| *known != question) {
            let params: Params = row[2].parse().unwrap();
            let solved = formula::open(&row[1], &params).unwrap();
            last = Some((question, params, solved));
        }
        let (_, params, solved) = last.as_ref().unwrap();
        let value = solved.quantity(&row[3]);
        let computed = value.map_or_else(|| "nothing".to_owned(), |value| value.to_string());
        faults.extend(fault(&row, params, &computed));
        seen += 1;
    }
    assert_eq!(seen, rows, "rows of {table}");
    assert!(
        faults.is_empty(),
        "{} of {seen} rows:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

macro_rules! tables {
    ($($table:ident: $rows:literal,)*) => {$(
        #[test]
        fn $table() {
            check(stringify!($table), $rows);
        }
    )*};
}

tables! {
    backoff: 222,
    batch_mxm1: 175,
    breakdown: 58,
    discrete_outage: 375,
    erlang_a: 952,
    erlang_b: 286,
    ggc_exact_and_approx: 1319,
    gim: 745,
    mdc: 452,
    mg1: 607,
    mg1_percentiles: 154,
    mmc: 1806,
    mmck: 827,
    output_analysis: 98,
    priority: 135,
    retry_theory: 212,
    sizing: 126,
    visibility: 585,
}

#[test]
fn a_table_comes_back_with_a_column_computed() {
    let table = "case_id,model,params,quantity\n\
                 1,M/M/c,lambda=1200;mu=25;c=60,P(Wq>0.1)\n\
                 2,M/M/c,lambda=1200;mu=25;c=0,Wq\n\
                 3,M/M/c,lambda=1200;mu=25,Wq\n\
                 4,M/M/c,lambda=1200;mu=25;c=60,no such quantity\n\
                 5,no such model,x=1,Wq\n\
                 6,\"M/G/1 non-preemptive, 2 classes\",((,)\n";
    let mut output = Vec::new();
    formula::table::compute(table.as_bytes(), &mut output).unwrap();
    let mut reader = csv::Reader::from_reader(&output[..]);
    let computed: Vec<String> = reader
        .records()
        .map(|row| row.unwrap()[4].to_owned())
        .collect();
    assert!(
        computed[0]
            .parse::<f64>()
            .is_ok_and(|p| 0.0 < p && p < 1e-12),
        "{}",
        computed[0]
    );
    assert!(computed[1..].iter().all(String::is_empty), "{computed:?}");
}

/// `key=value;` for each key.
fn assign(keys: &str, value: &str) -> String {
    keys.split(' ')
        .flat_map(|key| [key, "=", value, ";"])
        .collect()
}

#[test]
fn huge_and_odd_parameters_answer_or_fail_and_never_panic() {
    let rates = "lambda mu theta a lambda_high lambda_low lambda_batches mu_high mu_low p_fail \
                 redelivery_fraction capacity base alpha failure_rate visibility mean_service \
                 outage";
    let counts = "c K x max_attempts max_retries retries max_receive_count";
    let rest = "timeout=1;cap=60;t=0;target=60;bound=none;repair_rate=1;batch=fixed(mean=2);\
                service_high=exp(mean=1);service_low=exp(mean=1)";
    let mut answered = 0;
    for model in formula::models() {
        for rate in [
            "0", "-1", "1e-300", "1e300", "1e18", "1e7", "1", "0.9999", "nan", "x", "",
        ] {
            for count in ["1", "3", "1e300", "0"] {
                for service in ["2", "exp(mean=2)"] {
                    let (rates, counts) = (assign(rates, rate), assign(counts, count));
                    let params = format!("{rates}{counts}{rest};service={service}");
                    let Ok(values) = formula::evaluate(model, &params) else {
                        continue;
                    };
                    assert!(values.iter().all(|(_, value)| value.to_string() != "NaN"));
                    answered += 1;
                }
            }
        }
    }
    assert!(
        answered > 100,
        "only {answered} of these questions make sense"
    );
}

#[test]
fn every_model_says_what_it_takes() {
    for model in formula::models() {
        assert!(!formula::parameters(model).is_empty(), "{model}");
    }
    let mmc = formula::parameters("M/M/c");
    let names: Vec<_> = mmc.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["c", "lambda", "mu"]);
    let timeout = formula::parameters("visibility timeout");
    let service = timeout.iter().find(|(name, _)| name == "service").unwrap();
    assert!(service.1.starts_with("a law with its mean"), "{service:?}");
    let params: Params = "lambda=1;mu=2;c=1;lamda=3".parse().unwrap();
    formula::open("M/M/c", &params).unwrap();
    assert_eq!(params.unread(), ["lamda"]);
}

#[test]
fn a_lognormal_law_may_have_a_percentile() {
    // Mean 20 s and p99 95 s: sigma 0.811, and 8.0 % beyond 45 s.
    let beyond = |law: &str| {
        let params = format!("service=lognormal({law});visibility=45;max_receive_count=3");
        let value = formula::quantity("visibility timeout", &params, "p_exceeds").unwrap();
        value.to_string().parse::<f64>().unwrap()
    };
    let by_tail = beyond("mean=20,p99=95");
    assert!((by_tail - 0.080).abs() < 5e-4, "{by_tail}");
    assert!((beyond("mean=20,cv=1.5") - beyond("mean=20,scv=2.25")).abs() < 1e-15);
}
