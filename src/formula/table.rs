//! Tables of questions: reads rows of model, parameters and quantity, and writes them back with a
//! column `computed`. Compares nothing; the reader of the table does.

use std::io::{Read, Write};

use super::{Params, Solved};

/// Why a table cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The text is not a CSV table with equally long rows, or reading or writing failed.
    #[error("the table cannot be read or written: {0}")]
    Csv(#[from] csv::Error),
    /// The result cannot be written.
    #[error("the table cannot be written: {0}")]
    Io(#[from] std::io::Error),
    /// A column is not there.
    #[error("the table has no column `{0}`; it needs `model`, `params` and `quantity`")]
    MissingColumn(&'static str),
}

/// Reads a table with the columns `model`, `params` and `quantity` and writes it with a last
/// column `computed`: up to 17 digits, or empty where the model, its parameters or the quantity
/// are not known. All other columns, such as `case_id`, pass through unchanged.
///
/// # Errors
/// The text is not a table, or one of the three columns is missing.
pub fn compute(input: impl Read, output: impl Write) -> Result<(), TableError> {
    let mut reader = csv::Reader::from_reader(input);
    let headers = reader.headers()?.clone();
    let column = |name: &'static str| {
        headers
            .iter()
            .position(|header| header == name)
            .ok_or(TableError::MissingColumn(name))
    };
    let (model, params, quantity) = (column("model")?, column("params")?, column("quantity")?);
    let kept: Vec<usize> = (0..headers.len())
        .filter(|&i| &headers[i] != "computed")
        .collect();
    let mut writer = csv::Writer::from_writer(output);
    let row = |record: &csv::StringRecord, last: &str| {
        kept.iter()
            .map(|&i| record[i].to_owned())
            .chain([last.to_owned()])
            .collect::<Vec<_>>()
    };
    writer.write_record(row(&headers, "computed"))?;
    let mut last = Last::default();
    for record in reader.records() {
        let record = record?;
        let value = last
            .open(&record[model], &record[params])
            .and_then(|solved| solved.quantity(&record[quantity]))
            .map_or_else(String::new, |value| value.to_string());
        writer.write_record(row(&record, &value))?;
    }
    writer.flush()?;
    Ok(())
}

/// The model solved last: the rows of a table come in groups with equal parameters.
#[derive(Default)]
struct Last {
    model: String,
    params: String,
    solved: Option<Solved>,
}

impl Last {
    fn open(&mut self, model: &str, params: &str) -> Option<&Solved> {
        if (self.model.as_str(), self.params.as_str()) != (model, params) {
            model.clone_into(&mut self.model);
            params.clone_into(&mut self.params);
            let parsed = params.parse::<Params>().ok();
            self.solved = parsed.and_then(|parsed| super::open(model, &parsed).ok());
        }
        self.solved.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn computed(table: &str) -> Result<String, TableError> {
        let mut output = Vec::new();
        compute(table.as_bytes(), &mut output)?;
        Ok(String::from_utf8(output).expect("only text was written"))
    }

    #[test]
    fn unknown_rows_stay_empty_and_other_columns_pass() {
        let table = "case_id,model,params,quantity,note\nA,no such,x=1,y,\"a,b\"\n";
        let expected = "case_id,model,params,quantity,note,computed\nA,no such,x=1,y,\"a,b\",\n";
        assert_eq!(computed(table).unwrap(), expected);
    }

    #[test]
    fn a_malformed_table_is_a_clear_error() {
        let missing = computed("case_id,model,params\nA,b,c\n").unwrap_err();
        assert!(missing.to_string().contains("`quantity`"), "{missing}");
        let uneven = computed("case_id,model,params,quantity\nA,b\n").unwrap_err();
        assert!(uneven.to_string().contains("line: 2"), "{uneven}");
        assert!(computed("").is_err());
    }
}
